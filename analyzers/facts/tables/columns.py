"""Column specifications: how many columns `{l S[table-format=2.1] *{3}{c} @{}}` declares, and of which type."""

import re
from typing import NamedTuple

from analyzers.facts.tables.macros import Macros
from analyzers.facts.tables.masks import bracket_end, group_end, skip_blanks

_MAX_COLUMNS = 400
_STAR = re.compile(r"\*\s*(?:\{\s*(\d{1,3})\s*\}|(\d))\s*(?=\{)")
_WITH_WIDTH = frozenset("pmbwW")
_NO_COLUMN = frozenset("@!><")
_BUILT_IN = frozenset("lcrXSsJjtnNQ")


class Specification(NamedTuple):
    """Column types in order ("S" for siunitx numbers), or the reason why the specification cannot be read."""

    types: tuple[str, ...]
    problem: str | None = None


def specification(text: str, macros: Macros | None = None) -> Specification:
    """Read a column specification without its braces; `macros` are column types of the manuscript by their letter."""
    types: list[str] = []
    problem = _read(text, types, macros or {}, 0)
    return Specification(tuple(types), problem)


def _read(text: str, types: list[str], macros: Macros, depth: int) -> str | None:
    position, limit = 0, len(text)
    while position < limit:
        position = skip_blanks(text, position, limit)
        if position >= limit:
            return None
        sign = text[position]
        if len(types) > _MAX_COLUMNS or depth > 6:
            return "The table declares too many columns."
        if sign in "|:;.~":
            position += 1
        elif sign == "*":
            star = _STAR.match(text, position)
            end = group_end(text, star.end(), limit) if star is not None else None
            if star is None or end is None:
                return "The column specification cannot be read: a `*` without a number and a group."
            inner = text[star.end() + 1 : end - 1]
            for _ in range(min(int(star[1] or star[2]), _MAX_COLUMNS)):
                problem = _read(inner, types, macros, depth + 1)
                if problem is not None:
                    return problem
            position = end
        elif sign in macros:
            macro = macros[sign]
            position = _arguments(text, position + 1, limit, macro.arity)
            problem = _read(re.sub(r"#\d", "1", macro.body), types, macros, depth + 1)
            if problem is not None:
                return problem
        elif sign in _NO_COLUMN:
            position = _arguments(text, position + 1, limit, 1)
        elif sign.isalpha():
            types.append(sign)
            position = _arguments(text, position + 1, limit, 2 if sign in "wWD" else 1)
            if sign == "D":
                position = _arguments(text, position, limit, 1)
        elif sign == "\\":
            match = re.compile(r"\\[A-Za-z@]+|\\.", re.DOTALL).match(text, position)
            position = match.end() if match is not None else position + 1
            position = _arguments(text, position, limit, 1)
        elif sign in "{}[],=0123456789":
            position = group_end(text, position, limit) or position + 1
        else:
            return f"The column specification holds `{sign}`, a column type that is not known."
    return None


def _arguments(text: str, position: int, limit: int, count: int) -> int:
    """Behind an optional argument and up to `count` groups."""
    start = skip_blanks(text, position, limit)
    if start < limit and text[start] == "[":
        position = bracket_end(text, start, limit) or position
    for _ in range(count):
        start = skip_blanks(text, position, limit)
        if start >= limit or text[start] != "{":
            return position
        position = group_end(text, start, limit) or position + 1
    return position


_NEW_TYPE = re.compile(r"\\newcolumntype\s*(?:\{\s*(\S)\s*\}|(\S))\s*(?:\[(\d)\])?\s*(?:\[[^\]]*\])?\s*(?=\{)")


class ColumnType(NamedTuple):
    """A column type defined by `\\newcolumntype`; satisfies `MacroLike`."""

    arity: int
    body: str


def column_types(source: str) -> dict[str, ColumnType]:
    """The column types that a piece of source defines, by their letter."""
    found: dict[str, ColumnType] = {}
    if "\\newcolumntype" not in source:
        return found
    for match in _NEW_TYPE.finditer(source):
        end = group_end(source, match.end(), len(source))
        if end is not None:
            found[match[1] or match[2]] = ColumnType(int(match[3] or 0), source[match.end() + 1 : end - 1])
    return found
