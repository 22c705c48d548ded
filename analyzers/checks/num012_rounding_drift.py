"""NUM012 `rounding-drift`: a number that is rounded in another way than its cell.

## What it flags
A number whose sentence names one row and one column of a table nearby, and that differs from that cell by less than one unit of its
last digit: 74.6 for a cell of 74.67.

## Why it matters
It was cut off instead of rounded, or the table has moved on by a little.

## When it stays silent
When the cell is not the only one that is meant, and for approximate numbers and bounds.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import put_expected, refuted_numbers, results_table
from analyzers.facts.number_comparisons import conditional
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.34 & 18.9", "74.67 & 12.4")


class RoundingDrift(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM012"
    name = "rounding-drift"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Cut off", _TABLE + "In Table~\\ref{tab:r}, the accuracy of Beta is 74.6\\%.", "74.6"),
        Example.of("Rounded", _TABLE + "In Table~\\ref{tab:r}, the accuracy of Beta is 74.7\\%."),
        Example.of("Another number", _TABLE + "In Table~\\ref{tab:r}, the accuracy of Beta is 71.9\\%."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number that the named cell refutes."""
        for item in refuted_numbers(manuscript):
            if item.refuted.unit or not item.slight or conditional(item.link.sentence.text):
                continue
            quantity = item.link.quantity.text
            message = f"{quantity} is {item.cell.text} ({item.where}) in the table, which rounds to {item.expected}."
            fixes = put_expected(manuscript, item.span, item.link, item.refuted)
            yield self.finding(message, item.span, related=item.related, fixes=fixes, evidence=item.evidence)
