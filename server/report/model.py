"""What every report is made from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from analyzers.finding import Candidate, Finding, Note, Severity, Tier
from analyzers.text.spans import Span


class Lines(Protocol):
    """Offsets to lines and columns, all from 0, columns in code points, lines as LSP counts them."""

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""

    def line_span(self, line: int) -> tuple[int, int]:
        """Start and end of a line, without its line end."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The decoded text of a file and its lines."""

    text: str
    lines: Lines


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many numbers of the prose there are, and what the tables say of them."""

    total: int = 0
    verified: int = 0
    refuted: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures on the whole root."""

    files: int = 0
    sentences: int = 0
    numbers: Numbers = Numbers()


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What a report says of a check; `summary` is one sentence, `help` the whole documentation in Markdown."""

    code: str
    name: str
    summary: str
    help: str
    severity: Severity
    tier: Tier


@dataclass(frozen=True, slots=True)
class RootReport:
    """The outcome for one root.

    `root` and all paths are relative to the workspace (None: no root was found).  `complete` is false after a time-out,
    an unreadable file, or in an open project.  `files` holds every file that a span may point to, in reading order.
    """

    root: str | None
    complete: bool
    findings: tuple[Finding, ...]
    files: Mapping[str, SourceFile]
    candidates: tuple[Candidate, ...] = ()
    notes: tuple[Note, ...] = ()
    summary: Summary = Summary()
    seconds: float = 0.0
    rules: Mapping[str, RuleInfo] = field(default_factory=lambda: MappingProxyType({}))

    def ordered(self) -> list[Finding]:
        """The findings in reading order, the more severe first at the same place."""
        places = {path: number for number, path in enumerate(self.files)}

        def order(finding: Finding) -> tuple[int, str, int, int, int, str]:
            span = finding.span
            return (
                places.get(span.path, len(places)),
                span.path,
                span.start,
                finding.severity.rank,
                span.end,
                finding.code,
            )

        return sorted(self.findings, key=order)

    def line_column(self, path: str, offset: int) -> tuple[int, int] | None:
        """Line and column from 1, or None when the text of the file is not at hand."""
        file = self.files.get(path)
        if file is None:
            return None
        line, column = file.lines.line_column(offset)
        return line + 1, column + 1

    def place(self, span: Span) -> str:
        """`file:line:column` of the start of a span."""
        found = self.line_column(span.path, span.start)
        return span.path if found is None else f"{span.path}:{found[0]}:{found[1]}"


def count_severities(findings: Iterable[Finding]) -> Iterator[tuple[Severity, int]]:
    """How many findings there are of each severity that occurs, the most severe first."""
    severities = [finding.severity for finding in findings]
    for severity in Severity:
        if number := severities.count(severity):
            yield severity, number
