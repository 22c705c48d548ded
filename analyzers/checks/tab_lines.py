"""What table checks share: columns (or rows) of comparable numbers, with the cells that hold them.

A *line* is a column when the compared things stand in the rows, a row when they stand in the columns; its cells are comparable.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from analyzers.checks.check import BlockView
from analyzers.facts.quantities.model import Number
from analyzers.facts.table_facts import tables_of
from analyzers.facts.tables.model import Cell, CellNumber, Heading, Orientation, Role, Table

MAX_CELLS = 6_000
"""Larger tables are data listings; no convention of a results table can be read off them."""

RESULTS = frozenset({Role.METRIC, Role.AVG, Role.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Line:
    """One column or row of a table; `across` tells which.  `cells` are its numeric body cells in order."""

    heading: Heading
    across: bool
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """The header texts that name the line."""
        return " / ".join(part for part in self.heading.path if part) or "this column"


def readable_tables(view: BlockView) -> Sequence[Table]:
    """The tables of a block that can be trusted and are not data listings."""
    found = tables_of(view.block, view.macros, view.words)
    if not found or view.preamble:
        return ()
    return [table for table in found if table.problem is None and table.cells and len(table.cells) <= MAX_CELLS]


def columns(table: Table) -> tuple[Line, ...]:
    """The columns of a table."""
    return _lines(table, False)


def rows(table: Table) -> tuple[Line, ...]:
    """The rows of a table."""
    return _lines(table, True)


def _lines(table: Table, across: bool) -> tuple[Line, ...]:
    headings = table.rows if across else table.columns
    cells: list[list[Cell]] = [[] for _ in headings]
    for cell in table.cells:
        place = cell.row if across else cell.column
        if cell.quantity is None or cell.header or cell.row_span > 1 or cell.col_span > 1 or place >= len(headings):
            continue
        cells[place].append(cell)
    return tuple(Line(heading, across, tuple(found)) for heading, found in zip(headings, cells, strict=True))


def compared(table: Table) -> tuple[tuple[Line, ...], ...]:
    """The lines whose cells compare the same thing: columns, rows, or both when the table does not say which."""
    if table.orientation is Orientation.ROWS:
        return (columns(table),)
    if table.orientation is Orientation.COLUMNS:
        return (rows(table),)
    return (columns(table), rows(table))


def group_of(table: Table, cell: Cell, across: bool) -> int:
    """The group of rows that a cell stands in; cells of one row are never grouped."""
    return 0 if across else table.rows[cell.row].group


def single(cell: Cell) -> CellNumber | None:
    """The number of a cell that holds exactly one, without bounds or end points; its spread does not count."""
    number = cell.quantity
    if number is None or number.bound is not None or number.endpoints is not None or len(cell.numbers) != 1:
        return None
    return number


def interval(cell: Cell) -> tuple[Decimal, Decimal]:
    """What the number of a cell may have been before it was rounded."""
    number = cell.quantity
    assert number is not None
    return number.number.lower, number.number.upper


def overlap(first: tuple[Decimal, Decimal], second: tuple[Decimal, Decimal]) -> bool:
    """True when two intervals share a value."""
    return first[0] <= second[1] and second[0] <= first[1]


def same_scale(cells: Sequence[Cell]) -> bool:
    """True when no cell is in percent or in a unit of its own while another is not."""
    marks = {(cell.quantity.percent, cell.quantity.unit) for cell in cells if cell.quantity is not None}
    return len(marks) <= 1


def row_name(table: Table, cell: Cell, across: bool) -> str:
    """The words that name the compared thing a cell belongs to."""
    path = cell.column_path if across else cell.row_path
    return next((part for part in reversed(path) if part.strip()), "")


_WRAPPED = (
    re.compile(r"(?s)(\\[A-Za-z]+\s*\{)([^{}\\]*)(\})"),
    re.compile(r"(?s)(\$\s*\\(?:mathbf|boldsymbol|bm|underline)\s*\{)([^{}\\]*)(\}\s*\$)"),
    re.compile(r"(?s)(\{?\\(?:bfseries|bf)\s+)([^{}\\]*)(\}?)"),
)


def wrapping(source: str) -> tuple[str, str, str] | None:
    """What stands around the plain content of a cell that is nothing but emphasised content; None for anything else."""
    for pattern in _WRAPPED:
        match = pattern.fullmatch(source.strip())
        if match is not None and match[2].strip():
            return match[1], match[2], match[3]
    return None


def literal(view: BlockView, number: Number) -> str:
    """The digits of a number as they stand in the source."""
    return view.text[number.start : number.end]
