"""NUM014 `value-vs-cell`: a number is not the one that the named cell holds.

## What it flags
A number with decimals whose sentence names exactly one row and one column of a table that it refers to nearby, while the cell there
holds another number.

## Why it matters
Text and table were not updated together; a reader cannot tell which of them is right.

## When it stays silent
When more than one cell may be meant, the sentence speaks of another setting (a split, an ablation), or the number stands elsewhere in
the same row or column.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import put_expected, refuted_numbers, results_table
from analyzers.facts.number_comparisons import conditional
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.34 & 18.9", "74.67 & 12.4")


class ValueVersusCell(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM014"
    name = "value-vs-cell"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Another number", _TABLE + "In Table~\\ref{tab:r}, the accuracy of Beta is 71.91\\%.", "71.91"),
        Example.of("The number of the cell", _TABLE + "In Table~\\ref{tab:r}, the accuracy of Beta is 74.67\\%."),
        Example.of("No row is named", _TABLE + "In Table~\\ref{tab:r}, the accuracy is at most 71.91\\%."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number that the named cell refutes."""
        for item in refuted_numbers(manuscript):
            if item.refuted.unit or item.slight or conditional(item.link.sentence.text):
                continue
            quantity = item.link.quantity.text
            message = f"The table has {item.cell.text} for {item.where}, not {quantity}. Check which is right."
            fixes = put_expected(manuscript, item.span, item.link, item.refuted)
            yield self.finding(message, item.span, related=item.related, fixes=fixes, evidence=item.evidence)
