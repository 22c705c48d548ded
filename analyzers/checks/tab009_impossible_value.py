"""TAB009 `impossible-value`: a number of a table lies outside what its column can hold.

## What it flags
An accuracy, precision, recall or F1 above 100 (or below 0), a p value above 1, a negative count, an F1 above the mean of its
precision and recall, or one that is not their harmonic mean where at least three other rows are.

## Why it matters
Such a number cannot come from the measurement that the header names: it is a slip of a digit or of a column.

## When it stays silent
When the header does not name one of these measures; an F1 averaged over classes need not be a harmonic mean, so only rows of a
table that shows the convention are judged.
"""

from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import columns, readable_tables, single
from analyzers.facts.tables.headers import clean_header
from analyzers.facts.tables.model import Cell, Orientation, Role, Table
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier

_SHARES = frozenset(
    "accuracy acc acc. precision prec prec. recall rec rec. f1 f1-score f1 score f_1 macro-f1 macro f1 micro-f1 micro f1 auc auroc specificity sensitivity iou miou dice em exact match".split()
) | {"f1 score", "macro f1", "micro f1", "exact match"}  # fmt: skip
_P = frozenset({"p", "p-value", "p value", "p-val"})
_PRECISION = frozenset({"precision", "prec", "prec.", "p"})
_RECALL = frozenset({"recall", "rec", "rec.", "r", "sensitivity"})
_F1 = frozenset({"f1", "f1-score", "f1 score", "f_1", "f", "f-score", "f-measure", "f1-measure"})
_HEAD = "\\begin{tabular}{lccc}\\toprule Model & Precision & Recall & F1 \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"


class ImpossibleValue(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB009"
    name = "impossible-value"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("An accuracy above 100", "\\begin{tabular}{lc}\\toprule Model & Accuracy (\\%) \\\\\\midrule\na & 91.2 \\\\\nb & 921.0 \\\\\nc & 93.0 \\\\" + _TAIL, "921.0"),
        Example.of("An F1 above precision and recall", _HEAD + "a & 61.0 & 63.0 & 62.0 \\\\\nb & 70.0 & 72.0 & 77.0 \\\\" + _TAIL, "77.0"),
        Example.of(
            "One F1 is not the harmonic mean",
            _HEAD + "a & 50.0 & 60.0 & 54.5 \\\\\nb & 70.0 & 80.0 & 74.7 \\\\\nc & 40.0 & 80.0 & 53.3 \\\\\nd & 50.0 & 75.0 & 56.0 \\\\" + _TAIL,
            "56.0",
        ),
        Example.of("A p value above one", "\\begin{tabular}{lc}\\toprule Factor & p-value \\\\\\midrule\na & 0.031 \\\\\nb & 1.24 \\\\\nc & 0.55 \\\\" + _TAIL, "1.24"),
        Example.of("All possible", _HEAD + "a & 61.0 & 63.0 & 62.0 \\\\\nb & 70.0 & 72.0 & 71.0 \\\\" + _TAIL),
        Example.of("Macro averages", _HEAD + "a & 50.0 & 60.0 & 51.5 \\\\\nb & 70.0 & 80.0 & 72.7 \\\\\nc & 40.0 & 80.0 & 50.3 \\\\\nd & 50.0 & 75.0 & 58.9 \\\\" + _TAIL),
        Example.of("A relative accuracy", "\\begin{tabular}{lc}\\toprule Model & Relative accuracy (\\%) \\\\\\midrule\na & 91.2 \\\\\nb & 101.0 \\\\\nc & 103.0 \\\\" + _TAIL),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per impossible number."""
        for table in readable_tables(view):
            if table.orientation is Orientation.COLUMNS:
                continue
            yield from self._ranges(view, table)
            yield from self._harmonic(view, table)

    def _ranges(self, view: BlockView, table: Table) -> Iterator[Finding]:
        for line in columns(table):
            name = clean_header(line.heading.path[-1]) if line.heading.path else ""
            cells = [cell for cell in line.cells if single(cell) is not None]
            values = [cell.quantity.value for cell in cells if cell.quantity is not None]
            if len(values) < 2 or line.heading.role is Role.DELTA:
                continue
            if name in _SHARES:
                # On the scale from 0 to 1 nothing else is above 1; in percent nothing is above 100.
                top = (
                    Decimal(1)
                    if sum(value <= 1 for value in values) >= max(3, len(values) - 1) and max(values) <= 10
                    else Decimal(100)
                )
                if sum(value < 0 or value > top for value in values) * 3 > len(values):
                    continue
                for cell, value in zip(cells, values, strict=True):
                    if value > top or value < 0:
                        yield self._range(
                            view, cell, f"{line.name} cannot be {'above ' + str(top) if value > top else 'below 0'}"
                        )
            elif name in _P and not any(word in line.name.lower() for word in ("log", "precision")):
                if sum(0 <= value <= 1 for value in values) * 3 < 2 * len(values) or (
                    max(values) > 10 and len(values) < 4
                ):
                    continue
                for cell, value in zip(cells, values, strict=True):
                    if value > 1 or value < 0:
                        yield self._range(view, cell, "a p value lies between 0 and 1")
            elif line.heading.role is Role.COUNT and sum(value < 0 for value in values) == 1 and len(values) >= 3:
                cell = next(cell for cell in cells if cell.quantity is not None and cell.quantity.value < 0)
                yield self._range(view, cell, "a count cannot be negative")

    def _range(self, view: BlockView, cell: Cell, why: str) -> Finding:
        assert cell.quantity is not None
        number = cell.quantity.number
        evidence: dict[str, EvidenceValue] = {"value": str(number.value)}
        return self.finding(
            f"{cell.text} is not possible: {why}.", view.span(number.start, number.end), evidence=evidence
        )

    def _harmonic(self, view: BlockView, table: Table) -> Iterator[Finding]:
        """F1 against precision and recall of the same columns' header."""
        for f1, precision, recall in _triples(table):
            rows: list[tuple[Cell, Cell, Cell, bool, bool]] = []
            for heading in table.rows:
                found = [table.at(heading.index, index) for index in (f1, precision, recall)]
                cells = [cell for cell in found if cell is not None and not cell.header and single(cell) is not None]
                if len(cells) == 3 and all(cell.quantity is not None and cell.quantity.value > 0 for cell in cells):
                    rows.append((*_three(cells), *_judge(cells)))
            fitting = sum(fits for *_, fits, _ in rows)
            for cell, first, second, fits, possible in rows:
                wrong = not possible or (not fits and fitting >= 3 and (len(rows) - fitting) * 2 <= fitting)
                if not wrong or (not possible and sum(not item[4] for item in rows) * 2 > max(len(rows), 2)):
                    continue
                assert cell.quantity is not None and first.quantity is not None and second.quantity is not None
                mean = 2 * first.quantity.value * second.quantity.value / (first.quantity.value + second.quantity.value)
                computed = f"{mean:.{max(cell.quantity.decimals, 0)}f}"
                reason = (
                    "is above their mean"
                    if not possible
                    else f"is not their harmonic mean, {computed}, as it is in {fitting} other rows"
                )
                number = cell.quantity.number
                related = tuple(
                    Related(view.span(c.start, c.end), f"{n}: {c.text}")
                    for c, n in ((first, "Precision"), (second, "Recall"))
                )
                evidence: dict[str, EvidenceValue] = {"stated": cell.text, "harmonic mean": computed}
                yield self.finding(
                    f"F1 {cell.text} does not follow from precision {first.text} and recall {second.text}: it {reason}.",
                    view.span(number.start, number.end), related=related, evidence=evidence,
                )  # fmt: skip


def _three(cells: list[Cell]) -> tuple[Cell, Cell, Cell]:
    return cells[0], cells[1], cells[2]


def _judge(cells: list[Cell]) -> tuple[bool, bool]:
    """Whether F1 is the harmonic mean within rounding, and whether it is possible at all (no average of F1 exceeds the mean of both)."""
    score, precision, recall = (cell.quantity.number for cell in cells if cell.quantity is not None)
    low = (
        2 * precision.lower * recall.lower / (precision.lower + recall.lower)
        if precision.lower + recall.lower > 0
        else Decimal(0)
    )
    high = 2 * precision.upper * recall.upper / (precision.upper + recall.upper)
    step = (score.upper - score.lower) / 2
    fits = score.lower - step <= high and low <= score.upper + step
    return fits, score.lower - step <= (precision.upper + recall.upper) / 2


def _triples(table: Table) -> Iterator[tuple[int, int, int]]:
    """Columns of F1, precision and recall under the same header."""
    named: dict[tuple[str, ...], dict[str, int]] = {}
    for heading in table.columns:
        if not heading.path:
            continue
        name = clean_header(heading.path[-1])
        kind = "f" if name in _F1 else "p" if name in _PRECISION else "r" if name in _RECALL else None
        if kind is not None:
            named.setdefault(heading.path[:-1], {}).setdefault(kind, heading.index)
    for kinds in named.values():
        if len(kinds) == 3:
            yield kinds["f"], kinds["p"], kinds["r"]
