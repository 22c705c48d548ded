"""SARIF 2.1.0 (OASIS standard), the interchange format of static analysis: one log with a run for each root."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from analyzers.finding import Finding, Note, Severity
from analyzers.fixes import Fix
from analyzers.text.spans import Span
from server.report.json import Json
from server.report.model import RootReport, RuleInfo

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""Only a name: nothing is fetched, but some readers refuse a log without it."""
BASE = "%SRCROOT%"
"""The usual name of the folder that file names are relative to; whoever shows the log knows where it is."""
FINGERPRINT = "counterclaim/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}


def render_sarif(reports: Sequence[RootReport], version: str) -> str:
    """The log of all reports; `version` is that of this program."""
    runs: list[Json] = [_run(report, version) for report in reports]
    return json.dumps({"$schema": SCHEMA, "version": VERSION, "runs": runs}, allow_nan=False, indent=1) + "\n"


def _run(report: RootReport, version: str) -> Json:
    findings = report.ordered()
    codes = sorted({finding.code for finding in findings} | set(report.rules))
    places = {code: number for number, code in enumerate(codes)}
    names = {finding.code: finding.name for finding in findings}
    rules: list[Json] = [_rule(code, report.rules.get(code), names.get(code, "")) for code in codes]
    notifications: list[Json] = [_notification(report, note) for note in report.notes]
    return {
        "tool": {"driver": {"name": "counterclaim", "version": version, "rules": rules}},
        "automationDetails": {"id": f"counterclaim/{report.root or ''}"},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "invocations": [{"executionSuccessful": report.complete, "toolExecutionNotifications": notifications}],
        "results": [_result(report, finding, places) for finding in findings],
    }


def _rule(code: str, info: RuleInfo | None, name: str) -> Json:
    if info is None:
        return {"id": code, **({"name": name} if name else {})}
    return {
        "id": code,
        "name": info.name,
        "shortDescription": {"text": info.summary},
        "fullDescription": {"text": info.help},
        "help": {"text": info.help, "markdown": info.help},
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
        "properties": {"tier": str(info.tier)},
    }


def _result(report: RootReport, finding: Finding, places: dict[str, int]) -> Json:
    related: list[Json] = [
        {"id": number, **_location(report, other.span), "message": {"text": other.message}}
        for number, other in enumerate(finding.related, 1)
    ]
    result: dict[str, Json] = {
        "ruleId": finding.code,
        "ruleIndex": places[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(report, finding.span)],
        "properties": {"tier": str(finding.tier), "severity": str(finding.severity)},
    }
    if related:
        result["relatedLocations"] = related
    if finding.fingerprint:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint}
    # A fix must change something.
    fixes: list[Json] = [_fix(report, fix) for fix in finding.fixes if fix.edits]
    if fixes:
        result["fixes"] = fixes
    return result


def _location(report: RootReport, span: Span) -> dict[str, Json]:
    physical: dict[str, Json] = {"artifactLocation": _artifact(span.path)}
    region = _region(report, span)
    if region is not None:
        physical["region"] = region
    return {"physicalLocation": physical}


def _artifact(path: str) -> Json:
    return {"uri": quote(path, safe="/", errors="surrogatepass"), "uriBaseId": BASE}


def _region(report: RootReport, span: Span) -> Json:
    start, end = (report.line_column(span.path, offset) for offset in (span.start, span.end))
    if start is None or end is None:
        return None
    return {
        "startLine": start[0],
        "startColumn": start[1],
        "endLine": end[0],
        "endColumn": end[1],
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _fix(report: RootReport, fix: Fix) -> Json:
    replacements: dict[str, list[Json]] = {}
    for edit in fix.edits:
        region = _region(report, edit.span) or {
            "charOffset": edit.span.start,
            "charLength": edit.span.end - edit.span.start,
        }
        replacements.setdefault(edit.span.path, []).append(
            {"deletedRegion": region, "insertedContent": {"text": edit.text}}
        )
    changes: list[Json] = [
        {"artifactLocation": _artifact(path), "replacements": edits} for path, edits in replacements.items()
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _notification(report: RootReport, note: Note) -> Json:
    located: dict[str, Json] = {"locations": [_location(report, note.span)]} if note.span else {}
    return {"level": "note", "message": {"text": note.message}, **located}
