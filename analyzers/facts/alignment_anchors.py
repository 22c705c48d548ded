"""The places of a table that a sentence names, and numbers that are no values of a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from analyzers.facts.alignment_model import Sentence
from analyzers.facts.alignment_terms import Hit, words_of
from analyzers.facts.tables.model import Cell


@dataclass(slots=True)
class Anchors:
    """The rows and columns of one table that a sentence names, in order; `strong` ones by a name of their own."""

    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    strong_columns: list[int] = field(default_factory=list)
    strong_rows: list[int] = field(default_factory=list)
    row_starts: list[int] = field(default_factory=list)
    row_ends: list[int] = field(default_factory=list)
    column_ends: list[int] = field(default_factory=list)
    inherited: bool = False


def near(value: Decimal, expected: Decimal) -> bool:
    """Within a factor of two: a slip of the pen stays in the neighbourhood, another quantity does not."""
    low, high = sorted((abs(value), abs(expected)))
    return (value < 0) == (expected < 0) and low > 0 and high <= 2 * low


def shown_in(symbol: str, path: Sequence[str]) -> bool:
    wanted = set(words_of(symbol))
    return bool(wanted) and wanted <= {word for text in path for word in words_of(text)}


def names_cell(symbol: str, cell: Cell) -> bool:
    """True when "γ = 0.997" may be this cell: the symbol stands in its headers."""
    return shown_in(symbol, (*cell.row_path, *cell.column_path))


_LISTED = frozenset((",", ", ", ", and ", " and ", "; ", ", …, ", "/"))
_LIST_LENGTH = 4


def enumerated(sentence: Sentence) -> set[int]:
    """Numbers in a list of four or more, as in "learning rates of 0.1, 0.2, 0.3 and 0.4": a grid and no results."""
    found: set[int] = set()
    run: list[int] = []
    for at, quantity in enumerate(sentence.quantities):
        if run:
            previous = sentence.quantities[at - 1]
            gap = sentence.text[max(previous.end, previous.unit_end) : quantity.start]
            if gap not in _LISTED:
                run = []
        run.append(at)
        if len(run) >= _LIST_LENGTH:
            found.update(run)
    return found


def collect(hits: Sequence[Hit], table: int) -> Anchors:
    """The rows and columns of a table among the terms of a sentence."""
    anchors = Anchors()
    for hit in hits:
        own = hit.targets.get(table, ())
        rows = [target for target in own if target.axis == "row"]
        columns = [target for target in own if target.axis == "column"]
        anchors.rows += [target.place for target in rows]
        anchors.columns += [target.place for target in columns]
        if len(rows) == 1 and not rows[0].weak:
            anchors.strong_rows.append(rows[0].place)
            anchors.row_starts.append(hit.start)
            anchors.row_ends.append(hit.end)
        if len(columns) == 1 and (not columns[0].weak or len(own) == 1):
            anchors.strong_columns.append(columns[0].place)
            anchors.column_ends.append(hit.end)
    return anchors
