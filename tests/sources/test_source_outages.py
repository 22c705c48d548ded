"""An outage of any kind accuses nobody: no verdict against an entry, the run incomplete, nothing kept.

The entries are all invented, and of all kinds; with the services up many are "likely fabricated", as the last tests show.
"""

import asyncio
import dataclasses
import json
import socket
import time
from datetime import date
from urllib.parse import parse_qs

import pytest

from analyzers.citations.record import entry_from_fields
from analyzers.citations.verdict import VerdictKind
from analyzers.citations.verify import verify_all
from clients.bibliography.cache import AnswerCache
from clients.bibliography.sources import SOURCE_NAMES, SourceSettings, build_sources

TODAY = date(2026, 11, 29)
KEYS = {"OPENALEX_API_KEY": "k", "S2_API_KEY": "k"}
VENUES = (
    ("article", "journal", "Journal of Shallow Seas"),
    ("article", "journal", "The Lancet"),
    ("inproceedings", "booktitle", "Proceedings of the International Conference on Machine Learning"),
    ("inproceedings", "booktitle", "International Conference on Learning Representations"),
    ("inproceedings", "booktitle", "Proceedings of the Annual Meeting of the ACL"),
    ("article", "journal", "arXiv preprint"),
    ("book", "publisher", "Harbour Books"),
)
IDENTIFIERS = (
    {},
    {"doi": "10.5555/unknown.{n}"},
    {"eprint": "1801.0{n:04d}", "archiveprefix": "arXiv"},
    {"doi": "10.18653/v1/2020.acl-main.{n}"},
    {"pmid": "77{n:05d}"},
    {"isbn": "9780000000002"},
    {"doi": "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM9{n}>3.0.CO;2-2"},
    {"url": "https://openreview.net/forum?id=aBcDeFgH{n:02d}"},
)


def fixture_entries():
    """56 entries: every kind of venue with every kind of identifier."""
    entries = []
    for place, (kind, field, venue) in enumerate(VENUES):
        for number, identifier in enumerate(IDENTIFIERS):
            n = 10 + place * len(IDENTIFIERS) + number
            fields = {
                "title": f"Counting the Tidal Lanterns of Shallow Seas in Harbour Number {n}",
                "author": "Brightwater, Ada and Fjord, {\\'E}mile",
                "year": str(2015 + n % 8),
                field: venue,
                **{name: value.format(n=n) for name, value in identifier.items()},
            }
            entries.append(entry_from_fields(kind, f"key{n}", fields))
    return entries


async def run(url, times, cache, entries, seconds=None, names=()):
    settings = SourceSettings(True, names, base_urls=dict.fromkeys(SOURCE_NAMES, url))
    async with build_sources(settings, KEYS, cache=cache, keyring=lambda _: None, clock=times.clock) as built:
        if seconds is not None:
            for source in built.sources:
                shorten(source._source, seconds)
        return await verify_all(entries, built.sources, TODAY)


def shorten(adapter, seconds):
    for part in vars(adapter).values():
        if hasattr(part, "policy"):
            part.policy = dataclasses.replace(part.policy, timeout=seconds)


@pytest.fixture
def cache(tmp_path):
    cache = AnswerCache(tmp_path / "answers.sqlite", lambda: 1_700_000_000.0)
    yield cache
    cache.close()


def outages(say, challenge):
    hour = (("Retry-After", "3600"),)
    return {
        "429 storm": say(429, b'{"message": "Too Many Requests"}'),
        "429 for an hour": say(429, headers=hour),
        "503": say(503, b"Service Unavailable", "text/plain"),
        "503 for an hour": say(503, headers=hour),
        "500": say(500, b'{"error": "oops"}'),
        "HTML challenge with 200": challenge,
        "HTML challenge with 403": dataclasses.replace(challenge, status=403),
        "HTML page with 404": dataclasses.replace(challenge, status=404),
        "HTML called JSON": dataclasses.replace(challenge, kind="application/json"),
        "plain refusal with 404": say(404, b"not here", "text/plain"),
        "slow server": say(200, b"{}", pause=3),
        "slow loris": say(200, b'{"a": 1}' * 9, pause=0.05, drip=True),
        "cut JSON": say(200, b'{"message": {"items": [', promised=4000),
        "half JSON": say(200, b'{"message": {"items": ['),
        "endless body": say(200, b" " * 65_536, endless=True),
        "empty body": say(200, b""),
        "empty object": say(200, b"{}"),
        "null": say(200, b"null"),
        "list": say(200, b"[]"),
        "number": say(200, b"7"),
        "shapes of nothing": say(
            200, b'{"message": {}, "results": {}, "data": null, "notes": {}, "docs": 1, "meta": []}'
        ),
        "204": say(204),
        "redirect to a login page": say(302, headers=(("Location", "http://login.example/"),)),
        "redirect in a circle": say(302, headers=(("Location", "/again"),)),
    }


NAMES = (
    "429 storm, 429 for an hour, 503, 503 for an hour, 500, HTML challenge with 200, HTML challenge with 403, "
    "HTML page with 404, HTML called JSON, plain refusal with 404, slow server, slow loris, cut JSON, half JSON, "
    "endless body, empty body, empty object, null, list, number, shapes of nothing, 204, redirect to a login page, "
    "redirect in a circle"
).split(", ")


# Well-formed answers that say nothing are as good as new each time.
SHAPELESS = {"empty object", "null", "list", "number", "shapes of nothing"}


def assert_nobody_is_accused(verdicts, cache):
    assert len(verdicts) == 56
    assert {verdict.kind for verdict in verdicts} == {VerdictKind.UNVERIFIABLE}
    assert not any(verdict.complete for verdict in verdicts)
    assert all(verdict.unavailable and not verdict.answered for verdict in verdicts)
    assert all("SOURCE_DOWN" in verdict.reasons for verdict in verdicts)
    assert cache.count() == 0


def test_every_outage_is_tried(say, challenge):
    assert sorted(outages(say, challenge)) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_an_outage_accuses_nobody(service, times, cache, say, challenge, name):
    service.says(outages(say, challenge)[name])
    started = time.perf_counter()
    verdicts = await run(service.url, times, cache, fixture_entries(), seconds=0.25)
    assert_nobody_is_accused(verdicts, cache)
    assert time.perf_counter() - started < 20
    # Once for the identifier and once for the title at most, and hardly ever that often.
    assert len(service.asked) <= (56 * 11 * 2 if name in SHAPELESS else 56 * 8)


async def test_a_cut_network_accuses_nobody_and_is_noticed_at_once(times, cache):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.perf_counter()
    verdicts = await run(f"http://127.0.0.1:{port}", times, cache, fixture_entries())
    assert_nobody_is_accused(verdicts, cache)
    assert time.perf_counter() - started < 5


def nothing_known(asked, shape):
    """All services up, and none knows any of the works."""
    query = parse_qs(asked.body.decode(errors="replace")).get("query", [""])[0]
    path = asked.path
    if path.startswith("/doiRA/"):
        dois = path.removeprefix("/doiRA/").split(",")
        return dataclasses.replace(
            shape("doi_agencies.json"),
            body=json.dumps([{"DOI": doi, "status": "DOI does not exist"} for doi in dois]).encode(),
        )
    if path.startswith("/graph/v1/paper/batch"):
        return dataclasses.replace(
            shape("semantic_scholar_batch.json"), body=json.dumps([None] * len(json.loads(asked.body)["ids"])).encode()
        )
    if path.startswith("/entrez/eutils/esummary"):
        ids = asked.query["id"].split(",")
        result = {"uids": ids, **{one: {"uid": one, "error": "cannot get document summary"} for one in ids}}
        return dataclasses.replace(shape("pubmed_summary.json"), body=json.dumps({"result": result}).encode())
    if path == "/works":
        return shape("openalex_empty.json" if "filter" in asked.query else "crossref_empty.json")
    if path == "/sparql":
        return shape("dblp_records.json" if "attention is all you need" in query else "dblp_empty.json")
    table = {
        "/works/": "crossref_none.404.txt",
        "/dois/": "datacite_none.404.json",
        "/dois": "datacite_empty.json",
        "/api/handles/": "doi_handle_none.404.json",
        "/api/query": "arxiv_empty.xml",
        "/graph/v1/paper/search/match": "semantic_scholar_none.404.json",
        "/graph/v1/paper/": "semantic_scholar_unknown.404.json",
        "/notes/search": "openreview_empty.json",
        "/N19-1423.bib": "acl_paper.bib",
        "/entrez/eutils/esearch": "pubmed_search_empty.json",
        "/search.json": "openlibrary_empty.json",
    }
    return shape(next((name for start, name in table.items() if path.startswith(start)), "acl_none.404.html"))


async def test_with_all_services_up_the_same_entries_are_judged(service, times, cache, shape):
    service.script = lambda asked: nothing_known(asked, shape)
    entries = fixture_entries()
    verdicts = await run(service.url, times, cache, entries)
    assert all(verdict.complete for verdict in verdicts)
    kinds = [verdict.kind for verdict in verdicts]
    assert kinds.count(VerdictKind.LIKELY_FABRICATED) >= 20
    assert not {VerdictKind.VERIFIED, VerdictKind.MISMATCH, VerdictKind.CONFLICT} & set(kinds)
    books = [verdict for entry, verdict in zip(entries, verdicts, strict=True) if entry.kind == "book"]
    assert all(len(verdict.answered) >= 5 for verdict in verdicts)
    assert len(books) == 8
    assert cache.count() > 100
    before = len(service.asked)
    again = await run(service.url, times, cache, entries)
    assert [verdict.kind for verdict in again] == kinds
    assert len(service.asked) == before


@pytest.mark.parametrize("down", ["/works", "/sparql", "/graph", "/doiRA"])
async def test_one_source_down_is_enough_to_accuse_nobody(service, times, cache, shape, say, down):
    def script(asked):
        return say(503) if asked.path.startswith(down) else nothing_known(asked, shape)

    service.script = script
    names = ("crossref", "dblp", "semantic-scholar", "doi")
    entries = [entry for entry in fixture_entries() if entry.doi]
    verdicts = await run(service.url, times, cache, entries, names=names)
    assert {verdict.kind for verdict in verdicts} == {VerdictKind.UNVERIFIABLE}
    assert not any(verdict.complete for verdict in verdicts)


async def test_a_cancelled_run_stops_asking(service, times, cache, say):
    service.says(say(200, b"{}", pause=0.5))
    task = asyncio.create_task(run(service.url, times, cache, fixture_entries()))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.1)
    asked = len(service.asked)
    await asyncio.sleep(0.6)
    assert len(service.asked) == asked
    assert cache.count() == 0
