"""Lines on a screen: the underline stands below its range, and nothing of a manuscript steers the terminal."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.report.screen import excerpt, plain, shown, width_of

CASES = [
    ("plain", "a bad word", 2, 5, "a bad word", "  ^^^"),
    ("empty range", "abc", 1, 1, "abc", " ^"),
    ("behind the end", "abc", 9, 12, "abc", "   ^"),
    ("empty line", "", 0, 0, "", "^"),
    ("tab before", "\tab", 1, 3, "    ab", "    ^^"),
    ("tab inside", "a\tb", 0, 3, "a    b", "^^^^^^"),
    ("wide characters", "漢字 ab 漢", 3, 5, "漢字 ab 漢", "     ^^"),
    ("wide range", "a漢字b", 1, 3, "a漢字b", " ^^^^"),
    ("combining marks", "e\u0301e\u0301x", 4, 5, "e\u0301e\u0301x", "  ^"),
    ("a range of a mark only", "e\u0301x", 1, 2, "e\u0301x", " ^"),
    ("escape sequence", "a\x1b[31mb", 6, 7, "a␛[31mb", "      ^"),
    ("direction override", "a\u202eb", 2, 3, "a<U+202E>b", "         ^"),
    ("lone surrogate", "a\ud800b", 2, 3, "a<U+D800>b", "         ^"),
    ("non-BMP", "𝔸b", 1, 2, "𝔸b", " ^"),
]


@pytest.mark.parametrize(
    ("line", "start", "end", "text", "underline"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_excerpt(line: str, start: int, end: int, text: str, underline: str) -> None:
    found = excerpt(line, start, end)
    assert (found.line, found.underline) == (text, underline)


def test_a_long_line_is_cut_around_the_range() -> None:
    line = "a" * 500 + "bad" + "c" * 500
    found = excerpt(line, 500, 503, 60)
    assert found.line.startswith("…a")
    assert found.line.endswith("c…")
    assert len(found.line) == 60
    start = found.underline.index("^")
    assert found.line[start : len(found.underline)] == "bad"


def test_a_range_at_the_end_of_a_long_line_keeps_what_stands_before_it() -> None:
    found = excerpt("a" * 500 + "bad", 500, 503, 60)
    assert found.line == "…" + "a" * 55 + "bad"
    assert found.underline.endswith("^^^")


def test_a_long_range_is_cut() -> None:
    found = excerpt("a" * 500, 10, 490, 60)
    assert len(found.underline) <= len(found.line) <= 60


def test_a_pile_of_marks_stays_small() -> None:
    found = excerpt("a" + "\u0301" * 10_000 + "b", 10_001, 10_002)
    assert found.line.count("\u0301") <= 4
    assert found.line.endswith("b")


@given(st.text(max_size=300), st.integers(0, 320), st.integers(0, 320), st.integers(20, 120))
@settings(max_examples=300, deadline=None)
def test_any_line(line: str, start: int, end: int, width: int) -> None:
    found = excerpt(line, start, end, width)
    assert width_of(found.line) <= width
    assert set(found.underline) <= {" ", "^"}
    assert found.underline.endswith("^")
    assert not [c for c in found.line if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    # What is underlined is what was meant: the cells before the marks are those of the text before the range.
    first = line[start : start + 1]
    if first and end > start and width_of(first) and not unicodedata.combining(first):
        shown_first = shown(first)[0]
        cells, index = 0, 0
        while cells < found.underline.index("^"):
            cells += width_of(found.line[index])
            index += 1
        while found.line[index] != shown_first[0] and width_of(found.line[index]) == 0:
            index += 1
        assert found.line[index:].startswith(shown_first)


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_plain_text_is_one_harmless_line(text: str) -> None:
    found = plain(text)
    assert not [c for c in found if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


def test_markup_is_not_interpreted() -> None:
    assert plain("[red]x[/red] \\[b]") == "[red]x[/red] \\[b]"


def test_the_cost_does_not_depend_on_the_line() -> None:
    line = "\u0301" * 5_000_000
    for start in range(0, 5_000_000, 5_000):
        assert excerpt(line, start, start + 1).underline


@pytest.mark.parametrize("width", [20, 33, 60])
def test_the_mark_stands_below_its_character_in_every_window(width: int) -> None:
    line = "".join(chr(0x4E00 + number) if number % 3 else chr(0x100 + number) for number in range(200))
    for start in range(len(line)):
        found = excerpt(line, start, start + 1, width)
        cells = [character for character in found.line for _ in range(width_of(character))]
        assert {cells[place] for place, mark in enumerate(found.underline) if mark == "^"} == {line[start]}
        assert len(cells) <= width
