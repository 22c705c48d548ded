"""OpenLibrary: books by ISBN and by title.  A catalogue made by volunteers: what it lacks may well exist."""

import re
from collections.abc import Iterator
from typing import Any

from analyzers.citations.record import Identifier, Record, Scheme
from analyzers.citations.source import NotAsked, Outcome, TitleQuery
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
        # The look-up proper answers an unknown ISBN with an empty object, which any confused server can send too.
        records = await self._works({"q": f"isbn:{identifier.value}", "limit": "3"})
        return self._outcome(*records)

    async def _search(self, query: TitleQuery) -> Outcome:
        words = shapes.words(query.title)
        if not words:
            return NotAsked("no words to search for")
        records, given = await self._works({"title": " ".join(words), "limit": str(ROWS)})
        return self._outcome(shapes.by_closeness(query.title, records), given)

    async def _works(self, params: dict[str, str]) -> tuple[tuple[Record, ...], int]:
        answer = (await self.endpoint.get("/search.json", {**params, "fields": _FIELDS})).json()
        works = answer["docs"]
        if not isinstance(works, list) or not isinstance(answer["numFound"], int):
            raise self.endpoint.malformed()
        return tuple(record for work in shapes.mappings(works) if (record := _work(work))), len(works)


def _title(item: dict[str, Any]) -> str:
    title, subtitle = shapes.text(item.get("title")), shapes.text(item.get("subtitle"))
    return f"{title}: {subtitle}" if title and subtitle else title


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
