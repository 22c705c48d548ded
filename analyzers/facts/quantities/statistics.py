"""Statistics reported in prose: tests with their degrees of freedom and p values, intervals, means with spread and
size.

What is read follows APA style and its usual variants: t(36) = 2.43, p = .020; F(2, 57) = 3.11; χ²(1, N = 90) = 0.89;
r(36) = .34; z = 2.1; 4.21 (95% CI [3.86, 4.56]); M = 3.49, SD = 0.80, n = 19.  All numbers carry the interval that their
rounding leaves open, so that a recomputation can compare intervals and not digits.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from analyzers.facts.quantities.lexicon import Lexicon, lexicon
from analyzers.facts.quantities.literals import number, read_literal
from analyzers.facts.quantities.model import Bound, Kind, Number, Quantity
from analyzers.facts.quantities.scan import quantities


@dataclass(frozen=True, slots=True)
class PValue:
    """A p value; `bound` is None for an equality.  `start` and `end` cover it from the letter on."""

    start: int
    end: int
    number: Number
    bound: Bound | None


@dataclass(frozen=True, slots=True)
class TestStatistic:
    """A test as reported.  `symbol` is one of t, F, z, r, χ²; `sides` is 1 or 2 when the text says so.

    `adjusted` is set when a word nearby says that the p value does not follow from the statistic alone (a correction, a
    permutation, Welch's degrees of freedom).
    """

    start: int
    end: int
    symbol: str
    df: tuple[Number, ...]
    value: Number
    bound: Bound | None
    n: Number | None
    p: PValue | None
    sides: int | None
    adjusted: bool


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and the estimate in front of it; `confidence` in percent, None when the text has none."""

    start: int
    end: int
    low: Number
    high: Number
    confidence: Decimal | None
    estimate: Quantity | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A mean with its standard deviation and sample size.

    `integer_scale` is set when a word nearby says that single values are whole numbers (a Likert scale, a rating).
    """

    start: int
    end: int
    mean: Quantity
    sd: Number | None
    n: Number | None
    integer_scale: bool


_PART = r"[-−–]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_TEST = re.compile(
    r"(?<![A-Za-z\d\\])(?P<symbol>t|F|z|Z|r|χ²|χ\^?\{?2\}?|χ|X²|X\^2)"
    r"(?:\s?[\(_]\s?\{?(?P<df>[^()={}<>]{0,40}?(?:[Nn]\s?=\s?[\d,]+)?)\}?\s?\)?)?"
    rf"\s?(?P<relation><=|>=|[=<>≤≥])\s?(?P<value>{_PART})"
)
_P = re.compile(
    r"(?<![A-Za-z\d_\\])(?P<name>[pP]s?(?:[- ]?values?)?)(?:_\{?\w{1,12}\}?)?\s?"
    rf"(?P<relation><=|>=|[=<>≤≥]|(?:of|was|is|were)\s(?:about\s)?)\s?(?P<value>{_PART})"
)
_DF_PART = re.compile(r"\d[\d.]*")
_SIZE = re.compile(r"[Nn]\s?=\s?([\d,]+)")
_BOUNDS = {
    "<": Bound.LESS,
    ">": Bound.GREATER,
    "≤": Bound.AT_MOST,
    "<=": Bound.AT_MOST,
    "≥": Bound.AT_LEAST,
    ">=": Bound.AT_LEAST,
}
_STOP = re.compile(r"[.!?;]\s")
_NEAR = 45
_CUES = 90


def p_values(text: str) -> tuple[PValue, ...]:
    """Every p value: "p = .020", "p < .001", "a p-value of 0.03"."""
    if "p" not in text and "P" not in text:
        return ()
    found = []
    for match in _P.finditer(text):
        relation = match["relation"].strip()
        if relation[0] not in "=<>≤≥" and "value" not in match["name"]:
            continue
        literal = _number(text, match.start("value"))
        if literal is not None and 0 <= literal.value <= 1:
            found.append(PValue(match.start(), literal.end, literal, _BOUNDS.get(relation)))
    return tuple(found)


def test_statistics(text: str, language: str = "en") -> tuple[TestStatistic, ...]:
    """Every test statistic of a text, with the p value that follows it."""
    if not any(sign in text for sign in "=<>≤≥"):
        return ()
    lex = lexicon(language)
    values = p_values(text)
    found: list[TestStatistic] = []
    matches = [match for match in _TEST.finditer(text) if _plausible(match)]
    for index, match in enumerate(matches):
        value = _number(text, match.start("value"))
        if value is None:
            continue
        following = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        p = next((p for p in values if value.end <= p.start <= min(following, value.end + _NEAR)), None)
        if p is not None and re.search(r"[.!?]\s+[A-Z]", text[value.end : p.start]) is not None:
            p = None
        df, size = _degrees(match, text)
        end = p.end if p is not None else value.end
        before = matches[index - 1].end() if index else 0
        window = text[max(before, match.start() - _CUES) : min(following, end + _CUES)].lower()
        sides = 1 if _any(window, lex.one_sided) else 2 if _any(window, lex.two_sided) else None
        bound = _BOUNDS.get(match["relation"])
        symbol = _symbol(match["symbol"])
        adjusted = _any(window, lex.adjusted)
        found.append(TestStatistic(match.start(), end, symbol, df, value, bound, size, p, sides, adjusted))
    return tuple(found)


def _plausible(match: re.Match[str]) -> bool:
    """A lone letter before an equals sign is a test only with degrees of freedom, except for z."""
    symbol = match["symbol"]
    if match["df"] is None:
        return symbol in ("z", "Z", "χ²", "X²") or symbol.startswith(("χ^", "χ2"))
    return _DF_PART.search(match["df"]) is not None


def _symbol(written: str) -> str:
    if written[0] in "χX":
        return "χ²"
    return "z" if written == "Z" else written


def _degrees(match: re.Match[str], text: str) -> tuple[tuple[Number, ...], Number | None]:
    if match["df"] is None:
        return (), None
    start = match.start("df")
    size = _SIZE.search(match["df"])
    stop = size.start() if size is not None else len(match["df"])
    df = tuple(
        literal
        for part in _DF_PART.finditer(match["df"], 0, stop)
        if (literal := _number(text, start + part.start())) is not None
    )
    n = _number(text, start + size.start(1)) if size is not None else None
    return df[:2], n


def _number(text: str, position: int) -> Number | None:
    start = position
    negative = text[position : position + 1] in ("-", "−", "–")
    read = read_literal(text, position + negative)
    if read is None:
        return None
    end, value, decimals, _ = read
    return number(start, end, -value if negative else value, decimals)


def _any(window: str, cues: tuple[str, ...]) -> bool:
    return any(cue in window for cue in cues)


def intervals(text: str, found: tuple[Quantity, ...] | None = None, language: str = "en") -> tuple[Interval, ...]:
    """Every confidence interval with its estimate; `found` are the text's quantities when they are known already."""
    found = quantities(text, language) if found is None else found
    made: list[Interval] = []
    for index, quantity in enumerate(found):
        if quantity.kind is not Kind.CI or quantity.endpoints is None:
            continue
        estimate = _estimate(text, found, index)
        low, high = quantity.endpoints
        made.append(Interval(quantity.start, quantity.end, low, high, quantity.confidence, estimate))
    return tuple(made)


def _estimate(text: str, found: tuple[Quantity, ...], index: int) -> Quantity | None:
    """The number that the interval belongs to: directly in front, with nothing between but the words of the
    interval.
    """
    for back in range(index - 1, max(-1, index - 3), -1):
        candidate = found[back]
        gap = text[candidate.end : found[index].start]
        if candidate.kind is Kind.IDENTIFIER and candidate.percent:
            continue
        if len(gap) > 30 or re.search(r"[.!?;]\s", gap) is not None:
            return None
        if (
            candidate.kind in (Kind.LEVEL, Kind.RATIO, Kind.STATISTIC, Kind.SHARE, Kind.DELTA_ABS)
            and candidate.symbol != "df"
        ):
            return candidate
        return None
    return None


def summaries(text: str, found: tuple[Quantity, ...] | None = None, language: str = "en") -> tuple[Summary, ...]:
    """Every mean that the text calls one, with the standard deviation and the size given for it."""
    found = quantities(text, language) if found is None else found
    lex = lexicon(language)
    made: list[Summary] = []
    for index, quantity in enumerate(found):
        if quantity.kind is not Kind.LEVEL or quantity.bound is not None:
            continue
        if not _is_mean(text, quantity, found, index, lex) and not (made and _alike(text, made[-1], quantity)):
            continue
        sd = quantity.spread
        n: Number | None = None
        end = quantity.end
        for other in found[index + 1 : index + 4]:
            gap = text[end : other.start]
            if len(gap) > (40 if gap.endswith(("n=", "n = ", "N = ", "N=")) else 20) or _STOP.search(gap) is not None:
                break
            if other.kind is Kind.SPREAD and sd is None:
                sd = other.number
            elif other.kind is Kind.COUNT and other.symbol is not None and other.symbol.lower() == "n" and n is None:
                n = other.number
            else:
                break
            end = other.end
        window = text[max(0, quantity.start - 200) : end + 100].lower()
        made.append(Summary(quantity.start, end, quantity, sd, n, _any(window, lex.integer_scale)))
    return tuple(made)


def _alike(text: str, previous: Summary, quantity: Quantity) -> bool:
    """True for the second of two means: "4.21 (n = 19), against 3.47 for the baseline (n = 19)"."""
    gap = text[previous.end : quantity.start]
    alike = quantity.decimals == previous.mean.decimals > 0 and quantity.unit == previous.mean.unit
    return alike and quantity.symbol is None and len(gap) <= 40 and _STOP.search(gap) is None


def _is_mean(text: str, quantity: Quantity, found: tuple[Quantity, ...], index: int, lex: Lexicon) -> bool:
    if quantity.symbol is not None:
        return quantity.symbol.lower() in lex.mean
    floor = found[index - 1].end if index else 0
    before = text[max(floor, quantity.start - 80) : quantity.start].lower()
    sentence = re.split(r"[.!?;]\s", before)[-1]
    words = re.findall(r"[^\W\d_]+", sentence)
    if any(word in lex.mean and len(word) > 1 for word in words):
        return True
    return bool(lex.cjk) and any(word in sentence for word in lex.mean)
