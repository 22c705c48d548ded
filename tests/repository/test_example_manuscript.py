"""The faults of the example manuscript are found where its list says, through the same path as the command line."""

from pathlib import Path

import pytest

from analyzers.checks import ALL_CHECKS
from analyzers.finding import Finding, Severity
from server.checking import Options, check_root, target_of
from server.report.model import RootReport

FOLDER = Path(__file__).parents[2] / "examples" / "manuscript"
CODES = {check.code for check in ALL_CHECKS}
# Code, file, and what the finding or one of its related places touches.
FAULTS = [
    ("CIT001", "sections/introduction.tex", "maier2021drfit"),
    ("CNT001", "sections/introduction.tex", "four contributions"),
    ("TXT002", "sections/introduction.tex", "TODO"),
    ("REF002", "sections/experiments.tex", "sec:setup"),
    ("CNT002", "sections/experiments.tex", "three rivers"),
    ("DAT001", "sections/experiments.tex", "October 2022 and March 2022"),
    ("NUM003", "sections/experiments.tex", "from 1.12 with a Gaussian process to 0.93"),
    ("NUM004", "sections/experiments.tex", "240 cleanings"),
    ("REF005", "sections/experiments.tex", "Table 7"),
    ("ACR001", "sections/experiments.tex", "RMSE"),
    ("CIT001", "sections/experiments.tex", "vermeer2023tuning"),
    ("DUP001", "sections/conclusion.tex", "Cleaning a sensor resets its drift"),
]


@pytest.fixture(scope="module")
def report() -> RootReport:
    target = target_of(FOLDER, None)
    assert target.roots == ("main.tex",)
    return check_root(target.library, "main.tex", Options())[0]


def touches(finding: Finding, path: str, start: int, end: int) -> bool:
    spans = (finding.span, *(place.span for place in finding.related))
    return any(span.path == path and span.start < end and start < span.end for span in spans)


@pytest.mark.parametrize(("code", "path", "words"), [fault for fault in FAULTS if fault[0] in CODES])
def test_fault_is_found(report: RootReport, code: str, path: str, words: str) -> None:
    start = report.files[path].text.index(words)
    found = [item.code for item in report.findings if touches(item, path, start, start + len(words))]
    assert code in found


def test_the_project_is_closed(report: RootReport) -> None:
    assert report.complete
    assert [note.message for note in report.notes] == []


def test_nothing_else_is_reported(report: RootReport) -> None:
    listed = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    for finding in report.findings:
        if finding.severity is not Severity.HINT:
            assert finding.span.path in listed, finding
