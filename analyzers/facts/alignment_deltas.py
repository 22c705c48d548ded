"""Differences between two cells in every reading a text may mean: points, relative percent, a factor."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.tables.model import CellNumber, Table

_HUNDRED = Decimal(100)


class Reading(StrEnum):
    """How a difference is meant: in the unit of the cells, relative to the other cell in percent, or as a factor."""

    ABSOLUTE = "absolute"
    RELATIVE = "relative"
    RATIO = "ratio"


class Pair(NamedTuple):
    """Two cells that a sentence compares, as indices into `Table.cells`."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Range:
    """What the rounded cells allow for one reading: the value from the cells as printed, and its interval."""

    reading: Reading
    value: Decimal
    lower: Decimal
    upper: Decimal


def readings(quantity: Quantity, table: Table, pair: Pair) -> list[Range]:
    """All readings of a difference that the quantity's kind and unit allow, the most natural one first."""
    first, second = table.cells[pair.first].quantity, table.cells[pair.second].quantity
    if first is None or second is None:
        return []
    absolute = _absolute(first, second)
    found: list[Range] = []
    if quantity.kind is Kind.RATIO:
        return [*_ratios(first, second)]
    if quantity.kind is Kind.DELTA_ABS:
        found.append(absolute)
        if _fraction(first, second) and quantity.unit is not None:
            found.append(_times(absolute, _HUNDRED))
        return found if quantity.unit is None or quantity.unit.symbol != "%" else [*found, *_relatives(first, second)]
    found += _relatives(first, second)
    found.append(absolute)
    if _fraction(first, second):
        found.append(_times(absolute, _HUNDRED))
    return found


def fitting(quantity: Quantity, table: Table, pair: Pair) -> Reading | None:
    """The reading under which the text's difference can be right, None when there is none."""
    low, high = sorted((abs(quantity.lower), abs(quantity.upper)))
    if quantity.lower <= 0 <= quantity.upper:
        low = Decimal(0)
    for found in readings(quantity, table, pair):
        if found.lower <= high and low <= found.upper:
            return found.reading
    return None


def _fraction(first: CellNumber, second: CellNumber) -> bool:
    return max(abs(first.value), abs(second.value)) <= 1 and not first.percent


def _absolute(first: CellNumber, second: CellNumber) -> Range:
    value = abs(first.value - second.value)
    slack = (first.number.upper - first.number.lower) / 2 + (second.number.upper - second.number.lower) / 2
    return Range(Reading.ABSOLUTE, value, max(Decimal(0), value - slack), value + slack)


def _times(found: Range, factor: Decimal) -> Range:
    return Range(found.reading, found.value * factor, found.lower * factor, found.upper * factor)


def _relatives(first: CellNumber, second: CellNumber) -> list[Range]:
    """The difference in percent of either cell: the text's base is not always the older value."""
    absolute = _absolute(first, second)
    found = []
    for base in (second, first):
        lower, upper = sorted((abs(base.number.lower), abs(base.number.upper)))
        if lower <= 0 or base.value == 0:
            continue
        value = absolute.value / abs(base.value) * _HUNDRED
        found.append(
            Range(Reading.RELATIVE, value, absolute.lower / upper * _HUNDRED, absolute.upper / lower * _HUNDRED)
        )
    return found


def _ratios(first: CellNumber, second: CellNumber) -> list[Range]:
    found = []
    for top, bottom in ((first, second), (second, first)):
        lower, upper = sorted((abs(bottom.number.lower), abs(bottom.number.upper)))
        if lower <= 0:
            continue
        value = abs(top.value) / abs(bottom.value)
        low, high = sorted((abs(top.number.lower), abs(top.number.upper)))
        found.append(Range(Reading.RATIO, value, low / upper, high / lower))
    return sorted(found, key=lambda item: -item.value)
