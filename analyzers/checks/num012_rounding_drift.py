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
from decimal import Decimal

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_comparisons import conditional
from analyzers.facts.number_links import cell_name, evidence_words, number_links
from analyzers.facts.quantities import like, plain
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.34 & 18.9 \\\\\nBeta & 74.67 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"


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
        links = number_links(manuscript)
        for link, refuted in links.refuted():
            if not (
                refuted.other is None
                and not refuted.unit
                and abs(link.quantity.value - refuted.expected) < Decimal(1).scaleb(-link.quantity.decimals)
            ):
                continue
            if conditional(link.sentence.text):
                continue
            cell, place = links.cell(refuted)
            table = links.tables[refuted.table].table
            span = links.span(link)
            quantity = link.quantity
            expected = plain(refuted.expected, quantity.decimals)
            where = cell_name(table, cell)
            message = f"{quantity.text} is {cell.text} ({where}) in the table, which rounds to {expected}."
            related = (Related(place, f"The cell: {cell.text} ({where})"),)
            fixes: tuple[Fix, ...] = ()
            if link.place.editable:
                new = like(manuscript.text(span), refuted.expected)
                fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
            evidence: dict[str, EvidenceValue] = {
                "stated": quantity.text, "cell": cell.text, "expected": expected, "why": list(evidence_words(refuted.evidence)),
            }  # fmt: skip
            yield self.finding(message, span, related=related, fixes=fixes, evidence=evidence)
