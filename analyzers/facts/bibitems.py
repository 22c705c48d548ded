"""Entries typeset by hand: the `\\bibitem`s of one block."""

from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.project.bibliography import typeset_items
from analyzers.text.document import Block


class BibItem(NamedTuple):
    """A `\\bibitem`; `start` and `end` are those of the key, relative to the block."""

    key: str
    start: int
    end: int


def bibitems(block: Block, macros: Macros) -> tuple[BibItem, ...]:
    """The `\\bibitem`s of a block."""
    return block.remember("bibitems", _bibitems)


def _bibitems(block: Block) -> tuple[BibItem, ...]:
    if "bibitem" not in block.text and "harvarditem" not in block.text:
        return ()
    return tuple(
        BibItem(item.key, item.key_start, item.key_end)
        for item in typeset_items(block.text)
        if not block.lexed.masked(item.key_start)
    )
