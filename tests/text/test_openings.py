"""Openings say how the matches of an expression begin; the cues found with them are those that searching finds."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.graph.cues import lexicon
from analyzers.text.openings import REACH, Openings, openings

CASES = [
    ("we (?:also |further )?(?:propose|present)d?", {"we "}),
    ("corpus|corpora", {"corpus", "corpor"}),
    (r"\banswer(?:yes|no)\b", {"answer"}),
    ("impl(?:y|ies)", {"imply", "implie"}),
    ("(?:in )?this (?:paper)", {"in ", "this "}),
    ("analys[ei]s", {"analys"}),
    ("hyper-?parameters?", {"hyper ", "hyperp"}),
    (r"vs\.?", {"vs", "vs "}),
    (r"more \w+ than", {"more "}),
    (r"\w+ly", {""}),
    ("[^a]b", {""}),
    ("[a-z]x", {""}),
    ("a{2}b", {"a"}),
    ("a{0,2}b", {"a", "b"}),
    ("(?=so)so", {""}),
]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_openings(expression: str, expected: set[str]) -> None:
    assert openings(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("we (?:also |further )?(?:propose|present)d?", {"we al", "we fu", "we pr"}),
        ("corpus|corpora", {"corpus", "corpor"}),
        ("(?:in )?this (?:paper)", {"in th", "this pa"}),
        (r"is \w+ than", {"is "}),
        ("as a(?: whole)?", {"as a", "as a "}),
        ("the [ab]", {"the a", "the b"}),
        ("the a*b", {"the a", "the b"}),
    ],
)
def test_openings_that_reach_into_the_second_word(expression: str, expected: set[str]) -> None:
    assert openings(expression, REACH) == expected


def test_what_follows_a_word_rules_kinds_out() -> None:
    kinds = Openings([(1, ["the rest of"]), (2, ["the"]), (4, ["then"]), (8, [r"the \w+"])])
    assert kinds.of("the") == 11
    assert kinds.further("the re") == 11
    assert kinds.further("the be") == 10
    assert kinds.further("the-re") == 11
    assert kinds.further("the") == 2


def test_whole_words_only_where_an_expression_ends_a_word() -> None:
    kinds = Openings([(1, ["we show"]), (2, ["well"]), (4, ["wel(?:l|d)"])])
    assert kinds.of("we") == 1
    assert kinds.of("well") == 6
    assert kinds.of("weld") == 4
    assert kinds.of("show") == 0


_WORDS = {
    language: sorted(
        {word for _, pattern in found.patterns for word in re.findall(r"[a-zäöüß]{2,}", pattern.pattern)} | {"of", "a", "3", "%", "x-y", ",", "(", "vs.", "p < 0.05", "–", "é", "\u00a0"}
    )
    for language in ("en", "de")
    if (found := lexicon(language)) is not None
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
@given(data=st.data())
@settings(max_examples=400, deadline=None)
def test_cues_are_those_that_searching_finds(language: str, data: st.DataObject) -> None:
    # Few words that come again and again, so that a cue may begin at the second place of a word.
    few = data.draw(st.lists(st.sampled_from(_WORDS[language]), min_size=1, max_size=5))
    words = data.draw(st.lists(st.sampled_from(few), max_size=14))
    glue = data.draw(st.sampled_from([" ", " ", "-", ""]))
    text = glue.join(words).capitalize()
    found = lexicon(language)
    assert found is not None
    searched = sum(cue for cue, pattern in found.patterns if pattern.search(text.lower()))
    assert found.cues(text) == searched


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_cue_is_found_at_a_later_place_of_its_first_word(language: str) -> None:
    found = lexicon(language)
    assert found is not None
    tried = 0
    for _, pattern in found.patterns:
        for phrase in re.findall(r"[a-zäöüß]+ [a-zäöüß ]+(?=[|)])", pattern.pattern):
            text = f"{phrase.split()[0]} xx {phrase} yy"
            searched = sum(cue for cue, other in found.patterns if other.search(text))
            assert found.cues(text) == searched, text
            tried += searched > 0
    assert tried > 10


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_cue_begins_with_a_word(language: str) -> None:
    """A cue that began with a sign could match behind a word, where nobody looks."""
    found = lexicon(language)
    assert found is not None
    for _, pattern in found.patterns:
        inner = pattern.pattern.removeprefix(r"\b(?:").removesuffix(r")(?!\w)")
        assert not any(opening.startswith(" ") for opening in openings(inner)), pattern.pattern
