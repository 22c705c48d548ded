"""Prose: a block's text as a reader sees it, with a map back to the source that is exact for every character.

Inline math is written out flat (`$t(36)=2.43$` becomes `t(36)=2.43`), so that rules read numbers and statistics with plain
expressions.  What cannot be written out is one private-use character: a citation, a reference, display math, an unknown macro.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from analyzers.text.commands import INCLUDE_ARGUMENTS, REF_ARGUMENTS
from analyzers.text.environments import MATH, SECTIONS, TABULAR, VERBATIM
from analyzers.text.lex import Command, Lexed, MaskKind, is_citing, read_arguments, read_citation, read_group
from analyzers.text.symbols import ACCENTS, DROPPED, LETTERS_ACCENTS, MATH_SYMBOLS, SYMBOLS, TRANSPARENT, accented

CITATION = "\ue000"
REFERENCE = "\ue001"
MATH_PLACE = "\ue002"
UNKNOWN = "\ue003"
PLACEHOLDERS = CITATION + REFERENCE + MATH_PLACE + UNKNOWN


class PieceKind(IntEnum):
    """How a stretch of prose relates to its source; TEXT and MATH map code point by code point, the others as a whole."""

    TEXT = 0
    MATH = 1
    SYMBOL = 2
    MACRO = 3
    PLACE = 4


class Piece(NamedTuple):
    """A stretch of prose that starts at `start` and came from the source range."""

    start: int
    source_start: int
    source_end: int
    kind: PieceKind


class PartKind(IntEnum):
    """What a part of the prose is; sentences never cross parts."""

    BODY = 0
    HEADING = 1
    CAPTION = 2
    FOOTNOTE = 3
    ITEM = 4
    TITLE = 5
    ABSTRACT = 6


class Part(NamedTuple):
    """One paragraph, heading, caption, footnote or item within the prose."""

    start: int
    end: int
    kind: PartKind


@dataclass(frozen=True, slots=True)
class Prose:
    """Plain text of one block; `source` maps a range of it back to offsets relative to the block."""

    text: str
    pieces: tuple[Piece, ...]
    parts: tuple[Part, ...]

    def _piece(self, offset: int) -> tuple[Piece, int]:
        index = max(bisect_right(self.pieces, offset, key=lambda piece: piece.start) - 1, 0)
        end = self.pieces[index + 1].start if index + 1 < len(self.pieces) else len(self.text)
        return self.pieces[index], end

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The smallest source range that holds the prose from `start` to `end`; placeholders and symbols count as a whole."""
        if not self.pieces:
            return 0, 0
        first, _first_end = self._piece(start)
        last, _last_end = self._piece(max(end - 1, start))
        if first.kind <= PieceKind.MATH:
            source_start = min(first.source_start + start - first.start, first.source_end)
        else:
            source_start = first.source_start
        if last.kind <= PieceKind.MATH:
            source_end = min(last.source_start + max(end, start) - last.start, last.source_end)
        else:
            source_end = last.source_end
        # Footnotes and captions stand in another order in the source; a range never turns around.
        return source_start, max(source_end, source_start)

    def kind_at(self, offset: int) -> PieceKind:
        """The kind of the piece that holds `offset`."""
        return self._piece(offset)[0].kind if self.pieces else PieceKind.TEXT

    def at_source(self, offset: int) -> int | None:
        """The prose offset of a source offset that was kept as text, or None."""
        for index, piece in enumerate(self.pieces):
            if piece.source_start <= offset < piece.source_end:
                end = self.pieces[index + 1].start if index + 1 < len(self.pieces) else len(self.text)
                return (
                    min(piece.start + offset - piece.source_start, max(end - 1, piece.start))
                    if piece.kind <= PieceKind.MATH
                    else piece.start
                )
        return None


class MacroView(NamedTuple):
    """What the prose needs to know of the user's macros: text of one without arguments, and which wrap citing or referencing commands."""

    expansion: Callable[[str], str | None]
    citing: frozenset[str]
    referencing: frozenset[str]
    labelling: frozenset[str]
    bodies: Callable[[str], tuple[int, str] | None]
    silent: frozenset[str] = frozenset()


NO_MACROS = MacroView(lambda name: None, frozenset(), frozenset(), frozenset(), lambda name: None)

_TOKEN = re.compile(
    r"\\([A-Za-z@]+)(\*?)"
    r"|\\([^\r\n]?)"
    r"|(%)[^\r\n]*(?:\r\n|\n|\r)?[ \t]*"
    r"|([{}]+)"
    r"|(~)"
    r"|(\$\$?)"
    r"|(---?)"
    r"|(``|'')"
    r"|([ \t\r\n\f\v]*[\r\n][ \t\r\n\f\v]*|[ \t\f\v]{2,})"
    r"|(&)"
)
_MATH_TOKEN = re.compile(
    r"\\([A-Za-z@]+)\*?[ \t]*|\\([\s\S]?)|(\{,\})|([{}]+)|([ \t\r\n]+)|(~)|(%)[^\r\n]*(?:\r\n|\n|\r)?|(&)"
)
_ENVIRONMENT = re.compile(r"\s*\{([^{}\r\n]*)\}")
_BEGIN_ARGUMENTS = {"minipage": 1, "wrapfigure": 2, "wraptable": 2, "thebibliography": 1, "list": 2, "multicols": 1, "adjustbox": 1, "spacing": 1,
                    "subfigure": 1, "subtable": 1, "restatable": 2, "restatable*": 2, "tcolorbox": 0, "otherlanguage": 1, "CJK": 2, "CJK*": 2}  # fmt: skip
_NO_PROSE = TABULAR | frozenset(
    [
        "tikzpicture",
        "pgfpicture",
        "algorithmic",
        "axis",
        "forest",
        "circuitikz",
        "tikzcd",
        "pspicture",
        "picture",
        "overpic",
    ]
)
_SIUNITX = frozenset(
    [
        "SI",
        "qty",
        "SIrange",
        "qtyrange",
        "num",
        "numrange",
        "si",
        "unit",
        "ang",
        "numlist",
        "SIlist",
        "qtylist",
        "numproduct",
        "qtyproduct",
    ]
)
_UNITS = {
    "second": "s", "seconds": "s", "minute": "min", "hour": "h", "day": "d", "metre": "m", "meter": "m", "gram": "g", "kilogram": "kg", "kelvin": "K",
    "celsius": "°C", "degreeCelsius": "°C", "percent": "%", "hertz": "Hz", "byte": "B", "bit": "bit", "watt": "W", "volt": "V", "ampere": "A", "joule": "J",
    "electronvolt": "eV", "pascal": "Pa", "bar": "bar", "newton": "N", "mole": "mol", "litre": "L", "liter": "L", "tesla": "T", "ohm": "Ω", "degree": "°",
    "per": "/", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "milli": "m", "micro": "µ", "nano": "n", "pico": "p", "femto": "f", "centi": "c",
    "deci": "d", "squared": "^2", "cubed": "^3", "square": "", "cubic": "", "s": "s", "ms": "ms", "us": "µs", "ns": "ns", "m": "m", "cm": "cm", "mm": "mm",
    "km": "km", "um": "µm", "nm": "nm", "g": "g", "kg": "kg", "mg": "mg", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "GHz": "GHz", "eV": "eV", "keV": "keV",
    "MeV": "MeV", "GeV": "GeV", "W": "W", "kW": "kW", "V": "V", "K": "K", "GB": "GB", "MB": "MB", "kB": "kB", "gibi": "Gi", "mebi": "Mi", "kibi": "Ki",
    "parsec": "pc", "lightyear": "ly", "year": "yr", "arcsecond": "″", "arcminute": "′",
}  # fmt: skip
_FLAT_MATH_LIMIT = 160
_DEPTH = 6


class _Builder:
    """Collects prose and its pieces; everything it does is local to one call of `prose`."""

    def __init__(self, source: str, lexed: Lexed, macros: MacroView) -> None:
        self.source = source
        self.lexed = lexed
        self.macros = macros
        self.out: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        self.parts: list[Part] = []
        self.later: list[tuple[PartKind, int, int]] = []
        self.part_start = 0
        self.kind = PartKind.BODY
        self.skips = {mask.start: mask.end for mask in lexed.masks if mask.kind is not MaskKind.COMMENT}
        self.math = dict(lexed.math)
        self.commands: dict[int, Command] = {command.start: command for command in lexed.commands}

    def put(self, text: str, start: int, end: int, kind: PieceKind) -> None:
        if not text:
            return
        if (text == " ") and (self.length == self.part_start or (self.out and self.out[-1].endswith(" "))):
            return  # one blank is enough, and none at the start of a part
        if kind <= PieceKind.MATH and self.pieces:
            last = self.pieces[-1]
            if last.kind is kind and last.source_end == start and self.length - last.start == start - last.source_start:
                self.pieces[-1] = Piece(last.start, last.source_start, end, kind)
                self.out.append(text)
                self.length += len(text)
                return
        self.pieces.append(Piece(self.length, start, end, kind))
        self.out.append(text)
        self.length += len(text)

    def break_part(self, kind: PartKind, at: int) -> None:
        """End the current part; the next one is of `kind`."""
        if self.length > self.part_start:
            self.parts.append(Part(self.part_start, self.length, self.kind))
            self.pieces.append(Piece(self.length, at, at, PieceKind.SYMBOL))
            self.out.append("\n\n")
            self.length += 2
        self.part_start = self.length
        self.kind = kind

    def finish(self) -> Prose:
        if self.length > self.part_start:
            self.parts.append(Part(self.part_start, self.length, self.kind))
        return Prose("".join(self.out), tuple(self.pieces), tuple(self.parts))


def prose(source: str, lexed: Lexed, macros: MacroView = NO_MACROS) -> Prose:
    """The prose of a block: body first, then captions, footnotes and headings as parts of their own.  Never raises on odd input."""
    builder = _Builder(source, lexed, macros)
    _text(builder, 0, len(source), 0)
    done = 0
    while done < len(builder.later):
        kind, start, end = builder.later[done]
        done += 1
        builder.break_part(kind, start)
        _text(builder, start, end, 1)
    return builder.finish()


def _text(b: _Builder, position: int, limit: int, depth: int) -> None:
    """Write the text between `position` and `limit`."""
    source = b.source
    while position < limit:
        match = _TOKEN.search(source, position, limit)
        at = match.start() if match else limit
        if at > position:
            b.put(source[position:at], position, at, PieceKind.TEXT)
        if match is None:
            return
        position = match.end()
        if at in b.skips:
            position = min(b.skips[at], limit)
            if source.startswith("\\verb", at) or source.startswith("\\lstinline", at):
                b.put(UNKNOWN, at, position, PieceKind.PLACE)
            continue
        if at in b.math and b.math[at] <= limit:
            position = b.math[at]
            _math(b, at, position, depth)
            continue
        kind = match.lastindex
        if kind == 2:
            position = min(_command(b, match[1], at, position, limit, depth), limit)
        elif kind == 3:
            position = min(_symbol(b, match[3], at, position, limit), limit)
        elif kind in (6, 10):
            if kind == 10 and match[10].count("\n") + match[10].replace("\r\n", "").count("\r") > 1:
                b.break_part(b.kind, at)
            else:
                b.put(" ", at, position, PieceKind.SYMBOL)
        elif kind == 7:
            b.put(MATH_PLACE, at, position, PieceKind.PLACE)
        elif kind == 8:
            b.put("—" if len(match[8]) == 3 else "–", at, position, PieceKind.SYMBOL)
        elif kind == 9:
            b.put("“" if match[9] == "``" else "”", at, position, PieceKind.SYMBOL)
        elif kind == 11:
            b.put(" ", at, position, PieceKind.SYMBOL)


def _symbol(b: _Builder, character: str, at: int, position: int, limit: int) -> int:
    """A command made of one non-letter; returns where reading goes on."""
    if character in ACCENTS and character not in LETTERS_ACCENTS:
        return _accent(b, character, at, position)
    if character in "%&#_$ {}":
        b.put(character, at, position, PieceKind.SYMBOL)
    elif character == "\\":
        b.put(" ", at, position, PieceKind.SYMBOL)
        optional = read_group(b.source, position, "[")
        if optional is not None and optional.end < limit and optional.end - optional.start < 20:
            return optional.end + 1
    elif character in ",;:>/@":
        if character == ",":
            b.put("\u202f", at, position, PieceKind.SYMBOL)
    elif character in "([":
        b.put(MATH_PLACE, at, position, PieceKind.PLACE)
    elif character in "\r\n\t":
        b.put(" ", at, position, PieceKind.SYMBOL)
    return position


def _accent(b: _Builder, accent: str, at: int, position: int) -> int:
    source = b.source
    match = re.compile(r"\s*(?:\{\s*(\\[ij]|[^{}\\]?)\s*\}|(\\[ij](?![A-Za-z])\s*)|([^\W\d_]))").match(source, position)
    if match is None:
        return position
    letter = (match[1] or match[2] or match[3] or "").strip()
    letter = {"\\i": "ı", "\\j": "ȷ"}.get(letter, letter)
    b.put(accented(accent, letter), at, match.end(), PieceKind.SYMBOL)
    return match.end()


def _after_blanks(source: str, position: int, limit: int) -> int:
    while position < limit and source[position] in " \t":
        position += 1
    return position


def _command(b: _Builder, name: str, at: int, position: int, limit: int, depth: int) -> int:
    source = b.source
    known = b.commands.get(at)
    if name in {"begin", "end"}:
        return _environment(b, name == "begin", at, position, limit, depth)
    if name == "item":
        b.break_part(PartKind.ITEM, at)
        optional = read_group(source, position, "[")
        if optional is not None and optional.end < limit:
            _text(b, optional.start, optional.end, depth + 1)
            b.put(" ", optional.end, optional.end + 1, PieceKind.SYMBOL)
            return optional.end + 1
        return position
    if name in SECTIONS or name in (
        "title",
        "caption",
        "captionof",
        "footnote",
        "footnotetext",
        "subcaption",
        "subcaptionbox",
    ):
        group = known.braced(1 if name == "captionof" else 0) if known else None
        if known is None or group is None:
            return position
        kind = (
            PartKind.HEADING if name in SECTIONS
            else PartKind.TITLE if name == "title"
            else PartKind.FOOTNOTE if name.startswith("footnote")
            else PartKind.CAPTION
        )  # fmt: skip
        if depth < _DEPTH:
            b.later.append((kind, group.start, group.end))
        if name in SECTIONS:
            b.break_part(b.kind, at)
        return group.end + 1
    if known is not None and is_citing(name):
        if name != "nocite":
            b.put(CITATION, at, known.end, PieceKind.PLACE)
        return known.end
    if name in b.macros.citing:
        _, end = read_citation(source, position, name)
        b.put(CITATION, at, end, PieceKind.PLACE)
        return end
    if name in REF_ARGUMENTS and known is not None and name != "hyperref":
        b.put(REFERENCE, at, known.end, PieceKind.PLACE)
        return known.end
    if name in b.macros.referencing:
        _, end = read_arguments(source, position, 1)
        b.put(REFERENCE, at, end, PieceKind.PLACE)
        return end
    if name in b.macros.labelling or name in b.macros.silent:
        body = b.macros.bodies(name)
        _, end = read_arguments(source, position, max(body[0], 1) if body else 1)
        return end
    if name in SYMBOLS:
        end = _after_blanks(source, position, limit)
        if source.startswith("{}", position):
            end = position + 2
        b.put(SYMBOLS[name], at, end, PieceKind.SYMBOL)
        return end
    if name in LETTERS_ACCENTS and len(name) == 1:
        return _accent(b, name, at, position)
    if name in _SIUNITX:
        return _siunitx(b, name, at, position)
    if name in TRANSPARENT:
        return _after_blanks(source, position, limit)
    if name in DROPPED or name in INCLUDE_ARGUMENTS:
        groups, end = read_arguments(source, position, DROPPED.get(name, 1))
        if name == "href" and not groups:
            return position
        return end
    if name in ("footnotemark", "noindent", "textquoteright"):
        _, end = read_arguments(source, position, 0)
        return end
    expansion = b.macros.expansion(name)
    if expansion is not None and depth < _DEPTH:
        end = position
        if source.startswith("{}", position):
            end += 2
        text = _expanded(expansion, b.macros)
        # TeX swallows blanks behind a macro name unless the macro ends in \xspace; writers mean a blank there all the same.
        b.put(text or UNKNOWN, at, end, PieceKind.MACRO if text else PieceKind.PLACE)
        return end
    body = b.macros.bodies(name)
    if body is not None and body[0] and "#" not in body[1]:
        _, end = read_arguments(source, position, body[0])
        b.put(UNKNOWN, at, end, PieceKind.PLACE)
        return end
    if name in (
        "url",
        "path",
        "nolinkurl",
        "gls",
        "Gls",
        "glspl",
        "acl",
        "ac",
        "acs",
        "acf",
        "lstinline",
        "texttt",
        "code",
    ):
        groups, end = read_arguments(source, position, 1)
        if groups:
            last = groups[-1]
            b.put(
                source[last.start : last.end] if name[:2] in ("gl", "Gl", "ac") else UNKNOWN, at, end, PieceKind.PLACE
            )
            return end
    optional = read_group(source, position, "[")
    end = (
        optional.end + 1
        if optional is not None and optional.end < limit and source.startswith("{", optional.end + 1)
        else position
    )
    if not source.startswith("{", end):
        b.put(UNKNOWN, at, position, PieceKind.PLACE)
        return position
    return end


def _expanded(expansion: str, macros: MacroView) -> str:
    """The prose of a macro's body, on one line."""
    from analyzers.text.lex import lex  # a body is lexed rarely: once per table of macros, by the caller's cache

    if "\\" not in expansion and "$" not in expansion and "{" not in expansion:
        return expansion.strip()
    inner = prose(expansion, lex(expansion), macros._replace(expansion=lambda name: None))
    return " ".join(inner.text.split())


def _siunitx(b: _Builder, name: str, at: int, position: int) -> int:
    count = (
        3
        if "range" in name and name != "numrange"
        else 2
        if name in ("SI", "qty", "numrange", "SIlist", "qtylist", "qtyproduct")
        else 1
    )
    groups, end = read_arguments(b.source, position, count)
    braced = [group for group in groups if group.opening == "{"]
    if len(braced) < count:
        return position
    numbers = braced if name in ("num", "numrange", "ang", "numlist", "numproduct") else braced[:-1]
    unit = None if name in ("num", "numrange", "numlist", "numproduct") else braced[-1]
    if name in ("si", "unit"):
        numbers, unit = [], braced[0]
    for index, group in enumerate(numbers):
        if index:
            b.put(" to ", numbers[index - 1].end, group.start, PieceKind.SYMBOL)
        # Numbers are kept character by character, so that a finding points at the digits.
        b.put(b.source[group.start : group.end].replace("+-", "±±"[:1]) if "+-" in b.source[group.start : group.end] else b.source[group.start : group.end],
              group.start, group.end, PieceKind.SYMBOL if "+-" in b.source[group.start : group.end] else PieceKind.TEXT)  # fmt: skip
    if name == "ang":
        b.put("°", end - 1, end, PieceKind.SYMBOL)
    elif unit is not None:
        text = unit_text(b.source[unit.start : unit.end])
        b.put(("" if text in ("%", "°") or not numbers else " ") + text, unit.start - 1, unit.end + 1, PieceKind.SYMBOL)
    return end


def unit_text(source: str) -> str:
    """A siunitx unit in plain letters: `\\milli\\second` is `ms`, `\\km\\per\\hour` is `km/h`."""
    text = re.sub(r"\\([A-Za-z]+)\s*", lambda match: _UNITS.get(match[1], match[1]), source)
    return re.sub(r"[{}~\\]", "", text).replace(".", "·").strip()


def _environment(b: _Builder, begins: bool, at: int, position: int, limit: int, depth: int) -> int:
    source = b.source
    match = _ENVIRONMENT.match(source, position, limit)
    if match is None:
        return position
    name = match[1].strip()
    position = match.end()
    if not begins:
        if name not in MATH:
            b.break_part(PartKind.BODY, at)
        return position
    if name in VERBATIM:
        closing = source.find(rf"\end{{{name}}}", position)
        return closing if closing >= 0 else position
    if name in MATH:
        b.put(MATH_PLACE, at, position, PieceKind.PLACE)
        return position
    if name in _NO_PROSE:
        closing = source.find(rf"\end{{{name}}}", position, limit)
        if closing < 0:
            return position
        # Captions of a longtable stand inside of it.
        for command in b.lexed.commands:
            group = command.braced() if command.name.rstrip("*") == "caption" and at < command.start < closing else None
            if group is not None:
                b.later.append((PartKind.CAPTION, group.start, group.end))
        return closing
    b.break_part(PartKind.ABSTRACT if name == "abstract" else PartKind.BODY, at)
    _, position = read_arguments(source, position, _BEGIN_ARGUMENTS.get(name.rstrip("*"), 0))
    return position


def _math(b: _Builder, start: int, end: int, depth: int) -> None:
    """Inline math flat; display math and long formulas as one character."""
    source = b.source
    if (
        source.startswith("$$", start)
        or source.startswith("\\[", start)
        or source.startswith("\\begin", start)
        or end - start > _FLAT_MATH_LIMIT
    ):
        b.put(MATH_PLACE, start, end, PieceKind.PLACE)
        return
    width = 2 if source.startswith("\\(", start) else 1
    _flat_math(b, start + width, end - width)


def _flat_math(b: _Builder, position: int, limit: int) -> None:
    source = b.source
    while position < limit:
        match = _MATH_TOKEN.search(source, position, limit)
        at = match.start() if match else limit
        if at > position:
            b.put(source[position:at], position, at, PieceKind.MATH)
        if match is None:
            return
        position = match.end()
        name = match[1]
        if name is not None:
            position = min(_math_command(b, name, at, position, limit), limit)
        elif match[2] is not None:
            character = match[2]
            if character in "%$&#_{}":
                b.put(character, at, position, PieceKind.SYMBOL)
            elif character == ",":
                b.put("\u202f", at, position, PieceKind.SYMBOL)
            elif character in ";: \\":
                b.put(" ", at, position, PieceKind.SYMBOL)
        elif match[3] is not None:
            b.put(",", at, position, PieceKind.SYMBOL)
        elif match[5] is not None or match[6] is not None or match[8] is not None:
            b.put(" ", at, position, PieceKind.SYMBOL)


def _math_command(b: _Builder, name: str, at: int, position: int, limit: int) -> int:
    source = b.source
    if name in MATH_SYMBOLS:
        b.put(MATH_SYMBOLS[name], at, position, PieceKind.SYMBOL)
        return position
    if name in _SIUNITX:
        return _siunitx(b, name, at, position)
    if name in TRANSPARENT or name in ("limits", "nolimits", "mathord"):
        return position
    if name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac"):
        groups, end = read_arguments(source, position, 2)
        braced = [group for group in groups if group.opening == "{"]
        if len(braced) == 2 and end <= limit:
            _flat_math(b, braced[0].start, braced[0].end)
            b.put("/", braced[0].end, braced[1].start, PieceKind.SYMBOL)
            _flat_math(b, braced[1].start, braced[1].end)
            return end
    if name in DROPPED:
        _, end = read_arguments(source, position, DROPPED[name])
        return end
    if is_citing(name) or name in REF_ARGUMENTS:
        known = b.commands.get(at)
        b.put(CITATION if is_citing(name) else REFERENCE, at, known.end if known else position, PieceKind.PLACE)
        return known.end if known else position
    expansion = b.macros.expansion(name)
    if expansion is not None:
        text = _expanded("$" + expansion + "$" if "$" not in expansion else expansion, b.macros)
        b.put(text or UNKNOWN, at, position, PieceKind.MACRO if text else PieceKind.PLACE)
        return position
    b.put(SYMBOLS.get(name, name), at, position, PieceKind.SYMBOL)
    return position
