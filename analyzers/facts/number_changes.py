"""This number changed: the edits that bring every place up to date that depends on a cell or on a numeric macro.

Pure: the manuscript before the change and after it go in, edits of the manuscript after it come out.  Links are those of the
manuscript before, when text and table still agreed.
"""

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
    made: list[NumberChange] = []
    for number, place, cell, changed in _changed_cells(old, new):
        edits = list(_edits(old, new, number, place.table.cells.index(cell), changed))
        if not edits:
            continue
        target = new.tables[number]
        texts = [(edit, after.text(edit.span)) for edit in edits]
        preview = tuple(f"{edit.span.path}: {text} → {edit.text}" for edit, text in texts)
        places = "place" if len(edits) == 1 else "places"
        title = (
            f"Update {len(edits)} linked {places} ({texts[0][1]} → {edits[0].text}{', …' if len(edits) > 1 else ''})"
        )
        made.append(
            NumberChange(
                target.span(after, changed),
                cell_name(target.table, changed),
                cell.text,
                changed.text,
                Fix(title, tuple(edits)),
                preview,
            )
        )
    return tuple(made)


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


def _edits(old: NumberLinks, new: NumberLinks, number: int, index: int, changed: Cell) -> Iterator[Edit]:
    """One edit for each number of the prose that was this cell, or was computed from it."""
    current = {(link.entry, link.sentence.text, link.at): link for link in new.links}
    seen: set[Span] = set()
    for link in old.links:
        verified = link.link
        if (
            not isinstance(verified, Verified)
            or verified.table != number
            or index not in (verified.cell, verified.other)
        ):
            continue
        now = current.get((link.entry, link.sentence.text, link.at))
        if now is None or not now.place.editable:
            continue
        value = _value(new, link, verified, changed)
        span = new.span(now)
        text = new.manuscript.text(span)
        if value is None or span in seen:
            continue
        replaced = like(text, value, _decimals(link.quantity, old, verified, changed))
        if replaced != text:
            seen.add(span)
            yield Edit(span, replaced)


def _value(new: NumberLinks, link: NumberLink, verified: Verified, changed: Cell) -> Decimal | None:
    """What the number has to be now, in its own scale."""
    table = new.tables[verified.table].table
    if verified.other is None:
        value = in_unit_of(link.quantity, table, changed)
        return value if value is None or link.quantity.value >= 0 else -abs(value)
    for reading in readings(link.quantity, table, Pair(verified.cell, verified.other)):
        if reading.reading is verified.reading:
            return reading.value if link.quantity.value >= 0 else -reading.value
    return None


def _decimals(quantity: Quantity, old: NumberLinks, verified: Verified, changed: Cell) -> int | None:
    """Keep the decimals of the text, unless it had all those of its cell and the cell has other ones now."""
    if verified.other is not None or verified.reading is Reading.RATIO or quantity.kind is not Kind.LEVEL:
        return None
    was = old.tables[verified.table].table.cells[verified.cell].quantity
    now = changed.quantity
    if was is None or now is None or was.decimals == now.decimals or quantity.decimals != was.decimals:
        return None
    return max(now.decimals, 0)


def preview_text(change: NumberChange) -> str:
    """The change in words, for a message or a hover."""
    return f"{change.name}: {change.before} → {change.after}\n" + "\n".join(change.preview)
