"""Any text is read without raising and in linear time; an edit gives what a fresh reading gives."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.project.bibliography import Bibliography, read_bibliography, resolved_fields, typeset_items, update

PIECES = [
    "@article{k,",
    "@book(k2,",
    "@string{s = {v}}",
    "@string(t = s # {w})",
    "@comment{",
    "@preamble{",
    "@misc{a, note = s # t}",
    "%",
    "@",
    "{",
    "}",
    "(",
    ")",
    '"',
    "=",
    "#",
    ",",
    "\n",
    "\r\n",
    "\r",
    "\x00",
    "\ud800",
    "\ufeff",
    " title = {x},",
    "\nyear = 2020,\n",
    "author",
    " = ",
    "jan",
    "crossref = {k}",
    "xdata={k2,k}",
    "é",
    "\\",
    "\u2028",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map("".join)


def check(found: Bibliography) -> None:
    text = found.text
    for entry in (*found.entries, *found.commented):
        assert text[entry.start : entry.end] == entry.source
        assert text[entry.key_start : entry.key_end] == entry.key
        for item in (*entry.fields.values(), *entry.repeated):
            assert text[item.name_start : item.name_end].lower() == item.name
            assert text[item.raw_start : item.raw_end] == item.raw
            assert entry.start <= item.name_start < item.raw_start <= item.value_start <= item.value_end <= item.raw_end
            assert all(text[use.start : use.end].lower() == use.name for use in item.macros)
            if item.literal:
                assert " ".join(text[item.value_start : item.value_end].split()) == item.value
        assert all(0 <= problem.start < problem.end <= len(text) for problem in entry.problems)
        resolved_fields(entry, found)
    starts = [entry.start for entry in found.entries]
    assert starts == sorted(starts)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_anything_is_read(text: str) -> None:
    check(read_bibliography("a.bib", text))
    typeset_items(text)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), TEXTS), min_size=1, max_size=4))
def test_edit_equals_fresh_reading(text: str, edits: list[tuple[float, int, str]]) -> None:
    found = read_bibliography("a.bib", text, {"outer": "o"})
    for place, removed, inserted in edits:
        start = int(place * len(text))
        text = text[:start] + inserted + text[start + removed :]
        found = update(found, text)
        assert found == read_bibliography("a.bib", text, {"outer": "o"})


def test_unchanged_entries_are_not_read_again() -> None:
    text = "".join(f"@book{{k{n}, title = {{T{n}}}}}\n" for n in range(50))
    before = read_bibliography("a.bib", text)
    after = update(before, text.replace("{T7}", "{T seven}"))
    same = [old.body is new.body for old, new in zip(before.entries, after.entries, strict=True)]
    assert same.count(False) == 1
    assert same[7] is False
    assert update(before, text) is before


def test_changed_string_reaches_its_uses() -> None:
    text = "@string{s = {old}}\n@book{a, title = s}\n@book{b, title = {fixed}}\n"
    before = read_bibliography("a.bib", text)
    after = update(before, text.replace("old", "new"))
    assert after.entries[0].value("title") == "new"
    assert after.entries[1].body is before.entries[1].body


HOSTILE = {
    "unclosed comments": "@comment{\n" * 4000,
    "unclosed entries": "@a{k,\n" * 4000,
    "nested fields": "@a{k, " + "a={x," * 8000,
    "fields on one line": "@a{k, " + "a={x}," * 8000,
    "junk": "@a{k, " + "a={x} junk, " * 8000,
    "quotes": "@a{k, " + 'a="x" "y", ' * 8000,
    "deep": "@a{k, t={" + "{" * 20000 + "}" * 20000 + "}}",
    "deep, open": "@a{k, t={" + "{" * 40000,
    "at signs": "@" * 80000,
    "headers": "@a{" * 20000,
    "concatenation": "@a{k, a=b" + "#b" * 20000,
    "lines": "@article{k, a={\n" + "b={\n" * 15000,
    "strings": "@string{a={\n" * 8000,
    "early closes": "@article{k" + "}, a={b" * 15000,
    "percent signs": "%" * 40000 + "@article{k," + "\n%a" * 20000,
    "blanks": "@article{k, a={b} " + " " * 80000 + "\n" * 80000,
    "a NUL byte": "@article{k\x00, title = {a\x00b}, year = 2020}",
    "authors": "@article{k, author = {" + " and ".join(f"Last{n}, First" for n in range(3000)) + "}}",
    "abstract": "@article{k, abstract = {" + "word {W} \\emph{x}\n" * 12000 + "}, year = 2020}\n@book{l, title={x}}",
    "bibitems": "\\bibitem[" * 10000 + "\\harvarditem[" * 10000 + "\\bibitem{{a}" * 5000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_costs_linear_time(text: str) -> None:
    started = time.perf_counter()
    check(read_bibliography("a.bib", text))
    typeset_items(text)
    # A quadratic reading of these takes minutes; the bound is loose because machines are shared.
    assert time.perf_counter() - started < 5


def _corpus() -> Iterator[Path]:
    folder = os.environ.get("COUNTERCLAIM_CORPUS", "")
    return iter(sorted(Path(folder).rglob("*.bib"))) if folder else iter(())


@pytest.mark.skipif("COUNTERCLAIM_CORPUS" not in os.environ, reason="COUNTERCLAIM_CORPUS is not set")
def test_real_bibliographies() -> None:
    generator = random.Random(7)
    paths = list(_corpus())
    assert paths
    for path in paths:
        data = path.read_bytes()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        found = read_bibliography(path.name, text)
        check(found)
        known = sum(1 for line in text.splitlines() if line.startswith("@") and line[1:2].isalpha())
        assert len(found.entries) + len(found.commented) >= known - sum(
            line.lower().startswith(("@comment", "@string", "@preamble")) for line in text.splitlines()
        )
        for _ in range(3):
            start = generator.randrange(len(text) + 1)
            text = text[:start] + generator.choice(PIECES) + text[start + generator.randrange(3) :]
            found = update(found, text)
            assert found == read_bibliography(path.name, text)
