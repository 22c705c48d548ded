"""Compare a number of prose with a cell: rounding, percent against fraction, units of one dimension."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import lru_cache

from analyzers.facts.quantities.model import Quantity, Unit
from analyzers.facts.quantities.units import convert, unit_named
from analyzers.facts.tables.model import Cell, CellNumber, Table

_MOST_DECIMALS = 6
_HUNDRED = Decimal(100)
_LARGE = Decimal(10**15)


@dataclass(slots=True)
class ValueIndex:
    """The numeric cells of a table by their value at every rounding."""

    rounded: dict[tuple[int, Decimal], list[int]] = field(default_factory=dict)
    scaled: dict[tuple[int, Decimal], list[int]] = field(default_factory=dict)

    def find(self, quantity: Quantity) -> list[int]:
        """Cells that this number may be: equal after rounding, as a percentage of a fraction, or in another unit."""
        value, decimals = abs(quantity.value), quantity.decimals
        found = list(self.rounded.get((decimals, value), ()))
        for coarser in range(max(0, decimals - 2), decimals):
            found += self.rounded.get((-1 - coarser, _round(value, coarser, ROUND_HALF_UP)), ())
        if quantity.percent or quantity.unit is None:
            found += self.scaled.get((decimals, value), ())
        if quantity.unit is not None and quantity.unit.dimension == "time":
            for factor in (3, -3):
                found += self.rounded.get((decimals - factor, value.scaleb(factor)), ())
        return list(dict.fromkeys(found))


def value_index(table: Table) -> ValueIndex:
    """Index the body cells of a table; a cell stands under each number of decimals it may be rounded to."""
    index = ValueIndex()
    for number, cell in enumerate(table.cells):
        if cell.quantity is None or cell.header or cell.column < table.label_columns or cell.quantity.decimals > 12:
            continue
        value, decimals = abs(cell.quantity.value), cell.quantity.decimals
        _insert(index.rounded, value, decimals, number)
        # Prose may give more digits than the table; that is found under the cell's own decimals, kept apart.
        index.rounded.setdefault((-1 - max(decimals, 0), value), []).append(number)
        if value <= 1 and decimals >= 2:
            _insert(index.scaled, value * _HUNDRED, decimals - 2, number)
        elif value <= _HUNDRED and decimals >= 0:
            _insert(index.scaled, value / _HUNDRED, decimals + 2, number)
    return index


def _insert(target: dict[tuple[int, Decimal], list[int]], value: Decimal, decimals: int, number: int) -> None:
    for places in range(max(min(decimals, 0), decimals - 3), min(decimals, _MOST_DECIMALS) + 1):
        up = _round(value, places, ROUND_HALF_UP)
        even = up if up == value else _round(value, places, ROUND_HALF_EVEN)
        for rounded in (up,) if up == even else (up, even):
            bucket = target.setdefault((places, rounded), [])
            if not bucket or bucket[-1] != number:
                bucket.append(number)


@lru_cache(maxsize=64)
def _step(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


def _round(value: Decimal, places: int, mode: str) -> Decimal:
    return value.quantize(_step(places), rounding=mode) if -_LARGE < value < _LARGE else value


def unit_of(table: Table, cell: Cell) -> Unit | None:
    """The unit of a cell: its own, its column's or its row's."""
    if cell.quantity is not None and cell.quantity.unit is not None:
        return cell.quantity.unit
    return table.columns[cell.column].unit or table.rows[cell.row].unit


def comparable(quantity: Quantity, table: Table, cell: Cell) -> bool | None:
    """None when number and cell cannot be the same; True when units (or decimals) speak for it, False when neutral."""
    if cell.quantity is None:
        return None
    unit, own = unit_of(table, cell), _top(quantity.unit)
    shown = _equal(quantity, cell.quantity)
    if own is None or unit is None or own.symbol == unit.symbol:
        if not shown and not _scaled(quantity, cell.quantity):
            return None
        if shown and own is not None and unit is not None:
            return True
        return shown and quantity.decimals == cell.quantity.decimals > 0
    converted = convert(cell.quantity.value, unit, own)
    if converted is not None:
        return True if quantity.allows(converted) else None
    if "%" in (own.symbol, unit.symbol) and {own.dimension, unit.dimension} <= {"share", "points"}:
        return False if shown else None
    return None


def unit_conflict(quantity: Quantity, table: Table, cell: Cell) -> bool:
    """True for the same digits in another unit of the same dimension: 12.4 s in the text, 12.4 under "ms"."""
    unit, own = unit_of(table, cell), _top(quantity.unit)
    if cell.quantity is None or unit is None or own is None or own.symbol == unit.symbol:
        return False
    same = own.dimension == unit.dimension and own.factor != unit.factor
    return same and cell.quantity.value == quantity.value and cell.quantity.decimals == quantity.decimals


def _top(unit: Unit | None) -> Unit | None:
    """12.4 ms per query is a time: what is counted below the line does not change the unit."""
    if unit is None or "/count:" not in unit.dimension:
        return unit
    return unit_named(unit.symbol.partition("/")[0]) or unit


def _equal(quantity: Quantity, cell: CellNumber) -> bool:
    """Equal within the rounding of the coarser of both, signs aside."""
    value, other = abs(quantity.value), abs(cell.value)
    if quantity.value < 0 < cell.value:
        return False
    if quantity.decimals == cell.decimals:
        return value == other or (quantity.approximate and abs(value - other) <= (quantity.upper - quantity.lower) / 2)
    if quantity.decimals < cell.decimals:
        # One digit fits too many cells when it is rounded: 0.1 for 0.08, 0 for 0.0005.
        half = (quantity.upper - quantity.lower) / 2
        return _digits(value) >= 2 and abs(value - other) <= half
    half = (cell.number.upper - cell.number.lower) / 2
    return cell.decimals > 0 and quantity.decimals - cell.decimals == 1 and abs(value - other) <= half


def _digits(value: Decimal) -> int:
    """Significant digits, trailing zeros included as written."""
    return len(value.as_tuple().digits) if value else 0


def _scaled(quantity: Quantity, cell: CellNumber) -> bool:
    """0.743 in the table and 74.3% in the text, or the other way round."""
    value, other = abs(quantity.value), abs(cell.value)
    if _digits(value) < 2:
        return False
    if quantity.percent and not cell.percent and other <= 1:
        return value == other * _HUNDRED
    return quantity.unit is None and value <= 1 < other <= _HUNDRED and value == other / _HUNDRED


def in_unit_of(quantity: Quantity, table: Table, cell: Cell) -> Decimal | None:
    """The cell's value in the scale of a number, None when the two have nothing in common."""
    if cell.quantity is None:
        return None
    unit = unit_of(table, cell)
    value = cell.quantity.value
    if quantity.unit is None or unit is None:
        if quantity.percent and abs(value) <= 1 and cell.quantity.decimals >= 2 and abs(quantity.value) > 1:
            return value * _HUNDRED
        if quantity.unit is None and unit is not None and unit.symbol == "%" and abs(quantity.value) <= 1 < abs(value):
            return value / _HUNDRED
        return value
    own = _top(quantity.unit) or quantity.unit
    return value if own.symbol == unit.symbol else convert(value, unit, own)
