"""TAB011 `cross-table-cell-differs`: two tables repeat the same cells, and one of them has another number.

## What it flags
A cell whose row and column names occur in another table too, where at least three other shared cells are equal and this one
is not.

## Why it matters
A table was updated and its copy (an ablation's first row, a summary) was not.

## When it stays silent
When fewer than three shared cells agree, or when more than a quarter of them differ (another setting).
"""

from collections.abc import Iterator, Mapping
from itertools import combinations

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_links import TablePlace, cell_name, tables_in
from analyzers.facts.tables.model import Cell, Role, Table
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript

_MIN = 3
_MAX_TABLES = 40
_MAX_CELLS = 800
Key = tuple[str, ...]
_HEAD = "\\begin{table}\\caption{C.}\\begin{tabular}{lcccc}\\toprule Method & News & Web & Mail & Chat \\\\\\midrule\n"
_TAIL = "\\bottomrule\\end{tabular}\\end{table}\n\n"
_FULL = _HEAD + "Alpha & 61.2 & 70.3 & 44.1 & 80.9 \\\\\nBeta & 62.4 & 71.8 & 45.6 & 82.2 \\\\" + _TAIL


class CrossTable(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TAB011"
    name = "cross-table-cell-differs"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("One cell of a copied row", _FULL + _HEAD + "Gamma & 60.2 & 69.3 & 43.1 & 79.9 \\\\\nBeta & 62.4 & 71.3 & 45.6 & 82.2 \\\\" + _TAIL, "71.3"),
        Example.of("The same row", _FULL + _HEAD + "Gamma & 60.2 & 69.3 & 43.1 & 79.9 \\\\\nBeta & 62.4 & 71.8 & 45.6 & 82.2 \\\\" + _TAIL),
        Example.of("Another setting", _FULL + _HEAD + "Alpha & 51.2 & 60.3 & 34.1 & 70.9 \\\\\nBeta & 52.4 & 61.8 & 35.6 & 72.2 \\\\" + _TAIL),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per cell that differs from its twin."""
        places = [
            place
            for place in tables_in(manuscript)
            if place.table.problem is None and 0 < len(place.table.cells) <= _MAX_CELLS
        ]
        places = places[:_MAX_TABLES]
        keyed = [_keys(manuscript, place) for place in places]
        for (one, first), (two, second) in combinations(zip(places, keyed, strict=True), 2):
            shared = first.keys() & second.keys()
            if len(shared) <= _MIN:
                continue
            pairs = [(first[key], second[key]) for key in shared]
            equal = [pair for pair in pairs if _equal(*pair)]
            other = [pair for pair in pairs if not _equal(*pair)]
            if not other or len(equal) < _MIN or len(other) * 3 > len(equal):
                continue
            for before, cell in sorted(other, key=lambda pair: pair[1].start):
                yield self._finding(manuscript, (one, before), (two, cell), len(equal))

    def _finding(
        self, manuscript: Manuscript, one: tuple[TablePlace, Cell], two: tuple[TablePlace, Cell], equal: int
    ) -> Finding:
        (first, before), (second, cell) = one, two
        message = (
            f"{cell_name(second.table, cell)} is {cell.text} here and {before.text} in another table; "
            f"{equal} other cells of the two tables are equal. Check which is right."
        )
        related = (Related(first.span(manuscript.entries, before), f"The other table: {before.text}"),)
        evidence: dict[str, EvidenceValue] = {"here": cell.text, "there": before.text, "equal": equal}
        return self.finding(message, second.span(manuscript.entries, cell), related=related, evidence=evidence)


def _keys(manuscript: Manuscript, place: TablePlace) -> Mapping[Key, Cell]:
    block = manuscript.entries[place.entry].block
    table = place.table
    return block.remember(("cross table", table.start, id(table)), lambda _: _read(table))


def _read(table: Table) -> Mapping[Key, Cell]:
    """The cells with decimals by their full names; names that occur twice in the table name nothing."""
    found: dict[Key, Cell] = {}
    twice: set[Key] = set()
    for cell in table.numeric:
        if not cell.row_path or not cell.column_path or cell.quantity is None or cell.quantity.decimals <= 0:
            continue
        if table.columns[cell.column].role in (Role.HYPER, Role.DELTA, Role.ID):
            continue
        key = (
            *(part.strip().lower() for part in cell.row_path),
            "|",
            *(part.strip().lower() for part in cell.column_path),
        )
        if key in found:
            twice.add(key)
        found[key] = cell
    return {key: cell for key, cell in found.items() if key not in twice}


def _equal(first: Cell, second: Cell) -> bool:
    assert first.quantity is not None and second.quantity is not None
    return first.quantity.number.allows(second.quantity.value) or second.quantity.number.allows(first.quantity.value)
