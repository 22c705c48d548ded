"""The two cells that a stated difference is about, and whether the difference fits them.

"X beats Y by D on C" names two rows and a column; "without the warm start, C drops by D" names one row of an ablation, which is
compared with the full method; "C was D lower in A than in B" may name two columns and a row.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from analyzers.facts.alignment_anchors import Anchors, collect
from analyzers.facts.alignment_deltas import Pair, fitting, readings
from analyzers.facts.alignment_model import Evidence, Link, Reason, Refuted, Unknown, Verified
from analyzers.facts.alignment_terms import Hit, alignment_words, tokens_of
from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.tables.model import Role, Table

if TYPE_CHECKING:
    from analyzers.facts.alignment_sentence import SentenceAlignment

DELTAS = frozenset((Kind.DELTA_ABS, Kind.DELTA_REL, Kind.RATIO))
_NEAR = Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH
_CLAUSE = re.compile(r";|:|,\s+(?:while|whereas|but|although|though|and)\b|\b(?:while|whereas)\b")
_REMOVAL = re.compile(
    r"\b(?:without|w/o|no|minus|giv(?:ing|en) up|forgo\w*|abandon\w*|remov\w+|dropp?\w*|omit\w*|ablat\w+|disabl\w+|exclud\w+|skipp?\w*|leav\w+ out|left out"
    r"|turn\w* off|switch\w* off|switched off|turned off|lack\w*|off|delet\w+|eliminat\w+|replac\w+)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:gain|improvement|advantage|margin|lead|increase|reduction|benefit)s?\s(?:in\s(?:\w+\s){1,3})?(?:over|against|with respect to|compared (?:to|with)|relative to)\b",
    re.IGNORECASE,
)
_TICKS = frozenset("✓✔")
_CROSSES = frozenset(("✗", "✘", "×", "-", "–", "—", ""))
_ARTICLE = len(" the ")
_OURS = re.compile(r"(?:ours?|proposed|this (?:work|paper))(?:\s\w+)?", re.IGNORECASE)
_METRICS = (Role.METRIC, Role.AVG, Role.UNKNOWN)


class Compared(NamedTuple):
    """Pairs of cells that may be compared, and whether the sentence leaves no choice of column (or row)."""

    pairs: list[Pair]
    exact: bool


def delta_link(work: "SentenceAlignment", at: int, quantity: Quantity) -> Link:
    """A difference, a relative difference or a factor, compared with all readings of the pair of cells it is about."""
    refutable: list[tuple[int, Pair]] = []
    for table, reference in work.candidates.items():
        pairs, exact = _compared(work, at, table)
        for pair in pairs:
            reading = fitting(quantity, work.aligner.tables[table], pair)
            if reading is None:
                continue
            evidence = reference | Evidence.ROW
            if exact:
                evidence |= Evidence.COLUMN
            if evidence.kinds >= 2:
                return Verified(work.number, at, table, pair.first, evidence, pair.second, reading)
        if exact and len(pairs) == 1 and (reference & _NEAR or len(work.candidates) == 1 or _only_here(work, table)):
            refutable.append((table, pairs[0]))
    if len(refutable) != 1 or quantity.approximate or quantity.negated:
        return Unknown(work.number, at, Reason.NO_PAIR)
    table, pair = refutable[0]
    expected = readings(quantity, work.aligner.tables[table], pair)
    if not expected or not _told_apart(work, at, table) or _inherited(work, table):
        return Unknown(work.number, at, Reason.NO_PAIR)
    if quantity.decimals <= 0 and not _whole(work.aligner.tables[table], pair):
        return Unknown(work.number, at, Reason.NO_PAIR)
    evidence = work.candidates[table] | Evidence.ROW | Evidence.COLUMN
    return Refuted(work.number, at, table, pair.first, evidence, expected[0].value, pair.second)


def _only_here(work: "SentenceAlignment", table: int) -> bool:
    """True when the sentence names a row of an ablation by two words or more that no other table has, and a column by name."""
    anchors = work.anchors_in(table)
    rows = set(anchors.strong_rows)
    if anchors.inherited or len(rows) != 1 or len(set(anchors.strong_columns)) != 1:
        return False
    if not _is_ablation(work, table, next(iter(rows))):
        return False
    return any(
        set(hit.targets) == {table} and " " in work.sentence.text[hit.start : hit.end].strip()
        and any(target.axis == "row" and not target.weak and target.place in rows for target in hit.targets[table])
        for hit in work.hits
    )  # fmt: skip


def _whole(table: Table, pair: Pair) -> bool:
    """True for two cells without decimals: only then is a whole number as exact as the cells."""
    cells = (table.cells[pair.first].quantity, table.cells[pair.second].quantity)
    return all(cell is not None and cell.decimals <= 0 and abs(cell.value) >= Decimal(10) for cell in cells)


def _told_apart(work: "SentenceAlignment", at: int, table: int) -> bool:
    """True for the only difference of a sentence, or one that has the name of its own column in front of it."""
    deltas = [index for index, quantity in enumerate(work.sentence.quantities) if quantity.kind in DELTAS]
    return len(deltas) == 1 or _own_column(work, at, table) is not None


def _own_column(work: "SentenceAlignment", at: int, table: int) -> int | None:
    """The one column named between the number before and this one ("F1 drops by 1.2 and recall by 3.4"), else between this
    one and the next ("by 1.2 on News and by 3.4 on Web").
    """
    quantities = work.sentence.quantities
    before = quantities[at - 1].end if at else 0
    after = quantities[at + 1].start if at + 1 < len(quantities) else len(work.sentence.text)
    deltas = [quantity for quantity in quantities if quantity.kind in DELTAS]
    first = deltas[0] if deltas else quantities[at]
    behind = bool(_columns_between(work, table, first.end, deltas[1].start)) if len(deltas) > 1 else False
    ahead = bool(_columns_between(work, table, 0, first.start))
    if behind and not ahead:
        columns = _columns_between(work, table, quantities[at].end, after)
    else:
        columns = _columns_between(work, table, before, quantities[at].start)
    return columns.pop() if len(columns) == 1 else None


def _columns_between(work: "SentenceAlignment", table: int, start: int, end: int) -> set[int]:
    return {
        target.place
        for hit in work.hits
        if start <= hit.start < end
        for target in hit.targets.get(table, ())
        if target.axis == "column"
    }


def _inherited(work: "SentenceAlignment", table: int) -> bool:
    return work.anchors_in(table).inherited and not (work.ours and table in work.aligner.terms.ours)


def _clause(text: str, at: int) -> tuple[int, int]:
    """The part of a sentence around an offset, between commas with a conjunction, semicolons and "while"."""
    start, end = 0, len(text)
    for match in _CLAUSE.finditer(text):
        if match.end() <= at:
            start = match.end()
        elif match.start() >= at:
            end = match.start()
            break
    return start, end


def in_clause(work: "SentenceAlignment", at: int, table: int) -> tuple[Anchors, Sequence[Hit]]:
    """What the clause of a number names; the whole sentence when the clause names no row."""
    start, end = _clause(work.sentence.text, work.sentence.quantities[at].start)
    whole = work.anchors_in(table)
    if start == 0 and end == len(work.sentence.text):
        return whole, work.hits
    hits = [hit for hit in work.hits if start <= hit.start < end]
    own = collect(hits, table)
    return (own, hits) if own.rows else (whole, work.hits)


def _compared(work: "SentenceAlignment", at: int, table: int) -> Compared:
    """Pairs of cells that the sentence compares, and whether it names the column."""
    if (ticked := _ticked(work, at, table)) is not None:
        return ticked
    anchors, _ = in_clause(work, at, table)
    rows = list(dict.fromkeys(anchors.strong_rows or anchors.rows))
    ablated = [row for row in rows if _is_ablation(work, table, row)]
    if len(rows) == 1:
        if (rival := _rival_column(work, table)) is not None:
            return _against(work, table, rows[0], rival)
        other = _partner(work, table, rows[0], bool(ablated))
        if other is None:
            return _across(work, at, table, rows[0])
        rows = [rows[0], other]
    elif len(ablated) == len(rows) or (ablated and not _removed(work, at)):
        # Two variants are each compared with the full method; "the warm start gains 1.2 over X" says nothing of the row without it.
        return Compared([], False)
    if len(rows) != 2:
        return Compared([], False)
    columns, exact = _columns(work, at, table)
    found = work.aligner.tables[table]
    pairs = []
    for column in columns:
        first, second = found.at(rows[0], column), found.at(rows[1], column)
        if first is None or second is None or first.quantity is None or second.quantity is None:
            continue
        pairs.append(Pair(found.grid[rows[0]][column], found.grid[rows[1]][column]))
    return Compared(pairs, exact)


def _partner(work: "SentenceAlignment", table: int, row: int, ablated: bool) -> int | None:
    """The row that a sentence with one row compares it with: the authors' own one, or the full method of an ablation."""
    terms = work.aligner.terms
    ours, reference = terms.ours.get(table), terms.references.get(table)
    if ours is not None and row != ours and work.ours:
        return ours
    if ablated and reference is not None and row != reference:
        return reference
    if ours is not None and row != ours and _OVER.search(work.sentence.text):
        return ours  # "the gain over B": that of the authors' method, which nobody has to name
    if ours is None and any(token.word in ("it", "its") for token in work.tokens):
        subject = _subject_before(work, table)
        return subject if subject != row else None
    return None


def _subject_before(work: "SentenceAlignment", table: int) -> int | None:
    """ "It lowers the error of Y": the first row that the sentence before names."""
    for earlier in reversed(work.before):
        found = collect(work.aligner.terms.find(tokens_of(earlier.text)), table)
        if found.strong_rows:
            return found.strong_rows[0]
        if found.rows:
            return None
    return None


def _columns(work: "SentenceAlignment", at: int, table: int) -> tuple[list[int], bool]:
    """The columns that may be meant, and whether there is no choice: one is named, or one alone has the number's unit."""
    anchors, _ = in_clause(work, at, table)
    own = _own_column(work, at, table)
    whole = work.anchors_in(table)
    columns = list(dict.fromkeys(anchors.strong_columns or whole.strong_columns))
    if own is not None and len(columns) > 1:
        columns = [own]
    if len(columns) == 1:
        return columns, True
    if columns:
        return columns, False
    found = work.aligner.tables[table]
    quantity = work.sentence.quantities[at]
    measured = [
        heading for heading in found.columns if heading.role in _METRICS and heading.index >= found.label_columns
    ]
    if quantity.unit is not None and quantity.kind is Kind.DELTA_ABS and not whole.columns:
        like = [
            heading.index
            for heading in measured
            if heading.unit is not None and heading.unit.dimension == quantity.unit.dimension
        ]
        if len(like) == 1:
            return like, True
    columns = list(dict.fromkeys(whole.columns)) or [heading.index for heading in measured]
    return columns, len(columns) == 1 and len(found.columns) == found.label_columns + 1


def _across(work: "SentenceAlignment", at: int, table: int, row: int) -> Compared:
    """The pair of one row in two columns, for tables whose columns are conditions: "latency was 8.4 min shorter in A than in B"."""
    anchors, _ = in_clause(work, at, table)
    columns = list(dict.fromkeys(anchors.strong_columns))
    found = work.aligner.tables[table]
    own = work.aligner.terms.own_columns.get(table)
    if len(columns) == 1 and own is not None and own not in columns:
        if work.ours or _OVER.search(work.sentence.text):
            columns.append(own)
    elif len(columns) == 1 and work.ours:
        columns += [
            heading.index
            for heading in found.columns
            if heading.path and _OURS.fullmatch(heading.path[-1].strip()) and heading.index not in columns
        ]
    if len(columns) != 2:
        return Compared([], False)
    first, second = (found.columns[column] for column in columns)
    if first.metric != second.metric or first.unit != second.unit or first.role is not second.role:
        return Compared([], False)
    cells = found.at(row, first.index), found.at(row, second.index)
    if any(cell is None or cell.quantity is None for cell in cells):
        return Compared([], False)
    return Compared([Pair(found.grid[row][first.index], found.grid[row][second.index])], True)


def _ticked(work: "SentenceAlignment", at: int, table: int) -> Compared | None:
    """The full method and the row that lacks one part, in a table with a tick or a cross for each part."""
    text, found = work.sentence.text, work.aligner.tables[table]
    start, end = _clause(text, work.sentence.quantities[at].start)
    if _REMOVAL.search(text, start, end) is None:
        return None
    marks: dict[int, dict[int, bool]] = {}
    for cell in found.cells:
        if (cell.text in _TICKS or cell.text in _CROSSES) and not cell.header and cell.row_span == cell.col_span == 1:
            marks.setdefault(cell.column, {})[cell.row] = cell.text in _TICKS
    rows = [row.index for row in found.rows if not row.header]
    parts = [column for column, ticks in marks.items() if any(ticks.values()) and list(ticks) == rows]
    if len(parts) < 2 or len(rows) < 3:
        return None
    clause = text[start:end].lower()
    names = {column: found.columns[column].path[-1].lower() for column in parts if found.columns[column].path}
    named = [c for c, name in names.items() if len(name) > 2 and re.search(rf"\b{re.escape(name)}\b", clause)]
    if len(named) != 1:
        return None
    full = [row for row in rows if all(marks[column][row] for column in parts)]
    without = [row for row in rows if all(marks[column][row] is (column != named[0]) for column in parts)]
    values = [
        column.index
        for column in found.columns
        if (c := found.at(rows[0], column.index)) is not None and c.quantity is not None
    ]
    if len(values) > 1:
        said = set(work.anchors_in(table).strong_columns)
        values = [column for column in values if column in said]
    if len(full) != 1 or len(without) != 1 or len(values) != 1:
        return None
    cells = found.at(full[0], values[0]), found.at(without[0], values[0])
    if any(cell is None or cell.quantity is None for cell in cells):
        return None
    return Compared([Pair(found.grid[full[0]][values[0]], found.grid[without[0]][values[0]])], True)


def _rival_column(work: "SentenceAlignment", table: int) -> int | None:
    """The column behind "the margin over": where a column is what a method is measured against, the columns are the methods."""
    match = _OVER.search(work.sentence.text)
    if match is None:
        return None
    hits = [hit for hit in work.hits if match.end() < hit.start <= match.end() + _ARTICLE]
    found = collect(hits, table)
    return found.strong_columns[0] if len(set(found.strong_columns)) == 1 and not found.rows else None


def _against(work: "SentenceAlignment", table: int, row: int, rival: int) -> Compared:
    """The pair of one row in a rival's column and in that of the method that the sentences before speak of."""
    own = subject_column_before(work, table)
    if own is None:
        own = work.aligner.terms.own_columns.get(table)  # "the margin over B": that of the authors' own column
    if own is None or own == rival or set(work.anchors_in(table).strong_columns) != {rival}:
        return Compared([], False)
    found = work.aligner.tables[table]
    first, second = found.columns[own], found.columns[rival]
    cells = found.at(row, own), found.at(row, rival)
    alike = first.metric == second.metric and first.unit == second.unit and first.role is second.role
    if not alike or any(cell is None or cell.quantity is None for cell in cells):
        return Compared([], False)
    return Compared([Pair(found.grid[row][own], found.grid[row][rival])], True)


def subject_column_before(work: "SentenceAlignment", table: int) -> int | None:
    """The first column that the nearest sentence before that names any names: "it", where the columns are the methods."""
    for earlier in reversed(work.before):
        found = collect(work.aligner.terms.find(tokens_of(earlier.text)), table)
        if found.strong_columns:
            return found.strong_columns[0]
        if found.columns:
            return None
    return None


def _removed(work: "SentenceAlignment", at: int) -> bool:
    """True when the clause says that something is taken away."""
    start, end = _clause(work.sentence.text, work.sentence.quantities[at].start)
    return _REMOVAL.search(work.sentence.text, start, end) is not None


def _is_ablation(work: "SentenceAlignment", table: int, row: int) -> bool:
    path = work.aligner.tables[table].rows[row].path
    words = [token.word for token in tokens_of(path[-1])] if path else []
    lead = path[-1].lstrip()[:1] if path else ""
    return bool(words) and (words[0] in alignment_words().ablation_words or lead in "-−–+")
