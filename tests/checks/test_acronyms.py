"""Acronyms: which phrases fit, which long forms are one, and what is reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.acronyms import definitions, fits, is_acronym, long_form, same_long

FITTING = (
    ("MoE", "the mixture of experts", "mixture of experts"),
    ("LLM", "We use large language models", "large language models"),
    ("QPO", "a quasi-periodic oscillation", "quasi-periodic oscillation"),
    ("XML", "the extensible markup language", None),
    ("PVS", "in the perivascular space", "perivascular space"),
    ("IID", "independent and identically distributed", "independent and identically distributed"),
    ("CNN", "with a convolutional neural network", "convolutional neural network"),
    ("CI", "a confidence interval", "confidence interval"),
    ("EM", "we report exact match", "exact match"),
    ("EM", "we report the accuracy", None),
    ("GPU", "a fast computer", None),
    ("NLP", "in natural language processing", "natural language processing"),
    ("WER", "the word error rate", "word error rate"),
    ("BLEU", "the bilingual evaluation understudy", "bilingual evaluation understudy"),
    ("SOTA", "the state of the art", "state of the art"),
)
SAME = (
    ("large language model", "Large Language Models"),
    ("mixture-of-experts", "mixture of experts"),
    ("variational auto-encoder", "variational autoencoders"),
    ("convolutional neural network", "deep convolutional neural network"),
    ("normalised mean square error", "normalized mean-squared error"),
    ("independent and identically distributed", "identically and independently distributed"),
    ("Markov chain Monte Carlo", "Markov Chain Monte-Carlo"),
    ("out of distribution", "out-of-distribution"),
)
OTHER = (
    ("mixture of experts", "mixture of evidence"),
    ("retrieval-augmented generation", "random access graph"),
    ("mean absolute error", "maximum absolute error"),
    ("automatic speech recognition", "attack success rate"),
    ("basilar artery", "basal artery"),
)


@pytest.mark.parametrize(("short", "before", "long"), FITTING)
def test_long_form(short: str, before: str, long: str | None) -> None:
    assert long_form(short, before) == long


@pytest.mark.parametrize(("first", "second"), SAME)
def test_variants_are_one(first: str, second: str) -> None:
    assert same_long(first, second)
    assert same_long(second, first)


@pytest.mark.parametrize(("first", "second"), OTHER)
def test_other_long_forms(first: str, second: str) -> None:
    assert not same_long(first, second)
    assert not same_long(second, first)


@given(st.lists(st.from_regex(r"[a-z]{3,9}", fullmatch=True), min_size=2, max_size=6))
def test_initials_always_fit(words: list[str]) -> None:
    assert fits([word[0] for word in words], " ".join(words))


@given(st.text(max_size=60), st.text(max_size=8))
def test_odd_input(before: str, short: str) -> None:
    if is_acronym(short):
        found = long_form(short, before)
        assert found is None or found in before
    assert same_long(before, short) == same_long(short, before)


@pytest.mark.parametrize(
    "text",
    [
        "Retrieval-augmented generation (RAG) helps. We call it retrieval-aware generation (RAG).",
        "\\newacronym{asr}{ASR}{automatic speech recognition}\nThe attack success rate (ASR) is low.",
        "\\DeclareAcronym{asr}{short = ASR, long = automatic speech recognition}\nThe attack success rate (ASR) is low.",
        "\\acrodef{ASR}{automatic speech recognition}\nThe attack success rate (ASR) is low.",
        "ASR (automatic speech recognition) is hard. The attack success rate (ASR) is low.",
        "Automatic speech recognition (ASR; also speech-to-text) is hard. The attack success rate (ASR) is low.",
    ],
)
def test_two_expansions(text: str) -> None:
    flagged = flagged_by("ACR001", text)
    assert len(flagged) == 1
    assert flagged[0] in ("ASR", "RAG")


@pytest.mark.parametrize(
    "text",
    [
        "Retrieval-augmented generation (RAG) helps. Retrieval augmented generation (RAG) again.",
        "We use F1 (F1). The area (AUC) is the area under the curve (AUC).",
        "% The random access graph (RAG)\nRetrieval-augmented generation (RAG) helps.",
        "\\begin{verbatim}random access graph (RAG)\\end{verbatim} Retrieval-augmented generation (RAG) helps.",
    ],
)
def test_one_expansion(text: str) -> None:
    assert flagged_by("ACR001", text) == []


def test_each_further_form_once() -> None:
    text = "Mixture of experts (MoE). Mixture of evidence (MoE). Margin of error (MoE). Mixture of evidence (MoE)."
    assert len(flagged_by("ACR001", text)) == 2


def test_both_sides_are_shown() -> None:
    text = "Mixture of experts (MoE).\n\nMixture of evidence (MoE)."
    finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=("ACR001",))).findings[0]
    assert "mixture of evidence" in finding.message.lower()
    assert "mixture of experts" in finding.message.lower()
    assert finding.related[0].span.start == text.index("MoE")


def test_definitions_hold_exact_offsets() -> None:
    text = "A \\emph{large language model} (\\textsc{LLM}) and a mixture-of-experts (MoE) layer."
    manuscript = manuscript_of({"main.tex": text})
    shorts = [definition.short for _, _, definition in manuscript.located(definitions)]
    assert shorts == ["LLM", "MoE"]


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("\\newacronym{a}{ABC}{alpha beta gamma}\n\\newacronym{d}{DEF}{delta epsilon phi}\n\nUse \\gls{a}.", ["DEF"]),
        ("\\newacronym{a}{ABC}{alpha beta gamma}\n\nUse \\Glspl{a} and \\acrshort{a}.", []),
        ("Use alpha beta gamma (ABC). See \\footnote{alpha beta gamma (ABC)} too.", []),
    ],
)
def test_housekeeping(text: str, flagged: list[str]) -> None:
    assert flagged_by("ACR003", text) == flagged


def test_undefined_needs_the_custom_of_writing_out() -> None:
    text = "A large language model (LLM) and a mixture of experts (MoE).\n\nThe GRB was seen."
    candidates = analyse(
        manuscript_of({"main.tex": text}), Configuration(select=("ACR002",)), candidates=True
    ).candidates
    assert [text[c.places[0].start : c.places[0].end] for c in candidates] == ["The GRB was seen."]
    in_table = text + "\\begin{tabular}{l}GRB\\\\\\end{tabular}"
    assert (
        analyse(manuscript_of({"main.tex": in_table}), Configuration(select=("ACR002",)), candidates=True).candidates
        == ()
    )
