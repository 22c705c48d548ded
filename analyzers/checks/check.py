"""The base classes of every check, and the examples that are its documentation and its tests at once."""

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from analyzers.facts.macros import Macros
from analyzers.facts.view import prose_of, sentences_of
from analyzers.finding import Candidate, EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Fix
from analyzers.project.manuscript import Manuscript
from analyzers.project.words import NO_WORDS, Words
from analyzers.text.document import Block
from analyzers.text.prose import Prose
from analyzers.text.sentences import Sentence
from analyzers.text.spans import Span


@dataclass(frozen=True, slots=True)
class Example:
    """A small project.  `expect` lists the flagged source slices, in the order of the findings; empty means "must stay silent".

    The root is `main.tex`, else the first TeX file.  A file without `\\begin{document}` is all body.  `closed` False leaves the
    root unknown, so that cross-file checks have to stay silent.
    """

    caption: str
    files: Mapping[str, str]
    expect: tuple[str, ...] = ()
    closed: bool = True

    @classmethod
    def of(cls, caption: str, text: str, *expect: str) -> "Example":
        """An example of one file, `main.tex`."""
        return cls(caption, {"main.tex": text}, expect)


@dataclass(frozen=True, slots=True)
class BlockView:
    """One block as a `BlockCheck` reads it; all offsets and spans are relative to the block."""

    block: Block
    macros: Macros
    preamble: bool
    language: str
    words: Words = NO_WORDS
    text: str = field(init=False)
    """The source of the block; no property, since checks ask for it some forty times a block."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.block.text)

    @property
    def prose(self) -> Prose:
        """The block as a reader sees it."""
        return prose_of(self.block, self.macros)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the prose."""
        return sentences_of(self.block, self.macros)

    def span(self, start: int, end: int) -> Span:
        """A range of the source as a span."""
        return Span("", start, end)

    def prose_span(self, start: int, end: int) -> Span:
        """A range of the prose as a span of the source."""
        return Span("", *self.prose.source(start, end))


class Check(ABC):
    """What every check declares.

    `default` False means off until selected.  `live` False means not shown by the editor while typing, only on save and in
    the command line (hints that would only distract).
    """

    code: ClassVar[str]
    name: ClassVar[str]
    tier: ClassVar[Tier]
    severity: ClassVar[Severity]
    default: ClassVar[bool] = True
    live: ClassVar[bool] = True
    languages: ClassVar[frozenset[str] | None] = None  # None: any language
    examples: ClassVar[tuple[Example, ...]]

    @property
    def documentation(self) -> str:
        """The text of the check as Markdown: that of its module."""
        return inspect.cleandoc(sys.modules[type(self).__module__].__doc__ or "").strip()

    def finding(
        self,
        message: str,
        span: Span,
        *,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        evidence: Mapping[str, EvidenceValue] | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this check; `severity` may only lower that of the check."""
        return Finding(
            code=self.code,
            message=message,
            span=span,
            tier=self.tier,
            severity=severity or self.severity,
            name=self.name,
            related=related,
            evidence=evidence or {},
            fixes=fixes,
        )


class BlockCheck(Check):
    """A check that needs one block only; its findings are remembered on the block and shown at once while typing."""

    @abstractmethod
    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """Findings with spans relative to the block."""


class ManuscriptCheck(Check):
    """A check that needs the whole manuscript."""

    @abstractmethod
    def run(self, manuscript: Manuscript) -> Iterator[Finding | Candidate]:
        """Findings (and, for the candidate tier, candidates) with spans in files."""
