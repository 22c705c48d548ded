"""DUP001 `repeated-text`: a sentence or a paragraph of the running text occurs twice.

## What it flags
Sentences of at least fourteen words that occur again, word for word or nearly; neighbours are reported together.

## Why it matters
It is what copying and moving text leaves behind, and it is the first thing that a reader takes for carelessness.

## When it stays silent
In theorems, floats, footnotes, quotations and checklists; where the text says that it restates or recalls something; and
when two sentences differ in a number.  A hint only: fewer than twenty words, a changed word, and sentences that abstract,
introduction, conclusion or appendix share with the text, as many authors do on purpose.
"""

from collections.abc import Iterator
from typing import NamedTuple

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.duplicates import LongSentence, long_sentences, near_equal
from analyzers.facts.view import prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_LONG = "The remaining failures do not depend on the number of experts that the router selects, and a larger budget does not remove them either."
_MOST_PER_ANCHOR = 6
_SURE = 20  # words; shorter sentences may be set phrases of the author
_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})


class _Place(NamedTuple):
    position: int
    entry: Entry
    sentence: LongSentence


class RepeatedText(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "DUP001"
    name = "repeated-text"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en", "de", "fr", "es", "ru"})
    examples = (
        Example.of("A paragraph twice", f"{_LONG}\n\nOther text.\n\n{_LONG}", _LONG),
        Example.of(
            "A word changed",
            f"{_LONG}\n\nOther text.\n\n{_LONG.replace('either', 'neither')}",
            _LONG.replace("either", "neither"),
        ),
        Example.of(
            "A text on quotations",
            f"{_LONG}\n\nOther text.\n\nLong judgments quote other judgments. {_LONG}",
            _LONG,
        ),
        Example.of("Quoted", f"{_LONG}\n\nOther text.\n\nHere we quote what the guideline says. {_LONG}"),
        Example.of("Once only", f"{_LONG}\n\nOther text."),
        Example.of("Announced", f"{_LONG}\n\nWe restate what was said. {_LONG}"),
        Example.of(
            "Another number",
            f"{_LONG.replace('larger', '3 times larger')}\n\n{_LONG.replace('larger', '4 times larger')}",
        ),
        Example.of(
            "A theorem", f"\\begin{{theorem}}{_LONG}\\end{{theorem}}\n\n\\begin{{theorem}}{_LONG}\\end{{theorem}}"
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per run of repeated sentences, at its later place."""
        exact: dict[tuple[str, ...], _Place] = {}
        anchors: dict[tuple[str, ...], list[_Place]] = {}
        pairs: list[tuple[_Place, _Place]] = []
        for position, entry in manuscript.body:
            for sentence in long_sentences(entry.block, manuscript.macros):
                place = _Place(position, entry, sentence)
                earlier = exact.setdefault(sentence.words, place)
                if earlier is not place:
                    pairs.append((earlier, place))
                    continue
                for anchor in sentence.anchors:
                    known = anchors.setdefault(anchor, [])
                    if len(known) >= _MOST_PER_ANCHOR:
                        continue
                    near = next((other for other in known if near_equal(other.sentence, sentence)), None)
                    known.append(place)
                    if near is not None:
                        pairs.append((near, place))
                        break
        yield from self._report(manuscript, [pair for pair in pairs if not _by_design(manuscript, *pair)])

    def _report(self, manuscript: Manuscript, pairs: list[tuple[_Place, _Place]]) -> Iterator[Finding]:
        run: list[tuple[_Place, _Place]] = []
        for pair in pairs:
            if run and not _follows(run[-1], pair):
                yield self._finding(manuscript, run)
                run = []
            run.append(pair)
        if run:
            yield self._finding(manuscript, run)

    def _finding(self, manuscript: Manuscript, run: list[tuple[_Place, _Place]]) -> Finding:
        span = _span(manuscript, [later for _, later in run])
        first = _span(manuscript, [earlier for earlier, _ in run])
        what = "This sentence occurs" if len(run) == 1 else f"These {len(run)} sentences occur"
        equal = " ".join(manuscript.text(first).split()) == " ".join(manuscript.text(span).split())
        words = sum(len(later.sentence.words) for _, later in run)
        summary = any(_summary(manuscript, place) for pair in run for place in pair)
        proved = equal and words >= _SURE and not summary
        return self.finding(
            f"{what} before, {'word for word' if equal else 'nearly word for word'}.",
            span,
            related=(Related(first, "The first place."),),
            fixes=(Fix("Delete the repetition", (Edit(span, ""),)),),
            severity=None if proved else Severity.HINT,
        )


def _follows(previous: tuple[_Place, _Place], current: tuple[_Place, _Place]) -> bool:
    return all(
        a.entry is b.entry and b.sentence.order == a.sentence.order + 1 for a, b in zip(previous, current, strict=True)
    )


def _by_design(manuscript: Manuscript, first: _Place, second: _Place) -> bool:
    if first.sentence.announced or second.sentence.announced:
        return True
    return any(
        place.entry.section >= 0 and "checklist" in manuscript.sections[place.entry.section].title.lower()
        for place in (first, second)
    )


def _summary(manuscript: Manuscript, place: _Place) -> bool:
    """True where custom lets authors repeat themselves: abstract, introduction, conclusion, appendix; and in the steps of proofs."""
    if place.sentence.kind is PartKind.ABSTRACT or "proof" in place.entry.block.stack:
        return True
    return place.entry.appendix or manuscript.section_class(place.entry) in _SUMMARIES


def _span(manuscript: Manuscript, places: list[_Place]) -> Span:
    entry = places[0].entry
    prose = prose_of(entry.block, manuscript.macros)
    return entry.span(*prose.source(places[0].sentence.start, places[-1].sentence.end))
