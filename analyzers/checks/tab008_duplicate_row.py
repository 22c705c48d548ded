"""TAB008 `duplicate-row`: two rows of a table hold exactly the same numbers.

## What it flags
Two rows with different names whose numbers, at least four with a decimal point, are all equal.

## Why it matters
A row that was copied and not filled in looks like this; two systems with identical results in every column are rare.

## When it stays silent
When fewer than four decimals agree, when a number is missing, or when the rows have the same name.
"""

from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import readable_tables, row_name, rows
from analyzers.facts.tables.model import Cell, Role
from analyzers.finding import Finding, Related, Severity, Tier

_HEAD = "\\begin{tabular}{lcccc}\\toprule Model & News & Web & Mail & Chat \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"
_MIN = 4


class DuplicateRow(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB008"
    name = "duplicate-row"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("The same four numbers", _HEAD + "x & 61.2 & 70.3 & 44.1 & 80.9 \\\\\ny & 62.2 & 71.3 & 45.1 & 81.9 \\\\\nz & 61.2 & 70.3 & 44.1 & 80.9 \\\\" + _TAIL, "z"),
        Example.of("One number differs", _HEAD + "x & 61.2 & 70.3 & 44.1 & 80.9 \\\\\ny & 62.2 & 71.3 & 45.1 & 81.9 \\\\\nz & 61.2 & 70.3 & 44.1 & 80.8 \\\\" + _TAIL),
        Example.of("Counts may agree", _HEAD + "x & 1 & 0 & 2 & 0 \\\\\ny & 0 & 0 & 1 & 0 \\\\\nz & 1 & 0 & 2 & 0 \\\\" + _TAIL),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per row that repeats an earlier one."""
        for table in readable_tables(view):
            hyper = {heading.index for heading in table.columns if heading.role is Role.HYPER}
            seen: dict[tuple[tuple[int, Decimal], ...], Cell] = {}
            for line in rows(table):
                cells = [cell for cell in line.cells if cell.column not in hyper]
                key = tuple((cell.column, cell.quantity.value) for cell in cells if cell.quantity is not None)
                exact = {
                    cell.quantity.value for cell in cells if cell.quantity is not None and cell.quantity.decimals > 0
                }
                if len(exact) < _MIN:
                    continue
                first = seen.setdefault(key, cells[0])
                name, other = row_name(table, cells[0], False), row_name(table, first, False)
                if first is cells[0] or not name or name == other:
                    continue
                head = table.at(cells[0].row, 0) or cells[0]
                before = table.at(first.row, 0) or first
                related = (Related(view.span(before.start, before.end), f"The same numbers: {other}"),)
                yield self.finding(
                    f"The rows {other} and {name} hold the same {len(key)} numbers. Check that neither was copied.",
                    view.span(head.start, head.end),
                    related=related,
                )
