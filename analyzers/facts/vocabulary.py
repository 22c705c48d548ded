"""The words of a block as a set, and telling from it which of many phrases may occur: cheaper than looking for each of them.

Checks that look for dozens of phrases would otherwise read every block dozens of times.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import count
from typing import NamedTuple
from weakref import WeakSet

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block
from analyzers.text.words import split_words

_WORD = re.compile(r"\w+")
_MOST_WORDS = 50_000
_NOTHING: frozenset[str] = frozenset()


class Words(frozenset[str]):
    """A set of words, which remembers what gates found in it."""

    __slots__ = ("_kept",)

    _kept: tuple[int, Mapping[int, frozenset[str]]]  # one value, so that threads never see halves of two

    def found(self) -> Mapping[int, frozenset[str]]:
        """For each gate (by its number) that some word opens: the pieces that are part of some word."""
        kept = getattr(self, "_kept", None)  # unset until it is asked for the first time
        if kept is None or kept[0] != _SHARED.generation:
            kept = self._kept = _SHARED.found(self)
        return kept[1]


def words_in(text: str) -> Words:
    """The words of a text in lower case."""
    return Words(split_words(text.lower()))


def source_words(block: Block) -> Words:
    """The words of a block's source in lower case, those of commands and comments as well."""
    return block.remember("source words", lambda b: words_in(b.text))


@block_fact
def prose_words(block: Block, macros: Macros) -> Words:
    """The words of a block's prose in lower case."""
    return words_in(prose_of(block, macros).text)


def longest_word(phrase: str) -> str:
    """The longest run of letters of a phrase; wherever the phrase stands, it is part of a word."""
    return max(_WORD.findall(phrase), key=len, default="")


class Gate:
    """Pieces of words that are looked for in many sets of words.

    All gates look at a word together, once; what it holds is remembered.
    """

    __slots__ = ("__weakref__", "number", "pieces_looked_for")

    def __init__(self, pieces: Iterable[str]) -> None:
        """`pieces` are parts of single words in lower case."""
        self.pieces_looked_for = tuple(dict.fromkeys(pieces))
        self.number = _SHARED.enter(self)

    def pieces(self, words: frozenset[str]) -> frozenset[str]:
        """Those that are part of some of the words."""
        known = words if isinstance(words, Words) else Words(words)
        return known.found().get(self.number, _NOTHING)

    def opens(self, words: frozenset[str]) -> bool:
        """True when some piece is part of some word."""
        known = words if isinstance(words, Words) else Words(words)
        return self.number in known.found()


_Entry = tuple[int, str]
_LETTERS = 3


class _Known(NamedTuple):
    """The words that were seen, those that hold pieces, and which, by the number of the gate."""

    generation: int
    seen: set[str]
    held: set[str]
    pieces: dict[str, tuple[tuple[int, str], ...]]


class _Shared:
    """What all gates know of words.  A new gate begins a new generation, since it knows nothing of the words before it."""

    def __init__(self) -> None:
        self._gates: WeakSet[Gate] = WeakSet()
        self._numbers = count()
        self._known = _Known(0, set(), set(), {})
        self._begins: tuple[dict[str, list[_Entry]], tuple[list[_Entry], list[_Entry]]] | None = None
        self.generation = 0

    def enter(self, gate: Gate) -> int:
        self._gates.add(gate)
        self._begins = None
        self._known = _Known(self.generation + 1, set(), set(), {})
        self.generation += 1
        return next(self._numbers)

    def found(self, words: frozenset[str]) -> tuple[int, Mapping[int, frozenset[str]]]:
        """The generation, and for each gate that some word opens the pieces that are part of some word."""
        known = self._learned(words)
        found: dict[int, set[str]] = {}
        for word in words & known.held:
            for number, piece in known.pieces[word]:
                found.setdefault(number, set()).add(piece)
        return known.generation, {number: frozenset(pieces) for number, pieces in found.items()}

    def _learned(self, words: frozenset[str]) -> _Known:
        """What is known of words, `words` among them."""
        known = self._known
        if words <= known.seen:
            return known
        if len(known.seen) > _MOST_WORDS:
            # A new set instead of an emptied one, which another thread may be reading.
            known = self._known = _Known(known.generation, set(), set(), {})
        new = words - known.seen
        begins, short = self._by_beginning()
        for word in new:
            # Nearly all of the short ones are Chinese, Japanese or Korean.
            held = [entry for entry in short[word.isascii()] if entry[1] in word]
            for at in range(len(word) - _LETTERS + 1):
                if may := begins.get(word[at : at + _LETTERS]):
                    held += [entry for entry in may if word.startswith(entry[1], at)]
            if held:
                known.pieces[word] = tuple(dict.fromkeys(held))
                known.held.add(word)
        # Entered last, so that another thread never trusts a word that is not yet known in full.
        known.seen.update(new)
        return known

    def _by_beginning(self) -> tuple[Mapping[str, list[_Entry]], tuple[list[_Entry], list[_Entry]]]:
        """The pieces of all gates by their first letters, since hardly any word holds one; those too short for it, all and in ASCII."""
        known = self._begins
        if known is None:
            begins: dict[str, list[_Entry]] = {}
            short: list[_Entry] = []
            for gate in tuple(self._gates):
                for piece in gate.pieces_looked_for:
                    entry = (gate.number, piece)
                    if len(piece) < _LETTERS:
                        short.append(entry)
                    else:
                        begins.setdefault(piece[:_LETTERS], []).append(entry)
            known = self._begins = begins, (short, [entry for entry in short if entry[1].isascii()])
        return known


_SHARED = _Shared()
