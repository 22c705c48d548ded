"""Superlatives in prose ("best on all four data sets") joined to the columns they are about, and the column that refutes them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.facts.alignment import Evidence
from analyzers.facts.number_comparisons import HEDGE, NEAR, Spoken, own_row, spoken
from analyzers.facts.number_links import NumberLinks
from analyzers.facts.tables.model import Cell, Direction, Heading, Orientation, Role, Table

_SUPERLATIVE = re.compile(
    r"\b(?:(?P<best>best|highest|lowest|top|superior)\b[^.;:]{0,60}?|(?P<verb>outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beats?|exceeds?|dominates?|ranks? first|wins?)\b[^.;:]{0,70}?)"
    r"\b(?:on|in|across|over|for|under|at)\s+(?:(?:all|each|both|every)(?:\s+of)?(?:\s+the)?|(?P<some>\w+)\s+(?:out\s+)?of(?:\s+the)?)\s+(?P<count>\w+)?\s*"
    r"(?P<what>datasets?|data sets?|benchmarks?|tasks?|metrics?|measures?|languages?|corpora|domains?|settings?|columns?|test sets?|collections?)\b",
    re.IGNORECASE,
)
_VARIANT = re.compile(r"^\s*(?:[-+−–]|w/o|w/|with|without|no |only )|\b(?:ablation|variant)\b", re.IGNORECASE)
_COUNTS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}


class Superlative(NamedTuple):
    """ "Best on all four data sets", which some column refutes: `cell` beats `own` there; `good` of `total` columns agree."""

    spoken: Spoken
    start: int
    end: int
    table: int
    own: Cell
    cell: Cell
    good: int
    total: int
    stated: int


def superlatives(links: NumberLinks, outside: re.Pattern[str]) -> Iterator[Superlative]:
    """The superlatives that a column of their table refutes.  `outside` names rows that take no part, such as an oracle."""
    for item in spoken(links, _SUPERLATIVE, "superlatives"):
        text = item.statement.text
        for match in _SUPERLATIVE.finditer(text):
            clause = text[max(0, match.start() - 60) : match.end() + 40]
            if HEDGE.search(clause):
                continue
            stated = _count(match["count"])
            some = _count(match["some"])
            if match["some"] is not None and some is None:
                continue
            found = _refuted_superlative(links, item, match, stated, some, outside)
            if found is not None:
                yield found


def _count(word: str | None) -> int | None:
    if word is None:
        return None
    return int(word) if word.isdigit() else _COUNTS.get(word.lower())


def _refuted_superlative(
    links: NumberLinks,
    item: Spoken,
    match: re.Match[str],
    stated: int | None,
    some: int | None,
    outside: re.Pattern[str],
) -> Superlative | None:
    tables = [t for t, evidence in item.alignment.candidates.items() if evidence & NEAR]
    strong = [t for t in tables if item.alignment.candidates[t] & Evidence.REFERENCE_SENTENCE]
    tables = strong or tables
    for table in tables:
        found = links.tables[table].table
        own = own_row(links.aligner.prepared.terms, item, table, match.start())
        if own is None or found.orientation is not Orientation.ROWS:
            continue
        columns = _result_columns(found, match.group(0), own)
        wanted = stated if stated is not None else None
        if (
            len(columns) < 2
            or (wanted is not None and wanted != len(columns))
            or (wanted is None and len(strong) != 1 and len(tables) != 1)
        ):
            continue
        beaten = [
            (column, better) for column in columns if (better := _better(found, own, column, outside)) is not None
        ]
        good = len(columns) - len(beaten)
        needed = some if some is not None else len(columns)
        # A sentence that is wrong about most columns was read wrongly.
        if (
            good == needed
            or not beaten
            or (some is None and len(beaten) * 2 > len(columns))
            or (some is not None and abs(good - some) > 1)
        ):
            continue
        cell = found.at(own, beaten[0][0].index)
        if cell is not None:
            return Superlative(item, match.start(), match.end(), table, cell, beaten[0][1], good, len(columns), needed)
    return None


def _result_columns(table: Table, words: str, own: int) -> list[Heading]:
    columns = [
        heading for heading in table.columns
        if heading.role in (Role.METRIC, Role.UNKNOWN) and not heading.header and heading.index >= table.label_columns
        and (cell := table.at(own, heading.index)) is not None and cell.quantity is not None
    ]  # fmt: skip
    named = [heading for heading in columns if heading.metric is not None and heading.metric in words.lower()]
    columns = named or columns
    if any(heading.direction is Direction.UNKNOWN for heading in columns):
        return []
    return columns


def _better(table: Table, own: int, column: Heading, outside: re.Pattern[str]) -> Cell | None:
    """The cell of another row that beats that of `own`."""
    mine = table.at(own, column.index)
    if mine is None or mine.quantity is None:
        return None
    name = " ".join(table.rows[own].path).lower()
    best: Cell | None = None
    for row in table.rows:
        other = table.at(row.index, column.index)
        if (
            row.header
            or row.index == own
            or other is None
            or other.quantity is None
            or other.header
            or other.row_span > 1
        ):
            continue
        label = " ".join(row.path)
        if (
            outside.search(label)
            or _VARIANT.search(label)
            or (name and name in label.lower())
            or (label and label.lower() in name)
        ):
            continue
        if row.role in (Role.AVG, Role.TOTAL, Role.DELTA) or (
            row.group != table.rows[own].group and len(table.groups) > 2
        ):
            continue
        gap = other.quantity.value - mine.quantity.value
        if column.direction is Direction.LOWER:
            gap = -gap
        if (
            gap > 0
            and other.quantity.decimals == mine.quantity.decimals
            and (best is None or _beats(other, best, column))
        ):
            best = other
    return best


def _beats(first: Cell, second: Cell, column: Heading) -> bool:
    assert first.quantity is not None and second.quantity is not None
    gap = first.quantity.value - second.quantity.value
    return gap < 0 if column.direction is Direction.LOWER else gap > 0
