"""NUM013 `speedup-direction`: "3x faster than B", but the times of the table say slower.

## What it flags
A factor of speed between two rows of a table ("A is 3.0 times faster than B") whose two times, or rates, are the other way round.

## Why it matters
The factor may be right and the sentence still claim the opposite of the measurement.

## When it stays silent
When the sentence does not name exactly two rows and one column with a unit of time or a rate, or is hedged.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import compared_cells, results_table
from analyzers.facts.number_comparisons import comparatives, states_factor
from analyzers.facts.number_links import number_links
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.3 & 36.0", "74.3 & 12.0")


class SpeedupDirection(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM013"
    name = "speedup-direction"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("The slower one", _TABLE + "By the latency in Table~\\ref{tab:r}, Alpha is 3.0$\\times$ faster than Beta.", "faster than"),
        Example.of("The faster one", _TABLE + "By the latency in Table~\\ref{tab:r}, Beta is 3.0$\\times$ faster than Alpha."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per factor with the wrong direction."""
        links = number_links(manuscript)
        for item in comparatives(manuscript, links):
            if not states_factor(item):
                continue
            contrast, related, evidence = compared_cells(manuscript, links, item)
            span = item.spoken.span(manuscript, item.start, item.end)
            yield self.finding(f"{contrast} Check which of the two is meant.", span, related=related, evidence=evidence)
