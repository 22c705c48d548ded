"""Semantic Scholar: papers by any identifier and by title (Graph API).

Without a key the service is one shared pool that mostly answers 429, so it is worth asking with a key only.
Its `year` is that of the earliest version, and it does not know of retractions.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from analyzers.citations.record import Entry, Identifier, Record, Scheme, normal_arxiv_id
from analyzers.citations.source import Found, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter, Bundler
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy
from clients.bibliography.reply import Reply

BASE_URL = "https://api.semanticscholar.org"
BUNDLE = 100
_FIELDS = "title,authors,year,venue,externalIds,publicationVenue,publicationDate,publicationTypes,journal"
_PREFIXES = {Scheme.DOI: "DOI", Scheme.ARXIV: "ARXIV", Scheme.ACL: "ACL", Scheme.PMID: "PMID"}
_NO_SUCH = frozenset({404})


class SemanticScholar(Adapter):
    name = "Semantic Scholar"
    schemes = frozenset(_PREFIXES)

    def __init__(
        self, transport: Transport, base_url: str = BASE_URL, *, key: str | None = None, clock: Clock | None = None
    ) -> None:
        # One request per second for all endpoints together with a key; the shared pool wants longer pauses.
        policy = Policy(rate=0.95 if key else 1 / 3)
        headers = {"x-api-key": key} if key else {}
        self.endpoint = Endpoint(self.name, base_url, transport, policy=policy, headers=headers, clock=clock)
        self._bundler = Bundler(self._look_up_many, BUNDLE)

    def covers(self, entry: Entry) -> bool:
        return coverage.is_paper(entry, 1990)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        return await self._bundler.outcome(f"{_PREFIXES[identifier.scheme]}:{identifier.value}")

    async def _look_up_many(self, ids: tuple[str, ...]) -> Mapping[str, Outcome]:
        if len(ids) == 1:
            path = f"/graph/v1/paper/{quote(ids[0], safe=':/')}"
            reply = await self.endpoint.get(path, {"fields": _FIELDS}, answers=_NO_SUCH)
            return {ids[0]: NotFound() if self._says_no(reply) else _outcome(reply.json())}
        reply = await self.endpoint.post_json("/graph/v1/paper/batch", {"fields": _FIELDS}, {"ids": list(ids)})
        papers = reply.json()
        # The answer has one place per question, null for an unknown paper.
        if not isinstance(papers, list) or len(papers) != len(ids):
            raise self.endpoint.malformed()
        return {
            asked: NotFound() if paper is None else _outcome(paper) for asked, paper in zip(ids, papers, strict=True)
        }

    async def _search(self, query: TitleQuery) -> Outcome:
        reply = await self.endpoint.get(
            "/graph/v1/paper/search/match", {"query": query.title, "fields": _FIELDS}, answers=_NO_SUCH
        )
        if self._says_no(reply):
            return NotFound()
        records = [record for paper in shapes.mappings(reply.json()["data"]) if (record := _record(paper))]
        if not records:
            raise self.endpoint.malformed()
        return Found(tuple(records))

    def _says_no(self, reply: Reply) -> bool:
        """Whether a 404 is the service's own "not found" and not a missing page."""
        if reply.status != 404:
            return False
        if "not found" in str(shapes.mapping(reply.json()).get("error", "")).lower():
            return True
        raise self.endpoint.malformed()


def _outcome(paper: Any) -> Outcome:
    record = _record(shapes.mapping(paper))
    if record is None and not shapes.mapping(paper).get("paperId"):
        raise ValueError("no paper")
    return Found((record,) if record else ())


def _record(paper: dict[str, Any]) -> Record | None:
    title, flags = shapes.split_notice(shapes.text(paper.get("title")))
    if not title:
        return None
    ids = shapes.mapping(paper.get("externalIds"))
    doi, arxiv_id = shapes.doi_and_arxiv(ids.get("DOI"))
    identifier = shapes.text(paper.get("paperId"))
    year = shapes.year(paper.get("year"))
    venue = shapes.text(shapes.mapping(paper.get("publicationVenue")).get("name"))
    journal = shapes.mapping(paper.get("journal"))
    return Record(
        title=title,
        authors=shapes.names(
            shapes.display_name(author.get("name")) for author in shapes.mappings(paper.get("authors"))
        ),
        year=year,
        venue=shapes.text(paper.get("venue")) or venue or shapes.text(journal.get("name")),
        pages=shapes.text(journal.get("pages")),
        doi=doi,
        url=f"https://www.semanticscholar.org/paper/{identifier}" if identifier else "",
        arxiv_id=arxiv_id or normal_arxiv_id(str(ids.get("ArXiv") or "")),
        kind=", ".join(shapes.text(kind) for kind in shapes.items(paper.get("publicationTypes"))).lower(),
        source=SemanticScholar.name,
        identifier=identifier,
        other_years=shapes.other_years(year, (shapes.year(paper.get("publicationDate")),)),
        flags=flags,
    )
