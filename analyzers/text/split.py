"""Cutting a file into blocks: paragraph-sized pieces that can be lexed alone.

A block ends at a blank line, before a sectioning command, and around environments that are not part of a sentence.
Verbatim-like environments, floats, tables and drawings stay whole when their end can be found; when it cannot, the file is
half-typed there, the opener is an ordinary command, and everything after it keeps its structure.

Invariant: a block's cut depends on the text before `start + reach` only, so that an edit past it leaves the block as it is.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.text.environments import ACROSS_SECTIONS, FLOAT, MATH, VERBATIM, WHOLE

AFTER_END = "\x00after"  # on the stack: text after `\end{document}`
ENDLESS = 1 << 60

_SECTION_NAMES = r"(?:part|chapter|addchap|section|addsec|(?:sub){1,2}section|(?:sub)?paragraph|appendix)(?![A-Za-z@])"
_DEFINITION_NAMES = (
    r"(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|(?:re)?newenvironment|[egx]?def"
    r"|(?:New|Renew|Provide|Declare)(?:Expandable)?Document(?:Command|Environment)|newtheorem|newcolumntype|lstnewenvironment"
    r"|DeclareMathOperator|DeclarePairedDelimiterX?)(?![A-Za-z@])"
)
_NEWLINE = r"(?:\r\n|\n|\r(?!\n))"
_TOKEN = re.compile(
    r"\\(?:(begin)\s*\{([^{}\r\n]*)\}"
    r"|(end)\s*\{([^{}\r\n]*)\}"
    rf"|({_SECTION_NAMES})"
    rf"|({_DEFINITION_NAMES})"
    r"|(iffalse)(?![A-Za-z@])"
    r"|(verb|lstinline)(?![A-Za-z@])\*?"
    r"|[^\r\n]|(?=[\r\n])|\Z)"
    r"|(%)[^\r\n]*"
    rf"|({_NEWLINE}(?:[ \t\f\v]*{_NEWLINE})+)"
)
# What holds no token, in one step: trying the alternatives of `_TOKEN` at every letter costs three times as much.
_PLAIN = re.compile(rf"(?:[^\\%\r\n]+|{_NEWLINE}(?![ \t\f\v]*[\r\n]))*")
_REST_OF_LINE = re.compile(rf"[ \t]*(?:%[^\r\n]*)?(?:{_NEWLINE}|\Z)(?:[ \t\f\v]*{_NEWLINE})*")
_LINE_END = re.compile(r"[\r\n]|\Z")
_BRACE = re.compile(r"\\[\s\S]|[{}]|%[^\r\n]*")
# `\iff` and the macros of ifthen and etoolbox are no conditionals of TeX, which counts only these while it skips text.
_NO_CONDITIONAL = r"(?:f|thenelse|bool|boolexpr|toggle|def|undef|str\w*|blank|num\w*|dim\w*|cs\w*|inlist\w*|empty|equal|package\w*)(?![A-Za-z@])"
_CONDITIONAL = re.compile(rf"\\(if(?!{_NO_CONDITIONAL})[A-Za-z@]*|fi|else)(?![A-Za-z@])|\\[^A-Za-z]|%[^\r\n]*")
_INNER = re.compile(rf"\\(?:(begin|end)\s*\{{([^{{}}\r\n]*)\}}|({_SECTION_NAMES})|[^\r\n]|(?=[\r\n])|\Z)|%[^\r\n]*")
_AFTER_NAME = re.compile(r"\*?\s*")
_PARAMETER_TEXT = re.compile(r"\\(?:[A-Za-z@]+|[\s\S]?)[^\S\r\n]*(?:#\d|[^\\{}\[\]%\r\n#]{0,3})*")
_GAP = re.compile(r"[ \t]*(?:%[^\r\n]*)?(?:\r\n|\r|\n)?[ \t]*")
# A definition may be a dictionary of some 100 KB; what is never closed must not cost that much again and again.
_MAX_DEFINITION = 150_000
MAX_UNCLOSED = 3
_MAX_STACK = 100
_MAX_NESTED = 8
_MAX_WHOLE = 2_000_000
_MAX_ABSTRACT = 20_000


class Cut(NamedTuple):
    """One block of a file: its range, the environments open at its start, and how far the text was looked at."""

    start: int
    end: int
    stack: tuple[str, ...]
    reach: int  # relative to `start`; ENDLESS when it reaches to the end of the file


def cuts(text: str, position: int = 0, stack: tuple[str, ...] = ()) -> Iterator[Cut]:
    """The blocks of `text` from `position`, which must be a block start whose open environments are `stack`."""
    length = len(text)
    while position < length:
        end, next_stack, reach = _one_block(text, position, stack)
        if reach != ENDLESS:
            # A cut in the middle of a line depends on what its tokens could still grow into, which is the rest of that line.
            line_end = _LINE_END.search(text, end)
            reach = max(reach, (line_end.start() if line_end else length) + 2) - position
        yield Cut(position, end, stack, reach)
        position, stack = end, next_stack


def _one_block(text: str, start: int, stack: tuple[str, ...]) -> tuple[int, tuple[str, ...], int]:
    """End of the block that starts at `start`, the stack behind it, and the absolute position up to which text was read."""
    if stack and stack[-1] == AFTER_END:
        return len(text), stack, ENDLESS
    length, position, reach = len(text), start, start
    math = unclosed = 0
    entry = stack
    while True:
        plain = _PLAIN.match(text, position)
        match = _TOKEN.match(text, plain.end() if plain else position)
        if match is None:
            return length, stack, ENDLESS if reach == ENDLESS else length + 1
        at, position = match.start(), match.end()
        kind = match.lastindex
        if kind is None or kind == 9:  # an escape or a comment
            continue
        if kind == 10:  # blank line
            if not text[start:at].strip():
                continue  # leading blank lines belong to this block
            return position, stack, ENDLESS if reach == ENDLESS else max(reach, position + 1)
        if kind == 2:
            name = match[2].strip()
            if name in VERBATIM:
                closing = verbatim_end(text, name, position)
                if closing is None:
                    reach = ENDLESS
                    continue
                if math:
                    position = closing
                    continue
                before = _cut_before(text, start, at)
                if before is not None:
                    return before, stack, max(reach, closing + 1)
                end = _after(text, closing)
                return end, stack, max(reach, end + 1)
            if name in MATH:
                math += 1
                continue
            if math:
                continue
            before = _cut_before(text, start, at)
            if before is not None:
                return before, stack, max(reach, position)
            if name in WHOLE:
                closing, seen = _whole_end(text, name, position)
                reach = max(reach, seen)
                if closing is not None:
                    end = _after(text, closing)
                    return end, stack, max(reach, end + 1)
            if len(stack) < _MAX_STACK:
                stack = (*stack, name)
            continue
        if kind == 4:
            name = match[4].strip()
            if name in MATH:
                math = max(0, math - 1)
                continue
            if name == "document" and "document" in (*stack, *entry):
                end = _after(text, position)
                return end, (AFTER_END,), max(reach, end + 1)
            if name in stack:
                stack = stack[: len(stack) - 1 - stack[::-1].index(name)]
            if math:
                continue
            end = _after(text, position)
            return end, stack, max(reach, end + 1)
        if kind == 5:
            if math:
                math = 0
            before = _cut_before(text, start, at)
            if before is None:
                continue
            kept, seen = _across_section(text, stack, at)
            return before, kept, max(reach, seen)
        if kind == 6:
            if unclosed >= MAX_UNCLOSED:
                continue
            closing, seen = definition_end(text, position, match[6])
            reach = max(reach, seen)
            unclosed += closing is None
            if closing is not None:
                position = closing
            continue
        if kind == 7:
            found = matching_fi(text, position)
            if found is None:
                reach = ENDLESS
            else:
                position = found
            continue
        position = inline_verbatim_end(text, position, match[8]) or position


def _cut_before(text: str, start: int, at: int) -> int | None:
    """Where to cut so that the token at `at` starts a block; None when only blanks stand between `start` and it."""
    line = max(text.rfind("\n", start, at), text.rfind("\r", start, at)) + 1
    line = max(line, start)
    cut = line if not text[line:at].strip() else at
    return cut if cut > start and text[start:cut].strip() else None


def _after(text: str, position: int) -> int:
    """The end of a block that closes at `position`: the rest of its line when that is blank, and blank lines after it."""
    match = _REST_OF_LINE.match(text, position)
    return match.end() if match else position


def verbatim_end(text: str, name: str, position: int) -> int | None:
    """Behind the `\\end{name}` of a verbatim-like environment, or None.

    A second `\\begin{name}` before it means that the first one is half-typed: these environments do not nest.
    """
    literal = rf"\end{{{name}}}"
    found = text.find(literal, position)
    if found < 0 or text.find(rf"\begin{{{name}}}", position, found) >= 0:
        return None
    return found + len(literal)


def _whole_end(text: str, name: str, position: int) -> tuple[int | None, int]:
    """The end of a float, table or drawing, and how far the text was read; None when a section or another float comes first."""
    depth, limit = 1, position + _MAX_WHOLE
    while match := _INNER.search(text, position):
        position = match.end()
        if position > limit:
            return None, position
        if match[3] is not None and name not in WHOLE - FLOAT:
            return None, position
        if match[1] is None:
            continue
        inner = match[2].strip()
        if inner in VERBATIM and match[1] == "begin":
            closing = verbatim_end(text, inner, position)
            if closing is not None:
                position = closing
                continue
            return None, ENDLESS
        if inner == "document":
            return None, position
        if inner == name:
            depth += 1 if match[1] == "begin" else -1
            if depth > _MAX_NESTED:
                return None, position
            if depth == 0:
                return position, position
            if name in FLOAT:
                return None, position
    return None, ENDLESS


def definition_groups(name: str, braced: bool) -> int:
    """How many groups in braces belong to a defining command; `braced` says that the name it defines stands in braces.

    More would swallow the text that follows, such as `{\\footnotesize \\bibliography{refs}}`.
    """
    name = name.rstrip("*")
    if name.endswith("def"):
        return 1
    if "Environment" in name:
        return 4
    if name.endswith("environment") or name == "lstnewenvironment":
        return 3
    if "Document" in name or name == "DeclarePairedDelimiter":
        return 2 + braced
    if name == "DeclarePairedDelimiterX":
        return 3 + braced
    if name in ("newtheorem", "newcolumntype"):
        return 2
    return 1 + braced


def definition_end(text: str, position: int, name: str = "newcommand") -> tuple[int | None, int]:
    """The end of a definition (name, parameters, body groups) and how far the text was read to find it.

    The end is None when a group does not close.  Definition bodies are no document text.
    """
    match = _AFTER_NAME.match(text, position)
    position = match.end() if match else position
    groups = 0
    most = definition_groups(name, text.startswith("{", position))
    limit = position + _MAX_DEFINITION
    end = seen = position
    while position < len(text):
        character = text[position]
        if character == "{":
            closing = _matching_brace(text, position, limit)
            if closing is None:
                return None, min(limit, ENDLESS) if limit < len(text) else ENDLESS
            position = end = closing
            groups += 1
            if groups >= most:
                break
        elif character == "[":
            found = text.find("]", position, position + 500)
            if found < 0:
                seen = position + 501
                break
            position = end = found + 1
        elif character == "\\" and groups == 0:
            command = _PARAMETER_TEXT.match(text, position)
            position = end = command.end() if command else position + 1
        elif character in " \t\r\n%":
            gap = _GAP.match(text, position)
            if gap is None or gap.end() == position:
                break
            seen = gap.end() + 2
            following = text[gap.end() : gap.end() + 1]
            if following not in ("{", "[", "\\") or (following == "\\" and groups):
                break
            position = gap.end()
        else:
            break
    return end, max(seen, position + 2)


def _matching_brace(text: str, position: int, limit: int) -> int | None:
    depth = 0
    for match in _BRACE.finditer(text, position, min(limit, len(text))):
        token = match[0]
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def matching_fi(text: str, position: int) -> int | None:
    """The end of the `\\fi` (or start of the `\\else` branch) that closes an `\\iffalse`."""
    if text.find(r"\fi", position) < 0 and text.find(r"\else", position) < 0:
        return None
    depth = 1
    for match in _CONDITIONAL.finditer(text, position):
        word = match[1]
        if word is None:
            continue
        if word == "fi":
            depth -= 1
        elif word == "else":
            if depth == 1:
                return match.end()
            continue
        else:
            depth += 1
        if depth == 0:
            return match.end()
    return None


def _across_section(text: str, stack: tuple[str, ...], at: int) -> tuple[tuple[str, ...], int]:
    """The stack cut back at a sectioning command; an abstract stays open only when its end is near (a class that has sections in it)."""
    seen = at + 40
    kept = []
    for name in stack:
        if name in ACROSS_SECTIONS or name.startswith("@"):
            kept.append(name)
        elif name.lower().startswith("abstract"):
            found = text.find(rf"\end{{{name}}}", at, at + _MAX_ABSTRACT)
            seen = max(seen, at + _MAX_ABSTRACT if found < 0 else found + 20)
            if found >= 0:
                kept.append(name)
    return tuple(kept), seen


def inline_verbatim_end(text: str, position: int, name: str) -> int | None:
    """The end of `\\verb|..|`, given the position behind the command name; None when it does not close on its line."""
    if name != "verb" and text.startswith("[", position):
        closing = text.find("]", position, position + 200)
        position = closing + 1 if closing >= 0 else position
    if position >= len(text):
        return None
    delimiter = text[position]
    if delimiter.isalnum() or delimiter.isspace():
        return None
    if delimiter == "{" and name != "verb":
        delimiter = "}"
    found = text.find(delimiter, position + 1)
    if found < 0 or "\n" in text[position:found] or "\r" in text[position:found]:
        return None
    return found + 1
