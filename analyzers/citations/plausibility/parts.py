"""Parts of entries that several rules read: the year, names with their places, fields that hold text or addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzers.project.bibliography import BibEntry, BibField

NAME_FIELDS = ("author", "editor")
_LEADING_YEAR = re.compile(r"[\s{~]*(\d{4})(?!\d)")
_NAME_MARK = re.compile(r"\\.|[{}]|(?<=[\s}])and(?=[\s{])", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamePart:
    """One name of an author list: `start..end` count from the start of the text it was taken from."""

    text: str
    start: int
    end: int


def year_field(entry: BibEntry) -> BibField | None:
    """The field that gives the year: `year`, else biblatex's `date`."""
    return entry.field("year") or entry.field("date")


def year_number(item: BibField | None) -> int | None:
    """The four-digit year the value begins with (of a span of years the first); None when it begins otherwise."""
    match = _LEADING_YEAR.match(item.value) if item is not None else None
    return int(match[1]) if match is not None else None


def entry_year(entry: BibEntry) -> int | None:
    """The year of the entry, or None when it gives none in four digits."""
    return year_number(year_field(entry))


def name_parts(text: str) -> Iterator[NamePart]:
    """The names in the source of an author list, split at `and` outside braces; empty ones are left out."""
    depth = start = 0
    for mark in _NAME_MARK.finditer(text):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and len(mark[0]) == 3:
            yield from _stripped(text, start, mark.start())
            start = mark.end()
    yield from _stripped(text, start, len(text))


def _stripped(text: str, start: int, end: int) -> Iterator[NamePart]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    bare = piece.strip()
    if bare:
        yield NamePart(bare, start + left, start + left + len(bare))


def outside_braces(text: str, characters: str) -> list[int]:
    """Offsets of the given characters outside braces, escaped ones excepted."""
    found: list[int] = []
    depth = 0
    for mark in re.finditer(rf"\\.|[{{}}{re.escape(characters)}]", text, re.DOTALL):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and len(mark[0]) == 1:
            found.append(mark.start())
    return found
