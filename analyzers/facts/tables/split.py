"""The body of a tabular environment as rows and raw cells: where `&`, `\\\\` and rules stand, before anything is
understood.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzers.facts.tables.macros import Macros
from analyzers.facts.tables.masks import bracket_end, group_end, skip_blanks


class RawCell(NamedTuple):
    """A cell's source range, blanks at both ends left out."""

    start: int
    end: int


@dataclass(slots=True)
class RawRow:
    """One row: its cells, and the rules in front of it (`full` for a line across the table, `part` for
    `\\cmidrule`).
    """

    cells: list[RawCell]
    full: bool = False
    part: bool = False
    space: bool = False


@dataclass(slots=True)
class RawBody:
    """All rows of an environment.  `heads` of them are headers by `\\endhead`; `None` when nothing says so."""

    rows: list[RawRow] = field(default_factory=list)
    heads: int | None = None
    problem: str | None = None
    nested: bool = False


_TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{([^{}\n]{1,40})\}"
    r"|(\\\\\*?|\\tabularnewline(?![A-Za-z@])|\\cr(?:cr)?(?![A-Za-z@])|\\tn(?![A-Za-z@]))"
    r"|\\[A-Za-z@]+|\\[\s\S]|[{}&]"
)
_RULES = {
    **dict.fromkeys(
        (
            "hline",
            "toprule",
            "midrule",
            "bottomrule",
            "Xhline",
            "hhline",
            "specialrule",
            "hdashline",
            "thickhline",
            "Hline",
            "firsthline",
            "lasthline",
            "tabucline",
            "heavyrule",
            "hrule",
            "thickmidrule",
            "Midrule",
        ),
        "full",
    ),
    **dict.fromkeys(("cmidrule", "cline", "cdashline", "Xcline", "Cline", "tcline", "cdashlinelr"), "part"),
    **dict.fromkeys(("addlinespace", "morecmidrules", "noalign"), "space"),
}


def _layouts(text: str) -> dict[str, str]:
    """Commands with the layout of their arguments: `o` optional, `p` in parentheses, `m` in braces."""
    return dict(item.partition(":")[::2] for item in text.split())


_RULE_ARGUMENTS = _layouts(
    "cmidrule:opm cline:m cdashline:mo Xhline:m hhline:m specialrule:mmm addlinespace:o noalign:m Xcline:mm hdashline:o"
    " tabucline:om toprule:o midrule:o bottomrule:o tcline:m Hline:o hline:o Cline:om cdashlinelr:m Midrule:o"
)
_HEADS = frozenset(("endhead", "endfirsthead", "endfoot", "endlastfoot"))
_SKIPPED = _layouts(
    "rowcolor:omoo rowcolors:ommm arrayrulecolor:om caption:om label:m centering: SetRow:om rowfont:om noindent:"
    " tablehead:m tabletail:m startdata: setcounter:mm RowStyle:om rowstyle:m setlength:mm captionsetup:om small:"
    " footnotesize: scriptsize: relax: nopagebreak:o pagebreak:o rowsep:m global: let: CodeBefore: Body: raggedright:"
    " hiderowcolors: showrowcolors: tablefirsthead:m tablelasttail:m vspace:m smallskip: medskip: bigskip: bigstrut:o"
    " allowbreak:"
)
_NAME = re.compile(r"\\([A-Za-z@]+)\*?")
_MAX_ROWS = 20_000
# Classes have rules of their own: \botrule, \colrule, \hlineB.
_LINE = re.compile(r"(?:rule|hline[A-Z]?|[a-z]Hline)$")


def split_body(source: str, start: int, end: int, macros: Macros) -> RawBody:
    """Cut `source[start:end]` (masked) at row and cell ends of its own level.  Linear."""
    body = RawBody()
    ends: list[tuple[int, int, list[RawCell]]] = []
    cells: list[RawCell] = []
    depth = nesting = 0
    cell_start = start
    tabulars: list[bool] = []
    for match in _TOKEN.finditer(source, start, end):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                body.problem = "A closing brace in the table opens nowhere."
                return body
        elif match[1] is not None:
            opens = sign.startswith("\\begin")
            nesting += 1 if opens else -1
            if opens:
                tabulars.append("tabular" in match[1] or match[1] in ("longtable", "tblr"))
            elif tabulars:
                tabulars.pop()
            if nesting < 0:
                body.problem = f"`\\end{{{match[1]}}}` in the table ends nothing."
                return body
        elif sign == "&":
            if nesting and any(tabulars) and not body.nested:
                body.nested = True
            if depth == 0 and nesting == 0:
                cells.append(RawCell(cell_start, match.start()))
                cell_start = match.end()
        elif match[2] is not None and depth == 0 and nesting == 0:
            cells.append(RawCell(cell_start, match.start()))
            after = match.end()
            if sign[1] == "\\":
                peek = skip_blanks(source, after, end)
                if peek < end and source[peek] == "[":
                    after = bracket_end(source, peek, end) or after
            ends.append((cells[0].start, after, cells))
            cells = []
            cell_start = after
            if len(ends) > _MAX_ROWS:
                body.problem = "The table has too many rows."
                return body
    if depth or nesting:
        body.problem = "The braces in the table do not match." if depth else "An environment in the table does not end."
        return body
    cells.append(RawCell(cell_start, end))
    ends.append((cells[0].start, end, cells))
    _rows(source, ends, macros, body)
    return body


def _rows(source: str, ends: list[tuple[int, int, list[RawCell]]], macros: Macros, body: RawBody) -> None:
    """Take rules and declarations off the front of each row and sort the heads of a long table."""
    segments: dict[str, list[RawRow]] = {}
    waiting: list[RawRow] = []
    row = RawRow([])
    for _, _, cells in ends:
        first = cells[0]
        position, marks = _front(source, first.start, first.end, macros, row)
        for head in marks:
            segments.setdefault(head, waiting)
            waiting = []
        cells[0] = RawCell(position, first.end)
        row.cells = [_trimmed(source, cell) for cell in cells]
        if len(row.cells) == 1 and row.cells[0].start >= row.cells[0].end:
            # Nothing but rules: they belong to the next row.
            continue
        waiting.append(row)
        row = RawRow([])
    if segments:
        first_head = segments.get("endfirsthead") or segments.get("endhead") or []
        body.heads = len(first_head)
        body.rows = [*first_head, *waiting]
    else:
        body.rows = waiting


def _trimmed(source: str, cell: RawCell) -> RawCell:
    start, end = cell
    text = source[start:end]
    start += len(text) - len(text.lstrip())
    end = max(start, end - len(text) + len(text.rstrip()))
    if end < cell.end and end > start and source[end - 1] == "\\" and source[end : end + 1] == " ":
        end += 1
    return RawCell(start, end)


def _front(source: str, position: int, limit: int, macros: Macros, row: RawRow) -> tuple[int, list[str]]:
    """Skip what stands in front of a row's first cell and note the rules."""
    heads: list[str] = []
    while True:
        position = skip_blanks(source, position, limit)
        match = _NAME.match(source, position, limit)
        if match is None:
            return position, heads
        name = match[1]
        rule = _RULES.get(name) or _macro_rule(name, macros)
        if rule is None and name not in macros and _LINE.search(name) is not None:
            rule = "full"
        if rule is not None:
            if rule == "full":
                row.full = True
            elif rule == "part":
                row.part = True
            else:
                row.space = True
            position = _skip(source, match.end(), limit, _RULE_ARGUMENTS.get(name, ""))
        elif name in _HEADS:
            heads.append(name)
            row.full = row.part = False
            position = match.end()
        elif name in _SKIPPED:
            position = _skip(source, match.end(), limit, _SKIPPED[name])
        else:
            return position, heads


def _macro_rule(name: str, macros: Macros) -> str | None:
    """A user macro that draws a line: `\\newcommand{\\thickline}{\\noalign{...}\\hrule}` and the like."""
    macro = macros.get(name)
    if macro is None or macro.arity > 1 or len(macro.body) > 600:
        return None
    body = macro.body
    if "\\cmidrule" in body or "\\cline" in body:
        return "part" if "&" not in body else None
    if (
        any(rule in body for rule in ("\\hline", "rule", "\\noalign", "\\hrule"))
        and "\\textbf" not in body
        and "&" not in body
    ):
        return "full" if "\\multi" not in body else None
    return None


def _skip(source: str, position: int, limit: int, layout: str) -> int:
    """Behind the arguments of a command: `o` optional, `p` in parentheses, `m` in braces."""
    for kind in layout:
        start = skip_blanks(source, position, limit)
        if start >= limit:
            return position
        if kind == "o" and source[start] == "[":
            position = bracket_end(source, start, limit) or position
        elif kind == "p" and source[start] == "(":
            close = source.find(")", start, min(limit, start + 40))
            position = close + 1 if close >= 0 else position
        elif kind == "m" and source[start] == "{":
            position = group_end(source, start, limit) or position
    return position
