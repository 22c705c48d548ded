"""Every table of a piece of LaTeX source: the composition of the passes of this package."""

import re
from collections.abc import Mapping
from dataclasses import replace

from analyzers.facts.tables.columns import Specification, column_types, specification
from analyzers.facts.tables.environments import (
    DELUXE,
    ENVIRONMENTS,
    TABLE_FLOATS,
    Environment,
    assign_captions,
    find_environments,
    is_wanted,
    may_hold_tables,
    with_caption,
    with_options,
)
from analyzers.facts.tables.grid import Grid, build
from analyzers.facts.tables.layout import lay_out
from analyzers.facts.tables.macros import Macros
from analyzers.facts.tables.masks import bracket_end, group_end, masked, skip_blanks
from analyzers.facts.tables.model import Cell, Direction, Table
from analyzers.facts.tables.render import Renderer
from analyzers.facts.tables.shape import Layout
from analyzers.facts.tables.split import RawBody, split_body

# With a width before the column specification.
_WIDTH = frozenset(
    ("tabular*", "tabularx", "tabulary", "xltabular", "ltablex", "NiceTabular*", "NiceTabularX", "supertabular*")
)
_KEY_VALUE = frozenset(("tblr", "longtblr", "talltblr"))
_FOREIGN = re.compile(
    r"\\(?:input|include|subfile|csvreader|csvautotabular|DTLforeach|DTLdisplaydb|pgfplotstabletypeset|foreach|directlua|loop)(?![A-Za-z])"
)
_HEAD = re.compile(r"\\(?:tablehead|tablefirsthead)\s*(?=\{)")
_COLSPEC = re.compile(r"\bcolspec\s*=\s*(?=\{)")


def read_tables(
    source: str,
    macros: Macros | None = None,
    *,
    types: Macros | None = None,
    directions: Mapping[str, Direction] | None = None,
    caption: str = "",
    labels: tuple[str, ...] = (),
) -> tuple[Table, ...]:
    """Every tabular-like environment of a piece of LaTeX source (a block, a float), in order.

    `macros` are the manuscript's macros by name, `types` its column types by letter (those that the source itself
    defines are read), `directions` the user's own metric names in lower case.  All offsets count code points of
    `source`.  `caption` and
    `labels` are those of the float that includes this file, for tables without their own.  A table that cannot be read
    has a `problem` and no cells; a table float without a tabular is reported the same way, so that its caption and
    label are known.  Never raises; linear in the source.
    """
    if not may_hold_tables(source):
        return ()
    hidden = masked(source)
    environments = find_environments(hidden)
    assign_captions(hidden, environments)
    found = {**column_types(hidden), **(types or {})}
    known = macros or {}
    tables: list[Table] = []
    for index, environment in enumerate(environments):
        if environment.name in ENVIRONMENTS and is_wanted(environments, index, hidden):
            read = _table(
                hidden, environments, index, macros=known, types=found, directions=directions, caption=caption
            )
            tables.append(read if read.labels or not labels else replace(read, labels=labels, label_key=labels[0]))
        elif environment.name in TABLE_FLOATS and not environment.tables and environment.captions:
            end = environment.end if environment.end >= 0 else len(hidden)
            inputs = _inputs(hidden, environment.inner, end)
            problem = "The float holds no table that can be read."
            bare = Table(environment.start, end, environment.name, problem=problem, inputs=inputs)
            tables.append(with_caption(hidden, environments, index, bare, known))
    return tuple(tables)


def read_table(
    source: str,
    start: int,
    end: int,
    macros: Macros | None = None,
    *,
    types: Macros | None = None,
    directions: Mapping[str, Direction] | None = None,
) -> Table:
    """The table whose `\\begin` stands at `start` and whose `\\end{...}` ends at `end`; see `read_tables`."""
    for table in read_tables(source, macros, types=types, directions=directions):
        if table.start == start or (start <= table.start and table.end <= end):
            return table
    return Table(start, end, "", problem="No table begins here.")


def _table(
    hidden: str,
    environments: list[Environment],
    index: int,
    *,
    macros: Macros,
    types: Macros,
    directions: Mapping[str, Direction] | None,
    caption: str,
) -> Table:
    environment = environments[index]
    end = environment.end if environment.end >= 0 else len(hidden)
    empty = with_caption(hidden, environments, index, Table(environment.start, end, environment.name), macros)
    if environment.end < 0:
        return replace(empty, problem=f"`\\begin{{{environment.name}}}` has no `\\end`.")
    if caption and not empty.caption_text:
        empty = replace(empty, caption_text=caption)
    columns, inner, options = _opening(hidden, environment, types)
    if options:
        empty = with_options(hidden, empty, options, macros)
    if columns.problem is not None:
        return replace(empty, problem=columns.problem)
    foreign = _FOREIGN.search(hidden, inner, environment.inner_end)
    if foreign is not None:
        inputs = _inputs(hidden, inner, environment.inner_end)
        return replace(empty, problem=f"The rows are made by `{foreign[0]}`.", inputs=inputs)
    body = _body(hidden, environment, inner, macros)
    if body.problem is None and body.nested:
        body.problem = "A cell of this table holds another table."
    if body.problem is None and not body.rows:
        body.problem = "The table has no rows."
    if body.problem is not None:
        return replace(empty, problem=body.problem)
    exact = bool(columns.types) and environment.name not in _KEY_VALUE
    grid = build(hidden, body, columns, Renderer(hidden, macros), exact=exact)
    if grid.problem is not None:
        return replace(empty, problem=grid.problem)
    return _finished(empty, grid, lay_out(grid, body, empty.caption_text, directions))


_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]{1,300})\}")


def _inputs(source: str, start: int, end: int) -> tuple[str, ...]:
    """The files that a table or a float takes its rows from, as written."""
    return tuple(match[1].strip() for match in _INPUT.finditer(source, start, end))


def _opening(source: str, environment: Environment, types: Macros) -> tuple[Specification, int, tuple[int, int] | None]:
    """The column specification, where the rows begin, and the options of tabularray."""
    position, limit = environment.inner, environment.inner_end
    options: tuple[int, int] | None = None
    name = environment.name
    position = skip_blanks(source, position, limit)
    if source[position : position + 1] == "[":
        end = bracket_end(source, position, limit) or position
        options = (position, end)
        position = end
    if name in ("tabu", "longtabu"):
        match = re.compile(r"\s*(?:to|spread)\s*[^{\n]{1,30}").match(source, position, limit)
        position = match.end() if match is not None else position
    if name in _WIDTH:
        position = skip_blanks(source, position, limit)
        position = group_end(source, position, limit) or position
        position = skip_blanks(source, position, limit)
        if source[position : position + 1] == "[":
            position = bracket_end(source, position, limit) or position
    position = skip_blanks(source, position, limit)
    close = group_end(source, position, limit) if source[position : position + 1] == "{" else None
    if close is None:
        return Specification((), "The table has no column specification."), position, options
    end = close
    if name in _KEY_VALUE:
        text = source[position + 1 : end - 1]
        if "=" in text:
            inner = _COLSPEC.search(text)
            stop = group_end(text, inner.end(), len(text)) if inner is not None else None
            text = text[inner.end() + 1 : stop - 1] if inner is not None and stop is not None else ""
        read = specification(text, types) if text else Specification(())
        return Specification(read.types if read.problem is None else ()), end, options
    return specification(source[position + 1 : end - 1], types), end, options


def _body(source: str, environment: Environment, inner: int, macros: Macros) -> RawBody:
    if environment.name not in DELUXE:
        return split_body(source, inner, environment.inner_end, macros)
    start = source.find("\\startdata", inner, environment.inner_end)
    end = source.find("\\enddata", inner, environment.inner_end)
    if start < 0 or end < 0:
        return RawBody(problem="The table has no `\\startdata` and `\\enddata`.")
    body = split_body(source, start + len("\\startdata"), end, macros)
    head = _HEAD.search(source, inner, start)
    close = group_end(source, head.end(), start) if head is not None else None
    if head is None or close is None or body.problem is not None:
        return body
    heads = split_body(source, head.end() + 1, close - 1, macros)
    if heads.problem is None:
        body.heads = len(heads.rows)
        body.rows = [*heads.rows, *body.rows]
        body.nested = body.nested or heads.nested
    return body


def _finished(table: Table, grid: Grid, layout: Layout) -> Table:
    header = layout.titles | layout.headers
    header.update(range(layout.header_rows))
    cells = []
    for draft in grid.cells:
        heading = draft.row in header
        paths = layout.column_paths[layout.section_of[draft.row]]
        cells.append(
            Cell(
                draft.text,
                draft.start,
                draft.end,
                draft.row,
                draft.column,
                draft.rows,
                draft.cols,
                draft.bold,
                draft.underline,
                draft.italic,
                draft.quantity,
                draft.numbers,
                layout.row_paths[draft.row],
                () if heading else paths[draft.column],
                draft.macro,
                heading,
            )
        )
    return replace(
        table,
        rows=tuple(layout.rows),
        columns=tuple(layout.columns),
        cells=tuple(cells),
        groups=tuple(layout.groups),
        header_rows=layout.header_rows,
        label_columns=layout.label_columns,
        orientation=layout.orientation,
        grid=tuple(tuple(line) for line in grid.places),
    )
