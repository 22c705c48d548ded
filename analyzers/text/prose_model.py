"""The data of prose: pieces that map to the source, parts, and the builder that puts them together."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from analyzers.text.lex import Command, Lexed, MaskKind

CITATION = "\ue000"
REFERENCE = "\ue001"
MATH_PLACE = "\ue002"
UNKNOWN = "\ue003"
PLACEHOLDERS = CITATION + REFERENCE + MATH_PLACE + UNKNOWN


class PieceKind(IntEnum):
    """How a stretch of prose relates to its source; TEXT and MATH map code point by code point, the others as a whole."""

    TEXT = 0
    MATH = 1
    SYMBOL = 2
    MACRO = 3
    PLACE = 4


class Piece(NamedTuple):
    """A stretch of prose that starts at `start` and came from the source range."""

    start: int
    source_start: int
    source_end: int
    kind: PieceKind


class PartKind(IntEnum):
    """What a part of the prose is; sentences never cross parts."""

    BODY = 0
    HEADING = 1
    CAPTION = 2
    FOOTNOTE = 3
    ITEM = 4
    TITLE = 5
    ABSTRACT = 6


class Part(NamedTuple):
    """One paragraph, heading, caption, footnote or item within the prose."""

    start: int
    end: int
    kind: PartKind


@dataclass(frozen=True, slots=True)
class Prose:
    """Plain text of one block; `source` maps a range of it back to offsets relative to the block."""

    text: str
    pieces: tuple[Piece, ...]
    parts: tuple[Part, ...]

    def _piece(self, offset: int) -> tuple[Piece, int]:
        # A tuple of one is less than any piece that begins there, so this finds the pieces that begin up to `offset`.
        index = max(bisect_left(self.pieces, (offset + 1,)) - 1, 0)
        end = self.pieces[index + 1].start if index + 1 < len(self.pieces) else len(self.text)
        return self.pieces[index], end

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The smallest source range that holds the prose from `start` to `end`; placeholders and symbols count as a whole."""
        if not self.pieces:
            return 0, 0
        first, _first_end = self._piece(start)
        last, _last_end = self._piece(max(end - 1, start))
        if first.kind <= PieceKind.MATH:
            source_start = min(first.source_start + start - first.start, first.source_end)
        else:
            source_start = first.source_start
        if last.kind <= PieceKind.MATH:
            source_end = min(last.source_start + max(end, start) - last.start, last.source_end)
        else:
            source_end = last.source_end
        # Footnotes and captions stand in another order in the source; a range never turns around.
        return source_start, max(source_end, source_start)

    def kind_at(self, offset: int) -> PieceKind:
        """The kind of the piece that holds `offset`."""
        return self._piece(offset)[0].kind if self.pieces else PieceKind.TEXT


class MacroView(NamedTuple):
    """What the prose needs to know of the user's macros: text of one without arguments, and which wrap citing or referencing commands."""

    expansion: Callable[[str], str | None]
    citing: frozenset[str]
    referencing: frozenset[str]
    labelling: frozenset[str]
    bodies: Callable[[str], tuple[int, str] | None]
    silent: frozenset[str] = frozenset()


NO_MACROS = MacroView(lambda name: None, frozenset(), frozenset(), frozenset(), lambda name: None)


class Builder:
    """Collects prose and its pieces; everything it does is local to one call of `prose`."""

    def __init__(self, source: str, lexed: Lexed, macros: MacroView, expanded: Callable[[str], str]) -> None:
        self.source = source
        self.lexed = lexed
        self.macros = macros
        self.expanded = expanded  # the prose of a macro body
        self.out: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        self.parts: list[Part] = []
        self.later: list[tuple[PartKind, int, int]] = []
        self.part_start = 0
        self.kind = PartKind.BODY
        self.skips = {mask.start: mask.end for mask in lexed.masks if mask.kind is not MaskKind.COMMENT}
        self.math = dict(lexed.math)
        self.commands: dict[int, Command] = {command.start: command for command in lexed.commands}

    def put(self, text: str, start: int, end: int, kind: PieceKind) -> None:
        if not text:
            return
        if (text == " ") and (self.length == self.part_start or (self.out and self.out[-1].endswith(" "))):
            return  # one blank is enough, and none at the start of a part
        if kind <= PieceKind.MATH and self.pieces:
            last = self.pieces[-1]
            if last.kind is kind and last.source_end == start and self.length - last.start == start - last.source_start:
                self.pieces[-1] = Piece(last.start, last.source_start, end, kind)
                self.out.append(text)
                self.length += len(text)
                return
        self.pieces.append(Piece(self.length, start, end, kind))
        self.out.append(text)
        self.length += len(text)

    def break_part(self, kind: PartKind, at: int) -> None:
        """End the current part; the next one is of `kind`."""
        if self.length > self.part_start:
            self.parts.append(Part(self.part_start, self.length, self.kind))
            self.pieces.append(Piece(self.length, at, at, PieceKind.SYMBOL))
            self.out.append("\n\n")
            self.length += 2
        self.part_start = self.length
        self.kind = kind

    def finish(self) -> Prose:
        if self.length > self.part_start:
            self.parts.append(Part(self.part_start, self.length, self.kind))
        return Prose("".join(self.out), tuple(self.pieces), tuple(self.parts))
