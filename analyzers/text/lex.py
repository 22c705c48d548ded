"""Lexing one block: commands with their arguments, math, and what is no document text (comments, verbatim, definitions).

A block is lexed from its own text alone, so the result is cached on it.  Paragraph breaks end inline math (TeX forbids them
there), so an unclosed `$` damages one paragraph.
"""

import re
import sys
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from analyzers.text.commands import (
    ARGUMENTS,
    BIBLIOGRAPHY,
    CITE,
    DEFINE,
    INCLUDE_ARGUMENTS,
    MULTICITE,
    NOT_CITE,
    REF_ARGUMENTS,
)
from analyzers.text.environments import DISPLAY_MATH, SECTIONS, VERBATIM
from analyzers.text.split import MAX_UNCLOSED, definition_end, inline_verbatim_end, matching_fi, verbatim_end


class Group(NamedTuple):
    """One argument: offsets of its content, inside the delimiters, and the opening delimiter (`{`, `[`, `(`, `<` or none)."""

    start: int
    end: int
    opening: str


class Command(NamedTuple):
    """A command whose arguments were read; `end` is behind the last one."""

    name: str
    start: int
    end: int
    groups: tuple[Group, ...]

    def braced(self, index: int = 0) -> Group | None:
        """The argument in braces number `index`, or None."""
        found = [group for group in self.groups if group.opening == "{"]
        return found[index] if index < len(found) else None

    def optional(self, index: int = 0) -> Group | None:
        """The argument in brackets number `index`, or None."""
        found = [group for group in self.groups if group.opening == "["]
        return found[index] if index < len(found) else None


class Environment(NamedTuple):
    """`\\begin{name}` or `\\end{name}`, at `start`; for verbatim-like ones `body_end` is where their text ends."""

    name: str
    start: int
    end: int
    begins: bool


class MaskKind(IntEnum):
    """Why a range is no document text."""

    COMMENT = 1
    VERBATIM = 2
    FALSE = 3
    DEFINITION = 4


class Mask(NamedTuple):
    """A range that is no document text."""

    start: int
    end: int
    kind: MaskKind


class Lexed(NamedTuple):
    """What one block holds; all offsets are relative to the block."""

    commands: tuple[Command, ...]  # known commands, in order
    names: tuple[tuple[str, int], ...]  # every other command: its name and where its backslash is
    environments: tuple[Environment, ...]
    math: tuple[tuple[int, int], ...]  # with delimiters
    masks: tuple[Mask, ...]

    def masked(self, offset: int) -> bool:
        """True when `offset` is inside a comment, verbatim text, false branch or definition."""
        return any(mask.start <= offset < mask.end for mask in self.masks)


_TOKEN = re.compile(
    r"\\(?:([A-Za-z@]+\*?)|([^\r\n]?))"
    r"|(%)[^\r\n]*"
    r"|(\$\$?)"
    r"|((?:\r\n|\n|\r(?!\n))[ \t\f\v]*(?:\r\n|\n|\r(?!\n)))"
)
# What holds no token, in one step: trying the alternatives of `_TOKEN` at every letter costs three times as much.
_PLAIN = re.compile(r"(?:[^\\%$\r\n]+|(?:\r\n|\n|\r(?!\n))(?![ \t\f\v]*[\r\n]))*")
_SIMPLE_GROUP = re.compile(r"\{([^{}\\%]*)\}")
_GAP = re.compile(r"[ \t]*(?:%[^\r\n]*(?:\r\n|\n|\r)?[ \t]*|(?:\r\n|\n|\r)[ \t]*(?![ \t\r\n]))?")
_BRACE = re.compile(r"\\[\s\S]|[{}]|%[^\r\n]*")
_BRACKET = re.compile(r"\\[\s\S]|[{}\[\]]|%[^\r\n]*")
_PARAGRAPH = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t\f\v]*(?:\r\n|\n|\r(?!\n))")
_ENVIRONMENT_NAME = re.compile(r"\s*\{([^{}\r\n]*)\}")
_KEYS = re.compile(r"[ \t]*<[^<>{}\\]*>")
_MULTICITE_PARENTHESES = re.compile(r"[ \t]*\(([^()]*)\)")
_CITE_START = ("cite", "Cite", "nocite", "onlinecite", "bibentry")
_LONG_ARGUMENT = 200_000
_LONG_OPTION = 5_000


def read_group(text: str, position: int, opening: str = "{") -> Group | None:
    """The group that opens at `position` (after blanks), or None when there is none or it does not close in its paragraph's block."""
    gap = _GAP.match(text, position)
    at = gap.end() if gap else position
    if not text.startswith(opening, at):
        return None
    if opening == "{":
        simple = _SIMPLE_GROUP.match(text, at)
        if simple:
            return Group(at + 1, simple.end() - 1, "{")
        braces = _braces(text)
        if at in braces:
            end = braces[at]
            return Group(at + 1, end, "{") if at < end <= at + _LONG_ARGUMENT else None
        return None
    depth = 0
    bracket_depth = 0
    for match in _BRACKET.finditer(text, at, min(len(text), at + _LONG_OPTION)):
        token = match[0]
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0:
            if token == "[":
                bracket_depth += 1
            elif token == "]":
                bracket_depth -= 1
                if bracket_depth == 0:
                    return Group(at + 1, match.start(), "[")
    return None


@lru_cache(maxsize=32)
def _braces(text: str) -> dict[int, int]:
    """Where each opening brace of a text closes, -1 when it does not.

    All at once, since looking for the end of each of many unclosed groups would take quadratic time.
    """
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        token = match[0]
        if token == "{":
            found[match.start()] = -1
            opened.append(match.start())
        elif token == "}" and opened:
            found[opened.pop()] = match.start()
    return found


def read_arguments(text: str, position: int, braced: int) -> tuple[tuple[Group, ...], int]:
    """Up to `braced` arguments in braces, with any in brackets before, between and after them, and where they end."""
    groups: list[Group] = []
    seen = 0
    while True:
        gap = _GAP.match(text, position)
        at = gap.end() if gap else position
        character = text[at : at + 1]
        if character == "[":
            group = read_group(text, at, "[")
        elif character == "{" and seen < braced:
            group = read_group(text, at)
            seen += 1
        else:
            break
        if group is None:
            break
        groups.append(group)
        position = group.end + 1
        if seen >= braced and group.opening == "{":
            break
    return tuple(groups), position


def _read_citation(text: str, position: int, name: str) -> tuple[tuple[Group, ...], int]:
    """Arguments of a citing command: `(..)(..)`, `<..>`, `[..][..]` and one or, for multicites, several `{keys}`."""
    groups: list[Group] = []
    several = name.rstrip("*") in MULTICITE
    if several:
        while match := _MULTICITE_PARENTHESES.match(text, position):
            groups.append(Group(match.start(1), match.end(1), "("))
            position = match.end()
    while True:
        match = _KEYS.match(text, position)
        if match:
            groups.append(Group(match.start() + 1, match.end() - 1, "<"))
            position = match.end()
            continue
        more, end = read_arguments(text, position, 1)
        if not any(group.opening == "{" for group in more):
            if not several and more and not any(group.opening == "{" for group in groups):
                groups += more
                position = end
                if _KEYS.match(text, position) is None:
                    break
                continue
            break
        groups += more
        position = end
        if not several:
            break
    return tuple(groups), position


def is_citing(name: str) -> bool:
    """True for commands that cite keys (of LaTeX, natbib, biblatex, apacite …), without the user's own wrappers."""
    bare = name.rstrip("*")
    return ("ite" in bare and CITE.fullmatch(bare) is not None and bare not in NOT_CITE) or bare == "bibentry"


_CITING: dict[str, bool] = {}


_KNOWN: dict[str, int] = (
    dict.fromkeys((*SECTIONS, *(name + "*" for name in SECTIONS)), 1)
    | ARGUMENTS
    | REF_ARGUMENTS
    | INCLUDE_ARGUMENTS
    | dict.fromkeys(BIBLIOGRAPHY, 1)
    | {"item": 0, "printbibliography": 0, "appendix": 0, "hyperref": 0, "maketitle": 0}
)


def lex(text: str) -> Lexed:
    """The commands, environments, math and masked ranges of one block."""
    commands: list[Command] = []
    names: list[tuple[str, int]] = []
    environments: list[Environment] = []
    math: list[tuple[int, int]] = []
    masks: list[Mask] = []
    position = 0
    unclosed = 0
    opened: tuple[str, int] | None = None  # math that is open: its closing token and where it starts
    plain, token = _PLAIN.match, _TOKEN.match
    citing = _CITING
    while match := token(text, run.end() if (run := plain(text, position)) else position):
        at = match.start()
        position = match.end()
        name = match[1]
        if name is not None:
            if name in {"begin", "end"}:
                environment = _ENVIRONMENT_NAME.match(text, position)
                if environment is None:
                    continue
                inner = sys.intern(environment[1].strip())
                position = environment.end()
                environments.append(Environment(inner, at, position, name == "begin"))
                if name == "begin" and inner in VERBATIM:
                    closing = verbatim_end(text, inner, position)
                    if closing is not None:
                        closing -= len(inner) + len(r"\end{}")
                        # Nothing is masked between `\begin` and an `\end` right behind it: who skips a mask has to get further.
                        if closing > position:
                            masks.append(Mask(position, closing, MaskKind.VERBATIM))
                        position = closing
                elif inner in DISPLAY_MATH:
                    if name == "begin" and opened is None:
                        opened = (inner, at)
                    elif name == "end" and opened is not None and opened[0] == inner:
                        math.append((opened[1], position))
                        opened = None
                continue
            name = sys.intern(name)
            if name in {"verb", "verb*", "lstinline"}:
                end = inline_verbatim_end(text, position, name.rstrip("*"))
                if end is not None:
                    masks.append(Mask(at, end, MaskKind.VERBATIM))
                    position = end
                continue
            if name == "iffalse":
                end = matching_fi(text, position)
                if end is not None:
                    masks.append(Mask(at, end, MaskKind.FALSE))
                    position = end
                continue
            if name in DEFINE:
                if name == "let":
                    names.append((name, at))
                    continue
                end = definition_end(text, position, name)[0] if unclosed < MAX_UNCLOSED else None
                if end is None:
                    unclosed += 1
                    names.append((name, at))
                    continue
                commands.append(Command(name, at, end, ()))
                masks.append(Mask(at, end, MaskKind.DEFINITION))
                position = end
                continue
            count = _KNOWN.get(name)
            if count is not None:
                groups, end = read_arguments(text, position, count)
                commands.append(Command(name, at, end, groups))
                # Arguments hold document text (a caption, a title), so scanning goes on inside of them.
                continue
            cites = citing.get(name)
            if cites is None:
                cites = citing[name] = is_citing(name)
            if cites:
                groups, end = _read_citation(text, position, name)
                commands.append(Command(name, at, end, groups))
                position = end
                continue
            names.append((name, at))
            continue
        symbol = match[2]
        if symbol is not None:
            if symbol in {"(", "["}:
                if opened is None:
                    opened = (")" if symbol == "(" else "]", at)
            elif (symbol in {")", "]"}) and opened is not None and opened[0] == symbol:
                math.append((opened[1], position))
                opened = None
            continue
        if match[3] is not None:
            masks.append(Mask(at, position, MaskKind.COMMENT))
            continue
        dollar = match[4]
        if dollar is not None:
            if opened is None:
                opened = (dollar, at)
            elif opened[0] == dollar:
                math.append((opened[1], position))
                opened = None
            elif opened[0] == "$" and dollar == "$$":
                math.append((opened[1], at + 1))
                opened = ("$", at + 1)
            continue
        # A paragraph break ends inline math; the newline may also start the next break.
        opened = None
        position -= 1
    return Lexed(tuple(commands), tuple(names), tuple(environments), tuple(math), tuple(masks))


def read_citation(text: str, position: int, name: str) -> tuple[tuple[Group, ...], int]:
    """Arguments of a citing command or of a wrapper around one, starting at `position`, behind its name."""
    return _read_citation(text, position, name)
