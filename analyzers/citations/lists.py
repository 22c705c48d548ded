"""Author lists: where the `and` stand that separate the names."""

import re
from collections.abc import Iterable

from analyzers.citations.folding import caseless

_AND = re.compile(r"and(?<=\sand)(?=\s)")
# Every alternative begins with a character of its own, so that the search can skip to the next of them.
_MARK = re.compile(r"\\.|\{|\}|and(?<=[\s}]and)(?=[\s{])", re.DOTALL)


def separators(text: str) -> list[int]:
    """Offsets of the `and` that stand outside braces, in any case; each is three characters long."""
    folded = caseless(text)
    if "{" not in text and "}" not in text and "\\" not in text:
        return [mark.start() for mark in _AND.finditer(folded)]
    return outside_braces(_MARK.finditer(folded))


def outside_braces(marks: Iterable[re.Match[str]]) -> list[int]:
    """Where those marks begin that stand outside braces; braces and escapes (a backslash and what follows) are marks too."""
    found: list[int] = []
    depth = 0
    for mark in marks:
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and mark[0][0] != "\\":
            found.append(mark.start())
    return found
