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
from decimal import Decimal

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_comparisons import conditional
from analyzers.facts.number_links import cell_name, evidence_words, number_links
from analyzers.facts.quantities import like, plain
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.34 & 18.9 \\\\\nBeta & 74.67 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"


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
        links = number_links(manuscript)
        for link, refuted in links.refuted():
            if not (
                refuted.other is None
                and not refuted.unit
                and abs(link.quantity.value - refuted.expected) >= Decimal(1).scaleb(-link.quantity.decimals)
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
            message = f"The table has {cell.text} for {where}, not {quantity.text}. Check which is right."
            related = (Related(place, f"The cell: {cell.text} ({where})"),)
            fixes: tuple[Fix, ...] = ()
            if link.place.editable:
                new = like(manuscript.text(span), refuted.expected)
                fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
            evidence: dict[str, EvidenceValue] = {
                "stated": quantity.text, "cell": cell.text, "expected": expected, "why": list(evidence_words(refuted.evidence)),
            }  # fmt: skip
            yield self.finding(message, span, related=related, fixes=fixes, evidence=evidence)
