"""One test per documented example of every check: the documentation cannot lie."""

import pytest

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import Check, Example
from analyzers.checks.examples import candidates_of, manuscript_of, run_example
from analyzers.finding import Severity, Tier

HEADINGS = ("What it flags", "Why it matters", "When it stays silent")
MAY_BE_ERROR = {"REF001", "REF002", "CIT001", "CIT003", "SEC004", "SEC001", "SEC002"}
CASES = [
    pytest.param(check, example, id=f"{check.code}-{example.caption}")
    for check in ALL_CHECKS
    for example in check.examples
]


@pytest.mark.parametrize(("check", "example"), CASES)
def test_example(check: Check, example: Example) -> None:
    manuscript = manuscript_of(example.files, closed=example.closed)
    if check.tier is Tier.CANDIDATE:
        pairs = candidates_of(check, example)
        found = tuple(manuscript.text(place) for pair in pairs for place in pair.places)
        assert set(example.expect) <= set(found) if example.expect else not found
        return
    findings = run_example(check, example)
    assert sorted(manuscript.text(finding.span) for finding in findings) == sorted(example.expect)
    for finding in findings:
        assert finding.code == check.code
        assert finding.name == check.name
        assert finding.severity.rank >= check.severity.rank
        assert finding.fingerprint


@pytest.mark.parametrize("check", ALL_CHECKS, ids=lambda check: check.code)
def test_check_is_documented(check: Check) -> None:
    doc = check.documentation
    assert doc.startswith(f"{check.code} `{check.name}`")
    assert all(f"## {title}" in doc for title in HEADINGS)
    assert any(example.expect for example in check.examples)
    assert any(not example.expect for example in check.examples)


@pytest.mark.parametrize("check", ALL_CHECKS, ids=lambda check: check.code)
def test_tier_bounds_the_severity(check: Check) -> None:
    highest = {
        Tier.PROVED: Severity.WARNING,
        Tier.LINKED: Severity.INFORMATION,
        Tier.CANDIDATE: Severity.HINT,
        Tier.REVIEWED: Severity.WARNING,
    }
    if check.code not in MAY_BE_ERROR:
        assert check.severity.rank >= highest[check.tier].rank


def test_codes_are_unique_and_sorted() -> None:
    codes = [check.code for check in ALL_CHECKS]
    assert codes == sorted(set(codes))
    names = [check.name for check in ALL_CHECKS]
    assert len(names) == len(set(names))
