"""The published citation metric with its faults, and ours beside it."""

import pytest

from analyzers.citations.metrics import (
    cited_keys,
    corrected_scores,
    entry_keys,
    published_entries,
    published_formula,
    published_keys,
    published_scores,
)


def paper(body: str) -> str:
    return "\\documentclass{article}\n\\begin{document}\n" + body + "\n\\end{document}\n"


FAULTS = [
    ("capital", r"\Citet{a}", set(), {"a"}),
    ("multicite", r"\cites{a}{b}", {"a"}, {"a", "b"}),
    ("apacite", r"\cite<p.~3>{a}", set(), {"a"}),
    ("nested brackets", r"\citep[{[sic]}]{a}", set(), {"a"}),
    ("comment before the key", "\\cite%\n{a}", set(), {"a"}),
    ("style command", r"\setcitestyle{numbers}", {"numbers"}, set()),
    ("commented", "x % \\cite{a}", {"a"}, set()),
    ("verbatim", r"\verb|\cite{a}|", {"a"}, set()),
    ("plain", r"\citep[see][p.~3]{a, b} \nocite{c}", {"a", "b"}, {"a", "b"}),
]


@pytest.mark.parametrize(("body", "published", "corrected"), [pytest.param(*case[1:], id=case[0]) for case in FAULTS])
def test_keys(body: str, published: set[str], corrected: set[str]) -> None:
    assert published_keys(paper(body)) == published
    assert cited_keys(paper(body)) == corrected


def test_wrappers_are_followed() -> None:
    assert cited_keys(paper(r"\newcommand{\mycite}[1]{\citep{#1}} \mycite{a}")) == {"a"}


BIB = '@string{icml = "ICML"}\n@article{a1, title={x}}\n@article {a2, title={x}}\n@article(a3, title={x})'


def test_entries() -> None:
    assert published_entries("", BIB) == {'icml = "ICML"}\n@article{a1'}
    assert entry_keys("", BIB) == {"a1", "a2", "a3"}
    embedded = "\\begin{filecontents*}[overwrite]{refs.bib}\n@misc{b1, title={y}}\n\\end{filecontents*}"
    assert "b1" in published_entries(embedded, "")
    assert entry_keys(embedded, BIB) == {"a1", "a2", "a3", "b1"}


TRUTH = paper(r"\cite{a,b,c}")
PREDICTED = paper(r"\cite{a,d} \citet{e}")
REFERENCES = "@misc{a, title={x}}\n@misc{d, title={x}}\n"


def test_program_and_formula_differ() -> None:
    program = published_scores(TRUTH, PREDICTED, REFERENCES)
    assert (program.precision.value, program.recall.value, program.f1.value) == (0.3333, 0.3333, 0.3333)
    formula = published_formula(TRUTH, PREDICTED, REFERENCES)
    assert formula.precision.value == pytest.approx(2 / 3)
    assert formula.recall.value == pytest.approx(1 / 3)
    corrected = corrected_scores(TRUTH, PREDICTED, REFERENCES)
    assert corrected.precision.value == pytest.approx(1 / 3)
    for scores in (program, formula, corrected):
        assert (scores.common, scores.missing, scores.extra) == (("a",), ("b", "c"), ("d", "e"))
        assert scores.hallucinated == ("e",)


def test_nothing_to_divide() -> None:
    program = published_scores(paper(""), paper(""))
    assert (program.precision.value, program.recall.value, program.f1.value) == (0.0, 0.0, 0.0)
    ours = corrected_scores(paper(""), paper(r"\cite{a}"))
    assert ours.recall.value is None
    assert ours.recall.reason == "the original cites nothing"
    assert ours.f1.value is None
    assert ours.precision.value == 0.0
    assert corrected_scores(paper(r"\cite{b}"), paper(r"\cite{a}")).f1.value == 0.0
