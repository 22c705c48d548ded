"""The rules on bibliography entries as checks, one for each rule of `analyzers/citations/plausibility`.

All of them run together and once for each state of the bibliography; what was found for an entry is kept while its text
does not change.
"""

from collections.abc import Iterator, Mapping
from datetime import date

from analyzers.checks.check import Check, Example, ManuscriptCheck
from analyzers.citations.plausibility import ALL_RULES, Checked, Rule, check_bibliography
from analyzers.finding import Finding
from analyzers.project.bibliography import Bibliography
from analyzers.project.manuscript import Manuscript

# Without a day to compare with, no year lies in the future.
_END_OF_TIME = date.max
_FROM = "\\cite{a}\n\\bibliography{refs}\n"


class BibliographyCheck(ManuscriptCheck):
    """One rule on bibliography entries."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.code = rule.code  # type: ignore[misc]
        self.name = rule.name  # type: ignore[misc]
        self.tier = rule.tier  # type: ignore[misc]
        self.severity = rule.severity  # type: ignore[misc]
        self.examples = tuple(  # type: ignore[misc]
            Example(example.caption, {"main.tex": _FROM, "refs.bib": example.text}, example.expect)
            for example in rule.examples
        )

    @property
    def documentation(self) -> str:
        """The text of the rule."""
        return self.rule.documentation

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """The faults of this rule in all bibliography files."""
        yield from _findings(manuscript).get(self.code, ())


def _findings(manuscript: Manuscript) -> Mapping[str, list[Finding]]:
    bibliography = manuscript.bibliography
    today = manuscript.today or _END_OF_TIME
    known: tuple[Bibliography, date, Checked, Mapping[str, list[Finding]]] | None = manuscript.memory.get("bib entries")
    if known is not None and known[0] is bibliography and known[1] == today:
        return known[3]
    checked = check_bibliography(bibliography, today, ALL_RULES, known[2] if known is not None else None)
    tiers = {rule.code: rule.tier for rule in ALL_RULES}
    found: dict[str, list[Finding]] = {}
    for fault in checked.faults:
        found.setdefault(fault.code, []).append(fault.finding(tiers[fault.code]))
    manuscript.memory["bib entries"] = (bibliography, today, checked, found)
    return found


BIBLIOGRAPHY_CHECKS: tuple[Check, ...] = tuple(BibliographyCheck(rule) for rule in ALL_RULES)
