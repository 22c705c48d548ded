"""Fixes of bibliography rules: what they write, and that nothing outside the touched field changes."""

from datetime import date

import pytest

from analyzers.citations.plausibility import ALL_RULES, check_bibliography
from analyzers.fixes import apply_edits
from analyzers.project.bibliography import read_bibliography

TODAY = date(2026, 6, 15)
# code, the value (or expression) as it stands, what it becomes
FIXES = [
    ("BIB005", "month", "June", "jun"),
    ("BIB005", "journal", "jmlr", "{jmlr}"),
    ("BIB010", "arxiv", "{170603762}", "{1706.03762}"),
    ("BIB013", "doi", "{https://doi.org/10.1145/3503250}", "{10.1145/3503250}"),
    ("BIB013", "doi", '"doi: 10.1145/3503250"', '"10.1145/3503250"'),
    ("BIB013", "doi", "{http://doi.acm.org/10.1145/3503250}", "{10.1145/3503250}"),
    ("BIB013", "doi", r"{\url{https://dx.doi.org/10.1145/3503250}}", "{10.1145/3503250}"),
    ("BIB013", "doi", r"{10.1162/tacl\_a\_00276}", "{10.1162/tacl_a_00276}"),
    ("BIB020", "year", "{20I9}", "{2019}"),
    ("BIB032", "url", "{https://a.net/p?utm_source=chatgpt.com}", "{https://a.net/p}"),
    ("BIB032", "url", "{https://a.net/p?utm_source=chatgpt.com&x=1}", "{https://a.net/p?x=1}"),
    ("BIB032", "url", r"{https://a.net/p?utm\_source=openai\&x=1}", "{https://a.net/p?x=1}"),
    ("BIB032", "url", "{https://a.net/p?x=1&utm_source=perplexity}", "{https://a.net/p?x=1}"),
    ("BIB033", "author", "{Smith, Adam et al.}", "{Smith, Adam and others}"),
    ("BIB033", "author", "{Smith, Adam and Li, Bo and et al}", "{Smith, Adam and Li, Bo and others}"),
    ("BIB033", "author", "{Smith, Adam, et~al.}", "{Smith, Adam and others}"),
    ("BIB033", "author", "{Smith, Adam and {et al.}}", "{Smith, Adam and others}"),
    ("BIB033", "author", r"{Smith, Adam \emph{et al.}}", "{Smith, Adam and others}"),
    ("BIB034", "author", "{Ann Smith, Bo Jones, Cy Brown}", "{Ann Smith and Bo Jones and Cy Brown}"),
    ("BIB034", "author", "{Smith, A., Jones, B.}", "{Smith, A. and Jones, B.}"),
    (
        "BIB034",
        "author",
        "{A. Smith, B. Jones, C. Brown and Dee White}",
        "{A. Smith and B. Jones and C. Brown and Dee White}",
    ),
    ("BIB036", "pages", "{120--110}", "{110--120}"),
    ("BIB036", "pages", '"S20 - S12"', '"S12 - S20"'),
]
FRAMES = {
    "lf": "% before é𝒳\n@misc{k,\n\tnote = {x},\n\tFIELD = VALUE,\n\ttitle = {y}\n}\n\n@misc{l, note={z}}\n",
    "crlf": "@misc{k,\r\n\tnote = {x},\r\n\tFIELD = VALUE,\r\n\ttitle = {y}\r\n}\r\n\r\n@misc{l, note={z}}\r\n",
    "bom": "\ufeff@misc{k, note = {x} , FIELD=VALUE , title = {y} }",
    "parentheses": "@misc(k, FIELD = VALUE)\t\n",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
@pytest.mark.parametrize(("code", "field", "before", "after"), FIXES)
def test_fix_touches_its_field_only(code: str, field: str, before: str, after: str, frame: str) -> None:
    text = frame.replace("FIELD", field).replace("VALUE", before)
    expected = frame.replace("FIELD", field).replace("VALUE", after)
    found = read_bibliography("refs.bib", text)
    faults = [fault for fault in check_bibliography(found, TODAY, ALL_RULES).faults if fault.code == code]
    assert len(faults) == 1
    (fix,) = faults[0].fixes
    assert all(edit.span.path == "refs.bib" for edit in fix.edits)
    repaired = apply_edits(text, fix.edits)
    assert repaired == expected
    again = check_bibliography(read_bibliography("refs.bib", repaired), TODAY, ALL_RULES)
    assert code not in {fault.code for fault in again.faults}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_removing_a_copy(newline: str) -> None:
    text = "@misc{a, title={T}}\n\n@misc{a,\ttitle = {T}}\n@misc{b, title={U}}\n".replace("\n", newline)
    found = read_bibliography("refs.bib", text)
    (fault,) = [fault for fault in check_bibliography(found, TODAY, ALL_RULES).faults if fault.code == "BIB002"]
    repaired = apply_edits(text, fault.fixes[0].edits)
    assert repaired == "@misc{a, title={T}}\n\n@misc{b, title={U}}\n".replace("\n", newline)


@pytest.mark.parametrize(
    "text",
    [
        "@misc{k, author = {Smith, Adam et al. and Li, Bo}}",
        "@misc{k, author = {et al.}}",
        "@misc{k, author = {A, B, C, D, E}}",
        "@misc{a, title={T}}\n@misc{a, title={U}}",
    ],
)
def test_no_fix_where_the_meaning_is_unclear(text: str) -> None:
    found = read_bibliography("refs.bib", text)
    faults = [
        fault
        for fault in check_bibliography(found, TODAY, ALL_RULES).faults
        if fault.code in ("BIB002", "BIB033", "BIB034")
    ]
    assert faults
    assert all(fault.fixes == () for fault in faults)


def test_only_harmless_fixes_are_safe() -> None:
    texts = "\n".join(f"@misc{{k{n}, {field} = {before}}}" for n, (_, field, before, _) in enumerate(FIXES))
    found = read_bibliography("refs.bib", texts)
    safe = {
        (fault.code, fix.title)
        for fault in check_bibliography(found, TODAY, ALL_RULES).faults
        for fix in fault.fixes
        if fix.safe
    }
    assert {code for code, _ in safe} == {"BIB005", "BIB013", "BIB033"}
    assert ("BIB013", "Write 10.1162/tacl_a_00276") not in safe
