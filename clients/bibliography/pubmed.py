"""PubMed: biomedical articles by PMID and by title, with retractions (E-utilities `esearch` and `esummary`)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from analyzers.citations.record import Entry, Identifier, Record, Scheme, normal_doi
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter, Bundler
from clients.bibliography.http import PRODUCT, Endpoint, Transport
from clients.bibliography.pace import Clock, Policy

BASE_URL = "https://eutils.ncbi.nlm.nih.gov"
BUNDLE = 100
ROWS = 25
_FLAGS = {
    "retracted publication": "retracted",
    "retraction in": "retracted",
    "expression of concern in": "concern",
}


class PubMed(Adapter):
    name = "PubMed"
    schemes = frozenset({Scheme.PMID})
    authority_for = frozenset({Scheme.PMID})
    tells_retraction = True

    def __init__(
        self, transport: Transport, base_url: str = BASE_URL, *, key: str | None = None, clock: Clock | None = None
    ) -> None:
        policy = Policy(rate=8 if key else 2.5)
        self.endpoint = Endpoint(self.name, base_url, transport, policy=policy, clock=clock)
        self._common = {"db": "pubmed", "retmode": "json", "tool": PRODUCT.lower(), **({"api_key": key} if key else {})}
        self._bundler = Bundler(self._summaries, BUNDLE)

    def covers(self, entry: Entry) -> bool:
        return coverage.is_medical(entry)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        if not re.fullmatch(r"\d{1,9}", identifier.value):
            return NotAsked("not a PMID")
        return await self._bundler.outcome(identifier.value)

    async def _search(self, query: TitleQuery) -> Outcome:
        question = shapes.any_group(query.title, "{}[Title]")
        if not question:
            return NotAsked("no words to search for")
        params = {**self._common, "term": question, "retmax": str(ROWS), "sort": "relevance"}
        result = (await self.endpoint.get("/entrez/eutils/esearch.fcgi", params)).json()["esearchresult"]
        ids = result["idlist"]
        if "ERROR" in result or not isinstance(ids, list):
            raise self.endpoint.malformed()
        if not ids:
            return NotFound()
        outcomes = await self._summaries(tuple(str(item) for item in ids))
        records = [record for outcome in outcomes.values() if isinstance(outcome, Found) for record in outcome.records]
        return self._outcome(shapes.by_closeness(query.title, records), len(ids))

    async def _summaries(self, ids: tuple[str, ...]) -> Mapping[str, Outcome]:
        params = {**self._common, "id": ",".join(ids)}
        result = (await self.endpoint.get("/entrez/eutils/esummary.fcgi", params)).json()["result"]
        outcomes: dict[str, Outcome] = {}
        for asked in ids:
            summary = shapes.mapping(result.get(asked))
            if "cannot get document summary" in str(summary.get("error", "")):
                outcomes[asked] = NotFound()
            elif summary and not summary.get("error"):
                record = _record(summary)
                outcomes[asked] = Found((record,) if record else ())
        return outcomes


def _record(summary: dict[str, Any]) -> Record | None:
    raw = shapes.text(summary.get("title"))
    # Square brackets mark the English translation of a title.
    title = raw.rstrip(".").removeprefix("[").removesuffix("]").rstrip(".")
    title, notice = shapes.split_notice(title)
    if not title:
        return None
    year = shapes.year(summary.get("pubdate"))
    pmid = shapes.text(summary.get("uid"))
    return Record(
        title=title,
        authors=shapes.names(_authors(summary)),
        year=year,
        venue=shapes.text(summary.get("fulljournalname")) or shapes.text(summary.get("source")),
        pages=shapes.text(summary.get("pages")),
        doi=_doi(summary),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else "",
        kind="article",
        source=PubMed.name,
        identifier=pmid,
        other_years=shapes.other_years(year, (shapes.year(summary.get("epubdate")),)),
        other_titles=shapes.unique((shapes.text(summary.get("vernaculartitle")).rstrip("."),)),
        flags=shapes.unique((*notice, *_flags(summary))),
    )


def _authors(summary: dict[str, Any]) -> Iterator[str]:
    for author in shapes.mappings(summary.get("authors")):
        printed = shapes.text(author.get("name"))
        if author.get("authtype") == "CollectiveName":
            yield shapes.corporate(printed)
            continue
        # "Wakefield AJ": initials without points after the family name.
        found = re.fullmatch(r"(.+?) ([^\W\d_]{1,4})(?: (?:Jr|Sr|2nd|3rd|4th))?", printed)
        if found and found[2].isupper():
            yield shapes.name(found[1], " ".join(f"{letter}." for letter in found[2]))
        else:
            yield printed


def _doi(summary: dict[str, Any]) -> str:
    for item in shapes.mappings(summary.get("articleids")):
        if item.get("idtype") == "doi":
            return normal_doi(shapes.text(item.get("value")))
    return ""


def _flags(summary: dict[str, Any]) -> Iterator[str]:
    kinds = [shapes.text(kind) for kind in shapes.items(summary.get("pubtype"))]
    notes = [shapes.text(note.get("reftype")) for note in shapes.mappings(summary.get("references"))]
    for text in (*kinds, *notes):
        flag = _FLAGS.get(text.lower())
        if flag:
            yield flag
