"""Number literals: digits, thousands separators, exponents, and the interval that rounding leaves open."""

import re
from decimal import Decimal
from functools import lru_cache

from analyzers.facts.quantities.model import Number

MAX_DIGITS = 40
# A literal this long is a key or a hash, and arithmetic on it would only cost time.

_SEPARATORS = ",'\u2009\u202f\u00a0"
_ENGLISH = re.compile(rf"\d{{1,3}}(?:[{_SEPARATORS}]\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_COMMA = re.compile(
    r"\d{1,3}(?:[.'\u2009\u202f\u00a0]\d{3}){2,}(?!\d)(?:,\d+)?|\d{1,3}(?:[.'\u2009\u202f\u00a0]\d{3})+,\d+"
    r"|[1-9]\d{0,2}(?:[.'\u2009\u202f\u00a0]000)(?![\d,])|\d{1,3}(?:['\u2009\u202f\u00a0]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d+(?:[.,]\d+)?|[.,]\d+"
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = r"\^\s?(?:\{\s?([-−–+]?\s?\d{1,3})\s?\}|\(\s?([-−–+]?\d{1,3})\s?\)|([-−–+]?\d{1,3})(?!\d))"
_SMALL = r"([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_EXPONENT = re.compile(rf"\s?[×xX·⋅∙*]\s?10\s?(?:{_RAISED}|{_SMALL})" r"|[eE]([-−–+]?\d{1,3})(?![A-Za-z0-9_])")
_POWER = re.compile(rf"\s?(?:{_RAISED}|{_SMALL})")
_MINUS = str.maketrans("−–", "--")


@lru_cache(maxsize=64)
def _half(decimals: int) -> Decimal:
    return Decimal(5).scaleb(-decimals - 1)


def number(start: int, end: int, value: Decimal, decimals: int) -> Number:
    """A `Number` with its rounding interval: half a unit of the last digit to both sides, end points included."""
    half = _half(decimals)
    return Number(start, end, value, decimals, value - half, value + half)


def significant_decimals(value: Decimal, decimals: int) -> int:
    """The position of the last digit that is not a padding zero of a whole number (-5 for 700,000)."""
    if decimals > 0 or not value:
        return decimals
    exponent = value.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent > -decimals else decimals


def read_literal(text: str, position: int, decimal_comma: bool = False) -> tuple[int, Decimal, int, bool] | None:
    """Read an unsigned literal at `position`.

    Returns (end, value, decimals, scientific), or None when no number starts there or it has more than `MAX_DIGITS`
    digits.  `decimals` counts in the scale of the value (4 for 3e-4).
    """
    match = (_COMMA if decimal_comma else _ENGLISH).match(text, position)
    if match is None or match.end() - position > MAX_DIGITS:
        return None
    digits = match[0]
    end = match.end()
    if decimal_comma:
        digits = _without_comma(digits)
    elif not digits.isdecimal():
        digits = digits.translate(_DROP)
    point = digits.find(".")
    decimals = 0 if point < 0 else len(digits) - point - 1
    value = Decimal(digits)
    following = text[end : end + 1]
    if following and following in _STARTS_EXPONENT:
        tail = _EXPONENT.match(text, end)
        if tail is not None:
            shift = _shift(tail)
            return tail.end(), value.scaleb(shift), decimals - shift, True
        power = _POWER.match(text, end) if digits in ("10", "2") and following in _POWERS else None
        if power is not None:
            shift = _shift(power)
            if digits == "10":
                return power.end(), Decimal(1).scaleb(shift), -shift, True
            if abs(shift) <= 64:
                return power.end(), Decimal(2) ** shift, 0 if shift >= 0 else -shift, True
    return end, value, decimals, False


def _shift(match: re.Match[str]) -> int:
    written = next(group for group in match.groups() if group)
    return int(written.replace(" ", "").translate(_MINUS).translate(_SUPERSCRIPTS))


_DROP = str.maketrans("", "", _SEPARATORS)
_POWERS = frozenset("^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_STARTS_EXPONENT = frozenset(" ×xX·⋅∙*eE^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺\u2009\u202f\u00a0")


def _without_comma(digits: str) -> str:
    """German and French digits in Decimal's own notation."""
    plain = digits.replace("'", "").replace("\u2009", "").replace("\u202f", "").replace("\u00a0", "")
    if "," in plain:
        return plain.replace(".", "").replace(",", ".")
    if plain.count(".") > 1 or re.fullmatch(r"[1-9]\d{0,2}\.000", plain):
        return plain.replace(".", "")
    return plain
