"""The names by which prose calls rows and columns of tables, and finding them in sentences.

A term is a header or label text as words; terms of all tables stand in one index, so a sentence is read once however
many tables there are.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzers.facts.tables.model import Heading, Orientation, Role, Table

_TOKEN = re.compile(r"w/o|[^\W_]+(?:[-.+@/'’][^\W_]+)*|[\u4e00-\u9fff]")
_BRACKETS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
_MARKS = re.compile(r"[*†‡§↑↓∗⋆\ue000-\ue003]")
_LONGEST = 12
_STEM = re.compile(r"[^\W\d_]{4,}(?=[-_ ]?v?\d|-)")
_OURS_MARK = re.compile(r"(?<![\w-])ours(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AlignmentWords:
    """Word lists of `data/headers.json` that alignment needs."""

    synonyms: dict[str, str]
    setting_words: frozenset[str]
    common_words: frozenset[str]
    ours_words: tuple[tuple[str, ...], ...]
    ablation_words: frozenset[str]
    respectively: frozenset[str]


@lru_cache(maxsize=1)
def alignment_words() -> AlignmentWords:
    """The word lists, read once."""
    data = json.loads(files("analyzers.facts.data").joinpath("headers.json").read_text("utf-8"))
    ours = tuple(tuple(_TOKEN.findall(phrase)) for phrase in data["ours_words"])
    return AlignmentWords(
        dict(data["synonyms"]),
        frozenset(data["setting_words"]),
        frozenset(data["common_words"]),
        ours,
        frozenset(data["ablation_words"]),
        frozenset(data["respectively"]),
    )


class Token(NamedTuple):
    """A word of a sentence in its canonical form, with its place in the text."""

    word: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a text in lower case; synonyms of the field (acc, accuracy) become one word.

    Kept for a while: a sentence is read for itself and again for each of those behind it.
    """
    canonical = alignment_words().synonyms.get
    lower = text.lower()
    possessive = "'s" in lower or "’s" in lower
    made = Token._make  # without the call that names the fields: a paper has ten thousands of words
    found = []
    for match in _TOKEN.finditer(lower if len(lower) == len(text) else text):
        word = match[0]
        if possessive and word.endswith(("'s", "’s")):
            word = word[:-2]
        start, end = match.span()
        found.append(made((canonical(word, word), start, end)))
    return tuple(found)


@lru_cache(maxsize=20_000)
def words_of(text: str) -> tuple[str, ...]:
    """The canonical words of a header text, without marks and what stands in brackets."""
    return tuple(token.word for token in tokens_of(_MARKS.sub(" ", _BRACKETS.sub(" ", text))))


class Target(NamedTuple):
    """What a term names: a row or a column of a table; `weak` terms alone are no evidence of the place."""

    table: int
    axis: str
    place: int
    weak: bool


class Hit(NamedTuple):
    """A term found in a sentence, from code point `start` to `end`, with what it names in each table."""

    start: int
    end: int
    targets: Mapping[int, Mapping[Target, None]]


@dataclass(slots=True)
class TermIndex:
    """Terms of all tables; `ours` is the authors' own row of a table, `own_columns` their own column where methods are columns,
    `references` the row that variants are compared with.
    """

    entries: dict[tuple[str, ...], dict[int, dict[Target, None]]] = field(default_factory=dict)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    ours: dict[int, int] = field(default_factory=dict)
    own_columns: dict[int, int] = field(default_factory=dict)
    references: dict[int, int] = field(default_factory=dict)

    def add(self, words: tuple[str, ...], target: Target) -> None:
        """Let `words` name a row or column."""
        if not words or len(words) > _LONGEST or not any(character.isalpha() for character in words[0] + words[-1]):
            return
        self.entries.setdefault(words, {}).setdefault(target.table, {})[target] = None
        lengths = self.lengths.setdefault(words[0], [])
        if len(words) not in lengths:
            lengths.append(len(words))
            lengths.sort(reverse=True)

    def find(self, tokens: Sequence[Token]) -> list[Hit]:
        """All terms in a sentence; a longer term hides the shorter ones inside it."""
        words = tuple([token.word for token in tokens])
        hits: list[Hit] = []
        known, entries = self.lengths, self.entries
        after = 0
        for position, word in enumerate(words):
            if word not in known or position < after:
                continue
            for length in known[word]:
                targets = entries.get(words[position : position + length])
                if targets is not None and position + length <= len(words):
                    after = position + length
                    hits.append(Hit(tokens[position].start, tokens[after - 1].end, targets))
                    break
        return hits


def term_index(
    tables: Sequence[Table],
    aliases: Mapping[str, Iterable[str]] | None = None,
    acronyms: Mapping[str, Iterable[str]] | None = None,
) -> TermIndex:
    """The terms of all readable tables.

    `aliases` maps a name of the authors' own method as tables write it to further names of the same thing ("TideFix":
    ["our router", "BR"]); `acronyms` maps short forms to long ones ("WER": ["word error rate"]).
    """
    index = TermIndex()
    own = {words_of(name): [words_of(other) for other in others] for name, others in (aliases or {}).items()}
    more = {words_of(name): [words_of(other) for other in others] for name, others in (acronyms or {}).items()} | own
    for number, table in enumerate(tables):
        if table.problem is None:
            _add_rows(index, number, table, more, own)
            _add_columns(index, number, table, more)
            own_column = _own_column(table, own)
            if own_column is not None:
                index.own_columns[number] = own_column
    return index


def _add_rows(
    index: TermIndex,
    number: int,
    table: Table,
    more: Mapping[tuple[str, ...], list[tuple[str, ...]]],
    own: Mapping[tuple[str, ...], list[tuple[str, ...]]],
) -> None:
    words = alignment_words()
    body = [row for row in table.rows if not row.header and row.path]
    for row in body:
        for depth, text in enumerate(reversed(row.path)):
            if _OURS_MARK.search(text) is not None:
                index.ours.setdefault(number, row.index)
            term = words_of(text)
            target = Target(number, "row", row.index, weak=depth > 0 and len(row.path) > 1)
            _add(index, term, target, more)
            stripped = _without_ablation(term, words.ablation_words)
            if stripped != term:
                _add(index, stripped, target, more)
    averages = [row for row in body if row.role is Role.AVG]
    if len(averages) == 1 and not any(column.role is Role.AVG for column in table.columns):
        # "With a mean of 57.0, A is ahead of B": too common a word to stand against a row that is named.
        index.add(("average",), Target(number, "row", averages[0].index, weak=True))
    _add_stems(index, number, body)
    if body and number not in index.ours:
        named = [row for row in body if any(words_of(text) in own for text in row.path)]
        if len(named) == 1:
            index.ours[number] = named[0].index
    if body:
        index.references[number] = index.ours.get(number, body[0].index)


def _add_stems(index: TermIndex, number: int, body: Sequence[Heading]) -> None:
    """ "Llama" for the only row of a table that is a Llama-something; too weak to refute, good enough as one of two."""
    stems: dict[str, list[int]] = {}
    for row in body:
        match = _STEM.match(row.path[-1].lower())
        if match is not None and match[0] not in alignment_words().common_words:
            stems.setdefault(match[0], []).append(row.index)
    for stem, rows in stems.items():
        if len(rows) == 1:
            index.add((stem,), Target(number, "row", rows[0], weak=True))


def _own_column(table: Table, own: Mapping[tuple[str, ...], list[tuple[str, ...]]]) -> int | None:
    """The one column of numbers that is headed by the authors' own method."""
    named = [
        column.index for column in table.columns
        if column.index >= table.label_columns and column.role in (Role.METRIC, Role.UNKNOWN) and column.path
        and (_OURS_MARK.search(column.path[-1]) is not None or words_of(column.path[-1]) in own)
    ]  # fmt: skip
    return named[0] if len(named) == 1 else None


def _without_ablation(term: tuple[str, ...], ablation: frozenset[str]) -> tuple[str, ...]:
    while len(term) > 1 and term[0] in ablation:
        term = term[1:]
    if len(term) > 1 and term[0] in ("the", "our"):
        term = term[1:]
    return term


def _add_columns(
    index: TermIndex, number: int, table: Table, more: Mapping[tuple[str, ...], list[tuple[str, ...]]]
) -> None:
    for column in table.columns:
        if column.index < table.label_columns:
            continue
        for depth, text in enumerate(reversed(column.path)):
            _add(index, words_of(text), Target(number, "column", column.index, weak=depth > 0), more)
        if column.metric is not None:
            own = any(column.metric in text.lower() for text in column.path[-1:])
            _add(index, words_of(column.metric), Target(number, "column", column.index, weak=not own), more)
        if column.role is Role.AVG:
            index.add(("average",), Target(number, "column", column.index, weak=False))
    if table.orientation is Orientation.COLUMNS:
        for row in table.rows:
            if row.metric is not None and not row.header:
                index.add(words_of(row.metric), Target(number, "row", row.index, weak=False))


def _add(
    index: TermIndex, term: tuple[str, ...], target: Target, more: Mapping[tuple[str, ...], list[tuple[str, ...]]]
) -> None:
    if not term or (len(term) == 1 and (term[0] in alignment_words().common_words or len(term[0]) < 2)):
        return
    index.add(term, target)
    for other in more.get(term, ()):
        if other and not (len(other) == 1 and other[0] in alignment_words().common_words):
            index.add(other, target)


def speaks_of_ours(tokens: Sequence[Token]) -> bool:
    """True when a sentence names the authors' own method by a pronoun or a phrase ("our method", "we")."""
    words = [token.word for token in tokens]
    present = set(words)
    for phrase in alignment_words().ours_words:
        if phrase[0] not in present:
            continue
        length = len(phrase)
        if length == 1 or any(tuple(words[at : at + length]) == phrase for at in range(len(words) - length + 1)):
            return True
    return False
