"""Positions in three encodings, against one plain definition of each unit."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp

from server.edits import apply_changes, difference
from server.positions import Encoding, code_points, to_offset, to_offsets, to_position, units

SIZE = {
    Encoding.UTF8: lambda c: len(c.encode("utf-8", "surrogatepass")),
    Encoding.UTF16: lambda c: 2 if ord(c) > 0xFFFF else 1,
    Encoding.UTF32: lambda c: 1,
}
TEXT = st.text(alphabet="ab é𝔸😀\ud83d\ude00\n\r\t\x0b\x0c\x85\u2028\u2029世", max_size=40)
ENCODINGS = st.sampled_from(list(Encoding))
FAST = settings(max_examples=150, deadline=None)


def size(text: str, encoding: Encoding) -> int:
    return sum(SIZE[encoding](char) for char in text)


@FAST
@given(text=TEXT, encoding=ENCODINGS)
def test_units_count_code_points_by_their_size(text: str, encoding: Encoding) -> None:
    assert units(text, encoding) == size(text, encoding)


@FAST
@given(text=TEXT, encoding=ENCODINGS, data=st.data())
def test_columns_survive_the_way_there_and_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(text)))
    assert code_points(text, size(text[:column], encoding), encoding) == column


@FAST
@given(text=TEXT, encoding=ENCODINGS, column=st.integers(0, 200))
def test_any_column_is_clamped_to_the_start_of_its_character(text: str, encoding: Encoding, column: int) -> None:
    found = code_points(text, column, encoding)
    assert 0 <= found <= len(text)
    assert size(text[:found], encoding) <= column
    assert found == len(text) or column < size(text[: found + 1], encoding)


@FAST
@given(text=TEXT, encoding=ENCODINGS, data=st.data())
def test_offsets_survive_the_way_there_and_back(
    reference: Any, text: str, encoding: Encoding, data: st.DataObject
) -> None:
    offset = data.draw(st.integers(0, len(text)))
    snapshot = reference(text)
    inside_line_break = text[max(offset - 1, 0) : offset + 1] == "\r\n"
    back = to_offset(snapshot, to_position(snapshot, offset, encoding), encoding)
    assert back == offset - inside_line_break


@FAST
@given(text=TEXT, encoding=ENCODINGS, line=st.integers(0, 60), column=st.integers(0, 2**31 - 1))
def test_any_position_is_clamped_and_left_alone(
    reference: Any, text: str, encoding: Encoding, line: int, column: int
) -> None:
    position = lsp.Position(line=line, character=column)
    assert 0 <= to_offset(reference(text), position, encoding) <= len(text)
    assert position == lsp.Position(line=line, character=column)


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize(
    ("text", "line", "column", "offset"),
    [
        ("abc", 0, 99, 3),
        ("abc\n", 0, 99, 3),
        ("abc\r\ndef", 0, 99, 3),
        ("abc\rdef", 1, 1, 5),
        ("abc\n", 1, 0, 4),
        ("abc", 7, 0, 3),
        ("", 0, 5, 0),
        ("one\fstill\x0b\x85\u2028one\nTWO", 1, 1, 17),
        ("a\r\n\r\rb", 3, 0, 5),
    ],
)
def test_lines_end_as_the_protocol_says(
    reference: Any, encoding: Encoding, text: str, line: int, column: int, offset: int
) -> None:
    assert to_offset(reference(text), lsp.Position(line=line, character=column), encoding) == offset


def test_a_reversed_range_is_turned_round(reference: Any) -> None:
    span = lsp.Range(start=lsp.Position(line=0, character=4), end=lsp.Position(line=0, character=1))
    assert to_offsets(reference("abcdef"), span, Encoding.UTF16) == (1, 4)


@FAST
@given(old=TEXT, new=TEXT)
def test_the_difference_rebuilds_the_new_text(old: str, new: str) -> None:
    start, end, text = difference(old, new)
    assert old[:start] + text + old[end:] == new
    assert not (start < end and text and (old[start] == text[0] or old[end - 1] == text[-1]))


@FAST
@given(text=TEXT, encoding=ENCODINGS, data=st.data())
def test_incremental_changes_replace_exactly_their_range(
    reference: Any, text: str, encoding: Encoding, data: st.DataObject
) -> None:
    document, expected, changes = reference(text), text, []
    for _ in range(data.draw(st.integers(1, 3))):
        now = reference(expected)
        start = data.draw(st.integers(0, len(expected)))
        end = data.draw(st.integers(start, len(expected)))
        first, last = to_position(now, start, encoding), to_position(now, end, encoding)
        start, end = to_offset(now, first, encoding), to_offset(now, last, encoding)
        new = data.draw(TEXT)
        changes.append(lsp.TextDocumentContentChangePartial(range=lsp.Range(start=first, end=last), text=new))
        expected = expected[:start] + new + expected[end:]
    document, splices = apply_changes(document, changes, encoding)
    assert document.text == expected
    assert len(text) + sum(splice.growth for splice in splices) == len(expected)


def test_a_full_change_is_one_short_splice(reference: Any) -> None:
    change = lsp.TextDocumentContentChangeWholeDocument(text="one TWO three")
    document, (splice,) = apply_changes(reference("one two three"), [change], Encoding.UTF16)
    assert document.text == "one TWO three"
    assert (splice.start, splice.end, splice.length) == (4, 7, 3)
