"""What editors show of numbers and their cells, as plain data: hovers, definitions, the lens, hints, and what a change moves.

Pure functions from manuscripts to texts and spans; the handlers turn spans into ranges.
"""

from dataclasses import dataclass, field

from analyzers.facts.alignment import Reason, Refuted, Unknown, Verified
from analyzers.facts.number_changes import NumberChange, macro_definitions, number_changes
from analyzers.facts.number_links import (
    NumberLink,
    NumberLinks,
    cell_name,
    evidence_words,
    lens_text,
    number_links,
    number_summary,
)
from analyzers.facts.quantities.model import Kind
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span

_NO_NUMBERS = frozenset({Kind.IDENTIFIER, Kind.YEAR})
_MAX_UNKNOWN = 500


@dataclass(frozen=True, slots=True)
class NumberHover:
    """What is known of the number at `span`: a heading, and one line per piece of evidence."""

    span: Span
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberLens:
    """ "17 of 63 numbers found in tables", above the text of the manuscript."""

    span: Span
    title: str


@dataclass(frozen=True, slots=True)
class NumberHint:
    """A sign behind a number: found in a table, or what the table has instead."""

    span: Span
    label: str
    tooltip: str


@dataclass(frozen=True, slots=True)
class UnknownNumber:
    """A number that no table confirms or refutes, and why."""

    span: Span
    text: str
    reason: str


def number_at(manuscript: Manuscript, path: str, offset: int) -> tuple[NumberLinks, NumberLink] | None:
    """The number at an offset of a file."""
    links = number_links(manuscript)
    for link in links.links:
        entry = manuscript.entries[link.entry]
        if entry.path != path or not entry.start <= offset <= entry.start + len(entry.block.text):
            continue
        span = links.span(link)
        if span.start <= offset <= span.end and link.quantity.kind not in _NO_NUMBERS:
            return links, link
    return None


def number_hover(manuscript: Manuscript, path: str, offset: int) -> NumberHover | None:
    """The hover of a number: its cell and the evidence, or why nothing is known."""
    found = number_at(manuscript, path, offset)
    if found is None:
        return None
    links, link = found
    span = links.span(link)
    outcome = link.link
    if isinstance(outcome, Unknown):
        return NumberHover(
            span, f"{link.quantity.text}: not checked against a table", (f"Reason: {outcome.reason.value}.",)
        )
    cell, _ = links.cell(outcome)
    table = links.tables[outcome.table].table
    caption = " ".join(table.caption_text.split())[:120]
    lines = [f"Cell: {cell.text} ({cell_name(table, cell)})"]
    if outcome.other is not None:
        other, _ = links.cell(outcome, other=True)
        lines.append(f"Compared with: {other.text} ({cell_name(table, other)})")
    if caption:
        lines.append(f"Table: {caption}")
    if isinstance(outcome, Refuted):
        lines.append(f"The table gives {outcome.expected.normalize():f}.")
    elif outcome.reading is not None:
        lines.append(f"Read as: {outcome.reading.value} difference")
    words = evidence_words(outcome.evidence)
    if words:
        lines.append("Evidence: " + "; ".join(words) + ".")
    verb = "found in a table" if isinstance(outcome, Verified) else "refuted by a table"
    return NumberHover(span, f"{link.quantity.text}: {verb}", tuple(lines))


def number_definition(manuscript: Manuscript, path: str, offset: int) -> tuple[Span, ...]:
    """Where a number comes from: its cell (or its two cells), and the definition of the macro it is written through."""
    found = number_at(manuscript, path, offset)
    if found is None:
        return ()
    links, link = found
    places: list[Span] = []
    if link.place.macro is not None:
        definition = macro_definitions(manuscript).get(link.place.macro)
        places += [definition] if definition is not None else []
    if isinstance(link.link, Verified | Refuted):
        places.append(links.cell(link.link)[1])
        if link.link.other is not None:
            places.append(links.cell(link.link, other=True)[1])
    return tuple(places)


def numbers_of_cell(manuscript: Manuscript, path: str, offset: int) -> tuple[Span, ...]:
    """The numbers of the prose that are linked to the cell at an offset."""
    links = number_links(manuscript)
    at = [
        (number, index)
        for number, place in enumerate(links.tables)
        if manuscript.entries[place.entry].path == path
        for index, cell in enumerate(place.table.cells)
        if (span := place.span(manuscript.entries, cell)).start <= offset <= span.end and cell.quantity is not None
    ]
    if not at:
        return ()
    table, cell_index = at[0]
    return tuple(
        links.span(link)
        for link in links.links
        if isinstance(link.link, Verified)
        and link.link.table == table
        and cell_index in (link.link.cell, link.link.other)
    )


def number_lens(manuscript: Manuscript) -> NumberLens | None:
    """The lens at the first text of the root file."""
    title = lens_text(number_summary(manuscript))
    if not title:
        return None
    entry = next(
        (entry for _, entry in manuscript.body if entry.path == manuscript.root and entry.block.text.strip()), None
    )
    if entry is None:
        return None
    blanks = len(entry.block.text) - len(entry.block.text.lstrip())
    return NumberLens(entry.span(blanks, blanks), title)


def number_hints(manuscript: Manuscript, path: str) -> tuple[NumberHint, ...]:
    """One hint behind each number of a file that a table confirms or refutes."""
    links = number_links(manuscript)
    made = []
    for link in links.links:
        if manuscript.entries[link.entry].path != path or isinstance(link.link, Unknown):
            continue
        cell, _ = links.cell(link.link)
        name = cell_name(links.tables[link.link.table].table, cell)
        span = links.span(link)
        if isinstance(link.link, Verified):
            made.append(NumberHint(span, "✓", f"Found in a table: {name}"))
        else:
            made.append(
                NumberHint(span, f"≠ {link.link.expected.normalize():f}", f"The table has another value: {name}")
            )
    return tuple(made)


def unknown_list(manuscript: Manuscript) -> tuple[UnknownNumber, ...]:
    """The measured numbers that stay unchecked, each with its reason."""
    links = number_links(manuscript)
    found = [
        UnknownNumber(links.span(link), link.quantity.text, link.link.reason.value)
        for link in links.links
        if isinstance(link.link, Unknown)
        and link.quantity.kind not in _NO_NUMBERS
        and link.link.reason is not Reason.NOT_A_VALUE
    ]
    return tuple(found[:_MAX_UNKNOWN])


@dataclass(slots=True)
class ChangeWatch:
    """Remembers each manuscript as it was before a number changed, until what depends on it has been updated.

    Not thread-safe: used by whoever adopts the outcomes of the analysis.
    """

    _base: dict[str, Manuscript] = field(default_factory=dict)
    _pending: dict[str, tuple[NumberChange, ...]] = field(default_factory=dict)

    def observe(self, manuscript: Manuscript) -> tuple[NumberChange, ...]:
        """Takes the newest manuscript of a root; returns what is to be updated, with spans of that manuscript."""
        root = manuscript.root
        base = self._base.get(root)
        changes = number_changes(base, manuscript) if base is not None and base is not manuscript else ()
        if not changes:
            self._base[root] = manuscript
        self._pending[root] = changes
        return changes

    def accept(self, manuscript: Manuscript) -> None:
        """Forget what is pending: the present numbers are the ones that are meant."""
        self._base[manuscript.root] = manuscript
        self._pending[manuscript.root] = ()

    def pending(self, root: str) -> tuple[NumberChange, ...]:
        """What the last observation found."""
        return self._pending.get(root, ())

    def forget(self, root: str) -> None:
        """Drops a root that is no longer open."""
        self._base.pop(root, None)
        self._pending.pop(root, None)
