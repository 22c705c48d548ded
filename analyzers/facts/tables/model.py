"""A table as a header-aware grid.  Plain data; every offset is a code point into the source that was read."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from analyzers.facts.quantities.model import Bound, Number, Unit


class Role(StrEnum):
    """What a row or column holds.  Only `metric`, `avg` and `delta` are results; `unknown` means that nothing in the
    header says so.
    """

    ID = "id"
    HYPER = "hyper"
    METRIC = "metric"
    AVG = "avg"
    TOTAL = "total"
    COUNT = "count"
    DELTA = "delta"
    SPREAD = "spread"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """Whether a higher or a lower value is better."""

    HIGHER = "higher"
    LOWER = "lower"
    UNKNOWN = "unknown"


class Orientation(StrEnum):
    """Where the compared things (methods, data sets, variants) stand: one per row, or one per column with the metrics
    in the rows.
    """

    ROWS = "rows"
    COLUMNS = "columns"
    UNKNOWN = "unknown"


class CellNumber(NamedTuple):
    """One number of a cell.

    `number.start` and `number.end` are the digits in the source, or the macro call when they come `through_macro` (its
    name, without the backslash; then nothing in the cell can be edited, the macro's definition can).  `spread` is what
    follows ± or stands in parentheses behind the number as a spread; `n` is a sample size given in the cell.  `unit`
    is written in the cell itself (see `Heading.unit` for the header's).
    """

    number: Number
    unit: Unit | None = None
    percent: bool = False
    bound: Bound | None = None
    spread: Number | None = None
    endpoints: tuple[Number, Number] | None = None
    n: int | None = None
    bold: bool = False
    underline: bool = False
    italic: bool = False
    through_macro: str | None = None

    @property
    def value(self) -> Decimal:
        return self.number.value

    @property
    def decimals(self) -> int:
        return self.number.decimals


class Cell(NamedTuple):
    """One cell; `start` and `end` are its content in the source without the blanks around it, `text` is that content
    as prose.

    `row` and `column` are its first ones from 0; the empty cells that LaTeX writes under a `\\multirow` belong to the
    cell above and are not listed. `quantity` is the number the cell is about, None when it is not a numeric cell (a
    name, a sentence, a dash); `numbers` are all of its numbers in order, as in "640 (53.3)" or "12.1 / 13.4".
    `row_path` are the texts that name the row (row group, then the label columns), `column_path` the header texts
    above it, outermost first. `through_macro` names the outermost user macro whose expansion gave the text, if there
    is one.
    """

    text: str
    start: int
    end: int
    row: int
    column: int
    row_span: int = 1
    col_span: int = 1
    bold: bool = False
    underline: bool = False
    italic: bool = False
    quantity: CellNumber | None = None
    numbers: tuple[CellNumber, ...] = ()
    row_path: tuple[str, ...] = ()
    column_path: tuple[str, ...] = ()
    through_macro: str | None = None
    header: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """What is known about one row or one column: its path of header texts and what follows from them.

    `group` counts the groups that rules cut in the body (-1 for header rows); columns have group 0.
    """

    index: int
    path: tuple[str, ...] = ()
    role: Role = Role.UNKNOWN
    direction: Direction = Direction.UNKNOWN
    unit: Unit | None = None
    group: int = 0
    header: bool = False
    metric: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One tabular-like environment.

    `start` and `end` enclose it from its `\\begin` to behind its `\\end`.  `rows` and `columns` hold one heading for
    each line of the grid; `cells` are in reading order, and `grid` holds for each place the index of the cell that
    covers it (-1 for none).  `groups` are half-open row ranges of the body cut by rules.  `header_rows` rows at the
    top and `label_columns` columns at the left name the rest.  `caption` and `label` are source ranges of their
    arguments; `labels` are all keys that refer to the table, its own first, then those of the floats around it;
    `outer_caption` is the caption that several subtables share. `problem` says why the table cannot be trusted; then
    it verifies and refutes nothing, and `cells` is empty; `inputs` are the files that it takes its rows from, as
    written.
    """

    start: int
    end: int
    environment: str
    rows: tuple[Heading, ...] = ()
    columns: tuple[Heading, ...] = ()
    cells: tuple[Cell, ...] = ()
    groups: tuple[tuple[int, int], ...] = ()
    header_rows: int = 0
    label_columns: int = 0
    orientation: Orientation = Orientation.UNKNOWN
    caption: tuple[int, int] | None = None
    caption_text: str = ""
    label: tuple[int, int] | None = None
    label_key: str | None = None
    problem: str | None = None
    grid: tuple[tuple[int, ...], ...] = ()
    labels: tuple[str, ...] = ()
    outer_caption: str = ""
    inputs: tuple[str, ...] = ()

    def at(self, row: int, column: int) -> Cell | None:
        """The cell that covers a place of the grid, None where the row has none."""
        if not 0 <= row < len(self.grid) or not 0 <= column < len(self.grid[row]):
            return None
        index = self.grid[row][column]
        return self.cells[index] if index >= 0 else None

    @property
    def numeric(self) -> tuple[Cell, ...]:
        """The body cells that hold a number."""
        return tuple(cell for cell in self.cells if cell.quantity is not None and not cell.header)
