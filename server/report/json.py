"""The report for programs, version 1.  Its shape is a contract: fields may be added, none may change its meaning."""

import json
import math
from collections.abc import Mapping

from analyzers.finding import Candidate, EvidenceValue, Finding, Note, Related
from analyzers.fixes import Fix
from analyzers.text.spans import Span
from server.report.model import RootReport

VERSION = 1

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


def render_json(report: RootReport) -> str:
    """One object on one line, without a line end; the reports of several roots make JSON Lines.

    Offsets are code points from 0, lines and columns code points from 1.  Everything outside ASCII is escaped: lone
    surrogates could not be encoded, and U+2028 would end a line for some readers of JSON Lines.
    """
    return json.dumps(report_object(report), ensure_ascii=True, allow_nan=False)


def report_object(report: RootReport) -> Json:
    """The report as plain data."""
    numbers = report.summary.numbers
    return {
        "version": VERSION,
        "root": report.root,
        "complete": report.complete,
        "findings": [_finding(report, finding) for finding in report.ordered()],
        "candidates": [_candidate(report, candidate) for candidate in report.candidates],
        "notes": [_note(report, note) for note in report.notes],
        "summary": {
            "files": report.summary.files,
            "sentences": report.summary.sentences,
            "numbers": {
                "total": numbers.total,
                "verified": numbers.verified,
                "refuted": numbers.refuted,
                "unknown": numbers.unknown,
            },
            "seconds": round(report.seconds, 3),
        },
    }


def _finding(report: RootReport, finding: Finding) -> Json:
    return {
        "code": finding.code,
        "name": finding.name,
        "tier": str(finding.tier),
        "severity": str(finding.severity),
        "message": finding.message,
        **_range(report, finding.span),
        "related": [_related(report, related) for related in finding.related],
        "fixes": [_fix(report, fix) for fix in finding.fixes],
        "evidence": _evidence(finding.evidence),
        "fingerprint": finding.fingerprint,
    }


def _related(report: RootReport, related: Related) -> Json:
    return {**_range(report, related.span), "message": related.message}


def _fix(report: RootReport, fix: Fix) -> Json:
    edits: list[Json] = [{**_range(report, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _candidate(report: RootReport, candidate: Candidate) -> Json:
    places: list[Json] = [_range(report, place) for place in candidate.places]
    return {"code": candidate.code, "score": _finite(candidate.score), "reason": candidate.reason, "places": places}


def _note(report: RootReport, note: Note) -> Json:
    if note.span is None:
        return {"message": note.message, "file": None, "start": None}
    return {
        "message": note.message,
        "file": note.span.path,
        "start": _position(report, note.span.path, note.span.start),
    }


def _range(report: RootReport, span: Span) -> dict[str, Json]:
    start, end = (_position(report, span.path, offset) for offset in (span.start, span.end))
    return {"file": span.path, "start": start, "end": end}


def _position(report: RootReport, path: str, offset: int) -> Json:
    found = report.line_column(path, offset)
    line, column = found or (None, None)
    return {"offset": offset, "line": line, "column": column}


def _evidence(evidence: Mapping[str, EvidenceValue]) -> Json:
    return {name: _plain(value) for name, value in evidence.items()}


def _plain(value: EvidenceValue) -> Json:
    if isinstance(value, list | tuple):
        return list(value)
    return _finite(value) if isinstance(value, float) else value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
