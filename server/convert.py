"""Findings in the terms of the protocol: diagnostics and workspace edits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lsprotocol import types as lsp

from analyzers.finding import Finding, Related, Severity
from analyzers.fixes import Edit
from analyzers.text.spans import Span
from server.positions import Encoding, Snapshot, to_range

SOURCE = "counterclaim"
MORE_CODE = "MORE"
"""The code of the diagnostic that says how many others are not shown; `data` of no finding has it."""
MAX_PER_FILE = 100
_MAX_RELATED = 5
_MAX_RELATED_IN_MESSAGE = 2

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}

_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Places(Protocol):
    """Where the files of a project are, and their text."""

    def uri(self, path: str) -> str:
        """The client's name of a file."""

    def snapshot(self, path: str) -> Snapshot | None:
        """The text in which the spans of `path` count, or None when it is not known."""

    def version(self, path: str) -> int | None:
        """The client's version of an open document, None for a file that is not open."""


@dataclass(frozen=True, slots=True)
class Border:
    """Everything needed to put a place into the client's terms."""

    places: Places
    encoding: Encoding
    doc_link: str | None = None
    """Address of the page on a rule, with `{code}` in it."""

    def location(self, span: Span) -> lsp.Location | None:
        """The client's location of a span, None if its file is unknown."""
        snapshot = self.places.snapshot(span.path)
        if snapshot is None:
            return None
        return lsp.Location(
            uri=self.places.uri(span.path), range=to_range(snapshot, span.start, span.end, self.encoding)
        )


def diagnostics(
    findings: Iterable[Finding], path: str, border: Border, limit: int = MAX_PER_FILE
) -> list[lsp.Diagnostic]:
    """The diagnostics of one file in the order of its text: the `limit` gravest, and how many others there are."""
    snapshot = border.places.snapshot(path)
    if snapshot is None:
        return []
    shown, left_out = select(findings, limit)
    result = [diagnostic(finding, snapshot, border) for finding in shown]
    return [*result, _more(len(shown), left_out)] if left_out else result


def select(findings: Iterable[Finding], limit: int) -> tuple[list[Finding], int]:
    """The `limit` gravest findings in the order of the text, and how many are left out."""
    ordered = sorted(findings, key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    if len(ordered) <= limit:
        return ordered, 0
    kept = sorted(range(len(ordered)), key=lambda index: (_RANKS[ordered[index].severity], index))[:limit]
    return [ordered[index] for index in sorted(kept)], len(ordered) - limit


def diagnostic(finding: Finding, snapshot: Snapshot, border: Border) -> lsp.Diagnostic:
    """The diagnostic of one finding; `data` names it, so that an action never depends on ranges a client sends back."""
    related = [
        lsp.DiagnosticRelatedInformation(location=location, message=place.message or "The other place.")
        for place in finding.related[:_MAX_RELATED]
        if (location := border.location(place.span)) is not None
    ]
    link = lsp.CodeDescription(href=border.doc_link.format(code=finding.code)) if border.doc_link else None
    return lsp.Diagnostic(
        range=to_range(snapshot, finding.span.start, finding.span.end, border.encoding),
        message=message(finding, border),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=link,
        source=SOURCE,
        related_information=related or None,
        data={"fingerprint": finding.fingerprint, "code": finding.code},
    )


def message(finding: Finding, border: Border) -> str:
    """The text of a finding and, below it, its other places: many clients do not show related information."""
    lines = [finding.message]
    for place in finding.related[:_MAX_RELATED_IN_MESSAGE]:
        where = _where(place, border.places)
        if where is not None:
            lines.append(f"→ {where}: {place.message}" if place.message else f"→ {where}")
    return "\n".join(lines)


def _where(place: Related, places: Places) -> str | None:
    snapshot = places.snapshot(place.span.path)
    if snapshot is None:
        return None
    line, _ = snapshot.lines.line_column(place.span.start)
    return f"{place.span.path}:{line + 1}"


def _more(shown: int, left_out: int) -> lsp.Diagnostic:
    start = lsp.Position(line=0, character=0)
    return lsp.Diagnostic(
        range=lsp.Range(start=start, end=start),
        message=f"{shown} of {shown + left_out} findings are shown here. `counterclaim check` lists all of them.",
        severity=lsp.DiagnosticSeverity.Information,
        code=MORE_CODE,
        source=SOURCE,
    )


def workspace_edit(edits: Sequence[Edit], border: Border, versioned: bool = True) -> lsp.WorkspaceEdit | None:
    """The client's edit for `edits`, with the version of each open document, or None if a file is unknown.

    `versioned` says whether the client takes `documentChanges`.
    """
    by_path: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        location = border.location(edit.span)
        if location is None:
            return None
        by_path.setdefault(edit.span.path, []).append(lsp.TextEdit(range=location.range, new_text=edit.text))
    if not versioned:
        return lsp.WorkspaceEdit(changes={border.places.uri(path): changes for path, changes in by_path.items()})
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.TextDocumentEdit(
                text_document=lsp.OptionalVersionedTextDocumentIdentifier(
                    uri=border.places.uri(path), version=border.places.version(path)
                ),
                edits=changes,
            )
            for path, changes in by_path.items()
        ]
    )


def wire(diagnostic: lsp.Diagnostic) -> dict[str, Any]:
    """The JSON of a diagnostic.  Written out because lsprotocol's converter takes twenty times as long."""
    result: dict[str, Any] = {"range": _wire_range(diagnostic.range), "message": diagnostic.message}
    if diagnostic.severity is not None:
        result["severity"] = int(diagnostic.severity)
    plain = {"code": diagnostic.code, "source": diagnostic.source, "data": diagnostic.data}
    result.update({key: value for key, value in plain.items() if value is not None})
    if diagnostic.code_description is not None:
        result["codeDescription"] = {"href": diagnostic.code_description.href}
    if diagnostic.related_information:
        result["relatedInformation"] = [
            {
                "location": {"uri": related.location.uri, "range": _wire_range(related.location.range)},
                "message": related.message,
            }
            for related in diagnostic.related_information
        ]
    return result


def _wire_range(span: lsp.Range) -> dict[str, Any]:
    return {
        "start": {"line": span.start.line, "character": span.start.character},
        "end": {"line": span.end.line, "character": span.end.character},
    }
