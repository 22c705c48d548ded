"""TAB001 `bold-not-best`: bold marks the best value of every other column, but not of this one.

## What it flags
A bold number that another, plain number of the same column (or group of rows) beats, in a table where at least two other
columns show that bold means the best value.  The direction is read from arrows, known metric names, or the other columns.

## Why it matters
Readers take the bold number for the winner without comparing; a wrong one is an error of transcription or an overclaim.

## When it stays silent
When the table does not show the convention (bold in one row only and nobody says that bold is the best), when the direction
is unknown, for ties, and when the better row is an upper bound such as an oracle or a human reference.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import readable_tables, row_name, wrapping
from analyzers.checks.tab_ranks import Scope, doubtful, emphasised, means_rank, told_direction
from analyzers.facts.tables.model import Cell, Direction, Table
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_HEAD = "\\begin{table}\\caption{Accuracy (\\%) on four sets. Best in bold.}\\begin{tabular}{lcccc}\\toprule Method & A & B & C & D \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}\\end{table}"


class BoldNotBest(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB001"
    name = "bold-not-best"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "A plain number is better",
            _HEAD + "Base & 61.0 & 70.1 & 44.0 & 80.1 \\\\\nMix & 62.0 & 75.9 & 45.5 & 81.3 \\\\\n"
            "Ours & \\textbf{64.2} & \\textbf{73.0} & \\textbf{47.1} & \\textbf{85.0} \\\\" + _TAIL,
            "\\textbf{73.0}",
        ),
        Example.of(
            "The lowest latency is not the bold one",
            "\\begin{tabular}{lcccc}\nModel & F1 $\\uparrow$ & Accuracy $\\uparrow$ & Latency (ms) $\\downarrow$ & Recall \\\\\\midrule\n"
            "Base & 70.0 & \\textbf{81.5} & 12.5 & 55.0 \\\\\nMix & 71.0 & 81.0 & \\textbf{13.0} & 56.0 \\\\\nNew & \\textbf{72.0} & 80.0 & 15.0 & \\textbf{59.0} \\\\\n\\end{tabular}",
            "\\textbf{13.0}",
        ),
        Example.of(
            "Tasks in rows, and a caption that tells the end",
            "\\begin{table}\\caption{Duration in seconds. The fastest method of each task is bold.}\\begin{tabular}{lccc}\nTask & Base & Mix & New \\\\\\midrule\n"
            "Peg & 9.8 & 8.1 & \\textbf{6.4} \\\\\nWire & 14.6 & \\textbf{12.3} & 11.1 \\\\\nDoor & 5.9 & \\textbf{4.7} & 5.2 \\\\\nLid & 10.3 & 9.0 & \\textbf{7.5} \\\\" + _TAIL,
            "\\textbf{12.3}",
        ),
        Example.of(
            "Bold is the best everywhere",
            _HEAD + "Base & 61.0 & 70.1 & 44.0 & 80.1 \\\\\nMix & 62.0 & 71.9 & 45.5 & \\textbf{85.0} \\\\\n"
            "Ours & \\textbf{64.2} & \\textbf{73.0} & \\textbf{47.1} & \\textbf{85.0} \\\\" + _TAIL,
        ),
        Example.of(
            "Bold marks a row, and nothing says that it is the best",
            "\\begin{tabular}{lccc}\nModel & F1 & Accuracy & Recall \\\\\\midrule\n"
            "Base & 70.0 & 81.5 & 52.5 \\\\\nMix & 71.0 & 81.0 & 53.0 \\\\\nOurs & \\textbf{72.0} & \\textbf{80.0} & \\textbf{55.0} \\\\\n\\end{tabular}",
        ),
        Example.of(
            "Best within a group",
            _HEAD + "A1 & 61.0 & 70.1 & 44.0 & 80.1 \\\\\nA2 & 60.1 & 70.0 & 41.0 & 79.0 \\\\\nA3 & \\textbf{62.0} & \\textbf{71.9} & \\textbf{45.5} & \\textbf{81.3} \\\\\\midrule\n"
            "B1 & \\textbf{74.2} & 73.0 & \\textbf{57.1} & 85.0 \\\\\nB2 & 73.9 & \\textbf{73.8} & 57.0 & \\textbf{85.1} \\\\\nB3 & 72.9 & 72.8 & 55.0 & 84.1 \\\\" + _TAIL,
        ),
        Example.of(
            "The better row is an upper bound",
            _HEAD + "Base & 61.0 & 70.1 & 44.0 & 80.1 \\\\\nMix & 62.0 & 71.9 & 45.5 & 81.3 \\\\\n"
            "Ours & \\textbf{64.2} & \\textbf{73.0} & \\textbf{47.1} & \\textbf{85.0} \\\\\nHuman & 60.0 & 95.0 & 99.0 & 97.0 \\\\" + _TAIL,
        ),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per column (or group) whose bold number is beaten."""
        if "bf" not in view.text and "bold" not in view.text and "\\" not in view.text:
            return
        for table in readable_tables(view):
            said = means_rank(caption := f"{table.caption_text} {table.outer_caption}", "bold")
            if said is False:
                continue
            for scope, others in doubtful(
                table, emphasised, 1, said or _says_bold(view), told_direction(caption, "bold")
            ):
                yield self._finding(view, table, scope, others)

    def _finding(self, view: BlockView, table: Table, scope: Scope, others: int) -> Finding:
        marked, best = scope.marked[0], scope.best[0]
        word = "higher" if scope.direction is Direction.HIGHER else "lower"
        message = (
            f"{marked.text} is bold, but {best.text} ({row_name(table, best, scope.line.across) or 'another row'}) is {word} in {scope.line.name}. "
            f"In {others} other places of this table bold marks the best value. Check the number or move the bold."
        )
        related = (Related(view.span(best.start, best.end), f"The {word} value, {best.text}"),)
        evidence = {"bold": marked.text, "best": best.text, "direction": scope.direction.value, "convention": others}
        return self.finding(
            message,
            view.span(marked.start, marked.end),
            related=related,
            evidence=evidence,
            fixes=moved(view, scope, "bold"),
        )


def moved(view: BlockView, scope: Scope, what: str) -> tuple[Fix, ...]:
    """The fix that gives the mark to the cells that should have it, in the same notation; none when the cells are more than numbers."""
    if len(scope.marked) != 1:
        return ()
    marked = scope.marked[0]
    around = wrapping(view.text[marked.start : marked.end])
    if around is None:
        return ()
    edits = [
        Edit(
            view.span(marked.start, marked.end),
            around[1].strip() if not around[0].startswith("$") else f"${around[1].strip()}$",
        )
    ]
    for cell in scope.best:
        source = view.text[cell.start : cell.end]
        if not _plain(source, cell):
            return ()
        edits.append(Edit(view.span(cell.start, cell.end), around[0] + source.strip("$ ") + around[2]))
    return (Fix(f"Move the {what} to {scope.best[0].text}", tuple(edits)),)


def _plain(source: str, cell: Cell) -> bool:
    return bool(source) and "\\" not in source and "{" not in source and cell.through_macro is None


def _says_bold(view: BlockView) -> bool:
    text = view.prose.text.lower()
    return means_rank(text, "bold") is True
