"""The baseline: what it knows, what is new, what is gone; and the writing of files."""

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.finding import Finding, Severity, Tier
from analyzers.text.spans import Span
from server.atomic import write_atomic, write_text_atomic
from server.baseline import BaselineError, baseline_of, compare, parse, read_baseline, render, write_baseline


def finding(fingerprint: str, message: str = "m", code: str = "REF001", path: str = "a.tex") -> Finding:
    return Finding(code, message, Span(path, 0, 1), Tier.PROVED, Severity.WARNING, fingerprint=fingerprint)


def test_only_what_is_new_is_new() -> None:
    baseline = baseline_of([finding("a"), finding("a"), finding("b")])
    now = [finding("a"), finding("c"), finding("a"), finding("a")]
    result = compare(now, baseline)
    assert [item.fingerprint for item in result.new] == ["c", "a"]
    assert [item.fingerprint for item in result.known] == ["a", "a"]
    assert [(item.fingerprint, item.count) for item in result.gone] == [("b", 1)]


def test_a_finding_without_fingerprint_is_known_by_what_it_says() -> None:
    baseline = baseline_of([finding("", "one")])
    assert compare([finding("", "one")], baseline).new == ()
    assert compare([finding("", "two")], baseline).new == (finding("", "two"),)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.text(max_size=5)), max_size=10))
@settings(max_examples=100, deadline=None)
def test_round_trip(items: list[tuple[str, str]]) -> None:
    findings = [finding(fingerprint, message) for fingerprint, message in items]
    text = render(baseline_of(findings))
    text.encode("ascii")
    result = compare(findings, parse(text))
    assert (result.new, result.gone) == ((), ())
    assert render(parse(text)) == text
    assert render(baseline_of(findings[::-1])).count("\n") == text.count("\n")


def test_the_file_is_sorted_and_readable(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    write_baseline(path, [finding("z", path="b.tex"), finding("y", "No label", path="a.tex")])
    data = json.loads(path.read_text(encoding="utf-8"))
    assert [(entry["file"], entry["message"]) for entry in data["findings"]] == [("a.tex", "No label"), ("b.tex", "m")]
    assert set(read_baseline(path).known) == {"y", "z"}


def test_entries_doubled_by_a_merge_are_added() -> None:
    entry = {"fingerprint": "a", "count": 2}
    assert parse(json.dumps({"version": 1, "findings": [entry, entry]})).known["a"].count == 4


BROKEN = [
    ("", "not valid JSON"),
    ("[" * 100_000, "not valid JSON"),
    ("[]", "no version"),
    ('{"version": 2, "findings": []}', "version 2"),
    ('{"version": 1}', "no list"),
    ('{"version": 1, "findings": [3]}', "no fingerprint"),
    ('{"version": 1, "findings": [{"fingerprint": "a", "count": 0}]}', "count"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=[case[1] for case in BROKEN])
def test_what_is_no_baseline_is_refused(text: str, message: str) -> None:
    with pytest.raises(BaselineError, match=message):
        parse(text)


def test_latin_1_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(b'{"version": 1, "findings": [], "x": "\xe9"}')
    with pytest.raises(BaselineError, match="UTF-8"):
        read_baseline(path)


def test_writing_keeps_permissions_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_text_atomic(path, "new\r\nline\n")
    assert path.read_bytes() == b"new\r\nline\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [item.name for item in tmp_path.iterdir()] == ["a.tex"]


def test_a_new_file_has_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_atomic(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_failure_leaves_the_old_content_and_no_debris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


def test_folders_and_missing_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no regular file"):
        write_atomic(tmp_path, b"")
    with pytest.raises(FileNotFoundError):
        write_atomic(tmp_path / "missing" / "a", b"")
