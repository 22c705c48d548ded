"""Line index: offsets to lines and columns, counting lines as LSP does."""

import re
from bisect import bisect_right
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\r|\n")


class LineIndex:
    """Lines of one text.

    LSP knows the line ends ``\\n``, ``\\r\\n`` and ``\\r`` only (specification 3.17, *Text Documents*); form feeds, vertical
    tabs, NEL and U+2028/2029 are ordinary characters.  Lines and columns count from 0, columns in code points.
    """

    __slots__ = ("_known", "_text")

    def __init__(self, text: str, starts: list[int] | None = None) -> None:
        """`starts` are those of the lines when they are known; they are looked for when first asked for otherwise."""
        self._text = text
        self._known = starts

    @property
    def _starts(self) -> list[int]:
        if self._known is None:
            self._known = [0, *line_starts(self._text)]
        return self._known

    @property
    def count(self) -> int:
        """How many lines there are; an empty text has one."""
        return len(self._starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, which is clamped into the text."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def line_span(self, line: int) -> tuple[int, int]:
        """Start and end of a line without its line end; lines past the end give the end of the text."""
        if line >= len(self._starts):
            return len(self._text), len(self._text)
        start = self._starts[max(line, 0)]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        if line + 1 < len(self._starts):
            end -= 2 if self._text.endswith("\r\n", start, end) else 1
        return start, end

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; columns past the end of the line clamp to its end, lines past the end to the text's."""
        if line < 0:
            return 0
        start, end = self.line_span(line)
        return min(start + max(column, 0), end)


def line_ends(text: str) -> int:
    """How many line ends there are."""
    return text.count("\n") if "\r" not in text else sum(1 for _ in _LINE_END.finditer(text))


def line_starts(text: str) -> list[int]:
    """Offsets at which the lines of `text` start, except the first."""
    if "\r" in text:
        return [match.end() for match in _LINE_END.finditer(text)]
    return list(accumulate(len(line) + 1 for line in text.split("\n")[:-1]))
