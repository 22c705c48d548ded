"""Inline math written out flat: `$t(36)=2.43$` is `t(36)=2.43`, `\\times` is `×`, `5{,}000` is `5,000`."""

import re

from analyzers.text.commands import REF_ARGUMENTS
from analyzers.text.lex import is_citing, read_arguments
from analyzers.text.prose_model import CITATION, MATH_PLACE, REFERENCE, UNKNOWN, Builder, PieceKind
from analyzers.text.siunitx import SIUNITX, write_siunitx
from analyzers.text.symbols import DROPPED, MATH_SYMBOLS, SYMBOLS, TRANSPARENT

_MATH_TOKEN = re.compile(
    r"\\([A-Za-z@]+)\*?[ \t]*|\\([\s\S]?)|(\{,\})|([{}]+)|([ \t\r\n]+)|(~)|(%)[^\r\n]*(?:\r\n|\n|\r)?|(&)"
)
_FLAT_MATH_LIMIT = 160


def write_math(b: Builder, start: int, end: int) -> None:
    """Inline math flat; display math and long formulas as one character."""
    source = b.source
    if (
        source.startswith("$$", start)
        or source.startswith("\\[", start)
        or source.startswith("\\begin", start)
        or end - start > _FLAT_MATH_LIMIT
    ):
        b.put(MATH_PLACE, start, end, PieceKind.PLACE)
        return
    width = 2 if source.startswith("\\(", start) else 1
    _flat_math(b, start + width, end - width)


def _flat_math(b: Builder, position: int, limit: int) -> None:
    source = b.source
    while position < limit:
        match = _MATH_TOKEN.search(source, position, limit)
        at = match.start() if match else limit
        if at > position:
            b.put(source[position:at], position, at, PieceKind.MATH)
        if match is None:
            return
        position = match.end()
        name = match[1]
        if name is not None:
            position = min(_math_command(b, name, at, position, limit), limit)
        elif match[2] is not None:
            character = match[2]
            if character in "%$&#_{}":
                b.put(character, at, position, PieceKind.SYMBOL)
            elif character == ",":
                b.put("\u202f", at, position, PieceKind.SYMBOL)
            elif character in ";: \\":
                b.put(" ", at, position, PieceKind.SYMBOL)
        elif match[3] is not None:
            b.put(",", at, position, PieceKind.SYMBOL)
        elif match[5] is not None or match[6] is not None or match[8] is not None:
            b.put(" ", at, position, PieceKind.SYMBOL)


def _math_command(b: Builder, name: str, at: int, position: int, limit: int) -> int:
    source = b.source
    if name in MATH_SYMBOLS:
        b.put(MATH_SYMBOLS[name], at, position, PieceKind.SYMBOL)
        return position
    if name in SIUNITX:
        return write_siunitx(b, name, at, position)
    if name in TRANSPARENT or name in ("limits", "nolimits", "mathord"):
        return position
    if name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac"):
        groups, end = read_arguments(source, position, 2)
        braced = [group for group in groups if group.opening == "{"]
        if len(braced) == 2 and end <= limit:
            _flat_math(b, braced[0].start, braced[0].end)
            b.put("/", braced[0].end, braced[1].start, PieceKind.SYMBOL)
            _flat_math(b, braced[1].start, braced[1].end)
            return end
    if name in DROPPED:
        _, end = read_arguments(source, position, DROPPED[name])
        return end
    if is_citing(name) or name in REF_ARGUMENTS:
        known = b.commands.get(at)
        b.put(CITATION if is_citing(name) else REFERENCE, at, known.end if known else position, PieceKind.PLACE)
        return known.end if known else position
    expansion = b.macros.expansion(name)
    if expansion is not None:
        text = b.expanded("$" + expansion + "$" if "$" not in expansion else expansion)
        b.put(text or UNKNOWN, at, position, PieceKind.MACRO if text else PieceKind.PLACE)
        return position
    b.put(SYMBOLS.get(name, name), at, position, PieceKind.SYMBOL)
    return position
