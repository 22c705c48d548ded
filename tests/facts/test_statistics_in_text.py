"""Test statistics, p values, intervals and means as papers print them."""

from decimal import Decimal

import pytest

from analyzers.facts.quantities.statistics import intervals, p_values, summaries
from analyzers.facts.quantities.statistics import test_statistics as statistics_of

TESTS = [
    ("t(36)=2.43, p=.020", "t", ["36"], "2.43", "0.020"),
    ("F(2, 57) = 3.11, p < .05", "F", ["2", "57"], "3.11", "0.05"),
    ("χ²(1, N = 90) = 0.89, p = .35", "χ²", ["1"], "0.89", "0.35"),
    ("χ^2(2)=5.99", "χ²", ["2"], "5.99", None),
    ("r(36) = .34", "r", ["36"], "0.34", None),
    ("z = −2.1 (p = 3×10^-4)", "z", [], "-2.1", "0.0003"),
    ("F_2,57 = 3.1", "F", ["2", "57"], "3.1", None),
    ("t(36.4) = 2.43", "t", ["36.4"], "2.43", None),
]


@pytest.mark.parametrize(("text", "symbol", "df", "value", "p"), TESTS)
def test_a_test_is_read(text: str, symbol: str, df: list[str], value: str, p: str | None) -> None:
    (found,) = statistics_of(text)
    assert found.symbol == symbol
    assert [number.value for number in found.df] == [Decimal(part) for part in df]
    assert found.value.value == Decimal(value)
    assert (found.p.number.value if found.p else None) == (Decimal(p) if p else None)
    for number in (*found.df, found.value, *((found.p.number,) if found.p else ())):
        assert any(character.isdigit() for character in text[number.start : number.end])


@pytest.mark.parametrize("text", ["t = 5 seconds", "Let r = 2 and F = 3", "at(36) = 2", "f(3) = 4", "the set(2) = 1"])
def test_a_formula_is_no_test(text: str) -> None:
    assert statistics_of(text) == ()


def test_a_p_value_belongs_to_the_statistic_before_it() -> None:
    first, second = statistics_of("t(36)=2.43, p=.020, and t(40) = 1.27, p=.212.")
    assert first.p is not None
    assert second.p is not None
    assert (first.p.number.value, second.p.number.value) == (Decimal("0.020"), Decimal("0.212"))


def test_words_that_make_a_p_value_differ_are_noted() -> None:
    assert statistics_of("t(36)=2.43, p=.010 (one-tailed)")[0].sides == 1
    assert statistics_of("a two-sided test, t(36)=2.43")[0].sides == 2
    assert statistics_of("Welch's t(36)=2.43, p=.02")[0].adjusted
    assert not statistics_of("t(36)=2.43, p=.02")[0].adjusted


def test_p_values_in_words_and_with_exponents() -> None:
    text = "p < 1.5×10^-7, a p-value of 0.03, P = .5, and p = 12"
    assert [value.number.value for value in p_values(text)] == [Decimal("1.5E-7"), Decimal("0.03"), Decimal("0.5")]


def test_an_interval_finds_its_estimate() -> None:
    (found,) = intervals("The mean was 4.21 (95% CI [3.86, 4.56]).")
    assert found.estimate is not None
    assert (found.estimate.value, found.low.value, found.high.value) == (
        Decimal("4.21"),
        Decimal("3.86"),
        Decimal("4.56"),
    )
    assert found.confidence == 95


def test_an_interval_of_another_sentence_has_no_estimate() -> None:
    (found,) = intervals("It was 4.21. The interval is wide, with a 95% CI of [3.86, 4.56].")
    assert found.estimate is None


def test_means_with_spread_and_size() -> None:
    text = "The mean rating was 4.21 (n=19), against 3.47 for the baseline (n=19)."
    first, second = summaries(text)
    assert (first.mean.value, first.n and first.n.value) == (Decimal("4.21"), 19)
    assert (second.mean.value, second.n and second.n.value) == (Decimal("3.47"), 19)
    assert first.integer_scale
    (apa,) = summaries("M = 3.49, SD = 0.80, n = 19")
    assert apa.sd is not None
    assert (apa.mean.value, apa.sd.value, apa.n and apa.n.value) == (Decimal("3.49"), Decimal("0.80"), 19)
    assert not apa.integer_scale
