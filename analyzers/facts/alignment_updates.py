"""What a linked number has to become when its cell changes."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from analyzers.facts.alignment_deltas import Pair, readings
from analyzers.facts.alignment_model import Verified
from analyzers.facts.alignment_values import in_unit_of
from analyzers.facts.quantities.formatting import like, rounded
from analyzers.facts.quantities.model import Number, Quantity
from analyzers.facts.tables.model import Cell, Table


def updated_number(
    quantity: Quantity, written: str, link: Verified, table: Table, changed: Mapping[int, Decimal]
) -> str | None:
    """The literal that replaces `written` after some cells of `table` got new values, None when it still fits.

    `written` is the number as it stands in the source (or `quantity.text`); `changed` maps indices of `Table.cells` to
    their new values.  The decimals, separators and the sign of `written` are kept; differences are computed anew in the
    reading of the link.
    """
    cells = tuple(_with_value(cell, changed[at]) if at in changed else cell for at, cell in enumerate(table.cells))
    after = replace(table, cells=cells)
    value = _expected(quantity, link, table, after)
    if value is None:
        return None
    shown = rounded(abs(value), quantity.decimals)
    if shown == abs(quantity.value):
        return None
    if quantity.text[:1] not in "+-−–":
        return like(written, shown)
    return like(written, shown if quantity.value >= 0 else -shown)


def _expected(quantity: Quantity, link: Verified, before: Table, after: Table) -> Decimal | None:
    if link.other is None:
        return in_unit_of(quantity, after, after.cells[link.cell])
    pair = Pair(link.cell, link.other)
    old = readings(quantity, before, pair)
    new = readings(quantity, after, pair)
    if len(old) != len(new):
        return None
    low, high = sorted((abs(quantity.lower), abs(quantity.upper)))
    for then, now in zip(old, new, strict=True):
        if then.reading is link.reading and then.lower <= high and low <= then.upper:
            return now.value
    return None


def _with_value(cell: Cell, value: Decimal) -> Cell:
    if cell.quantity is None:
        return cell
    number = cell.quantity.number
    half = (number.upper - number.lower) / 2
    moved = Number(number.start, number.end, value, number.decimals, value - half, value + half)
    return replace(cell, quantity=replace(cell.quantity, number=moved))
