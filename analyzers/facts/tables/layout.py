"""What each row and column of a grid means: role, direction, unit, metric, and which way the table is to be read."""

from collections.abc import Mapping
from dataclasses import replace

from analyzers.facts.quantities.model import Unit
from analyzers.facts.quantities.units import unit_named
from analyzers.facts.tables.grid import Grid
from analyzers.facts.tables.headers import (
    Meaning,
    caption_direction,
    caption_meaning,
    clean_header,
    header_words,
    meaning,
)
from analyzers.facts.tables.model import Direction, Heading, Orientation, Role
from analyzers.facts.tables.shape import DASHES, Layout, cell_at, is_text, shape_of
from analyzers.facts.tables.split import RawBody

_SHORT_TIMES = frozenset(("ns", "µs", "ms", "s"))


def lay_out(grid: Grid, body: RawBody, caption: str, directions: Mapping[str, Direction] | None) -> Layout:
    """Read headers, groups and meanings.  Linear in the number of places."""
    layout = shape_of(grid, body)
    _meanings(grid, layout, caption, directions)
    return layout


def _meanings(grid: Grid, layout: Layout, caption: str, directions: Mapping[str, Direction] | None) -> None:
    paths = layout.column_paths[0]
    columns = [_combined(path, directions) for path in paths]
    rows = [_combined(path, directions) for path in layout.row_paths]
    layout.orientation = _orientation(layout, columns, rows)
    spoken = caption_meaning(caption) if caption else Meaning()
    stated = caption_direction(caption)
    row_units = _row_units(grid, layout)
    body = [row for row in range(layout.header_rows, len(grid.places)) if row not in layout.titles | layout.headers]
    group_of = _group_numbers(grid, layout)
    along_columns = layout.orientation is not Orientation.COLUMNS
    for column, found in enumerate(columns):
        use, role = found, found.role
        if column < layout.label_columns and (role in (Role.UNKNOWN, Role.METRIC) or is_text(grid, body, column)):
            role = Role.ID
        if role is Role.METRIC and _counts(grid, body, column, paths[column], found):
            use, role = Meaning(Role.UNKNOWN, Direction.UNKNOWN, found.unit), Role.UNKNOWN
        if role is Role.METRIC and use.direction is Direction.UNKNOWN and stated is not Direction.UNKNOWN:
            use = Meaning(role, stated, use.unit, use.metric)
        if role is Role.UNKNOWN and along_columns and _timed(found) is not Direction.UNKNOWN:
            # "p99 (ms)", "Median (ms)", "Encoder (tok/s)": the unit says more than a metric that the caption speaks of.
            if _measured(grid, body, column):
                use, role = Meaning(Role.METRIC, _either(found, _timed(found)), found.unit, found.metric), Role.METRIC
        elif (
            role is Role.UNKNOWN
            and along_columns
            and spoken.metric is not None
            and (found.unit is None or found.unit.dimension in ("share", "points"))
            and _measured(grid, body, column)
        ):
            use, role = (
                Meaning(Role.METRIC, _either(found, spoken.direction), found.unit or spoken.unit, spoken.metric),
                Role.METRIC,
            )
        layout.columns.append(Heading(column, paths[column], role, use.direction, use.unit, 0, False, use.metric))
    for row, found in enumerate(rows):
        header = row < layout.header_rows or row in layout.titles or row in layout.headers
        role = Role.UNKNOWN if header else found.role
        if role is Role.ID and along_columns:
            role = Role.UNKNOWN
        layout.rows.append(
            Heading(
                row,
                layout.row_paths[row],
                role,
                found.direction,
                found.unit or row_units.get(row),
                group_of[row],
                header,
                found.metric,
            )
        )
    layout.columns = _averages(layout.columns)
    layout.rows = _averages(layout.rows)


def _row_units(grid: Grid, layout: Layout) -> dict[int, Unit]:
    """The unit of each row in a table with a column of units."""
    paths = layout.column_paths[0]
    columns = [column for column, path in enumerate(paths) if path and clean_header(path[-1]) in header_words().units]
    found: dict[int, Unit] = {}
    if not columns:
        return found
    for row in range(layout.header_rows, len(grid.places)):
        cell = cell_at(grid, row, columns[0])
        unit = unit_named(cell.text.replace(" ", "")) if cell is not None and cell.text else None
        if unit is not None:
            found[row] = unit
    return found


def _counts(grid: Grid, body: list[int], column: int, path: tuple[str, ...], found: Meaning) -> bool:
    """Whole numbers above 100 under a name such as PER are no percentage-like metric, whatever the name says."""
    arrows = any("↑" in text or "↓" in text for text in path)
    if arrows or found.unit is not None or found.metric not in header_words().percent_like:
        return False
    cells = [cell_at(grid, row, column) for row in body]
    values = [cell.quantity for cell in cells if cell is not None and cell.quantity is not None]
    return bool(values) and all(v.decimals <= 0 for v in values) and max(v.value for v in values) > 100


def _either(found: Meaning, otherwise: Direction) -> Direction:
    return found.direction if found.direction is not Direction.UNKNOWN else otherwise


def _timed(found: Meaning) -> Direction:
    """Short times are to be low and rates per second high; longer times (hours, years) may be anything."""
    if found.unit is None:
        return Direction.UNKNOWN
    if found.unit.symbol.endswith("/s") and "count:" in found.unit.dimension:
        return Direction.HIGHER
    return Direction.LOWER if found.unit.symbol in _SHORT_TIMES else Direction.UNKNOWN


def _group_numbers(grid: Grid, layout: Layout) -> list[int]:
    numbers = [-1] * len(grid.places)
    for index, (start, end) in enumerate(layout.groups):
        for row in range(start, end):
            numbers[row] = index
    return numbers


def _measured(grid: Grid, body: list[int], column: int) -> bool:
    """True when at least half of a column's cells are decimals or percentages: results, not sizes."""
    filled = measured = 0
    for row in body:
        cell = cell_at(grid, row, column)
        if cell is None or not cell.text or cell.text.lower() in DASHES:
            continue
        filled += 1
        measured += cell.quantity is not None and (cell.quantity.decimals > 0 or cell.quantity.percent)
    return filled > 0 and measured * 2 >= filled


def _combined(path: tuple[str, ...], directions: Mapping[str, Direction] | None) -> Meaning:
    """What a path of headers says: the innermost text that speaks decides, per question."""
    role, direction, unit, metric = Role.UNKNOWN, Direction.UNKNOWN, None, None
    for text in reversed(path):
        found = meaning(text, directions)
        if role is Role.UNKNOWN:
            role = found.role
        elif role is Role.ID and found.role is Role.METRIC:
            role = Role.METRIC
        if direction is Direction.UNKNOWN:
            direction = found.direction
        unit = unit or found.unit
        metric = metric or found.metric
    return Meaning(role, direction, unit, metric)


def _orientation(layout: Layout, columns: list[Meaning], rows: list[Meaning]) -> Orientation:
    words = header_words()
    start = layout.header_rows
    corner = [clean_header(text) for column in range(layout.label_columns) for text in layout.column_paths[0][column]]
    if any(text in words.metrics for text in corner):
        return Orientation.COLUMNS
    body_columns = columns[layout.label_columns :]
    body_rows = [rows[row] for row in range(start, len(rows)) if row not in layout.titles | layout.headers]
    in_columns = sum(_result(found) for found in body_columns)
    in_rows = sum(_result(found) for found in body_rows)
    if in_rows * 2 >= len(body_rows) > 0 and in_columns * 2 < len(body_columns):
        return Orientation.COLUMNS
    if any(text in words.things and "data" not in text and "task" not in text for text in corner):
        return Orientation.ROWS
    if in_columns * 2 >= len(body_columns) > 0:
        return Orientation.ROWS
    if any("dataset" in text or text == "data set" for text in corner):
        return Orientation.COLUMNS
    return Orientation.UNKNOWN


def _result(found: Meaning) -> bool:
    return found.metric is not None or found.direction is not Direction.UNKNOWN


def _averages(headings: list[Heading]) -> list[Heading]:
    """An average without a direction or a unit of its own has those of its neighbours, when they agree."""
    metrics = [heading for heading in headings if heading.role is Role.METRIC]
    directions = {heading.direction for heading in metrics}
    units = {heading.unit for heading in metrics}
    direction = next(iter(directions)) if len(directions) == 1 else Direction.UNKNOWN
    unit = next(iter(units)) if len(units) == 1 else None
    return [_average(heading, direction, unit) if heading.role is Role.AVG else heading for heading in headings]


def _average(heading: Heading, direction: Direction, unit: Unit | None) -> Heading:
    own = heading.direction is not Direction.UNKNOWN
    return replace(heading, direction=heading.direction if own else direction, unit=heading.unit or unit)
