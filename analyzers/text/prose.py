"""Prose: a block's text as a reader sees it, with a map back to the source that is exact for every character.

Inline math is written out flat (`$t(36)=2.43$` becomes `t(36)=2.43`), so that rules read numbers and statistics with plain
expressions.  What cannot be written out is one private-use character: a citation, a reference, display math, an unknown macro.
"""

import re
from functools import partial

from analyzers.text.commands import INCLUDE_ARGUMENTS, REF_ARGUMENTS
from analyzers.text.environments import MATH, SECTIONS, TABULAR, VERBATIM
from analyzers.text.flat_math import write_math
from analyzers.text.lex import Lexed, is_citing, lex, read_arguments, read_citation, read_group
from analyzers.text.prose_model import (
    CITATION,
    MATH_PLACE,
    NO_MACROS,
    PLACEHOLDERS,
    REFERENCE,
    UNKNOWN,
    Builder,
    MacroView,
    Part,
    PartKind,
    Piece,
    PieceKind,
    Prose,
)
from analyzers.text.siunitx import SIUNITX, write_siunitx
from analyzers.text.symbols import ACCENTS, DROPPED, LETTERS_ACCENTS, SYMBOLS, TRANSPARENT, accented

__all__ = [
    "CITATION",
    "MATH_PLACE",
    "NO_MACROS",
    "PLACEHOLDERS",
    "REFERENCE",
    "UNKNOWN",
    "MacroView",
    "Part",
    "PartKind",
    "Piece",
    "PieceKind",
    "Prose",
    "prose",
]

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
# What holds no token, in one step: trying each alternative of `_TOKEN` at every letter costs four times as much.
_PLAIN = re.compile(r"(?:[^\\%{}~$\-`' \t\r\n\f\v&]+|[ \t\f\v](?![ \t\r\n\f\v])|-(?!-)|`(?!`)|'(?!'))*")
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
_DEPTH = 6


def prose(source: str, lexed: Lexed, macros: MacroView = NO_MACROS) -> Prose:
    """The prose of a block: body first, then captions, footnotes and headings as parts of their own.  Never raises on odd input."""
    builder = Builder(source, lexed, macros, partial(_expanded, macros=macros))
    _text(builder, 0, len(source), 0)
    done = 0
    while done < len(builder.later):
        kind, start, end = builder.later[done]
        done += 1
        builder.break_part(kind, start)
        _text(builder, start, end, 1)
    return builder.finish()


def _text(b: Builder, position: int, limit: int, depth: int) -> None:
    """Write the text between `position` and `limit`."""
    source = b.source
    while position < limit:
        plain = _PLAIN.match(source, position, limit)
        at = plain.end() if plain else position
        if at > position:
            b.put(source[position:at], position, at, PieceKind.TEXT)
        match = _TOKEN.match(source, at, limit)
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
            write_math(b, at, position)
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


def _symbol(b: Builder, character: str, at: int, position: int, limit: int) -> int:
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


def _accent(b: Builder, accent: str, at: int, position: int) -> int:
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


def _command(b: Builder, name: str, at: int, position: int, limit: int, depth: int) -> int:
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
    if name in SIUNITX:
        return write_siunitx(b, name, at, position)
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
        text = b.expanded(expansion)
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
    if "\\" not in expansion and "$" not in expansion and "{" not in expansion:
        return expansion.strip()
    inner = prose(expansion, lex(expansion), macros._replace(expansion=lambda name: None))
    return " ".join(inner.text.split())


def _environment(b: Builder, begins: bool, at: int, position: int, limit: int, depth: int) -> int:
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
