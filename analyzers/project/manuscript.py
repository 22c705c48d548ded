"""The manuscript: an immutable view of one root and everything it includes, in reading order."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from analyzers.facts.macros import Macros
from analyzers.finding import Note
from analyzers.project.bibliography import BibEntry, Bibliography, joined
from analyzers.project.sections import SectionClass
from analyzers.project.words import NO_WORDS, Words
from analyzers.text.document import Block, Document
from analyzers.text.spans import Span

T = TypeVar("T")


class Entry(NamedTuple):
    """One block at its place in the reading order; `start` is its offset in the file `path`."""

    path: str
    block: Block
    start: int
    stack: tuple[str, ...]  # environments open around it, those of including files first
    section: int  # index into `Manuscript.sections`, -1 before the first heading
    preamble: bool
    appendix: bool
    parent: int  # index of the entry that includes this file, -1 in the root

    @property
    def around(self) -> tuple[str, ...]:
        """The environments around the text of the block: those open at its start and those that it begins with."""
        return self.stack + self.block.remember("leading environments", _leading)

    def span(self, start: int, end: int) -> Span:
        """A range of the block as a place in the file."""
        return Span(self.path, self.start + start, self.start + end)


class Section(NamedTuple):
    """A section: its plain title, level (1 is `\\section`), class and place; `parent` is an index or -1."""

    title: str
    level: int
    kind: SectionClass
    span: Span
    title_span: Span
    entry: int
    parent: int
    appendix: bool
    starred: bool


@dataclass(frozen=True, eq=False)
class Manuscript:
    """What checks read.  `files` holds every TeX file that was read, `bibliographies` the `.bib` files in their order.

    `closed` is False when something that may define labels or keys could not be read; `open_labels` and `open_keys` say
    which kind of cross-file check has to stay silent, with the reasons in `notes`.
    """

    root: str
    entries: tuple[Entry, ...]
    files: Mapping[str, Document]
    sections: tuple[Section, ...]
    macros: Macros
    bibliographies: tuple[Bibliography, ...]
    typeset_keys: Mapping[str, Span]  # of `.bbl` files that stand in for a missing `.bib`
    external_labels: frozenset[str]
    external_prefixes: tuple[str, ...]  # of documents that could not be read
    notes: tuple[Note, ...]
    complete: bool  # every file could be read
    open_labels: bool
    open_keys: bool
    has_bibliography: bool
    biber: bool  # keys are compared exactly
    rooted: bool  # a `\\documentclass` was found
    language: str
    document_class: str = ""
    words: Words = NO_WORDS
    today: date | None = None
    memory: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """What is remembered from one version of a manuscript to the next; it may save work and never changes a result."""
    packages: frozenset[str] = frozenset()

    @property
    def closed(self) -> bool:
        """True when root, includes and bibliographies are all known."""
        return self.rooted and not self.open_labels and not self.open_keys

    @cached_property
    def bibliography(self) -> Bibliography:
        """All bibliography files as one; the very same object while none of them changes."""
        known = self.memory.get("bibliography")
        if known is not None and [id(one) for one in known[0]] == [id(one) for one in self.bibliographies]:
            return known[1]  # type: ignore[no-any-return]
        whole = joined(self.bibliographies)
        self.memory["bibliography"] = (self.bibliographies, whole)
        return whole

    @cached_property
    def body(self) -> tuple[tuple[int, Entry], ...]:
        """The entries of the document's text, with their indices; neither preamble nor what follows `\\end{document}`."""
        return tuple(
            (index, entry) for index, entry in enumerate(self.entries) if not entry.preamble and not entry.block.dead
        )

    def section_class(self, entry: Entry) -> SectionClass:
        """The class of the section an entry stands in; an abstract's environment or command goes before headings."""
        if _within_abstract(entry.stack) or entry.block.remember("abstract command", _is_abstract):
            return SectionClass.ABSTRACT
        if entry.section < 0:
            return SectionClass.APPENDIX if entry.appendix else SectionClass.OTHER
        return self.sections[entry.section].kind

    def located(self, facts: Callable[[Block, Macros], Sequence[T]]) -> Iterator[tuple[int, Entry, T]]:
        """Every fact that `facts` finds in the body, in reading order."""
        macros = self.macros
        for index, entry in self.body:
            for fact in facts(entry.block, macros):
                yield index, entry, fact

    def document(self, path: str) -> Document | None:
        """The file at `path`, when it is part of this manuscript."""
        return self.files.get(path)

    def text(self, span: Span) -> str:
        """The source text of a span; empty when the file is not part of the manuscript."""
        document = self.files.get(span.path)
        if document is not None:
            return document.text[span.start : span.end]
        for bibliography in self.bibliographies:
            if bibliography.path == span.path:
                return bibliography.text[span.start : span.end]
        return ""

    def entry_of_key(self, key: str) -> BibEntry | None:
        """The bibliography entry that BibTeX (case-insensitive) or biber (exact) would take for a citation key."""
        return self.bibliography.entry(key) if self.biber else self.bibliography.entry_folded(key)


def _leading(block: Block) -> tuple[str, ...]:
    names: list[str] = []
    position = len(block.text) - len(block.text.lstrip())
    for environment in block.lexed.environments:
        if not environment.begins or block.text[position : environment.start].strip():
            break
        names.append(environment.name)
        position = environment.end
    return tuple(names)


def _within_abstract(stack: tuple[str, ...]) -> bool:
    # Asked of every entry by many checks, and the stack is mostly empty.
    return bool(stack) and any(name.lower().startswith("abstract") for name in stack)


def _is_abstract(block: Block) -> bool:
    # A block begins with the `\\begin` of its environment, which is not on its own stack yet.
    if any(
        environment.begins and environment.name.lower().startswith("abstract")
        for environment in block.lexed.environments
    ):
        return True
    for command in block.lexed.commands:
        if command.name in ("abstract", "Abstract"):
            group = command.braced()
            if group is not None and group.end - group.start > len(block.text) // 2:
                return True
    return False
