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
    """The rows and columns of a table among the terms of a sentence.

    A name that stands in several groups of a table ("ours" under "Chat" and under "Code") is narrowed to the one group that
    the sentence names.
    """
    anchors = Anchors()
    found = [(hit, *_places(hit, table)) for hit in hits if table in hit.targets]
    if not found:
        return anchors
    row_group, column_group = _group([rows for _, rows, _ in found]), _group([columns for _, _, columns in found])
    for hit, rows, columns in found:
        own_rows, own_columns = _narrowed(rows, row_group), _narrowed(columns, column_group)
        anchors.rows += own_rows
        anchors.columns += own_columns
        if len(own_rows) == 1 and (not rows[own_rows[0]] or len(rows) > 1):
            anchors.strong_rows.append(own_rows[0])
            anchors.row_starts.append(hit.start)
            anchors.row_ends.append(hit.end)
        alone = len(rows) + len(columns) == 1
        if len(own_columns) == 1 and (not columns[own_columns[0]] or alone or len(columns) > 1):
            anchors.strong_columns.append(own_columns[0])
            anchors.column_ends.append(hit.end)
    return anchors


def _places(hit: Hit, table: int) -> tuple[dict[int, bool], dict[int, bool]]:
    """The rows and the columns that a term names in a table, each with whether it does so weakly."""
    rows: dict[int, bool] = {}
    columns: dict[int, bool] = {}
    for target in hit.targets.get(table, ()):
        places = rows if target.axis == "row" else columns
        places[target.place] = places.get(target.place, True) and target.weak
    return rows, columns


def _group(found: Sequence[dict[int, bool]]) -> frozenset[int]:
    """The one group of rows (or columns) that a sentence names; empty when it names none or several."""
    groups = {frozenset(places) for places in found if len(places) > 1 and all(places.values())}
    return groups.pop() if len(groups) == 1 else frozenset()


def _narrowed(places: dict[int, bool], group: frozenset[int]) -> list[int]:
    if len(places) < 2 or not group or all(places.values()):
        return list(places)
    inside = [place for place in places if place in group]
    return inside if len(inside) == 1 else list(places)
