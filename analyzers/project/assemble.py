"""From a root file to the manuscript: includes in reading order, sections, macros, bibliographies."""

import operator
import posixpath
from collections.abc import Iterable
from datetime import date

from analyzers.facts.macros import Macros
from analyzers.finding import Note
from analyzers.project.language import guess_language
from analyzers.project.library import Library
from analyzers.project.manuscript import Entry, Manuscript, Section
from analyzers.project.reader import ReadFailure, folder_of, joined
from analyzers.project.sections import SectionClass, classify
from analyzers.project.structure import (
    FileContents,
    Include,
    Structure,
    calls_wrapper,
    in_abstract,
    structure,
    wrapped_includes,
)
from analyzers.project.taken import bibliographies_of, external_labels_of
from analyzers.project.walk import Walk, candidates, define, expanded, macro_table
from analyzers.project.words import NO_WORDS, Words
from analyzers.text.document import Block, Document
from analyzers.text.lex import lex
from analyzers.text.prose import prose
from analyzers.text.spans import Span

_DEPTH = 40
_MAX_FILES = 3000
_GENERATED = (
    ".toc",
    ".lof",
    ".lot",
    ".pgf",
    ".tikz",
    ".eps_tex",
    ".pdf_tex",
    ".pstex_t",
    ".ind",
    ".gls",
    ".acr",
    ".idx",
)
_CLASS_FILES = (".cls", ".sty", ".clo", ".cfg", ".def", ".ldf", ".code.tex", ".bbx", ".cbx")


def assemble(
    library: Library,
    root: str,
    search: tuple[str, ...] = (),
    previous: Manuscript | None = None,
    language: str | None = None,
    words: Words = NO_WORDS,
    today: date | None = None,
) -> Manuscript:
    """The manuscript of `root` (a path in the library).

    `search` are folders, relative to the workspace, where includes and bibliographies are also looked for (TEXINPUTS,
    BIBINPUTS).  `previous` is an earlier manuscript of the same root, from which equal parts are taken.  `language` overrides
    the guess, `words` are the dictionaries of the settings, `today` is
    the day that years in the bibliography are compared with (None: no year is too late).  Never raises: what cannot be read is noted and makes the manuscript open.
    """
    walk = Walk(library, folder_of(root), search, posixpath.splitext(posixpath.basename(root))[0])
    document = library.document(root)
    if isinstance(document, ReadFailure):
        walk.notes.append(Note(f"{root} could not be read: {document.message}."))
        walk.complete = False
        walk.open = True
    else:
        _walk_file(walk, root, document, 0, (), -1, (root, 0), walk.root_folder)
    macros = _macros(walk, previous)
    bibliographies, typeset, open_keys = bibliographies_of(walk, root, macros)
    labels, prefixes = external_labels_of(walk)
    return Manuscript(
        root=root,
        entries=tuple(walk.entries),
        files=walk.files,
        sections=tuple(walk.sections),
        macros=macros,
        bibliographies=bibliographies,
        typeset_keys=typeset,
        external_labels=labels,
        external_prefixes=prefixes,
        notes=(*walk.notes, *library.notes()),
        complete=walk.complete,
        open_labels=walk.open,
        open_keys=walk.open or open_keys,
        has_bibliography=bool(bibliographies or typeset),
        biber="biblatex" in walk.packages and "backend=bibtex" not in walk.options.replace(" ", ""),
        rooted=walk.rooted,
        language=language or guess_language(walk.entries, walk.options + walk.document_class),
        document_class=walk.document_class,
        packages=frozenset(walk.packages),
        words=words,
        today=today,
        memory=previous.memory if previous is not None else {},
    )


def _walk_file(
    walk: Walk,
    path: str,
    document: Document,
    base: int,
    stack: tuple[str, ...],
    parent: int,
    identity: tuple[str, int],
    folder: str,
) -> None:
    """Add the blocks of one file.  `base` is where its text starts in `path` (not 0 for text inside `filecontents`)."""
    if len(walk.active) >= _DEPTH or len(walk.files) >= _MAX_FILES:
        walk.notes.append(Note(f"{path}: includes are nested too deeply; the rest was not read."))
        walk.open = True
        return
    name = f"{identity[0]}#{identity[1]}"
    walk.active.append(name)
    if base == 0:
        walk.files[path] = document
    has_begin = any(structure(block).begins_document for block in document.blocks)
    own_class = any(structure(block).document_class for block in document.blocks)
    preamble = has_begin or (parent >= 0 and walk.entries[parent].preamble) or path.endswith(_CLASS_FILES)
    if parent < 0 and own_class and not has_begin:
        # The body may begin in an included file; everything before it is preamble, and without any there is none.
        preamble = False
    for block, start in zip(document.blocks, document.starts, strict=False):
        found = structure(block)
        if found.plain and not (walk.wrapping and calls_wrapper(block, macro_table(walk))):
            walk.entries.append(_entry(walk, path, block, base + start, stack, preamble, parent))
            continue
        if found.begins_document:
            preamble = False
            walk.rooted = walk.rooted or own_class or parent >= 0
        _structured(walk, path, block, found, base + start, stack, preamble, parent, folder)
    walk.active.pop()


def _entry(
    walk: Walk, path: str, block: Block, start: int, stack: tuple[str, ...], preamble: bool, parent: int
) -> Entry:
    section = walk.open_sections[-1] if walk.open_sections else -1
    if preamble and in_abstract(block):
        preamble = False  # some classes want the abstract before `\\begin{document}`
    return Entry(
        path, block, start, stack + block.stack if stack else block.stack, section, preamble, walk.appendix, parent
    )


def _structured(
    walk: Walk,
    path: str,
    block: Block,
    found: Structure,
    start: int,
    stack: tuple[str, ...],
    preamble: bool,
    parent: int,
    folder: str,
) -> None:
    if found.macros:
        define(walk, block, found.macros)
    walk.packages += found.packages
    if found.package_options:
        walk.options += ";" + found.package_options
    walk.external += found.external
    for contents in found.contents:
        _virtual(walk, path, block, contents, start)
    if found.document_class is not None:
        walk.rooted = True
        if not walk.document_class:
            walk.document_class = found.document_class
            walk.options += ";" + found.class_option
        _local_package(walk, found.document_class, ".cls", folder)
    for package in found.packages:
        _local_package(walk, package, ".sty", folder)
    for call in found.bibliographies:
        walk.bibliographies.append((call, Span(path, start + call.start, start + call.end)))
    if found.appendix is not None and not preamble:
        walk.appendix = True
        # An appendix starts outside of the section before it.
        walk.open_sections.clear()
    index = len(walk.entries)
    if not preamble:
        for heading in found.headings:
            _section(
                walk,
                path,
                block,
                heading.level,
                start,
                (heading.start, heading.end),
                (heading.title_start, heading.title_end),
                index,
                heading.starred,
            )
    walk.entries.append(_entry(walk, path, block, start, stack, preamble, parent))
    includes: Iterable[Include] = found.includes
    if walk.wrapping and not path.endswith(_CLASS_FILES):
        more = wrapped_includes(block, macro_table(walk))
        includes = sorted((*found.includes, *more), key=lambda include: include.start) if more else found.includes
    for include in includes:
        inner = stack + _stack_at(block, include.start)
        _include(walk, path, include, start, inner, index, folder)


def _stack_at(block: Block, offset: int) -> tuple[str, ...]:
    """The environments open at an offset of a block."""
    stack = list(block.stack)
    for environment in block.lexed.environments:
        if environment.start >= offset:
            break
        if environment.begins:
            stack.append(environment.name)
        elif environment.name in stack:
            del stack[len(stack) - 1 - stack[::-1].index(environment.name) :]
    return tuple(stack)


def _section(
    walk: Walk,
    path: str,
    block: Block,
    level: int,
    start: int,
    where: tuple[int, int],
    title: tuple[int, int],
    entry: int,
    starred: bool,
) -> None:
    while walk.open_sections and walk.sections[walk.open_sections[-1]].level >= level:
        walk.open_sections.pop()
    parent = walk.open_sections[-1] if walk.open_sections else -1
    text = block.remember(("title", title), lambda b: _plain_title(b.text[title[0] : title[1]]))
    kind = classify(text, walk.sections[parent].kind if parent >= 0 else None, walk.appendix)
    walk.open_sections.append(len(walk.sections))
    walk.sections.append(
        Section(
            text, level, kind, Span(path, start + where[0], start + where[1]), Span(path, start + title[0], start + title[1]),
            entry, parent, walk.appendix or kind is SectionClass.APPENDIX, starred,
        )
    )  # fmt: skip


def _plain_title(source: str) -> str:
    return " ".join(prose(source, lex(source)).text.split())


def _macros(walk: Walk, previous: Manuscript | None) -> Macros:
    """The macros of the project; the very same table as before while no definition has changed."""
    groups = walk.macros
    known = previous.memory.get("macros") if previous is not None else None
    if known is not None and len(known[0]) == len(groups) and all(map(operator.is_, known[0], groups)):
        return known[1]  # type: ignore[no-any-return]
    macros = walk.table or Macros(macro for group in groups for macro in group)
    if previous is not None and previous.macros == macros:
        macros = previous.macros
    if previous is not None:
        previous.memory["macros"] = (groups, macros)
    return macros


def _virtual(walk: Walk, path: str, block: Block, contents: FileContents, start: int) -> None:
    """Text inside `filecontents` is a file of its own, whose places are those in the file that holds it."""
    name = contents.name.replace(r"\jobname", walk.jobname)
    text = block.text[contents.start : contents.end]
    document = block.remember(("contents", contents.start), lambda b: Document(b.text[contents.start : contents.end]))
    walk.virtual[name] = (path, start + contents.start, text, document)


def _include(
    walk: Walk, path: str, include: Include, start: int, stack: tuple[str, ...], parent: int, folder: str
) -> None:
    where = Span(path, start + include.name_start, start + include.name_end)
    name = expanded(walk, include.name)
    if "\\" in name or "#" in name:
        walk.notes.append(
            Note(
                f"The file name {include.name} depends on macros that are not known, so checks across files stay silent.",
                where,
            )
        )
        walk.open = True
        return
    if name.endswith(_GENERATED) or not name:
        return
    base = folder
    if include.folder is not None:
        relative = include.command.startswith("sub")
        base = joined(folder if relative else walk.root_folder, expanded(walk, include.folder))
    if name in walk.virtual or name + ".tex" in walk.virtual:
        virtual_path, offset, _, document = walk.virtual[name] if name in walk.virtual else walk.virtual[name + ".tex"]
        identity = (virtual_path, offset)
        if f"{virtual_path}#{offset}" not in walk.active:
            _walk_file(walk, virtual_path, document, offset, stack, parent, identity, folder)
        return
    failure: ReadFailure | None = None
    for candidate in candidates(walk, name, base, ".tex"):
        found = walk.library.document(candidate)
        if isinstance(found, ReadFailure):
            if found.kind != "missing" and (failure is None or failure.kind == "missing"):
                failure = found
            continue
        if f"{candidate}#0" in walk.active:
            walk.notes.append(Note(f"{candidate} includes itself; the second reading was left out.", where))
            return
        if candidate in walk.files and include.command in ("include", "subfile", "subfileinclude"):
            return
        inner = folder_of(candidate) if include.folder is not None or include.command.startswith("subfile") else base
        subfile = _begins_document(found)
        _walk_file(walk, candidate, found, 0, stack, parent, (candidate, 0), folder_of(candidate) if subfile else inner)
        return
    walk.open = True
    if failure is not None:
        walk.complete = walk.complete and failure.kind == "outside"
        walk.notes.append(Note(f"{name} was not read: {failure.message}. Checks across files stay silent.", where))
    else:
        walk.notes.append(Note(f"{name} was not found, so checks across files stay silent.", where))


def _begins_document(document: Document) -> bool:
    return any(structure(block).begins_document for block in document.blocks)


def _local_package(walk: Walk, name: str, extension: str, folder: str) -> None:
    """Classes and packages of the workspace are read for macros, includes and bibliographies."""
    if not name or "\\" in name or len(walk.active) > 6:
        return
    for base in dict.fromkeys((folder, walk.root_folder, *walk.search)):
        path = joined(base, name + extension)
        if path in walk.files or f"{path}#0" in walk.active:
            return
        found = walk.library.document(path)
        if isinstance(found, ReadFailure):
            continue
        walk.files[path] = found
        walk.active.append(f"{path}#0")
        for block in found.blocks:
            inner = structure(block)
            if inner.macros:
                define(walk, block, inner.macros)
            walk.packages += inner.packages
            walk.options += ";" + inner.package_options if inner.package_options else ""
            for call in inner.bibliographies:
                walk.bibliographies.append((call, Span(path, 0, 0)))
            for package in inner.packages:
                _local_package(walk, package, ".sty", folder)
            if inner.document_class:
                _local_package(walk, inner.document_class, ".cls", folder)
        walk.active.pop()
        return
