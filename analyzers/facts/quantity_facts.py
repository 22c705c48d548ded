"""The numbers of a block's prose, sentence by sentence, with the places where they stand in the source."""

from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quantities.model import Quantity
from analyzers.facts.references import references
from analyzers.facts.statements import Statement, numbers, statements
from analyzers.facts.view import block_fact_by_language, prose_of
from analyzers.text.document import Block
from analyzers.text.prose import PartKind, PieceKind, Prose


class Place(NamedTuple):
    """Where a number stands in the source, relative to its block.

    `macro` names the macro that the number is written through (then the range is its call); `editable` tells that the range
    is the literal itself, so that a fix may replace it.
    """

    start: int
    end: int
    macro: str | None
    editable: bool


class NumberedSentence(NamedTuple):
    """A sentence with its numbers (offsets into its text), their places, and the labels that it refers to.

    `start` and `end` are the sentence's range in the source of the block.
    """

    statement: Statement
    quantities: tuple[Quantity, ...]
    places: tuple[Place, ...]
    labels: frozenset[str]
    start: int
    end: int

    @property
    def text(self) -> str:
        """The sentence as prose."""
        return self.statement.text

    @property
    def caption(self) -> bool:
        """True for sentences of captions."""
        return self.statement.kind is PartKind.CAPTION


@block_fact_by_language
def quantities_of(block: Block, macros: Macros, language: str) -> tuple[NumberedSentence, ...]:
    """The sentences of a block that holds numbers (all of them, since names in one carry over to the next); none for other blocks."""
    if block.dead:
        return ()
    return _read(block, macros, language)


def _read(block: Block, macros: Macros, language: str) -> tuple[NumberedSentence, ...]:
    found = [(statement, numbers(block, macros, statement, language)) for statement in statements(block, macros)]
    if not any(quantities for _, quantities in found):
        return ()
    prose = prose_of(block, macros)
    uses = references(block, macros)
    made = []
    for statement, quantities in found:
        start, end = prose.source(statement.start, statement.end)
        labels = frozenset(use.key for use in uses if start <= use.start < end)
        places = tuple(
            _place(block, prose, statement.start + item.start, statement.start + item.end) for item in quantities
        )
        made.append(NumberedSentence(statement, quantities, places, labels, start, end))
    return tuple(made)


def _place(block: Block, prose: Prose, start: int, end: int) -> Place:
    source_start, source_end = prose.source(start, end)
    kinds = {prose.kind_at(start), prose.kind_at(max(end - 1, start))}
    if PieceKind.MACRO in kinds:
        text = block.text[source_start:source_end]
        name = ""
        if text.startswith("\\"):
            for character in text[1:]:
                if not (character.isascii() and (character.isalpha() or character == "@")):
                    break
                name += character
        return Place(source_start, source_end, name or None, False)
    plain = all(kind <= PieceKind.MATH for kind in kinds) and source_end - source_start == end - start
    return Place(source_start, source_end, None, plain)
