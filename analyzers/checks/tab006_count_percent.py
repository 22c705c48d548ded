"""TAB006 `count-percent-column`: "640 (53.3)" in a column whose header gives n does not fit the percentage.

## What it flags
A cell of a count with its percentage, "k (p)", where p is not k of the n that the header names ("n = 1,200"), though at least
one other cell of the column fits.

## Why it matters
One of the two numbers was changed alone; readers cannot tell which.

## When it stays silent
When the header names no n, or no other cell of the column fits it (then the percentages have another base).
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.tab_lines import literal, readable_tables
from analyzers.facts.quantities import like, plain
from analyzers.facts.quantities.model import Number
from analyzers.facts.tables.model import Cell, Heading, Table
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_SIZE = re.compile(r"\b[nN]\s?=\s?(\d{1,3}(?:[,\u2009 ]\d{3})+|\d+)(?![\d.])")
_PAIR = re.compile(r"\d[\d,\u2009]*\s*(?:\(\s*\d+(?:\.\d+)?\s*%?\s*\)|\[\s*\d+(?:\.\d+)?\s*%?\s*\])\s*%?")
_NO_COUNT = re.compile(
    r"\b(?:mean|average|median|age|years?|sd|bmi|score|duration|time|weight|height|IQR)\b", re.IGNORECASE
)
_HEAD = "\\begin{tabular}{lcc}\\toprule Answer & Men ($n=1{,}200$) & Women ($n=800$) \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}"


class _Pair(NamedTuple):
    cell: Cell
    counted: Number
    percent: Number
    size: Decimal
    fits: bool


class CountPercent(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB006"
    name = "count-percent-column"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("One cell does not fit", _HEAD + "Yes & 640 (53.3) & 400 (50.0) \\\\\nNo & 360 (30.0) & 300 (37.5) \\\\\nUnsure & 200 (16.7) & 100 (15.2) \\\\" + _TAIL, "15.2"),
        Example.of("All fit", _HEAD + "Yes & 640 (53.3) & 400 (50.0) \\\\\nNo & 360 (30.0) & 300 (37.5) \\\\\nUnsure & 200 (16.7) & 100 (12.5) \\\\" + _TAIL),
        Example.of("Another base", _HEAD + "Yes & 640 (64.0) & 400 (57.1) \\\\\nNo & 360 (36.0) & 300 (42.9) \\\\" + _TAIL),
        Example.of("Means with deviations", _HEAD + "Age & 64 (10.3) & 61 (9.7) \\\\\nYes & 640 (53.3) & 400 (50.0) \\\\\nNo & 360 (30.0) & 300 (37.5) \\\\" + _TAIL),
    )  # fmt: skip

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per cell that does not fit."""
        if "(" not in view.text:
            return
        for table in readable_tables(view):
            read = {heading.index: _read(table, heading) for heading in table.columns}
            odd = _other_rows([pair for pairs in read.values() for pair in pairs])
            for index, pairs in read.items():
                yield from self._column(view, table, index, [pair for pair in pairs if pair.cell.row not in odd])

    def _column(self, view: BlockView, table: Table, index: int, pairs: list[_Pair]) -> Iterator[Finding]:
        fitting = sum(pair.fits for pair in pairs)
        wrong = [pair for pair in pairs if not pair.fits]
        if not fitting or len(wrong) * 2 > fitting:
            return
        header = next((c for c in table.cells if c.header and c.column == index and _SIZE.search(c.text)), None)
        for pair in wrong:
            right = pair.counted.value * 100 / pair.size
            computed = plain(right, pair.percent.decimals)
            span = view.span(pair.percent.start, pair.percent.end)
            fixes: tuple[Fix, ...] = ()
            if pair.cell.through_macro is None:
                new = like(literal(view, pair.percent), right)
                fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
            related = (Related(view.span(header.start, header.end), f"n = {pair.size}"),) if header is not None else ()
            stated = plain(pair.percent.value, pair.percent.decimals)
            evidence: dict[str, EvidenceValue] = {
                "count": str(pair.counted.value),
                "n": str(pair.size),
                "stated": stated,
            }
            message = (
                f"{pair.counted.value} of {pair.size} is {computed}%, not {stated}%. "
                f"{fitting} other cells of this column fit n = {pair.size}."
            )
            yield self.finding(message, span, related=related, fixes=fixes, evidence=evidence)


def _read(table: Table, heading: Heading) -> list[_Pair]:
    size = _SIZE.search(" ".join(heading.path))
    n = Decimal(re.sub(r"\D", "", size[1])) if size is not None else Decimal(0)
    if n <= 0:
        return []
    found = []
    for cell in table.cells:
        if cell.column != heading.index or cell.header or not _PAIR.fullmatch(cell.text.strip()):
            continue
        parts = _parts(cell)
        if parts is not None and parts[0].value <= n and parts[1].value <= 100:
            count, percent = parts
            fits = percent.lower * n / 100 <= count.value <= percent.upper * n / 100
            found.append(_Pair(cell, count, percent, n, fits))
    return found


def _other_rows(pairs: list[_Pair]) -> set[int]:
    """Rows that hold something else, such as means with deviations: their name says so, or no cell of them fits."""
    rows: dict[int, list[_Pair]] = {}
    for pair in pairs:
        rows.setdefault(pair.cell.row, []).append(pair)
    return {
        row
        for row, cells in rows.items()
        if (len(cells) > 1 and not any(pair.fits for pair in cells))
        or _NO_COUNT.search(" ".join(cells[0].cell.row_path))
    }


def _parts(cell: Cell) -> tuple[Number, Number] | None:
    if len(cell.numbers) == 2:
        return cell.numbers[0].number, cell.numbers[1].number
    if len(cell.numbers) == 1 and cell.numbers[0].spread is not None:
        return cell.numbers[0].number, cell.numbers[0].spread
    return None
