"""Comments that allow a finding: what they mean, what is said about the bad ones, and the fix that writes one."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import apply_edits
from analyzers.suppression import (
    REASON_PLACEHOLDER,
    Suppression,
    apply_suppressions,
    suppress_here,
    suppressions,
    unused_note,
)
from analyzers.text.spans import Span

KNOWN = ("REF001", "REF003", "NUM001", "CIT001", "undefined-key")


def finding(path: str, start: int, end: int, code: str = "REF001", name: str = "undefined-label") -> Finding:
    return Finding(code, "m", Span(path, start, end), Tier.PROVED, Severity.WARNING, name)


def allowed(text: str, path: str = "a.tex", code: str = "REF001", name: str = "undefined-label") -> list[str]:
    """The words `x1`, `x2` … of the text at which a finding is allowed."""
    findings = [finding(path, match.start(), match.end(), code, name) for match in re.finditer(r"x\d", text)]
    result = apply_suppressions(findings, suppressions(text, path)[0])
    assert {*result.kept, *(item for item, _ in result.allowed)} == set(findings)
    return [text[item.span.start : item.span.end] for item, _ in result.allowed]


SCOPES = [
    ("its own line", "x0\nx1 % counterclaim: allow REF001 -- why\nx2", ["x1"]),
    ("the next line when alone", "x0\n  % counterclaim: allow REF001 -- why\nx1\nx2", ["x1"]),
    ("the next line after other comments", "% counterclaim: allow REF001 -- why\n% note\nx1\nx2", ["x1"]),
    ("comments between, too", "% counterclaim: allow REF001 -- why\n% x1 note\nx2\nx3", ["x1", "x2"]),
    ("two stacked comments", "% counterclaim: allow REF001 -- a\n% counterclaim: allow NUM001 -- b\nx1\nx2", ["x1"]),
    ("several percent signs", "%% counterclaim: allow REF001 -- why\nx1\nx2", ["x1"]),
    ("no blank after the percent sign", "x1 %counterclaim:allow REF001 -- why\nx2", ["x1"]),
    ("several codes", "x1 % counterclaim: allow NUM001, REF001 -- why", ["x1"]),
    ("several codes without commas", "x1 % counterclaim: allow NUM001 REF001 -- why", ["x1"]),
    ("small letters", "x1 % counterclaim: allow ref001 -- why", ["x1"]),
    ("a family", "x1 % counterclaim: allow REF -- why", ["x1"]),
    ("a name", "x1 % counterclaim: allow undefined-label -- why", ["x1"]),
    ("everything", "x1 % counterclaim: allow ALL -- why", ["x1"]),
    ("another code", "x1 % counterclaim: allow NUM001 -- why", []),
    ("a longer code", "x1 % counterclaim: allow REF0011 -- why", []),
    ("without a reason", "x1 % counterclaim: allow REF001", ["x1"]),
    ("after another comment", "x1 % note % counterclaim: allow REF001 -- why\nx2", ["x1"]),
    ("an escaped percent sign", "x1 5\\% counterclaim: allow REF001 -- why", []),
    ("a line break before the comment", "x1 \\\\% counterclaim: allow REF001 -- why", ["x1"]),
    ("CRLF", "x0\r\nx1 % counterclaim: allow REF001 -- why\r\nx2\r\n", ["x1"]),
    ("CRLF, alone", "x0\r\n% counterclaim: allow REF001 -- why\r\nx1\r\nx2", ["x1"]),
    ("lone CR", "x0\r% counterclaim: allow REF001 -- why\rx1\rx2", ["x1"]),
    ("a form feed ends no line", "x1\fx2 % counterclaim: allow REF001 -- why", ["x1", "x2"]),
    ("a paragraph", "x0\n\nx1\n% counterclaim: allow-paragraph REF001 -- why\nx2\n \t\nx3", ["x1", "x2"]),
    (
        "a paragraph, at the end of a line",
        "x0\n\nx1 % counterclaim: allow-paragraph REF001 -- y\nx2\n\nx3",
        ["x1", "x2"],
    ),
    (
        "a region",
        "x0\n% counterclaim: allow-begin REF001 -- why\nx1\n\nx2\n% counterclaim: allow-end\nx3",
        ["x1", "x2"],
    ),
    ("a region to the end", "x0\n% counterclaim: allow-begin REF001 -- why\nx1\n\nx2", ["x1", "x2"]),
    (
        "regions in regions",
        (
            "% counterclaim: allow-begin REF001 -- a\nx1\n% counterclaim: allow-begin NUM001 -- b\nx2\n"
            "% counterclaim: allow-end\nx3\n% counterclaim: allow-end\nx4"
        ),
        ["x1", "x2", "x3"],
    ),
    ("the file", "x0\n\nx1\n% counterclaim: allow-file REF001 -- why\n\nx2", ["x0", "x1", "x2"]),
    ("at the end without a line end", "x1\n% counterclaim: allow REF001 -- why", []),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in SCOPES], ids=[case[0] for case in SCOPES])
def test_scope(text: str, expected: list[str]) -> None:
    assert allowed(text) == expected


def test_an_entry_of_a_bibliography() -> None:
    text = "@book{x0,\n}\n% counterclaim: allow BIB001 -- why\n@book{x1,\n  title = {x2},\n}\n@book{x3,\n}\n"
    assert allowed(text, "r.bib", "BIB001") == ["x1", "x2"]


def test_a_finding_over_several_lines_is_allowed_from_any_of_them() -> None:
    text = "one\ntwo % counterclaim: allow REF001 -- why\nthree"
    comments = suppressions(text, "a.tex")[0]
    assert apply_suppressions([finding("a.tex", 0, len(text))], comments).kept == ()
    assert apply_suppressions([finding("a.tex", 0, 3)], comments).allowed == ()


def test_another_file_is_not_meant() -> None:
    comments = suppressions("x % counterclaim: allow-file REF001 -- why", "a.tex")[0]
    assert apply_suppressions([finding("b.tex", 0, 1)], comments).allowed == ()


NOTES = [
    ("x % counterclaim: allow REF001", "Say why"),
    (f"x % counterclaim: allow REF001 -- {REASON_PLACEHOLDER}", "Say why"),
    ("x % counterclaim: allow REF01 -- why", "No check has the code `REF01`. Did you mean `REF001`?"),
    ("x % counterclaim: allow undefined-keys -- why", "Did you mean `undefined-key`?"),
    ("x % counterclaim: allow -- why", "No code is named"),
    ("x % counterclaim: allow-fil REF001 -- why", "Did you mean `allow-file`?"),
    ("x % counterclaim: allow-begin REF001 -- why", "no `allow-end`"),
    ("x % counterclaim: allow-end", "without an `allow-begin`"),
]


@pytest.mark.parametrize(("text", "message"), NOTES)
def test_note(text: str, message: str) -> None:
    (note,) = suppressions(text, "a.tex", KNOWN)[1]
    assert message in note.message
    assert note.span is not None
    assert text[note.span.start : note.span.end] == text[2:]


@pytest.mark.parametrize("code", ["REF001", "REF", "ALL", "undefined-key"])
def test_known_codes_need_no_note(code: str) -> None:
    assert suppressions(f"x % counterclaim: allow {code} -- why", "a.tex", KNOWN)[1] == ()


def test_a_comment_that_allows_nothing_is_told() -> None:
    text = "x1 % counterclaim: allow REF001 -- a\nx2 % counterclaim: allow NUM001 -- b"
    comments = suppressions(text, "a.tex")[0]
    result = apply_suppressions([finding("a.tex", 0, 2)], comments)
    assert result.unused == (comments[1],)
    assert unused_note(comments[1]).span == comments[1].comment


def test_a_comment_for_a_check_that_did_not_run_is_not_called_unused() -> None:
    text = (
        "% counterclaim: allow-file REF001 -- a\n% counterclaim: allow-file NUM -- b\n% counterclaim: allow-file A -- c"
    )
    comments = suppressions(text, "a.tex")[0]
    assert apply_suppressions([], comments, {"REF001", "NUM001"}).unused == comments[:1]
    assert apply_suppressions([], comments, set()).unused == ()


def test_reason_and_place_are_kept() -> None:
    text = "x % counterclaim: allow REF001 -- it -- is right \r\n"
    (comment,) = suppressions(text, "a.tex")[0]
    assert comment.reason == "it -- is right"
    assert text[comment.comment.start : comment.comment.end] == text[2:].strip()


FIXES = [
    ("at the end", "a x1 b\nc", "a x1 b % counterclaim: allow REF001 -- why\nc"),
    ("after trailing blanks", "a x1 b  \nc", "a x1 b % counterclaim: allow REF001 -- why\nc"),
    ("in the last line", "a x1", "a x1 % counterclaim: allow REF001 -- why"),
    ("CRLF", "a x1 b\r\nc\r\n", "a x1 b % counterclaim: allow REF001 -- why\r\nc\r\n"),
    ("above a comment", "a\n  x1 % note\nc", "a\n  % counterclaim: allow REF001 -- why\n  x1 % note\nc"),
    ("above a comment, CRLF", "a\r\nx1 % n\r\n", "a\r\n% counterclaim: allow REF001 -- why\r\nx1 % n\r\n"),
    ("an escaped percent sign is no comment", "5\\% x1\n", "5\\% x1 % counterclaim: allow REF001 -- why\n"),
    ("a comment after a line break", "x1 \\\\% n\n", "% counterclaim: allow REF001 -- why\nx1 \\\\% n\n"),
    ("above a long line", "\t" + "y " * 60 + "x1\n", "\t% counterclaim: allow REF001 -- why\n\t" + "y " * 60 + "x1\n"),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in FIXES], ids=[case[0] for case in FIXES])
def test_fix(before: str, after: str) -> None:
    place = before.index("x1")
    fix = suppress_here(finding("a.tex", place, place + 2), before, "why")
    assert fix is not None
    assert not fix.safe
    assert apply_edits(before, fix.edits) == after
    assert allowed(after) == ["x1"]


def test_fix_in_a_bibliography_stands_above_the_entry() -> None:
    before = "@book{a,\n}\n\n  @book{b,\n  title = {x1},\n}\n"
    place = before.index("x1")
    fix = suppress_here(finding("r.bib", place, place + 2, "BIB001"), before, "why")
    assert fix is not None
    after = apply_edits(before, fix.edits)
    assert after == before.replace("  @book{b", "  % counterclaim: allow BIB001 -- why\n  @book{b")
    assert allowed(after, "r.bib", "BIB001") == ["x1"]


@pytest.mark.parametrize("environment", ["verbatim", "lstlisting", "minted", "Verbatim*"])
def test_no_fix_where_it_would_be_printed(environment: str) -> None:
    text = f"\\begin{{{environment}}}\nx1\n\\end{{{environment}}}\nx2"
    assert suppress_here(finding("a.tex", text.index("x1"), text.index("x1") + 2), text) is None
    assert suppress_here(finding("a.tex", text.index("x2"), text.index("x2") + 2), text) is not None


def test_no_fix_outside_the_text() -> None:
    assert suppress_here(finding("a.tex", 9, 10), "short") is None


def test_a_reason_cannot_break_out_of_its_line() -> None:
    fix = suppress_here(finding("a.tex", 0, 2), "x1", "a\nb\r\n\\input{c}")
    assert fix is not None
    assert fix.edits[0].text == " % counterclaim: allow REF001 -- a b \\input{c}"


pieces = st.sampled_from(
    [
        *("x1", "\n", "\r\n", "\r", "\n\n", "%", "\\", " ", "é𝔸", "@book{", "\\begin{verbatim}"),
        *("% counterclaim: allow REF001", "% counterclaim: allow-begin REF", " -- why", "counterclaim:"),
        *("% counterclaim: allow-end", "% counterclaim: allow-file NUM001"),
    ]
)


@given(st.lists(pieces, max_size=25).map("".join), st.sampled_from(["a.tex", "r.bib"]))
@settings(max_examples=200, deadline=None)
def test_any_text(text: str, path: str) -> None:
    comments, notes = suppressions(text, path, KNOWN)
    for comment in comments:
        assert 0 <= comment.range.start <= comment.range.end <= len(text)
        assert text[comment.comment.start] == "%"
    assert all(note.span is not None and note.span.end <= len(text) for note in notes)
    # The fix does what it says, wherever it is offered.
    for match in re.finditer("x1", text):
        fix = suppress_here(finding(path, match.start(), match.end(), "CIT001"), text, "why")
        if fix is None:
            continue
        after = apply_edits(text, fix.edits)
        moved = match.start() + (len(fix.edits[0].text) if fix.edits[0].span.start <= match.start() else 0)
        assert after[moved : moved + 2] == "x1"
        later = suppressions(after, path)[0]
        assert apply_suppressions([finding(path, moved, moved + 2, "CIT001")], later).kept == ()


ranges = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted)


@given(
    st.lists(st.tuples(ranges, st.sampled_from(["REF001", "REF", "NUM001", "ALL"])), max_size=8),
    st.lists(ranges, max_size=8),
)
@settings(max_examples=200, deadline=None)
def test_look_up_equals_the_plain_definition(comments: list[tuple[list[int], str]], places: list[list[int]]) -> None:
    every = [
        Suppression("allow", (code,), Span("a.tex", start, end), "", Span("a.tex", number, number))  # type: ignore[arg-type]
        for number, ((start, end), code) in enumerate(comments)
    ]
    findings = [finding("a.tex", start, end) for start, end in places]
    result = apply_suppressions(findings, every)

    def means(item: Finding, comment: Suppression) -> bool:
        last = max(item.span.start, item.span.end - 1)
        return (
            comment.codes[0] in ("REF001", "REF", "ALL")
            and comment.range.start <= last
            and item.span.start <= comment.range.end
        )

    assert list(result.kept) == [item for item in findings if not any(means(item, comment) for comment in every)]


def test_many_comments_and_findings_are_fast() -> None:
    text = "x1 % counterclaim: allow REF001 -- why\n" * 20_000
    findings = [finding("a.tex", match.start(), match.end()) for match in re.finditer("x1", text)]
    comments = suppressions(text, "a.tex")[0]
    assert len(apply_suppressions(findings, comments).allowed) == 20_000


HOSTILE = [
    "% counterclaim: allow-paragraph A -- b\n",
    "% counterclaim: allow A -- b\r",
    "x % counterclaim: allow-end\n",
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("path", ["a.tex", "r.bib"])
def test_many_comments_are_linear(unit: str, path: str) -> None:
    comments, notes = suppressions(unit * 20_000, path)
    assert len(comments) + len(notes) >= 20_000


@pytest.mark.parametrize("unit", ["%", "\\", "% ", "% counterclaim:", "% counterclaim: allow REF001 ", "-- "])
def test_hostile_runs_are_linear(unit: str) -> None:
    text = "counterclaim: " + unit * 60_000
    assert suppressions(text, "a.tex")[0] == () or unit.startswith("% counterclaim: allow")
