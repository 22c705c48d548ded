"""Claims and evidence beside what hovers and outlines show already."""

import pytest
from lsprotocol import types as lsp

from analyzers.text.document import Document
from server.analysis import Request
from server.edits import Shift, Splice
from server.folders import Folder, OpenFile
from server.graph_markup import hover_of, hover_text, with_nodes
from server.positions import Encoding, to_range


@pytest.fixture
def folder(paper_text: str) -> Folder:
    found = Folder.in_memory()
    document = Document(paper_text)
    found.files["main.tex"] = OpenFile("untitled:main.tex", "main.tex", found, 1, document, known=True)
    found.outcome = found.analyser.run(Request({"main.tex": document}, frozenset(), live=False), lambda: None)
    return found


def headings(text: str, document: Document) -> list[lsp.DocumentSymbol]:
    names = ("Introduction", "Method", "Experiments")
    starts = [text.index(f"\\section{{{name}}}") for name in names]
    ends = [*starts[1:], len(text)]
    found = []
    for name, start, end in zip(names, starts, ends, strict=True):
        place = to_range(document, start, end, Encoding.UTF16)
        found.append(
            lsp.DocumentSymbol(name=name, kind=lsp.SymbolKind.Module, range=place, selection_range=place, children=[])
        )
    return found


def test_a_hover_is_a_list_of_what_supports_the_claim(folder: Folder, paper_text: str) -> None:
    found = hover_of(folder, "main.tex", paper_text.index("lowers the error of oxygen sensors by"))
    assert found is not None
    plain = hover_text(found, None).splitlines()
    rich = hover_text(found, lambda text: text.replace("·", "\\·")).splitlines()
    assert plain[0].startswith("main claim · ")
    assert rich[0].startswith("**main claim \\· ")
    assert rich[1] == ""
    assert [line.strip()[:40] for line in plain[1:]] == [line.strip().removeprefix("- ")[:40] for line in rich[2:]]
    assert any(line.startswith("- high evidence: ") for line in rich)
    assert hover_of(folder, "main.tex", 0) is None
    assert hover_of(folder, "other.tex", 0) is None


def test_a_hover_finds_its_claim_after_an_edit_before_it(folder: Folder, paper_text: str) -> None:
    at = paper_text.index("lowers the error of oxygen sensors by")
    folder.files["main.tex"].shift = Shift((Splice(0, 0, 7),))
    moved, before = hover_of(folder, "main.tex", at + 7), hover_of(folder, "main.tex", at)
    assert moved is not None
    assert before is not None
    assert moved.heading == before.heading


def test_the_outline_holds_nodes_in_their_sections(folder: Folder, paper_text: str) -> None:
    document = folder.files["main.tex"].document
    found = with_nodes(headings(paper_text, document), folder, "main.tex", document, Encoding.UTF16)
    names = [symbol.name for symbol in found]
    assert names[-3:] == ["Introduction", "Method", "Experiments"]
    assert all("TideFix" in name for name in names[:-3])
    inside = [child.name for child in found[-1].children or ()]
    assert "Error of oxygen sensors in mg/L." in inside
    for symbol in found[-3:]:
        assert all(symbol.range.start <= child.range.start < symbol.range.end for child in symbol.children or ())


def test_without_an_analysis_the_outline_is_as_it_was(folder: Folder, paper_text: str) -> None:
    folder.outcome = None
    document = folder.files["main.tex"].document
    given = headings(paper_text, document)
    assert with_nodes(given, folder, "main.tex", document, Encoding.UTF16) == given
