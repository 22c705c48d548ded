"""Every kind of number a manuscript writes, with its value, precision, unit and words around it."""

from decimal import Decimal

import pytest

from analyzers.facts.quantities import Bound, Kind, Quantity, quantities

# text, then for each number that matters: its slice and what must hold of it.
CASES: list[tuple[str, list[tuple[str, dict[str, object]]]]] = [
    ("reaches 74.3% accuracy", [("74.3", {"kind": Kind.LEVEL, "value": "74.3", "unit": "%", "decimals": 1})]),
    ("an accuracy of 0.743 on the test set", [("0.743", {"kind": Kind.LEVEL, "value": "0.743", "decimals": 3})]),
    ("beats the baseline by 2.0 points", [("2.0", {"kind": Kind.DELTA_ABS, "value": "2.0", "unit": "point"})]),
    ("2.0 points above the baseline", [("2.0", {"kind": Kind.DELTA_ABS, "unit": "point"})]),
    ("5 percentage points higher", [("5", {"kind": Kind.DELTA_ABS, "unit": "pp"})]),
    ("lowers accuracy by 1.2 points", [("1.2", {"kind": Kind.DELTA_ABS})]),
    ("a relative improvement of 19.8%", [("19.8", {"kind": Kind.DELTA_REL, "unit": "%"})]),
    ("improved by 12%", [("12", {"kind": Kind.DELTA_REL, "unit": "%"})]),
    ("an absolute gain of 3.1%", [("3.1", {"kind": Kind.DELTA_ABS, "unit": "%"})]),
    ("15% lower error", [("15", {"kind": Kind.DELTA_REL})]),
    ("a 15% reduction in cost", [("15", {"kind": Kind.DELTA_REL})]),
    ("improves over the baseline by 2.3", [("2.3", {"kind": Kind.DELTA_ABS})]),
    ("a change of +2.3", [("+2.3", {"kind": Kind.DELTA_ABS, "value": "2.3"})]),
    ("it is 3x faster", [("3", {"kind": Kind.RATIO, "value": "3"})]),
    ("it is 3.5× faster", [("3.5", {"kind": Kind.RATIO, "value": "3.5"})]),
    ("5 times faster than before", [("5", {"kind": Kind.RATIO})]),
    ("we repeat this 5 times", [("5", {"kind": Kind.COUNT, "noun": "times"})]),
    ("a factor of 4", [("4", {"kind": Kind.RATIO})]),
    ("twice as fast", [("twice", {"kind": Kind.RATIO, "value": "2"})]),
    ("a 3-fold increase", [("3", {"kind": Kind.RATIO})]),
    ("10-fold cross-validation", [("10", {"kind": Kind.COUNT, "noun": "fold"})]),
    ("42% of the errors", [("42", {"kind": Kind.SHARE})]),
    ("half of the errors", [("half", {"kind": Kind.SHARE, "value": "0.5"})]),
    ("257 papers were read", [("257", {"kind": Kind.COUNT, "noun": "papers"})]),
    ("5,000 questions", [("5,000", {"kind": Kind.COUNT, "value": "5000", "decimals": 0})]),
    ("5\u2009000 questions", [("5\u2009000", {"value": "5000"})]),
    ("1,234,567.8 of it", [("1,234,567.8", {"value": "1234567.8"})]),
    ("5k samples", [("5k", {"value": "5000", "decimals": -3, "kind": Kind.COUNT})]),
    ("1.2 million tokens", [("1.2 million", {"value": "1200000", "decimals": -5, "noun": "tokens"})]),
    ("a model of 70B parameters", [("70B", {"value": "70000000000", "kind": Kind.COUNT})]),
    ("three contributions", [("three", {"kind": Kind.COUNT, "value": "3", "noun": "contributions"})]),
    ("Twenty-three datasets", [("Twenty-three", {"value": "23", "noun": "datasets"})]),
    ("two hundred and fifty users", [("two hundred and fifty", {"value": "250"})]),
    ("n = 38", [("38", {"kind": Kind.COUNT, "symbol": "n"})]),
    ("8 out of 22 (38.4%)", [("8 out of 22", {"kind": Kind.COUNT, "value": "8", "denominator": "22"}), ("38.4", {"unit": "%"})]),
    ("8/22 of them", [("8/22", {"value": "8", "denominator": "22"})]),
    ("3 of the 12 runs", [("3 of the 12", {"value": "3", "denominator": "12"})]),
    ("ages 20-35", [("20-35", {"kind": Kind.RANGE, "endpoints": ("20", "35")})]),
    ("20–35 ms", [("20–35", {"kind": Kind.RANGE, "unit": "ms"})]),
    ("ranging from 20 to 35 years", [("20 to 35", {"kind": Kind.RANGE, "unit": "year"})]),
    ("between 10 and 20 ms", [("10 and 20", {"kind": Kind.RANGE, "unit": "ms"})]),
    ("rises from 62.0 to 74.3", [("62.0", {"kind": Kind.LEVEL}), ("74.3", {"kind": Kind.LEVEL})]),
    ("scores lie in [0.57, 0.79]", [("0.57, 0.79", {"kind": Kind.RANGE, "endpoints": ("0.57", "0.79")})]),
    ("95% CI [4.36, 4.96]", [("95", {"kind": Kind.IDENTIFIER}), ("4.36, 4.96", {"kind": Kind.CI, "confidence": "95"})]),
    ("(95% CI 1.1 to 2.0)", [("1.1 to 2.0", {"kind": Kind.CI, "confidence": "95"})]),
    ("95% confidence interval: 1.1–2.0", [("1.1–2.0", {"kind": Kind.CI})]),
    ("accuracy of 74.3 ± 0.2%", [("74.3", {"spread": "0.2"})]),
    ("0.743±0.02", [("0.743", {"spread": "0.02"})]),
    ("an F1 of 0.74 (0.06)", [("0.74", {"spread": "0.06"})]),
    ("M = 3.49 (SD = 0.80)", [("3.49", {"kind": Kind.LEVEL, "spread": "0.80"})]),
    ("a mass of 1.234(5) kg", [("1.234(5)", {"value": "1.234", "spread": "0.005", "unit": "kg"})]),
    ("SD = 0.6", [("0.6", {"kind": Kind.SPREAD})]),
    ("p < .05", [(".05", {"kind": Kind.P, "bound": Bound.LESS, "value": "0.05"})]),
    ("p=.020", [(".020", {"kind": Kind.P, "decimals": 3, "bound": None})]),
    ("a p-value of 0.03", [("0.03", {"kind": Kind.P})]),
    ("t(36)=2.43", [("36", {"kind": Kind.STATISTIC, "symbol": "df"}), ("2.43", {"kind": Kind.STATISTIC, "symbol": "t"})]),
    ("F(2, 57) = 3.11", [("57", {"symbol": "df"}), ("3.11", {"kind": Kind.STATISTIC})]),
    ("χ²(1, N = 90) = 0.89", [("1", {"symbol": "df"}), ("0.89", {"kind": Kind.STATISTIC})]),
    ("rate of 3×10^-4 for all", [("3×10^-4", {"value": "0.0003", "decimals": 4})]),
    ("rate of 3 × 10⁻⁴", [("3 × 10⁻⁴", {"value": "0.0003"})]),
    ("a p of 1.5×10^-7", [("1.5×10^-7", {"value": "0.00000015"})]),
    ("weight decay 1e-4", [("1e-4", {"value": "0.0001"})]),
    ("10^-2 is enough", [("10^-2", {"value": "0.01"})]),
    ("in 2019 we moved", [("2019", {"kind": Kind.YEAR})]),
    ("March 2024 and June 2024", [("2024", {"kind": Kind.YEAR})]),
    ("(Smith, 2020)", [("2020", {"kind": Kind.YEAR})]),
    ("the 1990s", [("1990s", {"kind": Kind.YEAR})]),
    ("from 2010-2015", [("2010", {"kind": Kind.YEAR}), ("2015", {"kind": Kind.YEAR})]),
    ("on 2024-03-12 it ended", [("2024-03-12", {"kind": Kind.YEAR, "value": "2024"})]),
    ("a hidden size of 2048", [("2048", {"kind": Kind.LEVEL})]),
    ("in 2000 samples", [("2000", {"kind": Kind.COUNT})]),
    ("more than 700,000 users", [("700,000", {"bound": Bound.GREATER})]),
    ("at least 3 runs", [("3", {"bound": Bound.AT_LEAST})]),
    ("up to 8 GPUs", [("8", {"bound": Bound.AT_MOST, "noun": "GPUs"})]),
    ("≤ 0.5", [("0.5", {"bound": Bound.AT_MOST})]),
    ("100+ pages", [("100", {"bound": Bound.AT_LEAST})]),
    ("averaged over 3 seeds", [("3", {"bound": None, "noun": "seeds"})]),
    ("with over 300 users", [("300", {"bound": Bound.GREATER})]),
    ("about 700,000 items", [("700,000", {"approximate": True, "lower": "650000", "upper": "750000"})]),
    ("~ 230 items", [("230", {"approximate": True})]),
    ("lower than that of Mix (18.9 ms)", [("18.9", {"bound": None, "unit": "ms"})]),
    ("not 5 but 6", [("5", {"negated": True}), ("6", {"negated": False})]),
    ("a value of -3.2", [("-3.2", {"value": "-3.2"})]),
    ("a value of −0.5", [("−0.5", {"value": "-0.5"})]),
    ("12.4 ms per query", [("12.4", {"unit": "ms/query"})]),
    ("120 tokens/s", [("120", {"unit": "token/s"})]),
    ("10.5 GB/s", [("10.5", {"unit": "GB/s"})]),
    ("$12.50 each", [("12.50", {"unit": "$"})]),
    ("it costs $5M", [("5M", {"value": "5000000", "unit": "$"})]),
    ("5 m long", [("5", {"unit": "m"})]),
    ("a 2-hour session", [("2", {"unit": "h"})]),
    ("a 12-layer network", [("12", {"kind": Kind.COUNT, "noun": "layer"})]),
    ("8 A100 GPUs", [("8", {"kind": Kind.COUNT, "unit": None})]),
    ("12.1/13.4", [("12.1", {"kind": Kind.LEVEL}), ("13.4", {"kind": Kind.LEVEL})]),
    ("all p < 10^-4) and", [("10^-4", {"kind": Kind.P, "value": "0.0001"})]),
    ("the interval [0, 255]", [("0, 255", {"kind": Kind.RANGE})]),
    ("a 94% HDI of [0.47, 0.69]", [("0.47, 0.69", {"kind": Kind.CI, "confidence": "94"})]),
    ("we set t = 5", [("5", {"kind": Kind.LEVEL, "symbol": "t"})]),
    ("with R=1 and β=6.0", [("1", {"kind": Kind.LEVEL}), ("6.0", {"kind": Kind.LEVEL})]),
    ("In 1978 Alan left", [("1978", {"kind": Kind.YEAR})]),
    ("a density of 2.9 g/cm^3 here", [("2.9", {"unit": "g/cm^3"})]),
    ("two lower case letters", [("two", {"kind": Kind.COUNT})]),
    ("137+97 = ~230", [("137", {"value": "137"}), ("97", {"value": "97"}), ("230", {"approximate": True})]),
]  # fmt: skip


def _plain(quantity: Quantity, name: str) -> object:
    value = getattr(quantity, name)
    if name == "unit":
        return value.symbol if value is not None else None
    if name in ("spread", "denominator"):
        return value.value if value is not None else None
    if name == "endpoints":
        return tuple(part.value for part in value) if value is not None else None
    return value


def _expected(name: str, wanted: object) -> object:
    if name in ("value", "spread", "denominator", "lower", "upper", "confidence") and isinstance(wanted, str):
        return Decimal(wanted)
    if name == "endpoints" and isinstance(wanted, tuple):
        return tuple(Decimal(part) for part in wanted)
    return wanted


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_number_is_read_with_all_it_says(text: str, expected: list[tuple[str, dict[str, object]]]) -> None:
    found = quantities(text)
    for part, wanted in expected:
        hits = [quantity for quantity in found if quantity.text == part]
        assert hits, f"{part!r} is not among {[quantity.text for quantity in found]}"
        for name, value in wanted.items():
            assert _plain(hits[0], name) == _expected(name, value), (name, hits[0])


def test_offsets_are_exact_slices() -> None:
    for text, _ in CASES:
        for quantity in quantities(text):
            assert text[quantity.start : quantity.end] == quantity.text
            assert quantity.start <= quantity.end <= len(text)
            if quantity.unit is not None:
                assert 0 <= quantity.unit_start < quantity.unit_end <= len(text)


def test_a_rounding_interval_holds_both_ways_of_rounding() -> None:
    (quantity,) = quantities("a score of 74.3")
    assert (quantity.lower, quantity.upper) == (Decimal("74.25"), Decimal("74.35"))
    assert quantity.allows(Decimal("74.25"))
    assert quantity.allows(Decimal("74.35"))
    assert not quantity.allows(Decimal("74.36"))
