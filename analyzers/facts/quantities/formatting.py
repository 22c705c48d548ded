"""Write a number the way another one is written, so that a fix changes the digits and nothing else."""

import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

_GROUPED = re.compile(r"\d{1,3}(?:(\{,\}|\\,|\\thinspace|[,'\u2009\u202f\u00a0])\d{3})+")
_DIGITS = re.compile(
    r"(?P<sign>[-−–+]?|\{-\})(?P<whole>(?:\d|\{,\}|\\,|(?<=\d)[,'\u2009\u202f\u00a0](?=\d{3}))*)"
    r"(?:(?P<point>\{,\}|[.,])(?P<fraction>\d+))?(?P<rest>.*)",
    re.DOTALL,
)
_EXPONENT = re.compile(
    r"(?<=[\d.])(?P<mark>\s?(?:×|\\times|\\cdot|·|x)\s?10\s?\^\s?\{?|[eE])(?P<power>[-−+]?\d{1,3})(?!\d)(?P<close>\}?)"
)
# Decimal's default precision; a longer number is left as it is.
_MOST_DIGITS = 27
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9}


def rounded(value: Decimal, decimals: int, half_even: bool = False) -> Decimal:
    """`value` at so many decimals (negative ones round whole numbers: -3 gives thousands), half up unless told."""
    step = Decimal(1).scaleb(-decimals)
    steps = value / step
    if steps.adjusted() >= _MOST_DIGITS:
        return value
    return steps.quantize(Decimal(1), ROUND_HALF_EVEN if half_even else ROUND_HALF_UP) * step


def plain(value: Decimal, decimals: int) -> str:
    """Digits without an exponent and without separators, with exactly max(decimals, 0) decimals."""
    return format(rounded(value, decimals), f".{max(decimals, 0)}f")


def like(original: str, value: Decimal, decimals: int | None = None) -> str:
    """`value` written like `original`: decimals, thousands separator, decimal comma, leading zero, sign, exponent,
    suffix.

    `original` is a literal of the source or of the prose: "5{,}000", ".020", "1,234.5", "3\\\\times10^{-4}", "-0.3", "5k".
    `decimals` overrides the number of decimals of the original.
    """
    text = original.strip()
    exponent = _EXPONENT.search(text)
    if exponent is not None:
        power = int(exponent["power"].replace("−", "-"))
        mantissa = like(text[: exponent.start()], value.scaleb(-power), decimals)
        return mantissa + text[exponent.start() : exponent.end()] + text[exponent.end() :]
    scale = _SCALES.get(text[-1:], 0) if text[:-1] and text[-2:-1].isdigit() else 0
    if scale:
        return like(text[:-1], value.scaleb(-scale), decimals) + text[-1]
    match = _DIGITS.fullmatch(text)
    if match is None:
        return plain(value, decimals or 0)
    grouped = _GROUPED.match(text.lstrip("-−–+{}"))
    whole, point, fraction = match["whole"], match["point"], match["fraction"]
    if grouped is not None and point in (",", "{,}") and fraction is not None and len(fraction) == 3:
        point, fraction = None, None
    places = decimals if decimals is not None else len(fraction or "")
    digits = plain(abs(value), places)
    left, _, right = digits.partition(".")
    if grouped is not None and len(left) > 3:
        left = _group(left, grouped[1])
    elif not whole and left == "0":
        left = ""
    sign = _sign(match["sign"], value)
    return sign + left + ((point or ".") + right if right else "") + match["rest"]


def _group(digits: str, separator: str) -> str:
    first = len(digits) % 3 or 3
    return separator.join((digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))))


def _sign(original: str, value: Decimal) -> str:
    """The original's own minus sign, a plus only where it had one."""
    if value < 0:
        return original if original and original != "+" else "-"
    return "+" if original == "+" else ""
