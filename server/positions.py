"""Code points on our side, the client's units on the other.  The only place that converts between them.

LSP positions are a line and a column in the negotiated encoding.  Everything a client can send is clamped: a line
beyond the end means the end of the text, a column beyond the end of a line means the end of that line (before its line
break), a column inside a character means its start.
"""

import re
from enum import StrEnum
from typing import Protocol

from lsprotocol import types as lsp

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


class Encoding(StrEnum):
    """What a client counts columns in."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Lines(Protocol):
    """A line index in code points; lines end with \\n, \\r\\n or \\r and nothing else."""

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 0."""

    def line_span(self, line: int) -> tuple[int, int]:
        """Where a line starts and ends; the line break may be in it."""


class Snapshot(Protocol):
    """One version of a text."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def lines(self) -> Lines:
        """Its line index."""


def units(text: str, encoding: Encoding) -> int:
    """The length of `text` in the client's units.  A lone surrogate counts as its code point would."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + len(_ASTRAL.findall(text))


def code_points(line: str, column: int, encoding: Encoding) -> int:
    """The column in code points for `column` in the client's units, at most the length of `line`."""
    if encoding is Encoding.UTF32 or line.isascii():
        return min(column, len(line))
    if encoding is Encoding.UTF8:
        return _from_utf8(line, column)
    return _from_utf16(line, column)


def _from_utf8(line: str, column: int) -> int:
    encoded = line.encode("utf-8", "surrogatepass")
    if column >= len(encoded):
        return len(line)
    inside = 0x80 <= encoded[column] < 0xC0
    return len(encoded[:column].translate(None, _CONTINUATION_BYTES)) - inside


def _from_utf16(line: str, column: int) -> int:
    for extra, match in enumerate(_ASTRAL.finditer(line)):
        start = match.start() + extra
        if column <= start:
            return column - extra
        if column == start + 1:
            return match.start()
    return min(column - len(_ASTRAL.findall(line)), len(line))


def to_position(snapshot: Snapshot, offset: int, encoding: Encoding) -> lsp.Position:
    """The client's position of a code point offset, which is clamped to the text."""
    offset = min(max(offset, 0), len(snapshot.text))
    line, column = snapshot.lines.line_column(offset)
    if encoding is not Encoding.UTF32:
        column = units(snapshot.text[offset - column : offset], encoding)
    return lsp.Position(line=line, character=column)


def to_range(snapshot: Snapshot, start: int, end: int, encoding: Encoding) -> lsp.Range:
    """The client's range of a half-open range of code points."""
    return lsp.Range(start=to_position(snapshot, start, encoding), end=to_position(snapshot, end, encoding))


def to_offset(snapshot: Snapshot, position: lsp.Position, encoding: Encoding) -> int:
    """The code point offset of a client's position, clamped as said above; `position` is left as it is."""
    text = snapshot.text
    last_line, _ = snapshot.lines.line_column(len(text))
    if position.line > last_line:
        return len(text)
    start, end = snapshot.lines.line_span(max(position.line, 0))
    line = text[start:end].rstrip("\r\n")
    return start + code_points(line, max(position.character, 0), encoding)


def to_offsets(snapshot: Snapshot, span: lsp.Range, encoding: Encoding) -> tuple[int, int]:
    """Start and end in code points of a client's range; a reversed range is turned round."""
    first = to_offset(snapshot, span.start, encoding)
    second = to_offset(snapshot, span.end, encoding)
    return min(first, second), max(first, second)
