"""This number changed: the edits that bring every place up to date that depends on a cell or on a numeric macro.

Pure: the manuscript before the change and after it go in, edits of the manuscript after it come out.  Links are those of the
manuscript before, when text and table still agreed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from analyzers.facts.alignment import Reading, Verified
from analyzers.facts.alignment_deltas import Pair, readings
from analyzers.facts.alignment_values import in_unit_of
from analyzers.facts.macros import macros_of
from analyzers.facts.number_links import NumberLink, NumberLinks, TablePlace, cell_name, number_links
from analyzers.facts.quantities import like
from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.tables.model import Cell, Table
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span


@dataclass(frozen=True, slots=True)
class NumberChange:
    """What depends on one changed number.

    `place` is the changed cell (or the definition of the changed macro) in the manuscript after the change; `fix` holds one edit
    per place that follows from it, `preview` one line per edit: "main.tex: 74.3 → 75.1".
    """

    place: Span
    name: str
    before: str
    after: str
    fix: Fix
    preview: tuple[str, ...]


def number_changes(before: Manuscript, after: Manuscript) -> tuple[NumberChange, ...]:
    """What to update after an edit: one change per cell with another number.

    Numbers that are written through a macro move by themselves, whether in the text or in the cell; differences and factors of two
    cells are computed again.  A place whose text was changed as well is left alone.
    """
    old, new = number_links(before), number_links(after)
    current = _current(old, new)
    made: list[NumberChange] = []
    for number, place, cell, changed in _changed_cells(old, new):
        edits = list(_edits(after, old, new, current, number, place.table.cells.index(cell), changed))
        if edits:
            target = new.tables[number]
            name = cell_name(target.table, changed)
            made.append(_change(after, target.span(after.entries, changed), name, cell.text, changed.text, edits))
    covered = {edit.span for change in made for edit in change.fix.edits}
    made += _macro_changes(before, after, old, new, current, covered)
    return tuple(made)


def _change(after: Manuscript, place: Span, name: str, was: str, now: str, edits: list[Edit]) -> NumberChange:
    texts = [after.text(edit.span) for edit in edits]
    preview = tuple(f"{edit.span.path}: {text} → {edit.text}" for edit, text in zip(edits, texts, strict=True))
    places = "place" if len(edits) == 1 else "places"
    title = f"Update {len(edits)} linked {places} ({texts[0]} → {edits[0].text}{', …' if len(edits) > 1 else ''})"
    return NumberChange(place, name, was, now, Fix(title, tuple(edits)), preview)


def macro_definitions(manuscript: Manuscript) -> Mapping[str, Span]:
    """Where the body of each macro stands that is defined in the manuscript's own files; the last definition counts."""
    found: dict[str, Span] = {}
    for entry in manuscript.entries:
        for macro in macros_of(entry.block):
            found[macro.name] = entry.span(macro.body_start, macro.body_end)
    return found


def _changed_cells(old: NumberLinks, new: NumberLinks) -> Iterator[tuple[int, TablePlace, Cell, Cell]]:
    """Cells at the same place of the same table that hold another number now."""
    if len(old.tables) != len(new.tables):
        return
    for number, (was, now) in enumerate(zip(old.tables, new.tables, strict=True)):
        if was.table is now.table or not _same_shape(was.table, now.table):
            continue
        for cell, changed in zip(was.table.cells, now.table.cells, strict=True):
            if cell.quantity is None or changed.quantity is None or cell.header:
                continue
            if cell.quantity.value != changed.quantity.value or cell.quantity.decimals != changed.quantity.decimals:
                yield number, was, cell, changed


def _same_shape(first: Table, second: Table) -> bool:
    return len(first.cells) == len(second.cells) and all(
        (one.row, one.column) == (other.row, other.column) for one, other in zip(first.cells, second.cells, strict=True)
    )


def _current(old: NumberLinks, new: NumberLinks) -> Mapping[int, NumberLink]:
    """For each old link (by its position) the same number in the manuscript after the change.

    Sentences are known by their source, which the change of a macro or of a table elsewhere leaves alone; a source that stands
    in the manuscript several times is matched in order, and only when no copy came or went.
    """
    before, now = _by_source(old), _by_source(new)
    return {
        position: new.links[other]
        for key, positions in before.items()
        if len(positions) == len(now.get(key, ()))
        for position, other in zip(positions, now[key], strict=True)
    }


def _by_source(links: NumberLinks) -> Mapping[tuple[str, int], list[int]]:
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for position, link in enumerate(links.links):
        block = links.entries[link.entry].block
        found[block.text[link.sentence.start : link.sentence.end], link.at].append(position)
    return found


def _edits(
    after: Manuscript,
    old: NumberLinks,
    new: NumberLinks,
    current: Mapping[int, NumberLink],
    number: int,
    index: int,
    changed: Cell,
) -> Iterator[Edit]:
    """One edit for each number of the prose that was this cell, or was computed from it."""
    seen: set[Span] = set()
    for position, link in enumerate(old.links):
        verified = link.link
        if (
            not isinstance(verified, Verified)
            or verified.table != number
            or index not in (verified.cell, verified.other)
        ):
            continue
        now = current.get(position)
        if now is None or not now.place.editable:
            continue
        value = _value(old, new, link, verified, changed)
        span = new.span(now)
        if value is None or span in seen:
            continue
        text = after.text(span)
        replaced = like(text, value, _decimals(link.quantity, old, verified, changed))
        if replaced != text:
            seen.add(span)
            yield Edit(span, replaced)


def _macro_changes(
    before: Manuscript,
    after: Manuscript,
    old: NumberLinks,
    new: NumberLinks,
    current: Mapping[int, NumberLink],
    covered: set[Span],
) -> Iterator[NumberChange]:
    """Typed copies of a numeric macro's former value: numbers of at least three digits with a decimal point."""
    former = before.macros.table
    for name, macro in after.macros.table.items():
        was, now = former[name].value if name in former else None, macro.value
        if (
            was is None
            or now is None
            or was == now
            or len(was.normalize().as_tuple().digits) < 3
            or "." not in str(was)
        ):
            continue
        edits: list[Edit] = []
        for position, link in enumerate(old.links):
            present = current.get(position)
            if link.quantity.value != was or present is None or not present.place.editable:
                continue
            span = new.span(present)
            replaced = like(after.text(span), now)
            if span not in covered and replaced != after.text(span):
                edits.append(Edit(span, replaced))
        if edits:
            place = macro_definitions(after).get(name, edits[0].span)
            yield _change(after, place, f"\\{name}", str(was), str(now), edits)


def _value(old: NumberLinks, new: NumberLinks, link: NumberLink, verified: Verified, changed: Cell) -> Decimal | None:
    """What the number has to be now, in its own scale."""
    table = new.tables[verified.table].table
    if verified.other is None:
        value = in_unit_of(link.quantity, table, changed)
        return value if value is None or link.quantity.value >= 0 else -abs(value)
    pair = Pair(verified.cell, verified.other)
    before = readings(link.quantity, old.tables[verified.table].table, pair)
    now = readings(link.quantity, table, pair)
    if len(before) != len(now):
        return None
    for was, reading in zip(before, now, strict=True):
        # A relative difference has two bases; the one that the text used stays in use.
        if was.reading is verified.reading and _fits(link.quantity, was.lower, was.upper):
            return reading.value if link.quantity.value >= 0 else -reading.value
    return None


def _fits(quantity: Quantity, lower: Decimal, upper: Decimal) -> bool:
    low, high = sorted((abs(quantity.lower), abs(quantity.upper)))
    return low <= upper and lower <= high


def _decimals(quantity: Quantity, old: NumberLinks, verified: Verified, changed: Cell) -> int | None:
    """Keep the decimals of the text, unless it had all those of its cell and the cell has other ones now."""
    if verified.other is not None or verified.reading is Reading.RATIO or quantity.kind is not Kind.LEVEL:
        return None
    was = old.tables[verified.table].table.cells[verified.cell].quantity
    now = changed.quantity
    if was is None or now is None or was.decimals == now.decimals or quantity.decimals != was.decimals:
        return None
    return max(now.decimals, 0)
