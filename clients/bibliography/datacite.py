"""DataCite: DOIs of data sets, software, theses and of arXiv (REST API `dois`)."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from analyzers.citations.record import Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://api.datacite.org"
ROWS = 25


class DataCite(Adapter):
    name = "DataCite"
    schemes = frozenset({Scheme.DOI, Scheme.ARXIV})

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        self.endpoint = Endpoint(self.name, base_url, transport, policy=Policy(rate=1, concurrency=2), clock=clock)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        doi = identifier.value
        if identifier.scheme is Scheme.ARXIV:
            doi = f"10.48550/arxiv.{identifier.value}"
        reply = await self.endpoint.get(f"/dois/{quote(doi, safe='')}", answers=frozenset({404}))
        answer = reply.json()
        if reply.status == 404:
            if any(str(error.get("status")) == "404" for error in shapes.mappings(answer["errors"])):
                return NotFound()
            raise self.endpoint.malformed()
        attributes = answer["data"]["attributes"]
        if not attributes["doi"]:
            raise self.endpoint.malformed()
        record = _record(attributes)
        return Found((record,) if record else ())

    async def _search(self, query: TitleQuery) -> Outcome:
        words = shapes.any_group(query.title)
        if not words:
            return NotAsked("no words to search for")
        question = f"titles.title:({words})"
        reply = await self.endpoint.get("/dois", {"query": question, "page[size]": str(ROWS)})
        found = reply.json()["data"]
        if not isinstance(found, list):
            raise self.endpoint.malformed()
        records = [record for item in shapes.mappings(found) if (record := _record(item["attributes"]))]
        return self._outcome(shapes.by_closeness(query.title, records), len(found))


def _record(attributes: dict[str, Any]) -> Record | None:
    titles = list(shapes.mappings(attributes.get("titles")))
    main = [shapes.text(item.get("title")) for item in titles if not item.get("titleType")]
    title, flags = shapes.split_notice(next((text for text in main if text), ""))
    if not title:
        return None
    subtitle = next((shapes.text(item.get("title")) for item in titles if item.get("titleType") == "Subtitle"), "")
    others = (shapes.text(item.get("title")) for item in titles if item.get("titleType") not in (None, "", "Subtitle"))
    dates = list(shapes.mappings(attributes.get("dates")))
    year = shapes.year(attributes.get("publicationYear"))
    doi, arxiv_id = shapes.doi_and_arxiv(attributes.get("doi"))
    if any(date.get("dateType") == "Withdrawn" for date in dates):
        flags = (*flags, "withdrawn")
    return Record(
        title=f"{title}: {subtitle}" if subtitle else title,
        authors=shapes.names(_creators(attributes)),
        year=year,
        venue=_venue(attributes),
        doi=doi,
        url=shapes.text(attributes.get("url")),
        arxiv_id=arxiv_id,
        kind=shapes.text(shapes.mapping(attributes.get("types")).get("resourceTypeGeneral")).lower(),
        source=DataCite.name,
        identifier=shapes.text(attributes.get("doi")).lower(),
        other_years=shapes.other_years(year, (shapes.year(date.get("date")) for date in dates)),
        other_titles=shapes.unique(others),
        flags=shapes.unique(flags),
    )


def _creators(attributes: dict[str, Any]) -> Iterator[str]:
    for creator in shapes.mappings(attributes.get("creators")):
        if creator.get("nameType") == "Organizational":
            yield shapes.corporate(creator.get("name"))
        elif creator.get("familyName"):
            yield shapes.name(creator.get("familyName"), creator.get("givenName"))
        else:
            # "Family, Given" as a whole, or a name that nobody took apart.
            yield shapes.display_name(creator.get("name"))


def _venue(attributes: dict[str, Any]) -> str:
    container = shapes.text(shapes.mapping(attributes.get("container")).get("title"))
    publisher = attributes.get("publisher")
    return container or shapes.text(shapes.mapping(publisher).get("name") if isinstance(publisher, dict) else publisher)
