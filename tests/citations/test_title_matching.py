"""Titles: the cases on which citation checkers are known to differ, and what must hold for any title."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.plaintext import plain_text
from analyzers.citations.titles import TitleMatch, compare_titles, title_key, title_numbers

AGREES = {TitleMatch.SAME}
WARNS = {TitleMatch.CHANGED, TitleMatch.SUBTITLE}
DIFFERS = {TitleMatch.DIFFERENT, TitleMatch.RELATED}
BERT = "BERT: Pre-training of Deep Bidirectional Transformers"
CHINESE = "基于深度学习的文本分类研究综述"
CASES = [
    ("braces", "{BERT}: Pre-training of {D}eep Bidirectional Transformers", BERT, AGREES),
    (
        "subtitle omitted",
        "On the Dangers of Stochastic Parrots",
        "On the Dangers of Stochastic Parrots: Can Language Models Be Too Big?",
        WARNS,
    ),
    ("prefix of another work", "Deep Learning", "Deep Learning for Computer Vision: A Brief Review", DIFFERS),
    (
        "one word changed",
        "BiasAdv: Bias-Adversarial Augmentation towards Model Debiasing",
        "BiasAdv: Bias-Adversarial Augmentation for Model Debiasing",
        WARNS,
    ),
    ("title extended", "Attention Is All You Need", "Attention Is All You Need In Speech Separation", DIFFERS),
    (
        "part I and II",
        "Lattice methods for quantum chromodynamics, Part I",
        "Lattice methods for quantum chromodynamics, Part II",
        DIFFERS,
    ),
    (
        "accents",
        r"On a problem of Erd{\H o}s and Tur{\'a}n: {\L}ojasiewicz sets",
        "On a problem of Erdős and Turán: Łojasiewicz sets",
        AGREES,
    ),
    (
        "hyphen",
        "Pre-trained Language Models for Text Generation",
        "Pretrained Language Models for Text Generation",
        AGREES,
    ),
    ("HTML entity", r"Q\&A systems for medical search", "Q&amp;A systems for medical search", AGREES),
    ("mathematics", r"Learning with $\alpha$-stable noise", "Learning with α-stable noise", AGREES),
    ("version number", "GPT-3 Technical Report", "GPT-4 Technical Report", DIFFERS),
    (
        "British spelling",
        "Optimisation of Neural Behaviour Modelling",
        "Optimization of Neural Behavior Modeling",
        AGREES,
    ),
    ("Chinese, same", CHINESE, CHINESE, AGREES),
    ("Chinese, other work", CHINESE, "图神经网络在药物发现中的应用", DIFFERS),
    ("words reordered", "Language Models are Few-Shot Learners", "Few-Shot Learners are Language Models", DIFFERS),
    ("superset", "Graph Neural Networks", "Graph Neural Networks for Molecular Property Prediction", DIFFERS),
    (
        "chimera",
        "Attention-Guided Residual Pre-training for Bidirectional Image Recognition",
        "Deep Residual Learning for Image Recognition",
        DIFFERS,
    ),
    # Beyond the table.
    ("ordinals", "The Fifth Workshop on Social Web Search", "The Sixth Workshop on Social Web Search", DIFFERS),
    ("kind of paper", "Position: Forecasts Need Uncertainty", "Forecasts Need Uncertainty", WARNS),
    ("superscripts", r"Re$^{2}$TAL: Rewiring Models", "Re2TAL: Rewiring Models", AGREES),
    ("spelt-out mathematics", r"A {\textdollar}{\textbackslash}ell{\_}1{\textdollar} Bound", "A ℓ1 Bound", AGREES),
    ("notation", "Minimax O(sqrt(T)) regret for bandits", r"Minimax $O(\sqrt{T})$ regret for bandits", AGREES),
    ("tags", "Growth of <i>E. coli</i> in CO<sub>2</sub>", "Growth of E. coli in CO2", AGREES),
    ("C++", "Parsing C++ Templates", "Parsing C Templates", WARNS | DIFFERS),
    ("Japanese voicing", "かき氷の作り方と歴史", "がき氷の作り方と歴史", WARNS | DIFFERS),
    ("Cyrillic", "Теория вероятностей", "Теория чисел", DIFFERS),
    ("empty", "", "Anything", DIFFERS),
]


@pytest.mark.parametrize(("given_title", "found_title", "expected"), [pytest.param(*c[1:], id=c[0]) for c in CASES])
def test_case(given_title: str, found_title: str, expected: set[TitleMatch]) -> None:
    assert compare_titles(plain_text(given_title), plain_text(found_title)).match in expected


def test_changed_words_are_reported() -> None:
    comparison = compare_titles(
        "Mixing Predictions towards Online Metric Algorithms", "Mixing Predictions for Online Metric Algorithms"
    )
    assert comparison.changed == (("towards", "for"),)


def test_numbers_include_numerals() -> None:
    assert title_numbers("Part II of the Third GPT-4 Report, v02") == ("2", "3", "4", "2")


TITLES = st.text(st.characters(codec="utf-8"), max_size=60) | st.lists(
    st.sampled_from("deep learning for GPT-3 II: graph 深 度 α neural? networks (extended) modelling".split()),
    max_size=9,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(TITLES, TITLES)
def test_comparison_is_symmetric_in_its_verdict(left: str, right: str) -> None:
    assert compare_titles(left, right).match is compare_titles(right, left).match


@settings(max_examples=100, deadline=None)
@given(TITLES)
def test_title_equals_itself_in_capitals(title: str) -> None:
    if title_key(title) and title.upper().lower() == title.lower():
        assert compare_titles(title, title.upper()).match is TitleMatch.SAME


def test_long_titles_are_not_quadratic() -> None:
    comparison = compare_titles("word " * 40_000, "ward: " * 40_000)
    assert comparison.match is TitleMatch.DIFFERENT
