"""On sound files our reading agrees with bibtexparser's splitter."""

import os
from pathlib import Path

import pytest

from analyzers.project.bibliography import read_bibliography

bibtexparser = pytest.importorskip("bibtexparser")

SOUND = r"""
@string{acm = "ACM Press"}
@article{one, author = {A, B and C, D}, title = {The {Title}: with, commas}, year = 2020, month = jan}
@book{two,
  title = "Quoted {"}deep{"} value",
  publisher = acm,
  note = {line one
    line two},
}
@inproceedings{three, title={T}, pages={1--2}, booktitle={Proc.}, crossref={two}}
@misc{four, howpublished = {\url{https://example.net/a_b%20c}}}
"""


def _agrees(text: str) -> int:
    library = bibtexparser.parse_string(text, parse_stack=[])
    theirs = {entry.key: {field.key.lower(): field.value for field in entry.fields} for entry in library.entries}
    ours = {
        entry.key: {name: item.raw for name, item in entry.fields.items()}
        for entry in read_bibliography("a", text).entries
    }
    compared = 0
    for key, fields in theirs.items():
        # Their splitter gives up on values with a stray `@`; it is an oracle for what it kept.
        assert key in ours
        for name, value in fields.items():
            assert "".join(ours[key][name].split()) == "".join(str(value).split())
            compared += 1
    return compared


def test_small_file() -> None:
    assert _agrees(SOUND) == 12


@pytest.mark.skipif("COUNTERCLAIM_CORPUS" not in os.environ, reason="COUNTERCLAIM_CORPUS is not set")
def test_corpus_file() -> None:
    compared = 0
    for path in sorted(Path(os.environ["COUNTERCLAIM_CORPUS"]).rglob("*.bib")):
        text = path.read_bytes().decode("utf-8", "replace")
        found = read_bibliography("a", text)
        if len(text) < 60_000 and not found.problems and not found.duplicates and not found.commented:
            if any(entry.repeated for entry in found.entries):
                continue
            compared += _agrees(text)
    assert compared > 1000
