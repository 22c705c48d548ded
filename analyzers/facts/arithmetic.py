"""Arithmetic on rounded numbers: what differences, ratios and sums of reported values may be."""

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from analyzers.facts.quantities import Number, Quantity


class Range(NamedTuple):
    """All values between two bounds, both included."""

    low: Decimal
    high: Decimal

    def meets(self, low: Decimal, high: Decimal) -> bool:
        """True when the two ranges share a value."""
        return self.low <= high and low <= self.high


def readings(first: Quantity, second: Quantity) -> dict[str, Range]:
    """What a change from `first` to `second` may be called: points, relative change either way, ratio either way.

    Relative changes are in percent; all are without sign.
    """
    a, b = (first.lower, first.upper), (second.lower, second.upper)
    scale = _scale(first, second)
    found = {"difference": _magnitude(b[0] - a[1], b[1] - a[0])}
    if min(a) > 0 and min(b) > 0:
        up, down = (b[0] * scale / a[1], b[1] * scale / a[0]), (a[0] / (b[1] * scale), a[1] / (b[0] * scale))
        found["relative"] = _percent(up)
        found["relative to the second"] = _percent(down)
        found["ratio"] = Range(*up)
        found["inverse ratio"] = Range(*down)
        if scale != 1:
            found["difference"] = _magnitude(b[0] * scale - a[1], b[1] * scale - a[0])
    return found


def _scale(first: Quantity, second: Quantity) -> Decimal:
    """How many units of `first` one unit of `second` is, when both have units of one dimension."""
    one, two = first.unit, second.unit
    if one is None or two is None or one.dimension != two.dimension or not one.factor:
        return Decimal(1)
    return two.factor / one.factor


def _magnitude(low: Decimal, high: Decimal) -> Range:
    if low <= 0 <= high:
        return Range(Decimal(0), max(-low, high))
    return Range(min(abs(low), abs(high)), max(abs(low), abs(high)))


def _percent(ratio: tuple[Decimal, Decimal]) -> Range:
    return _magnitude((ratio[0] - 1) * 100, (ratio[1] - 1) * 100)


def tolerant(number: Quantity | Number) -> tuple[Decimal, Decimal]:
    """The rounding interval, and what cutting digits off instead of rounding would leave."""
    step = Decimal(1).scaleb(-number.decimals)
    return min(number.lower, number.value - step / 2), max(number.upper, number.value + step)


def total(parts: Iterable[Quantity]) -> tuple[Decimal, Decimal, Decimal]:
    """The sum of values, and its smallest and largest value within rounding; whole numbers are exact."""
    value = low = high = Decimal(0)
    for part in parts:
        exact = (
            part.decimals <= 0
            and not part.approximate
            and part.value == part.value.to_integral_value()
            and part.decimals == 0
        )
        value += part.value
        low += part.value if exact else part.lower
        high += part.value if exact else part.upper
    return value, low, high


def shown(value: Decimal, decimals: int) -> str:
    """A value with so many decimals, without an exponent."""
    return f"{value:.{max(decimals, 0)}f}"
