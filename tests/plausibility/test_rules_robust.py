"""Rules survive any entry in linear time, and a second run after an edit equals a first one."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.plausibility import ALL_RULES, check_bibliography
from analyzers.fixes import apply_edits
from analyzers.project.bibliography import read_bibliography, update

TODAY = date(2026, 6, 15)
FIELDS = st.sampled_from(
    "author editor title year date doi eprint archiveprefix journal booktitle pages url isbn issn note month crossref volume".split()
)
BITS = st.sampled_from(
    [
        " and ", ", ", "et al.", "Smith", "A.", "{", "}", "\\", "\\'e", "10.1109/", "10.1145", "/2015.", "2313.12345", "arXiv:", "abs/",
        "https://", "doi.org/", "utm_source=", "chatgpt", "?", "&", "1", "99", "--", "-", "–", "ICLR", "Proceedings of the ", "TODO",
        "XXXX", "978-0-262-03384-5", "X", "\n", "\t", "\x00", "\ud800", "é", "文", ";", "TITLE", "a", " ", "'", '"', "٣", "²",
    ]
)  # fmt: skip
VALUES = st.lists(BITS, max_size=10).map("".join)
ENTRIES = st.tuples(
    st.sampled_from(["article", "misc", "book", "inproceedings"]),
    st.sampled_from(["k", "K", "l", "", "k l"]),
    st.lists(st.tuples(FIELDS, VALUES, st.sampled_from(["{}", '""', "  "])), max_size=8),
).map(lambda e: f"@{e[0]}{{{e[1]},\n" + ",\n".join(f"  {n} = {d[0]}{v}{d[1]}" for n, v, d in e[2]) + "\n}\n")
FILES = st.lists(ENTRIES, max_size=5).map("".join)


@settings(max_examples=250, deadline=None)
@given(FILES)
def test_any_entry(text: str) -> None:
    found = read_bibliography("a.bib", text)
    for fault in check_bibliography(found, TODAY, ALL_RULES).faults:
        assert 0 <= fault.start < fault.end <= len(text)
        assert fault.message
        for place in fault.also:
            assert 0 <= place.span.start <= place.span.end <= len(text)
        for fix in fault.fixes:
            read_bibliography("a.bib", apply_edits(text, fix.edits))


@settings(max_examples=100, deadline=None)
@given(FILES, st.floats(0, 1), st.integers(0, 20), FILES)
def test_second_run_equals_first_run(text: str, place: float, removed: int, inserted: str) -> None:
    found = read_bibliography("a.bib", text)
    before = check_bibliography(found, TODAY, ALL_RULES)
    start = int(place * len(text))
    edited = update(found, text[:start] + inserted + text[start + removed :])
    fresh = check_bibliography(read_bibliography("a.bib", edited.text), TODAY, ALL_RULES)
    assert check_bibliography(edited, TODAY, ALL_RULES, before).faults == fresh.faults


def test_another_day_is_another_result() -> None:
    found = read_bibliography("a.bib", "@book{k, author={A}, title={T}, year={2028}}")
    before = check_bibliography(found, TODAY, ALL_RULES)
    assert [fault.code for fault in before.faults] == ["BIB021"]
    assert check_bibliography(found, date(2027, 1, 1), ALL_RULES, before).faults == ()


HOSTILE = {
    "authors": "author = {" + " and ".join(f"Last{n}, First" for n in range(3000)) + "}",
    "one name": "author = {" + "x" * 200_000 + "}",
    "commas": "author = {" + "A, " * 60_000 + "}",
    "et al": "author = {" + "et al" * 40_000 + "}",
    "blanks": "author = {A" + " " * 200_000 + "B}, title = {A" + "{ }" * 60_000 + "}",
    "capitals": "author = {" + "Aa " * 60_000 + ", B, C}",
    "initials": "author = {" + "A. " * 60_000 + ", B, C}",
    "title": "title = {" + "x? " * 60_000 + "}",
    "abstract": "abstract = {" + "word " * 40_000 + "}",
    "doi": "doi = {" + "10.1145/" * 25_000 + "}",
    "braced doi": "doi = {" + "{" * 50_000 + "10.1145/1" + "}" * 50_000 + "}",
    "url": "url = {https://a.net/?" + "&utm_source=" * 15_000 + "}",
    "eprint": "eprint = {" + "1" * 200_000 + "}, archiveprefix={arXiv}",
    "pages": "pages = {" + "9--1, " * 30_000 + "}",
    "venue": "booktitle = {" + "proceedings of the " * 10_000 + "}",
    "year": "year = " + "1" * 100_000,
    "isbn": "isbn = {" + "9-" * 100_000 + "}",
}


@pytest.mark.parametrize("fields", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_fields_cost_linear_time(fields: str) -> None:
    started = time.perf_counter()
    check_bibliography(read_bibliography("a.bib", f"@article{{k, {fields}}}"), TODAY, ALL_RULES)
    assert time.perf_counter() - started < 5


def test_many_entries_of_one_title_or_key_cost_linear_time() -> None:
    text = "".join(
        f"@article{{k{n % 3}, title={{Same old title here}}, author={{A B}}, year=2020}}\n" for n in range(3000)
    )
    text += "".join(f"@article{{m{n}, title={{T {n} of it}}, doi={{10.1000/1}}}}\n" for n in range(2000))
    started = time.perf_counter()
    check_bibliography(read_bibliography("a.bib", text), TODAY, ALL_RULES)
    assert time.perf_counter() - started < 10
