"""Edits that go through the whole project: keys at their uses, two entries of one work, entries that nothing cites."""

from collections.abc import Mapping

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.citations.edits.keys import nearest_keys, rename_key
from analyzers.citations.edits.merge import merge_entries, remove_entries
from analyzers.fixes import Fix, apply_edits
from analyzers.project.bibliography import read_bibliography

HEAD = "\\documentclass{article}\n\\begin{document}\n"
TAIL = "\n\\bibliography{refs}\n\\end{document}\n"


def applied(files: Mapping[str, str], fix: Fix | None) -> dict[str, str]:
    assert fix is not None
    return {
        path: apply_edits(text, [edit for edit in fix.edits if edit.span.path == path]) for path, text in files.items()
    }


def project(body: str, refs: str, **more: str) -> dict[str, str]:
    return {"main.tex": HEAD + body + TAIL, "refs.bib": refs, **{f"{name}.tex": text for name, text in more.items()}}


REFS = (
    "@article{smith2020, title={On Rivers}, author={Smith, Ann}, year=2020}\n"
    "@article{smith2020b, title={Of Lakes}, author={Smith, Ann}, year=2020}\n"
    '@article{mueller19, title={Of Bees}, author={M{\\"u}ller, Bo}, year=2019}\n'
)


@pytest.mark.parametrize(
    ("key", "first"),
    [("smith2002", "smith2020"), ("mueller2019bees", "mueller19"), ("Mueller_2019", "mueller19"), ("zebra1900", None)],
)
def test_the_key_that_is_meant(key: str, first: str | None) -> None:
    found = nearest_keys(key, read_bibliography("refs.bib", REFS))
    assert (found[0] if found else None) == first


def test_all_uses_of_a_key_in_all_files() -> None:
    files = project(
        "\\cite{ghost} and \\citep[see][p.~2]{smith2020,\tghost , mueller19}.\r\n\r\n\\input{part}",
        REFS + "@inproceedings{c, crossref = {ghost}, title={C}}\n",
        part="\ufeffAs \\parencites{ghost}[2]{smith2020}. % \\cite{ghost}\n\\verb|\\cite{ghost}|\n",
    )
    fix = rename_key("ghost", "smith2020b", (manuscript_of(files),))
    after = applied(files, fix)
    assert after["main.tex"] == files["main.tex"].replace("ghost", "smith2020b")
    assert after["part.tex"] == files["part.tex"].replace("{ghost}[", "{smith2020b}[")
    assert after["refs.bib"] == files["refs.bib"].replace("ghost", "smith2020b")


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ("\\cite{a,b}", "\\cite{a}"),
        ("\\cite{b, a}", "\\cite{a}"),
        ("\\cite{x, b , a}", "\\cite{x, a}"),
        ("\\cite{a , x,\n  b}", "\\cite{a , x}"),
        ("\\cites{a}{b}", "\\cites{a}{a}"),
        ("\\cite{b}", "\\cite{a}"),
    ],
)
def test_a_list_never_cites_one_key_twice(cited: str, expected: str) -> None:
    files = project(cited, "@misc{a, title={A}}\n@misc{b, title={B}}\n@misc{x, title={X}}\n")
    after = applied(files, rename_key("b", "a", (manuscript_of(files),)))
    assert after["main.tex"] == files["main.tex"].replace(cited, expected)


def test_a_key_that_a_macro_composes_is_not_rewritten() -> None:
    files = project(
        "\\newcommand{\\mine}[1]{\\cite{own:#1}}\n\n\\mine{b} and \\cite{own:b}", "@misc{own:b, title={B}}\n"
    )
    manuscript = manuscript_of(files)
    assert rename_key("own:b", "a", (manuscript,)) is None


DOUBLE = (
    "\ufeff@article{{first,\r\n\ttitle={{On the Form of Things}},\r\n\tauthor={{Smith, Ann}},\r\n\tyear={{2020}}\r\n}}\r\n\r\n"
    "@misc{{between, title={{B}}}}\r\n\r\n"
    "@article{{{key},\r\n  title = {{On the form of things}},\r\n  author = {{Ann Smith}},\r\n  doi = {{10.1000/x}},\r\n"
    "  year = 2020,\r\n}}\r\n\r\n@misc{{last, title={{L}}}}\r\n"
)


@pytest.mark.parametrize("key", ["second", "first"])
def test_two_entries_of_one_work_become_one(key: str) -> None:
    files = project("\\cite{first}, \\cite{second,between}\r\n", DOUBLE.format(key=key))
    manuscript = manuscript_of(files)
    entries = [entry for entry in manuscript.bibliography.entries if entry.value("title").lower().startswith("on the")]
    fix = merge_entries(entries[0], entries[1], (manuscript,), files)
    after = applied(files, fix)
    expected = files["refs.bib"]
    start, end = expected.index(f"@article{{{key},\r\n  title"), expected.index("@misc{last")
    expected = expected[:start] + expected[end:]
    expected = expected.replace("\tyear={2020}\r\n", "\tyear={2020},\r\n\tdoi={10.1000/x}\r\n")
    assert after["refs.bib"] == expected
    uses = files["main.tex"] if key == "first" else files["main.tex"].replace("{second,", "{first,")
    assert after["main.tex"] == uses


def test_nothing_is_merged_while_an_include_is_missing() -> None:
    files = project("\\cite{first}\n\n\\input{gone}\n", DOUBLE.format(key="second"))
    manuscript = manuscript_of(files)
    first, _, second, _ = manuscript.bibliography.entries
    assert merge_entries(first, second, (manuscript,), files) is None
    assert merge_entries(first, second, (), files) is None


def test_an_entry_is_not_merged_into_its_own_volume() -> None:
    refs = "@inproceedings{a, title={On the Form of Things}, crossref={b}}\n@proceedings{b, title={On the Form of Things}}\n"
    files = project("\\cite{a,b}", refs)
    manuscript = manuscript_of(files)
    one, other = manuscript.bibliography.entries
    assert merge_entries(one, other, (manuscript,), files) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_entries_are_removed_with_their_lines(end: str) -> None:
    refs = (
        "@misc{a, title={A}}\n\n@misc{b,\n title={B}\n}\n\n@misc{c, title={C}} @misc{d, title={D}}\n% note\n@misc{e}\n"
    )
    text = refs.replace("\n", end)
    entries = {entry.key: entry for entry in read_bibliography("refs.bib", text).entries}
    fix = remove_entries([entries[key] for key in "bde"], {"refs.bib": text})
    expected = "@misc{a, title={A}}\n\n@misc{c, title={C}} \n% note\n"
    assert applied({"refs.bib": text}, fix)["refs.bib"] == expected.replace("\n", end)
    assert fix is not None
    assert not fix.safe
    whole = remove_entries(list(entries.values()), {"refs.bib": text})
    assert applied({"refs.bib": text}, whole)["refs.bib"].split() == ["%", "note"]
