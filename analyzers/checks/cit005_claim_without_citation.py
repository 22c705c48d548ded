"""CIT005 `claim-without-citation`: a sentence speaks of what others have done or know, and nobody is cited.

## What it flags
Sentences such as “previous work has shown …”, “it is well known that …”, “several studies report …” without a citation in
the sentence itself or in the next one.  Off by default: turn it on with `extend-select = ["CIT005"]`.

## Why it matters
Readers cannot check it, and reviewers ask for the source.

## When it stays silent
In the abstract, the experiments, the conclusion and the appendix; when the sentence speaks of “we”, “our” or “this paper”,
points to a figure, table or section, or names authors; after a sentence with citations that it takes up (“These studies show
…”); where an unknown macro may hold the citation.  It is a hint.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.view import prose_of, sentences_of
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import CITATION, REFERENCE, UNKNOWN, PartKind
from analyzers.text.sentences import Sentence

_OTHERS = r"(?:previous|prior|earlier|past|recent|existing|many|several|numerous|various|a number of|most)"
_WORKS = r"(?:works?|studies|study|research|papers|authors|researchers|scholars|experiments|surveys|literature)"
_SAY = (
    r"(?:(?:show|demonstrat|find|report|suggest|indicat|argu|observ|propos|reveal|establish|prove|confirm|conclud|claim|"
    r"highlight|document|identif|investigat|explor|stud(?:y|ied)|examin|address|focus)\w*|found\b)"
)
_CUES = re.compile(
    rf"\b{_OTHERS} (?:\w+ ){{0,2}}{_WORKS} (?:(?:has|have|had|also|already|often|consistently|mostly|mainly) ){{0,3}}(?:been )?{_SAY}"
    rf"|\b(?:studies|research|the literature) (?:has |have )?(?:also |already |consistently )?{_SAY}"
    r"|\bit (?:is|has been) (?:now |by now |also )?(?:well|widely|generally|commonly|long)[ -](?:been )?(?:known|accepted|established|believed|"
    r"recogni[sz]ed|acknowledged|understood|documented)\b"
    r"|\b(?:is|are) (?:well|widely) (?:known|documented|established) (?:to|that|for)\b"
    r"|\b(?:has|have) (?:already |recently |repeatedly |often |long )?been (?:shown|demonstrated|proven|proved|reported|observed|argued) (?:to|that)\b"
    r"|\b(?:was|were) (?:first|originally) (?:introduced|proposed|described|observed|reported) (?:by|in)\b"
)
_OWN = re.compile(
    r"\b(?:we|our|ours|us|this (?:paper|work|article|study|section|thesis|chapter)|in the following|below|above)\b"
)
_NAMED = re.compile(r"\bet al\b|\b[A-Z][a-z]+ (?:and|&) [A-Z][a-z]+\b|\((?:19|20)\d\d[a-z]?\)")
_TAKES_UP = re.compile(
    r"\s*(?:these|this|those|such|they|both|all of (?:these|them)|the (?:latter|former)|however, (?:these|they))\b"
)
_SILENT = frozenset({SectionClass.ABSTRACT, SectionClass.EXPERIMENTS, SectionClass.CONCLUSION, SectionClass.APPENDIX})
_KINDS = frozenset({PartKind.BODY, PartKind.ITEM})
_SEEN = CITATION + REFERENCE + UNKNOWN
_FILE = "\\section{Introduction}\n"


class ClaimWithoutCitation(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT005"
    name = "claim-without-citation"
    tier = Tier.LINKED
    severity = Severity.HINT
    default = False
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Previous work that is not named",
            f"{_FILE}Rivers are slow. Previous work has shown that rivers remember. They carry sand.",
            "Previous work has shown that rivers remember.",
        ),
        Example.of("Well known", f"{_FILE}It is well known that bees sleep.", "It is well known that bees sleep."),
        Example.of("A citation in the sentence", f"{_FILE}It is well known that bees sleep \\cite{{k}}."),
        Example.of("A citation in the next one", f"{_FILE}Many studies report this. For instance, \\cite{{k}} does."),
        Example.of("Own work", f"{_FILE}Previous work has shown this, and we extend it."),
        Example.of("In the results", "\\section{Results}\nSeveral studies have shown that bees sleep."),
        Example.of(
            "Taking up what was cited", f"{_FILE}Bees sleep \\cite{{k}}. These studies have shown that light matters."
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per sentence."""
        for _, entry in manuscript.body:
            if manuscript.section_class(entry) in _SILENT:
                continue
            for sentence in _claims(entry, manuscript):
                start, end = prose_of(entry.block, manuscript.macros).source(sentence.start, sentence.end)
                yield self.finding(
                    "This sentence speaks of what others have done or know, and cites nobody.", entry.span(start, end)
                )


def _claims(entry: Entry, manuscript: Manuscript) -> Iterator[Sentence]:
    text = prose_of(entry.block, manuscript.macros).text
    sentences = sentences_of(entry.block, manuscript.macros)
    for index, sentence in enumerate(sentences):
        words = text[sentence.start : sentence.end]
        if sentence.kind not in _KINDS or any(mark in words for mark in _SEEN):
            continue
        lower = words.lower()
        if _CUES.search(lower) is None or _OWN.search(lower) is not None or _NAMED.search(words) is not None:
            continue
        after = sentences[index + 1] if index + 1 < len(sentences) else None
        if after is not None and any(mark in text[after.start : after.end] for mark in (CITATION, UNKNOWN)):
            continue
        before = sentences[index - 1] if index else None
        cited_before = before is not None and CITATION in text[before.start : before.end]
        if cited_before and _TAKES_UP.match(lower) is not None:
            continue
        yield sentence
