"""Verdicts as findings: code, severity, and the exact place."""

from dataclasses import replace

import pytest

from analyzers.citations.findings import entry_of, verdict_findings
from analyzers.citations.matching import Difference
from analyzers.citations.record import Record
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.project.bibliography import read_bibliography

BIB = """@string{jre = "Journal of River Ecology"}
@article{alder, title = {River {Networks}}, author = {Ann Alder}, journal = jre, year = 2012, doi = {10.1000/x}}
@inbook{part, crossref = {whole}, title = {A Part}}
@book{whole, title = {The Whole}, year = {1999}, author = {Ben Birch}}
"""
RECORD = Record("River Networks", ("Ann Alder",), 2019, source="Alpha", url="https://example.org/1")
MISMATCH = Verdict(
    VerdictKind.MISMATCH, ("YEAR",), (Difference("year", "2012", "2019", "YEAR"),), record=RECORD, answered=("Alpha",)
)
CASES = [
    (MISMATCH, "BIB052", "information", "2012"),
    (
        replace(MISMATCH, fields=(Difference("title", "a", "b", "TITLE"), *MISMATCH.fields)),
        "BIB052",
        "warning",
        "River {Networks}",
    ),
    (
        Verdict(VerdictKind.CONFLICT, fields=(Difference("doi", "10.1000/x", "Bees", "X"),), record=RECORD),
        "BIB050",
        "error",
        "10.1000/x",
    ),
    (Verdict(VerdictKind.LIKELY_FABRICATED, ("NO_RECORD",), answered=("A", "B")), "BIB051", "warning", "alder"),
    (Verdict(VerdictKind.VERIFIED, flags=("retracted",), record=RECORD), "BIB053", "warning", "alder"),
]


@pytest.mark.parametrize(("verdict", "code", "severity", "marked"), CASES)
def test_finding(verdict: Verdict, code: str, severity: str, marked: str) -> None:
    bibliography = read_bibliography("refs.bib", BIB)
    entry = bibliography.entries[0]
    (finding,) = verdict_findings(entry, entry_of(entry, bibliography), verdict)
    assert (finding.code, str(finding.severity)) == (code, severity)
    assert BIB[finding.span.start : finding.span.end] == marked


@pytest.mark.parametrize("kind", [VerdictKind.VERIFIED, VerdictKind.UNVERIFIABLE])
def test_no_finding_without_a_fault(kind: VerdictKind) -> None:
    bibliography = read_bibliography("refs.bib", BIB)
    entry = bibliography.entries[0]
    assert list(verdict_findings(entry, entry_of(entry, bibliography), Verdict(kind, ("OFFLINE",)))) == []


def test_entries_inherit_and_strings_expand() -> None:
    bibliography = read_bibliography("refs.bib", BIB)
    first, part = (entry_of(entry, bibliography) for entry in bibliography.entries[:2])
    assert (first.venue, first.year) == ("Journal of River Ecology", 2012)
    assert (part.title, part.year) == ("A Part", 1999)
