"""Comments that allow a finding: `% counterclaim: allow CODE[, CODE…] -- reason`.

- `allow` means its own line; when the comment stands alone, the next line (in a `.bib` file: the next entry).
- `allow-paragraph` means the paragraph around the comment.
- `allow-begin` … `allow-end` mean what stands between them.
- `allow-file` means the whole file.

A code may be a check's code, its name, a family (`NUM`) or `ALL`.  Checks know nothing of this: findings are filtered
afterwards, so that an allowance which silences nothing can be told.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from analyzers.configuration import EVERYTHING, family_of
from analyzers.finding import Finding, Note
from analyzers.fixes import Edit, Fix
from analyzers.text.spans import Span

REASON_PLACEHOLDER = "write the reason here"
_LONG_LINE = 100
"""Code points after which a comment at the end of the line would be out of sight."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*(%)")
_DIRECTIVE = re.compile(
    r"%[ \t]*counterclaim:[ \t]*(?P<kind>allow(?:-[a-z]+)?)\b[ \t]*"
    r"(?P<codes>(?:(?!--)[^\r\n%])*)(?:--[ \t]*(?P<reason>[^\r\n]*))?"
)
_COMMENT_LINE = re.compile(r"[ \t]*%")
_ENTRY = re.compile(r"^[ \t]*@", re.MULTILINE)
_VERBATIM = re.compile(r"\\(begin|end)[ \t]*\{((?:verbatim|Verbatim|lstlisting|minted|alltt|filecontents)\*?)\}")


class Scope(StrEnum):
    """What a comment allows findings in."""

    LINE = "allow"
    PARAGRAPH = "allow-paragraph"
    REGION = "allow-begin"
    FILE = "allow-file"


_END = "allow-end"
_KINDS = (*(str(scope) for scope in Scope), _END)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: the codes it allows, the range in which it allows them, its reason ("" when it gives none)."""

    scope: Scope
    codes: tuple[str, ...]
    range: Span
    reason: str
    comment: Span


@dataclass(frozen=True, slots=True)
class Allowed:
    """What became of the findings: those that stay, those that a comment allows; and the comments that allow none."""

    kept: tuple[Finding, ...]
    allowed: tuple[tuple[Finding, Suppression], ...]
    unused: tuple[Suppression, ...]


class _Ranges:
    """Finds the ranges that comments mean.  Comments come in order, and what one had to look at is not looked at again:
    the cost is that of the text around comments, once."""

    __slots__ = ("_bibliography", "_entry", "_line_start", "_paragraph", "_stack_end", "_text")

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._bibliography = path.endswith(".bib")
        self._line_start = 0
        self._stack_end = -1
        self._paragraph = (0, -1)
        self._entry = (-1, -1)

    def line(self, offset: int) -> tuple[int, int]:
        """Start and end (without its line end) of the line of a comment at `offset`; offsets must not fall."""
        floor = self._line_start
        start = self._text.rfind("\n", floor, offset) + 1 or floor
        start = self._text.rfind("\r", start, offset) + 1 or start
        self._line_start = start
        return start, _line_end(self._text, offset)

    def of(self, scope: Scope, start: int, end: int, alone: bool) -> tuple[int, int]:
        """The range of a comment with `scope` on the line from `start` to `end`."""
        if scope is Scope.FILE:
            return 0, len(self._text)
        if scope is Scope.PARAGRAPH:
            return self._around(start, end)
        if not alone:
            return start, end
        return start, self._after_entry(end) if self._bibliography else self._after_stack(end)

    def _after_stack(self, end: int) -> int:
        # Comments may be stacked above a line; a finding on one of them (a leftover TODO) is allowed as well.
        if end <= self._stack_end:
            return self._stack_end
        while end < len(self._text):
            start = _next_line(self._text, end)
            end = _line_end(self._text, start)
            if not _COMMENT_LINE.match(self._text, start):
                break
        self._stack_end = end
        return end

    def _around(self, start: int, end: int) -> tuple[int, int]:
        first, last = self._paragraph
        if first <= start <= last:
            return self._paragraph
        while start > 0:
            before_end = start - (2 if self._text.endswith("\r\n", 0, start) else 1)
            before = _line_start(self._text, before_end)
            if not self._text[before:before_end].strip():
                break
            start = before
        while end < len(self._text):
            after = _next_line(self._text, end)
            after_end = _line_end(self._text, after)
            if not self._text[after:after_end].strip():
                break
            end = after_end
        self._paragraph = (start, end)
        return self._paragraph

    def _after_entry(self, end: int) -> int:
        start, last = self._entry
        if end > start:
            entry = _ENTRY.search(self._text, end)
            following = _ENTRY.search(self._text, entry.end()) if entry else None
            start = entry.start() if entry else len(self._text)
            last = following.start() - 1 if following else len(self._text)
            self._entry = (start, last)
        return last


def suppressions(text: str, path: str, known: Collection[str] = ()) -> tuple[tuple[Suppression, ...], tuple[Note, ...]]:
    """The allowing comments of a file, and notes about those that lack a reason, name an unknown code or are unpaired.

    `known` holds the codes and names of all checks; when it is empty, codes are not verified.  Linear in the text, and
    free when no comment speaks to us.
    """
    if "counterclaim:" not in text:
        return (), ()
    ranges = _Ranges(text, path)
    found: list[Suppression] = []
    notes: list[Note] = []
    opened: list[tuple[tuple[str, ...], str, Span]] = []
    position = 0
    while directive := _DIRECTIVE.search(text, position):
        position = max(directive.end(), directive.start() + 1)
        start, end = ranges.line(directive.start())
        comment = Span(path, directive.start(), directive.start() + len(directive[0].rstrip()))
        first = _COMMENT.search(text, start, end)
        if first is None or first.start(1) > directive.start():
            continue
        # The rest of the line belongs to this comment, whatever it holds.
        position = max(position, end)
        kind = directive["kind"]
        codes = tuple(dict.fromkeys(_normal(code) for code in re.split(r"[,\s]+", directive["codes"]) if code))
        reason = (directive["reason"] or "").strip()
        if kind not in _KINDS:
            near = get_close_matches(kind, _KINDS, 1, 0.5)
            notes.append(Note(f"`{kind}` is unknown. " + (f"Did you mean `{near[0]}`?" if near else ""), comment))
            continue
        notes += [Note(_unknown(code, known), comment) for code in codes if not _is_known(code, known)]
        if kind == _END:
            if not opened:
                notes.append(Note("`allow-end` without an `allow-begin` before it.", comment))
                continue
            begun_codes, begun_reason, begun = opened.pop()
            region = Span(path, begun.end, comment.start)
            found.append(Suppression(Scope.REGION, begun_codes, region, begun_reason, begun))
            continue
        if not codes:
            notes.append(Note("No code is named, so nothing is allowed.", comment))
            continue
        if not reason or reason == REASON_PLACEHOLDER:
            notes.append(Note(f"Say why: `% counterclaim: {kind} {', '.join(codes)} -- reason`.", comment))
        if kind == Scope.REGION:
            opened.append((codes, reason, comment))
            continue
        scope = Scope(kind)
        alone = not text[start : directive.start()].strip(" \t%")
        found.append(Suppression(scope, codes, Span(path, *ranges.of(scope, start, end, alone)), reason, comment))
    for codes, reason, begun in opened:
        notes.append(Note("`allow-begin` has no `allow-end`: it holds to the end of the file.", begun))
        found.append(Suppression(Scope.REGION, codes, Span(path, begun.end, len(text)), reason, begun))
    return tuple(sorted(found, key=lambda item: item.comment)), tuple(notes)


def apply_suppressions(
    findings: Iterable[Finding], comments: Iterable[Suppression], ran: Collection[str] | None = None
) -> Allowed:
    """Findings that no comment allows, those that one does, and the comments that allow none.  Files may be mixed.

    `ran` holds codes and names of the checks that ran (None: all): a comment for a check that did not run, or for a
    whole family, is never called unused.
    """
    every = tuple(comments)
    if not every:
        return Allowed(tuple(findings), (), ())
    index = _index(every)
    kept: list[Finding] = []
    allowed: list[tuple[Finding, Suppression]] = []
    for finding in findings:
        reason = _allowing(finding, index)
        if reason is None:
            kept.append(finding)
        else:
            allowed.append((finding, reason))
    used = {id(comment) for _, comment in allowed}
    unused = (comment for comment in every if id(comment) not in used)
    return Allowed(tuple(kept), tuple(allowed), tuple(comment for comment in unused if _all_ran(comment, ran)))


def suppress_here(finding: Finding, text: str, reason: str = REASON_PLACEHOLDER) -> Fix | None:
    """A fix that allows `finding` at its place, with `reason`.

    The comment goes to the end of the line, or above it where the line is long, has a comment already or lies in a
    `.bib` entry.  None where a comment would be printed or lost (verbatim text, a span outside the text).
    """
    start = finding.span.start
    if not 0 <= start <= len(text) or _in_verbatim(text, start):
        return None
    bibliography = finding.span.path.endswith(".bib")
    if bibliography:
        entries = [match.start() for match in _ENTRY.finditer(text, 0, start + 1)]
        start = entries[-1] if entries else start
    line_start, line_end = _line_start(text, start), _line_end(text, start)
    line = text[line_start:line_end]
    comment = f"% counterclaim: allow {finding.code} -- {' '.join(reason.split())}"
    if bibliography or len(line) > _LONG_LINE or _COMMENT.search(line):
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        edit = Edit(Span(finding.span.path, line_start, line_start), indent + comment + _newline(text))
    else:
        stripped = line_start + len(line.rstrip(" \t"))
        edit = Edit(Span(finding.span.path, stripped, line_end), f" {comment}" if line.strip() else comment)
    return Fix(f"Allow {finding.code} here, with a reason", (edit,))


def unused_note(comment: Suppression) -> Note:
    """The note about a comment that allows nothing."""
    return Note(f"Nothing to allow here: no finding has {' or '.join(comment.codes)}.", comment.comment)


def _all_ran(comment: Suppression, ran: Collection[str] | None) -> bool:
    return ran is None or all(code in ran for code in comment.codes)


_Index = Mapping[tuple[str, str], tuple[list[int], list[tuple[int, Suppression]]]]


def _index(comments: Sequence[Suppression]) -> _Index:
    """Per file and code: the starts of the ranges in order; beside each, the farthest end so far and its comment."""
    grouped: dict[tuple[str, str], list[Suppression]] = {}
    for comment in comments:
        for code in comment.codes:
            grouped.setdefault((comment.range.path, code), []).append(comment)
    index: dict[tuple[str, str], tuple[list[int], list[tuple[int, Suppression]]]] = {}
    for key, group in grouped.items():
        group.sort(key=lambda item: (item.range.start, item.range.end))
        farthest: list[tuple[int, Suppression]] = []
        for item in group:
            better = not farthest or item.range.end >= farthest[-1][0]
            farthest.append((item.range.end, item) if better else farthest[-1])
        index[key] = ([item.range.start for item in group], farthest)
    return index


def _allowing(finding: Finding, index: _Index) -> Suppression | None:
    for code in (finding.code, finding.name, family_of(finding.code), EVERYTHING):
        entry = index.get((finding.span.path, code))
        if entry is None:
            continue
        starts, farthest = entry
        place = bisect_right(starts, max(finding.span.start, finding.span.end - 1)) - 1
        if place >= 0 and farthest[place][0] >= finding.span.start:
            return farthest[place][1]
    return None


def _in_verbatim(text: str, offset: int) -> bool:
    # The nearest mark decides; a window keeps this independent of the size of the file.
    marks = list(_VERBATIM.finditer(text, max(0, offset - 20_000), offset))
    return bool(marks) and marks[-1][1] == "begin"


def _line_start(text: str, offset: int) -> int:
    # A lone "\r" is looked for within the line only, so that files without any are not read back to their start.
    start = text.rfind("\n", 0, offset) + 1
    return text.rfind("\r", start, offset) + 1 or start


def _line_end(text: str, offset: int) -> int:
    match = _LINE_END.search(text, offset)
    return match.start() if match else len(text)


def _next_line(text: str, end: int) -> int:
    """Where the line starts that follows the line end at `end`."""
    return end + (2 if text.startswith("\r\n", end) else 1)


def _newline(text: str) -> str:
    match = _LINE_END.search(text)
    return match[0] if match else "\n"


def _normal(code: str) -> str:
    """Codes are written in capitals; names of checks are not."""
    return code.upper() if re.fullmatch(r"[A-Za-z]{3}\d*", code) else code.lower()


def _is_known(code: str, known: Collection[str]) -> bool:
    return not known or code == EVERYTHING or code in known or code in {family_of(other) for other in known}


def _unknown(code: str, known: Collection[str]) -> str:
    near = get_close_matches(code, sorted({*known, *(family_of(other) for other in known)}), 1, 0.6)
    return f"No check has the code `{code}`." + (f" Did you mean `{near[0]}`?" if near else "")
