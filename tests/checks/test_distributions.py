"""The tails against scipy, over the sizes that papers report."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analyzers.facts import distributions

DEGREES = st.floats(min_value=0.5, max_value=5_000)


def close(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=1e-8, abs_tol=1e-13)


@settings(max_examples=150, deadline=None)
@given(st.floats(min_value=-8, max_value=30))
def test_normal(z: float) -> None:
    assert close(distributions.normal_tail(z), float(stats.norm.sf(z)))


@settings(max_examples=200, deadline=None)
@given(st.floats(min_value=-20, max_value=20), DEGREES)
def test_t(t: float, df: float) -> None:
    assert close(distributions.t_tail(t, df), float(stats.t.sf(t, df)))


@settings(max_examples=200, deadline=None)
@given(st.floats(min_value=0, max_value=200), DEGREES, DEGREES)
def test_f(f: float, df1: float, df2: float) -> None:
    assert close(distributions.f_tail(f, df1, df2), float(stats.f.sf(f, df1, df2)))


@settings(max_examples=200, deadline=None)
@given(st.floats(min_value=0, max_value=6_000), DEGREES)
def test_chi2(x: float, df: float) -> None:
    assert close(distributions.chi2_tail(x, df), float(stats.chi2.sf(x, df)))


@pytest.mark.parametrize(("r", "df"), [(0.31, 48), (-0.2, 10), (0.9, 3), (0.0, 20)])
def test_correlation_is_a_t_test(r: float, df: float) -> None:
    t = r * math.sqrt(df / (1 - r * r))
    assert close(distributions.correlation_tail(r, df), float(stats.t.sf(t, df)))


@pytest.mark.parametrize("r", [1.0, -1.0])
def test_perfect_correlation(r: float) -> None:
    assert distributions.correlation_tail(r, 5) == (0.0 if r > 0 else 1.0)


@pytest.mark.parametrize(
    "tail",
    [lambda: distributions.t_tail(1, 0), lambda: distributions.f_tail(1, 0, 3), lambda: distributions.chi2_tail(1, -1)],
)
def test_no_degrees_of_freedom(tail: object) -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        tail()  # type: ignore[operator]
