"""Finding works in the local index."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzers.citations.record import Entry, Identifier, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, TitleQuery, Unavailable
from clients.bibliography.index import BibliographyIndex, IndexFileError, IndexSource


def test_title_is_found_in_any_spelling(index: BibliographyIndex) -> None:
    (found,) = index.by_title("river networks carry memory of ANCIENT climates")
    assert found.title == "River Networks Carry Memory of Ancient Climates"
    assert found.authors == ("Ann Alder", "Ben Birch", "Cleo Cedar")
    assert (found.year, found.venue, found.pages) == (2019, "Journal of River Ecology", "10-24")
    assert (found.doi, found.url) == ("10.1000/river.1", "https://doi.org/10.1000/river.1")
    assert (found.identifier, found.kind) == ("DBLP:journals/jre/Alder19", "article")
    assert found.source == "local index (works.jsonl)"


@pytest.mark.parametrize(
    ("scheme", "value", "title"),
    [
        (Scheme.DOI, "10.1000/river.1", "River Networks"),
        (Scheme.ACL, "2001.bees-main.3", "Sleep in Bees"),
        (Scheme.ARXIV, "1801.00001", "基于"),
    ],
)
def test_identifiers_are_found(index: BibliographyIndex, scheme: Scheme, value: str, title: str) -> None:
    (found,) = index.by_identifier(Identifier(scheme, value))
    assert found.title.startswith(title)
    assert index.by_identifier(Identifier(scheme, value + "9")) == ()


@pytest.mark.parametrize(
    "title",
    [
        "River Networks Carry Traces of Ancient Climates",
        "River Networks and the Memory of Ancient Climates",
        "River Networks Carry Memory of Ancient Climates: A Review",
        "基于深度学习的文本聚类研究综述",
    ],
)
def test_near_titles_are_found(index: BibliographyIndex, title: str) -> None:
    assert index.by_title(title) == ()
    assert len(index.near_title(title)) == 1


async def test_source_answers(index: BibliographyIndex) -> None:
    source = IndexSource(index)
    assert isinstance(await source.search(TitleQuery("Sleep in Bees under α Light")), Found)
    assert await source.search(TitleQuery("Glaciers")) == NotFound()
    assert await source.look_up(Identifier(Scheme.DOI, "10.1000/other")) == NotFound()
    assert isinstance(await source.look_up(Identifier(Scheme.ISBN, "9780262035613")), NotAsked)
    assert not source.covers(Entry("k"))
    index.close()
    assert isinstance(await source.search(TitleQuery("Sleep")), Unavailable)


def test_info(index: BibliographyIndex) -> None:
    info = index.info()
    assert (info.records, info.with_doi, info.years) == (4, 1, (2001, 2019))
    assert info.origins == (("works.jsonl", 4),)


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + b"\0" * 100])
def test_files_that_are_no_index_are_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.index"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(IndexFileError):
        BibliographyIndex(path)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.text(st.characters() | st.sampled_from('"()*:^-+ AND OR NEAR'), max_size=50))
def test_any_title_may_be_asked(index: BibliographyIndex, title: str) -> None:
    assert len(index.by_title(title)) + len(index.near_title(title)) < 9
