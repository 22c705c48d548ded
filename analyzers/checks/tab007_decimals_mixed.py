"""TAB007 `decimals-mixed`: one number of a column is written with another number of decimals than all others.

## What it flags
A single cell of a result column that has more or fewer decimals than all others, in a column of at least five numbers.

## Why it matters
It is often a digit that was lost or a number from an older run; otherwise it is a blemish.

## When it stays silent
When two or more cells differ, when the column keeps significant digits instead of decimals, and for round numbers such as 100.
"""

from collections import Counter
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import columns, readable_tables, same_scale, single
from analyzers.facts.tables.model import Orientation, Role
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier

_HEAD = "\\begin{tabular}{lc}\\toprule Model & F1 \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"
_MIN = 5


class DecimalsMixed(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB007"
    name = "decimals-mixed"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("One of five", _HEAD + "a & 61.02 \\\\\nb & 62.11 \\\\\nc & 63.4 \\\\\nd & 64.75 \\\\\ne & 65.01 \\\\" + _TAIL, "63.4"),
        Example.of("All alike", _HEAD + "a & 61.0 \\\\\nb & 62.1 \\\\\nc & 63.4 \\\\\nd & 64.7 \\\\\ne & 65.0 \\\\" + _TAIL),
        Example.of("Significant digits", _HEAD + "a & 0.012 \\\\\nb & 0.013 \\\\\nc & 0.014 \\\\\nd & 0.015 \\\\\ne & 12.1 \\\\" + _TAIL),
        Example.of("A round number", _HEAD + "a & 61.0 \\\\\nb & 62.1 \\\\\nc & 63.4 \\\\\nd & 64.7 \\\\\ne & 100 \\\\" + _TAIL),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per column."""
        for table in readable_tables(view):
            if table.orientation is not Orientation.ROWS:
                continue
            for line in columns(table):
                cells = [cell for cell in line.cells if single(cell) is not None]
                if line.heading.role not in (Role.METRIC, Role.AVG) or len(cells) < _MIN or not same_scale(cells):
                    continue
                counted = Counter(cell.quantity.decimals for cell in cells if cell.quantity is not None)
                usual, _ = counted.most_common(1)[0]
                odd = [cell for cell in cells if cell.quantity is not None and cell.quantity.decimals != usual]
                if len(odd) != 1 or usual <= 0:
                    continue
                cell = odd[0]
                quantity = cell.quantity
                assert quantity is not None
                sizes = {_size(str(abs(c.quantity.value))) for c in cells if c.quantity is not None and c is not cell}
                if (
                    quantity.decimals < 0
                    or quantity.value in (0, 1, 100)
                    or _size(str(abs(quantity.value))) not in sizes
                ):
                    continue
                other = next(c for c in cells if c is not cell)
                related = (Related(view.span(other.start, other.end), f"Written with {usual} decimals: {other.text}"),)
                evidence: dict[str, EvidenceValue] = {"decimals": quantity.decimals, "usual": usual}
                number = quantity.number
                yield self.finding(
                    f"{cell.text} has {quantity.decimals} decimals; the other {len(cells) - 1} numbers of {line.name} have {usual}.",
                    view.span(number.start, number.end),
                    related=related,
                    evidence=evidence,
                )


def _size(digits: str) -> int:
    """The number of digits before the point; 0 below one, less for every leading zero behind it."""
    whole, _, fraction = digits.partition(".")
    whole = whole.lstrip("0")
    return len(whole) if whole else len(fraction.lstrip("0")) - len(fraction)
