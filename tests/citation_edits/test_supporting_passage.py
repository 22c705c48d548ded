"""Passages that support a sentence: found with their words, or not confirmed, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.support import SupportKind, supporting_passage

ABSTRACT = (
    "Bees sleep for about 5 to 8 hours a day. We measured the sleep of foraging honey bees under artificial light at night. "
    "Artificial light reduced the duration of sleep by 23%, e.g. in older foragers. Colonies recovered within three days. "
    "The waggle dance was not affected."
)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Artificial light at night reduces the sleep of honey bees \ue000.", "We measured the sleep"),
        ("Light shortened the duration of sleep by 23% in foragers \ue000.", "Artificial light reduced"),
        ("Colonies are known to recover within days \ue000.", "Colonies recovered"),
    ],
)
def test_a_passage_is_quoted_word_for_word(sentence: str, quote: str) -> None:
    support = supporting_passage(sentence, ABSTRACT)
    assert support.kind is SupportKind.FOUND
    assert support.quote.startswith(quote)
    assert ABSTRACT[support.start : support.end].strip() == support.quote
    assert support.text.startswith("Supporting passage found: “")


@pytest.mark.parametrize(
    ("sentence", "text", "reason"),
    [
        ("Light reduced the duration of sleep by 32% in foragers.", ABSTRACT, "only the abstract"),
        ("Graph networks predict molecular properties well.", ABSTRACT, "only the abstract"),
        ("Bees sleep.", ABSTRACT, "says too little"),
        ("Artificial light at night reduces the sleep of bees.", " ", "no text"),
    ],
)
def test_what_is_not_confirmed_is_said_with_its_reason(sentence: str, text: str, reason: str) -> None:
    support = supporting_passage(sentence, text)
    assert support.kind is SupportKind.NOT_CONFIRMED
    assert reason in support.reason
    assert not support.quote
    assert "not support" not in support.text


def test_a_whole_text_is_called_one() -> None:
    assert "no passage" in supporting_passage("Whales sing long songs at dawn.", ABSTRACT, abstract=False).reason


@given(st.text(max_size=80), st.text(max_size=200))
@settings(max_examples=150)
def test_any_texts(sentence: str, text: str) -> None:
    support = supporting_passage(sentence, text)
    assert text[support.start : support.end].strip() == support.quote
