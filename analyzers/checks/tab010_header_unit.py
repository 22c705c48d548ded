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
from analyzers.facts.number_links import cell_name, evidence_words, number_links
from analyzers.facts.quantities import plain
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.34 & 18.9 \\\\\nBeta & 74.67 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"


class HeaderUnitVersusText(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB010"
    name = "header-unit-vs-text"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Seconds for milliseconds", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 12.4 seconds.", "12.4"),
        Example.of("The unit of the header", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 12.4 milliseconds."),
        Example.of("Converted", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is 0.0124 seconds."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number that the named cell refutes."""
        links = number_links(manuscript)
        for link, refuted in links.refuted():
            if not (refuted.unit):
                continue
            cell, place = links.cell(refuted)
            table = links.tables[refuted.table].table
            span = links.span(link)
            quantity = link.quantity
            expected = plain(refuted.expected, quantity.decimals)
            where = cell_name(table, cell)
            message = f"{quantity.text} stands in the table ({where}) in another unit; in the unit of the text it is {refuted.expected.normalize():f} {quantity.unit.symbol if quantity.unit else ''}. Check the unit."
            related = (Related(place, f"The cell: {cell.text} ({where})"),)
            evidence: dict[str, EvidenceValue] = {
                "stated": quantity.text, "cell": cell.text, "expected": expected, "why": list(evidence_words(refuted.evidence)),
            }  # fmt: skip
            yield self.finding(message, span, related=related, evidence=evidence)
