"""From raw rows to a grid: spans, the empty cells under a `\\multirow`, and the text and number of each cell."""

import re
from typing import NamedTuple

from analyzers.facts.tables.columns import Specification
from analyzers.facts.tables.commands import BOLD, ITALIC, UNDERLINE
from analyzers.facts.tables.macros import Macros
from analyzers.facts.tables.masks import bracket_end, group_end, skip_blanks
from analyzers.facts.tables.model import CellNumber
from analyzers.facts.tables.numbers import cell_numbers, simple_number
from analyzers.facts.tables.render import Rendered, Renderer
from analyzers.facts.tables.split import RawBody, RawCell

_MAX_PLACES = 200_000
_SPAN = re.compile(r"\\(multicolumn|multirow(?:cell|thead)?|SetCell|Block)(?![A-Za-z])")
_COUNT = re.compile(r"\s*(?:\{\s*(-?\d{1,4})\s*\}|(-?\d))")
_SET_CELL = re.compile(r"\b([rc])\s*=\s*(\d{1,3})")
_BLOCK = re.compile(r"\s*(?:\[[^\]]*\])?\s*\{\s*(\d{1,3})\s*-\s*(\d{1,3})\s*\}")
_DIGIT = re.compile(r"\d")
_COMMA_DECIMAL = re.compile(r"[-−–]?\d{1,4},(?:\d{1,2}|\d{4,6})(?:\s?\\?%)?")
_POINT_DECIMAL = re.compile(r"[-−–]?\d*\.\d+(?:\s?\\?%)?")


class Draft:
    """A cell while the table is being read."""

    __slots__ = (
        "bold",
        "cols",
        "column",
        "end",
        "italic",
        "macro",
        "numbers",
        "quantity",
        "rendered",
        "row",
        "rows",
        "start",
        "text",
        "underline",
    )

    def __init__(self, row: int, column: int, rows: int, cols: int, place: RawCell) -> None:
        self.row, self.column, self.rows, self.cols = row, column, rows, cols
        self.start, self.end = place
        self.text = ""
        self.rendered: Rendered | None = None
        self.quantity: CellNumber | None = None
        self.numbers: tuple[CellNumber, ...] = ()
        self.bold = self.underline = self.italic = False
        self.macro: str | None = None


class Grid(NamedTuple):
    """Cells in reading order, and for each place the index of the cell that covers it (-1 for none)."""

    cells: list[Draft]
    places: list[list[int]]
    width: int
    problem: str | None = None


class _Spans(NamedTuple):
    rows: int
    cols: int
    content: RawCell
    swallows: bool = False


def build(source: str, body: RawBody, columns: Specification, renderer: Renderer, *, exact: bool) -> Grid:
    """Place every cell.  `exact` says that the column specification counts; then a longer row is an error."""
    cells: list[Draft] = []
    places: list[list[int]] = []
    open_spans: dict[int, list[int]] = {}
    width = len(columns.types) if exact else 0
    total = 0
    negative: list[int] = []
    for row, raw in enumerate(body.rows):
        line: list[int] = []
        swallow = 0
        for place in raw.cells:
            if swallow:
                swallow -= 1
                continue
            spans = _spans(source, place, renderer.macros)
            column = len(line)
            if spans.swallows:
                swallow = spans.cols - 1
            owner = open_spans.get(column)
            if owner is not None and spans.content.start >= spans.content.end:
                owner[1] -= 1
                cells[owner[0]].rows = max(cells[owner[0]].rows, row - cells[owner[0]].row + 1)
                if owner[1] <= 0:
                    del open_spans[column]
                line += [owner[0]] * min(spans.cols, 1)
                for extra in range(1, spans.cols):
                    line.append(_covered(open_spans, column + extra, cells, row))
                continue
            for covered in range(column, column + spans.cols):
                open_spans.pop(covered, None)
            index = len(cells)
            draft = Draft(row, column, 1, spans.cols, spans.content)
            cells.append(draft)
            line += [index] * spans.cols
            total += spans.cols
            if spans.rows > 1:
                for covered in range(column, column + spans.cols):
                    open_spans[covered] = [index, min(spans.rows, len(body.rows) - row) - 1]
                    if open_spans[covered][1] <= 0:
                        del open_spans[covered]
            elif spans.rows < -1:
                negative.append(index)
                draft.rows = spans.rows
            if total > _MAX_PLACES or len(line) > 1000:
                return Grid([], [], 0, "The table has too many cells.")
        for column in sorted(column for column in open_spans if column >= len(line)):
            line += [-1] * (column - len(line))
            line.append(_covered(open_spans, column, cells, row))
        if exact and len(line) > width:
            if _only_empty(cells, line, width):
                line = line[:width]
            else:
                return Grid([], [], 0, f"Row {row + 1} has {len(line)} cells, but the table declares {width} columns.")
        places.append(line)
    width = max([width, *(len(line) for line in places)])
    if width * len(places) > _MAX_PLACES:
        return Grid([], [], 0, "The table has too many cells.")
    for line in places:
        line.extend([-1] * (width - len(line)))
    _texts(source, cells, renderer, columns, exact)
    for index in negative:
        _upwards(index, cells, places)
    return _without_absorbed(cells, places, width)


def _covered(open_spans: dict[int, list[int]], column: int, cells: list[Draft], row: int) -> int:
    """The cell of a span that still reaches into this row, -1 when there is none."""
    owner = open_spans.get(column)
    if owner is None or cells[owner[0]].row >= row:
        return -1
    cells[owner[0]].rows = max(cells[owner[0]].rows, row - cells[owner[0]].row + 1)
    owner[1] -= 1
    if owner[1] <= 0:
        del open_spans[column]
    return owner[0]


def _only_empty(cells: list[Draft], line: list[int], width: int) -> bool:
    """A trailing `&` without text is printed by nobody's eye, and some classes allow it."""
    return all(index < 0 or cells[index].start >= cells[index].end for index in line[width:])


def _upwards(index: int, cells: list[Draft], places: list[list[int]]) -> None:
    """`\\multirow{-2}`: the text stands in the last of its rows."""
    draft = cells[index]
    first = draft.row
    for row in range(draft.row - 1, max(-1, draft.row + draft.rows), -1):
        above = [
            places[row][column] for column in range(draft.column, min(draft.column + draft.cols, len(places[row])))
        ]
        if any(other >= 0 and cells[other].text for other in above):
            break
        for column in range(draft.column, min(draft.column + draft.cols, len(places[row]))):
            places[row][column] = index
        first = row
    draft.rows = draft.row - first + 1
    draft.row = first


def _without_absorbed(cells: list[Draft], places: list[list[int]], width: int) -> Grid:
    """Drop empty cells that a span has taken over, and number the rest anew."""
    used = {index for line in places for index in line if index >= 0}
    if len(used) == len(cells):
        return Grid(cells, places, width)
    order = sorted(used, key=lambda index: (cells[index].row, cells[index].column))
    renumbered = {old: new for new, old in enumerate(order)}
    renumbered[-1] = -1
    return Grid([cells[index] for index in order], [[renumbered[index] for index in line] for line in places], width)


def _spans(source: str, place: RawCell, macros: Macros) -> _Spans:
    """How many rows and columns a cell covers, and where its own content stands."""
    start, end = place
    if start >= end or "\\" not in source[start:end]:
        return _Spans(1, 1, place)
    rows = cols = 1
    content = place
    swallows = False
    for _ in range(3):
        match = _SPAN.search(source, content.start, content.end)
        if match is None or source.count("{", content.start, match.start()) > 1 + source.count(
            "}", content.start, match.start()
        ):
            break
        name = match[1]
        if name == "SetCell":
            values = dict(_SET_CELL.findall(source, match.end(), min(content.end, match.end() + 60)))
            rows, cols = int(values.get("r", rows)), int(values.get("c", cols))
            swallows = cols > 1
            break
        if name == "Block":
            block = _BLOCK.match(source, match.end(), content.end)
            if block is not None:
                rows, cols, swallows = int(block[1]), int(block[2]), int(block[2]) > 1
            break
        read = _span_arguments(source, match.end(), content.end, name)
        if read is None:
            break
        count, inner = read
        if name == "multicolumn":
            cols = max(1, count)
        else:
            rows = count
        content = inner
    if rows == cols == 1 and macros:
        rows, cols = _macro_spans(source, place, macros)
    return _Spans(rows or 1, min(max(cols, 1), 400), _trim(source, content), swallows)


def _span_arguments(source: str, position: int, limit: int, name: str) -> tuple[int, RawCell] | None:
    """The count and the content of `\\multicolumn{n}{c}{text}` or `\\multirow[t]{n}[b]{w}[m]{text}`."""
    position = skip_blanks(source, position, limit)
    if source[position : position + 1] == "[":
        position = bracket_end(source, position, limit) or position
    count = _COUNT.match(source, position, limit)
    if count is None:
        return None
    position = count.end()
    for step in range(2 if name in ("multicolumn", "multirow") else 1):
        position = skip_blanks(source, position, limit)
        while source[position : position + 1] == "[" and position < limit:
            after = bracket_end(source, position, limit)
            if after is None:
                return None
            position = skip_blanks(source, after, limit)
        if source[position : position + 1] in ("*", "=") and step == 0 and name == "multirow":
            position += 1
            continue
        end = group_end(source, position, limit) if source[position : position + 1] == "{" else None
        if end is None:
            return (int(count[1] or count[2]), RawCell(position, limit)) if step else None
        if step == 1 or name not in ("multicolumn", "multirow"):
            return int(count[1] or count[2]), RawCell(position + 1, end - 1)
        position = end
    return None


_MACRO = re.compile(r"\\([A-Za-z@]+)")
_BODY_SPAN = re.compile(r"\\(multirow|multicolumn)\s*(?:\[[^\]]*\])?\s*\{\s*(#?\d{1,3})\s*\}")


def _macro_spans(source: str, place: RawCell, macros: Macros) -> tuple[int, int]:
    """Spans hidden in a user macro: `\\newcommand{\\mr}[2]{\\multirow{#1}{*}{#2}}`."""
    match = _MACRO.match(source, place.start, place.end)
    macro = macros.get(match[1]) if match is not None else None
    if match is None or macro is None or "\\multi" not in macro.body:
        return 1, 1
    rows = cols = 1
    arguments: list[str] = []
    position = match.end()
    for _ in range(macro.arity):
        position = skip_blanks(source, position, place.end)
        end = group_end(source, position, place.end) if source[position : position + 1] == "{" else None
        if end is None:
            break
        arguments.append(source[position + 1 : end - 1])
        position = end
    for span in _BODY_SPAN.finditer(macro.body[:2000]):
        written = span[2]
        if written.startswith("#"):
            index = int(written[1:]) - 1
            written = arguments[index].strip() if index < len(arguments) else "1"
        if written.isdecimal() and len(written) < 4:
            if span[1] == "multirow":
                rows = int(written)
            else:
                cols = int(written)
    return rows, cols


def _trim(source: str, place: RawCell) -> RawCell:
    start, end = place
    while start < end and source[start].isspace():
        start += 1
    while end > start and source[end - 1].isspace():
        end -= 1
    return RawCell(start, end)


def _texts(source: str, cells: list[Draft], renderer: Renderer, columns: Specification, exact: bool) -> None:
    """Render every cell and read its numbers."""
    commas = points = 0
    waiting: list[Draft] = []
    for draft in cells:
        if draft.start >= draft.end:
            continue
        segment = source[draft.start : draft.end]
        quantity = _quick(draft, segment) if len(segment) < 40 else None
        if quantity is not None:
            points += quantity.number.decimals > 0
            continue
        rendered = renderer.render(draft.start, draft.end)
        draft.rendered = rendered
        draft.text = " ".join(rendered.text.split()) if not rendered.text.isspace() else ""
        if _DIGIT.search(draft.text) is not None:
            commas += "," in draft.text and _COMMA_DECIMAL.fullmatch(draft.text) is not None
            points += "." in draft.text and _POINT_DECIMAL.fullmatch(draft.text) is not None
            waiting.append(draft)
        else:
            _style(draft, rendered)
    decimal_comma = commas >= 2 and commas > 2 * points
    siunitx = {index for index, kind in enumerate(columns.types) if kind == "S"} if exact else set()
    for draft in waiting:
        shown = draft.rendered
        if shown is None:
            continue
        draft.quantity, draft.numbers = cell_numbers(shown, decimal_comma, draft.column in siunitx)
        _style(draft, shown)


_STYLED = re.compile(
    r"\\(textbf|mathbf|underline|textit|emph)\{(\d{1,15}(?:\.\d{1,15})?)\}|\$(\d{1,15}(?:\.\d{1,15})?)\$"
)
_FLAGS = {"textbf": BOLD, "mathbf": BOLD, "underline": UNDERLINE, "textit": ITALIC, "emph": ITALIC}


def _quick(draft: Draft, segment: str) -> CellNumber | None:
    """The commonest cells without a renderer: bare digits, and digits in one style command or in dollars."""
    if segment[0] not in "\\$":
        quantity = simple_number(segment, draft.start, 0)
        text = segment
    else:
        match = _STYLED.fullmatch(segment)
        if match is None:
            return None
        group = 2 if match[2] else 3
        text = match[group]
        flags = _FLAGS.get(match[1] or "", 0)
        quantity = simple_number(text, draft.start + match.start(group), flags)
        draft.bold, draft.underline, draft.italic = bool(flags & BOLD), bool(flags & UNDERLINE), bool(flags & ITALIC)
    if quantity is not None:
        draft.text, draft.quantity, draft.numbers = text, quantity, (quantity,)
    return quantity


def _style(draft: Draft, rendered: Rendered) -> None:
    if len(rendered.pieces) == 1 and not rendered.pieces[0].flags and rendered.pieces[0].macro is None:
        return
    flags = rendered.flags(0, len(rendered.text))
    lead = draft.quantity or (draft.numbers[0] if draft.numbers else None)
    draft.bold = bool(flags & BOLD) or (lead is not None and lead.bold)
    draft.underline = bool(flags & UNDERLINE) or (lead is not None and lead.underline)
    draft.italic = bool(flags & ITALIC) or (lead is not None and lead.italic)
    draft.macro = rendered.macro(0, len(rendered.text))
