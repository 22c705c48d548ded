"""The words of a block as a set, and telling from it which of many phrases may occur: cheaper than looking for each of them.

Checks that look for dozens of phrases would otherwise read every block dozens of times.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block

_WORD = re.compile(r"\w+")
_MOST_WORDS = 50_000
_NOTHING: frozenset[str] = frozenset()


def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def source_words(block: Block) -> frozenset[str]:
    """The words of a block's source in lower case, those of commands and comments as well."""
    return block.remember("source words", lambda b: words_in(b.text))


@block_fact
def prose_words(block: Block, macros: Macros) -> frozenset[str]:
    """The words of a block's prose in lower case."""
    return words_in(prose_of(block, macros).text)


def longest_word(phrase: str) -> str:
    """The longest run of letters of a phrase; wherever the phrase stands, it is part of a word."""
    return max(_WORD.findall(phrase), key=len, default="")


class Gate:
    """Pieces of words that are looked for in many sets of words.  What a word holds is found out once."""

    __slots__ = ("_known", "_pieces")

    def __init__(self, pieces: Iterable[str]) -> None:
        """`pieces` are parts of single words in lower case."""
        self._pieces = tuple(dict.fromkeys(pieces))
        self._known = _Known(set(), set(), {})

    def pieces(self, words: frozenset[str]) -> frozenset[str]:
        """Those that are part of some of the words."""
        known = self._learned(words)
        held = words & known.held
        return frozenset([piece for word in held for piece in known.pieces[word]]) if held else _NOTHING

    def opens(self, words: frozenset[str]) -> bool:
        """True when some piece is part of some word."""
        return not words.isdisjoint(self._learned(words).held)

    def _learned(self, words: frozenset[str]) -> "_Known":
        """What is known of words, `words` among them."""
        known = self._known
        if words <= known.seen:
            return known
        if len(known.seen) > _MOST_WORDS:
            # A new pair instead of emptied ones, which another thread may be reading.
            known = self._known = _Known(set(), set(), {})
        new = words - known.seen
        # One look at all new words at once: hardly any of them holds a piece.
        joined = "\n".join(new)
        for piece in self._pieces:
            if piece in joined:
                for word in new:
                    if piece in word:
                        held = known.pieces.get(word, ())
                        known.pieces[word] = held if piece in held else (*held, piece)
                        known.held.add(word)
        # Entered last, so that another thread never trusts a word that is not yet known in full.
        known.seen.update(new)
        return known


class _Known(NamedTuple):
    """The words that were seen, those that hold pieces, and which."""

    seen: set[str]
    held: set[str]
    pieces: dict[str, tuple[str, ...]]
