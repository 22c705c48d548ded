"""A corrected number looks like the one it replaces."""

from decimal import Decimal

import pytest

from analyzers.facts.quantities import like, rounded

CASES = [
    ("5{,}000", "4321", "4{,}321"),
    (r"5\,000", "4321", r"4\,321"),
    ("5,000", "12000", "12,000"),
    ("1,000", "999", "999"),
    (".020", "0.0312", ".031"),
    ("0.020", "0.0312", "0.031"),
    ("1,234.5", "98765.43", "98,765.4"),
    (r"3\times10^{-4}", "0.0007", r"7\times10^{-4}"),
    ("3×10^-4", "0.0007", "7×10^-4"),
    ("1e-4", "0.0002", "2e-4"),
    ("-0.3", "0.25", "0.3"),
    ("−0.5", "-0.7", "−0.7"),
    ("+2.3", "1.9", "+1.9"),
    ("5k", "7400", "7k"),
    ("0,57", "0.614", "0,61"),
    ("74.3", "74.25", "74.3"),
    ("12", "13.4", "13"),
]


@pytest.mark.parametrize(("original", "value", "expected"), CASES)
def test_like(original: str, value: str, expected: str) -> None:
    assert like(original, Decimal(value)) == expected


def test_decimals_can_be_given() -> None:
    assert like("74.3", Decimal("75.678"), 2) == "75.68"


def test_rounding_of_whole_places() -> None:
    assert rounded(Decimal(137_512), -3) == Decimal(138_000)
    assert rounded(Decimal("2.5"), 0, half_even=True) == 2
