"""Citations of one block: every key, at its own place."""

import re
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact
from analyzers.text.document import Block
from analyzers.text.lex import Group, is_citing, read_citation

_KEY = re.compile(r"[^,]+")
_COMMENT = re.compile(r"%[^\r\n]*(?:\r\n|\n|\r)?[ \t]*")
_BLANKS = re.compile(r"\s+")


class Citation(NamedTuple):
    """A cited key; `start` and `end` are those of the key, relative to the block, `command_…` those of the whole command."""

    key: str
    start: int
    end: int
    command: str
    command_start: int
    command_end: int

    @property
    def printed(self) -> bool:
        """False for `\\nocite`, which adds an entry and prints nothing in the text."""
        return not self.command.startswith("nocite")


@block_fact
def citations(block: Block, macros: Macros) -> tuple[Citation, ...]:
    """The keys that a block cites, through every citing command of LaTeX, natbib, biblatex and apacite, multicites and wrappers."""
    return tuple(_citations(block, macros))


def _citations(block: Block, macros: Macros) -> list[Citation]:
    text = block.text
    found: list[Citation] = []
    for command in block.lexed.commands:
        if is_citing(command.name) and command.name not in macros.table:
            for group in command.groups:
                if group.opening == "{":
                    found += _keys(text, group, command.name, command.start, command.end, "", "")
        elif command.name in macros.citing:
            found += _wrapped(block, macros, command.name, command.start)
    if macros.citing:
        for name, at in block.lexed.names:
            if name.rstrip("*") in macros.citing:
                found += _wrapped(block, macros, name, at)
    return sorted(found, key=lambda citation: citation.start)


def _wrapped(block: Block, macros: Macros, name: str, at: int) -> list[Citation]:
    wrapper = macros.citing[name.rstrip("*")]
    arity = macros.table[name.rstrip("*")].arity
    position = at + 1 + len(name)
    if arity <= 1:
        groups, end = read_citation(block.text, position, "cite")
    else:
        from analyzers.text.lex import read_arguments

        groups, end = read_arguments(block.text, position, arity)
    braced = [group for group in groups if group.opening == "{"]
    index = wrapper.argument - 1
    # An optional first argument counts as `#1`, so the braces that hold the keys come one earlier.
    if macros.table[name.rstrip("*")].default is not None:
        index -= 1
    if not 0 <= index < len(braced):
        return []
    return _keys(block.text, braced[index], name, at, end, wrapper.prefix, wrapper.suffix)


def _keys(text: str, group: Group, command: str, start: int, end: int, prefix: str, suffix: str) -> list[Citation]:
    found: list[Citation] = []
    content = text[group.start : group.end]
    if "#" in content or "\\" in content.replace("\\_", ""):
        # Keys made by a macro are unknown; the rest of a list without backslashes would be fine, yet such lists are rare.
        return found
    masked = _COMMENT.sub(lambda match: " " * len(match[0]), content) if "%" in content else content
    for match in _KEY.finditer(masked):
        raw = match[0]
        stripped = raw.strip()
        if not stripped or stripped == "*":
            continue
        at = group.start + match.start() + len(raw) - len(raw.lstrip())
        key = prefix + _BLANKS.sub(" ", stripped) + suffix
        found.append(Citation(key, at, at + len(stripped), command, start, end))
    return found
