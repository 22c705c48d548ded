"""Text of a manuscript on a screen: nothing in it may steer the terminal, and its underlining must stand below it."""

import unicodedata
from dataclasses import dataclass

TAB = "    "
_MAX_MARKS = 4
"""Combining marks shown on one character; piles of them would reach into other lines."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line, or a window of it, and the underlining of a range in it; both are safe to print."""

    line: str
    underline: str


def shown(character: str) -> tuple[str, int]:
    """How a character is put on the screen, and how many cells that takes.

    Control characters, invisible and direction-changing ones are shown by name instead of being obeyed.
    """
    if " " <= character <= "~":
        return character, 1
    if character == "\t":
        return TAB, len(TAB)
    code = ord(character)
    category = unicodedata.category(character)
    if category == "Cc":
        picture = chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else f"<U+{code:04X}>"
        return picture, len(picture)
    if category in {"Cf", "Cs", "Cn", "Co", "Zl", "Zp"}:
        name = f"<U+{code:04X}>"
        return name, len(name)
    if category in {"Mn", "Me"} or 0x1160 <= code <= 0x11FF:
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plain(text: str) -> str:
    """`text` on one line and safe to print."""
    return "".join(piece for piece, _ in _pieces(" ".join(text.split("\n"))))


def width_of(text: str) -> int:
    """How many cells `text` takes."""
    return sum(width for _, width in _pieces(text))


def excerpt(line: str, start: int, end: int, width: int = 100) -> Excerpt:
    """The part of `line` around the range from `start` to `end`, at most `width` cells wide, with the range underlined.

    An empty range, or one behind the end of the line, is marked by one sign.  The cost does not depend on the length of
    the line.
    """
    start = min(max(start, 0), len(line))
    end = min(max(end, start), len(line))
    # Every character but combining marks takes a cell, and of those only a few are shown on one character.
    low = max(0, start - width * (_MAX_MARKS + 1))
    high = min(len(line), start + width * (_MAX_MARKS + 1))
    pieces = _pieces(line[low:high])
    first, last = _window([cells for _, cells in pieces], start - low, width - 2)
    cut_left = "…" if low + first > 0 else ""
    cut_right = "…" if low + last < len(line) else ""
    text = cut_left + "".join(piece for piece, _ in pieces[first:last]) + cut_right
    before = len(cut_left) + sum(cells for _, cells in pieces[first : start - low])
    marked = sum(cells for _, cells in pieces[start - low : min(end - low, last)])
    return Excerpt(text, " " * before + "^" * max(marked, 1))


def _window(cells: list[int], start: int, width: int) -> tuple[int, int]:
    """From which piece to which the window reaches: two thirds of it follow `start`, unless less follows."""
    following = 0
    for size in cells[start:]:
        following += size
        if following > width:
            break
    budget = width - min(following, width - width // 3)
    first = start
    while first > 0 and budget >= cells[first - 1]:
        first -= 1
        budget -= cells[first]
    left = width
    last = first
    while last < len(cells) and left >= cells[last]:
        left -= cells[last]
        last += 1
    return first, max(last, start)


def _pieces(text: str) -> list[tuple[str, int]]:
    pieces: list[tuple[str, int]] = []
    marks = 0
    for character in text:
        piece, width = shown(character)
        marks = marks + 1 if width == 0 else 0
        if marks > _MAX_MARKS:
            piece = ""
        pieces.append((piece, width))
    return pieces
