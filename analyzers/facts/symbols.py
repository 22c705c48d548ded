"""Symbols and what sentences say they stand for: “let λ denote the drift penalty”."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.statements import Statement, statements
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block
from analyzers.text.environments import THEOREM
from analyzers.text.prose import PartKind, PieceKind, Prose


class SymbolMeaning(NamedTuple):
    """A symbol with the phrase that defines it; prose offsets of the symbol and of its sentence in the block."""

    symbol: str
    meaning: str
    start: int
    end: int
    sentence: tuple[int, int]
    explicit: bool  # “denotes”, not only “is”


_SYMBOL = r"(?P<s>[A-Za-zα-ωΑ-Ωϵϕϑ](?:_(?:[A-Za-z0-9]{1,6}))?)"
_MEANING = r"(?P<m>(?:(?!(?:and|where|which|let|so|such)\b)[a-z][\w’'-]*\s?){1,7})"
# Each with whether it says “denotes” or the like, and with pieces one of which it needs: most sentences have none.
_FORMS = (
    (
        re.compile(
            rf"(?<![\w^_]){_SYMBOL}(?:\s?[∈>≥<≤][^a-z]{{1,24}}?)?\s(?:denotes?|stands? for|represents?|refers to)\s(?:by\s)?(?:the|a|an|our)\s{_MEANING}"
        ),
        True,
        ("denote", "stand", "represent", "refer"),
    ),
    (
        re.compile(rf"\b(?:with|and|where)\s{_SYMBOL}\s(?:being|denoting|representing)\s(?:the|a|an|our)\s{_MEANING}"),
        True,
        ("being", "denoting", "representing"),
    ),
    (
        re.compile(rf"\b(?:denote|write|use)\s(?:by\s)?{_SYMBOL}\s(?:for\s|as\s)?(?:the|a|an)\s{_MEANING}"),
        True,
        ("denote ", "write ", "use "),
    ),
    (
        re.compile(
            rf"\b(?:the|a|an|its|our|[Tt]heir|[Ii]ts|[Tt]he|[Oo]ur)\s{_MEANING}(?:is|are)\s(?:denoted|represented)\s(?:by|as|with)\s{_SYMBOL}(?![\w(])"
        ),
        True,
        (" denoted ", " represented "),
    ),
    (re.compile(rf"\bdenote\s(?:the|a|an)\s{_MEANING}\s(?:by|as|with)\s{_SYMBOL}(?![\w(])"), True, ("denote ",)),
    (
        re.compile(rf"\b(?:here|let),?\s{_SYMBOL}\s(?:is|be)\s(?:the|a|an|our)\s{_MEANING}", re.IGNORECASE),
        True,
        ("ere", "et "),
    ),
    (
        re.compile(rf"\b(?:where|and|with)\s{_SYMBOL}\s(?:is|be|are)\s(?:the|a|an|our)\s{_MEANING}", re.IGNORECASE),
        False,
        ("where ", "and ", "with ", "Where "),
    ),
)
# “the learning rate λ”: Greek letters only, since Latin ones stand behind nouns for many reasons.
_BEHIND = re.compile(
    r"\b(?:the|a|an|with|our|(?:whose|its|their)(?!(?:\s[a-z-]+){1,2}\s(?:is|are|was|were|has|have|be|exceeds?|below|above|under|over|equals?|than|at|by|to|of|in|on)\s))\s(?P<m>(?:[a-z][a-z-]+\s){1,3})(?P<s>[α-ωϵϕϑ](?:_(?:[A-Za-z0-9]{1,6}))?)(?![\w^(=/·×+*−-])"
)
_GENERIC = frozenset(
    "param scala const varia vecto matri funct value numbe facto coeff quant symbo lette index set const angle weigh term terms".split()
)
_LOCAL = THEOREM | frozenset({"example", "remark", "algorithm", "algorithmic"})
_STOP = frozenset(
    "of the a an in for and or to with by on at from that which as is are be we our each given given all number value set function".split()
)
_ENDS = re.compile(
    r"\b(?:and|where|which|that|so|such|is|are|we|with|for|in|on|at|if|when|then|as|given|from|by|to)\b.*$"
)


@block_fact
def symbol_meanings(block: Block, macros: Macros) -> tuple[SymbolMeaning, ...]:
    """The symbols that the running text of a block defines; nothing in theorems, proofs and examples, whose symbols are their own."""
    return tuple(_read(block, macros))


def _read(block: Block, macros: Macros) -> Iterator[SymbolMeaning]:
    text = block.text
    if "$" not in text and "\\(" not in text:
        return
    if not any(
        word in text
        for word in ("denote", "stand", "represent", "refers", "where", " is ", " be ", "write", "the ", "with ")
    ):
        return
    opened = set(block.stack) | {environment.name for environment in block.lexed.environments}
    if opened & _LOCAL:
        return
    prose = prose_of(block, macros)
    for sentence in statements(block, macros):
        if sentence.kind in (PartKind.BODY, PartKind.ABSTRACT, PartKind.ITEM):
            yield from _in_sentence(block, prose, sentence)


def _in_sentence(block: Block, prose: Prose, sentence: Statement) -> Iterator[SymbolMeaning]:
    seen: set[int] = set()
    for pattern, explicit, pieces in _FORMS:
        if not any(piece in sentence.text for piece in pieces):
            continue
        for match in pattern.finditer(sentence.text):
            start, end = sentence.start + match.start("s"), sentence.start + match.end("s")
            if start in seen or not _is_math(prose, start, match["s"]):
                continue
            meaning = _ENDS.sub("", match["m"].strip()).strip()
            if len(words_of(meaning)) == 0:
                continue
            seen.add(start)
            yield SymbolMeaning(
                _font(block, prose, start, end) + match["s"],
                meaning,
                start,
                end,
                (sentence.start, sentence.end),
                explicit,
            )
    for match in _BEHIND.finditer(sentence.text):
        start, end = sentence.start + match.start("s"), sentence.start + match.end("s")
        found = words_of(match["m"])
        if start not in seen and found and not found & _GENERIC and _is_math(prose, start, match["s"]):
            yield SymbolMeaning(
                _font(block, prose, start, end) + match["s"],
                match["m"].strip(),
                start,
                end,
                (sentence.start, sentence.end),
                False,
            )


_FONT = re.compile(
    r"\\(?:math)?(bb|cal|scr|frak|bf|sf|tt|boldsymbol|bm|hat|tilde|bar|vec|widehat|widetilde|overline|dot)\s*\{?\s*$"
)
_FONTS_BEFORE = 20


def _font(block: Block, prose: Prose, start: int, end: int) -> str:
    """The font or accent of a symbol: T and a blackboard T are two symbols, although both read T."""
    at = prose.source(start, end)[0]
    match = _FONT.search(block.text, max(at - _FONTS_BEFORE, 0), at) or _FONT_HERE.match(block.text, at)
    return f"{match[1]} " if match is not None else ""


_FONT_HERE = re.compile(
    r"\\(?:math)?(bb|cal|scr|frak|bf|sf|tt|boldsymbol|bm|hat|tilde|bar|vec|widehat|widetilde|overline|dot)\b"
)


def _is_math(prose: Prose, at: int, symbol: str) -> bool:
    """True when a symbol was typed as math; a Latin letter in text is a word or a name."""
    kind = prose.kind_at(at)
    return kind is PieceKind.MATH or (kind in (PieceKind.SYMBOL, PieceKind.MACRO) and not symbol[0].isascii())


def words_of(meaning: str) -> frozenset[str]:
    """The words that carry a meaning, cut to their stems."""
    return frozenset(word[:5] for word in re.findall(r"[a-z]{2,}", meaning.lower()) if word not in _STOP)
