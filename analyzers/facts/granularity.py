"""Means and spreads that whole numbers can have: GRIM, GRIMMER and DEBIT.

GRIM: Brown and Heathers (2017), Social Psychological and Personality Science 8(4).  GRIMMER: Anaya (2016), with the simpler test
of Allard (2018).  DEBIT: Heathers and Brown (2019).  All work on the interval that rounding leaves.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import ceil, floor

from analyzers.facts.estimates import Sample


def possible_sums(sample: Sample) -> range:
    """The whole numbers that `n` values with this mean may add up to; empty when the mean is impossible."""
    low = (sample.mean[1] * sample.n).to_integral_value(ROUND_CEILING)
    high = (sample.mean[2] * sample.n).to_integral_value(ROUND_FLOOR)
    return range(int(low), int(high) + 1)


def nearest_means(sample: Sample) -> tuple[Decimal, Decimal]:
    """The possible means below and above, with as many digits as were written."""
    total = sample.mean[0] * sample.n
    digits = Decimal(1).scaleb(-sample.mean[3])
    below, above = total.to_integral_value(ROUND_FLOOR), total.to_integral_value(ROUND_CEILING)
    return (below / sample.n).quantize(digits), (above / sample.n).quantize(digits)


def deviation_possible(sample: Sample) -> bool:
    """True when some whole numbers have this mean and this standard deviation (divided by n - 1)."""
    if sample.deviation is None or sample.n < 2:
        return True
    n = sample.n
    low, high = max(float(sample.deviation[1]), 0.0), float(sample.deviation[2])
    for total in possible_sums(sample):
        base = total * total / n
        least, most = (n - 1) * low * low + base, (n - 1) * high * high + base
        # A sum of squares of whole numbers is a whole number of the parity of their sum, and not below what the mean asks for.
        first = max(ceil(least - 1e-9), ceil(base - 1e-9))
        if first % 2 != total % 2:
            first += 1
        if first <= floor(most + 1e-9):
            return True
    return False


def binary_deviation_possible(sample: Sample) -> bool:
    """True when zeros and ones with this mean may have this standard deviation."""
    if sample.deviation is None or sample.n < 2 or not 0 <= sample.mean[0] <= 1:
        return True
    n = sample.n
    values: list[float] = []
    lowest, highest = max(float(sample.mean[1]), 0.0), min(float(sample.mean[2]), 1.0)
    for mean in (lowest, highest, min(max(lowest, 0.5), highest)):
        spread: float = (mean * (1 - mean)) ** 0.5
        values += (spread, spread * (n / (n - 1)) ** 0.5)
    return min(values) <= float(sample.deviation[2]) + 1e-9 and max(values) >= float(sample.deviation[1]) - 1e-9
