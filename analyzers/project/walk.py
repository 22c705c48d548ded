"""What is gathered while a manuscript is read, and how its file names are read: macros in them, folders to look in."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from analyzers.facts.macros import Macro, Macros
from analyzers.finding import Note
from analyzers.project.library import Library
from analyzers.project.manuscript import Entry, Section
from analyzers.project.reader import joined
from analyzers.project.structure import BibliographyCall, structure
from analyzers.text.document import Block, Document
from analyzers.text.spans import Span

_MACRO_CALL = re.compile(r"\\([A-Za-z@]+)\s*(?:\{\})?")


@dataclass(slots=True)
class Walk:
    """What is gathered while files are walked in reading order; local to one call of `assemble`."""

    library: Library
    root_folder: str
    search: tuple[str, ...]
    jobname: str
    entries: list[Entry] = field(default_factory=list)
    files: dict[str, Document] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    open_sections: list[int] = field(default_factory=list)
    macros: list[tuple[Macro, ...]] = field(default_factory=list)
    table: Macros | None = None
    bibliographies: list[tuple[BibliographyCall, Span]] = field(default_factory=list)
    virtual: dict[str, tuple[str, int, str, Document]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    external: list[tuple[str, str]] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    options: str = ""
    document_class: str = ""
    complete: bool = True
    open: bool = False
    appendix: bool = False
    rooted: bool = False
    active: list[str] = field(default_factory=list)
    defined: dict[str, Macro] = field(default_factory=dict)
    wrapping: bool = False  # some macro may be a wrapper around an including command


def define(walk: Walk, block: Block, macros: tuple[Macro, ...]) -> None:
    """Adds the macros that a block defines."""
    walk.macros.append(macros)
    walk.defined.update(block.remember("macros by name", _by_name))
    walk.table = None
    walk.wrapping = walk.wrapping or block.remember("wraps includes", _wraps_includes)


def _by_name(block: Block) -> dict[str, Macro]:
    return {macro.name: macro for macro in structure(block).macros}


def _wraps_includes(block: Block) -> bool:
    return any(
        macro.arity and any(name in macro.body for name in ("input", "include", "subfile", "import"))
        for macro in structure(block).macros
    )


def macro_table(walk: Walk) -> Macros:
    """The macros defined so far."""
    if walk.table is None:
        walk.table = Macros(macro for group in walk.macros for macro in group)
    return walk.table


def expanded(walk: Walk, name: str) -> str:
    """A file name with the macros in it replaced."""
    name = name.replace(r"\jobname", walk.jobname)
    for _ in range(4):
        if "\\" not in name:
            break
        replaced = _MACRO_CALL.sub(partial(_expansion, walk.defined), name)
        if replaced == name:
            break
        name = replaced
    return " ".join(name.replace("{", "").replace("}", "").split()) if "\\" not in name else name


def _expansion(defined: Mapping[str, Macro], match: re.Match[str]) -> str:
    macro = defined.get(match[1])
    return match[0] if macro is None or macro.arity or len(macro.body) > 300 else macro.body


def candidates(walk: Walk, name: str, folder: str, extension: str) -> Iterable[str]:
    """Paths to try for a file name: as given, then with the extension; beside the including file's base, the root, the search folders."""
    for base in dict.fromkeys((folder, walk.root_folder, *walk.search)):
        for ending in (
            ("", extension)
            if name.endswith((".tex", ".bib", ".cls", ".sty", ".bbl")) or "." in posixpath.basename(name)
            else (extension, "")
        ):
            yield joined(base, name + ending)
