"""From the services' own words to verdicts: what an author sees when all of them are up."""

import dataclasses
import json
from datetime import date
from urllib.parse import parse_qs

import pytest

from analyzers.citations.record import entry_from_fields
from analyzers.citations.verdict import VerdictKind
from analyzers.citations.verify import verify_all
from clients.bibliography.sources import SOURCE_NAMES, SourceSettings, build_sources

TODAY = date(2026, 11, 29)


def answer(asked, shape):
    """Services that know the lantern papers and nothing else."""
    path = asked.path
    query = parse_qs(asked.body.decode(errors="replace")).get("query", [""])[0]
    if path.startswith("/doiRA/"):
        known = {"10.5555/lanterns.2019.7": {"RA": "Crossref"}}
        dois = path.removeprefix("/doiRA/").split(",")
        body = [{"DOI": doi, **known.get(doi.lower(), {"status": "DOI does not exist"})} for doi in dois]
        return dataclasses.replace(shape("doi_agencies.json"), body=json.dumps(body).encode())
    if path == "/api/query" and "id_list" in asked.query:
        ids = asked.query["id_list"]
        if "v1" in ids:
            return shape("arxiv_versions.xml")
        return shape("arxiv_one.xml" if "1801.01234" in ids else "arxiv_empty.xml")
    if path == "/works":
        words = asked.query["query.bibliographic"].lower()
        return shape("crossref_list.json" if "lanterns" in words else "crossref_empty.json")
    if path == "/sparql":
        known = "lanterns" in query.lower() or "attention is all you need" in query
        return shape("dblp_records.json" if known else "dblp_empty.json")
    table = {
        "/works/10.5555/lanterns.2019.7": "crossref_work.json",
        "/works/": "crossref_none.404.txt",
        "/dois/10.48550/arxiv.1801.01234": "datacite_doi.json",
        "/dois/": "datacite_none.404.json",
        "/dois": "datacite_empty.json",
        "/api/handles/": "doi_handle_none.404.json",
        "/api/query": "arxiv_empty.xml",
        "/graph/v1/paper/search/match": "semantic_scholar_none.404.json",
        "/graph/v1/paper/": "semantic_scholar_unknown.404.json",
        "/notes/search": "openreview_empty.json",
        "/search.json": "openlibrary_empty.json",
        "/entrez/eutils/esearch": "pubmed_search_empty.json",
    }
    return shape(next(name for start, name in table.items() if path.startswith(start)))


LANTERNS = {
    "title": "Tidal Lanterns \\& {\\it Noctiluca}: Measuring Glow in Shallow Seas",
    "author": "Brightwater, A. and van der Fjord, Jr., {\\'E}mile and {The Lantern Collaboration}",
    "journal": "Journal of Shallow Seas",
    "year": "2019",
    "doi": "https://doi.org/10.5555/LANTERNS.2019.7",
}
GLOW = {
    "title": "Glow in Shallow Seas",
    "author": "Ada Brightwater and {The Lantern Collaboration}",
    "journal": "arXiv preprint arXiv:1801.01234",
    "year": "2018",
}
INVENTED = {
    "title": "Counting Invisible Harbours with Recursive Driftwood Ensembles",
    "author": "Noone, Nora and Nobody, Ned",
    "year": "2019",
}
CASES = {
    "the work, flagged as retracted": ("article", LANTERNS, VerdictKind.VERIFIED, ("retracted",)),
    "online-first year": ("article", LANTERNS | {"year": "2018"}, VerdictKind.VERIFIED, ("retracted",)),
    "another year": ("article", LANTERNS | {"year": "2011"}, VerdictKind.MISMATCH, ("retracted",)),
    "a DOI of another work": (
        "article",
        INVENTED | {"journal": "Journal of Shallow Seas", "doi": "10.5555/lanterns.2019.7"},
        VerdictKind.CONFLICT,
        (),
    ),
    "an earlier title of a preprint": ("article", GLOW, VerdictKind.VERIFIED, ()),
    "an unknown DOI and an unknown title": (
        "article",
        INVENTED | {"journal": "Journal of Shallow Seas", "doi": "10.5555/driftwood.1"},
        VerdictKind.LIKELY_FABRICATED,
        (),
    ),
    "an unknown arXiv id and an unknown title": (
        "article",
        INVENTED | {"journal": "arXiv preprint arXiv:1906.99999"},
        VerdictKind.LIKELY_FABRICATED,
        (),
    ),
    "a thesis that nobody indexes": ("phdthesis", INVENTED | {"school": "Harbourtown"}, VerdictKind.UNVERIFIABLE, ()),
    "a book that nobody has": ("book", INVENTED | {"publisher": "Harbour"}, VerdictKind.UNVERIFIABLE, ()),
    "a work of this year": (
        "article",
        INVENTED | {"journal": "Journal of Shallow Seas", "year": "2026"},
        VerdictKind.UNVERIFIABLE,
        (),
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_verdicts(service, times, shape, name):
    kind, fields, expected, flags = CASES[name]
    service.script = lambda asked: answer(asked, shape)
    settings = SourceSettings(True, base_urls=dict.fromkeys(SOURCE_NAMES, service.url))
    entry = entry_from_fields(kind, "key", fields)
    async with build_sources(settings, {"S2_API_KEY": "k"}, keyring=lambda _: None, clock=times.clock) as built:
        (verdict,) = await verify_all([entry], built.sources, TODAY)
    assert (verdict.kind, verdict.flags) == (expected, flags), verdict
    assert verdict.complete, verdict.unavailable
    # What its own identifier confirms is not searched for by title any more.
    wanted = {"arXiv"} if name == "an earlier title of a preprint" else {"Crossref", "DBLP"}
    assert wanted <= set(verdict.answered)
