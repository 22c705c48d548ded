"""Edits of documents: from a client's changes, and what they do to places that were found before them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeVar

from lsprotocol import types as lsp

from analyzers.finding import Finding, Related
from analyzers.fixes import Edit, Fix
from analyzers.text.spans import Span
from server.positions import Encoding, Snapshot, to_offsets


class Editable(Snapshot, Protocol):
    """A text of which an edited copy can be made."""

    def edit(self, start: int, end: int, replacement: str, /) -> Self:
        """The text with the code points from `start` to `end` replaced."""


D = TypeVar("D", bound=Editable)


@dataclass(frozen=True, slots=True)
class Splice:
    """The code points from `start` to `end` were replaced by `length` others."""

    start: int
    end: int
    length: int

    @property
    def growth(self) -> int:
        """How far everything behind the splice has moved."""
        return self.length - (self.end - self.start)


def apply_changes(
    document: D, changes: Iterable[lsp.TextDocumentContentChangeEvent], encoding: Encoding
) -> tuple[D, list[Splice]]:
    """The document after a client's changes, which build upon one another, and the splices that were made.

    A change without a range replaces the whole text; only the part that differs is spliced, so that places and
    analysis outside of it are kept for clients that cannot send less.
    """
    splices = []
    for change in changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            start, end = to_offsets(document, change.range, encoding)
            text = change.text
        else:
            start, end, text = difference(document.text, change.text)
        document = document.edit(start, end, text)
        splices.append(Splice(start, end, len(text)))
    return document, splices


def difference(old: str, new: str) -> tuple[int, int, str]:
    """A splice (start, end, text) that turns `old` into `new` and is as short as one splice can be."""
    shorter = min(len(old), len(new))
    start = _longest(lambda n: old[:n] == new[:n], shorter)
    tail = _longest(lambda n: old[len(old) - n :] == new[len(new) - n :], shorter - start)
    return start, len(old) - tail, new[start : len(new) - tail]


def _longest(holds: "_Test", limit: int) -> int:
    """The largest n up to `limit` for which `holds(n)`, which is monotone: slices compare quicker than characters."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


class _Test(Protocol):
    def __call__(self, length: int, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Shift:
    """Where offsets of an older text stand after some splices, applied in order."""

    splices: tuple[Splice, ...] = ()

    def then(self, splices: Iterable[Splice]) -> "Shift":
        """The same followed by more splices.  Typing on at one place stays one splice."""
        joined = list(self.splices)
        for splice in splices:
            last = joined[-1] if joined else None
            if last is not None and last.start <= splice.start and splice.end <= last.start + last.length:
                joined[-1] = Splice(last.start, last.end, last.length + splice.growth)
            else:
                joined.append(splice)
        return Shift(tuple(joined))

    def span(self, span: Span) -> Span | None:
        """The span after the splices, or None if one of them touched what it covers."""
        start, end = span.start, span.end
        for splice in self.splices:
            if splice.end <= start:
                growth = splice.length - (splice.end - splice.start)
                start, end = start + growth, end + growth
            elif splice.start < end or splice.start == start:
                return None
        return Span(span.path, start, end)

    def __bool__(self) -> bool:
        return bool(self.splices)


def shifted(finding: Finding, shifts: dict[str, Shift]) -> Finding | None:
    """The finding after edits in some files, without the fixes and related places that are gone; None if it is gone."""
    if finding.span.path not in shifts and not any(place.span.path in shifts for place in finding.related):
        return finding
    span = _moved(finding.span, shifts)
    if span is None:
        return None
    related = tuple(
        Related(moved, place.message) for place in finding.related if (moved := _moved(place.span, shifts)) is not None
    )
    fixes = tuple(fix for fix in (_moved_fix(fix, shifts) for fix in finding.fixes) if fix is not None)
    return replace(finding, span=span, related=related, fixes=fixes)


def _moved(span: Span, shifts: dict[str, Shift]) -> Span | None:
    shift = shifts.get(span.path)
    return shift.span(span) if shift else span


def _moved_fix(fix: Fix, shifts: dict[str, Shift]) -> Fix | None:
    edits = []
    for edit in fix.edits:
        span = _moved(edit.span, shifts)
        if span is None:
            return None
        edits.append(Edit(span, edit.text))
    return Fix(fix.title, tuple(edits), fix.safe)


def safe_edits(findings: Iterable[Finding]) -> tuple[Edit, ...]:
    """The edits of all safe fixes that do not get in each other's way, the first of overlapping ones winning."""
    taken: list[Edit] = []
    for finding in findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None or any(_collide(edit, other) for edit in fix.edits for other in taken):
            continue
        taken += fix.edits
    return tuple(taken)


def _collide(edit: Edit, other: Edit) -> bool:
    return edit.span.path == other.span.path and edit.span.start <= other.span.end and other.span.start <= edit.span.end
