"""Entries of any shape, changed at random: read again they say what was asked for, and everything else word for word."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.edits.fields import Change, change_fields, change_kind, comment_above
from analyzers.citations.edits.merge import remove_entries
from analyzers.fixes import apply_edits
from analyzers.project.bibliography import BibEntry, read_bibliography

NAMES = ("title", "author", "year", "doi", "pages", "note", "booktitle", "url")
VALUES = st.sampled_from(["A", "{B} c", "10.1/x_y", "a and b", "1--2", "\\'e", "", "x  y", '{\\"u}'])
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])


@dataclass(frozen=True)
class Shape:
    """How an entry is written."""

    end: str
    gap: str
    assign: str
    quoted: bool
    trailing: bool
    upper: bool
    parentheses: bool
    fields: tuple[tuple[str, str], ...]

    def text(self) -> str:
        gap = self.gap.replace("\n", self.end)
        close = ")" if self.parentheses else "}"
        parts = [f"@misc{'(' if self.parentheses else '{'}target"]
        for name, value in self.fields:
            content = f'"{value}"' if self.quoted and '"' not in value else f"{{{value}}}"
            parts.append(f"{gap}{name.upper() if self.upper else name}{self.assign}{content}")
        return "".join(parts) + ("," if self.trailing else "") + self.end + close


SHAPES = st.builds(
    Shape,
    BREAKS,
    st.sampled_from([",\n  ", ",\n\t", ", ", ",", "\n, ", "\n  ,  ", " ,\n\n    "]),
    st.sampled_from([" = ", "=", "   =   ", "\t= ", "= "]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=6, unique_by=lambda pair: pair[0]).map(tuple),
)
CHANGES = st.lists(st.tuples(st.sampled_from(NAMES), st.none() | VALUES), max_size=5, unique_by=lambda pair: pair[0])
AROUND = "@book{{before, title={{T}}}}{0}% remark{0}{1}{0}@book{{after,{0}\ttitle = {{U}}}}{0}"


def read(text: str) -> tuple[BibEntry, dict[str, str]]:
    found = read_bibliography("refs.bib", text)
    assert [entry.key for entry in found.entries] == ["before", "target", "after"]
    entry = found.entries[1]
    return entry, {name: item.value for name, item in entry.fields.items()}


@given(SHAPES, CHANGES, st.booleans())
@settings(max_examples=300)
def test_changed_fields_read_back(shape: Shape, changes: list[tuple[str, str | None]], bom: bool) -> None:
    text = ("\ufeff" if bom else "") + AROUND.format(shape.end, shape.text())
    entry, before = read(text)
    assert not entry.problems
    edits = change_fields(entry, [Change(name, value) for name, value in changes])
    after_text = apply_edits(text, edits)
    after, fields = read(after_text)
    assert not after.problems
    expected = dict(before)
    for name, value in changes:
        if value is None:
            expected.pop(name, None)
        else:
            expected[name] = " ".join(value.split())
    assert fields == expected
    untouched = set(before) - {name for name, _ in changes}
    assert all(entry.fields[name].raw == after.fields[name].raw for name in untouched)
    assert after_text.startswith(text[: entry.start])
    assert after_text.endswith(text[entry.end :])
    again = change_fields(after, [Change(name, value) for name, value in changes])
    # what is so already is left alone; runs of blanks are the writer's own
    assert apply_edits(after_text, again) == after_text


@given(SHAPES, st.booleans())
@settings(max_examples=100)
def test_type_comment_and_removal(shape: Shape, bom: bool) -> None:
    text = ("\ufeff" if bom else "") + AROUND.format(shape.end, shape.text())
    entry, fields = read(text)
    edits = (*comment_above(entry, text, "a remark"), *change_kind(entry, "article"))
    changed = apply_edits(text, edits)
    after, same = read(changed)
    assert (after.kind, same) == ("article", fields)
    assert f"% a remark{shape.end}@article" in changed
    fix = remove_entries([entry], {"refs.bib": text})
    assert fix is not None
    left = apply_edits(text, fix.edits)
    assert [found.key for found in read_bibliography("refs.bib", left).entries] == ["before", "after"]
    assert left == text.replace(shape.text() + shape.end, "")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_entry_behind_a_byte_order_mark(end: str) -> None:
    text = f"\ufeff@misc{{target,{end}  title = {{A}}{end}}}{end}@misc{{b}}{end}"
    entry = read_bibliography("refs.bib", text).entries[0]
    remarked = apply_edits(text, comment_above(entry, text, "x"))
    assert remarked == f"\ufeff% x{end}{text[1:]}"
    fix = remove_entries([entry], {"refs.bib": text})
    assert fix is not None
    left = apply_edits(text, fix.edits)
    assert left.startswith("\ufeff")
    assert left.endswith(f"@misc{{b}}{end}")
