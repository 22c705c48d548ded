"""TAB010 `header-unit-vs-text`: a number of a table with another unit in the text.

## What it flags
A number that stands in the named cell, but that the text gives in another unit than the header of its column: 12.4 s for an
ms column.

## Why it matters
One of the two is wrong by a factor of a thousand.

## When it stays silent
When the header names no unit, or the cell is not the one that the sentence names.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import refuted_numbers, results_table
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.34 & 18.9", "74.67 & 12.4")


class HeaderUnitVersusText(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB010"
    name = "header-unit-vs-text"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Seconds for milliseconds", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 12.4 seconds.", "12.4"),
        Example.of("No row is named", _TABLE + "In Table~\\ref{tab:r}, the latency is 12.4 seconds at best.", "12.4"),
        Example.of("The unit of the header", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 12.4 milliseconds."),
        Example.of("Converted", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 0.0124 seconds."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number that the named cell refutes."""
        for item in refuted_numbers(manuscript):
            if not item.refuted.unit:
                continue
            quantity = item.link.quantity
            message = (
                f"{quantity.text} stands in the table ({item.where}) in another unit; in the unit of the text it is "
                f"{item.refuted.expected.normalize():f} {quantity.unit.symbol if quantity.unit else ''}. Check the unit."
            )
            yield self.finding(message, item.span, related=item.related, evidence=item.evidence)
