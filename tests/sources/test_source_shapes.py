"""Bodies of any shape: adapters never raise, and damage never turns a known work into an unknown one."""

import asyncio
import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.record import Identifier, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, TitleQuery, Unavailable
from clients.bibliography import shapes
from clients.bibliography.acl import AclAnthology
from clients.bibliography.arxiv import Arxiv
from clients.bibliography.crossref import Crossref
from clients.bibliography.datacite import DataCite
from clients.bibliography.dblp import Dblp
from clients.bibliography.doi import DoiOrg
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.openalex import OpenAlex
from clients.bibliography.openlibrary import OpenLibrary
from clients.bibliography.openreview import OpenReview
from clients.bibliography.pubmed import PubMed
from clients.bibliography.reply import Reply
from clients.bibliography.semantic_scholar import SemanticScholar

DATA = Path(__file__).parent / "data"
DOI = Identifier(Scheme.DOI, "10.5555/lanterns.2019.7")
TITLE = TitleQuery("Tidal Lanterns")
CASES = {
    "crossref work": (Crossref, DOI, "crossref_work.json"),
    "crossref list": (Crossref, TITLE, "crossref_list.json"),
    "datacite doi": (DataCite, DOI, "datacite_doi.json"),
    "datacite list": (DataCite, TITLE, "datacite_list.json"),
    "doi agencies": (DoiOrg, DOI, "doi_agencies.json"),
    "semantic scholar paper": (SemanticScholar, DOI, "semantic_scholar_paper.json"),
    "semantic scholar match": (SemanticScholar, TITLE, "semantic_scholar_match.json"),
    "openalex list": (lambda transport: OpenAlex(transport, "key"), TITLE, "openalex_list.json"),
    "openreview search": (OpenReview, TITLE, "openreview_search.json"),
    "pubmed summary": (PubMed, Identifier(Scheme.PMID, "7700001"), "pubmed_summary.json"),
    "openlibrary search": (OpenLibrary, TITLE, "openlibrary_search.json"),
    "dblp records": (Dblp, TITLE, "dblp_records.json"),
}


def outcome_with(make, question, body, status=200):
    """The outcome when every request is answered with `body`."""

    async def answer(*_, **__):
        return Reply("Source", status, body)

    adapter = make(Transport("x"))
    for part in vars(adapter).values():
        if isinstance(part, Endpoint):
            part.get = part.post_json = part.post_form = answer
    asked = adapter.look_up if isinstance(question, Identifier) else adapter.search
    return asyncio.run(asked(question))


def places(value, place=()):
    """Every place in a JSON value."""
    yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*place, name))


@pytest.mark.parametrize("name", CASES)
def test_undamaged_bodies_are_found(name):
    make, question, file = CASES[name]
    assert isinstance(outcome_with(make, question, (DATA / file).read_bytes()), Found)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_damage_is_never_an_absence(name, data):
    make, question, file = CASES[name]
    value = json.loads((DATA / file).read_text())
    where = data.draw(st.sampled_from([place for place in places(value) if place]))
    damaged = copy.deepcopy(value)
    part = damaged
    for step in where[:-1]:
        part = part[step]
    if data.draw(st.booleans()):
        del part[where[-1]]
    else:
        part[where[-1]] = data.draw(
            st.sampled_from([None, 7, -1, 1e300, True, "", "x", {}, {"x": []}, "\ud800", "9" * 400])
        )
    outcome = outcome_with(make, question, json.dumps(damaged).encode())
    emptied = isinstance(part, list) and not part
    assert isinstance(outcome, Found | Unavailable) or (emptied and isinstance(outcome, NotFound)), (where, outcome)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=15, deadline=None)
@given(body=st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["message", "data", "results", "notes", "docs", "items", "title"]), inner, max_size=3), max_leaves=8))  # fmt: skip
def test_any_json_is_survived(name, body):
    make, question, _ = CASES[name]
    assert isinstance(outcome_with(make, question, json.dumps(body).encode()), Found | NotFound | Unavailable)


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, 3000), put=st.sampled_from(["", "<", "&", "</entry>", "\x00", "<entry/>", "0"]))
def test_damaged_feeds(cut, put):
    text = (DATA / "arxiv_ids.xml").read_text()
    body = (text[:cut] + put + text[cut + 1 :]).encode()
    outcome = outcome_with(Arxiv, Identifier(Scheme.ARXIV, "1801.01234"), body)
    assert isinstance(outcome, Found | Unavailable | NotFound)


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, 700))
def test_cut_bibtex_is_no_absence(cut):
    body = (DATA / "acl_paper.bib").read_bytes()[:cut]
    outcome = outcome_with(AclAnthology, Identifier(Scheme.ACL, "N19-1423"), body)
    assert isinstance(outcome, Found | Unavailable)


@settings(max_examples=60, deadline=None)
@given(title=st.text(max_size=60))
def test_any_title_can_be_sought(title):
    for make in (Crossref, DataCite, Dblp, Arxiv, PubMed, OpenReview, OpenLibrary, SemanticScholar):
        outcome = outcome_with(make, TitleQuery(title, (title,), 2019), b"{}")
        assert isinstance(outcome, Unavailable | NotAsked)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A  <i>b</i>\n c", "A b c"),
        ("Q&amp;A", "Q&A"),
        ("&lt;b&gt;Bold&lt;/b&gt;", "Bold"),
        ("p < 0.05 and q > 1", "p < 0.05 and q > 1"),
        (["", "second"], "second"),
        (None, ""),
        (7, ""),
        ({}, ""),
    ],
)
def test_text(value, expected):
    assert shapes.text(value) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("RETRACTED: Glow", ("Glow", ("retracted",))),
        ("[Retracted] Glow", ("[Retracted] Glow", ())),
        ("RETRACTED ARTICLE: Glow", ("Glow", ("retracted",))),
        ("WITHDRAWN: Glow", ("Glow", ("withdrawn",))),
        ("Retracted Futures", ("Retracted Futures", ())),
        ("Retracted:", ("Retracted:", ())),
        ("Withdrawn Glow: A Study", ("Withdrawn Glow: A Study", ())),
    ],
)
def test_notices_before_titles(title, expected):
    assert shapes.split_notice(title) == expected


def test_word_groups():
    assert shapes.word_groups("On the Glow of Seas") == [["glow", "seas"]]
    assert shapes.word_groups("") == []
    long = shapes.word_groups("Counting Tidal Lanterns Across Shallow Northern Seas by Night")
    assert len(long) == 2
    assert not set(long[0]) & set(long[1])
