"""arXiv: preprints by id with all their earlier titles, and by title (Atom feed of the export service).

An unknown id is an id that the feed does not hold.  Titles change between versions and an entry may give any of them,
so the earlier versions are read too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from analyzers.citations.record import Entry, Identifier, Record, Scheme, normal_doi, year_of
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter, Bundler
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy
from clients.bibliography.reply import Reason, UnavailableError

BASE_URL = "https://export.arxiv.org"
ROWS = 25
BUNDLE = 25
SEARCHES = 5
# Titles settle early: the first versions hold the old ones.
EARLIER_VERSIONS = 4
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ID = re.compile(r"arxiv\.org/abs/(.+?)(?:v(\d{1,3}))?$")
# "Withdrawn from a conference" is no withdrawal of the paper.
_WITHDRAWN = re.compile(
    r"^\W*withdrawn\b(?!\s+from)|\b(?:paper|article|submission|manuscript|version|work|preprint)\b[^.]{0,40}\bwithdrawn\b"
    r"(?!\s+from)|\bwithdrawn\s+by\b|\bwithdrawn\s+due\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Version:
    arxiv_id: str
    version: int
    record: Record


class Arxiv(Adapter):
    name = "arXiv"
    schemes = frozenset({Scheme.ARXIV})
    authority_for = frozenset({Scheme.ARXIV})
    tells_retraction = True

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        # The terms of the service: one connection, three seconds between requests.
        policy = Policy(rate=1 / 3, timeout=30)
        self.endpoint = Endpoint(self.name, base_url, transport, policy=policy, clock=clock)
        self._bundler = Bundler(self._look_up_many, BUNDLE)
        self._searches = Bundler(self._search_many, SEARCHES)

    def covers(self, entry: Entry) -> bool:
        return coverage.is_preprint(entry)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        return await self._bundler.outcome(identifier.value)

    async def _look_up_many(self, ids: tuple[str, ...]) -> Mapping[str, Outcome]:
        latest = {item.arxiv_id: item for item in await self._by_id(ids)}
        if latest.keys() - {_plain_id(asked) for asked in ids}:
            raise self.endpoint.malformed()
        earlier = [
            f"{arxiv_id}v{number}"
            for arxiv_id, item in latest.items()
            for number in range(1, min(item.version - 1, EARLIER_VERSIONS) + 1)
        ]
        titles: dict[str, list[str]] = {}
        for item in await self._by_id(earlier) if earlier else ():
            titles.setdefault(item.arxiv_id, []).append(item.record.title)
        outcomes: dict[str, Outcome] = {}
        for asked in ids:
            found = latest.get(_plain_id(asked))
            if found is None:
                outcomes[asked] = NotFound()
                continue
            record = found.record
            others = shapes.unique(title for title in titles.get(found.arxiv_id, ()) if title != record.title)
            outcomes[asked] = Found((replace(record, other_titles=others),))
        return outcomes

    async def _by_id(self, ids: Iterable[str]) -> list[_Version]:
        wanted = list(ids)
        return (await self._page({"id_list": ",".join(wanted), "max_results": str(len(wanted))}, len(wanted)))[0]

    async def _search(self, query: TitleQuery) -> Outcome:
        if not shapes.any_group(query.title):
            return NotAsked("no words to search for")
        return await self._searches.outcome(query.title)

    async def _search_many(self, titles: tuple[str, ...]) -> Mapping[str, Outcome]:
        """Several titles in one request; each work found goes to the title that it shares most words with."""
        most = ROWS * len(titles)
        question = " OR ".join(shapes.any_group(title, "ti:{}") for title in titles)
        found, total = await self._page({"search_query": question, "max_results": str(most)}, most)
        matches: dict[str, list[Record]] = {title: [] for title in titles}
        for item in found:
            matches[max(titles, key=lambda title: shapes.likeness(title, item.record.title))].append(item.record)
        outcomes: dict[str, Outcome] = {}
        for title, records in matches.items():
            if records:
                outcomes[title] = Found(shapes.by_closeness(title, records))
            elif total <= len(found):
                outcomes[title] = NotFound()
            elif len(titles) > 1:
                # Works of the other titles filled the page, so this one was not answered yet.
                outcomes.update(await self._search_many((title,)))
        return outcomes

    async def _page(self, params: Mapping[str, str], most: int) -> tuple[list[_Version], int]:
        """The works on the first page, `most` at most, and how many there are in all."""
        root = (await self.endpoint.get("/api/query", params, expect="xml")).xml()
        total = root.findtext(_TOTAL, "").strip()
        entries = root.findall(f"{_ATOM}entry")
        if root.tag != f"{_ATOM}feed" or not total.isdigit():
            raise self.endpoint.malformed()
        if any("/api/errors" in entry.findtext(f"{_ATOM}id", "") for entry in entries):
            raise UnavailableError(self.name, Reason.BAD_REQUEST)
        # The service is known to send empty pages under load; then it said nothing about the ids.
        if len(entries) < min(int(total), most):
            raise self.endpoint.malformed()
        versions = [item for item in map(_version, entries) if item]
        if len(versions) < len(entries):
            raise self.endpoint.malformed()
        return versions, int(total)


def _plain_id(arxiv_id: str) -> str:
    """The id without a subject class (`math.GT/0309136` is `math/0309136`), in lower case."""
    return re.sub(r"^([a-z-]+)\.[a-z]{2}/", r"\1/", arxiv_id.lower())


def _version(entry: Element) -> _Version | None:
    address = entry.findtext(f"{_ATOM}id", "").strip()
    found = _ID.search(address)
    title = shapes.text(entry.findtext(f"{_ATOM}title"))
    if found is None or not title:
        return None
    arxiv_id = _plain_id(found[1])
    published = shapes.year(entry.findtext(f"{_ATOM}published"))
    updated = shapes.year(entry.findtext(f"{_ATOM}updated"))
    journal = shapes.text(entry.findtext(f"{_ARXIV}journal_ref"))
    comment = shapes.text(entry.findtext(f"{_ARXIV}comment"))
    title, flags = shapes.split_notice(title)
    if _WITHDRAWN.search(comment):
        flags = (*flags, "withdrawn")
    record = Record(
        title=title,
        authors=shapes.names(
            shapes.display_name(author.findtext(f"{_ATOM}name")) for author in entry.findall(f"{_ATOM}author")
        ),
        year=published,
        venue="arXiv",
        doi=normal_doi(entry.findtext(f"{_ARXIV}doi", "")),
        url=f"https://arxiv.org/abs/{arxiv_id}",
        arxiv_id=arxiv_id,
        kind="preprint",
        source=Arxiv.name,
        identifier=arxiv_id,
        other_years=shapes.other_years(published, (updated, year_of(journal))),
        flags=shapes.unique(flags),
    )
    return _Version(arxiv_id, int(found[2] or 1), record)
