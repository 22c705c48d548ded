"""NUM001 `abstract-orphan`: a number of the abstract stands nowhere else in the manuscript.

## What it flags
A number with decimals in the abstract that no sentence, caption, table or plot of the manuscript supports: not exactly, not
rounded, not as a fraction or a difference of two cells.  When another number is one slip of a digit away and stands with the
same words, it is named; then whole numbers and the conclusion are looked at as well.

## Why it matters
The abstract is written last and updated first; its numbers are the ones that are quoted.

## When it stays silent
For approximate numbers, or when a file of the manuscript could not be read, without such a near value; and for numbers written
through macros.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.alignment import Refuted, Verified
from analyzers.facts.alignment_values import unit_of
from analyzers.facts.number_links import NumberLinks, cell_name, number_links
from analyzers.facts.number_support import (
    context_of,
    macro_values,
    readings,
    shared_unit,
    slips,
    stands_in,
    support_of,
    word_set,
)
from analyzers.facts.quantities import like
from analyzers.facts.quantities.model import Kind, Number, Quantity
from analyzers.facts.quantity_facts import NumberedSentence, Place, quantities_of
from analyzers.facts.tables.model import Role, Table
from analyzers.facts.view import prose_of
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import Prose
from analyzers.text.spans import Span

_NO_NUMBERS = frozenset({Kind.IDENTIFIER, Kind.YEAR})
_MAX_NUMBERS = 25
_MIN_NEAR = 4
_MIN_SEEN = 3
_MARGIN = 2
_DELTAS = frozenset({Kind.DELTA_ABS, Kind.DELTA_REL, Kind.RATIO})
_MAX_PAIRS = 4_000
_ABSTRACT = "\\begin{abstract}Our router reaches 73.4\\% accuracy on SciQA.\\end{abstract}\n"
_BODY = "\\section{Results}\nOn SciQA, the router reaches 74.3\\% accuracy.\n"


class _Near(NamedTuple):
    """A number that is one slip away: its text, where it stands, and how it is called."""

    value: Decimal
    decimals: int
    span: Span
    name: str
    shared: int


class AbstractOrphan(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM001"
    name = "abstract-orphan"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("Two digits in the wrong order", _ABSTRACT + _BODY, "73.4"),
        Example.of(
            "Only what it leaves of 100 stands elsewhere",
            "\\begin{abstract}Over all cities, the router reaches a mean accuracy of 73.4\\% on SciQA.\\end{abstract}\n\\section{Results}\nThe discount was 26.6.\n\nThe router reaches a mean accuracy of 74.3\\% on SciQA over all cities.\n",
            "73.4",
        ),
        Example.of("A number that stands nowhere else", "\\begin{abstract}The index needs 7.3 terabytes.\\end{abstract}\n\\section{Results}\nThe index is small.\n", "7.3"),
        Example.of(
            "A count that differs by a digit",
            "\\begin{abstract}We read 267 papers.\\end{abstract}\n\\section{Data}\nWe read 257 papers on routing.\n",
            "267",
        ),
        Example.of("The same number", "\\begin{abstract}The router reaches 74.3\\% accuracy.\\end{abstract}\n" + _BODY),
        Example.of("Rounded", "\\begin{abstract}The router reaches 74.3\\% accuracy.\\end{abstract}\n\\section{Results}\nIt reaches 74.28\\% accuracy.\n"),
        Example.of("A zero that rounding does not give", "\\begin{abstract}The router reaches 75.0\\% accuracy on SciQA.\\end{abstract}\n\\section{Results}\nOn SciQA, the router reaches 72.0\\% accuracy and a rival 74.6\\% accuracy.\n", "75.0"),
        Example.of("A zero that rounding gives", "\\begin{abstract}The router reaches 75.0\\% accuracy on SciQA.\\end{abstract}\n\\section{Results}\nOn SciQA, the router reaches 74.97\\% accuracy.\n"),
        Example.of("As a fraction", "\\begin{abstract}The router reaches 74.3\\% accuracy.\\end{abstract}\n\\section{Results}\nIts accuracy is 0.743.\n"),
        Example.of("In a table", "\\begin{abstract}The router reaches 74.3\\% accuracy.\\end{abstract}\n\\section{Results}\n\\begin{tabular}{lc}\nMethod & Accuracy \\\\\nRouter & 74.3 \\\\\n\\end{tabular}\n"),
        Example.of("Approximate", "\\begin{abstract}It needs about 7.3 terabytes.\\end{abstract}\n\\section{Results}\nThe index is small.\n"),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number without support."""
        closed = manuscript.complete and not manuscript.open_labels
        classes = {index: manuscript.section_class(entry) for index, entry in manuscript.body}
        abstract = [(i, e) for i, e in manuscript.body if classes[i] is SectionClass.ABSTRACT]
        closing = [(i, e) for i, e in manuscript.body if classes[i] is SectionClass.CONCLUSION and not e.appendix]
        if not abstract and not closing:
            return
        values, listed = macro_values(manuscript.macros)
        links: NumberLinks | None = None
        for part, is_abstract in ((abstract, True), (closing, False)):
            own = {index for index, _ in part}
            rest = [(index, entry) for index, entry in manuscript.body if index not in own]
            if not is_abstract:
                rest += [
                    (index, entry)
                    for index, entry in part
                    if any(name.startswith(("table", "figure")) for name in entry.around)
                ]
            for index, entry in part:
                if any(name.startswith(("table", "figure", "long")) for name in entry.around):
                    continue
                for sentence in quantities_of(entry.block, manuscript.macros, manuscript.language):
                    if len(sentence.quantities) > _MAX_NUMBERS:
                        continue
                    for at, quantity, place in _numbers(entry, manuscript, sentence):
                        if not is_abstract and quantity.decimals <= 0:
                            continue
                        wanted = readings(quantity)
                        if any(value in values for value, *_ in wanted):
                            continue
                        seen = [
                            e
                            for _, e in rest
                            if stands_in(support_of(e.block, manuscript.macros, manuscript.language), wanted)
                        ]
                        known = bool(seen) or any(value in listed for value, *_ in wanted)
                        if known and quantity.decimals <= 0:
                            continue
                        links = links or number_links(manuscript)
                        number = (sentence, at, quantity, place)
                        found = self._judge(
                            manuscript, links, rest, index, entry, number, is_abstract, seen if known else None, closed
                        )
                        if found is not None:
                            yield found

    def _judge(
        self, manuscript: Manuscript, links: NumberLinks, rest: list[tuple[int, Entry]], index: int, entry: Entry,
        number: tuple[NumberedSentence, int, Quantity, Place], is_abstract: bool, seen: list[Entry] | None, closed: bool,
    ) -> Finding | None:  # fmt: skip
        sentence, at, quantity, place = number
        if any(
            link.entry == index
            and link.sentence is sentence
            and link.at == at
            and isinstance(link.link, Verified | Refuted)
            for link in links.links
        ):
            return None
        terms = word_set(sentence.text) - _digits(sentence.text)
        near = _nearest(manuscript, links, rest, sentence, quantity)
        span = entry.span(place.start, place.end)
        where = "the abstract" if is_abstract else "the conclusion"
        evidence: dict[str, EvidenceValue] = {"number": quantity.text, "near": str(near.value) if near else None}
        if near is not None and near.shared < _MIN_NEAR and (quantity.approximate or not closed):
            return None
        if near is not None and quantity.kind in _DELTAS and _follows(links, sentence, quantity):
            return None
        if near is not None and seen is not None:
            best = max(
                (context_of(e.block, manuscript.macros, manuscript.language, quantity, terms) for e in seen), default=0
            )
            # What it leaves of 100 stands in for a number only when it is spoken of with more of the same words.
            itself = readings(quantity, rest=False)
            language = manuscript.language
            stands = any(stands_in(support_of(e.block, manuscript.macros, language), itself) for e in seen)
            wanted = max(_MIN_SEEN, best + _MARGIN) if stands else max(_MIN_NEAR + 1, best)
            seen = seen if stands else None
            if near.shared < wanted or _short(quantity):
                return None
        if near is not None:
            new = like(manuscript.text(span), near.value)
            related = (Related(near.span, f"Here it is {_text(near)}"),)
            fixes = (Fix(f"Put {new}", (Edit(span, new),)),) if place.editable else ()
            message = f"{quantity.text} in {where} stands {'only in other contexts' if seen else 'nowhere else'}; {near.name} has {_text(near)}, one slip of a digit away. Check which is right."
            return self.finding(message, span, related=related, fixes=fixes, evidence=evidence)
        if seen is not None or not is_abstract or quantity.decimals <= 0 or quantity.approximate or not closed:
            return None
        if quantity.kind in _DELTAS and _derivable(links, quantity):
            return None
        if sentence.text[quantity.end : quantity.end + 12].lstrip().startswith(
            ("million", "billion", "k ")
        ) or _about_others(sentence, quantity):
            return None
        message = f"{quantity.text} in {where} stands nowhere else in the manuscript, neither in the text nor in a table. Check it, or report it where it is measured."
        return self.finding(message, span, evidence=evidence)


_SAMPLE = frozenset(("N", "n"))
_PEOPLE = frozenset(
    "participants patients subjects adults children students volunteers respondents people individuals women men users adolescents".split()
)
_OTHERS = re.compile(r"[\ue000]")


def _about_others(sentence: NumberedSentence, quantity: Quantity) -> bool:
    """A number with a citation beside it is somebody else's."""
    return _OTHERS.search(sentence.text, max(quantity.start - 30, 0), quantity.end + 40) is not None


def _numbers(entry: Entry, manuscript: Manuscript, sentence: NumberedSentence) -> Iterator[tuple[int, Quantity, Place]]:
    """The specific numbers of a sentence, those inside ranges and intervals and behind ± as well."""
    prose: Prose | None = None
    for at, (quantity, place) in enumerate(zip(sentence.quantities, sentence.places, strict=True)):
        if quantity.kind in _NO_NUMBERS or place.macro is not None or not any(map(str.isdigit, quantity.text)):
            continue
        parts = [
            number
            for number in (*(quantity.endpoints or ()), quantity.numerator, quantity.denominator, quantity.spread)
            if number is not None
        ]
        if not parts and _specific(quantity.number):
            yield at, quantity, place
        if parts and not (quantity.endpoints or quantity.numerator) and _specific(quantity.number):
            yield at, replace(quantity, spread=None), place
        for number in parts:
            if not _specific(number):
                continue
            prose = prose or prose_of(entry.block, manuscript.macros)
            start, end = sentence.statement.start + number.start, sentence.statement.start + number.end
            part = replace(
                quantity, start=number.start, end=number.end, text=prose.text[start:end], value=number.value, decimals=number.decimals,
                lower=number.lower, upper=number.upper, endpoints=None, numerator=None, denominator=None, spread=None,
            )  # fmt: skip
            source_start, source_end = prose.source(start, end)
            yield at, part, Place(source_start, source_end, None, source_end - source_start == end - start)


def _specific(number: Number) -> bool:
    return number.decimals > 0 or abs(number.value) >= 10


def _short(quantity: Quantity) -> bool:
    """True for numbers of one significant digit, which stand everywhere."""
    return len(quantity.text.replace(".", "").strip("0")) < 2


def _text(near: _Near) -> str:
    return format(near.value, f".{max(near.decimals, 0)}f")


def _nearest(
    manuscript: Manuscript,
    links: NumberLinks,
    rest: list[tuple[int, Entry]],
    sentence: NumberedSentence,
    quantity: Quantity,
) -> _Near | None:
    """The number one slip away that shares most words with the sentence; at least two (or the noun that is counted)."""
    terms = word_set(sentence.text) - _digits(sentence.text)
    best: _Near | None = None
    whole = quantity.decimals <= 0
    for _, entry in rest:
        for other in quantities_of(entry.block, manuscript.macros, manuscript.language):
            for item, place in zip(other.quantities, other.places, strict=True):
                if (
                    item.kind in _NO_NUMBERS
                    or item.decimals != quantity.decimals
                    or not slips(quantity, quantity.text, item.value, item.decimals)
                ):
                    continue
                people = quantity.symbol in _SAMPLE and item.noun in _PEOPLE and item.symbol is None
                if not people and (
                    (item.symbol != quantity.symbol and quantity.kind is not Kind.LEVEL)
                    or _symbols_differ(item, quantity)
                ):
                    continue
                dimensions = {_dimension(item), _dimension(quantity)} - {None}
                if len(dimensions) > 1 or (quantity.kind in _DELTAS) != (item.kind in _DELTAS):
                    continue
                shared = len(terms & word_set(other.text) - _digits(other.text))
                if whole and not people and (item.noun is None or item.noun != quantity.noun):
                    continue
                shared += 2 * shared_unit(item, quantity) - 2 * (_dimension(item) != _dimension(quantity))
                if shared >= (1 if whole else 2) and (best is None or shared > best.shared):
                    best = _Near(item.value, item.decimals, entry.span(place.start, place.end), "the text", shared)
    if whole:
        return best
    for number, where in enumerate(links.tables):
        table = where.table
        if quantity.kind in _DELTAS or table.problem is not None:
            continue
        for cell in table.cells:
            found = cell.quantity
            if found is None or cell.header or not slips(quantity, quantity.text, found.value, found.decimals):
                continue
            unit = unit_of(table, cell)
            if (
                unit is not None
                and quantity.unit is not None
                and {unit.dimension, quantity.unit.dimension} - {"share", "points"}
                and unit.dimension != quantity.unit.dimension
            ):
                continue
            names = word_set(" ".join((*cell.row_path, *cell.column_path)))
            shared = len(terms & names) + 1
            if terms & word_set(" ".join(cell.row_path)) and terms & word_set(" ".join(cell.column_path)):
                shared += 1
            elif shared < 3:
                continue
            if best is None or shared > best.shared:
                best = _Near(
                    found.value,
                    found.decimals,
                    where.span(manuscript.entries, cell),
                    f"{cell_name(table, cell)} of table {number + 1}",
                    shared,
                )
    return best


def _symbols_differ(first: Quantity, second: Quantity) -> bool:
    return first.symbol is not None and second.symbol is not None and first.symbol != second.symbol


def _digits(text: str) -> frozenset[str]:
    return frozenset(word for word in word_set(text) if word[0].isdigit())


def _dimension(quantity: Quantity) -> str | None:
    unit = quantity.unit.dimension if quantity.unit is not None else None
    return "share" if unit == "points" else unit


def _derivable(links: NumberLinks, quantity: Quantity) -> bool:
    """True when two cells of one row or column of a results table differ by this much, in any reading."""
    for place in links.tables:
        for line in _lines(place.table):
            for one, other in combinations(line[:40], 2):
                first, second = sorted((abs(one), abs(other)))
                if quantity.kind is Kind.RATIO:
                    if first and quantity.allows(second / first):
                        return True
                    continue
                gap = second - first
                if quantity.allows(gap) or (second <= 1 and quantity.allows(gap * 100)):
                    return True
                if first and (quantity.allows(gap / first * 100) or quantity.allows(gap / second * 100)):
                    return True
    return False


def _follows(links: NumberLinks, sentence: NumberedSentence, quantity: Quantity) -> bool:
    """True when the difference follows from a cell whose value stands in the same sentence and another cell of its line."""
    said = {other.value for other in sentence.quantities if other is not quantity and other.decimals > 0}
    for place in links.tables:
        for line in _lines(place.table):
            for value in said.intersection(line):
                if any(quantity.allows(abs(value - other)) for other in line if other != value):
                    return True
    return False


def _lines(table: Table) -> Iterator[list[Decimal]]:
    if table.problem is not None or len(table.cells) > _MAX_PAIRS:
        return
    columns: Mapping[int, list[Decimal]] = {
        heading.index: [] for heading in table.columns if heading.role is not Role.HYPER
    }
    rows: Mapping[int, list[Decimal]] = {heading.index: [] for heading in table.rows}
    for cell in table.numeric:
        if cell.quantity is not None and cell.column in columns:
            columns[cell.column].append(cell.quantity.value)
            rows[cell.row].append(cell.quantity.value)
    yield from columns.values()
    yield from rows.values()
