"""Crossref: DOIs of publishers, titles, retractions (REST API `works`).

A 404 says that the DOI is not Crossref's; other agencies register DOIs too.  The search's score is no measure of
confidence, so candidates are only handed on.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://api.crossref.org"
ROWS = 10
_SELECT = (
    "DOI,title,subtitle,author,editor,issued,published-print,published-online,container-title,event,type,page,publisher,"
    "URL,updated-by,relation,original-title"
)
# Parts of works and containers of works; they carry the titles of papers without being papers.
_NOT_WORKS = frozenset(
    {"component", "peer-review", "grant", "journal", "journal-issue", "journal-volume", "sa-component"}
)
# This prefix deposits copies of well-known papers, authors included, as new preprints of today.
_COPIES = "10.65215/"
_UPDATES = {
    "retraction": "retracted",
    "partial_retraction": "concern",
    "withdrawal": "withdrawn",
    "removal": "withdrawn",
    "expression_of_concern": "concern",
}
_SHORT_TITLE_WORDS = 5
_BOOK = re.compile(r"book(?!-)|monograph")


class Crossref(Adapter):
    name = "Crossref"
    schemes = frozenset({Scheme.DOI})
    tells_retraction = True

    def __init__(
        self, transport: Transport, base_url: str = BASE_URL, *, polite: bool = False, clock: Clock | None = None
    ) -> None:
        """`polite` when the user agent carries an e-mail address: those requests have a pool of their own."""
        # Single works and lists are counted separately by the service, lists five times as strictly.
        single = Policy(rate=5, concurrency=3 if polite else 1, max_bytes=8 * 1024 * 1024)
        lists = Policy(rate=3 if polite else 1, concurrency=3 if polite else 1)
        self.single = Endpoint(self.name, base_url, transport, policy=single, clock=clock)
        self.lists = Endpoint(self.name, base_url, transport, policy=lists, clock=clock)

    def covers(self, entry: Entry) -> bool:
        return coverage.has_crossref_doi(entry)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        reply = await self.single.get(f"/works/{quote(identifier.value, safe='')}", answers=frozenset({404}))
        if reply.status == 404:
            if reply.text().strip().strip('"').lower().startswith("resource not found"):
                return NotFound()
            raise self.single.malformed()
        work = reply.json()["message"]
        if not work["DOI"]:
            raise self.single.malformed()
        record = record_from(work, self.name)
        return Found((record,) if record else ())

    async def _search(self, query: TitleQuery) -> Outcome:
        reply = await self.lists.get(
            "/works", {"query.bibliographic": _question(query), "rows": str(ROWS), "select": _SELECT}
        )
        works = reply.json()["message"]["items"]
        if not isinstance(works, list):
            raise self.lists.malformed()
        candidates = [work for work in works if not _set_aside(shapes.mapping(work))]
        records = [record for work in shapes.mappings(candidates) if (record := record_from(work, self.name))]
        # Copies and drafts often rank above the published work.
        records.sort(key=lambda record: record.kind == "posted-content")
        return self._outcome(records, len(candidates))


def _set_aside(work: dict[str, Any]) -> bool:
    return work.get("type") in _NOT_WORKS or str(work.get("DOI", "")).lower().startswith(_COPIES)


def _question(query: TitleQuery) -> str:
    """The title; a short one is shared by many works, so authors and year then help to rank the wanted one first.

    For long titles authors would do harm: invented ones push the real work out of the first ten.
    """
    if len(shapes.words(query.title)) >= _SHORT_TITLE_WORDS:
        return query.title
    year = [] if query.year is None else [str(query.year)]
    return " ".join([query.title, *(name.strip("{}") for name in query.authors[:2]), *year])


def record_from(work: dict[str, Any], source: str) -> Record | None:
    """The record behind a Crossref work or a CSL item of any agency; None without a title."""
    title, flags = shapes.split_notice(_title(work))
    if not title:
        return None
    issued = _year(work.get("issued")) or _year(work.get("published-print")) or _year(work.get("published-online"))
    dates = [_year(work.get(field)) for field in ("published-print", "published-online", "published", "posted")]
    doi, arxiv_id = shapes.doi_and_arxiv(work.get("DOI"))
    return Record(
        title=title,
        authors=shapes.names(_people(work)),
        year=issued,
        venue=_venue(work),
        pages=shapes.text(work.get("page")),
        doi=doi,
        url=shapes.text(work.get("URL")),
        arxiv_id=arxiv_id or _preprint(work),
        kind=shapes.text(work.get("type")),
        source=source,
        identifier=shapes.text(work.get("DOI")).lower(),
        other_years=shapes.other_years(issued, dates),
        other_titles=shapes.unique(shapes.text(item) for item in shapes.items(work.get("original-title"))),
        flags=shapes.unique((*flags, *_flags(work))),
    )


def _title(work: dict[str, Any]) -> str:
    title = shapes.text(work.get("title"))
    subtitle = shapes.text(work.get("subtitle"))
    # Some deposits repeat the subtitle in the title.
    if not subtitle or subtitle.casefold() in title.casefold():
        return title
    return f"{title.rstrip(' :')}: {subtitle}" if title else subtitle


def _people(work: dict[str, Any]) -> Iterator[str]:
    people = shapes.items(work.get("author")) or shapes.items(work.get("editor"))
    for person in shapes.mappings(people):
        group = person.get("name") or person.get("literal")
        if group and not person.get("family"):
            yield shapes.corporate(group)
            continue
        particle = shapes.text(person.get("non-dropping-particle") or person.get("dropping-particle"))
        family = f"{particle} {shapes.text(person.get('family'))}".strip()
        yield shapes.name(family, person.get("given"), person.get("suffix"))


def _venue(work: dict[str, Any]) -> str:
    """All containers, since a proceedings volume stands behind its series ("Lecture Notes …", "ECCV 2014")."""
    containers = work.get("container-title")
    titles = shapes.unique(shapes.text(item) for item in (containers if isinstance(containers, list) else [containers]))
    event = shapes.text(shapes.mapping(work.get("event")).get("name"))
    if titles or event:
        return "; ".join(titles) or event
    # A publisher is the place of a book, not that of a preprint.
    return shapes.text(work.get("publisher")) if _BOOK.search(str(work.get("type"))) else ""


def _year(value: Any) -> int | None:
    """The year of `{"date-parts": [[2019, 6]]}`; dates may be null."""
    parts = shapes.items(shapes.mapping(value).get("date-parts"))
    first = shapes.items(parts[0]) if parts else []
    return shapes.year(first[0]) if first else None


def _preprint(work: dict[str, Any]) -> str:
    related = shapes.mapping(work.get("relation")).get("has-preprint")
    return next((found for item in shapes.mappings(related) if (found := shapes.doi_and_arxiv(item.get("id"))[1])), "")


def _flags(work: dict[str, Any]) -> Iterator[str]:
    """What `updated-by` says of this work (`update-to` would make it the notice about another one)."""
    for update in shapes.mappings(work.get("updated-by")):
        kind = update.get("type") or update.get("update-type")
        flag = _UPDATES.get(str(kind).lower().replace("-", "_").replace(" ", "_"))
        if flag:
            yield flag
