"""Gates tell from the words of a text which phrases may occur: never fewer than those that do."""

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.facts.macros import Macros
from analyzers.facts.vocabulary import Gate, longest_word, prose_words, source_words, words_in
from analyzers.text.document import Document

_PHRASES = ("give a good score", "your ", "weak", "x", "in-depth", "über", "评价")


@given(
    st.lists(
        st.lists(
            st.sampled_from([*_PHRASES, "weakness", "Yours", "score", "ed", "-", " ", "\n", "优评价"]), max_size=6
        ),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=100, deadline=None)
def test_no_phrase_is_missed(texts: list[list[str]]) -> None:
    longest = {phrase: longest_word(phrase) for phrase in _PHRASES}
    gate = Gate(longest.values())
    for pieces in texts:
        text = "".join(pieces)
        present = gate.pieces(words_in(text))
        assert gate.opens(words_in(text)) == bool(present)
        for phrase in _PHRASES:
            if phrase in text.lower():
                assert longest[phrase] in present
        for word in present:
            assert word in text.lower()


def test_answers_do_not_change_when_many_words_went_by() -> None:
    gate = Gate(["beat"])
    assert gate.opens(frozenset({"beats"}))
    for start in range(0, 60_000, 20_000):
        gate.opens(frozenset(f"w{number}" for number in range(start, start + 20_000)))
    assert gate.opens(frozenset({"beats"}))
    assert not gate.opens(frozenset({"w1", "w59999"}))


def test_words_of_source_and_prose() -> None:
    block = Document("A \\textbf{b}old % note\nWord.").blocks[0]
    assert {"textbf", "note", "word"} <= source_words(block)
    assert prose_words(block, Macros()) == {"a", "bold", "word"}


def test_longest_word() -> None:
    assert longest_word("in-depth review") == "review"
    assert longest_word("...") == ""
