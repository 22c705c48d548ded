"""Openings: which expressions can begin at a word, told from the letters that they begin with.

Expressions begin at a word boundary, so a word that begins with none of their openings needs no attempt at a match.
"""

import re
from collections.abc import Iterable

_MOST_LETTERS = 6
REACH = 3  # how much behind the first word counts: what is between the words, and two letters
_MOST_WORDS = 50_000
_QUANTIFIER = re.compile(r"[?*+]|\{(\d+)(?:,\d*)?\}")


class Openings:
    """The kinds (bits of an integer) whose expressions may begin with a word.

    `known` and `known_further` remember the answers by word, and by word with what follows it.
    """

    __slots__ = ("_further", "_kinds", "known", "known_further")

    def __init__(self, kinds: Iterable[tuple[int, Iterable[str]]]) -> None:
        self._kinds: dict[str, int] = {}
        self._further: dict[str, int] = {}
        self.known: dict[str, int] = {}
        self.known_further: dict[str, int] = {}
        for kind, expressions in kinds:
            for expression in expressions:
                for opening in openings(expression, REACH):
                    first = opening[: opening.find(" ") + 1] or opening
                    self._kinds[first] = self._kinds.get(first, 0) | kind
                    self._further[opening] = self._further.get(opening, 0) | kind

    def of(self, word: str) -> int:
        """The kinds that may begin at a word; the word has to be whole."""
        if len(self.known) >= _MOST_WORDS:
            self.known.clear()
        # What follows a word is no letter; the blank stands for it, so that "we " does not open "well".
        marked = word + " "
        kinds = 0
        for length in range(min(len(marked), _MOST_LETTERS) + 1):
            kinds |= self._kinds.get(marked[:length], 0)
        self.known[word] = kinds
        return kinds

    def further(self, text: str) -> int:
        """The kinds that may begin at a word and the characters behind it, at most `REACH`: “the” begins most kinds."""
        if len(self.known_further) >= _MOST_WORDS:
            self.known_further.clear()
        marked = text if text.isalnum() else "".join([c if c.isalnum() or c == "_" else " " for c in text])
        kinds = 0
        for length in range(len(marked) + 1):
            kinds |= self._further.get(marked[:length], 0)
        self.known_further[text] = kinds
        return kinds


def openings(expression: str, reach: int = 1) -> frozenset[str]:
    """The strings, of at most six letters and of `reach` behind the first word, with which any match of `expression` begins.

    A blank stands for whatever is no letter.  The empty string says that nothing is known: a match may begin with anything.
    Reads letters, sets, groups, choices and quantifiers; everything else ends what is known.
    """
    return frozenset(text for text, _ in _choice(expression, 0, reach)[0])


# Beginnings with a flag: True while what follows still belongs to the beginning, False when it is closed.
_Begun = set[tuple[str, bool]]


def _choice(text: str, position: int, reach: int) -> tuple[_Begun, int]:
    """The beginnings of a choice up to its closing bracket or the end, and where that is."""
    found: _Begun = set()
    while True:
        begun, position = _sequence(text, position, reach)
        found |= begun
        if position >= len(text) or text[position] != "|":
            return found, position
        position += 1


def _sequence(text: str, position: int, reach: int) -> tuple[_Begun, int]:
    begun: _Begun = {("", True)}
    while position < len(text) and text[position] not in "|)":
        item, position = _item(text, position, reach)
        quantifier = _QUANTIFIER.match(text, position)
        if quantifier is not None:
            position = quantifier.end() + text.startswith("?", quantifier.end())
            sign = quantifier[0]
            if sign != "?":
                # Repeated: how often is not known, so what is known ends with the first time.
                item = {(letters, False) for letters, _ in item}
            if sign in ("?", "*") or quantifier[1] == "0":
                item = item | {("", True)}
        begun = {
            joined
            for letters, more in begun
            for joined in ([_joined(letters, other, on, reach) for other, on in item] if more else [(letters, False)])
        }
    return begun, position


def _joined(letters: str, other: str, more: bool, reach: int) -> tuple[str, bool]:
    """Two beginnings in a row; `reach` characters behind the first word count."""
    whole = letters + other
    blank = whole.find(" ")
    if 0 <= blank < _MOST_LETTERS:
        return whole[: blank + reach], more and len(whole) < blank + reach
    return whole[:_MOST_LETTERS], more and len(whole) < _MOST_LETTERS


def _item(text: str, position: int, reach: int) -> tuple[_Begun, int]:
    """One letter, set or group, and where it ends."""
    character = text[position]
    if character == "(":
        if not text.startswith("(?:", position):
            return {("", False)}, _closing(text, position)
        found, end = _choice(text, position + 3, reach)
        return found, end + 1
    if character == "[":
        end = text.index("]", position + 2)
        inner = text[position + 1 : end]
        plain = "\\" not in inner and inner[0] != "^" and "-" not in inner[1:-1]
        return ({(_letter(one), True) for one in inner} if plain else {("", False)}), end + 1
    if character == "\\":
        escaped = text[position + 1 : position + 2]
        if escaped == "b":
            return {("", True)}, position + 2
        return {("", False) if escaped.isalnum() else (" ", True)}, position + 2
    if character in ".^$":
        return {("", False)}, position + 1
    return {(_letter(character), True)}, position + 1


def _letter(character: str) -> str:
    return character if character.isalnum() or character == "_" else " "


def _closing(text: str, position: int) -> int:
    """Behind the bracket that closes the one at `position`."""
    depth = 0
    while position < len(text):
        if text[position] == "\\":
            position += 2
            continue
        depth += (text[position] == "(") - (text[position] == ")")
        position += 1
        if not depth:
            break
    return position
