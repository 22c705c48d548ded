"""The snapshot of one file: immutable text, its blocks, and edits that reuse every block they do not touch."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import accumulate
from typing import Any, TypeVar

from analyzers.text.lex import Lexed, lex
from analyzers.text.lines import line_ends, line_starts
from analyzers.text.split import AFTER_END, cuts

T = TypeVar("T")


class Block:
    """One paragraph-sized piece of a file, with its entry state and everything that was computed from it.

    Facts hold offsets relative to the block, so that an edit elsewhere moves nothing.  Blocks are shared between snapshots;
    they never change, apart from what is remembered on them.
    """

    __slots__ = ("_breaks", "_lexed", "_line_ends", "memo", "reach", "reading", "stack", "text")

    def __init__(self, text: str, stack: tuple[str, ...], reach: int, lexed: Lexed | None = None) -> None:
        self.text = text
        self.stack = stack
        self.reach = reach
        self.memo: dict[Hashable, Any] = {}
        self.reading: tuple[object, dict[Hashable, Any]] | None = None  # kept by `facts.view.block_fact`
        self._lexed = lexed
        self._breaks: list[int] | None = None
        self._line_ends: int | None = None

    @property
    def lexed(self) -> Lexed:
        """Commands, environments, math and masks; nothing of what follows `\\end{document}`."""
        if self._lexed is None:
            self._lexed = Lexed((), (), (), (), ()) if self.dead else lex(self.text)
        return self._lexed

    @property
    def dead(self) -> bool:
        """True for text after `\\end{document}`, which TeX never reads."""
        return bool(self.stack) and self.stack[-1] == AFTER_END

    @property
    def breaks(self) -> list[int]:
        """Where lines start within the block, relative to it, apart from its own start."""
        if self._breaks is None:
            self._breaks = line_starts(self.text)
        return self._breaks

    @property
    def line_ends(self) -> int:
        """How many line ends the block has; where they stand is asked for a few blocks only."""
        if self._line_ends is None:
            self._line_ends = line_ends(self.text)
        return self._line_ends

    def remember(self, key: Hashable, compute: Callable[["Block"], T]) -> T:
        """The value of `compute` for this block, computed once per `key`."""
        try:
            value: T = self.memo[key]
        except KeyError:
            value = self.memo[key] = compute(self)
        return value

    def __repr__(self) -> str:
        return f"Block({len(self.text)} code points, stack={self.stack!r})"


class Document:
    """Immutable text of one file cut into blocks.

    Invariant: `document.edit(...)` equals `Document(new text)`: same blocks, same entry states (a property test holds it).
    """

    __slots__ = ("_lines", "blocks", "starts", "text")

    def __init__(self, text: str, blocks: tuple[Block, ...] | None = None) -> None:
        """`blocks` are those of `text` when they are known; they are cut from it otherwise."""
        if blocks is None:
            blocks = tuple(Block(text[cut.start : cut.end], cut.stack, cut.reach) for cut in cuts(text))
        self.text = text
        self.blocks = blocks
        self.starts = [0, *accumulate(len(block.text) for block in blocks)]
        self._lines: BlockLines | None = None

    @classmethod
    def raw(cls, text: str) -> "Document":
        """A document of a file that is not TeX (a bibliography): one block, never lexed as TeX."""
        return cls(text, (Block(text, (AFTER_END,), len(text) + 1),) if text else ())

    @property
    def is_raw(self) -> bool:
        """True for a document made by `raw`."""
        return len(self.blocks) == 1 and self.blocks[0].stack == (AFTER_END,)

    @property
    def lines(self) -> "BlockLines":
        """The line index of this text."""
        if self._lines is None:
            self._lines = BlockLines(self)
        return self._lines

    def edit(self, start: int, end: int, replacement: str) -> "Document":
        """The document after replacing the code points from `start` to `end`; out-of-range offsets are clamped."""
        start = min(max(start, 0), len(self.text))
        end = min(max(end, start), len(self.text))
        text = self.text[:start] + replacement + self.text[end:]
        if self.is_raw:
            return Document.raw(text)
        return Document(text, tuple(self._spliced(text, start, end, len(replacement) - (end - start))))

    def _spliced(self, text: str, start: int, end: int, delta: int) -> Iterator[Block]:
        first = self._first_affected(start)
        yield from self.blocks[:first]
        if not self.blocks:
            yield from Document(text).blocks
            return
        position = self.starts[first]
        tail = bisect_left(self.starts, end, lo=first + 1)
        reusable: dict[str, list[Block]] = {}
        known = first
        for cut in cuts(text, position, self.blocks[first].stack):
            while tail < len(self.blocks) and self.starts[tail] + delta < cut.start:
                tail += 1
            aligned = tail < len(self.blocks) and self.starts[tail] >= end and self.starts[tail] + delta == cut.start
            if aligned and self.blocks[tail].stack == cut.stack:
                yield from self.blocks[tail:]
                return
            # Same text in another state: its lexing stays, what depends on the state goes.
            while known < min(tail + 2, len(self.blocks)):
                reusable.setdefault(self.blocks[known].text, []).append(self.blocks[known])
                known += 1
            piece = text[cut.start : cut.end]
            same = reusable.get(piece)
            if not same:
                yield Block(piece, cut.stack, cut.reach)
                continue
            exact = next((block for block in same if block.stack == cut.stack and block.reach == cut.reach), None)
            if exact is not None:
                same.remove(exact)
                yield exact
                continue
            lexed = None if same[0].dead or (cut.stack and cut.stack[-1] == AFTER_END) else same[0].lexed
            yield Block(piece, cut.stack, cut.reach, lexed)

    def _first_affected(self, offset: int) -> int:
        """The first block whose cut may depend on the text at `offset`."""
        for index, (block_start, block) in enumerate(zip(self.starts, self.blocks, strict=False)):
            if block_start + block.reach >= offset:
                return index
        return max(len(self.blocks) - 1, 0)

    def block_at(self, offset: int) -> int:
        """Index of the block that holds `offset` (the last one for the end of the text); -1 in an empty document."""
        return _block_at(self.starts, offset, len(self.blocks))


def _block_at(starts: Sequence[int], offset: int, count: int) -> int:
    return min(bisect_right(starts, offset) - 1, count - 1)


class BlockLines:
    """The line index of a document, put together from its blocks; same answers as `LineIndex`."""

    # The parts of the document, not the document, which keeps this index.
    __slots__ = ("_blocks", "_counts", "_starts", "_text")

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._blocks = document.blocks
        self._starts = document.starts
        self._counts = [0, *accumulate(block.line_ends for block in document.blocks)]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self._counts[-1] + 1

    def _line_start(self, line: int) -> int:
        if line <= 0:
            return 0
        if line > self._counts[-1]:
            return len(self._text)
        block = bisect_left(self._counts, line) - 1
        return self._starts[block] + self._blocks[block].breaks[line - self._counts[block] - 1]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, which is clamped into the text; both from 0, columns in code points."""
        offset = min(max(offset, 0), len(self._text))
        if not self._blocks:
            return 0, 0
        block = _block_at(self._starts, offset, len(self._blocks))
        relative = offset - self._starts[block]
        line = self._counts[block] + bisect_right(self._blocks[block].breaks, relative)
        return line, offset - self._line_start(line)

    def line_span(self, line: int) -> tuple[int, int]:
        """Start and end of a line without its line end; lines past the end give the end of the text."""
        text = self._text
        if line > self._counts[-1]:
            return len(text), len(text)
        line = max(line, 0)
        start = self._line_start(line)
        if line == self._counts[-1]:
            return start, len(text)
        end = self._line_start(line + 1)
        return start, end - (2 if text.endswith("\r\n", start, end) else 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; columns past the end of the line clamp to its end, lines past the end to the text's."""
        if line < 0:
            return 0
        start, end = self.line_span(line)
        return min(start + max(column, 0), end)
