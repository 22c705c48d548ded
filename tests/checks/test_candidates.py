"""Candidate checks: pairs with the right places, few of them, and none among neighbours."""

import pytest

from analyzers.checks.con004_negated_restatement import negations
from analyzers.checks.con005_antonym_flip import flips
from analyzers.checks.con006_scope_flip import scopes
from analyzers.checks.con_pairs import Cue, lemma
from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Candidate

FILLER = "\n\n".join(f"The weather in {city} was pleasant and dry in May." for city in ("Rome", "Oslo", "Bern", "Riga"))


def candidates(first: str, second: str, *codes: str, between: str = FILLER) -> tuple[Candidate, ...]:
    manuscript = manuscript_of({"main.tex": f"{first}\n\n{between}\n\n{second}\n"})
    return analyse(manuscript, Configuration(select=codes), candidates=True).candidates


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The method requires no fine-tuning of the expert layers.", "We fine-tune all expert layers before testing."),
        (
            "All expert layers stay frozen while the gate is trained.",
            "In this stage we update all expert layers and the gate.",
        ),
        (
            "The gating network is not normalised before routing tokens.",
            "Before routing tokens, we normalise the gating network.",
        ),
        (
            "Routing works without calibration of the gating network.",
            "Routing tokens needs calibration of the gating network.",
        ),
    ],
)
def test_negated_restatements(first: str, second: str) -> None:
    found = candidates(first, second, "CON004")
    assert len(found) == 1
    assert len(found[0].places) == 2
    assert 0 < found[0].score <= 0.95


def test_negation_on_both_sides_is_no_contradiction() -> None:
    assert candidates("The gating network is not normalised.", "We never normalise the gating network.", "CON004") == ()


def test_negation_cues() -> None:
    cues = set(negations("The method requires no retraining of the sensors."))
    assert Cue(lemma("retraining"), 1) in cues
    assert Cue(lemma("method"), 0) in cues
    assert Cue(lemma("fine-tuning"), 0) not in cues


def test_antonym_cues_need_one_side_only() -> None:
    assert {cue.side for cue in flips("The error increases with depth.")} == {0}
    assert {cue.side for cue in flips("The error decreases with depth.")} == {1}
    assert flips("The error first increases and then decreases.") == ()


def test_scope_cues() -> None:
    assert Cue(lemma("layers"), 1) in scopes("We train all layers.")
    assert Cue(lemma("layers"), 0) in scopes("We train only the layers of the gate.")


def test_opposite_directions() -> None:
    first = "The calibration error of the gating network increases with the number of experts."
    second = "With the number of experts, the calibration error of the gating network decreases."
    (pair,) = candidates(first, second, "CON005")
    assert "opposite words" in pair.reason


def test_neighbours_contrast_on_purpose() -> None:
    first = "The calibration error of the gating network increases with the number of experts."
    second = "With fewer experts, the calibration error of the gating network decreases."
    manuscript = manuscript_of({"main.tex": f"{first} {second}\n"})
    assert analyse(manuscript, Configuration(select=("CON005",)), candidates=True).candidates == ()


def test_candidates_are_few() -> None:
    pairs = [
        (
            f"The module {name} requires no fine-tuning of its {name} layers.",
            f"We fine-tune the {name} layers of the module {name} twice.",
        )
        for name in (
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "sigma",
        )
    ]
    first, second = "\n\n".join(one for one, _ in pairs), "\n\n".join(other for _, other in pairs)
    assert 0 < len(candidates(first, second, "CON004", "CON005", "CON006", "NUM010")) <= 15


def test_candidates_never_become_findings() -> None:
    manuscript = manuscript_of(
        {"main.tex": "The method requires no fine-tuning of the expert layers.\n\nWe fine-tune all expert layers."}
    )
    analysis = analyse(manuscript, Configuration(select=("CON004", "CON005", "CON006", "NUM010")), candidates=True)
    assert analysis.findings == ()
