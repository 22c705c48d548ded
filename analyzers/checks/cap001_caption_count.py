"""CAP001 `caption-vs-text-count`: a caption and the sentence that refers to its float count the same things differently.

## What it flags
A caption “… over 5 seeds” and “Figure 3 shows … over 3 seeds”; participants, datasets, runs and the like.  A candidate pair.

## Why it matters
Figures are often redrawn after the text was written.

## When it stays silent
When either place has two numbers of the same things, and for bounds and approximate numbers.
"""

from collections.abc import Iterator, Mapping

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.quantities import Kind
from analyzers.facts.settings_captions import captions, referring
from analyzers.facts.statements import Statement, numbers
from analyzers.facts.view import prose_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript

_FIGURE = "\\begin{figure}\\caption{Accuracy, averaged over 5 seeds.}\\label{fig:a}\\end{figure}\n\n"


class CaptionCount(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CAP001"
    name = "caption-vs-text-count"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en", "de"})
    examples = (
        Example.of(
            "Seeds", f"{_FIGURE}Figure~\\ref{{fig:a}} shows the mean of 3 seeds.", "Accuracy, averaged over 5 seeds."
        ),
        Example.of("The same", f"{_FIGURE}Figure~\\ref{{fig:a}} shows the mean of five seeds."),
        Example.of("Other things", f"{_FIGURE}Figure~\\ref{{fig:a}} shows three models."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """One candidate per caption and noun."""
        by_label = referring(manuscript)
        for caption in captions(manuscript):
            counted = {sentence: _counts(manuscript, caption.entry, sentence) for sentence in caption.sentences}
            for key in caption.labels:
                if key not in by_label or not any(counted.values()):
                    continue
                entry, sentence = by_label[key]
                there = _counts(manuscript, entry, sentence)
                for own, here in counted.items():
                    for noun in here.keys() & there.keys():
                        if here[noun] == there[noun]:
                            continue
                        places = (
                            caption.entry.span(
                                *prose_of(caption.entry.block, manuscript.macros).source(own.start, own.end)
                            ),
                            entry.span(*prose_of(entry.block, manuscript.macros).source(sentence.start, sentence.end)),
                        )
                        yield Candidate(self.code, 0.45, f"{here[noun]} and {there[noun]} {noun}", places)


def _counts(manuscript: Manuscript, entry: Entry, sentence: Statement) -> Mapping[str, str]:
    """What a sentence counts once, with its number."""
    if not any(c.isdigit() for c in sentence.text) and not any(
        w in sentence.text for w in ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    ):
        return {}
    found: dict[str, str] = {}
    twice: set[str] = set()
    for quantity in numbers(entry.block, manuscript.macros, sentence, manuscript.language):
        if (
            quantity.kind is Kind.COUNT
            and quantity.noun
            and quantity.bound is None
            and not quantity.approximate
            and quantity.unit is None
        ):
            noun = quantity.noun.lower()
            if len(noun) < 4 or not noun.endswith("s") or quantity.noun[1:].lower() != quantity.noun[1:]:
                continue
            if noun in found:
                twice.add(noun)
            found[noun] = f"{quantity.value:f}"
    return {noun: value for noun, value in found.items() if noun not in twice}
