"""Findings as diagnostics, fixes as edits."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.protocol import default_converter

from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit
from analyzers.text.spans import Span
from server.convert import MORE_CODE, Border, diagnostics, wire, workspace_edit
from server.edits import Shift, Splice, shifted
from server.positions import Encoding

TEXT = "é 𝔸 bad\nsecond line\n"


@dataclass
class Files:
    texts: dict[str, Any]
    versions: dict[str, int] = field(default_factory=dict)

    def uri(self, path: str) -> str:
        return f"file:///p/{path}"

    def snapshot(self, path: str) -> Any:
        return self.texts.get(path)

    def version(self, path: str) -> int | None:
        return self.versions.get(path)


def finding(start: int, end: int, severity: Severity = Severity.WARNING, path: str = "a.tex", **more: Any) -> Finding:
    return Finding("XXX001", "This is wrong.", Span(path, start, end), Tier.PROVED, severity, **more)


@pytest.fixture
def files(reference: Any) -> Files:
    return Files({"a.tex": reference(TEXT), "b.tex": reference("one\ntwo\nthree")}, {"a.tex": 7})


@pytest.mark.parametrize(("encoding", "columns"), [("utf-8", (8, 11)), ("utf-16", (5, 8)), ("utf-32", (4, 7))])
def test_a_range_counts_in_the_clients_units(files: Files, encoding: str, columns: tuple[int, int]) -> None:
    (found,) = diagnostics([finding(4, 7)], "a.tex", Border(files, Encoding(encoding)))
    assert (found.range.start.character, found.range.end.character) == columns
    assert TEXT[4:7] == "bad"


@pytest.mark.parametrize(("ours", "theirs"), list(zip(Severity, lsp.DiagnosticSeverity, strict=True)))
def test_severities_keep_their_order(files: Files, ours: Severity, theirs: lsp.DiagnosticSeverity) -> None:
    (found,) = diagnostics([finding(0, 1, ours)], "a.tex", Border(files, Encoding.UTF16))
    assert found.severity == theirs


def test_the_other_place_is_shown_twice(files: Files) -> None:
    other = Related(Span("b.tex", 8, 13), "here it says three")
    one = finding(4, 7, related=(other, Related(Span("gone.tex", 0, 1), "unknown")), fingerprint="f1")
    (found,) = diagnostics([one], "a.tex", Border(files, Encoding.UTF16, "https://example.org/{code}"))
    assert found.message == "This is wrong.\n→ b.tex:3: here it says three"
    (related,) = found.related_information or ()
    assert related.location.uri == "file:///p/b.tex"
    assert related.location.range.start == lsp.Position(line=2, character=0)
    assert found.source == "counterclaim"
    assert found.data == {"fingerprint": "f1", "code": "XXX001"}
    assert found.code_description == lsp.CodeDescription(href="https://example.org/XXX001")


def test_the_written_out_json_is_the_librarys(files: Files) -> None:
    one = finding(4, 7, related=(Related(Span("b.tex", 8, 13), "m"),), fingerprint="f1")
    for border in (Border(files, Encoding.UTF8), Border(files, Encoding.UTF8, "https://example.org/{code}")):
        for found in diagnostics([one, finding(8, 9)], "a.tex", border, limit=1):
            assert wire(found) == default_converter().unstructure(found, lsp.Diagnostic)


def test_the_cap_keeps_the_gravest_and_says_how_many_are_missing(files: Files) -> None:
    many = [finding(i % 20, i % 20 + 1, Severity.HINT) for i in range(30)] + [finding(9, 12, Severity.ERROR)]
    found = diagnostics(many, "a.tex", Border(files, Encoding.UTF16), limit=10)
    assert len(found) == 11
    assert [d.code for d in found].count(MORE_CODE) == 1
    assert "10 of 31" in found[-1].message
    assert lsp.DiagnosticSeverity.Error in [d.severity for d in found]
    starts = [(d.range.start.line, d.range.start.character) for d in found[:-1]]
    assert starts == sorted(starts)


def test_an_unknown_file_has_no_diagnostics(files: Files) -> None:
    assert diagnostics([finding(0, 1, path="gone.tex")], "gone.tex", Border(files, Encoding.UTF16)) == []


def test_spans_outside_of_the_text_are_clamped(files: Files) -> None:
    (found,) = diagnostics([finding(500, 900)], "a.tex", Border(files, Encoding.UTF16))
    assert found.range.start == found.range.end == lsp.Position(line=2, character=0)


def test_edits_carry_the_version_of_open_documents_only(files: Files) -> None:
    edits = [Edit(Span("a.tex", 4, 7), "good"), Edit(Span("b.tex", 4, 7), "2")]
    edit = workspace_edit(edits, Border(files, Encoding.UTF16))
    assert edit is not None
    versions = {c.text_document.uri: c.text_document.version for c in edit.document_changes or ()}
    assert versions == {"file:///p/a.tex": 7, "file:///p/b.tex": None}
    plain = workspace_edit(edits, Border(files, Encoding.UTF16), versioned=False)
    assert plain is not None
    assert set(plain.changes or ()) == set(versions)
    assert workspace_edit([Edit(Span("gone.tex", 0, 0), "x")], Border(files, Encoding.UTF16)) is None


@pytest.mark.parametrize(
    ("splice", "expected"),
    [
        (Splice(0, 0, 3), (7, 10)),
        (Splice(4, 4, 1), (5, 8)),
        (Splice(7, 7, 2), (4, 7)),
        (Splice(9, 10, 0), (4, 7)),
        (Splice(5, 6, 1), None),
        (Splice(0, 20, 0), None),
        (Splice(0, 4, 1), (1, 4)),
    ],
)
def test_a_finding_moves_with_the_text_or_goes_with_it(splice: Splice, expected: tuple[int, int] | None) -> None:
    moved = shifted(finding(4, 7), {"a.tex": Shift((splice,))})
    assert (None if moved is None else (moved.span.start, moved.span.end)) == expected


def test_a_finding_loses_related_places_that_are_gone() -> None:
    one = finding(4, 7, related=(Related(Span("b.tex", 0, 3), "x"), Related(Span("b.tex", 8, 13), "y")))
    moved = shifted(one, {"b.tex": Shift((Splice(1, 2, 5),))})
    assert moved is not None
    assert [(place.span.start, place.message) for place in moved.related] == [(12, "y")]


def test_typing_on_at_one_place_is_one_splice() -> None:
    shift = Shift()
    for number in range(100):
        shift = shift.then([Splice(10 + number, 10 + number, 1)])
    assert shift.splices == (Splice(10, 10, 100),)
    shift = shift.then([Splice(105, 110, 0), Splice(500, 501, 3)])
    assert shift.splices == (Splice(10, 10, 95), Splice(500, 501, 3))
    assert shift.span(Span("a.tex", 20, 30)) == Span("a.tex", 115, 125)
