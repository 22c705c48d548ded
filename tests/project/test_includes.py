"""Which files make a manuscript: includes of every kind, what cannot be followed, and what is then left open."""

import pytest

from analyzers.driver import analyse
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import MemoryReader


def manuscript_from(files: dict[str, str], root: str = "main.tex") -> Manuscript:
    return assemble(Library(MemoryReader(files)), root)


def paper(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n\n{body}\n\n\\end{{document}}\n"


@pytest.mark.parametrize(
    "body", ["\\chap{a}", "Words. \\chap{a}", "\\section{T}\\chap{a}", "\\begin{center}\n\n\\chap{a}\n\n\\end{center}"]
)
def test_a_macro_of_the_user_may_include(body: str) -> None:
    preamble = "\\newcommand{\\chap}[1]{\\input{parts/#1}}"
    files = {"main.tex": paper(body + "\n\nSee \\ref{x}.", preamble), "parts/a.tex": "Body \\label{x}."}
    manuscript = manuscript_from(files)
    assert set(manuscript.files) == {"main.tex", "parts/a.tex"}
    assert manuscript.closed
    assert [finding.code for finding in analyse(manuscript).findings] == []


@pytest.mark.parametrize(
    ("call", "file"),
    [
        ("\\input{part}", "part.tex"),
        ("\\input part", "part.tex"),
        ("\\include{part}", "part.tex"),
        ("\\subfile{sub/part}", "sub/part.tex"),
        ("\\import{sub/}{part}", "sub/part.tex"),
        ("\\newcommand{\\here}{sub}\\input{\\here/part}", "sub/part.tex"),
        ("\\input{\\jobname-part}", "main-part.tex"),
    ],
)
def test_includes_are_followed(call: str, file: str) -> None:
    manuscript = manuscript_from({"main.tex": paper(call), file: "Body."})
    assert file in manuscript.files
    assert manuscript.closed


def test_a_file_that_includes_itself_is_read_once() -> None:
    manuscript = manuscript_from(
        {"main.tex": paper("\\input{a}"), "a.tex": "A.\n\n\\input{b}\n", "b.tex": "\\input{a}"}
    )
    assert [note.message for note in manuscript.notes] == ["a.tex includes itself; the second reading was left out."]
    assert sum(entry.block.text.startswith("A.") for entry in manuscript.entries) == 1


@pytest.mark.parametrize("call", ["\\input{gone}", "\\input{\\unknown/part}"])
def test_what_cannot_be_followed_leaves_the_project_open(call: str) -> None:
    manuscript = manuscript_from({"main.tex": paper(f"{call}\n\nSee \\ref{{x}}.")})
    assert not manuscript.closed
    assert len(manuscript.notes) == 1
    assert "stay silent" in manuscript.notes[0].message
    assert [finding.code for finding in analyse(manuscript).findings] == []


def test_text_in_filecontents_is_a_file() -> None:
    held = "\\begin{filecontents}{held.tex}\nHeld \\label{x}.\n\\end{filecontents}\n\n"
    manuscript = manuscript_from({"main.tex": held + paper("\\input{held}\n\nSee \\ref{x}.")})
    assert manuscript.closed
    assert [finding.code for finding in analyse(manuscript).findings] == []


def test_labels_of_another_document_count() -> None:
    preamble = "\\usepackage{xr}\n\\externaldocument[B-]{other}"
    files = {"main.tex": paper("See \\ref{B-x} and \\ref{B-gone}.", preamble), "other.tex": "Other \\label{x}."}
    manuscript = manuscript_from(files)
    assert manuscript.external_labels == {"B-x"}
    assert [manuscript.text(finding.span) for finding in analyse(manuscript).findings] == ["B-gone"]
    files["other.tex"] += "\\input{more}"
    assert manuscript_from(files).external_prefixes == ("B-",)


def test_a_typeset_bibliography_stands_in_for_a_missing_one() -> None:
    body = "Known \\cite{a}, unknown \\cite{b}.\n\n\\bibliography{gone}"
    typeset = "\\begin{thebibliography}{1}\n\\bibitem{a} A.\n\\end{thebibliography}\n"
    manuscript = manuscript_from({"main.tex": paper(body), "main.bbl": typeset})
    assert set(manuscript.typeset_keys) == {"a"}
    assert [manuscript.text(finding.span) for finding in analyse(manuscript).findings] == ["b"]
