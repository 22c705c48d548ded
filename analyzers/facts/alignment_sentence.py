"""The alignment of one sentence: which cells its numbers may be, and how much speaks for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzers.facts.alignment_anchors import Anchors, collect, enumerated, names_cell, near, shown_in
from analyzers.facts.alignment_model import Evidence, Link, Reason, Refuted, Sentence, Unknown, Verified
from analyzers.facts.alignment_pairs import DELTAS, delta_link, in_clause
from analyzers.facts.alignment_terms import Hit, TermIndex, Token, alignment_words, speaks_of_ours, tokens_of
from analyzers.facts.alignment_values import ValueIndex, comparable, in_unit_of, unit_conflict, unit_of
from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.tables.model import Cell, Table

VALUES = frozenset((Kind.LEVEL, Kind.SHARE, Kind.COUNT))
__all__ = ["DELTAS", "VALUES", "Prepared", "SentenceAlignment"]


_MANY = 64
# "the MixNet baseline (72.3)": a word of this kind belongs to the name before it.
_GENERIC = frozenset(
    ("baseline", "model", "method", "network", "variant", "approach", "system", "dataset", "benchmark", "setting")
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of all tables before a sentence is read."""

    tables: Sequence[Table]
    terms: TermIndex
    values: Sequence[ValueIndex]
    by_label: Mapping[str, Sequence[int]]
    results: Sequence[int]


class SentenceAlignment:
    """The work on one sentence."""

    def __init__(self, aligner: Prepared, number: int, sentence: Sentence, before: Sequence[Sentence]) -> None:
        self.aligner = aligner
        self.number = number
        self.sentence = sentence
        self.before = before
        self.earlier: list[list[Hit]] | None = None  # the terms of the sentences before, nearest first
        self.candidates = self._candidates()
        # Most sentences mean no table that can be read, or give a number that no cell has: their words are not looked at.
        self._hits: list[Hit] | None = None
        self._ours: bool | None = None
        self._anchors: dict[int, Anchors] = {}
        self.zipped = self._zip() if self.candidates else {}
        self.enumerated = enumerated(sentence)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the sentence."""
        return tokens_of(self.sentence.text)

    @property
    def hits(self) -> list[Hit]:
        """The terms of tables in the sentence."""
        if self._hits is None:
            self._hits = self.aligner.terms.find(self.tokens)
        return self._hits

    @property
    def ours(self) -> bool:
        """Whether the sentence speaks of the authors' own method."""
        if self._ours is None:
            self._ours = speaks_of_ours(self.tokens)
        return self._ours

    @property
    def anchors(self) -> Mapping[int, Anchors]:
        """The places that the sentence names, in each table that may be meant."""
        return {table: self.anchors_in(table) for table in self.candidates}

    def anchors_in(self, table: int) -> Anchors:
        """The places that the sentence names in one table."""
        anchors = self._anchors.get(table)
        if anchors is None:
            anchors = self._anchors[table] = self._named(table)
        return anchors

    def links(self) -> tuple[Link, ...]:
        made: list[Link] = []
        for at, quantity in enumerate(self.sentence.quantities):
            if quantity.bound is not None or (at in self.enumerated and at not in self.zipped):
                made.append(Unknown(self.number, at, Reason.NOT_A_VALUE))
            elif quantity.kind in VALUES and quantity.endpoints is None:
                made.append(self._value(at, quantity))
            elif quantity.kind in DELTAS:
                made.append(delta_link(self, at, quantity))
            else:
                made.append(Unknown(self.number, at, Reason.NOT_A_VALUE))
        return tuple(self._refuted(link, made) if isinstance(link, Unknown) else link for link in made)

    def _candidates(self) -> dict[int, Evidence]:
        """Tables that may be meant, with the reference that points at them: the nearest kind of reference wins."""
        found: dict[int, Evidence] = {}
        for labels, evidence in (
            (self.sentence.references, Evidence.REFERENCE_SENTENCE),
            (self.sentence.paragraph_references, Evidence.REFERENCE_PARAGRAPH),
            (self.sentence.section_references, Evidence.REFERENCE_SECTION),
        ):
            for label in labels:
                for table in self.aligner.by_label.get(label, ()):
                    if self.aligner.tables[table].problem is None:
                        found.setdefault(table, evidence)
        if self.sentence.summary or not found:
            for table in self.aligner.results:
                found.setdefault(table, Evidence.NONE)
        return found

    def _named(self, table: int) -> Anchors:
        anchors = collect(self.hits, table)
        if not anchors.rows:
            self._inherit(anchors, table)
        if not anchors.rows and table in self.aligner.terms.ours and self.ours:
            anchors.rows = [self.aligner.terms.ours[table]]
            anchors.inherited = True
        return anchors

    def _inherit(self, anchors: Anchors, table: int) -> None:
        """ "It reaches 74.3": the row that the paragraph spoke of last."""
        if self.earlier is None:  # the same for every table
            self.earlier = [self.aligner.terms.find(tokens_of(earlier.text)) for earlier in reversed(self.before)]
        for hits in self.earlier:
            found = collect(hits, table)
            if found.rows:
                anchors.rows = found.rows[-1:]
                anchors.inherited = True
                return

    def _zip(self) -> dict[int, tuple[int, str, int]]:
        """Quantity -> (table, axis, index) for "74.3 and 75.6 on A and B, respectively"."""
        levels = [at for at, q in enumerate(self.sentence.quantities) if q.kind in VALUES and q.endpoints is None]
        found: dict[int, tuple[int, str, int]] = {}
        if len(levels) < 2:
            return found
        if (
            alignment_words().respectively.isdisjoint([token.word for token in self.tokens])
            and "分别" not in self.sentence.text
        ):
            return found
        for table, anchors in self.anchors.items():
            if anchors.inherited and len(anchors.strong_columns) != len(levels):
                continue
            for axis, indices in (("column", anchors.strong_columns), ("row", anchors.strong_rows)):
                if len(indices) == len(levels) == len(set(indices)):
                    for at, index in zip(levels, indices, strict=True):
                        found.setdefault(at, (table, axis, index))
                    break
        return found

    def _value(self, at: int, quantity: Quantity) -> Link:
        best: tuple[float, Verified] | None = None
        seen = False
        conflict: Refuted | None = None
        for table, reference in self.candidates.items():
            for cell_index in self._cells(table, quantity):
                cell = self.aligner.tables[table].cells[cell_index]
                if quantity.symbol is not None and not names_cell(quantity.symbol, cell):
                    continue
                fits = comparable(quantity, self.aligner.tables[table], cell)
                evidence = self._evidence(at, table, cell, reference)
                if fits is None:
                    conflict = conflict or self._conflict(at, table, cell_index, evidence)
                    continue
                seen = True
                if fits:
                    evidence |= Evidence.UNIT
                if not self._enough(quantity, evidence):
                    continue
                score = self._score(evidence)
                if best is None or score > best[0]:
                    best = (score, Verified(self.number, at, table, cell_index, evidence))
        if best is not None:
            return best[1]
        if conflict is not None:
            return conflict
        if not self.candidates:
            return Unknown(self.number, at, Reason.NO_TABLE)
        return Unknown(self.number, at, Reason.VALUE_ONLY if seen else Reason.NO_CELL)

    def _cells(self, table: int, quantity: Quantity) -> list[int]:
        """Cells with this value; of very many only those in a row or column that the sentence names."""
        found = self.aligner.values[table].find(quantity)
        if len(found) <= _MANY:
            return found
        anchors, cells = self.anchors_in(table), self.aligner.tables[table].cells
        rows, columns = set(anchors.rows), set(anchors.columns)
        return [at for at in found if cells[at].row in rows or cells[at].column in columns][:_MANY]

    def _conflict(self, at: int, table: int, index: int, evidence: Evidence) -> Refuted | None:
        """The named cell with the same digits and another unit."""
        quantity, found = self.sentence.quantities[at], self.aligner.tables[table]
        if not evidence & Evidence.ROW or evidence & Evidence.INHERITED:
            return self._conflict_in_column(at, table, index, evidence)
        if not evidence & Evidence.COLUMN and not self._only_column(at, table, index, evidence):
            return None
        if not unit_conflict(quantity, found, found.cells[index]):
            return None
        expected = in_unit_of(quantity, found, found.cells[index])
        if expected is None:
            return None
        return Refuted(self.number, at, table, index, evidence, expected, None, unit=True)

    def _conflict_in_column(self, at: int, table: int, index: int, evidence: Evidence) -> Refuted | None:
        """The digits of a cell of the one named column in another unit, in a sentence that names no row ("one step takes …")."""
        quantity, found = self.sentence.quantities[at], self.aligner.tables[table]
        anchors, cell = self.anchors_in(table), found.cells[index]
        near_by = evidence & (Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH)
        if not near_by or set(anchors.strong_columns) != {cell.column} or anchors.strong_rows:
            return None
        # One digit stands in too many cells, and a number beside others may be that of any of them.
        if len(quantity.value.as_tuple().digits) < 2 or quantity.decimals <= 0 or len(self.sentence.quantities) > 1:
            return None
        if not unit_conflict(quantity, found, cell):
            return None
        expected = in_unit_of(quantity, found, cell)
        return (
            Refuted(self.number, at, table, index, evidence, expected, None, unit=True)
            if expected is not None
            else None
        )

    def _only_column(self, at: int, table: int, index: int, evidence: Evidence) -> bool:
        """True when a table referred to nearby has one column of this dimension, so that its name may be left out."""
        unit, found = self.sentence.quantities[at].unit, self.aligner.tables[table]
        near_by = evidence & (Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH)
        if unit is None or not near_by:
            return False
        anchors, _ = in_clause(self, at, table)
        if set(anchors.strong_rows) != {found.cells[index].row} or anchors.columns:
            return False
        own = unit.dimension.partition("/")[0]
        like = [column.index for column in found.columns if column.unit is not None and column.unit.dimension == own]
        return like == [found.cells[index].column]

    def _evidence(self, at: int, table: int, cell: Cell, reference: Evidence) -> Evidence:
        evidence = reference
        anchors = self.anchors_in(table)
        zipped = self.zipped.get(at)
        rows = range(cell.row, cell.row + cell.row_span)
        columns = range(cell.column, cell.column + cell.col_span)
        if zipped is not None and zipped[0] == table:
            axis = rows if zipped[1] == "row" else columns
            if zipped[2] in axis:
                evidence |= Evidence.ZIPPED | (Evidence.ROW if zipped[1] == "row" else Evidence.COLUMN)
            if zipped[1] == "column" and any(row in anchors.rows for row in rows):
                evidence |= Evidence.ROW
            if zipped[1] == "row" and any(column in anchors.columns for column in columns):
                evidence |= Evidence.COLUMN
        else:
            if anchors.rows and any(row in anchors.rows for row in rows):
                evidence |= Evidence.ROW
            if anchors.columns and any(column in anchors.columns for column in columns):
                evidence |= Evidence.COLUMN
        if anchors.inherited and evidence & Evidence.ROW:
            evidence |= Evidence.INHERITED
        symbol = self.sentence.quantities[at].symbol
        if symbol is not None:
            # "γ = 0.997" names its row or column itself.
            if shown_in(symbol, cell.column_path):
                evidence |= Evidence.COLUMN
            if shown_in(symbol, cell.row_path):
                evidence |= Evidence.ROW
        macro = self.sentence.macros[at] if at < len(self.sentence.macros) else None
        if macro is not None and cell.quantity is not None and cell.quantity.through_macro == macro:
            evidence |= Evidence.MACRO
        return evidence

    @staticmethod
    def _score(evidence: Evidence) -> float:
        near = 0.2 if evidence & Evidence.REFERENCE_SENTENCE else 0.1 if evidence & Evidence.REFERENCE_PARAGRAPH else 0
        zipped = 0.3 if evidence & Evidence.ZIPPED else 0
        macro = 2 if evidence & Evidence.MACRO else 0
        return evidence.kinds + 0.5 * bool(evidence & Evidence.UNIT) + near + zipped + macro

    @staticmethod
    def _enough(quantity: Quantity, evidence: Evidence) -> bool:
        """Two of three; whole numbers of one or two digits, which stand in any table, need row and column."""
        if evidence & Evidence.MACRO:
            return True
        if quantity.decimals <= 0 and abs(quantity.value) < 100:
            return bool(evidence & Evidence.ROW and evidence & Evidence.COLUMN)
        kinds = evidence.kinds
        if kinds == 2 and evidence & Evidence.REFERENCE_SECTION and evidence & Evidence.INHERITED:
            return False
        return kinds >= 2

    def _refuted(self, link: Unknown, made: Sequence[Link]) -> Link:
        """Turn "no cell has this value" into a refutation where sentence and table leave no other reading."""
        quantity = self.sentence.quantities[link.quantity]
        if link.reason is not Reason.NO_CELL and link.reason is not Reason.VALUE_ONLY:
            return link
        if quantity.kind is not Kind.LEVEL or quantity.approximate or quantity.bound is not None or quantity.negated:
            return link
        if quantity.decimals <= 0 or quantity.symbol is not None:
            return link
        named = [
            (table, cell) for table in self.candidates if (cell := self._only_cell(link.quantity, table)) is not None
        ]
        if not named:
            return link
        if self._other_setting(named):
            return Unknown(self.number, link.quantity, Reason.SETTING)
        values = {self.aligner.tables[table].cells[cell].quantity for table, cell in named}
        cells = [quantity_ for quantity_ in values if quantity_ is not None]
        if len({found.value for found in cells}) != 1:
            return Unknown(self.number, link.quantity, Reason.SEVERAL_CELLS)
        table, index = named[0]
        meant = self.aligner.tables[table].cells[index]
        if any(isinstance(x, Verified) and x.other is None and (x.table, x.cell) == (table, index) for x in made):
            return link
        expected = in_unit_of(quantity, self.aligner.tables[table], meant)
        if expected is None or not near(quantity.value, expected) or self._plausible_elsewhere(quantity, table, meant):
            return link
        reference = self.candidates[table] & (Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH)
        if not reference and not self.sentence.summary:
            return link
        evidence = self._evidence(link.quantity, table, meant, self.candidates[table])
        unit = meant.quantity is not None and meant.quantity.value == quantity.value
        return Refuted(self.number, link.quantity, table, index, evidence, expected, None, unit)

    def _only_cell(self, at: int, table: int) -> int | None:
        """The one cell that the sentence names in a table by its own row and its own column."""
        anchors = self.anchors_in(table)
        found = self.aligner.tables[table]
        levels = [q for q in self.sentence.quantities if q.kind in VALUES and q.decimals > 0]
        zipped = self.zipped.get(at)
        rows, columns = set(anchors.strong_rows), set(anchors.strong_columns)
        if anchors.inherited:
            return None
        if zipped is not None and zipped[0] == table:
            rows = {zipped[2]} if zipped[1] == "row" else rows
            columns = {zipped[2]} if zipped[1] == "column" else columns
        elif (beside := self._beside(at, anchors)) is not None:
            # "B (72.3)": the name right in front of the bracket is the one it belongs to.
            rows, columns = beside[0] or rows, beside[1] or columns
        elif len(levels) != 1:
            return None
        elif len(rows) > 1:
            # "A reaches 74.3 and beats B": the one name in front of the number is the one it belongs to.
            start = self.sentence.quantities[at].start
            rows = {row for row, where in zip(anchors.strong_rows, anchors.row_starts, strict=True) if where < start}
        if len(rows) != 1 or len(columns) != 1:
            return None
        row, column = next(iter(rows)), next(iter(columns))
        cell = found.at(row, column)
        if cell is None or cell.quantity is None or cell.row_span > 1 or cell.col_span > 1:
            return None
        return found.grid[row][column]

    def _beside(self, at: int, anchors: Anchors) -> tuple[set[int], set[int]] | None:
        """The row or the column whose name stands directly in front of a number in brackets."""
        text, start = self.sentence.text, self.sentence.quantities[at].start
        if text[max(0, start - 2) : start] != " (":
            return None
        name_end = start - 2
        word = text.rfind(" ", 0, name_end) + 1
        ends = {name_end, word - 1} if text[word:name_end] in _GENERIC else {name_end}
        rows = {row for row, end in zip(anchors.strong_rows, anchors.row_ends, strict=True) if end in ends}
        named = zip(anchors.strong_columns, anchors.column_ends, strict=True)
        columns = {column for column, end in named if end in ends}
        return (rows, columns) if rows or columns else None

    def _other_setting(self, named: Sequence[tuple[int, int]]) -> bool:
        """True when the sentence holds a word of another setting that the table does not show."""
        words = {token.word for token in self.tokens} & alignment_words().setting_words
        if not words:
            return False
        table = self.aligner.tables[named[0][0]]
        cell = table.cells[named[0][1]]
        shown = {
            token.word for text in (table.caption_text, *cell.row_path, *cell.column_path) for token in tokens_of(text)
        }
        return bool(words - shown)

    def _plausible_elsewhere(self, quantity: Quantity, table: int, named: Cell) -> bool:
        """True when the number stands in the same row or column, or has another scale than the cell."""
        for index in self._cells(table, quantity):
            cell = self.aligner.tables[table].cells[index]
            if cell.row == named.row or cell.column == named.column:
                return cell is not named
        if named.quantity is None or named.quantity.decimals < quantity.decimals:
            return True
        unit = unit_of(self.aligner.tables[table], named)
        return unit is None and quantity.unit is not None and not quantity.percent
