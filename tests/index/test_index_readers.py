"""Every input format becomes the same records."""

import gzip
import json
import lzma
import zipfile
from pathlib import Path

import pytest

from analyzers.citations.record import Record
from clients.bibliography.readers import UnreadableSourceError, open_reading

DBLP = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp>
<article mdate="2020-01-01" key="journals/jre/Mueller19"><author>J&uuml;rgen M&uuml;ller 0002</author>
<author>Ann Alder</author><title>Rivers of CO<sub>2</sub> &amp; Ice.</title><pages>10-24</pages><year>2019</year>
<journal>J. River Ecol.</journal><ee>https://doi.org/10.1000/RIVER.1</ee></article>
<www key="homepages/x"><author>Nobody</author><title>Home Page</title></www>
<article publtype="withdrawn" key="journals/corr/abs-1801-00001"><author>Ann Alder</author><title>Ice</title>
<year>2018</year><volume>abs/1801.00001</volume><journal>CoRR</journal></article>
</dblp>"""
ANTHOLOGY = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2020.bees"><volume id="main"><meta><booktitle>Proceedings of <fixed-case>BEES</fixed-case></booktitle>
<year>2020</year></meta>
<frontmatter><url>2020.bees-main.0</url></frontmatter>
<paper id="1"><title>Sleep in <fixed-case>B</fixed-case>ees</title><author><first>Emil</first><last>Elm</last></author>
<author><last>Fir</last></author><pages>1–9</pages><url>2020.bees-main.1</url><doi>10.1000/bees.1</doi>
<retracted date="2021-01-01">Wrong.</retracted><bibkey>elm-2020-sleep</bibkey></paper></volume></collection>"""
BIB = (
    '@string{jre = "J. River Ecol."}\n@article{a, title={{Rivers} of Ice}, author={M{\\"u}ller, J. and others}, '
    "journal=jre, year=2019}\n@article{broken, title={never closed\n@misc{b, title={Bees}, year=2001}\n"
)


def records(path: Path) -> list[Record]:
    reading = open_reading(path)
    found = list(reading.records())
    assert reading.fraction == 1.0
    return found


@pytest.mark.parametrize("packed", [False, True])
def test_dblp(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("dblp.xml.gz" if packed else "dblp.xml")
    path.write_bytes(gzip.compress(DBLP.encode("latin-1")) if packed else DBLP.encode("latin-1"))
    first, second = records(path)
    assert (first.title, first.authors) == ("Rivers of CO2 & Ice", ("Jürgen Müller", "Ann Alder"))
    assert (first.year, first.venue, first.pages) == (2019, "J. River Ecol.", "10-24")
    assert (first.doi, first.identifier) == ("10.1000/river.1", "DBLP:journals/jre/Mueller19")
    assert (second.arxiv_id, second.flags) == ("1801.00001", ("withdrawn",))


def test_anthology(tmp_path: Path) -> None:
    path = tmp_path / "2020.bees.xml"
    path.write_text(ANTHOLOGY, encoding="utf-8")
    (only,) = records(path)
    assert (only.title, only.authors, only.venue) == ("Sleep in Bees", ("Emil Elm", "Fir"), "Proceedings of BEES")
    assert (only.year, only.pages, only.doi) == (2020, "1-9", "10.1000/bees.1")
    assert (only.url, only.flags) == ("https://aclanthology.org/2020.bees-main.1", ("retracted",))


def test_bibtex_in_latin_1_with_a_broken_entry(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(BIB.encode() + "@misc{l, title={Über Eis}, author={Gün, A}}\n".encode("latin-1"))
    found = {record.identifier: record for record in records(path)}
    assert {"a", "b", "l"} <= found.keys()
    assert (found["a"].title, found["a"].venue) == ("Rivers of Ice", "J. River Ecol.")
    assert (found["a"].authors, found["a"].authors_complete) == (("Müller, J.",), False)
    assert (found["l"].title, found["l"].authors) == ("Über Eis", ("Gün, A",))


def test_long_bibtex_is_read_in_pieces(tmp_path: Path) -> None:
    entries = '@string{s = "Bees"}\n' + "".join(
        f"@article{{k{number}, title={{Work {number}}}, journal=s, note={{{'x' * 400}}}}}\n" for number in range(2000)
    )
    path = tmp_path / "a.bib"
    path.write_text(entries)
    found = records(path)
    assert [record.title for record in found] == [f"Work {number}" for number in range(2000)]
    assert {record.venue for record in found} == {"Bees"}


def test_json_lines(tmp_path: Path) -> None:
    lines = [{"title": "Bees", "author": "Ann Alder and Ben Birch", "year": 2001}, {"title": ""}, [1], {"a": 1}]
    text = "".join(json.dumps(line) + "\n" for line in lines) + "{broken\n"
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(text.encode()))
    (only,) = records(path)
    assert (only.authors, only.year) == (("Ann Alder", "Ben Birch"), 2001)


def test_wheel(tmp_path: Path) -> None:
    path = tmp_path / "bibliography-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        lines = ["@article{x,\n", " title = {Bees},\n", " author = {Ann Alder and\n Ben Birch},\n", " year = {2001}\n}"]
        archive.writestr("pkg/data/a.json", json.dumps({"bees": lines, "odd": "text"}))
        archive.writestr("pkg/data/b.json", "not json")
        archive.writestr("pkg/__init__.py", "raise SystemExit('never imported')")
    (only,) = records(path)
    assert (only.title, only.authors) == ("Bees", ("Ann Alder", "Ben Birch"))
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps({"bees": lines}))
    (folder / "README.md").write_text("x")
    assert records(folder) == [only]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.xml", b"<html></html>"), ("a.xml", b"\0\1"), ("a.xml", b""), ("a.whl", b"no archive")],
)
def test_wrong_content_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableSourceError):
        list(open_reading(tmp_path / name).records())


def test_entity_bombs_do_not_explode(tmp_path: Path) -> None:
    layers = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    path = tmp_path / "a.xml"
    path.write_text(f'<!DOCTYPE dblp [<!ENTITY l0 "x">{layers}]><dblp><article><title>&l11;</title></article></dblp>')
    with pytest.raises(UnreadableSourceError):
        list(open_reading(path).records())
