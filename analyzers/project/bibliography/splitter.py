"""Splitting a bibliography file into items, and keeping that up to date while the file is edited.

The file is cut where an item can only begin: at the start of a line that holds `@type{`.  The piece between two cuts is
read alone, so a broken entry damages itself only, and a piece whose text has not changed is not read again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from analyzers.finding import Note
from analyzers.fixes import Edit, apply_edits
from analyzers.project.bibliography.entries import BibEntry, Bibliography, EntryBody
from analyzers.project.bibliography.reader import HEADER, find_close, read_entry, read_string, skip_block
from analyzers.project.bibliography.values import MONTHS
from analyzers.text.spans import Span

# BibTeX's and biblatex's entry types, with the usual extras of styles.  Any other word must be followed by a key.
_TYPES = """
article book booklet conference inbook incollection inproceedings manual mastersthesis misc phdthesis proceedings
techreport unpublished mvbook bookinbook suppbook collection mvcollection suppcollection dataset periodical
suppperiodical mvproceedings reference mvreference inreference report set software thesis xdata online electronic www
artwork audio bibnote commentary image jurisdiction legislation legal letter movie music performance review standard
video patent
"""
KNOWN_TYPES = frozenset(_TYPES.split())
_COMMANDS = frozenset({"comment", "preamble", "string"})
_KEYED = re.compile(r"\s*+[^\s,{}\"=()]++[ \t]*+,")
_COMMENT_MARKS = " \t%"


class Piece(NamedTuple):
    """What one piece of the file holds: entries with their offsets in the piece.

    `used` are the macros its values use and what `@string` gave for them; the piece serves again while that holds.
    """

    entries: tuple[tuple[int, EntryBody], ...]
    used: Mapping[str, str | None]


def read_bibliography(path: str, text: str, strings: Mapping[str, str] | None = None) -> Bibliography:
    """The bibliography in `text`, decoded and without byte order mark (one at the start is tolerated).

    `path` is relative to the workspace.  `strings` are `@string` definitions of files read before this one.
    """
    return _assemble(path, text, strings or {}, None)


def update(
    bibliography: Bibliography, change: str | Iterable[Edit], strings: Mapping[str, str] | None = None
) -> Bibliography:
    """The bibliography after `change`, the new text or edits to the old one; only changed pieces are read again.

    Equal to `read_bibliography` of the new text.  `strings` replaces the definitions of earlier files when given.
    Raises ValueError when edits overlap or leave the text.
    """
    text = change if isinstance(change, str) else apply_edits(bibliography.text, change)
    outer = bibliography.outer_strings if strings is None else strings
    if text == bibliography.text and outer == bibliography.outer_strings:
        return bibliography
    return _assemble(bibliography.path, text, outer, bibliography)


def joined(bibliographies: Iterable[Bibliography]) -> Bibliography:
    """Several files as one, in the order given; macros left open in one file take the definitions of all.

    `path` and `text` are empty; every entry knows its own file.
    """
    files = tuple(bibliographies)
    if len(files) == 1:
        return files[0]
    strings = {name: value for file in files for name, value in file.strings.items()}
    # Own definitions win over those of other files, as the nearest one read before a use would.
    same = [
        update(file, file.text, {**strings, **file.strings}) if file.open_macros & strings.keys() else file
        for file in files
    ]
    return Bibliography(
        "",
        "",
        tuple(entry for file in same for entry in file.entries),
        strings,
        tuple(entry for file in same for entry in file.commented),
        tuple(note for file in same for note in file.problems),
    )


def _begins_item(text: str, header: re.Match[str]) -> bool:
    kind = header[1].lower()
    if kind in KNOWN_TYPES or kind in _COMMANDS:
        return True
    return _KEYED.match(text, header.end()) is not None


class _Cut(NamedTuple):
    """An `@` that begins an item: at the start of a line or within one, behind a `%` or not."""

    start: int
    header_end: int
    kind: str
    opens_brace: bool
    leads_line: bool
    behind_percent: bool


def _cuts(text: str) -> Iterator[_Cut]:
    position = 0
    while (position := text.find("@", position)) >= 0:
        header = HEADER.match(text, position)
        if header is not None and _begins_item(text, header):
            before = position
            while before and text[before - 1] in _COMMENT_MARKS:
                before -= 1
            leads = before == 0 or text[before - 1] in "\r\n\ufeff"
            percent = leads and "%" in text[before:position]
            yield _Cut(position, header.end(), header[1].lower(), header[2] == "{", leads, percent)
        position += 1


def _pieces(text: str, cuts: Iterable[_Cut]) -> Iterator[tuple[int, str, bool]]:
    """(offset, text, commented) of every piece; entries inside `@comment{...}` count as commented."""
    leading = [cut for number, cut in enumerate(cuts) if cut.leads_line or number == 0]
    # A comment that is never closed covers nothing, and no later one is looked for: that search would be quadratic.
    covered, searching = 0, True
    for number, cut in enumerate(leading):
        end = leading[number + 1].start if number + 1 < len(leading) else len(text)
        commented = cut.behind_percent or cut.start < covered
        if searching and cut.kind == "comment" and cut.opens_brace and cut.start >= covered:
            close = find_close(text, cut.header_end - 1, len(text))
            searching = close >= 0
            covered = max(covered, close)
        yield cut.start, text[cut.start : end], commented


def _read_piece(text: str, strings: Mapping[str, str], commented: bool) -> Piece:
    entries: list[tuple[int, EntryBody]] = []
    position, covered = 0, 0
    while (header := HEADER.match(text, position)) is not None:
        kind = header[1].lower()
        rest = text[position:] if position else text
        if kind == "comment":
            # BibTeX only skips the word, so what stands inside is still found.
            covered = max(covered, position + skip_block(rest))
            length = header.end() - position
        elif kind == "preamble":
            length = skip_block(rest)
        elif kind == "string":
            _, length = read_string(rest, strings)
        else:
            body = read_entry(rest, strings, commented or position < covered)
            entries.append((position, body))
            length = len(body.source)
        position = _next_item(text, position + length)
        if position < 0:
            break
    names = {use.name for _, body in entries for item in (*body.fields, *body.repeated) for use in item.macros}
    return Piece(tuple(entries), {name: strings.get(name) for name in names})


def _next_item(text: str, position: int) -> int:
    """Offset of the next item of the same line (or after a closing brace), or -1."""
    while (position := text.find("@", position)) >= 0:
        header = HEADER.match(text, position)
        if header is not None and _begins_item(text, header):
            return position
        position += 1
    return -1


def _strings(text: str, cuts: Iterable[_Cut], outer: Mapping[str, str]) -> dict[str, str]:
    strings = dict(outer)
    definitions = [cut for cut in cuts if cut.kind == "string" and not cut.behind_percent]
    for number, cut in enumerate(definitions):
        end = definitions[number + 1].start if number + 1 < len(definitions) else len(text)
        definition, _ = read_string(text[cut.start : end], strings)
        if definition is not None:
            strings[definition.name] = definition.field.value
    return strings


def _assemble(path: str, text: str, outer: Mapping[str, str], old: Bibliography | None) -> Bibliography:
    known: Mapping[str, object] = {} if old is None else old.parsed
    before = () if old is None else old.entries
    cuts = list(_cuts(text))
    strings = _strings(text, cuts, outer)
    parsed: dict[str, object] = {}
    entries: list[BibEntry] = []
    behind_percent: list[BibEntry] = []
    notes: list[Note] = []
    open_macros: set[str] = set()
    for start, piece, commented in _pieces(text, cuts):
        memory = "%" + piece if commented else piece
        read = parsed.get(memory) or known.get(memory)
        if not isinstance(read, Piece) or any(strings.get(name) != value for name, value in read.used.items()):
            read = _read_piece(piece, strings, commented)
        parsed[memory] = read
        if read.used:
            open_macros.update(name for name, value in read.used.items() if value is None and name not in MONTHS)
        for offset, body in read.entries:
            entry = before[len(entries)] if len(entries) < len(before) else None
            if entry is None or entry.body is not body or entry.start != start + offset:
                entry = BibEntry(path, start + offset, body)
            (behind_percent if body.commented else entries).append(entry)
            if body.problems and not body.commented:
                notes += (Note(item.message, Span(path, item.start, item.end)) for item in entry.problems)
    return Bibliography(
        path,
        text,
        tuple(entries),
        strings,
        tuple(behind_percent),
        tuple(notes),
        dict(outer),
        frozenset(open_macros),
        parsed,
    )
