"""Labels and references of one block."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.facts.macros import Macros, Wrapper
from analyzers.facts.view import block_fact
from analyzers.text.commands import REF, REF_LIST, REF_RANGE
from analyzers.text.document import Block
from analyzers.text.environments import VERBATIM
from analyzers.text.lex import Command, read_arguments, read_group


class Label(NamedTuple):
    """A label; `start` and `end` are those of the key, relative to the block.  `environment` is the innermost one around it."""

    key: str
    start: int
    end: int
    environment: str


class Reference(NamedTuple):
    """A use of a label; `command_start` and `command_end` hold the whole command."""

    key: str
    start: int
    end: int
    command: str
    command_start: int
    command_end: int


_SPACE = re.compile(r"\s+")
_COMMENT_BREAK = re.compile(r"%[^\r\n]*(?:\r\n|\n|\r)[ \t]*")
_LABEL_OPTION = re.compile(r"(?:^|[,\s\[])label\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]+))")
_PART = re.compile(r"[^,]+")


def normal_key(text: str) -> str:
    """A label as LaTeX compares it: each run of white space is one blank, and a `%` swallows the line end."""
    return _SPACE.sub(" ", _COMMENT_BREAK.sub("", text)).strip()


@block_fact
def labels(block: Block, macros: Macros) -> tuple[Label, ...]:
    """The labels that a block defines: `\\label`, `label=` options of listings and frames, and the user's own label macros."""
    return tuple(_labels(block, macros))


def _labels(block: Block, macros: Macros) -> list[Label]:
    text = block.text
    found: list[Label] = []
    for command in block.lexed.commands:
        if command.name == "label":
            group = command.braced()
            if group is not None and "#" not in text[group.start : group.end]:
                found.append(_label(block, group.start, group.end))
        elif command.name == "lstinputlisting" or command.name.startswith("includegraphics"):
            option = command.optional()
            if option is not None:
                found += _optional_labels(block, option.start, option.end)
    for environment in block.lexed.environments:
        if environment.begins and (
            environment.name in VERBATIM
            or environment.name in ("frame", "tcolorbox", "lstlisting", "tblr", "longtblr", "talltblr", "restatable")
        ):
            end = environment.end
            group = read_group(text, end, "[")
            if group is None:
                group = read_group(text, end)
            if group is not None:
                found += _optional_labels(block, group.start, group.end)
    if macros.labelling:
        for name, at in block.lexed.names:
            wrapper = macros.labelling.get(name.rstrip("*"))
            if wrapper is None:
                continue
            groups, _ = read_arguments(text, at + 1 + len(name), wrapper.argument)
            braced = [group for group in groups if group.opening == "{"]
            if len(braced) >= wrapper.argument:
                group = braced[wrapper.argument - 1]
                key = normal_key(wrapper.prefix + text[group.start : group.end] + wrapper.suffix)
                found.append(Label(key, group.start, group.end, _environment_at(block, group.start)))
    return sorted(found, key=lambda label: label.start)


def _label(block: Block, start: int, end: int) -> Label:
    return Label(normal_key(block.text[start:end]), start, end, _environment_at(block, start))


def _optional_labels(block: Block, start: int, end: int) -> list[Label]:
    found = []
    for match in _LABEL_OPTION.finditer(block.text[start:end]):
        group = 1 if match[1] is not None else 2
        at = start + match.start(group)
        found.append(_label(block, at, at + len(match[group].rstrip())))
    return found


def _environment_at(block: Block, offset: int) -> str:
    stack = list(block.stack)
    for environment in block.lexed.environments:
        if environment.start > offset:
            break
        if environment.begins:
            stack.append(environment.name)
        elif environment.name in stack:
            del stack[len(stack) - 1 - stack[::-1].index(environment.name) :]
    return stack[-1] if stack else ""


@block_fact
def references(block: Block, macros: Macros) -> tuple[Reference, ...]:
    """The labels that a block refers to, through every referencing command and the user's wrappers around them."""
    return tuple(_references(block, macros))


def _references(block: Block, macros: Macros) -> list[Reference]:
    text = block.text
    found: list[Reference] = []
    wrapped = [(name, at) for name, at in block.lexed.names if name.rstrip("*") in macros.referencing]
    for command in block.lexed.commands:
        name = command.name.rstrip("*")
        if name in macros.table:
            # The document gives the name another meaning, as in `\\newcommand{\\figref}[1]{Figure~\\ref{fig:#1}}`.
            if name in macros.referencing:
                wrapped.append((command.name, command.start))
            continue
        if name in REF:
            found += _by_command(text, command, name)
    for name, at in wrapped:
        found += _by_wrapper(text, macros.referencing[name.rstrip("*")], name, at)
    return sorted(found, key=lambda reference: reference.start)


def _by_command(text: str, command: Command, name: str) -> Iterator[Reference]:
    if name == "hyperref":
        option = command.optional()
        groups = [option] if option is not None and "=" not in text[option.start : option.end] else []
    else:
        groups = [group for group in command.groups if group.opening == "{"][: 2 if name in REF_RANGE else 1]
    for group in groups:
        if name not in REF_LIST:
            yield from _reference(text, group.start, group.end, command.name, command.start, command.end)
            continue
        for match in _PART.finditer(text, group.start, group.end):
            yield from _reference(
                text, match.start(), match.end(), command.name, command.start, command.end, strip_braces=True
            )


def _by_wrapper(text: str, wrapper: Wrapper, name: str, at: int) -> Iterator[Reference]:
    arguments, end = read_arguments(text, at + 1 + len(name), wrapper.argument)
    braced = [group for group in arguments if group.opening == "{"]
    if len(braced) < wrapper.argument:
        return
    group = braced[wrapper.argument - 1]
    parts = [(group.start, group.end)]
    if wrapper.command.rstrip("*") in REF_LIST:
        parts = [match.span() for match in _PART.finditer(text, group.start, group.end)]
    for start, stop in parts:
        for reference in _reference(text, start, stop, name, at, end):
            yield reference._replace(key=normal_key(wrapper.prefix + reference.key + wrapper.suffix))


def _reference(
    text: str, start: int, end: int, command: str, command_start: int, command_end: int, strip_braces: bool = False
) -> list[Reference]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip()) if piece.strip() else 0
    if strip_braces and text[start : start + 1] == "{" and text[end - 1 : end] == "}":
        start, end = start + 1, end - 1
    key = normal_key(text[start:end])
    if not key or "#" in key or "\\" in key:
        return []
    return [Reference(key, start, end, command, command_start, command_end)]
