"""Reading the text of one bibliography item: `@type{key, name = value, ...}`, `@string`, `@preamble`, `@comment`.

The grammar is BibTeX's (O. Patashnik, "BibTeXing", 1988).  A sound entry is read in one pass.  When a brace or quote is
never closed the entry is read again *by lines*: a value then ends at the latest where a line begins with `name =`, so
that one slip costs one field.  Every pass is linear in the length of the item.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzers.project.bibliography.entries import BibField, EntryBody, MacroUse, SyntaxProblem
from analyzers.project.bibliography.values import fold, macro_value

HEADER = re.compile(r"@[ \t]*+([A-Za-z][A-Za-z0-9_\-]*+)\s*+([{(])")
_KEY = {"}": re.compile(r"\s*+([^,\r\n={}\"]*+)"), ")": re.compile(r"\s*+([^,\r\n={}\")]*+)")}
_GAP = re.compile(r"(?:[\s,]++|%[^\r\n]*+)*+")
_NAME = re.compile(r"([^\s=,{}\"'#%()@\\]++)\s*+=\s*+")
_BRACED = re.compile(r"\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}")
_QUOTED = re.compile(r'"[^"{}]*+(?:\{[^{}]*+\}[^"{}]*+)*+"')
_WORD = re.compile(r"[^\s,{}\"#=()%]++")
_JOIN = re.compile(r"\s*+#\s*+")
# A whole field of the usual form in one go: a name, one piece, and no second one behind it.
_FIELD = re.compile(
    rf"[\s,]*+{_NAME.pattern}({_BRACED.pattern}|{_QUOTED.pattern}|[0-9]++)(?=\s*+[,}}])",
)
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r'[{}"]')
_EARLY = re.compile(r"\s*+,\s*+[A-Za-z][\w\-]*+\s*+=\s*+[\"{\d]")
_RESUME = re.compile(r"[,\r\n]\s*+(?=[A-Za-z][\w\-]*+\s*+=\s*+[\"{\w])")
_REST_OF_LINE = re.compile(r"[^\r\n]{0,120}+")
_MOST_PROBLEMS = 50
_LINE_LIMIT = re.compile(
    r"[\r\n][ \t]*+(?:,[ \t]*+)?(?:(?=[A-Za-z][\w\-]++[ \t]*+=[ \t]*+[\"{\w])|(?=[})][ \t]*+(?:[\r\n]|\Z)))"
)


@dataclass(frozen=True, slots=True)
class StringDefinition:
    """`@string{name = value}`: `name` lower-cased, `field` its place relative to the item."""

    name: str
    field: BibField


@dataclass(slots=True)
class _Cursor:
    """The state of one reading: where we are, and what was found."""

    text: str
    close: str
    strings: Mapping[str, str]
    limits: list[int] | None = None
    fields: list[BibField] = field(default_factory=list)
    problems: list[SyntaxProblem] = field(default_factory=list)

    def problem(self, kind: str, message: str, start: int, end: int) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(SyntaxProblem(kind, message, start, min(max(end, start + 1), len(self.text))))

    def limit(self, position: int) -> int:
        """Where a value that begins at `position` has to end at the latest."""
        if self.limits is None:
            return len(self.text)
        after = bisect_right(self.limits, position)
        return self.limits[after] if after < len(self.limits) else len(self.text)


def find_close(text: str, start: int, end: int) -> int:
    """Offset of the brace that closes the one at `start`, or -1 when it is not closed before `end`."""
    depth = 0
    for brace in _BRACE.finditer(text, start, end):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return -1


def _find_quote(text: str, start: int, end: int) -> int:
    """Offset of the quote at brace depth 0 that closes the one at `start`, or -1."""
    depth = 0
    for mark in _BRACE_OR_QUOTE.finditer(text, start + 1, end):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth -= 1
        elif depth <= 0:
            return mark.start()
    return -1


class _Unclosed(Exception):  # noqa: N818 - a signal between two passes, not an error
    """The first pass met something that is never closed."""


def read_entry(text: str, strings: Mapping[str, str], commented: bool = False) -> EntryBody:
    """The entry at the start of `text` (which must match HEADER), as far as it reaches; never raises.

    `strings` are the `@string` definitions in force, by lower-case name.
    """
    header = HEADER.match(text)
    if header is None:
        raise ValueError("the text does not begin with an entry")
    close = "}" if header[2] == "{" else ")"
    cursor = _Cursor(text, close, strings)
    try:
        key, key_start, position = _read_key(cursor, header.end())
        end = _read_fields(cursor, position)
    except _Unclosed:
        # The boundary is where the white space before the next field begins, so a value never reaches into its line.
        cursor = _Cursor(text, close, strings, limits=_line_limits(text, header.end()))
        key, key_start, position = _read_key(cursor, header.end())
        end = _read_fields(cursor, position)
    return _body(header, text[:end], (key, key_start), cursor, commented)


def _line_limits(text: str, start: int) -> list[int]:
    return [match.end() for match in _LINE_LIMIT.finditer(text, start)]


def _body(header: re.Match[str], source: str, key: tuple[str, int], cursor: _Cursor, commented: bool) -> EntryBody:
    first: list[BibField] = []
    repeated: list[BibField] = []
    index: dict[str, int] = {}
    for item in cursor.fields:
        if item.name in index:
            repeated.append(item)
            continue
        index[item.name] = len(first)
        first.append(item)
    return EntryBody(
        header[1].lower(),
        key[0],
        key[1],
        key[1] + len(key[0]),
        source,
        tuple(first),
        tuple(repeated),
        tuple(cursor.problems),
        commented,
        index,
    )


def _read_key(cursor: _Cursor, position: int) -> tuple[str, int, int]:
    """(key, its start, where the fields begin)."""
    text = cursor.text
    match = _KEY[cursor.close].match(text, position)
    assert match is not None
    key, start, after = match[1].rstrip(), match.start(1), match.end()
    if text.startswith("=", after):
        # What looked like the key (or its last word) is the name of a field.
        words = key.rsplit(None, 1)
        if len(words) < 2:
            cursor.problem("no-key", "The entry has no key.", 0, start)
            return "", start, start
        cursor.problem("missing-comma", f"No comma after the key `{words[0]}`.", start, start + len(words[0]))
        return words[0], start, start + len(key) - len(words[1])
    if text[after : after + 1] in ("{", '"'):
        cursor.problem("bad-key", "The key cannot be read.", start, after + 1)
        return key, start, after
    if not key:
        cursor.problem("no-key", "The entry has no key.", 0, start)
        return "", start, after
    if len(key.split(None, 1)) > 1:
        cursor.problem("blank-in-key", f"The key `{key}` contains white space.", start, start + len(key))
    gap = _GAP.match(text, after)
    if gap is not None and "," not in gap[0] and _NAME.match(text, gap.end()):
        cursor.problem("missing-comma", f"No comma after the key `{key}`.", start, start + len(key))
    return key, start, after


def _read_fields(cursor: _Cursor, position: int) -> int:
    """Reads `name = value` pairs into the cursor; the offset behind the entry."""
    text, close, size = cursor.text, cursor.close, len(cursor.text)
    comma_due: BibField | None = None
    while True:
        usual = _FIELD.match(text, position) if cursor.limits is None else None
        if usual is not None and (comma_due is None or "," in text[position : usual.start(1)]):
            comma_due = _usual_field(usual)
            cursor.fields.append(comma_due)
            position = comma_due.raw_end
            continue
        gap = _GAP.match(text, position)
        if gap is None:
            return size
        position = gap.end()
        if position >= size:
            return _never_closed(cursor)
        if text[position] == close:
            if not _EARLY.match(text, position + 1):
                return position + 1
            cursor.problem("early-close", "A closing brace too many: it ends the entry here.", position, position + 1)
            position += 1
            comma_due = None
            continue
        name = _NAME.match(text, position)
        if name is None:
            resumed = _resume(cursor, position, comma_due)
            if resumed < 0:
                return -resumed
            position, comma_due = resumed, None
            continue
        if comma_due is not None and "," not in gap[0]:
            start, end = comma_due.raw_end - 1, comma_due.raw_end
            cursor.problem("missing-comma", f"No comma after the field `{comma_due.name}`.", start, end)
        item = _read_value(cursor, name)
        if item is None:
            cursor.problem("no-value", f"The field `{name[1]}` has no value.", name.start(), name.end())
            position, comma_due = name.end(), None
            continue
        cursor.fields.append(item)
        position, comma_due = item.raw_end, item


def _usual_field(match: re.Match[str]) -> BibField:
    name, raw = match.groups()
    name_start, name_end = match.span(1)
    start, end = match.span(2)
    if raw[0] in '{"':
        return BibField(name.lower(), name_start, name_end, start, end, start + 1, end - 1, raw, fold(raw[1:-1]))
    return BibField(name.lower(), name_start, name_end, start, end, start, end, raw, raw)


def _never_closed(cursor: _Cursor) -> int:
    if cursor.limits is None:
        raise _Unclosed
    cursor.problem("not-closed", "The entry is never closed.", 0, 1)
    return max(len(cursor.text.rstrip()), 1)


def _resume(cursor: _Cursor, position: int, previous: BibField | None) -> int:
    """Where the next field begins after text that cannot be read; negative: minus the offset behind the entry."""
    text = cursor.text
    where = f" after the field `{previous.name}`" if previous is not None else ""
    line = _REST_OF_LINE.match(text, position)
    line_end = position if line is None else line.end()
    cursor.problem("unreadable", f"Text{where} that is not `name = value`.", position, line_end)
    found = _RESUME.search(text, position)
    if found is not None:
        return found.end()
    last = text.rfind(cursor.close, position)
    return -(last + 1) if last >= 0 else -_never_closed(cursor)


def _read_value(cursor: _Cursor, name: re.Match[str]) -> BibField | None:
    text, position = cursor.text, name.end()
    pieces: list[str] = []
    macros: list[MacroUse] = []
    start, opened = position, -1
    while True:
        lead = text[position : position + 1]
        if lead in ("{", '"'):
            opened = position
            position, closed = _read_delimited(cursor, position, lead, name)
            pieces.append(text[opened + 1 : position - 1] if closed else text[opened + 1 : position])
        else:
            word = _WORD.match(text, position)
            if word is None:
                break
            position = word.end()
            if word[0][0].isdigit():
                pieces.append(word[0])
            else:
                value = macro_value(word[0].lower(), cursor.strings)
                macros.append(MacroUse(word[0].lower(), word.start(), position, value is not None))
                pieces.append(word[0] if value is None else value)
        join = _JOIN.match(text, position)
        if join is None:
            break
        position = join.end()
    if not pieces:
        return None
    single = len(pieces) == 1 and opened == start
    raw = text[start:position]
    inner = (start + 1, start + 1 + len(pieces[0])) if single else (start, position)
    return BibField(
        name[1].lower(),
        name.start(1),
        name.end(1),
        start,
        position,
        *inner,
        raw,
        fold(pieces[0] if len(pieces) == 1 else "".join(pieces)),
        tuple(macros),
    )


def _read_delimited(cursor: _Cursor, position: int, lead: str, name: re.Match[str]) -> tuple[int, bool]:
    """Offset behind the braced or quoted piece that begins at `position`, and whether it is closed."""
    text = cursor.text
    if cursor.limits is None:
        fast = (_BRACED if lead == "{" else _QUOTED).match(text, position)
        if fast is not None:
            return fast.end(), True
    limit = cursor.limit(position)
    # The limit itself may be the closing delimiter of this value, on a line of its own.
    close = (find_close if lead == "{" else _find_quote)(text, position, min(limit + 1, len(text)))
    if close >= 0:
        return close + 1, True
    if cursor.limits is None:
        raise _Unclosed
    end = len(text[position + 1 : limit].rstrip(" \t\r\n,")) + position + 1
    kind = "brace" if lead == "{" else "quote"
    message = f"The {kind} that opens the value of `{name[1]}` is never closed."
    cursor.problem("unbalanced", message, position, position + 1)
    return end, False


def read_string(text: str, strings: Mapping[str, str]) -> tuple[StringDefinition | None, int]:
    """The `@string` at the start of `text` (None when it cannot be read), and the offset behind it."""
    header = HEADER.match(text)
    if header is None:
        return None, 1
    gap = _GAP.match(text, header.end())
    name = _NAME.match(text, gap.end() if gap is not None else header.end())
    if name is None:
        return None, header.end()
    cursor = _Cursor(text, "}" if header[2] == "{" else ")", strings)
    try:
        item = _read_value(cursor, name)
    except _Unclosed:
        return None, name.end()
    if item is None:
        return None, name.end()
    tail = _GAP.match(text, item.raw_end)
    end = item.raw_end if tail is None else tail.end()
    closed = text[end : end + 1] == cursor.close
    return StringDefinition(item.name, item), end + 1 if closed else item.raw_end


def skip_block(text: str) -> int:
    """The offset behind the `@comment` or `@preamble` at the start of `text`; behind its header if never closed."""
    header = HEADER.match(text)
    if header is None:
        return 1
    opening = header.end() - 1
    close = text.find(")", opening) if header[2] == "(" else find_close(text, opening, len(text))
    return close + 1 if close >= 0 else header.end()
