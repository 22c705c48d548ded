"""Sentences as text with the numbers they hold: what one-sentence checks read.

Numbers are read per sentence and only when somebody asks, since most sentences are ruled out by a plain look for a word.
"""

from collections.abc import Iterable
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quantities import Quantity, number_words, quantities
from analyzers.facts.view import block_fact, facts_of, prose_of, sentences_of
from analyzers.facts.vocabulary import prose_words
from analyzers.text.document import Block
from analyzers.text.prose import PartKind, PieceKind, Prose

_LONGEST = 3_000  # what is longer is a list or data, and no check of sentences has to cope with it


class Statement(NamedTuple):
    """A sentence: its text, where it starts in the prose of its block, and the kind of part it stands in."""

    text: str
    start: int
    kind: PartKind

    @property
    def end(self) -> int:
        """Where it ends in the prose of its block."""
        return self.start + len(self.text)


@block_fact
def statements(block: Block, macros: Macros) -> tuple[Statement, ...]:
    """The sentences of a block with their text; headings and what is too long for a sentence are left out."""
    return tuple(_read(block, macros))


def _read(block: Block, macros: Macros) -> Iterable[Statement]:
    text = prose_of(block, macros).text
    for sentence in sentences_of(block, macros):
        if sentence.kind not in (PartKind.HEADING, PartKind.TITLE) and sentence.end - sentence.start <= _LONGEST:
            yield Statement(text[sentence.start : sentence.end], sentence.start, sentence.kind)


def numbers(block: Block, macros: Macros, statement: Statement, language: str = "en") -> tuple[Quantity, ...]:
    """The quantities of one sentence, with offsets into its text; read once per sentence."""
    facts = facts_of(block, macros)
    key = ("numbers", language, statement.start)
    found: tuple[Quantity, ...] | None = facts.get(key)
    if found is None:
        spelled = not number_words(language).isdisjoint(prose_words(block, macros))
        found = facts[key] = quantities(statement.text, language, spelled)
    return found


def editable(prose: Prose, start: int, end: int) -> bool:
    """True when a range of the prose is plain source text, so that a fix may replace it there."""
    if start >= end or not all(prose.kind_at(at) <= PieceKind.MATH for at in (start, end - 1)):
        return False
    source_start, source_end = prose.source(start, end)
    return source_end - source_start == end - start
