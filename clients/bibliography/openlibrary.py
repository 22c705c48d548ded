"""OpenLibrary: books by ISBN and by title.  A catalogue made by volunteers: what it lacks may well exist."""

import re
from collections.abc import Iterator
from typing import Any

from analyzers.citations.record import Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://openlibrary.org"
ROWS = 10
# Editions of a classic; more years than these would make the year of an entry meaningless.
MOST_YEARS = 40
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publish_year,publisher"


class OpenLibrary(Adapter):
    name = "OpenLibrary"
    schemes = frozenset({Scheme.ISBN})

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        self.endpoint = Endpoint(self.name, base_url, transport, policy=Policy(rate=1), clock=clock)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        if not re.fullmatch(r"\d{9}[\dX]|\d{13}", identifier.value):
            return NotAsked("not an ISBN")
        name = f"ISBN:{identifier.value}"
        reply = await self.endpoint.get("/api/books", {"bibkeys": name, "format": "json", "jscmd": "data"})
        books = reply.json()
        if not isinstance(books, dict):
            raise self.endpoint.malformed()
        if not books:
            return NotFound()
        record = _book(books[name], identifier.value)
        return Found((record,) if record else ())

    async def _search(self, query: TitleQuery) -> Outcome:
        words = shapes.words(query.title)
        if not words:
            return NotAsked("no words to search for")
        reply = await self.endpoint.get(
            "/search.json", {"title": " ".join(words), "fields": _FIELDS, "limit": str(ROWS)}
        )
        works = reply.json()["docs"]
        if not isinstance(works, list):
            raise self.endpoint.malformed()
        records = [record for work in shapes.mappings(works) if (record := _work(work))]
        return Found(shapes.by_closeness(query.title, records)) if records else NotFound()


def _title(item: dict[str, Any]) -> str:
    title, subtitle = shapes.text(item.get("title")), shapes.text(item.get("subtitle"))
    return f"{title}: {subtitle}" if title and subtitle else title


def _book(book: dict[str, Any], isbn: str) -> Record | None:
    """An edition; its date is text such as "October 1, 1988"."""
    title = _title(book)
    if not title:
        return None
    years = re.findall(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)", shapes.text(book.get("publish_date")))
    publishers = [shapes.text(item.get("name")) for item in shapes.mappings(book.get("publishers"))]
    return Record(
        title=title,
        authors=shapes.names(shapes.display_name(item.get("name")) for item in shapes.mappings(book.get("authors"))),
        year=int(years[-1]) if years else None,
        venue=next(iter(publishers), ""),
        url=shapes.text(book.get("url")),
        kind="book",
        source=OpenLibrary.name,
        identifier=isbn,
        # Editors and translators are often missing from editions.
        authors_complete=False,
    )


def _work(work: dict[str, Any]) -> Record | None:
    """A work with all its editions."""
    title = _title(work)
    if not title:
        return None
    key = shapes.text(work.get("key"))
    first = shapes.year(work.get("first_publish_year"))
    return Record(
        title=title,
        authors=shapes.names(shapes.display_name(name) for name in shapes.items(work.get("author_name"))),
        year=first,
        venue=shapes.text(work.get("publisher")),
        url=f"{BASE_URL}{key}" if key else "",
        kind="book",
        source=OpenLibrary.name,
        identifier=key,
        other_years=shapes.other_years(first, _years(work)),
        authors_complete=False,
    )


def _years(work: dict[str, Any]) -> Iterator[int | None]:
    return (shapes.year(value) for value in shapes.items(work.get("publish_year"))[:MOST_YEARS])
