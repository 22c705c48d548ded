"""The baseline: findings a team knows already, so that only new ones are reported.

The file is JSON, sorted and one finding per line group, so that it reads and merges well.  A finding is known by its
fingerprint, which holds across edits elsewhere; where the same fault stands several times, its count is kept.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from analyzers.finding import Finding
from server.atomic import write_text_atomic

VERSION = 1


class BaselineError(Exception):
    """The file is no baseline, or one of a newer version; the message says which."""


@dataclass(frozen=True, slots=True)
class Known:
    """One line of a baseline; everything but fingerprint and count is for the reader."""

    fingerprint: str
    count: int
    code: str
    file: str
    message: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings, by fingerprint."""

    known: Mapping[str, Known]


@dataclass(frozen=True, slots=True)
class Comparison:
    """New findings, known findings, and what the baseline knows that is gone (with how often)."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    gone: tuple[Known, ...]


def baseline_of(findings: Iterable[Finding]) -> Baseline:
    """A baseline that knows exactly `findings`."""
    counts: Counter[str] = Counter()
    first: dict[str, Finding] = {}
    for finding in findings:
        key = fingerprint(finding)
        counts[key] += 1
        first.setdefault(key, finding)
    return Baseline(
        {
            key: Known(key, counts[key], finding.code, finding.span.path, finding.message)
            for key, finding in first.items()
        }
    )


def compare(findings: Iterable[Finding], baseline: Baseline) -> Comparison:
    """Which of `findings` are new; of several with one fingerprint the first ones count as known."""
    left = {key: known.count for key, known in baseline.known.items()}
    new: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        key = fingerprint(finding)
        if left.get(key, 0) > 0:
            left[key] -= 1
            known.append(finding)
        else:
            new.append(finding)
    gone = tuple(replace(baseline.known[key], count=count) for key, count in left.items() if count > 0)
    return Comparison(tuple(new), tuple(known), gone)


def fingerprint(finding: Finding) -> str:
    """The finding's fingerprint, or where it has none what it says and in which file."""
    return finding.fingerprint or "\n".join((finding.code, finding.span.path, finding.message))


def render(baseline: Baseline) -> str:
    """The text of a baseline file."""
    entries = sorted(
        baseline.known.values(), key=lambda known: (known.file, known.code, known.message, known.fingerprint)
    )
    findings = [
        {
            "code": entry.code,
            "file": entry.file,
            "message": entry.message,
            "count": entry.count,
            "fingerprint": entry.fingerprint,
        }
        for entry in entries
    ]
    # Only plain characters: a manuscript may hold what UTF-8 cannot encode.
    return json.dumps({"version": VERSION, "findings": findings}, indent=1) + "\n"


def parse(text: str) -> Baseline:
    """The baseline in `text`.  Raises BaselineError when it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BaselineError("it is not valid JSON") from error
    if not isinstance(data, dict) or not isinstance(data.get("version"), int):
        raise BaselineError("it has no version")
    if data["version"] > VERSION:
        raise BaselineError(f"it has version {data['version']}, this program knows {VERSION}")
    known: dict[str, Known] = {}
    entries = data.get("findings")
    if not isinstance(entries, list):
        raise BaselineError("it has no list of findings")
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("fingerprint"), str):
            raise BaselineError("a finding in it has no fingerprint")
        count = entry.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise BaselineError("a count in it is not a whole number of 1 or more")
        key = entry["fingerprint"]
        # After a merge by hand the same fingerprint may stand twice.
        before = known[key].count if key in known else 0
        code, file, message = (str(entry.get(name, "")) for name in ("code", "file", "message"))
        known[key] = Known(key, before + count, code, file, message)
    return Baseline(known)


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Writes a baseline that knows `findings`.  Raises OSError."""
    write_text_atomic(path, render(baseline_of(findings)))


def read_baseline(path: Path) -> Baseline:
    """The baseline at `path`.  Raises OSError, or BaselineError when the file is none."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BaselineError("it is not encoded in UTF-8") from error
