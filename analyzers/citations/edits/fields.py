"""Setting, adding and removing one field of an entry, leaving every other byte of the file as it is.

A new field is written as its neighbours are: line ends, indentation, aligned `=`, braces or quotes, case of names.
Entries with damaged syntax are not touched, since nobody knows where their fields end.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry, BibField
from analyzers.text.spans import Span

_GAP = re.compile(r"\s*,\s*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ASSIGN = re.compile(r"(\s*)=(\s*)")


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one field: its new source inside the delimiters, or None to remove it."""

    name: str
    value: str | None


def editable(entry: BibEntry) -> bool:
    """Whether the fields of an entry can be edited at all: sound syntax, and no name given twice."""
    return not entry.problems and not entry.repeated


def change_fields(entry: BibEntry, changes: Iterable[Change]) -> tuple[Edit, ...]:
    """The edits for several changes of one entry; none for what is so already, none at all for a damaged entry.

    New fields come after the last one, in the order given.
    """
    if not editable(entry):
        return ()
    edits: list[Edit] = []
    added: list[Change] = []
    for change in changes:
        item = entry.field(change.name)
        if item is None:
            added += [change] if change.value is not None else []
        elif change.value is None:
            edits.append(Edit(Span(entry.path, _before(entry, item), item.raw_end), ""))
        elif change.value != _inner(item):
            edits.append(_replaced(entry, item, change.value))
    if added:
        style = _style(entry)
        text = "".join(style.written(change.name, change.value or "") for change in added)
        place = _end_of_fields(entry, removed={edit.span.end for edit in edits if not edit.text})
        edits.append(Edit(Span(entry.path, place, place), text))
    return tuple(sorted(edits, key=lambda edit: edit.span))


def fix(title: str, edits: Sequence[Edit], *, safe: bool = False) -> Fix | None:
    """A fix of these edits, None when there is nothing to do."""
    return Fix(title, tuple(edits), safe) if edits else None


def change_kind(entry: BibEntry, kind: str) -> tuple[Edit, ...]:
    """The edit that makes an entry one of another type (`inproceedings`), in the case that the file writes types."""
    start = entry.start + 1
    written = entry.source[1 : 1 + len(entry.kind)]
    if not editable(entry) or written.lower() == kind:
        return ()
    return (Edit(Span(entry.path, start, start + len(written)), _cased(kind, [written])),)


def line_break_of(text: str) -> str:
    """The line end that a text uses first."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"


def _inner(item: BibField) -> str:
    by = item.value_start - item.raw_start
    return item.raw[by : by + item.value_end - item.value_start]


def _replaced(entry: BibEntry, item: BibField, value: str) -> Edit:
    if not item.literal:
        return Edit(Span(entry.path, item.raw_start, item.raw_end), f"{{{value}}}")
    quoted = item.raw.startswith('"')
    return Edit(Span(entry.path, item.value_start, item.value_end), _in_quotes(value) if quoted else value)


def _in_quotes(value: str) -> str:
    """`value` for a place between quotes, where a bare quote would end the field."""
    depth = 0
    written: list[str] = []
    for character in value:
        depth += (character == "{") - (character == "}")
        written.append('{"}' if character == '"' and depth == 0 else character)
    return "".join(written)


def _fields(entry: BibEntry) -> list[BibField]:
    return list(entry.fields.values())


def _before(entry: BibEntry, item: BibField) -> int:
    """Where what stands before a field ends: the field before it, or the key."""
    return max((other.raw_end for other in _fields(entry) if other.raw_end <= item.name_start), default=entry.key_end)


def _end_of_fields(entry: BibEntry, removed: set[int]) -> int:
    """Where a new field goes: behind the last one that stays, so that no edit touches another."""
    staying = [item.raw_end for item in _fields(entry) if item.raw_end not in removed]
    return max(staying, default=entry.key_end)


@dataclass(frozen=True, slots=True)
class _Style:
    """How an entry writes its fields; `width` is the column of an aligned `=`, 0 when it is not aligned."""

    gap: str
    before: str
    after: str
    width: int
    quoted: bool
    names: tuple[str, ...]

    def written(self, name: str, value: str) -> str:
        shown = _cased(name, self.names)
        padding = " " * max(self.width - len(shown), len(self.before) and 1) if self.width else self.before
        content = f'"{_in_quotes(value)}"' if self.quoted else f"{{{value}}}"
        return f"{self.gap}{shown}{padding}={self.after}{content}"


def _style(entry: BibEntry) -> _Style:
    fields = _fields(entry)
    source, start = entry.source, entry.start
    if not fields:
        return _Style(f",{line_break_of(source)}  ", " ", " ", 0, False, ())
    last = fields[-1]
    gap = source[_before(entry, last) - start : last.name_start - start]
    if _GAP.fullmatch(gap) is None:
        break_ = line_break_of(source)
        gap = f",{break_}  " if break_ in source else ", "
    assigned = [(item, match) for item in fields if (match := _assignment(source, item, start)) is not None]
    before, after, width = " ", " ", 0
    if assigned:
        before, after = assigned[-1][1][1], assigned[-1][1][2]
        columns = {len(item.name) + len(match[1]) for item, match in assigned}
        lengths = {len(item.name) for item, _ in assigned}
        if len(columns) == 1 and len(lengths) > 1 and all(match[1].strip(" ") == "" for _, match in assigned):
            width = columns.pop()
    literal = [item for item in fields if item.literal]
    quoted = bool(literal) and all(item.raw.startswith('"') for item in literal)
    names = tuple(source[item.name_start - start : item.name_end - start] for item in fields)
    return _Style(gap, before, after, width, quoted, names)


def _assignment(source: str, item: BibField, start: int) -> re.Match[str] | None:
    return _ASSIGN.fullmatch(source, item.name_end - start, item.raw_start - start)


def _cased(name: str, written: Iterable[str]) -> str:
    """`name` in the case of others: `DOI`, `Doi` or `doi`."""
    letters = [other for other in written if any(map(str.isalpha, other))]
    if letters and all(other.isupper() for other in letters):
        return name.upper()
    if letters and all(other[:1].isupper() for other in letters):
        return name[:1].upper() + name[1:]
    return name


def whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened to its lines and one blank line behind them, when nothing else stands on these lines."""
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[line:start].strip(" \t\ufeff") or text.startswith("\ufeff", line, start):
        return start, end
    after = _skip_blank(text, end)
    if after is None:
        return start, end
    following = _skip_blank(text, after)
    blank_before = line == 0 or text[:line].endswith(("\n\n", "\r\r", "\r\n\r\n"))
    if following is not None and following > after and blank_before:
        after = following
    return line, after


def _skip_blank(text: str, position: int) -> int | None:
    """Behind the line end at `position` with nothing but blanks before it; None when something else follows."""
    while position < len(text) and text[position] in " \t":
        position += 1
    if position == len(text):
        return position
    found = _LINE_END.match(text, position)
    return found.end() if found else None


def comment_above(entry: BibEntry, text: str, comment: str) -> tuple[Edit, ...]:
    """A line of its own above an entry, which BibTeX and biber skip; none when the entry shares its line."""
    line = max(text.rfind("\n", 0, entry.start), text.rfind("\r", 0, entry.start)) + 1
    indent = text[line : entry.start]
    if indent.strip(" \t\ufeff") or "@" in comment:
        return ()
    place = Span(entry.path, entry.start, entry.start)
    return (Edit(place, f"% {' '.join(comment.split())}{line_break_of(text)}{indent.lstrip(chr(0xFEFF))}"),)
