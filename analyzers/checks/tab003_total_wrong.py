"""TAB003 `total-wrong`: one total of a table is not the sum of its column (or row), though the others are.

## What it flags
A number in a row or column called total or sum that is not the sum of the numbers it summarises, in a table where at least
one other total is.  Whole numbers have to add up exactly; the rounding of others is allowed for.

## Why it matters
Totals are sample sizes and denominators; the text quotes them.

## When it stays silent
When no other total of the same row or column adds up: then the total covers more, or less, than the table shows.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab002_average_wrong import summary_finding
from analyzers.checks.tab_lines import readable_tables
from analyzers.checks.tab_sums import doubtful_summaries
from analyzers.facts.tables.model import Role
from analyzers.finding import Finding, Severity, Tier

_HEAD = "\\begin{tabular}{lccc}\\toprule Source & Train & Dev & Test \\\\\\midrule\nNews & 1,200 & 150 & 160 \\\\\nWeb & 2,300 & 250 & 270 \\\\\nMail & 410 & 40 & 55 \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"


class TotalWrong(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB003"
    name = "total-wrong"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("One column of three", _HEAD + "Total & 3,910 & 440 & 495 \\\\" + _TAIL, "495"),
        Example.of(
            "A total column",
            "\\begin{tabular}{lccc}\\toprule Class & Men & Women & Total \\\\\\midrule\na & 12 & 15 & 27 \\\\\nb & 20 & 22 & 42 \\\\\nc & 31 & 33 & 46 \\\\\\bottomrule\\end{tabular}",
            "46",
        ),
        Example.of("All columns add up", _HEAD + "Total & 3,910 & 440 & 485 \\\\" + _TAIL),
        Example.of("No column adds up, so the total covers more", _HEAD + "Total & 4,910 & 540 & 585 \\\\" + _TAIL),
        Example.of(
            "Subtotals are not counted twice",
            "\\begin{tabular}{lcc}\\toprule Part & A & B \\\\\\midrule\nx & 1 & 4 \\\\\ny & 2 & 5 \\\\\nTotal & 3 & 9 \\\\\\midrule\nz & 5 & 6 \\\\\nw & 7 & 8 \\\\\nTotal & 12 & 14 \\\\\\bottomrule\\end{tabular}",
        ),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per total that is not the sum."""
        for table in readable_tables(view):
            for instance in doubtful_summaries(table, Role.TOTAL):
                yield summary_finding(self, view, table, instance, "total")
