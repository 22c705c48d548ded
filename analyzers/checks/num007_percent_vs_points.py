"""NUM007 `percent-vs-points`: "2.0%" for a difference of 2.0 percentage points.

## What it flags
A difference written in percent that is the difference of two percentages in a table, while the relative difference of the two
is another number, in a manuscript that writes other differences in points.

## Why it matters
"2.0% above 72.3%" may mean 74.3% or 73.7%; the manuscript itself makes the distinction elsewhere.

## When it stays silent
When the manuscript never speaks of points, when the two cells are not unique, or when both readings fit.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import compared, results_table
from analyzers.facts.alignment import Reading, Verified
from analyzers.facts.alignment_values import unit_of
from analyzers.facts.number_links import NumberLink, NumberLinks, cell_name, number_links
from analyzers.facts.quantities import like, plain
from analyzers.facts.quantities.model import Kind
from analyzers.facts.tables.model import Cell, Table
from analyzers.finding import EvidenceValue, Finding, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

# Measures that are shares; without a sign, their values above one are per cent.
_SHARES = frozenset(
    "accuracy acc precision recall f1 f1-score macro-f1 micro-f1 exact-match em miou iou dice auroc auc map".split()
)
_TABLE = results_table("72.3 & 18.9", "74.3 & 12.4")
_ACROSS = (
    "\\begin{table}\\caption{Accuracy (\\%).}\\label{tab:a}\\begin{tabular}{lcc}\\toprule Set & Alpha & Beta \\\\\\midrule\n"
    "News & 71.3 & 72.3 \\\\\nWeb & 73.3 & 76.3 \\\\\nMean & 72.3 & 74.3 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)
_PLAIN = _TABLE.replace(" (\\%)", "")
_POINTS = "Table~\\ref{tab:r} shows that Beta beats the accuracy of Alpha by 2.0 points.\n\n"


class PercentVersusPoints(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM007"
    name = "percent-vs-points"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("Percent for points", _TABLE + _POINTS + "In Table~\\ref{tab:r}, Beta improves the accuracy of Alpha by 2.0\\%.", "2.0"),
        Example.of("The row of means", _ACROSS + "In Table~\\ref{tab:a}, Beta beats Alpha on Web by 3.0 points.\n\nIn Table~\\ref{tab:a}, with a mean of 74.3, Beta is 2.0\\% higher than Alpha.", "2.0"),
        Example.of("The row of means, relative", _ACROSS + "In Table~\\ref{tab:a}, Beta beats Alpha on Web by 3.0 points.\n\nIn Table~\\ref{tab:a}, with a mean of 74.3, Beta is 2.8\\% higher than Alpha."),
        Example.of("A measure that is a share", _PLAIN + _POINTS + "In Table~\\ref{tab:r}, Beta improves the accuracy of Alpha by 2.0\\%.", "2.0"),
        Example.of("A measure that is no share", _PLAIN.replace("Accuracy", "BLEU") + _POINTS.replace("accuracy", "BLEU") + "In Table~\\ref{tab:r}, Beta improves the BLEU of Alpha by 2.0\\%."),
        Example.of("The relative difference", _TABLE + _POINTS + "In Table~\\ref{tab:r}, Beta improves the accuracy of Alpha by 2.8\\%."),
        Example.of("Points", _TABLE + _POINTS + "In Table~\\ref{tab:r}, Beta improves the accuracy of Alpha by 2.0 points."),
        Example.of("A manuscript that never speaks of points", _TABLE + "In Table~\\ref{tab:r}, Beta improves the accuracy of Alpha by 2.0\\%."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per difference in percent that is one of points."""
        links = number_links(manuscript)
        found = [
            link
            for link in links.links
            if isinstance(link.link, Verified) and link.link.other is not None and link.quantity.percent
        ]
        if not found or not any(
            link.quantity.unit is not None and link.quantity.unit.dimension == "points" for link in links.links
        ):
            return
        for link in found:
            finding = self._judge(manuscript, links, link)
            if finding is not None:
                yield finding

    def _judge(self, manuscript: Manuscript, links: NumberLinks, link: NumberLink) -> Finding | None:
        verified = link.link
        if (
            not isinstance(verified, Verified)
            or verified.reading is not Reading.ABSOLUTE
            or link.quantity.kind is Kind.RATIO
        ):
            return None
        (first, one), (second, two) = links.cell(verified), links.cell(verified, other=True)
        table = links.tables[verified.table].table
        unit = unit_of(table, first)
        shares = (unit is not None and unit.symbol == "%") or (first.quantity is not None and first.quantity.percent)
        # "Error (%) of all methods": the caption gives the unit for columns that are named after data sets.
        shares = shares or (unit is None and "(%)" in table.caption_text)
        shares = shares or (unit is None and _shown_as_share(table, first) and _shown_as_share(table, second))
        if not shares or first.quantity is None or second.quantity is None or not second.quantity.value:
            return None
        low, high = sorted((first.quantity.value, second.quantity.value))
        relative = (high - low) / low * 100 if low > 0 else high
        span, quantity = links.span(link), link.quantity
        right = plain(relative, quantity.decimals)
        message = (
            f"{quantity.text}% is the difference of {first.text} ({cell_name(table, first)}) and {second.text} ({cell_name(table, second)}) in points; "
            f"relative to the smaller one it is {right}%. Elsewhere the manuscript writes points."
        )
        related = compared((first, one), (second, two))
        fixes = self._fixes(manuscript, link, links)
        evidence: dict[str, EvidenceValue] = {"stated": quantity.text, "relative": right}
        return self.finding(message, span, related=related, fixes=fixes, evidence=evidence)

    def _fixes(self, manuscript: Manuscript, link: NumberLink, links: NumberLinks) -> tuple[Fix, ...]:
        span = links.span(link)
        entry = manuscript.entries[link.entry]
        behind = entry.block.text[link.place.end : link.place.end + 2]
        if not link.place.editable or behind != "\\%":
            return ()
        text = like(manuscript.text(span), link.quantity.value) + " percentage points"
        whole = entry.span(link.place.start, link.place.end + 2)
        return (Fix("Write percentage points", (Edit(whole, text),)),)


def _shown_as_share(table: Table, cell: Cell) -> bool:
    """True for a value above one, with decimals, of a measure that cannot exceed the whole."""
    metric = table.columns[cell.column].metric or table.rows[cell.row].metric
    quantity = cell.quantity
    return metric in _SHARES and quantity is not None and 1 < quantity.value <= 100 and quantity.decimals > 0
