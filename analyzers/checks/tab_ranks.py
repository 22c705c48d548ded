"""Conventions of emphasis in results tables: "best in bold", "second best underlined", proved by the table itself.

A *scope* is what one mark is chosen from: a whole line, or the cells of a line within one group of rows.  A mark is doubted
only where enough other scopes of the same table follow the convention.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from analyzers.checks.tab_lines import RESULTS, Line, compared, group_of, row_name, same_scale, single
from analyzers.facts.tables.model import Cell, Direction, Role, Table

_MIN_CELLS = 3
_ARROWS = re.compile(r"[↑↓▲▼△▽⇑⇓]")
# Rows that are shown for orientation and never take part in the comparison.
OUTSIDE = re.compile(
    r"\b(?:oracle|upper[- ]?bound|lower[- ]?bound|human|gold|ground[- ]?truth|ideal|teacher|skyline|topline|ceiling|reference|random|chance|majority"
    r"|equal|ties?|draws?|neither|neutral|full[- ]data|fully[- ]supervised|supervised|target|optimal|theoretical|published|reported|original paper)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Cells that one mark was chosen from, with those that carry it."""

    line: Line
    direction: Direction
    cells: tuple[Cell, ...]
    marked: tuple[Cell, ...]
    good: bool
    best: tuple[Cell, ...]  # the cells that should carry the mark


def means_rank(caption: str, mark: str) -> bool | None:
    """What a caption says of a mark ("bold", "underlin"): True that it is a rank, False that it is something else, None nothing."""
    lowered = caption.lower()
    if mark not in lowered:
        return None
    if _OTHER_MEANING.search(lowered):
        return False
    return True if _RANK.search(lowered) else None


_RANK = re.compile(
    r"\b(?:best|highest|lowest|top|winner|winning|fastest|quickest|slowest|shortest|longest|cheapest|second|runner|2nd|largest|smallest)\b"
)
_OTHER_MEANING = re.compile(
    r"\b(?:margin|exceeds?|significan\w*|p\s?<|worst|our (?:method|model)s?|proposed|selected|chosen|default|statistical\w*)\b"
)


_LOWEST = re.compile(r"\b(?:lowest|smallest|fewest|fastest|quickest|shortest|cheapest)\b")
_HIGHEST = re.compile(r"\b(?:highest|largest|most|longest)\b")


def told_direction(caption: str, mark: str) -> Direction:
    """Which end a caption says that a mark stands at: "the fastest method of each task is bold"; a rate may turn it round."""
    for sentence in re.split(r"[.;](?:\s|$)", caption.lower()):
        if mark in sentence and not _OTHER_MEANING.search(sentence):
            low, high = _LOWEST.search(sentence) is not None, _HIGHEST.search(sentence) is not None
            if low != high:
                return Direction.LOWER if low else Direction.HIGHER
    return Direction.UNKNOWN


def emphasised(cell: Cell) -> bool:
    """True for a cell whose number is bold."""
    return cell.bold or (cell.quantity is not None and cell.quantity.bold)


def underlined(cell: Cell) -> bool:
    """True for a cell whose number is underlined."""
    return cell.underline or (cell.quantity is not None and cell.quantity.underline)


def doubtful(
    table: Table, mark: Callable[[Cell], bool], rank: int, said: bool, told: Direction = Direction.UNKNOWN
) -> Iterator[tuple[Scope, int]]:
    """The scopes whose mark is not at the cell of that rank (1 best, 2 second), each with the number of scopes that follow the rule.

    `said` tells that the caption or the text names the convention; otherwise marks in at least two compared things are needed.
    `told` is the end that the caption names; two other lines that show it are then enough, where it takes three without.
    """
    if not any(mark(cell) for cell in table.cells):
        return  # most tables underline nothing
    for lines in compared(table):
        directed = [
            (line, direction)
            for line, direction in _directed(table, lines, mark, rank, told)
            if len(line.cells) >= _MIN_CELLS
        ]
        by_table = [
            scope for line, direction in directed for scope in _scopes(table, line, direction, mark, rank, False)
        ]
        by_group = [
            scope for line, direction in directed for scope in _scopes(table, line, direction, mark, rank, True)
        ]
        scopes = by_group if _grouped(by_group) else by_table
        good = [scope for scope in scopes if scope.good]
        bad = [scope for scope in scopes if not scope.good and not _excused(table, scope, good)]
        if not bad or len(good) < 2 or len(bad) * (1 if said else 2) >= len(good) + (0 if said else 1):
            continue
        things = {cell.column if lines[0].across else cell.row for scope in good for cell in scope.marked}
        if not said and (len(things) < 2 or len(good) < 3):
            continue
        for scope in bad:
            yield scope, len(good)


def _directed(
    table: Table, lines: tuple[Line, ...], mark: Callable[[Cell], bool], rank: int, told: Direction
) -> Iterator[tuple[Line, Direction]]:
    """The result lines with their directions; where headers say nothing, what at least three other lines show by their marks."""
    usable = [line for line in (_usable(table, line) for line in lines) if line is not None]
    silent = [line for line in usable if line.heading.direction is Direction.UNKNOWN]
    shown: dict[int, Direction] = {}
    for line in silent:
        for direction in (Direction.HIGHER, Direction.LOWER):
            scopes = list(_scopes(table, line, direction, mark, rank, False)) + list(
                _scopes(table, line, direction, mark, rank, True)
            )
            if scopes and all(scope.good for scope in scopes):
                shown[line.heading.index] = Direction.UNKNOWN if line.heading.index in shown else direction
    for line in usable:
        if line.heading.direction is not Direction.UNKNOWN:
            yield line, line.heading.direction
            continue
        votes = Counter(direction for index, direction in shown.items() if index != line.heading.index)
        votes.pop(Direction.UNKNOWN, None)
        if len(votes) == 1:
            direction, count = votes.most_common(1)[0]
            if count >= (2 if direction is told else 3):
                yield line, direction


def _usable(table: Table, line: Line) -> Line | None:
    """The line with the cells that take part, None when it does not hold results."""
    if line.heading.role not in RESULTS or line.heading.header:
        return None
    cells = tuple(
        cell for cell in line.cells if single(cell) is not None and not _is_outside(row_name(table, cell, line.across))
    )
    if len(cells) < _MIN_CELLS or not same_scale(cells):
        return None
    return Line(line.heading, line.across, cells)


@lru_cache(maxsize=2048)
def _is_outside(name: str) -> bool:
    """Whether a row with this name is outside of the comparison; each column asks for the same rows."""
    return OUTSIDE.search(name) is not None


def _scopes(
    table: Table, line: Line, direction: Direction, mark: Callable[[Cell], bool], rank: int, grouped: bool
) -> Iterator[Scope]:
    parts: dict[int, list[Cell]] = defaultdict(list)
    for cell in line.cells:
        parts[group_of(table, cell, line.across) if grouped else 0].append(cell)
    for cells in parts.values():
        marked = tuple(cell for cell in cells if mark(cell))
        if len(cells) < _MIN_CELLS or not marked or len(marked) * 2 > len(cells) + 1:
            continue
        best = _ranked(cells, direction, rank)
        if best:
            yield Scope(line, direction, tuple(cells), marked, any(cell in best for cell in marked), best)


def _ranked(cells: list[Cell], direction: Direction, rank: int) -> tuple[Cell, ...]:
    """The cells of a rank, with all that rounding may have put there."""
    ordered = sorted(cells, key=_value, reverse=direction is Direction.HIGHER)
    first = [cell for cell in ordered if _tied(cell, ordered[0])]
    if rank == 1:
        return tuple(first)
    rest = [cell for cell in ordered if cell not in first]
    # Two best ones may share the second rank, or the third value may be called second.
    second = [cell for cell in rest if _tied(cell, rest[0])] if rest else []
    return tuple(second + first) if len(first) > 1 else tuple(second)


def _value(cell: Cell) -> Decimal:
    assert cell.quantity is not None
    return cell.quantity.value


def _tied(first: Cell, second: Cell) -> bool:
    assert first.quantity is not None and second.quantity is not None
    one, other = first.quantity.number, second.quantity.number
    if one.decimals == other.decimals:
        return one.value == other.value
    return one.allows(other.value) or other.allows(one.value)


def _grouped(by_group: list[Scope]) -> bool:
    """True when marks are chosen within groups of rows: some line has marks in two of its groups."""
    per_line = Counter(scope.line.heading.index for scope in by_group)
    return any(count > 1 for count in per_line.values())


def _section(table: Table, cell: Cell, across: bool) -> tuple[int, str]:
    """The part of the table that a row stands in: its group between rules, and the title above it."""
    return group_of(table, cell, across), cell.row_path[0] if len(cell.row_path) > 1 and not across else ""


def _best_of_section(table: Table, scope: Scope) -> bool:
    """True when a mark is right for the rows of its own part ("for open models, the best results are in bold")."""
    for cell in scope.marked:
        own = _section(table, cell, scope.line.across)
        part = [other for other in scope.cells if _section(table, other, scope.line.across) == own]
        if _MIN_CELLS <= len(part) < len(scope.cells) and cell in _ranked(part, scope.direction, 1):
            return True
    return False


def _excused(table: Table, scope: Scope, good: list[Scope]) -> bool:
    """True when the direction may be misread, the mark stands at the other end, or the better cell does not take part."""
    said = any(_ARROWS.search(part) for part in scope.line.heading.path)
    twin = any(
        other.line.heading.metric == scope.line.heading.metric and other.direction is scope.direction for other in good
    )
    opposite = Direction.LOWER if scope.direction is Direction.HIGHER else Direction.HIGHER
    if not (said or (twin and scope.line.heading.metric)) and any(
        cell in _ranked(list(scope.cells), opposite, 1) for cell in scope.marked
    ):
        return True
    if _best_of_section(table, scope):
        return True
    if scope.line.heading.role is Role.UNKNOWN and len(good) < 3:
        return True
    return any(cell.italic or (cell.quantity is not None and cell.quantity.italic) for cell in scope.best)
