"""Difference columns of a table: from which two cells each difference was computed, proved by the other rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from analyzers.checks.tab_lines import columns, interval, overlap, single
from analyzers.facts.tables.model import Cell, CellNumber, Orientation, Role, Table

_MAX_COLUMNS = 14
_MAX_ROWS = 200
_USABLE = frozenset({Role.METRIC, Role.AVG, Role.UNKNOWN, Role.TOTAL, Role.COUNT})
Interval = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference that does not follow from its two cells, though `agreeing` others of its column do."""

    cell: Cell
    number: CellNumber
    first: Cell
    second: Cell
    computed: Decimal
    reading: str
    agreeing: int


def doubtful_differences(table: Table) -> Iterator[Difference]:
    """Differences that the other rows of their column prove to be miscomputed."""
    if len(table.columns) > _MAX_COLUMNS or len(table.rows) > _MAX_ROWS:
        return
    # Where every row is another metric, differences go across and never between rows.
    across_only = table.orientation is Orientation.COLUMNS
    lines = {line.heading.index: {cell.row: cell for cell in line.cells if single(cell)} for line in columns(table)}
    usable = [heading.index for heading in table.columns if heading.role in _USABLE and len(lines[heading.index]) >= 3]
    for heading in table.columns:
        if heading.role is Role.DELTA:
            written = [(cell, number) for cell in lines[heading.index].values() if (number := single(cell)) is not None]
            yield from _column(table, written, lines, [i for i in usable if i != heading.index], across_only)
    if across_only:
        return
    for index in (heading.index for heading in table.columns if heading.role in _USABLE):
        # Differences in the cells themselves: 74.3 (+2.1), against one row of the same column.
        inline = [(cell, cell.numbers[1]) for cell in table.cells if cell.column == index and _signed_pair(cell, table)]
        if len(inline) >= 3:
            column = {
                cell.row: cell
                for cell in table.cells
                if cell.column == index and cell.quantity is not None and not cell.header
            }
            yield from _judge(inline, _against_rows(table, column, column))


def _signed_pair(cell: Cell, table: Table) -> bool:
    if len(cell.numbers) != 2 or cell.header or cell.quantity is None:
        return False
    second = cell.numbers[1]
    text = cell.text
    return (
        ("(+" in text or "(-" in text or "(−" in text or "↑" in text or "↓" in text)
        and second.spread is None
        and table.problem is None
    )


def _column(
    table: Table,
    written: list[tuple[Cell, CellNumber]],
    lines: dict[int, dict[int, Cell]],
    usable: list[int],
    across_only: bool,
) -> Iterator[Difference]:
    if len(written) < 3:
        return
    pairings: list[dict[int, tuple[Cell, Cell]]] = []
    for first, second in permutations(usable, 2):
        pairings.append({row: (cell, lines[second][row]) for row, cell in lines[first].items() if row in lines[second]})
    for index in () if across_only else usable:
        pairings += _against_rows(table, lines[index], lines[index])
    yield from _judge(written, pairings)


def _against_rows(table: Table, column: dict[int, Cell], bases: dict[int, Cell]) -> list[dict[int, tuple[Cell, Cell]]]:
    """Every row against one base row of the column: the first, the last, or the first of each group."""
    rows = sorted(bases)
    if len(rows) < 3:
        return []
    made = [
        {row: (bases[base], cell) for row, cell in column.items() if row != base}
        for base in {rows[0], rows[1], rows[-1]}
    ]
    firsts: dict[int, Cell] = {}
    for row in rows:
        firsts.setdefault(table.rows[row].group, bases[row])
    if len(firsts) > 1:
        made.append(
            {
                row: (firsts[table.rows[row].group], cell)
                for row, cell in column.items()
                if firsts[table.rows[row].group] is not cell
            }
        )
    return made


def _judge(
    written: Sequence[tuple[Cell, CellNumber]], pairings: Sequence[dict[int, tuple[Cell, Cell]]]
) -> Iterator[Difference]:
    """The differences that the best pairing and reading refute, when at least two others follow it and most do."""
    best: tuple[int, list[Difference]] | None = None
    for pairing in pairings:
        for name, reading in _READINGS:
            agreeing = distinct = 0
            values: set[Decimal] = set()
            wrong: list[Difference] = []
            for cell, number in written:
                pair = pairing.get(cell.row)
                if pair is None:
                    continue
                bounds = reading(interval(pair[0]), interval(pair[1]))
                if bounds is None:
                    continue
                if _fits(number, bounds):
                    agreeing += 1
                    values.add(number.value)
                else:
                    wrong.append(
                        Difference(
                            cell, number, pair[0], pair[1], _signed(number, (bounds[0] + bounds[1]) / 2), name, 0
                        )
                    )
            distinct = len(values - {Decimal(0)})
            if not wrong and agreeing and distinct:
                return
            if agreeing >= 2 and distinct >= 2 and len(wrong) * 2 <= agreeing and (best is None or agreeing > best[0]):
                best = (agreeing, wrong)
    if best is not None:
        for item in best[1]:
            yield Difference(item.cell, item.number, item.first, item.second, item.computed, item.reading, best[0])


def _signed(number: CellNumber, value: Decimal) -> Decimal:
    return abs(value) if number.value >= 0 > value else value


def _fits(number: CellNumber, bounds: Interval) -> bool:
    # Unsigned differences are common; what matters is the amount.
    own = (number.number.lower, number.number.upper)
    step = (own[1] - own[0]) / 2
    own = (own[0] - step, own[1] + step)
    return overlap(own, bounds) or overlap(own, (-bounds[1], -bounds[0]))


def _difference(first: Interval, second: Interval) -> Interval | None:
    return second[0] - first[1], second[1] - first[0]


def _relative(first: Interval, second: Interval) -> Interval | None:
    if first[0] <= 0:
        return None
    low, high = second[0] / first[1] - 1, second[1] / first[0] - 1
    return low * 100, high * 100


def _factor(first: Interval, second: Interval) -> Interval | None:
    if first[0] <= 0 or second[0] <= 0:
        return None
    return second[0] / first[1], second[1] / first[0]


_READINGS: tuple[tuple[str, Callable[[Interval, Interval], Interval | None]], ...] = (
    ("difference", _difference),
    ("relative difference in percent", _relative),
    ("factor", _factor),
)
