"""Every adapter against the shapes of its service: what is asked, what becomes of the answer."""

import asyncio
import dataclasses
import json
from urllib.parse import parse_qs

import pytest

from analyzers.citations.record import Entry, Identifier, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, TitleQuery, Unavailable
from clients.bibliography.acl import AclAnthology
from clients.bibliography.arxiv import Arxiv
from clients.bibliography.crossref import Crossref
from clients.bibliography.datacite import DataCite
from clients.bibliography.dblp import Dblp
from clients.bibliography.doi import DoiOrg
from clients.bibliography.openalex import OpenAlex
from clients.bibliography.openlibrary import OpenLibrary
from clients.bibliography.openreview import OpenReview
from clients.bibliography.pubmed import PubMed
from clients.bibliography.semantic_scholar import SemanticScholar

LANTERNS = Identifier(Scheme.DOI, "10.5555/lanterns.2019.7")
UNKNOWN = Identifier(Scheme.DOI, "10.5555/unknown")
SICI = Identifier(Scheme.DOI, "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2")
TITLE = TitleQuery("Tidal Lanterns")


def only(outcome):
    assert isinstance(outcome, Found), outcome
    (record,) = outcome.records
    return record


# Crossref


async def test_crossref_work(service, transport, times, shape):
    service.says(shape("crossref_work.json"))
    record = only(await Crossref(transport, service.url, clock=times.clock).look_up(LANTERNS))
    assert record.title == "Tidal Lanterns & Noctiluca: Measuring Glow in Shallow Seas"
    assert record.authors == ("Brightwater, Ada", "van der Fjord, Jr., Émile", "{The Lantern Collaboration}")
    assert (record.year, record.other_years) == (2019, (2018,))
    assert (record.venue, record.pages, record.kind) == ("Journal of Shallow Seas", "101-119", "journal-article")
    assert (record.doi, record.arxiv_id, record.source) == ("10.5555/lanterns.2019.7", "1801.01234", "Crossref")
    assert record.flags == ("retracted",)
    assert record.other_titles == ("Gezeitenlaternen",)


async def test_crossref_encodes_dois(service, transport, times, shape):
    service.says(shape("crossref_none.404.txt"))
    assert await Crossref(transport, service.url, clock=times.clock).look_up(SICI) == NotFound()
    assert service.asked[0].raw.count("/") == 2
    assert service.asked[0].path == f"/works/{SICI.value}"


async def test_a_page_that_is_missing_is_not_an_answer_of_crossref(service, transport, times, say):
    for body, kind in ((b"<html>404</html>", "text/html"), (b"no route", "text/plain"), (b"", "text/plain")):
        service.says(say(404, body, kind))
        outcome = await Crossref(transport, service.url, clock=times.clock).look_up(LANTERNS)
        assert isinstance(outcome, Unavailable)


async def test_crossref_search(service, transport, times, shape):
    service.says(shape("crossref_list.json"))
    source = Crossref(transport, service.url, clock=times.clock)
    outcome = await source.search(TitleQuery("Tidal Lanterns", ("Brightwater, Ada", "{Group}", "Third, T."), 2019))
    assert [record.doi for record in outcome.records] == ["10.5555/lanterns.2019.7", "10.5555/draft.1"]
    assert service.asked[0].query["query.bibliographic"] == "Tidal Lanterns Brightwater, Ada Group 2019"
    long = "Measuring the Glow of Tidal Lanterns in Shallow Seas"
    await source.search(TitleQuery(long, ("Invented, Ivan",), 2019))
    assert service.asked[1].query["query.bibliographic"] == long
    service.says(shape("crossref_empty.json"))
    assert await source.search(TITLE) == NotFound()


def test_crossref_covers_what_is_registered_there_as_a_rule():
    covers = Crossref.covers
    journal = Entry("k", "article", "T", venue="Journal of Shallow Seas", year=2010)
    assert covers(None, journal)
    for venue in ("NeurIPS", "Advances in Neural Information Processing Systems", "arXiv preprint", "ICLR", ""):
        assert not covers(None, Entry("k", "inproceedings", "T", venue=venue, year=2020))
    assert not covers(None, Entry("k", "phdthesis", "T", venue="University", year=2020))
    assert not covers(None, Entry("k", "article", "T", venue="Journal of Shallow Seas"))


# DataCite


async def test_datacite(service, transport, times, shape):
    source = DataCite(transport, service.url, clock=times.clock)
    service.says(shape("datacite_doi.json"))
    record = only(await source.look_up(Identifier(Scheme.ARXIV, "1801.01234")))
    assert service.asked[0].path == "/dois/10.48550/arxiv.1801.01234"
    assert record.title == "Tidal Lanterns: Measuring Glow"
    assert record.authors == ("Brightwater, Ada", "{Lantern Collaboration}", "Fjord, Émile")
    assert (record.doi, record.arxiv_id, record.kind, record.venue) == ("", "1801.01234", "preprint", "arXiv")
    assert (record.year, record.other_years, record.other_titles) == (2018, (2020,), ("Gezeitenlaternen",))
    service.says(shape("datacite_none.404.json"))
    assert await source.look_up(UNKNOWN) == NotFound()
    service.says(shape("datacite_list.json"))
    record = only(await source.search(TitleQuery('Data for "Tidal" Lanterns) OR (x')))
    assert service.asked[-1].query["query"] == "titles.title:((data AND tidal AND lanterns))"
    assert (record.venue, record.doi) == ("Zenodo", "10.5281/zenodo.77")
    service.says(shape("datacite_empty.json"))
    assert await source.search(TITLE) == NotFound()


# doi.org


async def test_doi_org_asks_for_several_dois_at_once(service, transport, times, shape):
    answers = {
        "/doiRA": "doi_agencies.json",
        "/api/handles": "doi_handle_none.404.json",
        "/10.11209": "doi_csl.json",
    }
    service.script = lambda asked: shape(next(name for path, name in answers.items() if asked.path.startswith(path)))
    source = DoiOrg(transport, service.url, clock=times.clock)
    values = ["10.5555/lanterns.2019.7", "10.5281/zenodo.77", "10.5555/unknown", "10.11209/jim.7"]
    outcomes = await asyncio.gather(*(source.look_up(Identifier(Scheme.DOI, value)) for value in values))
    assert outcomes[:3] == [Found(()), Found(()), NotFound()]
    assert only(outcomes[3]).title == "Lanterns of the Inland Sea"
    assert only(outcomes[3]).authors == ("山田, 太郎", "{Lantern Group}")
    assert [asked.path.split("/")[1] for asked in service.asked].count("doiRA") == 1
    assert service.asked[-1].headers["accept"] or service.asked[-2].headers["accept"]


async def test_does_not_exist_alone_proves_nothing(service, transport, times, shape, say):
    source = DoiOrg(transport, service.url, clock=times.clock)
    handle = shape("doi_handle.json")
    service.script = lambda asked: shape("doi_agencies.json") if asked.path.startswith("/doiRA") else handle
    assert await source.look_up(UNKNOWN) == Found(())
    handle = shape("doi_prefix_none.400.json")
    assert await source.look_up(UNKNOWN) == NotFound()
    handle = say(503)
    assert isinstance(await source.look_up(UNKNOWN), Unavailable)


async def test_a_doi_with_commas_goes_to_the_handle_alone(service, transport, times, shape):
    service.says(shape("doi_handle.json"))
    value = "10.5555/a,b/c?d#e%f"
    outcome = await DoiOrg(transport, service.url, clock=times.clock).look_up(Identifier(Scheme.DOI, value))
    assert outcome == Found(())
    assert service.asked[0].path == f"/api/handles/{value}"


async def test_a_publishers_page_does_not_silence_doi_org(service, transport, times, shape, challenge):
    service.script = lambda asked: shape("doi_agencies.json") if asked.path.startswith("/doiRA") else challenge
    source = DoiOrg(transport, service.url, clock=times.clock)
    for _ in range(3):
        assert await source.look_up(Identifier(Scheme.DOI, "10.11209/jim.7")) == Found(())
    assert await source.look_up(LANTERNS) == Found(())


# arXiv


async def test_arxiv_bundles_ids_and_reads_earlier_titles(service, transport, times, shape):
    def script(asked):
        return shape("arxiv_versions.xml" if "v1" in asked.query["id_list"] else "arxiv_ids.xml")

    service.script = script
    source = Arxiv(transport, service.url, clock=times.clock)
    values = ("math.GT/0309136", "1801.01234", "1706.99999")
    outcomes = await asyncio.gather(*(source.look_up(Identifier(Scheme.ARXIV, value)) for value in values))
    waves, lanterns = only(outcomes[0]), only(outcomes[1])
    assert outcomes[2] == NotFound()
    assert lanterns.title == "Tidal Lanterns: Measuring Glow"
    assert lanterns.other_titles == ("Glow in Shallow Seas",)
    assert lanterns.authors == ("Ada Brightwater", "The Lantern Collaboration")
    assert (lanterns.doi, lanterns.year, lanterns.other_years) == ("10.5555/lanterns.2019.7", 2018, (2019, 2020))
    assert (lanterns.flags, waves.flags) == ((), ("withdrawn",))
    assert waves.arxiv_id == "math/0309136"
    assert [asked.query["id_list"] for asked in service.asked] == [",".join(values), "1801.01234v1,1801.01234v2"]
    assert times.slept == pytest.approx([3.0], abs=0.05)


async def test_an_empty_page_of_arxiv_is_no_answer(service, transport, times, shape, say):
    identifier = Identifier(Scheme.ARXIV, "1801.01234")
    for answer in (
        shape("arxiv_empty_page.xml"),
        shape("arxiv_error.xml"),
        # Works that nobody asked for.
        shape("arxiv_ids.xml"),
        say(200, b"Rate exceeded.", "text/plain"),
    ):
        service.says(answer)
        assert isinstance(await Arxiv(transport, service.url, clock=times.clock).look_up(identifier), Unavailable)
    service.says(shape("arxiv_empty.xml"))
    assert await Arxiv(transport, service.url, clock=times.clock).look_up(identifier) == NotFound()


async def test_one_odd_id_does_not_cost_its_neighbours(service, transport, times, shape):
    def script(asked):
        if "odd" in asked.query["id_list"]:
            return shape("arxiv_error.xml")
        return shape("arxiv_versions.xml" if "v1" in asked.query["id_list"] else "arxiv_one.xml")

    service.script = script
    source = Arxiv(transport, service.url, clock=times.clock)
    odd, good = await asyncio.gather(
        *(source.look_up(Identifier(Scheme.ARXIV, value)) for value in ("odd", "1801.01234"))
    )
    assert isinstance(odd, Unavailable)
    assert only(good).arxiv_id == "1801.01234"


async def test_arxiv_searches_for_several_titles_at_once(service, transport, times, shape):
    service.says(shape("arxiv_ids.xml"))
    source = Arxiv(transport, service.url, clock=times.clock)
    titles = ("Waves", "Tidal Lanterns: Measuring", "Quite Another Thing")
    waves, lanterns, other = await asyncio.gather(*(source.search(TitleQuery(title)) for title in titles))
    assert (only(waves).title, only(lanterns).arxiv_id, other) == ("Waves", "1801.01234", NotFound())
    assert len(service.asked) == 1


async def test_a_title_that_was_crowded_out_is_sought_again(service, transport, times, shape):
    page = shape("arxiv_ids.xml")
    waves = page.body[page.body.rindex(b"<entry>") : page.body.rindex(b"</feed>")]
    full = page.body.replace(b"totalResults>2<", b"totalResults>9000<").replace(b"</feed>", waves * 48 + b"</feed>")

    def script(asked):
        crowded = "ti:waves" in asked.query["search_query"]
        return dataclasses.replace(page, body=full) if crowded else shape("arxiv_empty.xml")

    service.script = script
    source = Arxiv(transport, service.url, clock=times.clock)
    waves, other = await asyncio.gather(
        *(source.search(TitleQuery(title)) for title in ("Waves", "Quite Another Thing Altogether"))
    )
    assert len(waves.records) == 10
    assert other == NotFound()
    assert len(service.asked) == 2


async def test_arxiv_search_survives_one_changed_word(service, transport, times, shape):
    service.says(shape("arxiv_ids.xml"))
    outcome = await Arxiv(transport, service.url, clock=times.clock).search(
        TitleQuery('Tidal Lanterns for the "Measuring" of Glowing Shallow Seas')
    )
    assert outcome.records[0].title == "Tidal Lanterns: Measuring Glow"
    assert service.asked[0].query["search_query"] == (
        "(ti:tidal AND ti:measuring AND ti:shallow) OR (ti:lanterns AND ti:glowing AND ti:seas)"
    )


# Semantic Scholar


async def test_semantic_scholar(service, transport, times, shape):
    source = SemanticScholar(transport, service.url, key="secret", clock=times.clock)
    service.says(shape("semantic_scholar_paper.json"))
    record = only(await source.look_up(LANTERNS))
    assert service.asked[0].path == "/graph/v1/paper/DOI:10.5555/lanterns.2019.7"
    assert service.asked[0].headers["x-api-key"] == "secret"
    assert record.authors == ("A. Brightwater", "Émile Fjord")
    assert (record.year, record.other_years, record.pages) == (2018, (2019,), "101-119")
    assert (record.doi, record.arxiv_id) == ("10.5555/lanterns.2019.7", "1801.01234")
    service.says(shape("semantic_scholar_unknown.404.json"))
    assert await source.look_up(UNKNOWN) == NotFound()
    service.says(shape("semantic_scholar_match.json"))
    assert only(await source.search(TITLE)).title == "Tidal Lanterns: Measuring Glow"
    service.says(shape("semantic_scholar_none.404.json"))
    assert await source.search(TITLE) == NotFound()


async def test_semantic_scholar_bundles(service, transport, times, shape):
    service.says(shape("semantic_scholar_batch.json"))
    source = SemanticScholar(transport, service.url, clock=times.clock)
    found, none = await asyncio.gather(source.look_up(LANTERNS), source.look_up(Identifier(Scheme.ARXIV, "1706.99999")))
    assert only(found).doi == LANTERNS.value
    assert none == NotFound()
    assert json.loads(service.asked[0].body) == {"ids": [f"DOI:{LANTERNS.value}", "ARXIV:1706.99999"]}


async def test_semantic_scholar_bundle_of_unknown_papers(service, transport, times, shape):
    service.script = lambda asked: shape(
        "semantic_scholar_bad.400.json" if asked.method == "POST" else "semantic_scholar_unknown.404.json"
    )
    source = SemanticScholar(transport, service.url, clock=times.clock)
    outcomes = await asyncio.gather(source.look_up(UNKNOWN), source.look_up(Identifier(Scheme.ARXIV, "1706.99999")))
    assert outcomes == [NotFound(), NotFound()]


# OpenAlex


async def test_openalex(service, transport, times, shape):
    source = OpenAlex(transport, "secret", service.url, clock=times.clock)
    service.says(shape("openalex_list.json"))
    record = only(await source.look_up(LANTERNS))
    assert service.asked[0].query["filter"] == f"doi:{LANTERNS.value}"
    assert service.asked[0].query["api_key"] == "secret"
    assert record.authors == ("Ada Brightwater", "Émile Fjord")
    assert (record.flags, record.arxiv_id, record.pages) == (("retracted",), "1801.01234", "101--119")
    copy = (await source.search(TitleQuery("Tidal, Lanterns | again: yes!"))).records[1]
    assert service.asked[1].query["filter"] == "title.search:tidal lanterns again yes"
    assert (copy.doi, copy.year) == ("", None)
    service.says(shape("openalex_empty.json"))
    assert await source.look_up(UNKNOWN) == NotFound()
    assert isinstance(await source.look_up(Identifier(Scheme.DOI, "10.5555/a,b")), NotAsked)


# DBLP


def records_or_titles(shape):
    def script(asked):
        query = sparql(asked)
        if "contains-word" in query:
            return shape("dblp_titles.json")
        return shape("dblp_records.json" if "VALUES" in query else "dblp_empty.json")

    return script


def sparql(asked):
    return parse_qs(asked.body.decode())["query"][0]


async def test_dblp_search(service, transport, times, shape):
    service.says(shape("dblp_records.json"))
    outcome = await Dblp(transport, service.url, clock=times.clock).search(TitleQuery('TIDAL   "Lanterns\\'))
    venue, preprint = outcome.records
    assert venue.title == "Tidal lanterns"
    assert venue.authors == ("Ada Brightwater", "Émile Fjord")
    assert (venue.venue, venue.year, venue.doi, venue.kind) == ("SEAS (1)", 2019, LANTERNS.value, "inproceedings")
    assert (preprint.arxiv_id, preprint.kind) == ("1801.01234", "preprint")
    assert 'FILTER(?title >= "tidal \\"lanterns\\\\" && ?title < "tidal \\"lanterns]")' in sparql(service.asked[0])
    assert all(asked.method == "POST" and "lanterns" not in asked.raw for asked in service.asked)
    assert len(service.asked) == 1


async def test_dblp_search_by_words(service, transport, times, shape):
    service.script = records_or_titles(shape)
    title = "Measuring Tidal Lanterns of Several Shallow Seas"
    outcome = await Dblp(transport, service.url, clock=times.clock).search(TitleQuery(title))
    assert [record.venue for record in outcome.records] == ["SEAS (1)", "CoRR"]
    words, records = map(sparql, service.asked[1:])
    assert 'contains-word "measuring" . ?text ql:contains-word "lanterns" . ?text ql:contains-word "shallow"' in words
    assert "UNION" in words
    assert "<https://dblp.org/rec/conf/seas/Brightwater19>" in records


async def test_dblp_look_up(service, transport, times, shape):
    service.says(shape("dblp_records.json"))
    source = Dblp(transport, service.url, clock=times.clock)
    await source.look_up(Identifier(Scheme.ARXIV, "1801.01234"))
    assert "<https://doi.org/10.48550/ARXIV.1801.01234>" in sparql(service.asked[0])
    service.says(shape("dblp_empty.json"))
    assert await source.look_up(UNKNOWN) == NotFound()
    assert isinstance(await source.look_up(SICI), NotAsked)


async def test_dblp_empty_answer_is_believed_only_when_its_search_works(service, transport, times, shape):
    service.says(shape("dblp_empty.json"))
    source = Dblp(transport, service.url, clock=times.clock)
    assert isinstance(await source.search(TITLE), Unavailable)

    def script(asked):
        return shape("dblp_records.json" if "attention is all you need" in sparql(asked) else "dblp_empty.json")

    service.script = script
    assert await source.search(TITLE) == NotFound()
    asked = len(service.asked)
    assert await source.search(TitleQuery("Lanterns of Other Seas")) == NotFound()
    assert not any("attention" in sparql(request) for request in service.asked[asked:])


async def test_dblp_bot_wall_and_bad_query(service, transport, times, shape):
    for answer in (shape("dblp_wall.html"), shape("dblp_bad.400.json")):
        service.says(answer)
        assert isinstance(await Dblp(transport, service.url, clock=times.clock).search(TITLE), Unavailable)


# OpenReview


async def test_openreview(service, transport, times, shape):
    source = OpenReview(transport, service.url, clock=times.clock)
    service.says(shape("openreview_search.json"))
    outcome = await source.search(TITLE)
    records = {record.identifier: record for record in outcome.records}
    assert set(records) == {"aBcDeFgHiJ", "kLmNoPqRsT", "uVwXyZ0123", "oldolder12"}
    assert outcome.records[0].identifier == "aBcDeFgHiJ"
    assert (records["aBcDeFgHiJ"].venue, records["aBcDeFgHiJ"].year) == ("ICLR 2024 poster", 2024)
    assert records["kLmNoPqRsT"].venue == records["uVwXyZ0123"].venue == ""
    assert (records["oldolder12"].venue, records["oldolder12"].authors) == ("ICLR 2019", ("Ada Brightwater",))
    service.says(shape("openreview_empty.json"))
    assert await source.search(TITLE) == NotFound()
    service.says(shape("openreview_login.403.json"))
    assert isinstance(await source.search(TITLE), Unavailable)
    assert isinstance(await source.look_up(Identifier(Scheme.OPENREVIEW, "aBcDeFgHiJ")), NotAsked)


# ACL Anthology


async def test_acl_anthology(service, transport, times, shape):
    source = AclAnthology(transport, service.url, clock=times.clock)
    service.says(shape("acl_paper.bib"))
    record = only(await source.look_up(Identifier(Scheme.DOI, "10.18653/v1/n19-1423")))
    assert service.asked[0].path == "/N19-1423.bib"
    assert record.title == "Tidal Lanterns: Measuring Glow in Shallow Seas"
    assert record.authors == ("Brightwater, Ada", "Fjord, Émile")
    assert (record.year, record.pages, record.venue) == (
        2019,
        "4171–4186",
        "Proceedings of the Meeting on Shallow Seas",
    )
    service.says(shape("acl_none.404.html"))
    assert await source.look_up(Identifier(Scheme.ACL, "2020.acl-main.9999")) == NotFound()
    assert isinstance(await source.look_up(LANTERNS), NotAsked)
    assert isinstance(await source.look_up(Identifier(Scheme.ACL, "../admin")), NotAsked)
    assert isinstance(await source.search(TITLE), NotAsked)


async def test_a_missing_page_of_the_anthology_is_believed_only_when_the_site_is_there(
    service, transport, times, shape, challenge
):
    unknown = Identifier(Scheme.ACL, "2020.acl-main.9999")
    service.says(shape("acl_none.404.html"))
    assert isinstance(await AclAnthology(transport, service.url, clock=times.clock).look_up(unknown), Unavailable)
    service.says(challenge)
    assert isinstance(await AclAnthology(transport, service.url, clock=times.clock).look_up(unknown), Unavailable)
    service.script = lambda asked: shape("acl_paper.bib" if "N19" in asked.path else "acl_none.404.html")
    assert await AclAnthology(transport, service.url, clock=times.clock).look_up(unknown) == NotFound()


# PubMed


async def test_pubmed(service, transport, times, shape):
    source = PubMed(transport, service.url, clock=times.clock)
    service.says(shape("pubmed_summary.json"))
    found, none = await asyncio.gather(
        *(source.look_up(Identifier(Scheme.PMID, value)) for value in ("7700001", "999999999"))
    )
    record = only(found)
    assert none == NotFound()
    assert len(service.asked) == 1
    assert record.title == "Tidal lanterns and night blindness"
    assert record.authors == ("Brightwater, A. J.", "van der Fjord, É.", "{Lantern Study Group}")
    assert (record.year, record.other_years, record.doi) == (2019, (2018,), "10.5555/med.7")
    assert record.flags == ("retracted",)
    assert record.other_titles == ("Gezeitenlaternen und Nachtblindheit",)
    service.script = lambda asked: shape("pubmed_search.json" if "esearch" in asked.path else "pubmed_summary.json")
    assert only(await source.search(TitleQuery("Tidal lanterns"))).identifier == "7700001"
    assert service.asked[-2].query["term"] == "(tidal[Title] AND lanterns[Title])"
    service.says(shape("pubmed_search_empty.json"))
    assert await source.search(TITLE) == NotFound()
    service.says(shape("pubmed_busy.429.json"))
    assert isinstance(await source.search(TITLE), Unavailable)


# OpenLibrary


async def test_openlibrary(service, transport, times, shape):
    source = OpenLibrary(transport, service.url, clock=times.clock)
    service.says(shape("openlibrary_search.json"))
    record = only(await source.look_up(Identifier(Scheme.ISBN, "9780000000002")))
    assert (record.title, record.year, record.venue) == ("The Lantern Handbook: Light at Sea", 1988, "Harbour Books")
    assert service.asked[0].query["q"] == "isbn:9780000000002"
    service.says(shape("openlibrary_empty.json"))
    assert await source.look_up(Identifier(Scheme.ISBN, "9780000000003")) == NotFound()
    service.says(shape("openlibrary_search.json"))
    record = only(await source.search(TitleQuery("The Lantern Handbook")))
    assert (record.year, record.other_years, record.authors) == (1988, (1994, 2001), ("Ada Brightwater",))
    service.says(shape("openlibrary_empty.json"))
    assert await source.search(TITLE) == NotFound()
    assert not source.covers(Entry("k", "book", "T", year=1990))
