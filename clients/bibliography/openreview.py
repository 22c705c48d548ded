"""OpenReview: submissions by title (the search endpoint; the others need a login).

A venue stands in a record only when the venue itself put it there: self-published notes name any.
"""

import re
from typing import Any

from analyzers.citations.record import Entry, Identifier, Record
from analyzers.citations.source import NotAsked, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://api2.openreview.net"
ROWS = 25
_SELF_PUBLISHED = re.compile(r"^OpenReview\.net/", re.IGNORECASE)
_NOT_ACCEPTED = re.compile(r"withdrawn|reject|submission|submitted", re.IGNORECASE)
_MILLISECONDS_PER_YEAR = 31_556_952_000


class OpenReview(Adapter):
    name = "OpenReview"

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        self.endpoint = Endpoint(self.name, base_url, transport, policy=Policy(rate=1), clock=clock)

    def covers(self, entry: Entry) -> bool:
        return coverage.is_on_openreview(entry)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        return NotAsked(f"{self.name} answers for {identifier.scheme.value} only after a login")

    async def _search(self, query: TitleQuery) -> Outcome:
        params = {"term": query.title, "content": "all", "group": "all", "source": "forum", "limit": str(ROWS)}
        notes = (await self.endpoint.get("/notes/search", params)).json()["notes"]
        if not isinstance(notes, list):
            raise self.endpoint.malformed()
        submissions = [note for note in notes if not isinstance(note, dict) or _content(note, "authors") is not None]
        records = [record for note in shapes.mappings(submissions) if (record := _record(note))]
        return self._outcome(shapes.by_closeness(query.title, records), len(submissions))


def _content(note: dict[str, Any], field: str) -> Any:
    """A field of a note: `{"value": …}` in the present interface, the bare value in the older one."""
    value = shapes.mapping(note.get("content")).get(field)
    return value.get("value") if isinstance(value, dict) else value


def _record(note: dict[str, Any]) -> Record | None:
    title = shapes.text(_content(note, "title"))
    authors = [shapes.display_name(author) for author in shapes.items(_content(note, "authors"))]
    # Reviews and comments have titles too, but no authors.
    if not title or not authors:
        return None
    venue_id = shapes.text(_content(note, "venueid"))
    venue = shapes.text(_content(note, "venue"))
    accepted = bool(venue) and not _SELF_PUBLISHED.search(venue_id) and not _NOT_ACCEPTED.search(f"{venue} {venue_id}")
    forum = shapes.text(note.get("forum")) or shapes.text(note.get("id"))
    named = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", f"{venue} {venue_id}")
    dates = [_year(note.get(field)) for field in ("pdate", "cdate")]
    year = int(named[0]) if named else next((date for date in dates if date), None)
    return Record(
        title=title,
        authors=shapes.names(authors),
        year=year,
        venue=venue if accepted else "",
        url=f"https://openreview.net/forum?id={forum}",
        kind="paper" if accepted else "submission",
        source=OpenReview.name,
        identifier=forum,
        other_years=shapes.other_years(year, dates),
    )


def _year(milliseconds: Any) -> int | None:
    """The year of a time stamp; two days at the turn of a year do not matter here."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int):
        return None
    return shapes.year(1970 + milliseconds // _MILLISECONDS_PER_YEAR)
