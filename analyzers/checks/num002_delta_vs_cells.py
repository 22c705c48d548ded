"""NUM002 `delta-vs-cells`: a stated difference is not the difference of the two cells that the sentence compares.

## What it flags
"X beats Y by D" where the sentence names the two rows and the column of one table that it refers to nearby, and D is neither
the difference, nor the relative difference, nor the factor of the two cells, within the rounding of all three.

## Why it matters
Differences are computed by hand and survive when a table is updated.

## When it stays silent
When the two cells are not unique, the number is approximate or a bound, or the sentence gives several differences.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import compared, put_expected, results_table
from analyzers.facts.alignment import Refuted
from analyzers.facts.number_comparisons import conditional
from analyzers.facts.number_links import NumberLink, NumberLinks, cell_name, evidence_words, number_links
from analyzers.facts.quantities import plain
from analyzers.finding import EvidenceValue, Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.3 & 18.9", "74.6 & 12.4")

_PARTS = (
    "\\begin{table}\\caption{Parts.}\\label{tab:p}\\begin{tabular}{lcc}\\toprule Variant & Recall (\\%) & Latency (ms) \\\\\\midrule\n"
    "Full Beta & 74.6 & 12.4 \\\\\n$-$ warm start & 72.3 & 12.0 \\\\\n$-$ second stage & 71.1 & 8.0 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)

_ACROSS = (
    "\\begin{table}\\caption{Accuracy (\\%) by region.}\\label{tab:a}\\begin{tabular}{lcc}\\toprule & Heron & Kite \\\\\\midrule\n"
    "North & 72.3 & 74.6 \\\\\nSouth & 78.0 & 75.6 \\\\\nWest & 60.1 & 61.2 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)

_TICKED = (
    "\\begin{table}\\caption{Accuracy (\\%) by part.}\\label{tab:t}\\begin{tabular}{cccc} Saliency & Rescaling & Smoothing & Mean \\\\\\midrule\n"
    "\\ding{51} & \\ding{51} & \\ding{51} & 89.4 \\\\\n\\ding{51} & \\ding{55} & \\ding{51} & 87.7 \\\\\n\\ding{55} & \\ding{51} & \\ding{51} & 86.2 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)

_METHODS = (
    "\\begin{table}\\caption{Accuracy.}\\label{tab:m}\\begin{tabular}{lccc}\\toprule Task & Base & Fixed & Ours \\\\\\midrule\n"
    "News & 58.3 & 71.2 & 74.6 \\\\\nWeb & 49.7 & 62.5 & 66.8 \\\\\nMail & 61.2 & 80.3 & 79.1 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)


class DeltaVersusCells(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM002"
    name = "delta-vs-cells"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Another difference", _TABLE + "As Table~\\ref{tab:r} shows, Beta improves the accuracy of Alpha by 3.2 points.", "3.2"),
        Example.of("The difference", _TABLE + "As Table~\\ref{tab:r} shows, Beta improves the accuracy of Alpha by 2.3 points."),
        Example.of("The relative difference", _TABLE + "As Table~\\ref{tab:r} shows, Beta improves the accuracy of Alpha by 3.2\\%."),
        Example.of("A row that only one table has", _TABLE + _PARTS + "Dropping the warm start costs 3.2 points of recall.", "3.2"),
        Example.of("A row that only one table has, and the difference", _TABLE + _PARTS + "Dropping the warm start costs 2.3 points of recall."),
        Example.of("A row of a table elsewhere", _TABLE + _PARTS + "Without Beta, the recall drops by 3.2 points."),
        Example.of("Methods as columns", _ACROSS + "As Table~\\ref{tab:a} shows, Kite reaches 74.6 in the north. The margin over Heron is smallest in the West, where it amounts to 2.1 points.", "2.1"),
        Example.of("Methods as columns, and the difference", _ACROSS + "As Table~\\ref{tab:a} shows, Kite reaches 74.6 in the North. The margin over Heron is smallest in the West, where it amounts to 1.1 points."),
        Example.of("Methods as columns, and no method before", _ACROSS + "Table~\\ref{tab:a} has the North and the South. The margin over Heron is smallest in the West, where it amounts to 2.1 points."),
        Example.of("Ticks and crosses", _TICKED + "In Table~\\ref{tab:t}, leaving out the rescaling costs 2.7 points.", "2.7"),
        Example.of("Ticks and crosses, and the difference", _TICKED + "In Table~\\ref{tab:t}, leaving out the rescaling costs 1.7 points."),
        Example.of("Ticks and crosses, and two parts at once", _TICKED + "In Table~\\ref{tab:t}, leaving out rescaling and saliency costs 4.7 points."),
        Example.of("Ticks and crosses, and nothing left out", _TICKED + "In Table~\\ref{tab:t}, the rescaling follows at a cost of 2.7 points."),
        Example.of("Methods are columns", _METHODS + "As Table~\\ref{tab:m} shows, the margin over Fixed grows to 6.3 points on Web.", "6.3"),
        Example.of("Methods are columns, and all is well", _METHODS + "As Table~\\ref{tab:m} shows, the margin over Fixed grows to 4.3 points on Web."),
        Example.of("The margin over a method that no column has", _METHODS + "As Table~\\ref{tab:m} shows, the margin over Gamma grows to 6.3 points on Web."),
        Example.of("The column is not named", _TABLE + "As Table~\\ref{tab:r} shows, Beta improves over Alpha by 9.9 points."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per difference that no reading of the two cells gives."""
        links = number_links(manuscript)
        for link, refuted in links.refuted():
            if refuted.other is not None and not conditional(link.sentence.text, difference=True):
                yield self._finding(manuscript, links, link, refuted)

    def _finding(self, manuscript: Manuscript, links: NumberLinks, link: NumberLink, refuted: Refuted) -> Finding:
        (first, one), (second, two) = links.cell(refuted), links.cell(refuted, other=True)
        table = links.tables[refuted.table].table
        span = links.span(link)
        quantity = link.quantity
        expected = plain(refuted.expected, quantity.decimals)
        message = (
            f"{quantity.text} does not follow from {first.text} ({cell_name(table, first)}) and {second.text} ({cell_name(table, second)}), "
            f"which differ by {expected}. Check the number or the cells."
        )
        related = compared((first, one), (second, two))
        fixes = put_expected(manuscript, span, link, refuted)
        evidence: dict[str, EvidenceValue] = {
            "stated": quantity.text,
            "expected": expected,
            "why": list(evidence_words(refuted.evidence)),
        }
        return self.finding(message, span, related=related, fixes=fixes, evidence=evidence)
