"""Comparisons of two numbers in one sentence: “12.4 ms, lower than that of Alpha (18.9 ms)”."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from analyzers.facts.quantities import Kind, Quantity

_UP = frozenset("higher larger greater more longer bigger above exceeding heavier taller wider hotter older".split())
_DOWN = frozenset("lower smaller less fewer shorter below lighter narrower colder younger cheaper".split())
_SPEED = {"faster": -1, "quicker": -1, "slower": 1}
# "… than B, which takes 14.5 s", "… than that of B, which is 14.5 s"
_WHICH_TAKES = r"[^\s,.;:()\d]+,\swhich\s(?:takes|took|needs|needed|requires|required|uses|used|consumes|consumed|spends|spent|has|had|is|was|reaches|reached|achieves|achieved|obtains|obtained|gets|got|stands\sat|lies\sat|is\sat|comes\sto|runs\sat)\s"
_LINK = re.compile(
    r"(?:\s?(?:per|an?|/)\s[\w-]+)?(?:\s(?:with|for|using|by)\s(?:[^\s,.;:()\d]+\s?){1,3}(?=,))?(?:\s?[,(–—;]\s?(?:which\s(?:is|was)\s|and\s(?:is|was|thus|hence|so)\s|being\s|i\.e\.,?\s)?|\swhich\s(?:is|was)\s|\sand\s(?:is\s|was\s)?(?:thus|hence|therefore|so)\s)(?:much|far|slightly|significantly|considerably|substantially|clearly|somewhat|even|well|about|roughly)?\s?"
    r"(?P<word>higher|larger|greater|more|longer|bigger|above|exceeding|heavier|taller|wider|hotter|older|lower|smaller|less|fewer|shorter|below|lighter|narrower|colder|younger|cheaper|faster|quicker|slower)\s"
    rf"(?:(?:time|memory|energy|power|space)\s)?(?:than\s)?(?P<who>(?:[^\s,.;:()\d][^\s,.;:()]*\s){{0,9}}?)(?:\(|at\s|with\s|of\s|,\sat\s|the\s|(?P<clause>{_WHICH_TAKES}))?(?:about\s|around\s|roughly\s|only\s)?$",
    re.IGNORECASE,
)
_VERSUS = re.compile(
    r"(?:\s?(?:per|an?|/)\s[\w-]+)?[^.;:\d]{0,40}?\b(?:compared\s(?:to|with)|versus|vs\.?|against|as opposed to|instead of|than)\s(?:[^\s.;:\d][^\s.;:]*\s){0,9}?(?:\(|at\s|with\s|of\s|the\s)?(?:about\s|around\s|only\s)?$",
    re.IGNORECASE,
)
_WORDS = "higher|larger|greater|longer|bigger|heavier|hotter|older|lower|smaller|fewer|shorter|lighter|colder|younger|cheaper|faster|quicker|slower"
_ADVERB = r"(?:much|far|slightly|significantly|considerably|substantially|clearly|somewhat|even|also|still|however|therefore|thus|hence|already|nevertheless)\s"
_WHO = r"(?:[^\s,.;:()\d][^\s,.;:()]*\s){0,9}?"
# "A (12.3 s) is slower than B (14.5 s)", "The error of 4.2% is larger than the 5.1% of B"
_IS = re.compile(
    rf"(?:\s?(?:per|an?|/)\s[\w-]+)?(?P<close>\)?)\s(?:is|was|are|were|remains?|stays?|runs?|ran)\s(?:{_ADVERB})?(?P<word>{_WORDS}|above|below)\s(?:than\s)?{_WHO}(?P<open>\(?)(?:the\s)?$",
    re.IGNORECASE,
)
# "At 38 ms per sentence, A is slower than B (154 ms)"
_AT = re.compile(
    rf"(?:\s?(?:per|an?|/)\s[\w-]+)?,?\s(?:[^\s,.;:()\d]+\s){{1,6}}(?:is|was|are|were|runs?|ran)\s(?:{_ADVERB}){{0,2}}(?P<word>{_WORDS})\sthan\s{_WHO}(?:\(|at\s|with\s|of\s|{_WHICH_TAKES})(?:the\s|about\s|only\s)?$",
    re.IGNORECASE,
)
_AT_BEFORE = re.compile(
    r"(?:^|[,;:.]\s)(?:at|with|in|using|taking|needing)\s(?:only\s|about\s|just\s|an?\s|the\s)?$", re.IGNORECASE
)
# "longer in A (21.4 min) than in B (29.8 min)"
_THAN = re.compile(
    rf"\b(?P<word>{_WORDS}|(?:more|less)(?=\s(?:time|memory|energy|power|storage|space|data|steps|tokens|errors|iterations|samples|parameters|calls|operations|flops|gflops|compute|computation|multiplications|macs|epochs|updates|rounds|queries|requests|messages|bytes|bits|storage|ram|bandwidth|patches|layers|images|hours|minutes|seconds|effort|money)\b))\b(?P<middle>[^.;:()\d]{{0,60}}?)"
    r"\((?P<one>[^()]{1,60})\)\s?,?\s?than\s(?P<who>[^.;:()\d]{0,60}?)\((?P<two>[^()]{1,60})\)",
    re.IGNORECASE,
)
# "A needs more time than B (11.1 versus 12.3 s)"
_PAIRED = re.compile(
    rf"\b(?P<word>{_WORDS}|(?:more|less)(?=\s(?:time|memory|energy|power|storage|space|data|steps|tokens|errors|iterations|samples|parameters|calls|operations|flops|gflops|compute|computation|multiplications|macs|epochs|updates|rounds|queries|requests|messages|bytes|bits|storage|ram|bandwidth|patches|layers|images|hours|minutes|seconds|effort|money)\b))\b(?P<middle>[^.;:()\d]{{0,60}}?)"
    r"\sthan\s(?P<who>[^.;:,()\d]{1,60}?)\s?\((?P<both>[^()]{3,60})\)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[^,;:\d]{0,20}\s(?:versus|vs\.?|against|compared (?:to|with))\s(?:only\s|about\s)?")
_NEGATED = re.compile(r"\b(?:not|no|never|nor|neither|hardly)\b", re.IGNORECASE)
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
        if link is not None and link["clause"] and (first.unit is None or second.unit is None):
            continue  # "higher than the net of Alpha, which has 101 layers"
        if link is not None and not re.search(r"\b(?:not|no|never|nor)\b", between):
            word = link["word"].lower()
            made.append(
                Compared(first, second, _direction(word, first), start + link.start("word"), start + link.end("word"))
            )
        elif (stated := _stated(text, first, second, between)) is not None:
            word, at = stated
            made.append(Compared(first, second, _direction(word.lower(), first), start + at, start + at + len(word)))
        elif _VERSUS.fullmatch(between):
            made.append(Compared(first, second, 0, 0, 0))
    return (
        [*made, *_in_brackets(text, found), *_in_one_bracket(text, found)] if " than " in text and "(" in text else made
    )


def _stated(text: str, first: Quantity, second: Quantity, between: str) -> tuple[str, int] | None:
    """The comparing word, and its place in `between`, where a verb joins the numbers."""
    if _NEGATED.search(between) or first.symbol is not None or second.symbol is not None:
        return None
    match = _IS.fullmatch(between)
    # Numbers without units are often counts of something else: "with 8 layers (74.3) is higher than with 4 layers".
    if match is not None and (
        bool(match["close"]) != bool(match["open"])
        or (not match["close"] and (first.unit is None or second.unit is None))
    ):
        match = None
    if match is None and first.unit is not None and _AT_BEFORE.search(text[max(first.start - 24, 0) : first.start]):
        match = _AT.fullmatch(between)
    return (match["word"], match.start("word")) if match is not None else None


def _in_brackets(text: str, found: Sequence[Quantity]) -> Iterator[Compared]:
    """Both numbers in brackets behind what they belong to, with the comparing word in front of the first."""
    for match in _THAN.finditer(text):
        if _NEGATED.search(text[max(match.start() - 25, 0) : match.end("who")]) or " than " in match["middle"]:
            continue
        first, second = (_alone(found, *match.span(side)) for side in ("one", "two"))
        if first is None or second is None or first.symbol != second.symbol:
            continue
        yield Compared(first, second, _direction(match["word"].lower(), first), *match.span("word"))


def _in_one_bracket(text: str, found: Sequence[Quantity]) -> Iterator[Compared]:
    """Both numbers in one bracket behind the comparison, in the order in which the two sides are named."""
    for match in _PAIRED.finditer(text):
        if _NEGATED.search(text[max(match.start() - 25, 0) : match.end("who")]) or " than " in match["middle"]:
            continue
        inside = [q for q in found if match.start("both") <= q.start < match.end("both")]
        if len(inside) != 2 or any(q.kind not in _SINGLE or q.endpoints or q.bound is not None for q in inside):
            continue
        first, second = inside
        if first.symbol is not None or second.symbol is not None or (first.unit is not None and second.unit is None):
            continue
        # The unit may be left out at the first number, never at the second alone.
        if first.unit is None:
            first = replace(first, unit=second.unit)
        if first.start != match.start("both") or not _BETWEEN.fullmatch(
            text, max(inside[0].end, inside[0].unit_end), second.start
        ):
            continue
        yield Compared(first, second, _direction(match["word"].lower(), first), *match.span("word"))


def _alone(found: Sequence[Quantity], start: int, end: int) -> Quantity | None:
    """The first number of a bracket, when it is a plain value and no other but spreads and sizes stand with it."""
    inside = [quantity for quantity in found if start <= quantity.start < end]
    plain = [quantity for quantity in inside if quantity.kind in _SINGLE and quantity.symbol in (None, "M")]
    if len(plain) != 1 or plain[0] is not inside[0] or plain[0].endpoints or plain[0].bound is not None:
        return None
    return plain[0]


def _direction(word: str, first: Quantity) -> int:
    if word in _UP:
        return 1
    if word in _DOWN:
        return -1
    unit = first.unit
    if word not in _SPEED or unit is None:
        return 0
    if unit.dimension == "time" or unit.dimension.startswith("time/count:"):
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
