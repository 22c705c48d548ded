"""Entries and their values: markup, identifiers, and bad input."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.plaintext import plain_text
from analyzers.citations.record import Identifier, Scheme, entry_from_fields, normal_arxiv_id, normal_doi, split_names
from analyzers.citations.verdict import judge

PLAIN = [
    (r"M{\"u}{\ss}ig", "Müßig"),
    (r"Erd\H os", "Erdős"),
    (r"{\L}ojasiewicz", "Łojasiewicz"),
    (r"Ans{\'{o}}tegui", "Ansótegui"),
    (r"\'{\i}\v{S}\c{c}\k{a}\r{u}", "íŠçąů"),
    (r"100\% of \emph{A} \& B", "100% of A & B"),
    ("Q&amp;A, x &lt; y", "Q&A, x < y"),
    (r"$\mathcal{O}(n^2)$ time", "O(n2) time"),
    (r"{\textdollar}{\textbackslash}varepsilon{\textdollar}-close", "ε-close"),
    ("a~b --- c -- d", "a b — c – d"),
    (r"cost of \$5 and \{x\}", "cost of $5 and {x}"),
    ("AT&T and R&D", "AT&T and R&D"),
    ("<b>Bold</b> x<y", "Bold x<y"),
]


@pytest.mark.parametrize(("value", "expected"), PLAIN)
def test_markup_becomes_text(value: str, expected: str) -> None:
    assert plain_text(value) == expected


DOIS = [
    ("https://doi.org/10.1145/3503250", "10.1145/3503250"),
    ("doi: 10.1145/3503250.", "10.1145/3503250"),
    (r"10.1162/tacl\_a\_00276", "10.1162/tacl_a_00276"),
    ("<10.1145/3503250>", "10.1145/3503250"),
    ('"10.1145/3503250"', "10.1145/3503250"),
    (
        "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
        "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
    ),
    ("10.1000/a\"b'c", "10.1000/a\"b'c"),
    ("(10.1145/3503250)", "10.1145/3503250"),
    ("10.1145", ""),
    ("doi.org/abc123", ""),
    ("", ""),
]


@pytest.mark.parametrize(("value", "expected"), DOIS)
def test_dois_are_normalised(value: str, expected: str) -> None:
    assert normal_doi(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("math/0211159", "math/0211159"),
        ("hep-th/9901001v3", "hep-th/9901001"),
        ("170603762", ""),
    ],
)
def test_arxiv_ids_are_normalised(value: str, expected: str) -> None:
    assert normal_arxiv_id(value) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"doi": "10.48550/arXiv.1706.03762"}, Identifier(Scheme.ARXIV, "1706.03762")),
        ({"eprint": "1706.03762", "archiveprefix": "arXiv"}, Identifier(Scheme.ARXIV, "1706.03762")),
        ({"journal": "arXiv preprint arXiv:1706.03762"}, Identifier(Scheme.ARXIV, "1706.03762")),
        ({"journal": "CoRR", "volume": "abs/1706.03762"}, Identifier(Scheme.ARXIV, "1706.03762")),
        ({"url": "https://aclanthology.org/N19-1423/"}, Identifier(Scheme.ACL, "N19-1423")),
        ({"url": "https://doi.org/10.1145/3503250"}, Identifier(Scheme.DOI, "10.1145/3503250")),
        ({"url": "https://openreview.net/forum?id=abcDEF123_"}, Identifier(Scheme.OPENREVIEW, "abcDEF123_")),
        ({"isbn": "978-0-262-03561-3"}, Identifier(Scheme.ISBN, "9780262035613")),
    ],
)
def test_identifiers_are_found(fields: dict[str, str], expected: Identifier) -> None:
    assert expected in entry_from_fields("article", "k", fields).identifiers


def test_eprints_of_other_archives_are_no_arxiv_ids() -> None:
    fields = {"eprint": "1706.03762", "eprinttype": "hal"}
    assert entry_from_fields("article", "k", fields).arxiv_id == ""


def test_names_keep_units_and_truncation() -> None:
    names, truncated = split_names(r"{Barnes and Noble, Inc.} and M{\"u}ller, Hans AND {OpenAI} and others")
    assert names == ("{Barnes and Noble, Inc.}", "Müller, Hans", "{OpenAI}")
    assert truncated


def test_field_names_are_case_blind_and_subtitles_joined() -> None:
    entry = entry_from_fields("Article", "k", {"TITLE": "Main", "subtitle": "Part", "DATE": "2019-05/2019-06"})
    assert (entry.kind, entry.title, entry.year) == ("article", "Main: Part", 2019)


def test_huge_values_take_no_quadratic_time() -> None:
    fields = {
        "title": "A Study",
        "author": " and ".join(rf"N{{\'e}}{number}, Given" for number in range(3000)),
        "abstract": r"\'{e} {\"u $x$ & <i " * 10_000,
        "note": "{" * 50_000 + "}" * 40_000,
        "doi": "<" * 20_000,
    }
    started = time.process_time()
    entry = entry_from_fields("article", "k", fields)
    plain_text(fields["abstract"])
    assert len(entry.authors) == 3000
    assert time.process_time() - started < 5


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("\\{}$&~<>'\"`^=.Hcvkrudbt eé-;#x1;"), max_size=80))
def test_any_value_becomes_text(value: str) -> None:
    text = plain_text(value)
    assert "\ue000" not in text or "\ue000" in value
    assert text == text.strip()


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["title", "author", "doi", "eprint", "year", "url", "isbn", "journal", "pages", "booktitle"]),
        st.text(st.characters(codec="utf-8") | st.sampled_from('{}\\"<>,'), max_size=40),
    )
)
def test_any_fields_make_an_entry_that_can_be_judged(fields: dict[str, str]) -> None:
    from datetime import date

    entry = entry_from_fields("misc", "k", fields)
    assert str(judge(entry, (), date(2026, 6, 1)).kind) == "unverifiable"
