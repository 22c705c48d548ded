"""Averages and totals of a table: which cells a summary line was computed from, proved by its other cells.

Each summary cell is an *instance* with several possible operand sets (all cells before it, those under the same header,
those of the same group).  The set that other instances confirm is the one an instance is judged by.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from analyzers.checks.tab_lines import MAX_CELLS, interval, overlap, single
from analyzers.facts.tables.model import Cell, Heading, Role, Table

_NOT_OPERANDS = frozenset({Role.ID, Role.HYPER, Role.SPREAD, Role.DELTA})
_SUMMARIES = frozenset({Role.AVG, Role.TOTAL})
_MAX_LINES = 60


@dataclass(frozen=True, slots=True)
class Instance:
    """A summary cell that does not follow from its operands, though `agreeing` others of the same line do."""

    cell: Cell
    operands: tuple[Cell, ...]
    computed: Decimal
    agreeing: int
    line: Heading
    across: bool


def doubtful_summaries(table: Table, role: Role) -> Iterator[Instance]:
    """Summary cells (`avg` or `total`) that other cells of the same summary line prove to be miscomputed."""
    if len(table.cells) > MAX_CELLS:
        return
    for across in (False, True):
        headings = table.rows if across else table.columns
        for heading in headings:
            if (
                heading.role is role
                and not heading.header
                and len(headings) <= (_MAX_LINES * 4 if across else _MAX_LINES)
            ):
                yield from _line(table, heading, headings, across, role)


def _line(
    table: Table, heading: Heading, headings: tuple[Heading, ...], across: bool, role: Role
) -> Iterator[Instance]:
    others = table.columns if across else table.rows
    places = [other.index for other in others if not other.header]
    best: tuple[int, list[Instance]] | None = None
    for operands in _operand_sets(heading, headings, across, role):
        agreeing, doubted, nontrivial = 0, [], 0
        for place in places:
            if across and others[place].role in _NOT_OPERANDS | ({Role.AVG} if role is Role.TOTAL else set()):
                continue
            judged = _judge(table, heading, operands, place, across, role)
            if judged is None:
                continue
            fits, cell, cells, computed = judged
            if fits:
                agreeing += 1
                nontrivial += len({c.quantity.value for c in cells if c.quantity is not None}) > 1
            else:
                doubted.append((cell, cells, computed))
        if nontrivial >= _needed(role) and (best is None or agreeing > best[0]):
            best = (
                agreeing,
                [Instance(cell, cells, computed, agreeing, heading, across) for cell, cells, computed in doubted],
            )
        if agreeing and not doubted:
            return
    if best is not None and best[1] and len(best[1]) * 2 <= best[0] + (1 if role is Role.TOTAL else 0):
        yield from best[1]


def _needed(role: Role) -> int:
    """How many other cells have to agree: a total that fits by chance is rarer than an average that does."""
    return 1 if role is Role.TOTAL else 2


def _operand_sets(
    heading: Heading, headings: tuple[Heading, ...], across: bool, role: Role
) -> Iterator[tuple[int, ...]]:
    usable = [
        other for other in headings
        if other.index != heading.index and not other.header and other.role not in _NOT_OPERANDS and other.role not in _SUMMARIES
        and (role is Role.TOTAL or other.role is not Role.COUNT)
    ]  # fmt: skip
    seen: set[tuple[int, ...]] = set()
    before = [other.index for other in usable if other.index < heading.index]
    after = [other.index for other in usable if other.index > heading.index]
    previous = max(
        (other.index for other in headings if other.index < heading.index and other.role in _SUMMARIES), default=-1
    )
    sets = [
        before,
        [index for index in before if index > previous],
        after,
        [other.index for other in usable if other.path[:1] == heading.path[:1] and len(other.path) > 1],
        [other.index for other in usable if other.path[-1:] == heading.path[-1:] and len(other.path) > 1],
        [other.index for other in usable if other.metric is not None and other.metric == heading.metric],
    ]  # fmt: skip
    if across:
        group = [other.index for other in usable if other.group == heading.group]
        sets += [group, [index for index in before if headings[index].group == heading.group - 1]]
        if role is Role.TOTAL:
            sets.append([o.index for o in headings if o.role is Role.TOTAL and o.index < heading.index])
    elif before:
        # A block of neighbouring columns may be what is summed.
        sets += [before[-size:] for size in range(2, min(len(before), 8))]
    for chosen in sets:
        key = tuple(chosen)
        if len(key) >= 2 and key not in seen:
            seen.add(key)
            yield key


def _judge(
    table: Table, heading: Heading, operands: tuple[int, ...], place: int, across: bool, role: Role
) -> tuple[bool, Cell, tuple[Cell, ...], Decimal] | None:
    """Whether one summary cell follows; None when a number of it is missing or not plain."""
    summary = table.at(heading.index, place) if across else table.at(place, heading.index)
    if summary is None or not _plain(summary, across):
        return None
    cells: list[Cell] = []
    for index in operands:
        cell = table.at(index, place) if across else table.at(place, index)
        if cell is None or not _plain(cell, across):
            return None
        cells.append(cell)
    assert summary.quantity is not None
    percent = summary.quantity.percent
    if any(cell.quantity is None or cell.quantity.percent != percent for cell in cells):
        return None
    low = sum((interval(cell)[0] for cell in cells), Decimal(0))
    high = sum((interval(cell)[1] for cell in cells), Decimal(0))
    exact = sum((cell.quantity.value for cell in cells if cell.quantity is not None), Decimal(0))
    if role is Role.AVG:
        count = Decimal(len(cells))
        low, high, exact = low / count, high / count, exact / count
    elif all(cell.quantity is not None and cell.quantity.decimals <= 0 for cell in (*cells, summary)):
        low = high = exact  # whole numbers are counts, which are not rounded
        return exact == summary.quantity.value, summary, tuple(cells), exact
    # Papers truncate as often as they round, which is no contradiction.
    lower, upper = interval(summary)
    step = (upper - lower) / 2
    return overlap((low, high), (lower, upper + step)), summary, tuple(cells), exact


def _plain(cell: Cell, across: bool) -> bool:
    if (cell.row_span > 1 and across) or (cell.col_span > 1 and not across) or cell.header:
        return False
    return single(cell) is not None
