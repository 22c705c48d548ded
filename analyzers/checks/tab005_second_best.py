"""TAB005 `second-best-underline`: underlining marks the second best value of every other column, but not of this one.

## What it flags
An underlined number that is not the second best of its column (or group of rows), in a table whose caption says what the
underline means or in which at least three other columns show it.

## Why it matters
The mark claims a rank that the numbers of the same column refute; often the table was updated and the mark was not.

## When it stays silent
When the table does not show the convention, the direction is unknown, or ties make two readings possible.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab001_bold_not_best import moved
from analyzers.checks.tab_lines import readable_tables, row_name
from analyzers.checks.tab_ranks import doubtful, means_rank, underlined
from analyzers.finding import Finding, Related, Severity, Tier

_HEAD = "\\begin{table}\\caption{Accuracy; best in bold, second best underlined.}\\begin{tabular}{lcccc}\\toprule Method & A & B & C & D \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}\\end{table}"


class SecondBest(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB005"
    name = "second-best-underline"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "The third best is underlined",
            _HEAD + "Base & 61.0 & \\underline{70.1} & 44.0 & 80.1 \\\\\nMix & \\underline{62.0} & 71.9 & \\underline{45.5} & \\underline{81.3} \\\\\n"
            "Ours & \\textbf{64.2} & \\textbf{73.0} & \\textbf{47.1} & \\textbf{85.0} \\\\" + _TAIL,
            "\\underline{70.1}",
        ),
        Example.of(
            "The second best is underlined",
            _HEAD + "Base & 61.0 & 70.1 & 44.0 & 80.1 \\\\\nMix & \\underline{62.0} & \\underline{71.9} & \\underline{45.5} & \\underline{81.3} \\\\\n"
            "Ours & \\textbf{64.2} & \\textbf{73.0} & \\textbf{47.1} & \\textbf{85.0} \\\\" + _TAIL,
        ),
        Example.of(
            "Underlining means something else",
            "\\begin{tabular}{lccc}\nModel & F1 & Accuracy & Recall \\\\\\midrule\n"
            "Base & \\underline{70.0} & \\underline{81.5} & \\underline{52.5} \\\\\nMix & 71.0 & 81.0 & 53.0 \\\\\nOurs & 72.0 & 80.0 & 55.0 \\\\\n\\end{tabular}",
        ),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per column (or group) whose underlined number is not the second best."""
        if "\\" not in view.text:
            return
        for table in readable_tables(view):
            said = means_rank(f"{table.caption_text} {table.outer_caption}", "underlin")
            if said is False:
                continue
            for scope, others in doubtful(table, underlined, 2, bool(said)):
                marked, right = scope.marked[0], scope.best[0]
                message = (
                    f"{marked.text} is underlined, but the second best value in {scope.line.name} is {right.text} ({row_name(table, right, scope.line.across) or 'another row'}). "
                    f"In {others} other places of this table the underline marks the second best. Check the number or move the underline."
                )
                related = (Related(view.span(right.start, right.end), f"The second best value, {right.text}"),)
                evidence = {
                    "underlined": marked.text,
                    "second": right.text,
                    "direction": scope.direction.value,
                    "convention": others,
                }
                yield self.finding(
                    message,
                    view.span(marked.start, marked.end),
                    related=related,
                    evidence=evidence,
                    fixes=moved(view, scope, "underline"),
                )
