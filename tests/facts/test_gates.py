"""A gate in front of an expression lets everything through that the expression finds; a word added to one only would fall silent."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.facts import duplicates, number_comparisons, number_superlatives
from analyzers.facts.vocabulary import Gate, words_in

GATED = {
    "restatements": (duplicates._RESTATES, duplicates._RESTATING),
    "comparatives": (number_comparisons._COMPARATIVE, number_comparisons._COMPARING),
    "superlatives": (number_superlatives._SUPERLATIVE, number_superlatives._EXTREME),
}


@pytest.mark.parametrize(("expression", "gate"), GATED.values(), ids=GATED)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_gate_opens_for_what_is_found(expression: re.Pattern[str], gate: Gate, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(expression, alphabet=st.characters(codec="ascii")))
    assert gate.opens(words_in(text))


def test_a_word_that_the_gate_does_not_know_stays_outside() -> None:
    assert not Gate(("outperform",)).opens(words_in("It excels on all tasks"))
