"""A cell's TeX as plain text that remembers where each character stands and how it is set."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzers.facts.tables.commands import (
    ARGUMENTS,
    BOLD,
    CITES,
    DECLARATIONS,
    DINGBATS,
    EXTRA,
    FUNCTIONS,
    ITALIC,
    LAST,
    PROGRAM,
    REFS,
    SIUNITX,
    SPACES,
    STYLES,
    UNDERLINE,
    UPRIGHT,
)
from analyzers.facts.tables.macros import MacroLike, Macros
from analyzers.facts.tables.masks import bracket_end, group_end, skip_blanks
from analyzers.text.siunitx import unit_text
from analyzers.text.symbols import ACCENTS, LETTERS_ACCENTS, MATH_SYMBOLS, SYMBOLS, TRANSPARENT, accented

UNKNOWN = "\ue003"
CITATION, REFERENCE = "\ue000", "\ue001"
_DEPTH = 12
# Characters and macro calls one cell may grow to by expansion; a macro that calls itself twice must not run away.
_BUDGET = 4_000
_CALLS = 100

_PLAIN = re.compile(r"[^\\{}$~^_&#'`\-\ue002]+")
_DING = re.compile(r"\s*\{\s*(5[1-6])\s*\}")
_COMMAND = re.compile(r"\\([A-Za-z@]+)\*?")
_PARAMETER = re.compile(r"#(\d)")


class Piece(NamedTuple):
    """A stretch of text; when `exact`, its characters are those of the source from `start` on."""

    at: int
    start: int
    end: int
    exact: bool
    flags: int
    macro: str | None


@dataclass(slots=True)
class Rendered:
    """Plain text with its pieces.  `opaque` is set when an unknown macro hides something."""

    text: str
    pieces: list[Piece]
    opaque: bool = False
    offsets: list[int] = field(default_factory=list)

    def _index(self, at: int) -> int:
        if not self.offsets:
            self.offsets = [piece.at for piece in self.pieces]
        return max(0, bisect_right(self.offsets, at) - 1)

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The source range of a range of the text."""
        if not self.pieces or end <= start:
            return (self.pieces[0].start, self.pieces[0].start) if self.pieces else (0, 0)
        first = self.pieces[self._index(start)]
        last = self.pieces[self._index(end - 1)]
        begin = first.start + (start - first.at) if first.exact else first.start
        stop = last.start + (end - last.at) if last.exact else last.end
        return begin, max(begin, stop)

    def flags(self, start: int, end: int) -> int:
        """The style that all visible characters of a range share."""
        if not self.pieces:
            return 0
        if len(self.pieces) == 1:
            return self.pieces[0].flags
        shared = BOLD | UNDERLINE | ITALIC
        seen = False
        for index in range(self._index(start), self._index(max(start, end - 1)) + 1):
            piece = self.pieces[index]
            stop = self.pieces[index + 1].at if index + 1 < len(self.pieces) else len(self.text)
            if self.text[max(piece.at, start) : min(stop, end)].strip():
                shared &= piece.flags
                seen = True
        return shared if seen else 0

    def macro(self, start: int, end: int) -> str | None:
        """The user macro whose expansion gave some of this range."""
        if not self.pieces:
            return None
        if len(self.pieces) == 1:
            return self.pieces[0].macro
        for index in range(self._index(start), self._index(max(start, end - 1)) + 1):
            if self.pieces[index].macro is not None:
                return self.pieces[index].macro
        return None


class _Scope(NamedTuple):
    """Where rendered text comes from: a range of the source, or a macro's body at the place of its call."""

    text: str
    call: tuple[int, int] | None
    macro: str | None
    arguments: tuple[tuple["_Scope", int, int], ...]


class Renderer:
    """Renders the cells of one table.  `source` must be masked."""

    def __init__(self, source: str, macros: Macros) -> None:
        self.macros = macros
        self._scope = _Scope(source, None, None, ())
        self._source = source
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0
        self._opaque = False
        self._calls = 0

    def render(self, start: int, end: int) -> Rendered:
        """The plain text of a range of the source."""
        segment = self._source[start:end]
        if segment.isascii() and _PLAIN.fullmatch(segment) is not None:
            return Rendered(segment, [Piece(0, start, end, True, 0, None)])
        self._parts, self._pieces, self._length, self._opaque, self._calls = [], [], 0, False, 0
        self._text(self._scope, start, end, 0, 0)
        return Rendered("".join(self._parts), self._pieces, self._opaque)

    def _put(self, scope: _Scope, text: str, start: int, end: int, *, flags: int, exact: bool = False) -> None:
        if not text or (self._length > _BUDGET and scope.call is not None):
            return
        if scope.call is not None:
            start, end = scope.call
            exact = False
        self._pieces.append(Piece(self._length, start, end, exact, flags, scope.macro))
        self._parts.append(text)
        self._length += len(text)

    def _text(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> None:
        text = scope.text
        while position < limit:
            plain = _PLAIN.match(text, position, limit)
            if plain is not None:
                self._put(scope, plain[0], position, plain.end(), flags=flags, exact=True)
                position = plain.end()
                continue
            sign = text[position]
            if sign == "\\":
                position, flags = self._command(scope, position, limit, flags, depth)
            elif sign == "{":
                end = group_end(text, position, limit)
                if end is None or depth > _DEPTH:
                    position += 1
                    continue
                self._text(scope, position + 1, end - 1, flags, depth + 1)
                position = end
            elif sign in "^_":
                position = self._script(scope, position, limit, flags, depth)
            elif sign == "#" and (match := _PARAMETER.match(text, position, limit)) is not None:
                self._parameter(scope, int(match[1]), flags, depth)
                position = match.end()
            elif sign == "-":
                position = self._dashes(scope, position, limit, flags)
            elif sign in "}$":
                position += 1
            else:
                shown = {"~": " ", "&": " ", "`": "‘", "'": "’"}.get(sign, sign)
                self._put(scope, shown, position, position + 1, flags=flags)
                position += 1

    def _dashes(self, scope: _Scope, position: int, limit: int, flags: int) -> int:
        end = position
        while end < limit and scope.text[end] == "-" and end - position < 3:
            end += 1
        length = end - position
        self._put(scope, "-–—"[length - 1], position, end, flags=flags, exact=length == 1)
        return end

    def _parameter(self, scope: _Scope, number: int, flags: int, depth: int) -> None:
        if 0 < number <= len(scope.arguments) and depth <= _DEPTH:
            origin, start, end = scope.arguments[number - 1]
            self._text(origin, start, end, flags, depth + 1)

    def _script(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> int:
        """Sub- and superscripts: exponents and spreads are read, marks such as a dagger are left out."""
        text = scope.text
        raised = text[position] == "^"
        start = skip_blanks(text, position + 1, limit)
        if start >= limit:
            return limit
        begin, end = start, start + 1
        if text[start] == "{":
            close = group_end(text, start, limit)
            begin, end = (start + 1, close - 1) if close is not None else (start + 1, start + 1)
            after = close if close is not None else start + 1
        elif text[start] == "\\":
            match = _COMMAND.match(text, start, limit)
            end = match.end() if match is not None else min(limit, start + 2)
            if match is not None and end < limit and text[end] == "{":
                end = group_end(text, end, limit) or end
            after = end
        else:
            after = end
        before = self._parts[-1].rstrip() if self._parts else ""
        content = text[begin:end]
        if raised and position and text[position - 1] in "${" and before and not content.strip("{}+-− ").isdigit():
            if "\\pm" in content or "\\circ" in content or "arrow" in content:
                self._text(scope, begin, end, flags, depth + 1)
        elif before[-1:].isalpha() and not before[-1:].isspace():
            self._put(scope, "^" if raised else "_", position, start, flags=flags)
            self._text(scope, begin, end, flags, depth + 1)
        elif raised and before.endswith("10") and content.strip("{}+-−\\ ").isdecimal():
            self._put(scope, "^", position, start, flags=flags)
            self._text(scope, begin, end, flags, depth + 1)
        elif "\\pm" in content or "±" in content or "\\downarrow" in content or "\\uparrow" in content:
            self._put(scope, " ", position, start, flags=flags)
            self._text(scope, begin, end, flags, depth + 1)
        elif "\\%" in content or "\\circ" in content:
            self._text(scope, begin, end, flags, depth + 1)
        elif not raised and re.match(r"\s*[(+\-\d.]", content) and before[-1:].isdigit():
            self._put(scope, " (", position, start, flags=flags)
            self._text(scope, begin, end, flags, depth + 1)
            self._put(scope, ")", after - 1, after, flags=flags)
        elif not before:
            self._text(scope, begin, end, flags, depth + 1)
        return after

    def _command(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> tuple[int, int]:
        text = scope.text
        match = _COMMAND.match(text, position, limit)
        if match is None:
            return self._escape(scope, position, limit, flags, depth), flags
        name, end = match[1], match.end()
        if name in UPRIGHT:
            return end, flags & ~(BOLD | ITALIC)
        style = STYLES.get(name, 0)
        if name in DECLARATIONS:
            return end, flags | style
        if name in ("textsuperscript", "textsubscript"):
            return self._raised(scope, name, end, limit, flags, depth), flags
        if style or (name in TRANSPARENT and name not in self.macros):
            return self._argument(scope, end, limit, flags | style, depth), flags
        if name in self.macros:
            return self._user(scope, name, position, end, limit, flags=flags, depth=depth), flags
        if name in SIUNITX:
            return self._siunitx(scope, name, end, limit, flags, depth), flags
        if name == "ding" and (mark := _DING.match(text, end, limit)) is not None:
            self._put(scope, DINGBATS[mark[1]], position, mark.end(), flags=flags)
            return mark.end(), flags
        layout = LAST.get(name)
        if layout is not None:
            return self._last(scope, layout, end, limit, flags, depth), flags
        if name in ("begin", "end"):
            return self._environment(scope, name, end, limit), flags
        if name in SPACES:
            self._put(scope, " ", position, end, flags=flags)
            return end, flags
        symbol = EXTRA.get(name) or MATH_SYMBOLS.get(name) or SYMBOLS.get(name)
        if symbol is not None:
            self._put(scope, symbol, position, end, flags=flags)
            return end, flags
        if len(name) == 1 and name in LETTERS_ACCENTS:
            return self._accent(scope, name, position, end, limit, flags=flags), flags
        if name in ARGUMENTS:
            return self._fraction(scope, end, limit, flags, depth), flags
        if CITES.match(name) or name in REFS:
            after = self._skip(text, end, limit, "oom")
            self._put(scope, REFERENCE if name in REFS else CITATION, position, after, flags=flags)
            return after, flags
        if name in FUNCTIONS:
            self._put(scope, name + " ", position, end, flags=flags)
            return end, flags
        if name == "sqrt":
            self._put(scope, "√", position, end, flags=flags)
            return self._argument(scope, end, limit, flags, depth), flags
        return self._unknown(scope, position, end, limit, flags), flags

    def _escape(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> int:
        sign = scope.text[position + 1 : position + 2]
        end = min(limit, position + 2)
        if sign == "\\":
            end = skip_blanks(scope.text, end, limit)
            if scope.text[end : end + 1] == "[":
                end = bracket_end(scope.text, end, limit) or end
            self._put(scope, " ", position, end, flags=flags)
        elif sign in ACCENTS and sign:
            return self._accent(scope, sign, position, end, limit, flags=flags)
        elif sign == ",":
            before = self._parts[-1][-1:] if self._parts else ""
            self._put(scope, "\u2009" if before.isdigit() else " ", position, end, flags=flags)
        elif sign in " ;:\t\n":
            self._put(scope, " ", position, end, flags=flags)
        elif sign in "!/-()[]@*":
            pass
        elif sign:
            self._put(scope, sign, position, end, flags=flags)
        del depth
        return end

    def _argument(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> int:
        """Render the group that follows, if one does; otherwise the command was only a switch."""
        start = skip_blanks(scope.text, position, limit)
        if start < limit and scope.text[start] == "{":
            end = group_end(scope.text, start, limit)
            if end is not None and depth <= _DEPTH:
                self._text(scope, start + 1, end - 1, flags, depth + 1)
                return end
        elif start < limit and scope.text[start].isdigit() and start == position:
            self._put(scope, scope.text[start], start, start + 1, flags=flags, exact=True)
            return start + 1
        return position

    def _skip(self, text: str, position: int, limit: int, layout: str) -> int:
        """Behind the arguments of a layout; a missing optional argument is no argument."""
        for kind in layout:
            start = skip_blanks(text, position, limit)
            if start >= limit:
                break
            if kind == "o":
                if text[start] == "[":
                    position = bracket_end(text, start, limit) or position
            elif text[start] == "{":
                position = group_end(text, start, limit) or position
            elif kind == "m" and text[start] in "*=":
                position = start + 1
        return position

    def _last(self, scope: _Scope, layout: str, position: int, limit: int, flags: int, depth: int) -> int:
        after = self._skip(scope.text, position, limit, layout.rstrip("-"))
        if layout.endswith("-"):
            return after
        return self._argument(scope, after, limit, flags, depth)

    def _environment(self, scope: _Scope, name: str, position: int, limit: int) -> int:
        """Nested environments are read through: their delimiters and arguments go, the text stays."""
        text = scope.text
        end = group_end(text, position, limit) if position < limit and text[position] == "{" else None
        if end is None:
            return position
        inner = text[position + 1 : end - 1]
        if name == "begin" and ("tabular" in inner or inner in ("array", "minipage", "tblr")):
            return self._skip(text, end, limit, "om" if inner not in ("tabular*", "tabularx") else "mom")
        return end

    def _raised(self, scope: _Scope, name: str, position: int, limit: int, flags: int, depth: int) -> int:
        start = skip_blanks(scope.text, position, limit)
        end = group_end(scope.text, start, limit) if scope.text[start : start + 1] == "{" else None
        if end is None:
            return position
        content = scope.text[start + 1 : end - 1]
        if "pm" in content or "±" in content or (name == "textsubscript" and content[:1].isdigit()):
            self._put(scope, " (" if "pm" not in content and "±" not in content else " ", start, start + 1, flags=flags)
            self._text(scope, start + 1, end - 1, flags, depth + 1)
            if "pm" not in content and "±" not in content:
                self._put(scope, ")", end - 1, end, flags=flags)
        elif not self._parts or (self._parts[-1][-1:].isalpha() and content.isdecimal()):
            self._text(scope, start + 1, end - 1, flags, depth + 1)
        return end

    def _accent(self, scope: _Scope, accent: str, at: int, position: int, limit: int, *, flags: int) -> int:
        start = skip_blanks(scope.text, position, limit)
        text = scope.text
        if start >= limit:
            return limit
        if text[start] == "{":
            end = group_end(text, start, limit)
            if end is None:
                return position
            letter = text[start + 1 : end - 1].replace("\\i", "i").replace("\\j", "j").strip()
        else:
            end = start + 1
            letter = text[start]
        shown = accented(accent, letter) if letter and len(letter) < 4 and letter[0].isalpha() else letter
        self._put(scope, shown, at, end, flags=flags)
        return end

    def _fraction(self, scope: _Scope, position: int, limit: int, flags: int, depth: int) -> int:
        middle = self._argument(scope, position, limit, flags, depth)
        self._put(scope, "/", middle, middle, flags=flags)
        return self._argument(scope, middle, limit, flags, depth)

    def _siunitx(self, scope: _Scope, name: str, position: int, limit: int, flags: int, depth: int) -> int:
        text = scope.text
        position = self._skip(text, position, limit, "o")
        if name not in ("si", "unit"):
            position = self._argument(scope, position, limit, flags, depth)
            if name in ("numrange", "SIrange", "qtyrange"):
                self._put(scope, "–", position, position, flags=flags)
                position = self._argument(scope, position, limit, flags, depth)
        if name in ("num", "tablenum", "numrange", "ang"):
            return position
        start = skip_blanks(text, position, limit)
        end = group_end(text, start, limit) if text[start : start + 1] == "{" else None
        if end is None:
            return position
        self._put(scope, " " + unit_text(text[start + 1 : end - 1]), start, end, flags=flags)
        return end

    def _unknown(self, scope: _Scope, position: int, end: int, limit: int, flags: int) -> int:
        """A macro nobody defined: its arguments are not text, and what it prints is not known."""
        while end < limit and scope.text[end] in "[{":
            after = group_end(scope.text, end, limit) if scope.text[end] == "{" else bracket_end(scope.text, end, limit)
            if after is None:
                break
            end = after
        self._put(scope, UNKNOWN, position, end, flags=flags)
        self._opaque = True
        return end

    def _user(self, scope: _Scope, name: str, position: int, end: int, limit: int, *, flags: int, depth: int) -> int:
        """Expand a macro of the manuscript; its arguments keep their own places in the source."""
        macro: MacroLike = self.macros[name]
        if PROGRAM.search(macro.body) is not None:
            return self._unknown(scope, position, end, limit, flags)
        text = scope.text
        arguments: list[tuple[_Scope, int, int]] = []
        after = end
        for _ in range(macro.arity):
            start = skip_blanks(text, after, limit)
            if start >= limit:
                break
            if text[start] == "[" and not arguments:
                stop = bracket_end(text, start, limit)
                stop = stop if stop is not None else start + 1
                arguments.append((scope, start + 1, stop - 1))
            elif text[start] == "{":
                stop = group_end(text, start, limit)
                stop = stop if stop is not None else limit
                arguments.append((scope, start + 1, stop - 1))
            else:
                command = _COMMAND.match(text, start, limit)
                stop = command.end() if command is not None else start + 1
                arguments.append((scope, start, stop))
            after = stop
        if macro.arity == 0 and text[end : end + 2] == "{}":
            after = end + 2
        self._calls += 1
        if depth > _DEPTH or self._length > _BUDGET or self._calls > _CALLS:
            self._opaque = True
            return after
        call = scope.call or (position, after)
        inner = _Scope(macro.body, call, scope.macro or name, tuple(arguments))
        self._text(inner, 0, len(macro.body), flags, depth + 1)
        return after
