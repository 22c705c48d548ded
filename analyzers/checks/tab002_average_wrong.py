"""TAB002 `average-wrong`: one average of a table does not follow from its row (or column), though the others do.

## What it flags
A number in an average column or row that is not the mean of the numbers it summarises, in a table where at least two other
averages are exactly that mean.  Rounding of every number is allowed for.

## Why it matters
Averages are quoted in the text and the abstract; a wrong one changes who wins.

## When it stays silent
When fewer than two other averages can be recomputed (the mean may leave columns out), or when a number is missing.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import literal, readable_tables, row_name
from analyzers.checks.tab_sums import Instance, doubtful_summaries
from analyzers.facts.quantities import like, plain
from analyzers.facts.tables.model import Role, Table
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_HEAD = "\\begin{tabular}{lcccc}\\toprule Method & A & B & C & Avg. \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"


class AverageWrong(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB002"
    name = "average-wrong"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "One average of four",
            _HEAD + "P & 61.0 & 70.1 & 44.0 & 58.4 \\\\\nQ & 62.0 & 71.9 & 45.5 & 59.8 \\\\\nR & 64.2 & 73.0 & 47.1 & 64.1 \\\\\nS & 65.2 & 73.3 & 47.4 & 62.0 \\\\" + _TAIL,
            "64.1",
        ),
        Example.of(
            "An average row",
            "\\begin{tabular}{lccc}\\toprule Subject & X & Y & Z \\\\\\midrule\na & 1.0 & 2.5 & 3.0 \\\\\nb & 2.0 & 3.5 & 5.0 \\\\\nc & 6.0 & 6.0 & 7.0 \\\\\\midrule\nMean & 3.0 & 4.0 & 6.2 \\\\\\bottomrule\\end{tabular}",
            "6.2",
        ),
        Example.of(
            "All averages follow",
            _HEAD + "P & 61.0 & 70.1 & 44.0 & 58.4 \\\\\nQ & 62.0 & 71.9 & 45.5 & 59.8 \\\\\nR & 64.2 & 73.0 & 47.1 & 61.4 \\\\" + _TAIL,
        ),
        Example.of(
            "No average follows, so it is another mean",
            _HEAD + "P & 61.0 & 70.1 & 44.0 & 65.4 \\\\\nQ & 62.0 & 71.9 & 45.5 & 66.8 \\\\\nR & 64.2 & 73.0 & 47.1 & 68.4 \\\\" + _TAIL,
        ),
        Example.of(
            "A number is missing",
            _HEAD + "P & 61.0 & 70.1 & 44.0 & 58.4 \\\\\nQ & 62.0 & 71.9 & 45.5 & 59.8 \\\\\nR & 64.2 & -- & 47.1 & 55.7 \\\\" + _TAIL,
        ),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per average that does not follow."""
        for table in readable_tables(view):
            for instance in doubtful_summaries(table, Role.AVG):
                yield self._finding(view, table, instance)

    def _finding(self, view: BlockView, table: Table, instance: Instance) -> Finding:
        return summary_finding(self, view, table, instance, "average")


def summary_finding(check: BlockCheck, view: BlockView, table: Table, instance: Instance, word: str) -> Finding:
    """The finding for an average or a total that does not follow, with the computed number as fix."""
    quantity = instance.cell.quantity
    assert quantity is not None
    computed = plain(instance.computed, quantity.decimals)
    first, last = instance.operands[0], instance.operands[-1]
    where = row_name(table, instance.cell, instance.across)
    numbers = ", ".join(cell.text for cell in instance.operands[:6]) + (", …" if len(instance.operands) > 6 else "")
    message = (
        f"The {word} {instance.cell.text}{f' of {where}' if where else ''} does not follow from {numbers}, which give {computed}. "
        f"{instance.agreeing} other {word}s of this table follow from their numbers."
    )
    span = view.span(quantity.number.start, quantity.number.end)
    related = tuple(
        Related(view.span(cell.start, cell.end), f"Summarised here: {cell.text}")
        for cell in dict.fromkeys((first, last))
    )
    fixes: tuple[Fix, ...] = ()
    if quantity.through_macro is None:
        new = like(literal(view, quantity.number), instance.computed)
        fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
    evidence: dict[str, EvidenceValue] = {
        "stated": instance.cell.text,
        "computed": computed,
        "agreeing": instance.agreeing,
    }
    return check.finding(message, span, related=related, fixes=fixes, evidence=evidence)
