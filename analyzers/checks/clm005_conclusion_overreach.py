"""CLM005 `conclusion-overreach`: a summary says “all” where the results say “most”, of the same things.

## What it flags
A sentence of abstract, introduction or conclusion with “all”, “every” or “each” before a noun, and a sentence of the results
on the same subject with “most”, “some”, “several”, “half of” or “7 of 9” before the same noun.

## Why it matters
A claim that is wider than its evidence is an overstatement, and the paper itself refutes it.

## When it stays silent
When the two sentences share little beyond the noun, or one of them is negated and the other is not.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import sentences, span_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue
from analyzers.graph.gather import Item
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import stem

_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|\\d+"
_ALL = re.compile(
    rf"\b(all|every|each)(?: of)?(?: the| our| these| its)?(?: (?:{_NUMBERS}))?((?: [a-z][a-z-]+){{1,3}})",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"\b(most|some|several|half|many|few|(?:{_NUMBERS}) (?:out )?of (?:the |these |our )?(?:{_NUMBERS}))(?: of)?(?: the| our| these| its)?((?: [a-z][a-z-]+){{1,3}})",
    re.IGNORECASE,
)
_WIDE = ("all", "every", "each")
_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})
_RESULTS = frozenset({SectionClass.EXPERIMENTS})
_ALIKE = 0.4
_MOST_PER_NOUN = 40


class _Said(NamedTuple):
    item: Item
    word: str
    noun: str


class ConclusionOverreach(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM005"
    name = "conclusion-overreach"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "All and most",
            "\\section{Experiments}\nOur calibration lowers the drift error on most rivers.\n\n\\section{Conclusion}\nOur calibration lowers the drift error on all rivers.",
            "Our calibration lowers the drift error on all rivers.",
        ),
        Example.of(
            "Another subject",
            "\\section{Experiments}\nThe pumps were cleaned by volunteers on most rivers.\n\n\\section{Conclusion}\nOur calibration lowers the drift error on all rivers.",
        ),
        Example.of(
            "The same scope",
            "\\section{Experiments}\nOur calibration lowers the drift error on all rivers.\n\n\\section{Conclusion}\nOur calibration lowers the drift error on all rivers.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """At most one finding per sentence of a summary."""
        built = built_of(manuscript)
        wide = [
            said
            for item in sentences(built.items)
            if item.place.kind in _SUMMARIES and _holds(item, _WIDE)
            for said in _said(item, _ALL)
        ]
        if not wide:
            return
        nouns = {said.noun for said in wide}
        # A stem keeps the first three letters of its word.
        begun = {noun[:3] for noun in nouns}
        narrow: dict[str, list[_Said]] = {}
        for item in sentences(built.items):
            if item.place.kind in _RESULTS and _holds(item, begun):
                for said in _said(item, _PART):
                    if said.noun in nouns and len(narrow.setdefault(said.noun, [])) < _MOST_PER_NOUN:
                        narrow[said.noun].append(said)
        seen: set[int] = set()
        for said in wide:
            other = next(
                (
                    other
                    for other in narrow.get(said.noun, ())
                    if self._conflict(built.weights.cosine(said.item.terms, other.item.terms), said, other)
                ),
                None,
            )
            if other is None or said.item.order in seen:
                continue
            seen.add(said.item.order)
            yield self.finding(
                f"This says “{said.word}”, the results say “{other.word}” of the same. Use the narrower word in both places.",
                span_of(said.item),
                related=(Related(span_of(other.item), f"The results say “{other.word}”."),),
            )

    @staticmethod
    def _conflict(alike: float, said: _Said, other: _Said) -> bool:
        return alike >= _ALIKE and (said.item.draft.cue & Cue.NEGATION) == (other.item.draft.cue & Cue.NEGATION)


def _holds(item: Item, parts: Iterable[str]) -> bool:
    """Whether a sentence holds one of these strings, as a search with an expression is dear."""
    text = item.draft.text.lower()
    return any(part in text for part in parts)


def _said(item: Item, pattern: re.Pattern[str]) -> Iterator[_Said]:
    for match in pattern.finditer(item.draft.text):
        words = match[2].split()
        # The noun is what the quantifier's phrase ends with; the first word counts when nothing says where it ends.
        for word in words:
            if word.endswith("s") or match[1].lower() in ("every", "each"):
                yield _Said(item, " ".join((match[1], *words[: words.index(word) + 1])), stem(word.lower()))
                break
