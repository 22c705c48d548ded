"""Parts of entries that several rules read: the year, names with their places, fields that hold text or addresses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.citations import lists
from analyzers.project.bibliography import BibEntry, BibField, EntryBody

NAME_FIELDS = ("author", "editor")
_LEADING_YEAR = re.compile(r"[\s{~]*(\d{4})(?!\d)")


class NamePart(NamedTuple):
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
    return entry.body.derived("year", _year)


def _year(body: EntryBody) -> int | None:
    return year_number(year_field(BibEntry("", 0, body)))


def name_parts(text: str) -> Iterator[NamePart]:
    """The names in the source of an author list, split at `and` outside braces; empty ones are left out."""
    start = 0
    for end in (*lists.separators(text), len(text)):
        led = text[start:end].lstrip()
        bare = led.rstrip()
        if bare:
            begin = end - len(led)
            yield NamePart(bare, begin, begin + len(bare))
        start = end + len("and")


def outside_braces(text: str, characters: str) -> list[int]:
    """Offsets of the given characters outside braces, escaped ones excepted."""
    return lists.outside_braces(re.finditer(rf"\\.|[{{}}{re.escape(characters)}]", text, re.DOTALL))
