"""Numbers that belong together: ranges, intervals, "8 of 22", ± and bracketed spreads, degrees of freedom."""

import re
from dataclasses import replace
from decimal import Decimal

from analyzers.facts.quantities.context import Context
from analyzers.facts.quantities.lexicon import Lexicon
from analyzers.facts.quantities.literals import number
from analyzers.facts.quantities.model import Kind, Number, Quantity
from analyzers.facts.quantities.tokens import Token

_DASHES = frozenset(("-", "–", "—", "−", "--", "~", "∼", "…", "...", "‐", "‑"))
_COMMAS = frozenset((",", ";", ", ", ": "))
_PLUS_MINUS = re.compile(r"\s?(?:%|‰|[A-Za-zµ]{1,3})?\s?\(?\s?(?:±|\+/-|\+/−|\+-|∓)\s?")
_SPREAD_OPEN = re.compile(
    r"\s?(?:%|[A-Za-zµ]{1,3})?\s?[(\[]\s?(?:(?:SD|sd|std|Std|s\.d\.|SE|se|SEM|σ|std\. dev\.|standard deviation|"
    r"standard error)\.?\s?(?:=|:|of)?\s?)?"
)
_CUE_OPEN = re.compile(r"SD|sd|std|Std|s\.d\.|SE|se|SEM|σ|standard")
_CONFIDENCE = re.compile(r"(\d{2}(?:\.\d+)?)\s?[%-]")
_GAP_LIMIT = 24
_DF_OPEN = re.compile(r"(?<![A-Za-z])(?:[tTzZFrRQUHWBdχ](?:²|\^?2|\^\{2\})?)\s?\($")
_DIGITS = re.compile(r"\d")


def is_degrees_of_freedom(text: str, token: Token) -> bool:
    """True for the 36 of "t(36) = 2.43" and the 2 of "F(2, 57)": a number in the brackets of a statistic."""
    if not token.start or text[token.start - 1] != "(" or not text[token.start].isdigit():
        return False
    if _DF_OPEN.search(text, max(0, token.start - 9), token.start) is None:
        return False
    tail = text[token.end : token.end + 30]
    return "=" in tail or "<" in tail or ">" in tail


def continues_degrees_of_freedom(text: str, token: Token, made: list[Quantity]) -> bool:
    """True for the 57 of "F(2, 57) = 3.1"."""
    if not made or made[-1].symbol != "df" or token.start - made[-1].end > 3:
        return False
    return text[made[-1].end : token.start].strip() == "," and text[token.end : token.end + 1] == ")"


def join(text: str, left: Token, right: Token, around: Context, lex: Lexicon) -> Quantity | None:
    """The quantity that two neighbouring numbers form together, None when they are two."""
    left_end = max(left.unit_end, left.end)
    if (
        right.start - left_end > _GAP_LIMIT
        or right.form in ("identifier", "ratio", "half", "year")
        or left.form == "year"
    ):
        return None
    gap = text[left_end : right.start]
    stripped = gap.strip().lower()
    if stripped in _COMMAS:
        return _interval(text, left, right, around, lex)
    if stripped in _DASHES or (not stripped and gap == "" and right.value < 0):
        return _interval(text, left, right, around, lex) or _range(text, (left, right), around, lex, stripped)
    if stripped in lex.range_words:
        return _interval(text, left, right, around, lex) or _range(text, (left, right), around, lex, stripped)
    if stripped == "/" and left_end == left.end and gap == "/":
        return _fraction(text, left, right, around, slash=True)
    if stripped in lex.of and left.unit is None:
        return _fraction(text, left, right, around, slash=False)
    return None


def _interval(text: str, left: Token, right: Token, around: Context, lex: Lexicon) -> Quantity | None:
    """[0.57, 0.79] always; (0.57, 0.79) and 0.57 to 0.79 only where a confidence interval is spoken of."""
    if left.value > right.value:
        return None
    before = text[max(0, left.start - 2) : left.start].rstrip()[-1:]
    end = max(right.unit_end, right.end)
    after = text[end : end + 2].lstrip()[:1]
    if is_degrees_of_freedom(text, left):
        return None
    cue_window = text[max(0, left.start - 40) : left.start]
    cue = any(not _DIGITS.search(cue_window, match.end()) for match in lex.ci.finditer(cue_window))
    if before == "[" and after in ("]", ")", "["):
        kind = Kind.CI if cue else Kind.RANGE
    elif cue:
        kind = Kind.CI
    else:
        return None
    return _pair(text, (left, right), around, kind, _confidence(text, left.start) if cue else None)


def _confidence(text: str, start: int) -> Decimal | None:
    levels = _CONFIDENCE.findall(text, max(0, start - 40), start)
    return Decimal(levels[-1]) if levels else None


def is_confidence_level(text: str, token: Token, lex: Lexicon) -> bool:
    """True for the 95 of "95% CI"."""
    if token.unit is not None and token.unit.symbol == "%":
        end = token.unit_end
    elif text[token.end : token.end + 1] in ("%", "-"):
        end = token.end + 1
    else:
        return False
    window = text[end : end + 24].lstrip(" -")
    match = lex.ci.match(window)
    return match is not None


def _range(text: str, pair: tuple[Token, Token], around: Context, lex: Lexicon, gap: str) -> Quantity | None:
    """20-35, "between 20 and 35", "20 to 35"; "rises from 62.0 to 74.3" are two values."""
    left, right = pair
    if left.value >= right.value or left.form not in ("plain", "word", "power") or right.form == "signed":
        return None
    if left.unit is not None and right.unit is not None and left.unit.dimension != right.unit.dimension:
        return None
    nearest = around.word(1)
    window = text[max(0, left.start - 50) : left.start].lower()
    if gap in ("and", "und", "和"):
        if nearest not in lex.between or lex.delta_verbs.search(window[-40:]) or _difference(around, lex):
            return None
    elif gap in lex.range_words:
        ranging = lex.range_cues.search(window) is not None
        if nearest in lex.from_words and not ranging:
            return None
        if nearest in lex.from_words and lex.change_cues.search(window) and not ranging:
            return None
        if lex.change_cues.search(window) and not ranging:
            return None
    elif text[left.end : left.end + 1] == " " and gap == "-" and left.unit is None:
        return None
    if _is_year(left) and _is_year(right) and left.unit is None and right.unit is None:
        return None
    return _pair(text, pair, around, Kind.RANGE, None)


def _difference(around: Context, lex: Lexicon) -> bool:
    return around.word(2) in lex.delta_nouns


def _is_year(token: Token) -> bool:
    return token.decimals == 0 and 1800 <= token.value <= 2099 and token.end - token.start == 4


def ends_year_range(text: str, token: Token, made: list[Quantity]) -> bool:
    """True for both years of "2010-2015": the first is seen because the second follows, the second by the first."""
    if not _is_year(token) or token.unit is not None:
        return False
    if (
        made
        and made[-1].kind is Kind.YEAR
        and text[made[-1].end : token.start].strip() in (*_DASHES, "to", "and", "/", ",")
    ):
        return True
    following = re.compile(r"\s?[–-]\s?(?:1[89]|20)\d\d(?!\d|\.\d)").match(text, token.end)
    return following is not None


def _pair(text: str, pair: tuple[Token, Token], around: Context, kind: Kind, confidence: Decimal | None) -> Quantity:
    left, right = pair
    unit = right.unit or left.unit
    source = right if right.unit is not None else left
    first = number(left.start, left.end, left.value, left.decimals)
    second = number(right.start, right.end, right.value, right.decimals)
    end = right.end
    return Quantity(
        left.start,
        end,
        text[left.start : end],
        left.value,
        left.decimals,
        first.lower,
        second.upper,
        kind,
        unit,
        max(source.unit_start, end) if source is right else end,
        max(source.unit_end, end) if source is right else end,
        around.approximate,
        around.bound,
        around.negated,
        endpoints=(first, second),
        symbol=around.symbol,
        confidence=confidence,
    )


def _fraction(text: str, left: Token, right: Token, around: Context, slash: bool) -> Quantity | None:
    """8 of 22, 8/22: whole numbers, the first not above the second."""
    if (
        left.decimals
        or right.decimals
        or left.unit is not None
        or not 0 <= left.value <= right.value
        or not right.value
    ):
        return None
    if left.form not in ("plain", "word") or right.form not in ("plain", "word"):
        return None
    if slash and (text[right.end : right.end + 1] == "/" or text[max(0, left.start - 1) : left.start] == "/"):
        return None
    if not slash and right.unit is not None and right.unit.symbol == "%":
        return None
    top = number(left.start, left.end, left.value, left.decimals)
    bottom = number(right.start, right.end, right.value, right.decimals)
    return Quantity(
        left.start,
        right.end,
        text[left.start : right.end],
        left.value,
        0,
        top.lower,
        top.upper,
        Kind.COUNT,
        None,
        right.end,
        right.end,
        around.approximate,
        around.bound,
        around.negated,
        numerator=top,
        denominator=bottom,
        symbol=around.symbol,
    )


def spread_after(text: str, token: Token, following: Token | None) -> Number | None:
    """The spread behind a number: "± 0.2", "(SD = 0.6)", "(0.06)" with the same decimals."""
    if following is None or following.form not in ("plain", "power", "signed"):
        return None
    end = token.end
    if following.start - end > 40:
        return None
    mark = _PLUS_MINUS.match(text, end)
    if mark is None and text[token.unit_end : token.unit_end + 2].strip()[:1] == "±":
        mark = _PLUS_MINUS.match(text, token.unit_end)
    if mark is not None and mark.end() == following.start:
        return number(following.start, following.end, following.value, following.decimals)
    opened = _SPREAD_OPEN.match(text, end)
    if opened is None or opened.end() != following.start or following.unit is not None:
        return None
    if text[following.end : following.end + 1] not in (")", "]"):
        return None
    cued = _CUE_OPEN.search(opened[0]) is not None
    alike = following.decimals == token.decimals > 0 and 0 <= following.value < abs(token.value)
    if cued or (alike and opened[0].strip() == "("):
        return number(following.start, following.end, abs(following.value), following.decimals)
    return None


def with_spread(quantity: Quantity, spread: Number) -> Quantity:
    """The quantity with its spread; a unit that stands behind both belongs to both."""
    return replace(quantity, spread=spread)
