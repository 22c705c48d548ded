"""Comparisons of two numbers in one sentence: “12.4 ms, lower than that of Alpha (18.9 ms)”."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from analyzers.facts.quantities import Kind, Quantity

_UP = frozenset("higher larger greater more longer bigger above exceeding heavier taller wider hotter older".split())
_DOWN = frozenset("lower smaller less fewer shorter below lighter narrower colder younger cheaper".split())
_SPEED = {"faster": -1, "quicker": -1, "slower": 1}
_LINK = re.compile(
    r"(?:\s?(?:per|an?|/)\s[\w-]+)?(?:\s?[,(–—;]\s?(?:which\s(?:is|was)\s|and\s(?:is|was|thus|hence|so)\s|being\s|i\.e\.,?\s)?|\swhich\s(?:is|was)\s)(?:much|far|slightly|significantly|considerably|substantially|clearly|somewhat|even|well|about|roughly)?\s?"
    r"(?P<word>higher|larger|greater|more|longer|bigger|above|exceeding|heavier|taller|wider|hotter|older|lower|smaller|less|fewer|shorter|below|lighter|narrower|colder|younger|cheaper|faster|quicker|slower)\s"
    r"(?:than\s)?(?P<who>(?:[^\s,.;:()\d][^\s,.;:()]*\s){0,9}?)(?:\(|at\s|with\s|of\s|,\sat\s|the\s)?(?:about\s|around\s|roughly\s|only\s)?$",
    re.IGNORECASE,
)
_VERSUS = re.compile(
    r"(?:\s?(?:per|an?|/)\s[\w-]+)?[^.;:\d]{0,40}?\b(?:compared\s(?:to|with)|versus|vs\.?|against|as opposed to|instead of|than)\s(?:[^\s.;:\d][^\s.;:]*\s){0,9}?(?:\(|at\s|with\s|of\s|the\s)?(?:about\s|around\s|only\s)?$",
    re.IGNORECASE,
)
_SINGLE = frozenset({Kind.LEVEL, Kind.COUNT, Kind.SHARE})


class Compared(NamedTuple):
    """Two numbers and the word between them; `direction` is 1 when the first is said to be larger, -1 smaller, 0 unknown.

    Offsets of the word are those in the sentence, both 0 without one.
    """

    first: Quantity
    second: Quantity
    direction: int
    word_start: int
    word_end: int


def comparisons(text: str, found: Sequence[Quantity]) -> list[Compared]:
    """Every comparison of neighbouring numbers."""
    made: list[Compared] = []
    for first, second in pairwise(found):
        if (
            first.kind not in _SINGLE
            or second.kind not in _SINGLE
            or first.endpoints
            or second.endpoints
            or first.bound is not None
        ):
            continue
        start = max(first.end, first.unit_end)
        stop = second.start - 1 if second.unit_end == second.start else second.start
        between = text[start : min(stop, second.start)]
        if not 4 < len(between) < 120:
            continue
        link = _LINK.fullmatch(between)
        if link is not None and not re.search(r"\b(?:not|no|never|nor)\b", between):
            word = link["word"].lower()
            made.append(
                Compared(first, second, _direction(word, first), start + link.start("word"), start + link.end("word"))
            )
        elif _VERSUS.fullmatch(between):
            made.append(Compared(first, second, 0, 0, 0))
    return made


def _direction(word: str, first: Quantity) -> int:
    if word in _UP:
        return 1
    if word in _DOWN:
        return -1
    unit = first.unit
    if word not in _SPEED or unit is None:
        return 0
    if unit.dimension == "time" and "/" not in unit.symbol.removesuffix("/query"):
        return _SPEED[word]
    return -_SPEED[word] if "/" in unit.symbol and unit.symbol.rpartition("/")[2] in ("s", "min", "h") else 0


def base_value(quantity: Quantity) -> Decimal:
    """The value in base units of its dimension."""
    return quantity.value * quantity.unit.factor if quantity.unit is not None else quantity.value


def plain_symbol(quantity: Quantity) -> str:
    """The unit without what it is counted per."""
    return quantity.unit.symbol.partition("/")[0] if quantity.unit is not None else ""


def mixed_up(pair: Compared) -> bool:
    """True when two units of one dimension make values of like digits differ by thirty to a hundred times or more."""
    first, second = pair.first, pair.second
    if (
        first.unit is None
        or second.unit is None
        or plain_symbol(first) == plain_symbol(second)
        or not first.value
        or not second.value
    ):
        return False
    one, two = abs(base_value(first)), abs(base_value(second))
    raw = abs(first.value / second.value)
    if Decimal("0.25") <= raw <= 4 and not Decimal("0.035") <= one / two <= 28:
        return True
    return Decimal("0.1") <= raw <= 10 and not Decimal("0.01") <= one / two <= 100
