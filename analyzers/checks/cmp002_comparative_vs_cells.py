"""CMP002 `comparative-vs-cells`: "higher than", but the two cells say lower.

## What it flags
A sentence that compares two rows of a table in one column ("the latency of A is higher than that of B") while the cells of that
table say the opposite.

## Why it matters
A flipped comparison is an argument for the wrong method, and the table shows it.

## When it stays silent
When the sentence is hedged, negated or compares more than two things, when the column is not the only one named, or when any
table that it may be about agrees.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import compared_cells, results_table
from analyzers.facts.number_comparisons import comparatives, states_factor
from analyzers.facts.number_links import number_links
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.3 & 18.9", "74.6 & 12.4")


class ComparativeVersusCells(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CMP002"
    name = "comparative-vs-cells"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("Flipped", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is higher than that of Alpha.", "higher than"),
        Example.of("Slower", _TABLE + "Table~\\ref{tab:r} shows by its latency that Beta is slower than Alpha.", "slower than"),
        Example.of("Right", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is lower than that of Alpha."),
        Example.of("Negated", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is not higher than that of Alpha."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per refuted comparison."""
        links = number_links(manuscript)
        for item in comparatives(manuscript, links):
            if states_factor(item):
                continue
            contrast, related, evidence = compared_cells(manuscript, links, item)
            span = item.spoken.span(manuscript, item.start, item.end)
            yield self.finding(f"{contrast} Check the word or the cells.", span, related=related, evidence=evidence)
