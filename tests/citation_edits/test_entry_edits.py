"""Every edit of an entry, in nine ways of writing, with three line ends and a byte order mark: nothing else changes."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.edits.fields import Change, change_fields, change_kind, comment_above
from analyzers.citations.edits.identifiers import (
    add_address,
    add_doi,
    add_eprint,
    drop_identifier,
    normalise_doi,
    page_dash,
)
from analyzers.citations.edits.records import (
    declare_truncation,
    expand_authors,
    replace_by_record,
    replace_field,
    switch_to_published,
)
from analyzers.citations.edits.tex import tex_names, tex_pages, tex_text, tex_title
from analyzers.citations.matching import match_record
from analyzers.citations.plaintext import plain_text
from analyzers.citations.plausibility import ALL_RULES, check_entry
from analyzers.citations.record import Record
from analyzers.fixes import Fix, apply_edits
from analyzers.project.bibliography import read_bibliography

DAY = date(2026, 6, 15)
RECORD = Record(
    "Sleep in Bees under BERT Light",
    ("Emil Elm 0001", "Fay Fir", "José Müßig"),
    2003,
    "Journal of Bee Research",
    "10-24",
    "10.1000/bees.3",
    "https://doi.org/10.1000/bees.3",
    kind="article",
    source="Crossref",
)
Make = Callable[..., Any]


def test_a_doi_is_added_in_the_way_of_the_entry(make_case: Make) -> None:
    case = make_case()
    fix = add_doi(case.entry, RECORD)
    assert fix is not None
    assert fix.safe
    after = case.after(fix)
    assert after.entry.value("doi") == "10.1000/bees.3"
    assert after.fields("doi") == case.fields()
    assert add_doi(after.entry, RECORD) is None


@pytest.mark.parametrize("already", [{"doi": "10.1/x"}, {"url": "https://doi.org/10.1000/bees.3"}])
def test_no_second_doi(plain_case: Make, already: dict[str, str]) -> None:
    assert add_doi(plain_case(**already).entry, RECORD) is None


def test_an_arxiv_id_is_added(make_case: Make) -> None:
    case = make_case()
    record = Record("Sleep in Bees", arxiv_id="2101.00001")
    after = case.after(add_eprint(case.entry, record))
    assert (after.entry.value("eprint"), after.entry.value("archiveprefix")) == ("2101.00001", "arXiv")
    assert after.fields("eprint", "archiveprefix") == case.fields()
    assert add_eprint(after.entry, record) is None


def test_an_address_is_added_only_without_any_other_way(plain_case: Make) -> None:
    record = Record("Sleep in Bees", url="https://aclanthology.org/2001.bees-main.3")
    assert plain_case().after(add_address(plain_case().entry, record)).entry.value("url") == record.url
    assert add_address(plain_case(eprint="2101.00001").entry, record) is None
    assert add_address(plain_case().entry, RECORD) is None


@pytest.mark.parametrize(
    ("written", "safe"),
    [("https://doi.org/10.1000/a_b", True), ("doi:10.1000/a_b", True), ("10.1000/a\\_b", False)],
)
def test_a_doi_is_written_bare(make_case: Make, written: str, safe: bool) -> None:
    case = make_case(doi=written)
    fix = normalise_doi(case.entry)
    assert fix is not None
    assert fix.safe is safe
    after = case.after(fix)
    assert after.entry.value("doi") == "10.1000/a_b"
    assert after.fields("doi") == case.fields("doi")
    assert normalise_doi(after.entry) is None


def test_a_conflicting_identifier_goes_with_what_belongs_to_it(make_case: Make) -> None:
    case = make_case(doi="10.1/other", eprint="2101.00001", archiveprefix="arXiv")
    after = case.after(drop_identifier(case.entry, "doi"))
    assert after.fields() == case.fields("doi")
    after = case.after(drop_identifier(case.entry, "eprint"))
    assert after.fields() == case.fields("eprint", "archiveprefix")
    assert drop_identifier(after.entry, "eprint") is None


@pytest.mark.parametrize(
    ("pages", "expected"), [("10-24", "10--24"), ("1–5, 8 - 9", "1--5, 8--9"), ("S1-S9", "S1--S9")]
)
def test_the_dash_of_pages(make_case: Make, pages: str, expected: str) -> None:
    case = make_case(pages=pages)
    after = case.after(page_dash(case.entry))
    assert after.entry.value("pages") == expected
    assert after.fields("pages") == case.fields("pages")
    assert page_dash(after.entry) is None


@pytest.mark.parametrize("pages", ["10--24", "e1001", "43", "12:3-12:9", "2020-01-02", "1---"])
def test_other_pages_stay(plain_case: Make, pages: str) -> None:
    assert page_dash(plain_case(pages=pages).entry) is None


def test_et_al_becomes_and_others(make_case: Make) -> None:
    case = make_case(author="Elm, Emil et al.")
    faults = check_entry(case.entry, case.bibliography, DAY, ALL_RULES)
    (fix,) = next(fault.fixes for fault in faults if fault.code == "BIB033")
    after = case.after(fix)
    assert after.entry.value("author") == "Elm, Emil and others"
    assert after.fields("author") == case.fields("author")


def test_a_cut_author_list_is_declared_or_filled(make_case: Make) -> None:
    case = make_case()
    after = case.after(declare_truncation(case.entry, RECORD))
    assert after.entry.value("author") == "Elm, Emil and others"
    assert after.fields("author") == case.fields("author")
    assert declare_truncation(after.entry, RECORD) is None
    after = case.after(expand_authors(case.entry, RECORD, case.text))
    assert plain_text(after.entry.value("author")) == "Emil Elm and Fay Fir and José Müßig"
    assert after.fields("author") == case.fields("author")


def test_one_field_is_taken_from_the_record(make_case: Make) -> None:
    case = make_case(journal="Annals of Ants")
    differences = {d.name: d for d in match_record(case.read, _near(RECORD)).differences}
    assert {"year", "journal"} <= differences.keys()
    for name, expected in (("year", "2003"), ("journal", "Journal of Bee Research")):
        after = case.after(replace_field(case.entry, differences[name], RECORD, case.text))
        assert after.entry.plain(name) == expected
        assert after.fields(name) == case.fields(name)


def _near(record: Record) -> Record:
    """A record of the same title and people."""
    return Record("Sleep in Bees", ("Emil Elm",), record.year, record.venue, record.pages, source="Crossref")


def test_an_entry_is_replaced_but_for_key_and_own_fields(make_case: Make) -> None:
    case = make_case(note="mine, 100\\% sure", journal="Annals of Ants", file="a_b.pdf", abstract="Long {text}.")
    fix = replace_by_record(case.entry, case.read, RECORD, case.text, DAY)
    assert fix is not None
    assert not fix.safe
    after = case.after(fix)
    assert after.entry.key == "target"
    assert plain_text(after.entry.value("title")) == RECORD.title
    assert "{BERT}" in after.entry.value("title")
    assert plain_text(after.entry.value("author")) == "Emil Elm and Fay Fir and José Müßig"
    assert after.entry.value("year") == "2003"
    assert after.entry.value("journal") == RECORD.venue
    assert after.entry.value("doi") == RECORD.doi
    own = ("note", "file", "abstract")
    assert {name: after.fields()[name] for name in own} == {name: case.fields()[name] for name in own}
    assert "% Replaced by the record of Crossref on 2026-06-15." in after.text
    assert replace_by_record(after.entry, after.read, RECORD, after.text, DAY) is None
    assert match_record(after.read, RECORD).confirmed


def test_what_agrees_is_left_as_it_is_written(plain_case: Make) -> None:
    case = plain_case(title="{Sleep} in {B}ees", author="Elm, E. and Fir, F.", journal="J. Bee Res.", year="2003")
    record = Record("Sleep in bees", ("Emil Elm", "Fay Fir"), 2003, "Journal of Bee Research", doi="10.1000/bees.3")
    after = case.after(replace_by_record(case.entry, case.read, record, case.text, DAY))
    assert after.fields("doi") == case.fields()


def test_a_preprint_becomes_the_publication_and_keeps_its_arxiv_id(make_case: Make) -> None:
    case = make_case(kind="article", journal="arXiv preprint arXiv:2101.00001", month="jan", note="mine")
    record = Record(
        "Sleep in Bees",
        ("Emil Elm",),
        2022,
        "Proceedings of the 39th International Conference on Machine Learning",
        "1--9",
        "10.1000/icml.1",
        kind="inproceedings",
        source="local index",
    )
    after = case.after(switch_to_published(case.entry, case.read, record, case.text))
    assert after.entry.kind == "inproceedings"
    assert after.entry.value("booktitle") == record.venue
    assert (after.entry.value("year"), after.entry.value("pages")) == ("2022", "1--9")
    assert after.entry.value("doi") == "10.1000/icml.1"
    assert after.entry.value("eprint") == "2101.00001"
    assert "journal" not in after.entry.fields
    assert "month" not in after.entry.fields
    kept = ("title", "author", "note")
    assert {name: after.fields()[name] for name in kept} == {name: case.fields()[name] for name in kept}


def test_a_preprint_of_a_preprint_stays(plain_case: Make) -> None:
    case = plain_case(journal="arXiv preprint arXiv:2101.00001")
    assert (
        switch_to_published(case.entry, case.read, Record("Sleep in Bees", year=2022, venue="CoRR"), case.text) is None
    )


def test_the_type_is_written_as_types_are(case_of: Make) -> None:
    for head, expected in (("@Misc", "@Inproceedings"), ("@MISC", "@INPROCEEDINGS"), ("@misc", "@inproceedings")):
        case = case_of(f"{head}{{target, title={{A}}}}\n")
        assert apply_edits(case.text, change_kind(case.entry, "inproceedings")).startswith(expected)
    assert change_kind(case_of("@Book{target, title={A}}").entry, "book") == ()


@pytest.mark.parametrize(
    "text",
    [
        "@misc{target}\n",
        "@misc{target,}\n",
        "@misc{target,\n}\n",
        "@misc{target, title = x # {y}}",
        "@misc{ target , title={A} , }",
    ],
)
def test_odd_entries_take_a_field(case_of: Make, text: str) -> None:
    case = case_of(text)
    after = apply_edits(text, change_fields(case.entry, (Change("doi", "10.1/x"),)))
    entry = read_bibliography("refs.bib", after).entry("target")
    assert entry is not None
    assert not entry.problems
    assert entry.value("doi") == "10.1/x"


@pytest.mark.parametrize(
    "text",
    [
        "@misc{target, title={A} year={2000}}",
        "@misc{target, title={A, year={2000}",
        "@misc{target, title={A}, title={B}}",
    ],
)
def test_damaged_entries_are_left_alone(case_of: Make, text: str) -> None:
    entry = case_of(text).entry
    assert change_fields(entry, (Change("doi", "10.1/x"), Change("title", "C"))) == ()
    assert change_kind(entry, "book") == ()
    assert add_doi(entry, RECORD) is None


def test_a_value_that_is_no_text_becomes_one(case_of: Make) -> None:
    case = case_of('@misc{target, year = 2001, title = "A {"}b{"}"}')
    after = apply_edits(case.text, change_fields(case.entry, (Change("year", "2003"), Change("title", 'C "d" e'))))
    assert after == '@misc{target, year = {2003}, title = "C {"}d{"} e"}'


def test_removing_and_adding_at_one_place(case_of: Make) -> None:
    case = case_of("@misc{target,\n  title = {A},\n  month = jan,\n  journal = {B},\n}\n")
    changes = (Change("month", None), Change("journal", None), Change("booktitle", "C"), Change("doi", "10.1/x"))
    after = apply_edits(case.text, change_fields(case.entry, changes))
    assert after == "@misc{target,\n  title = {A},\n  booktitle = {C},\n  doi = {10.1/x},\n}\n"
    every = apply_edits(case.text, change_fields(case.entry, [Change(name, None) for name in case.entry.fields]))
    assert read_bibliography("refs.bib", every).entries[0].fields == {}


def test_no_comment_where_an_entry_shares_its_line(case_of: Make) -> None:
    text = "@misc{a, title={A}} @misc{target, title={B}}"
    assert comment_above(case_of(text).entry, text, "x") == ()


@given(st.text(max_size=60))
@settings(max_examples=150)
def test_any_text_survives_as_a_value(text: str) -> None:
    source = "@misc{target,\n  title = {A}\n}\n@misc{other, title={B}}\n"
    entry = read_bibliography("refs.bib", source).entries[0]
    for value in (tex_text(text), tex_text(text, True), tex_title(text), tex_title(text, "{X}", True)):
        after = read_bibliography("refs.bib", apply_edits(source, change_fields(entry, (Change("title", value),))))
        assert [e.key for e in after.entries] == ["target", "other"]
        assert not after.entries[0].problems


@pytest.mark.parametrize(
    ("title", "before", "expected"),
    [
        ("BERT and the GPT-3 model", "", "{BERT} and the {GPT-3} model"),
        ("Deep Learning of Rivers", "{D}eep {Learning}", "{D}eep {Learning} of Rivers"),
        ("A 50% & more_less", "", "A 50\\% \\& more\\_less"),
        ("Whole Title", "{Old Title}", "{Whole Title}"),
    ],
)
def test_capitals_of_titles_are_protected(title: str, before: str, expected: str) -> None:
    assert tex_title(title, before) == expected


@pytest.mark.parametrize(
    "name",
    ["Müller", "Erdős", "Łojasiewicz", "Müßig", "Ørsted", "Čapek", "Dvořák", "İnan", "Nuñez", "Şahin", "Đặng", "王伟"],
)
def test_accents_read_back(name: str) -> None:
    ascii_name = tex_names((name,), ascii_only=True)
    assert plain_text(ascii_name) == plain_text(name)
    assert tex_names((name,)) == name


def test_names_and_pages() -> None:
    assert tex_names(("Ann Alder 0001", "{ATLAS Collaboration}", "Smith and Sons")) == (
        "Ann Alder and {ATLAS Collaboration} and {Smith and Sons}"
    )
    assert tex_pages("10–24") == tex_pages("10-24") == tex_pages("10--24") == "10--24"


def test_fixes_are_small(plain_case: Make) -> None:
    case = plain_case(doi="https://doi.org/10.1000/a")
    fix = normalise_doi(case.entry)
    assert isinstance(fix, Fix)
    (edit,) = fix.edits
    assert case.text[edit.span.start : edit.span.end] == "https://doi.org/10.1000/a"
