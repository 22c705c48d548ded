"""Keys of typeset bibliographies: `thebibliography` in a `.tex` or `.bbl`, and biblatex's own `.bbl`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BIBITEM = re.compile(r"\\bibitem\b\*?|\\(?:entry|set)\s*(?=\{)|\\(?:harvarditem|bibitemdeclare)\b|(?<!\\)%[^\r\n]*+")
_SPACE = re.compile(r"(?:\s++|%[^\r\n]*+)*+")
_GROUP = re.compile(r"\{([^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+)\}")
_STOP = re.compile(r"[\[\]{}]|\\.|%[^\r\n]*+", re.DOTALL)
_LONGEST_LABEL = 5000
_MARKS_OF_BIBLATEX = ("$ biblatex auxiliary file", "\\refsection{", "\\datalist[", "\\sortlist[")
_BLANKS = re.compile(r"\s++")


@dataclass(frozen=True, slots=True)
class TypesetItem:
    """A key at `key_start..key_end` (code points into the text); `kind` is biblatex's entry type or empty."""

    key: str
    key_start: int
    key_end: int
    kind: str = ""


def typeset_items(text: str) -> tuple[TypesetItem, ...]:
    r"""The keys that `text` defines by `\bibitem[label]{key}`, `\harvarditem[..]{label}{year}{key}`, or, in a `.bbl` of
    biblatex, by `\entry{key}{type}{}`, in the order of the text.  Commented-out items are left out; never raises.
    """
    return tuple(_items(text))


def _items(text: str) -> Iterator[TypesetItem]:
    # Only biblatex's own files define entries by \entry; elsewhere the name belongs to somebody else's macro.
    biblatex = any(mark in text for mark in _MARKS_OF_BIBLATEX)
    position = 0
    while (command := _BIBITEM.search(text, position)) is not None:
        position = command.end()
        name = command[0]
        if name.startswith(("%", "\\bibitemdeclare")):
            continue
        if name.startswith(("\\entry", "\\set")):
            if biblatex and name.startswith("\\entry"):
                yield from _biblatex_entry(text, position)
            continue
        yield from _bibitem(text, position, 3 if name == "\\harvarditem" else 1)


def _biblatex_entry(text: str, position: int) -> Iterator[TypesetItem]:
    key = _GROUP.match(text, position)
    if key is None:
        return
    kind = _GROUP.match(text, _skip(text, key.end()))
    yield from _item(key, kind[1].strip() if kind is not None else "")


def _bibitem(text: str, position: int, groups: int) -> Iterator[TypesetItem]:
    position = _skip(text, position)
    if text.startswith("[", position):
        position = _skip(text, _behind_option(text, position))
    for number in range(groups):
        group = _GROUP.match(text, position)
        if group is None:
            return
        if number == groups - 1:
            yield from _item(group, "")
        position = _skip(text, group.end())


def _item(group: re.Match[str], kind: str) -> Iterator[TypesetItem]:
    key = _BLANKS.sub(" ", group[1]).strip()
    if key:
        start = group.start(1) + len(group[1]) - len(group[1].lstrip())
        yield TypesetItem(key, start, group.start(1) + len(group[1].rstrip()), kind)


def _skip(text: str, position: int) -> int:
    gap = _SPACE.match(text, position)
    return position if gap is None else gap.end()


def _behind_option(text: str, position: int) -> int:
    """Offset behind the optional argument that opens at `position`; natbib's labels hold brackets inside braces.

    An unclosed one is given up at the next item or after 5,000 code points, so that all of them cost one pass.
    """
    depth = 0
    for mark in _STOP.finditer(text, position + 1, position + _LONGEST_LABEL):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth -= 1
        elif mark[0] == "]" and depth <= 0:
            return mark.end()
        elif text.startswith(("\\bibitem", "\\harvarditem"), mark.start()):
            return mark.start()
    return position
