"""References typed by hand: “Table 3”, “Fig. 2”, “Section 4”."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quoted import is_code
from analyzers.facts.view import block_fact, prose_of, sentences_of
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, PartKind, PieceKind


class TypedReference(NamedTuple):
    """`kind` is figure, table, section …; `number` the digits as written.  Places are relative to the block."""

    kind: str
    number: str
    start: int
    end: int
    number_start: int
    number_end: int


_WORDS = {
    "table": "table", "tables": "table", "tab": "table", "tabs": "table", "tabelle": "table", "tabellen": "table", "tableau": "table", "таблица": "table",
    "таблице": "table", "табл": "table", "figure": "figure", "figures": "figure", "fig": "figure", "figs": "figure", "abbildung": "figure",
    "abbildungen": "figure", "abb": "figure", "рисунок": "figure", "рисунке": "figure", "рис": "figure", "section": "section", "sections": "section",
    "sec": "section", "secs": "section", "sect": "section", "subsection": "section", "abschnitt": "section", "kapitel": "section", "chapter": "section",
    "chapters": "section", "chap": "section", "раздел": "section", "разделе": "section", "equation": "equation", "equations": "equation", "eq": "equation",
    "eqs": "equation", "eqn": "equation", "eqns": "equation", "gleichung": "equation", "algorithm": "algorithm", "algorithms": "algorithm",
    "theorem": "theorem", "lemma": "theorem", "proposition": "theorem", "corollary": "theorem",
}  # fmt: skip
_NUMBER = re.compile(
    # The digit stands first: a search for it runs through the text several times as fast as one that looks behind everywhere.
    r"\d(?<![\w\-–/]\d)\d?(?:\.\d{1,2}){0,3}\)?(?![\w%°\u202f])(?![.,]\d)(?!\s*(?:[kcmnµ]?m|[mµn]?s|h|min|[km]?g|[kMGT]B|px|pt|[kMG]?Hz|K|V|W|years?|points?)\b)"
)
_WORD = re.compile(r"(?<![\w-])([^\W\d_]+)(\.?)[ \u00a0~]{0,2}\(?$")
# The number may belong to another work, to a supplement, or to something that only sounds like a reference.
_ELSEWHERE = re.compile(
    r"\bet al\b|\b(?:their|his|her|original|previous|earlier|cited|reference[sd]?|refs?|textbook|book|handbook|standard|specification|manual|documentation|report"
    r"|supplement\w*|supporting|supp|appendix|online|extended data|adapted|reproduced|reprinted|taken from|redrawn|the paper by|paper of|act|law|code|article"
    r"|reviewer|the same (?:paper|work|article|study)|iso|iec|rfc|ieee|according to|entnommen|anhang|приложени\w*)\b|§|\bS\d+\b",
    re.IGNORECASE,
)

_NAMED = re.compile(r"['’]s\s+$|[\w.]\s*[:#]\s*$|[(\[]\s*\d+\s*,?\s*$")
_TITLE_END = re.compile(r"\s*(?:\([^()]{0,80}\)\s*)?[:.](?:\s|$)")  # “Proposition 2:” states it, and refers to nothing
_LINK = re.compile(r"\\(?:hyperref\s*\[[^\]]*\]|hyperlink\s*\{[^{}]*\}|href\s*\{[^{}]*\})\s*\{[^{}]*$")


# Tables of some journals have Roman numbers; the word in front is part of the pattern, since these letters stand everywhere.
_ROMAN = re.compile(
    r"[IVX](?:(?<=[Aa]ble[ \u00a0~].)|(?<=[Aa]bles[ \u00a0~].)|(?<=ABLE[ \u00a0~].)|(?<=Tab\.[ \u00a0~].))[IVX]{0,5}(?![\w-])"
)
_VALUES = {"I": 1, "V": 5, "X": 10}


def value_of(number: str) -> int | None:
    """The whole number that Arabic or Roman digits write; None for “3.2” and for letters that are no number."""
    if number.isdigit():
        return int(number)
    if not number or not set(number) <= _VALUES.keys():
        return None
    values = [_VALUES[letter] for letter in number]
    total = sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))
    return total if _roman(total) == number else None


def _roman(value: int) -> str:
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return "X" * (value // 10) + ones[value % 10]


def _numbers(text: str) -> Iterator[re.Match[str]]:
    yield from _NUMBER.finditer(text)
    if "able" in text or "ABLE" in text or "Tab." in text:
        yield from (match for match in _ROMAN.finditer(text) if value_of(match[0]) is not None)


@block_fact
def typed_references(block: Block, macros: Macros) -> tuple[TypedReference, ...]:
    """The references typed by hand in a block's prose; none that may point into another work."""
    return tuple(_typed(block, macros))


def _typed(block: Block, macros: Macros) -> list[TypedReference]:
    prose = prose_of(block, macros)
    found: list[TypedReference] = []
    text = prose.text
    sentences = sentences_of(block, macros)
    for number in _numbers(text):
        position = number.start()
        # Most numbers follow no word at all; the cheap look at the characters before decides.
        before = text[max(position - 24, 0) : position].rstrip(" \u00a0~(")
        if not before or not (before[-1] == "." or before[-1].isalpha()):
            continue
        match = _WORD.search(text, max(position - 24, 0), position)
        if match is None or match[1].lower() not in _WORDS:
            continue
        word, stop = match[1], match[2]
        if (
            word[0].islower()
            and not (stop and word in ("fig", "figs", "sec", "eq", "eqs", "tab"))
            and word not in ("table", "figure", "section")
        ):
            continue
        digits = number[0].rstrip(")")
        digits_end = position + len(digits)
        if prose.kind_at(position) is not PieceKind.TEXT or prose.kind_at(match.start(1)) is not PieceKind.TEXT:
            continue
        sentence = next((s for s in sentences if s.start <= match.start() < s.end), None)
        if sentence is None or sentence.kind is PartKind.HEADING or sentence.kind is PartKind.TITLE:
            continue
        around = prose.text[sentence.start : sentence.end]
        if CITATION in around or _ELSEWHERE.search(around):
            continue
        before = prose.text[max(match.start() - 12, sentence.start) : match.start()]
        if _NAMED.search(before) or (match.start() == sentence.start and _TITLE_END.match(text, number.end())):
            continue
        start, end = prose.source(match.start(1), digits_end)
        number_start, number_end = prose.source(position, digits_end)
        if block.lexed.masked(start) or is_code(block, start) or _LINK.search(block.text, max(start - 80, 0), start):
            continue
        found.append(TypedReference(_WORDS[word.lower()], digits, start, end, number_start, number_end))
    return found
