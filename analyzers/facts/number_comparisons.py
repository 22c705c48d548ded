"""Comparisons that prose makes without numbers, joined to the cells they are about: "best on all four data sets",
"higher latency than B", "three times faster than B".

A sentence counts only when it names one row (or two), and its table is referred to nearby; hedged and negated sentences
are left out.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from analyzers.facts.alignment import Evidence, Sentence
from analyzers.facts.alignment_sentence import SentenceAlignment
from analyzers.facts.alignment_terms import TermIndex, speaks_of_ours, tokens_of
from analyzers.facts.number_links import NumberLinks, section_labels
from analyzers.facts.quantities.model import Kind
from analyzers.facts.quantity_facts import quantities_of
from analyzers.facts.references import references
from analyzers.facts.statements import Statement, statements
from analyzers.facts.tables.model import Cell, Direction, Heading, Orientation, Role, Table
from analyzers.facts.view import macro_key, prose_of
from analyzers.facts.vocabulary import Gate, prose_words
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_COMPARATIVE = re.compile(
    r"\b(?P<word>higher|larger|greater|lower|smaller|faster|slower|better|worse|shorter|longer|more accurate|less accurate)\b(?P<between>[^.;:]{0,60}?)\bthan\b|"
    r"\b(?P<verb>outperforms?|outperformed|surpasses|surpassed|beats|underperforms?)\b",
    re.IGNORECASE,
)
# A piece of each way to match.
_COMPARING = Gate(("than", "outperform", "surpass", "beats", "underperform"))
HEDGE = re.compile(
    r"\b(?:not|no|never|nor|almost|nearly|most|mostly|except|but|although|though|while|whereas|comparable|competitive|cannot|hardly|if|when|would|could|may|might|should|expect\w*|hypothes\w*|aim|goal|whether|among|some|few|prior|previous|without|only|despite|however|unless|second)\b",
    re.IGNORECASE,
)
_BEFORE = 3
NEAR = Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH


class Spoken(NamedTuple):
    """A sentence at its place, with what it says of each table that it may be about."""

    entry: int
    statement: Statement
    start: int  # in the block's source
    end: int
    alignment: SentenceAlignment

    def span(self, manuscript: Manuscript, start: int = 0, end: int | None = None) -> Span:
        """A range of the sentence (offsets into its text) as a place in the file."""
        entry = manuscript.entries[self.entry]
        prose = prose_of(entry.block, manuscript.macros)
        stop = len(self.statement.text) if end is None else end
        return entry.span(*prose.source(self.statement.start + start, self.statement.start + stop))


class Comparative(NamedTuple):
    """ "A has a higher latency than B", which the two cells refute."""

    spoken: Spoken
    start: int
    end: int
    table: int
    first: Cell
    second: Cell
    column: Heading
    word: str


def cues(block: Block, manuscript: Manuscript, pattern: re.Pattern[str], gate: Gate, name: str) -> tuple[int, ...]:
    """The numbers of the sentences of a block that hold a cue; most blocks have none, as `gate` tells from their words."""

    def find(_: Block) -> tuple[int, ...]:
        pieces = gate.pieces(prose_words(block, manuscript.macros))
        if not pieces:
            return ()
        return tuple(
            number for number, statement in enumerate(statements(block, manuscript.macros))
            if statement.kind is not PartKind.CAPTION and _holds(statement.text.lower(), pieces) and pattern.search(statement.text)
        )  # fmt: skip

    return block.remember((name, macro_key(block, manuscript.macros)), find)


def _holds(text: str, pieces: Iterable[str]) -> bool:
    return any(piece in text for piece in pieces)


def spoken(
    manuscript: Manuscript, links: NumberLinks, pattern: re.Pattern[str], gate: Gate, name: str
) -> Iterator[Spoken]:
    """Every sentence with a cue, aligned with the tables; kept with its block like the links of its numbers."""
    if not links.tables:
        return
    labels = section_labels(manuscript)
    for index, entry in manuscript.body:
        numbers = cues(entry.block, manuscript, pattern, gate, name)
        if not numbers:
            continue
        section = labels.get(entry.section, frozenset()) & links.aligner.prepared.by_label.keys()
        key = (macro_key(entry.block, manuscript.macros), manuscript.language, section)
        known = entry.block.memo.get(("aligned", name))
        if known is None or known[0] is not links.aligner or known[1] != key:
            made = tuple(_aligned(manuscript, links, entry, number, section) for number in numbers)
            known = entry.block.memo["aligned", name] = (links.aligner, key, made)
        for statement, start, end, alignment in known[2]:
            yield Spoken(index, statement, start, end, alignment)


def _aligned(
    manuscript: Manuscript, links: NumberLinks, entry: Entry, number: int, section: frozenset[str]
) -> tuple[Statement, int, int, SentenceAlignment]:
    found = statements(entry.block, manuscript.macros)
    prose = prose_of(entry.block, manuscript.macros)
    uses = references(entry.block, manuscript.macros)
    numbered = {
        item.statement.start: item for item in quantities_of(entry.block, manuscript.macros, manuscript.language)
    }
    paragraph = frozenset(use.key for use in uses)

    def sentence(statement: Statement) -> Sentence:
        start, end = prose.source(statement.start, statement.end)
        quantities = numbered[statement.start].quantities if statement.start in numbered else ()
        keys = frozenset(use.key for use in uses if start <= use.start < end)
        return Sentence(statement.text, quantities, 0, keys, paragraph, section)

    statement = found[number]
    before = [sentence(other) for other in found[max(0, number - _BEFORE) : number] if other.kind is statement.kind]
    start, end = prose.source(statement.start, statement.end)
    return statement, start, end, SentenceAlignment(links.aligner.prepared, 0, sentence(statement), before)


_SPLITS = frozenset(
    "validation training train dev development few-shot zero-shot one-shot 5-shot subset pilot pretrained fine-tuned finetuned cross-validation fold worst-case".split()
)


def other_setting(item: Spoken, table: Table) -> bool:
    """True when the sentence holds a word of another setting (a split, a share of the data) that the table does not show."""
    words = {token.word for token in tokens_of(item.statement.text)} & _SPLITS
    if not words:
        return False
    paths = (part for heading in (*table.rows, *table.columns) for part in heading.path)
    shown = {token.word for text in (table.caption_text, table.outer_caption, *paths) for token in tokens_of(text)}
    return bool(words - shown)


def own_row(terms: TermIndex, item: Spoken, table: int, before: int) -> int | None:
    """The one row that the sentence is about."""
    anchors = item.alignment.anchors[table]
    rows = {row for row, start in zip(anchors.strong_rows, anchors.row_starts, strict=False) if start < before}
    if len(rows) == 1:
        return rows.pop()
    if rows:
        return None
    if anchors.inherited:
        subject = subject_before(terms, item, table)
        if subject is None and speaks_of_ours(tokens_of(item.statement.text)):
            return terms.ours.get(table)
        return subject
    if len(set(anchors.rows)) == 1 and not anchors.strong_rows:
        return anchors.rows[0]
    if speaks_of_ours(tokens_of(item.statement.text)):
        return terms.ours.get(table)
    return None


def subject_before(terms: TermIndex, item: Spoken, table: int) -> int | None:
    """ "It obtains the best": the first row that the sentence before names, which is its subject more often than the last one."""
    for earlier in reversed(item.alignment.before):
        for hit in terms.find(tokens_of(earlier.text)):
            rows = [target.place for target in hit.targets.get(table, ()) if target.axis == "row" and not target.weak]
            if len(rows) == 1:
                return rows[0]
        if speaks_of_ours(tokens_of(earlier.text)) and table in terms.ours:
            return terms.ours[table]
    return None


_COMPARATIVES: WeakKeyDictionary[NumberLinks, tuple[Comparative, ...]] = WeakKeyDictionary()


def comparatives(manuscript: Manuscript, links: NumberLinks) -> tuple[Comparative, ...]:
    """The comparatives that the two cells of their column refute; found once, since two checks share them."""
    known = _COMPARATIVES.get(links)
    if known is None:
        known = _COMPARATIVES[links] = tuple(_comparatives(manuscript, links))
    return known


def _comparatives(manuscript: Manuscript, links: NumberLinks) -> Iterator[Comparative]:
    for item in spoken(manuscript, links, _COMPARATIVE, _COMPARING, "comparatives"):
        matches = list(_COMPARATIVE.finditer(item.statement.text))
        if len(matches) != 1:
            continue
        match = matches[0]
        if HEDGE.search(item.statement.text[max(0, match.start() - 80) : match.end() + 60]):
            continue
        found = _refuted_comparative(links, item, match)
        if found is not None:
            yield found


def _refuted_comparative(links: NumberLinks, item: Spoken, match: re.Match[str]) -> Comparative | None:
    word = (match["word"] or match["verb"]).lower()
    refuted: Comparative | None = None
    for table, evidence in item.alignment.candidates.items():
        found = links.tables[table].table
        if (not evidence.reference and len(item.alignment.candidates) > 2) or found.orientation is not Orientation.ROWS:
            continue
        if other_setting(item, found):
            continue
        rows = _two_rows(links.aligner.prepared.terms, item, table, match)
        anchors = item.alignment.anchors[table]
        columns = set(anchors.strong_columns) or set(anchors.columns)
        if rows is None or len(columns) != 1:
            continue
        column = found.columns[columns.pop()]
        first, second = found.at(rows[0], column.index), found.at(rows[1], column.index)
        if first is None or second is None or first.quantity is None or second.quantity is None:
            continue
        sign = _sign(word, match["between"] or "", column)
        if sign == 0 or first.quantity.decimals != second.quantity.decimals:
            continue
        gap = first.quantity.value - second.quantity.value
        if gap * sign > 0:
            return None  # another table may say otherwise, but this one agrees
        if gap * sign < 0:
            refuted = refuted or Comparative(item, match.start(), match.end(), table, first, second, column, word)
    return refuted


def _two_rows(terms: TermIndex, item: Spoken, table: int, match: re.Match[str]) -> tuple[int, int] | None:
    """The row in front of the comparing word and the one behind it."""
    anchors = item.alignment.anchors[table]
    placed = list(zip(anchors.strong_rows, anchors.row_starts, strict=False))
    before = list(dict.fromkeys(row for row, start in placed if start < match.start()))
    after = list(dict.fromkeys(row for row, start in placed if start >= match.start()))
    if not before and speaks_of_ours(tokens_of(item.statement.text[: match.start()])):
        before = [terms.ours[table]] if table in terms.ours else []
    if not before and anchors.inherited:
        subject = subject_before(terms, item, table)
        before = [subject] if subject is not None else []
    if len(before) != 1 or len(after) != 1 or before == after:
        return None
    return before[0], after[0]


def _sign(word: str, between: str, column: Heading) -> int:
    """1 when the word says that the first value is larger, -1 when smaller, 0 when the column does not tell."""
    better = 1 if column.direction is Direction.HIGHER else -1 if column.direction is Direction.LOWER else 0
    if word in ("higher", "larger", "greater", "longer"):
        return 1
    if word in ("lower", "smaller", "shorter"):
        return -1
    if word in ("faster", "slower"):
        timed = column.unit is not None and column.unit.dimension == "time"
        rated = column.unit is not None and column.unit.symbol.endswith("/s")
        sign = -1 if timed else 1 if rated else 0
        return sign if word == "faster" else -sign
    if column.role not in (Role.METRIC, Role.AVG) or "time" in between:
        return 0
    return -better if word in ("worse", "less accurate", "underperform", "underperforms") else better


def states_factor(item: Comparative) -> bool:
    """True for "3x faster": a comparison of speed with its factor."""
    if item.word not in ("faster", "slower"):
        return False
    return any(
        quantity.kind is Kind.RATIO and abs(item.start - quantity.end) < 30
        for quantity in item.spoken.alignment.sentence.quantities
    )


_CONDITION = re.compile(
    r"\b(?:when|if|whenever|once|after|before|without|removing|removed|only|half|quarter|fewer|less data|drops?|dropped|falls?|fell|decreas\w*|increas\w*|degrad\w*|declin\w*|instead of"
    r"|would|could|might|expect\w*|report(?:s|ed) (?:by|in)|earlier|previous\w*|prior|originally|initially)\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"\b(?:when|if|whenever|half|quarter|fewer|would|could|might|expect\w*|up to|at least|at most|previous\w*|prior)\b",
    re.IGNORECASE,
)


_REMOVED = re.compile(
    r"\b(?:when|if)\b[^,;.]{0,60}?\b(?:removed|removing|disabled?|disabling|drop|dropped|dropping|omit|omitted|ablated?|exclud\w+|left out|leave out|turn(?:ed)? off|switch(?:ed)? off|without|missing|absent|remove)\b",
    re.IGNORECASE,
)


def conditional(text: str, difference: bool = False) -> bool:
    """True when a sentence speaks of a condition that the table need not show; a difference may be that of an ablation."""
    if not difference:
        return _CONDITION.search(text) is not None
    # "When X is removed" is what the rows of an ablation are about.
    return _PARTIAL.search(_REMOVED.sub(" ", text)) is not None
