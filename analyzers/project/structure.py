"""The commands of one block that shape the project: sections, includes, bibliographies, classes; found once per block."""

import re
from typing import NamedTuple

from analyzers.facts.macros import Macro, Macros, macros_of
from analyzers.facts.view import used_names
from analyzers.text.commands import BIBLIOGRAPHY, INCLUDE_ARGUMENTS
from analyzers.text.document import Block
from analyzers.text.environments import SECTIONS
from analyzers.text.lex import Group, read_arguments

_PROSE = 80  # code points of an abstract given as an argument; less is a definition or a heading


class Heading(NamedTuple):
    """A sectioning command; offsets are relative to the block."""

    level: int
    start: int
    end: int
    title_start: int
    title_end: int
    starred: bool


class Include(NamedTuple):
    """A file that is read at this place; `folder` is the first argument of `\\import` and its kin."""

    command: str
    folder: str | None
    name: str
    start: int
    end: int
    name_start: int
    name_end: int


class BibliographyCall(NamedTuple):
    """`\\bibliography{a,b}` or `\\addbibresource{a.bib}`: one file name each."""

    command: str
    name: str
    start: int
    end: int


class FileContents(NamedTuple):
    """A `filecontents` environment: the name it writes and the range of its text."""

    name: str
    start: int
    end: int


class Structure(NamedTuple):
    """What the project model needs of a block."""

    headings: tuple[Heading, ...]
    includes: tuple[Include, ...]
    bibliographies: tuple[BibliographyCall, ...]
    contents: tuple[FileContents, ...]
    macros: tuple[Macro, ...]
    document_class: str | None  # option and name, `[main.tex]{subfiles}` gives "subfiles"
    class_option: str
    packages: tuple[str, ...]
    package_options: str
    external: tuple[tuple[str, str], ...]  # prefix and document of `\\externaldocument`
    appendix: int | None  # offset of `\\appendix`
    begins_document: bool
    ends_document: bool
    prints_bibliography: bool

    @property
    def plain(self) -> bool:
        """True for ordinary text, which changes nothing in the project."""
        return self is _PLAIN


_PLAIN = Structure((), (), (), (), (), None, "", (), "", (), None, False, False, False)
_NAME = re.compile(r"[^,\s][^,]*")
_PLAIN_INPUT = re.compile(r"[ \t]*([^\s{}\\%#]+)")
_CONTENTS_NAME = re.compile(r"(?:\[[^\]]*\])?\s*\{([^{}]*)\}[^\r\n]*(?:\r\n|\n|\r)?")


def structure(block: Block) -> Structure:
    """The structure of one block."""
    return block.remember("structure", _read)


def _read(block: Block) -> Structure:
    text = block.text
    lexed = block.lexed
    headings: list[Heading] = []
    includes: list[Include] = []
    bibliographies: list[BibliographyCall] = []
    packages: list[str] = []
    options: list[str] = []
    external: list[tuple[str, str]] = []
    document_class, class_option, appendix, prints = None, "", None, False
    for command in lexed.commands:
        name = command.name.rstrip("*")
        group = command.braced()
        if name in SECTIONS:
            if group is not None:
                headings.append(
                    Heading(
                        SECTIONS[name], command.start, command.end, group.start, group.end, command.name.endswith("*")
                    )
                )
        elif command.name in INCLUDE_ARGUMENTS:
            include = _include(text, command.name, command.start, command.end, command.groups)
            if include is not None:
                includes.append(include)
        elif name in BIBLIOGRAPHY:
            if name == "printbibliography":
                prints = True
            elif group is not None:
                if name == "bibliography":
                    prints = True
                bibliographies += (
                    BibliographyCall(name, match[0].strip(), match.start(), match.start() + len(match[0].rstrip()))
                    for match in _NAME.finditer(text, group.start, group.end)
                )
        elif name in ("documentclass", "LoadClass") and group is not None:
            document_class = text[group.start : group.end].strip()
            option = command.optional()
            class_option = text[option.start : option.end].strip() if option else ""
        elif name in ("usepackage", "RequirePackage") and group is not None:
            packages += [match[0].strip() for match in _NAME.finditer(text, group.start, group.end)]
            option = command.optional()
            if option:
                options.append(text[group.start : group.end] + "=" + text[option.start : option.end])
        elif name == "externaldocument" and group is not None:
            option = command.optional()
            external.append(
                (text[option.start : option.end].strip() if option else "", text[group.start : group.end].strip())
            )
        elif name == "appendix":
            appendix = command.start if appendix is None else appendix
    contents = []
    begins = ends = False
    for environment in lexed.environments:
        if environment.name == "document":
            begins |= environment.begins
            ends |= not environment.begins
        elif (
            environment.name in ("appendices", "subappendices", "appendix") and environment.begins and appendix is None
        ):
            appendix = environment.start
        elif environment.name.startswith("filecontents") and environment.begins:
            named = _CONTENTS_NAME.match(text, environment.end)
            closing = text.find(rf"\end{{{environment.name}}}", environment.end)
            if named is not None and closing >= named.end():
                contents.append(FileContents(named[1].strip(), named.end(), closing))
    found = Structure(
        tuple(headings), tuple(includes), tuple(bibliographies), tuple(contents), macros_of(block), document_class, class_option, tuple(packages),
        ";".join(options), tuple(external), appendix, begins, ends, prints,
    )  # fmt: skip
    return _PLAIN if found == _PLAIN else found


def _include(text: str, command: str, start: int, end: int, groups: tuple[Group, ...]) -> Include | None:
    braced = [group for group in groups if group.opening == "{"]
    if not braced:
        if command != "input":
            return None
        # Plain TeX's form: `\input name`.
        match = _PLAIN_INPUT.match(text, start + 1 + len(command))
        return Include(command, None, match[1], start, match.end(), match.start(1), match.end(1)) if match else None
    group = braced[-1] if INCLUDE_ARGUMENTS[command] == 2 else braced[0]
    if INCLUDE_ARGUMENTS[command] == 2 and len(braced) < 2:
        return None
    folder = text[braced[0].start : braced[0].end].strip() if INCLUDE_ARGUMENTS[command] == 2 else None
    return Include(command, folder, _clean(text[group.start : group.end]), start, end, group.start, group.end)


def _clean(name: str) -> str:
    return " ".join(name.replace('"', "").split())


def calls_wrapper(block: Block, macros: Macros) -> bool:
    """Whether a block uses a macro of the user that includes a file."""
    return bool(macros.including) and not used_names(block).isdisjoint(macros.including)


def wrapped_includes(block: Block, macros: Macros) -> list[Include]:
    """Includes made by the user's own macros, such as `\\newcommand{\\chap}[1]{\\input{chapters/#1}}`."""
    if not calls_wrapper(block, macros):
        return []
    found = []
    for name, at in block.lexed.names:
        wrapper = macros.including.get(name)
        if wrapper is None:
            continue
        groups, end = read_arguments(block.text, at + 1 + len(name), wrapper.argument)
        braced = [group for group in groups if group.opening == "{"]
        if len(braced) >= wrapper.argument:
            group = braced[wrapper.argument - 1]
            file = wrapper.prefix + _clean(block.text[group.start : group.end]) + wrapper.suffix
            found.append(Include(wrapper.command, None, file, at, end, group.start, group.end))
    return found


def in_abstract(block: Block) -> bool:
    """True for a block that lies in an abstract or begins one; some classes want it before `\\begin{document}`."""
    if any(name.lower().startswith("abstract") for name in block.stack):
        return True
    if any(
        environment.begins and environment.name.lower().startswith("abstract")
        for environment in block.lexed.environments
    ):
        return True
    return any(
        command.name in ("abstract", "Abstract")
        and (group := command.braced()) is not None
        and group.end - group.start >= _PROSE
        and not block.text[: command.start].rstrip("{ ").endswith(("\\newcommand", "\\renewcommand", "\\def"))
        for command in block.lexed.commands
    )
