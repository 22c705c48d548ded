"""Statistics recomputed from the text, against scipy and over many wordings."""

from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.estimates import Sample, samples
from analyzers.facts.granularity import deviation_possible, possible_sums
from analyzers.fixes import apply_edits

SCALE = "Participants rated it on a 7-point Likert scale. "
FOUND: dict[str, tuple[tuple[str, str], ...]] = {
    "STA001": (
        ("Groups differed, \\textit{t}(58) = 2.10, \\textit{p} = .004.", ".004"),
        ("There was a main effect ($F(1, 46) = 4.05$, $p = .012$).", ".012"),
        ("It rose, $F_{(2,\\,87)} = 1.11$, $p < .01$.", ".01"),
        ("They were related, $r(98) = .12$, $p = .002$.", ".002"),
        ("It differed, $\\chi^2(2) = 9.21$, $p = .31$.", ".31"),
        ("It differed ($z = 2.58$, $p = 0.05$).", "0.05"),
        ("It did not differ, $t(40) = -3.55$, $p > .05$.", ".05"),
        ("A difference, $t(36)=2.43$, $p$-value $= .2$.", ".2"),
    ),
    "STA002": (
        ("The mean difference was 3.1 ms (95\\% CI: 3.4 to 5.2).", "3.1"),
        ("We found a hazard ratio of 0.82 (95\\% confidence interval, 0.61--0.79).", "0.82"),
        ("Accuracy was 74.3\\% [95\\% CI 75.0, 78.2].", "74.3"),
        ("It scored 12.1 (SD = 1.2, 95\\% CI [9.4, 11.8]).", "12.1"),
    ),
    "STA003": (
        (f"{SCALE}The mean was $M = 4.31$ ($n = 20$).", "4.31"),
        (f"{SCALE}Alpha received an average rating of 5.17 ($N=28$).", "5.17"),
    ),
    "STA005": (
        ("The gain is statistically significant ($p = 0.32$).", "0.32"),
        ("Alpha significantly outperforms Beta, $t(36)=0.40$, $p = .69$.", ".69"),
        ("The difference was not significant, $t(36)=4.40$, $p < .001$.", ".001"),
        ("We observe a nonsignificant effect ($p=.0004$).", ".0004"),
    ),
    "STA006": (
        ("The hazard ratio was 1.4 (95\\% CI 0.9 to 2.2, $p = .003$).", ".003"),
        ("The difference was 2.0 points, 95\\% CI [0.5, 3.5], $p = .41$.", ".41"),
    ),
    "STA008": (
        ("It differs ($p=.000$).", "=.000"),
        ("It differs (p-value = 0.0000).", "= 0.0000"),
    ),
}  # fmt: skip
SILENT: dict[str, tuple[str, ...]] = {
    "STA001": (
        "Groups differed, $t(58) = 2.10$, $p = .040$.",
        "Groups differed, $t(58) = 2.10$, $p = .02$, one-tailed.",
        "Groups differed, $t(58) = 2.10$, $p < .05$.",
        "There was a main effect ($F(1, 46) = 4.05$, $p = .050$).",
        "It differed, $\\chi^2(2, N = 90) = 9.21$, $p = .010$.",
        "It differed ($z = 2.58$, $p = 0.01$).",
        "A permutation test gave $t(36)=2.43$, $p=.3$.",
        "With a Holm-adjusted level, $t(36)=2.43$, $p=.3$.",
        "It differed, $t(36)=2.43$; later, $p=.3$.",
        "We report $F_1(2) = 0.9$ and $p = .5$ of the samples.",
        "The $F(x, y) = 3$ map has $p = 0.2$.",
        "It rose, $z = 6.1$, $p = 1.1 \\times 10^{-9}$.",
        "It rose, $t(36)=2.43$, $p \\approx .03$.",
        "It rose, $t(9)=0.0$, $p = 1.00$.",
    ),
    "STA002": (
        "The mean difference was 3.1 ms (95\\% CI: 2.4 to 5.2).",
        "With $n = 38$ (95\\% CI 2.4 to 5.2) we found more.",
        "It differed, $t(36) = 2.43$, 95\\% CI [0.1, 1.2].",
        "Accuracy was 74\\% [95\\% CI 0.71, 0.78].",
        "It was 5.0 (95\\% CI 5.04 to 6.0).",
        "The 95\\% CI [1.2, 3.4] is wide.",
        "The posterior is 0.69 (SD = 0.06, 94\\% HDI [0.57, 0.79]).",
    ),
    "STA003": (
        f"{SCALE}The mean was $M = 4.30$ ($n = 20$).",
        f"{SCALE}The mean over all trials was 4.31 ($n = 20$).",
        f"{SCALE}The mean age was 24.31 years.",
        "The mean loss was 4.31 ($n = 20$).",
        f"{SCALE}The mean rating was 4.31 ($n = 120$).",
    ),
    "STA005": (
        "The gain is statistically significant ($p = 0.032$).",
        "The gain is not statistically significant ($p = 0.32$).",
        "The gain did not reach significance, $t(36)=0.40$, $p = .69$.",
        "The gain was marginally significant ($p = .07$).",
        "We call a result significant if $p < .001$.",
        "No significance test was run for $p = .3$ of the noise level.",
        "Alpha differs significantly from Beta ($p = .01$) but Gamma does not ($p = .4$).",
        "The first gain is significant; the second has $p = .4$.",
    ),
    "STA006": (
        "The hazard ratio was 1.4 (95\\% CI 1.1 to 2.2, $p = .003$).",
        "The adjusted odds ratio was 1.4 (95\\% CI 0.9 to 2.2, $p = .003$).",
        "The mean was 1.4 (95\\% CI $-0.9$ to 2.2, $p = .003$).",
        "The difference was 1.0 (95\\% CI 0.0 to 2.0, $p = .049$).",
    ),
    "STA008": ("It differs ($p<.001$).", "We use $p = 0.05$ and $q = 0.00$.", "The step is $p = 0.001$."),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "flagged"), [(code, *case) for code, cases in FOUND.items() for case in cases]
)
def test_found(code: str, text: str, flagged: str) -> None:
    assert flagged_by(code, text) == [flagged]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, cases in SILENT.items() for text in cases])
def test_silent(code: str, text: str) -> None:
    assert flagged_by(code, text) == []


@settings(max_examples=80, deadline=None)
@given(st.decimals("0.2", "6", places=2), st.integers(3, 300), st.integers(2, 4))
def test_true_p_values_of_t_are_silent(t: Decimal, df: int, decimals: int) -> None:
    p = 2 * float(stats.t.sf(float(t), df))
    assume(p >= 10.0**-decimals)
    assert flagged_by("STA001", f"They differ, $t({df}) = {t}$, $p = {p:.{decimals}f}$.") == []
    assert flagged_by("STA001", f"They differ, $t({df}) = {t}$, $p = {p / 2:.{decimals + 2}f}$.") == []


@settings(max_examples=60, deadline=None)
@given(st.decimals("0.5", "6", places=2), st.integers(1, 6), st.integers(5, 300))
def test_p_values_of_f(f: Decimal, df1: int, df2: int) -> None:
    p = float(stats.f.sf(float(f), df1, df2))
    assume(0.002 < p < 0.4)
    assert flagged_by("STA001", f"They differ, $F({df1}, {df2}) = {f}$, $p = {p:.3f}$.") == []
    assert flagged_by("STA001", f"They differ, $F({df1}, {df2}) = {f}$, $p = {p + 0.3:.3f}$.") == [f"{p + 0.3:.3f}"]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 7), min_size=3, max_size=60))
def test_real_ratings_are_possible(ratings: list[int]) -> None:
    n = len(ratings)
    mean, deviation = sum(ratings) / n, (sum((r - sum(ratings) / n) ** 2 for r in ratings) / (n - 1)) ** 0.5
    found = list(samples(f"The mean rating was {mean:.2f} (SD = {deviation:.2f}, n = {n})."))
    assert len(found) == 1
    assert sum(ratings) in possible_sums(found[0])
    assert deviation_possible(found[0])


@pytest.mark.parametrize(
    ("mean", "deviation", "n", "possible"),
    [("3.44", "2.47", 18, False), ("3.40", "0.55", 5, True), ("2.00", "0.00", 9, True)],
)
def test_known_deviations(mean: str, deviation: str, n: int, possible: bool) -> None:
    sample: Sample = next(iter(samples(f"mean {mean} (SD = {deviation}, n = {n})")))
    assert deviation_possible(sample) is possible


def test_fix_of_a_p_value() -> None:
    text = "The difference was significant, $t(36)=2.43$, $p=.004$."
    finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=("STA001",))).findings[0]
    fixed = apply_edits(text, finding.fixes[0].edits)
    assert fixed == "The difference was significant, $t(36)=2.43$, $p=.020$."
    assert flagged_by("STA001", fixed) == []
