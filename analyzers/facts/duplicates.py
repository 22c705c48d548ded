"""Sentences as they are compared with one another: plain words, a key for equality and keys for likely near-equality."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.statements import statements
from analyzers.facts.view import block_fact
from analyzers.facts.vocabulary import Gate, prose_words
from analyzers.text.document import Block
from analyzers.text.environments import FLOAT, TABULAR, THEOREM
from analyzers.text.prose import PartKind
from analyzers.text.words import split_words

SHORTEST = 14
_ANCHOR = 7
_RESTATES = re.compile(
    r"\b(?:restat\w+|^recall\b(?! (?:is|was|of|and|at|drops?|rises?|for)\b)|(?:we|us|now|briefly|first) recall\b|recall (?:that|from|the (?:definition|statement|notation|setting))\b|recalled (?:here|below)|repeat\w*(?!\s(?:\w+\s)?(?:times|runs?|experiments?|measurements?|trials?))|reproduc(?!ib)\w+|for convenience|as (?:stated|mentioned|noted)|verbatim|quot(?:ed|ing)\b|(?:we|us|i|to|now|here) (?:\w+ )?quote\b|quot(?:e|ation)s?\s?:|wiederhol\w+)",
    re.IGNORECASE,
)
# A piece of each of its words.
_RESTATING = Gate(("restat", "recall", "repeat", "reproduc", "convenience", "stated", "mentioned", "noted", "verbatim", "quot", "wiederhol"))  # fmt: skip
_REACH = 3  # sentences behind one that says that what follows is a repetition
_NOT_TEXT = (THEOREM - {"proof"}) | FLOAT | TABULAR | {"quote", "quotation", "displayquote"}
_COMPARED = frozenset({PartKind.BODY, PartKind.ABSTRACT, PartKind.ITEM})


class LongSentence(NamedTuple):
    """A sentence of at least `SHORTEST` words; prose offsets in its block.  `announced` when the text says that it repeats."""

    words: tuple[str, ...]
    start: int
    end: int
    order: int  # number of the sentence in its block
    kind: PartKind
    announced: bool

    @property
    def anchors(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a near-equal sentence shares with this one at its beginning or its end."""
        return ("<", *self.words[:_ANCHOR]), (">", *self.words[-_ANCHOR:])


@block_fact
def long_sentences(block: Block, macros: Macros) -> tuple[LongSentence, ...]:
    """The long sentences of a block that stand in running text, outside of theorems, floats and quotations."""
    return tuple(_read(block, macros))


def _read(block: Block, macros: Macros) -> Iterable[LongSentence]:
    if len(block.text) < 60:
        return
    opened = {environment.name for environment in block.lexed.environments} | set(block.stack)
    if opened & _NOT_TEXT:
        return
    until = -1
    may_restate = _RESTATING.opens(prose_words(block, macros))
    for order, sentence in enumerate(statements(block, macros)):
        if may_restate and _RESTATES.search(sentence.text) is not None:
            until = order + _REACH
        announced = order <= until
        if sentence.kind not in _COMPARED or len(sentence.text) < 60:
            continue
        words = _words(sentence.text)
        if len(words) < SHORTEST:
            continue
        # Formulas are not words; a sentence has to be long without them.
        if sum([len(word) > 1 and word.isalpha() for word in words]) >= SHORTEST - 1:
            yield LongSentence(words, sentence.start, sentence.end, order, sentence.kind, announced)


def _words(text: str) -> tuple[str, ...]:
    return tuple(split_words(text.lower().replace("_", " ")))


def near_equal(first: LongSentence, second: LongSentence) -> bool:
    """True when two sentences differ by a word or two in fourteen, and in no number."""
    one, two = first.words, second.words
    if abs(len(one) - len(two)) * 10 > len(one):
        return False
    numbers = [word for word in one if word.isdigit()]
    if numbers != [word for word in two if word.isdigit()]:
        return False
    return SequenceMatcher(None, one, two, autojunk=False).ratio() >= 0.93
