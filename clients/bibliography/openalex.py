"""OpenAlex: works by DOI and by title; needs a key since 2026.

Its records are merged by machine and some carry another work's title or DOI, so it is a second opinion only.
"""

import re
from typing import Any

from analyzers.citations.record import Entry, Identifier, Record, Scheme, normal_arxiv_id, normal_doi
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://api.openalex.org"
ROWS = 10
# The service cuts author lists at this length in lists of works.
_AUTHORS_CUT = 100
_COPIES = "10.65215/"
_SELECT = (
    "id,doi,title,type,publication_year,publication_date,is_retracted,authorships,primary_location,locations,biblio"
)


class OpenAlex(Adapter):
    name = "OpenAlex"
    schemes = frozenset({Scheme.DOI})
    tells_retraction = True

    def __init__(self, transport: Transport, key: str, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        self.endpoint = Endpoint(self.name, base_url, transport, policy=Policy(rate=5, concurrency=2), clock=clock)
        self._key = key

    def covers(self, entry: Entry) -> bool:
        return coverage.is_paper(entry, 1990)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        # The list answers an unknown DOI in JSON; the address of a single work answers with a page.
        if re.search(r"[,|]", identifier.value):
            return NotAsked("the DOI holds a character that separates values there")
        works = await self._works(f"doi:{identifier.value}", 1)
        if not works:
            return NotFound()
        record = _record(works[0])
        return Found((record,) if record else ())

    async def _search(self, query: TitleQuery) -> Outcome:
        words = shapes.words(query.title)
        if not words:
            return NotAsked("no words to search for")
        works = await self._works(f"title.search:{' '.join(words)}", ROWS)
        records = [record for work in works if (record := _record(work))]
        return self._outcome(records, len(works))

    async def _works(self, condition: str, most: int) -> list[dict[str, Any]]:
        params = {"filter": condition, "select": _SELECT, "per_page": str(most), "api_key": self._key}
        answer = (await self.endpoint.get("/works", params)).json()
        works = answer["results"]
        if not isinstance(works, list) or not isinstance(answer["meta"]["count"], int):
            raise self.endpoint.malformed()
        readable = list(shapes.mappings(works))
        if len(readable) < len(works):
            raise self.endpoint.malformed()
        return readable


def _record(work: dict[str, Any]) -> Record | None:
    title, notice = shapes.split_notice(shapes.text(work.get("title")))
    if not title:
        return None
    doi, arxiv_id = shapes.doi_and_arxiv(work.get("doi"))
    year = shapes.year(work.get("publication_year"))
    if normal_doi(str(work.get("doi") or "")).startswith(_COPIES):
        # A merge with a copy of the paper: the copy's DOI and year are not the work's.
        doi, year = "", None
    place = shapes.mapping(work.get("primary_location"))
    authorships = list(shapes.mappings(work.get("authorships")))
    identifier = shapes.text(work.get("id")).rsplit("/", 1)[-1]
    return Record(
        title=title,
        # `raw_author_name` is what the paper prints; the display name is the outcome of disambiguation.
        authors=shapes.names(
            shapes.display_name(item.get("raw_author_name"))
            or shapes.display_name(shapes.mapping(item.get("author")).get("display_name"))
            for item in authorships
        ),
        year=year,
        venue=shapes.text(shapes.mapping(place.get("source")).get("display_name")),
        pages=_pages(shapes.mapping(work.get("biblio"))),
        doi=doi,
        url=shapes.text(work.get("id")),
        arxiv_id=arxiv_id or _arxiv_id(work),
        kind=shapes.text(work.get("type")),
        source=OpenAlex.name,
        identifier=identifier,
        other_years=shapes.other_years(year, (shapes.year(work.get("publication_date")),)) if year else (),
        authors_complete=len(authorships) < _AUTHORS_CUT,
        flags=shapes.unique((*notice, *(["retracted"] if work.get("is_retracted") is True else []))),
    )


def _pages(biblio: dict[str, Any]) -> str:
    first, last = shapes.text(biblio.get("first_page")), shapes.text(biblio.get("last_page"))
    return f"{first}--{last}" if first and last and first != last else first


def _arxiv_id(work: dict[str, Any]) -> str:
    pages = (shapes.text(place.get("landing_page_url")) for place in shapes.mappings(work.get("locations")))
    return next((found for page in pages if "arxiv.org" in page and (found := normal_arxiv_id(page))), "")
