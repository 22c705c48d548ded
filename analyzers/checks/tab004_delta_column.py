"""TAB004 `delta-column-wrong`: one difference of a gain column does not follow from its two cells, though the others do.

## What it flags
A number in a column such as "Δ", "gain" or "improvement", or a signed number in parentheses, that is not the difference (or the
relative difference, or the factor) of the two cells that all other rows compute it from.  At least two other rows have to agree.

## Why it matters
Gains are what the text and the abstract quote; one that was not updated with its columns is wrong everywhere.

## When it stays silent
When no pair of columns (or base row) explains at least two other differences, or when rounding may explain the difference.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_deltas import Difference, doubtful_differences
from analyzers.checks.tab_lines import literal, readable_tables
from analyzers.facts.quantities import like, plain
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_HEAD = "\\begin{tabular}{lccc}\\toprule Set & Base & Ours & $\\Delta$ \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"


class DeltaColumnWrong(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB004"
    name = "delta-column-wrong"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "One difference of four",
            _HEAD + "A & 61.0 & 64.5 & +3.5 \\\\\nB & 70.2 & 71.0 & +0.8 \\\\\nC & 44.0 & 47.3 & +2.3 \\\\\nD & 80.1 & 79.9 & -0.2 \\\\" + _TAIL,
            "+2.3",
        ),
        Example.of(
            "Relative gains",
            "\\begin{tabular}{lccc}\\toprule Set & Base & Ours & Gain (\\%) \\\\\\midrule\nA & 50.0 & 60.0 & 20.0 \\\\\nB & 40.0 & 44.0 & 10.0 \\\\\nC & 80.0 & 84.0 & 15.0 \\\\" + _TAIL,
            "15.0",
        ),
        Example.of(
            "Differences in parentheses against the first row",
            "\\begin{tabular}{lc}\\toprule Model & Accuracy \\\\\\midrule\nBase & 61.0 \\\\\n+ A & 64.5 (+3.5) \\\\\n+ B & 66.1 (+5.1) \\\\\n+ C & 67.0 (+8.0) \\\\\\bottomrule\\end{tabular}",
            "+8.0",
        ),
        Example.of(
            "All differences follow",
            _HEAD + "A & 61.0 & 64.5 & +3.5 \\\\\nB & 70.2 & 71.0 & +0.8 \\\\\nC & 44.0 & 47.3 & +3.3 \\\\" + _TAIL,
        ),
        Example.of(
            "Differences of numbers that are not shown",
            _HEAD + "A & 61.0 & 64.5 & +7.1 \\\\\nB & 70.2 & 71.0 & +9.9 \\\\\nC & 44.0 & 47.3 & +1.2 \\\\" + _TAIL,
        ),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per difference that does not follow."""
        for table in readable_tables(view):
            for item in doubtful_differences(table):
                yield self._finding(view, item)

    def _finding(self, view: BlockView, item: Difference) -> Finding:
        number = item.number.number
        computed = plain(item.computed, number.decimals)
        written = literal(view, number) if item.number.through_macro is None else item.cell.text
        message = (
            f"{written} is not the {item.reading} of {item.first.text} and {item.second.text}, which is {computed}. "
            f"{item.agreeing} other rows follow their numbers."
        )
        span = view.span(number.start, number.end)
        related = (
            Related(view.span(item.first.start, item.first.end), f"Compared here: {item.first.text}"),
            Related(view.span(item.second.start, item.second.end), f"Compared here: {item.second.text}"),
        )
        fixes: tuple[Fix, ...] = ()
        if item.number.through_macro is None:
            new = like(written, item.computed)
            fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
        evidence: dict[str, EvidenceValue] = {
            "stated": written,
            "computed": computed,
            "reading": item.reading,
            "agreeing": item.agreeing,
        }
        return self.finding(message, span, related=related, fixes=fixes, evidence=evidence)
