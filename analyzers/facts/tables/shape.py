"""The shape of a grid: which rows are headers or titles, how many columns name the rows, how rules group them."""

from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

from analyzers.facts.tables.grid import Draft, Grid
from analyzers.facts.tables.headers import (
    clean_header,
    header_words,
)
from analyzers.facts.tables.model import Heading, Orientation
from analyzers.facts.tables.split import RawBody

_MAX_HEADER = 6
DASHES = frozenset(
    ("", "-", "–", "—", "−", "n/a", "na", "n.a.", "n/a.", "…", "/", "x", "✗", "✓", "\ue002", "--", "none", "tbd", "oom")
)


@dataclass(slots=True)
class Layout:
    """The reading of a grid; `sections` maps each body row to the index of the header that is valid for it."""

    header_rows: int = 0
    label_columns: int = 0
    titles: set[int] = field(default_factory=set)
    headers: set[int] = field(default_factory=set)
    groups: list[tuple[int, int]] = field(default_factory=list)
    row_paths: list[tuple[str, ...]] = field(default_factory=list)
    column_paths: list[list[tuple[str, ...]]] = field(default_factory=list)
    section_of: list[int] = field(default_factory=list)
    rows: list[Heading] = field(default_factory=list)
    columns: list[Heading] = field(default_factory=list)
    orientation: Orientation = Orientation.UNKNOWN


def cell_at(grid: Grid, row: int, column: int) -> Draft | None:
    index = grid.places[row][column]
    return grid.cells[index] if index >= 0 else None


def _row_cells(grid: Grid, row: int) -> list[Draft]:
    """The distinct cells that cover a row, in order."""
    seen: list[Draft] = []
    last = -1
    for index in grid.places[row]:
        if index >= 0 and index != last:
            seen.append(grid.cells[index])
        last = index
    return seen


def _numeric_share(cells: list[Draft]) -> float:
    """Share of numeric cells among those that hold something, the first column left out."""
    filled = [cell for cell in cells if cell.text and cell.column > 0]
    if not filled:
        filled = [cell for cell in cells if cell.text]
    if not filled:
        return 0.0
    return sum(bool(cell.numbers) or cell.text.lower() in DASHES for cell in filled) / len(filled)


def _any_decimals(cells: list[Draft]) -> bool:
    return any(number.decimals > 0 for cell in cells for number in cell.numbers if cell.column > 0)


def _header_rows(grid: Grid, body: RawBody) -> int:
    count = len(grid.places)
    if body.heads is not None and 0 < body.heads < count:
        return body.heads
    if count < 2:
        return 0
    ruled = [index for index in range(1, count) if body.rows[index].full]
    if len(ruled) >= 0.8 * (count - 1) and count > 2:
        return _extended(grid, body, _leading_text_rows(grid, 1), everywhere=True)
    candidate = ruled[0] if ruled else None
    if candidate is None or candidate > _MAX_HEADER:
        return _leading_text_rows(grid, 3)
    block = [_row_cells(grid, row) for row in range(candidate)]
    shares = [_numeric_share(cells) for cells in block]
    steps = candidate == 1 and _increasing(block[0]) and _names_things(block[0])
    if not steps and any(share > 0.5 and _any_decimals(cells) for share, cells in zip(shares, block, strict=True)):
        return _leading_text_rows(grid, 3)
    if sum(share > 0.5 for share in shares) > 1 or (candidate == 1 and shares[0] > 0.5 and not _increasing(block[0])):
        return _leading_text_rows(grid, 3)
    return _extended(grid, body, candidate, everywhere=False)


def _names_things(cells: list[Draft]) -> bool:
    """True for a row that begins with a word such as "Method": its numbers (noise levels, rates) head columns."""
    first = clean_header(cells[0].text) if cells and cells[0].column == 0 else ""
    words = header_words()
    return first in words.id or first in words.hyper or first in words.things


def _increasing(cells: list[Draft]) -> bool:
    """Whole numbers that grow (1, 2, 4, 8; 2019, 2020) head columns; measured values rarely do."""
    values = [cell.quantity.value for cell in cells if cell.quantity is not None and cell.column > 0]
    pairs = list(pairwise(values))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _leading_text_rows(grid: Grid, most: int) -> int:
    count = 0
    limit = min(most, len(grid.places) - 1)
    while count < limit and _numeric_share(_row_cells(grid, count)) <= 0.34:
        count += 1
    if count == limit and not any(cell.quantity is not None and cell.row >= count for cell in grid.cells[:4000]):
        return min(1, count)
    return count


def _extended(grid: Grid, body: RawBody, candidate: int, *, everywhere: bool) -> int:
    """Take in rows that a header cell spans, and a second header line that a rule cuts off."""
    reach = candidate
    for row in range(candidate):
        for cell in _row_cells(grid, row):
            if (
                cell.row + cell.rows > reach
                and cell.row < candidate
                and not (everywhere and cell.column == 0 and cell.rows > 3)
            ):
                reach = cell.row + cell.rows
    reach = min(reach, len(grid.places) - 1)
    while 0 < reach < min(_MAX_HEADER, len(grid.places) - 1):
        cells = [cell for cell in _row_cells(grid, reach) if cell.text]
        spanned = any(cell.cols > 1 for cell in _row_cells(grid, reach - 1) if cell.text and cell.cols < grid.width)
        unnamed = not any(cell.column == 0 for cell in cells)
        if len(cells) < 2 or _numeric_share(cells) > 0 or not (spanned or unnamed):
            break
        reach += 1
    return reach


def _titles(grid: Grid, body: RawBody, layout: Layout) -> None:
    """Rows that only name the group below them."""
    if grid.width < 2:
        return
    last = len(grid.places) - 1
    for row in range(layout.header_rows, last):
        cells = [cell for cell in _row_cells(grid, row) if cell.text]
        if len(cells) != 1 or cells[0].numbers or cells[0].rows > 1:
            continue
        cell = cells[0]
        if cell.text.lower() in DASHES:
            continue
        if cell.cols * 2 >= grid.width or cell.column == 0 or body.rows[row].full:
            layout.titles.add(row)


def _label_columns(grid: Grid, layout: Layout) -> int:
    """How many columns at the left hold words; a first column of distinct whole numbers counts too."""
    rows = [row for row in range(layout.header_rows, len(grid.places)) if row not in layout.titles]
    if not rows:
        return 0
    count = 0
    for column in range(grid.width):
        filled = numeric = whole = 0
        for row in rows:
            cell = cell_at(grid, row, column)
            if cell is not None and cell.text:
                filled += 1
                numeric += bool(cell.numbers)
                whole += cell.quantity is not None and cell.quantity.decimals == 0 and cell.quantity.unit is None
        if filled and numeric <= 0.25 * filled:
            count = column + 1
            continue
        if not filled and column == 0:
            count = 1
            continue
        if column == 0 and numeric == whole and is_text(grid, rows, 1):
            # A rank or a running number in front of the names.
            continue
        break
    if count == grid.width:
        return 1
    if count == 0 and grid.width > 1 and _keyed(grid, rows):
        return 1
    return count


def is_text(grid: Grid, rows: list[int], column: int) -> bool:
    """True when at least half of a column's places hold words and no more than a quarter of the filled ones numbers."""
    if column >= grid.width:
        return False
    cells = [cell for row in rows if (cell := cell_at(grid, row, column)) is not None and cell.text]
    return len(cells) * 2 >= len(rows) and sum(bool(cell.numbers) for cell in cells) * 4 <= len(cells)


def _keyed(grid: Grid, rows: list[int]) -> bool:
    """A first column of distinct whole numbers (k = 1, 2, 4) names its rows."""
    values: list[Decimal] = []
    for row in rows:
        cell = cell_at(grid, row, 0)
        if cell is None or not cell.text or (values and not cell.numbers):
            continue
        if cell.quantity is None or cell.quantity.decimals > 0 or cell.quantity.spread is not None:
            return False
        values.append(cell.quantity.value)
    return len(values) > 1 and len(set(values)) == len(values)


def _middle_headers(grid: Grid, body: RawBody, layout: Layout) -> None:
    """A second header line in the middle of a table, as in tables of several panels."""
    start = layout.header_rows
    if start == 0 or len(grid.places) - start < 3:
        return
    numeric_rows = sum(_numeric_share(_row_cells(grid, row)) > 0.5 for row in range(start, len(grid.places)))
    if numeric_rows * 2 < len(grid.places) - start - len(layout.titles):
        return
    for row in range(start + 1, len(grid.places) - 1):
        if row in layout.titles or not (body.rows[row].full or row - 1 in layout.titles or body.rows[row + 1].full):
            continue
        cells = [cell for cell in _row_cells(grid, row) if cell.column >= layout.label_columns]
        filled = [cell for cell in cells if cell.text and cell.text.lower() not in DASHES]
        covered = sum(cell.cols for cell in filled)
        if len(filled) < 2 or any(cell.numbers for cell in filled):
            continue
        if covered * 2 >= grid.width - layout.label_columns:
            layout.headers.add(row)


def _column_paths(grid: Grid, layout: Layout) -> None:
    """The header texts above each column, for the main header and for every header in the middle."""
    layout.column_paths.append([_path(grid, range(layout.header_rows), column) for column in range(grid.width)])
    current = 0
    previous = -2
    block: list[int] = []
    for row in range(len(grid.places)):
        if row in layout.headers:
            block = [*block, row] if previous == row - 1 else [row]
            if previous == row - 1:
                layout.column_paths.pop()
            layout.column_paths.append([_path(grid, block, column) for column in range(grid.width)])
            current = len(layout.column_paths) - 1
            previous = row
        layout.section_of.append(current)


def _path(grid: Grid, rows: range | list[int], column: int) -> tuple[str, ...]:
    texts: list[str] = []
    last = -1
    for row in rows:
        index = grid.places[row][column]
        if index >= 0 and index != last and grid.cells[index].text:
            cell = grid.cells[index]
            if cell.cols == grid.width and grid.width > 1:
                # A line across the whole table is its title, not the name of a column.
                continue
            texts.append(_words(cell.text))
        last = index if index >= 0 else last
    return tuple(texts)


def _words(text: str) -> str:
    """A header text without the placeholders of citations and references."""
    if "\ue000" not in text and "\ue001" not in text:
        return text
    return " ".join(text.replace("\ue000", " ").replace("\ue001", " ").split())


def _row_paths(grid: Grid, body: RawBody, layout: Layout) -> None:
    """The texts that name each row, and the groups that rules cut."""
    title: str | None = None
    start = layout.header_rows
    ruled = sum(body.rows[row].full for row in range(start, len(grid.places)))
    everywhere = ruled >= 0.8 * max(1, len(grid.places) - start)
    group_start = start
    for row in range(len(grid.places)):
        if row < start:
            layout.row_paths.append(())
            continue
        if row > group_start and (
            row in layout.titles or ((body.rows[row].full or body.rows[row].part) and not everywhere)
        ):
            layout.groups.append((group_start, row))
            group_start = row
            if row not in layout.titles and row - 1 not in layout.titles and body.rows[row].full:
                # A title is valid until the next title or the next full rule.
                title = None
        if row in layout.titles:
            title = next((_words(cell.text) for cell in _row_cells(grid, row) if cell.text), None)
        texts = [] if title is None else [title]
        last = -1
        for column in range(layout.label_columns):
            index = grid.places[row][column]
            if index >= 0 and index != last and grid.cells[index].text and row not in layout.titles:
                texts.append(_words(grid.cells[index].text))
            last = index
        layout.row_paths.append(tuple(texts))
    if group_start < len(grid.places):
        layout.groups.append((group_start, len(grid.places)))


def shape_of(grid: Grid, body: RawBody) -> Layout:
    """Read headers, titles, groups and paths; the meanings are left empty."""
    layout = Layout()
    layout.header_rows = _header_rows(grid, body)
    _titles(grid, body, layout)
    layout.label_columns = _label_columns(grid, layout)
    _middle_headers(grid, body, layout)
    _column_paths(grid, layout)
    _row_paths(grid, body, layout)
    return layout
