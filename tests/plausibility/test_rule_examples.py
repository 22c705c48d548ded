"""Every documented example of every bibliography rule: the documentation cannot lie."""

import re

import pytest

from analyzers.citations import plausibility
from analyzers.citations.plausibility import ALL_RULES, BibExample, Rule, check_entry
from analyzers.citations.plausibility.rule import EXAMPLE_DAY
from analyzers.finding import Severity
from analyzers.fixes import apply_edits
from analyzers.project.bibliography import read_bibliography

CASES = [
    pytest.param(rule, example, id=f"{rule.code}-{example.caption}") for rule in ALL_RULES for example in rule.examples
]
HEADINGS = ("What it flags", "Why it matters", "When it stays silent")


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example(rule: Rule, example: BibExample) -> None:
    found = read_bibliography("refs.bib", example.text)
    faults = [fault for entry in found.entries for fault in check_entry(entry, found, EXAMPLE_DAY, [rule])]
    assert tuple(example.text[fault.start : fault.end] for fault in faults) == example.expect
    for fault in faults:
        assert (fault.code, fault.name, fault.path) == (rule.code, rule.name, "refs.bib")
        assert fault.severity.rank >= rule.severity.rank
        finding = fault.finding(rule.tier)
        assert (finding.code, finding.span, finding.fixes, finding.related) == (
            rule.code,
            fault.span,
            fault.fixes,
            fault.also,
        )
        for fix in fault.fixes:
            assert apply_edits(example.text, fix.edits) != example.text


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example_in_other_surroundings(rule: Rule, example: BibExample, newline: str) -> None:
    """The same faults behind a byte order mark and text, and with tabs and other line ends."""
    text = ("\ufeff% 𝒳 text before\n\t" + example.text.replace("\n", "\n\t")).replace("\n", newline)
    found = read_bibliography("refs.bib", text)
    faults = [fault for entry in found.entries for fault in check_entry(entry, found, EXAMPLE_DAY, [rule])]
    assert tuple(text[fault.start : fault.end] for fault in faults) == example.expect


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.code)
def test_rule_is_documented(rule: Rule) -> None:
    assert rule.documentation.startswith(f"{rule.code} `{rule.name}`: ")
    assert all(f"\n## {heading}\n" in rule.documentation for heading in HEADINGS)
    assert any(example.expect for example in rule.examples)
    assert any(not example.expect for example in rule.examples)
    assert re.fullmatch(r"[a-z][a-z-]+", rule.name)


@pytest.mark.parametrize("rule", [rule for rule in ALL_RULES if rule.alone], ids=lambda rule: rule.code)
def test_alone_rules_ignore_the_rest_of_the_file(rule: Rule) -> None:
    texts = [example.text for other in ALL_RULES for example in other.examples]
    rest = read_bibliography("rest.bib", "\n".join(texts))
    for example in rule.examples:
        small = read_bibliography("refs.bib", example.text)
        for entry in small.entries:
            if entry.value("crossref") or entry.value("xdata"):
                continue
            expected = check_entry(entry, small, EXAMPLE_DAY, [rule])
            assert check_entry(entry, rest, EXAMPLE_DAY, [rule]) == expected


def test_codes_are_unique_sorted_and_in_the_table() -> None:
    codes = [rule.code for rule in ALL_RULES]
    assert codes == sorted(set(codes))
    rows = re.findall(r"^\| (BIB\d{3}) \| (\S+) \| (yes|no) \| (\S+) \|$", plausibility.__doc__ or "", re.MULTILINE)
    assert rows == [
        (rule.code, rule.name, "yes" if rule.alone else "no", Severity(rule.severity).value) for rule in ALL_RULES
    ]
