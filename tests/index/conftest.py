"""An index of a handful of made-up works."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clients.bibliography.index import BibliographyIndex
from clients.bibliography.index_build import build_index

WORKS: list[dict[str, object]] = [
    {
        "type": "article",
        "key": "DBLP:journals/jre/Alder19",
        "title": "River Networks Carry Memory of Ancient {Climates}",
        "author": ["Ann Alder 0001", "Ben Birch", "Cleo Cedar"],
        "year": "2019",
        "venue": "Journal of River Ecology",
        "pages": "10--24",
        "doi": "10.1000/RIVER.1",
        "url": "https://doi.org/10.1000/RIVER.1",
    },
    {
        "type": "inproceedings",
        "key": "elm-2001-bees",
        "title": "Sleep in Bees under {\\textdollar}{\\textbackslash}alpha{\\textdollar} Light",
        "author": ["Elm, Emil", "Fir, Fay"],
        "year": "2001",
        "venue": "Proceedings of the Bee Conference",
        "url": "https://aclanthology.org/2001.bees-main.3",
    },
    {
        "type": "article",
        "key": "wang",
        "title": "基于深度学习的文本分类研究综述",
        "author": ["王伟"],
        "year": "2018",
        "url": "https://arxiv.org/abs/1801.00001v2",
    },
    {"type": "proceedings", "key": "p", "title": "Proceedings of the Bee Conference", "year": "2001"},
]


Write = Callable[[str, list[dict[str, object]]], Path]


@pytest.fixture
def works() -> list[dict[str, object]]:
    return [dict(work) for work in WORKS]


@pytest.fixture
def write_works(tmp_path: Path) -> Write:
    def write(name: str, works: list[dict[str, object]]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(work) + "\n" for work in works), encoding="utf-8")
        return path

    return write


@pytest.fixture
def works_file(write_works: Write, works: list[dict[str, object]]) -> Path:
    return write_works("works.jsonl", works)


@pytest.fixture
def index(tmp_path: Path, works_file: Path) -> Iterator[BibliographyIndex]:
    build_index([works_file], tmp_path / "works.index")
    opened = BibliographyIndex(tmp_path / "works.index")
    yield opened
    opened.close()
