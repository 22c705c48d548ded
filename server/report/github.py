"""Annotations for GitHub's workflow runs: one command per finding on standard output."""

from analyzers.finding import Finding, Severity
from server.report.model import RootReport
from server.report.screen import plain
from server.report.text import MAX_RELATED

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render_github(report: RootReport, prefix: str = "") -> str:
    """The annotations of one root, one a line.

    Annotations name files relative to the repository: `prefix` is the workspace's folder in it, "" when they are the
    same.  The source of the escapes is the runner's documentation of workflow commands.
    """
    lines = [_annotation(report, finding, prefix) for finding in report.ordered()]
    if not report.complete:
        lines.append(
            f"::warning title=counterclaim::{_data('The check is incomplete: see the notes of the text report.')}"
        )
    return "".join(f"{line}\n" for line in lines)


def _annotation(report: RootReport, finding: Finding, prefix: str) -> str:
    span = finding.span
    properties = {"file": f"{prefix.rstrip('/')}/{span.path}" if prefix else span.path}
    start = report.line_column(span.path, span.start)
    end = report.line_column(span.path, max(span.start, span.end - 1))
    if start and end:
        properties |= {"line": str(start[0]), "endLine": str(end[0])}
        # Columns count only within one line.
        if start[0] == end[0]:
            properties |= {"col": str(start[1]), "endColumn": str(end[1])}
    properties["title"] = f"{finding.code} {finding.name}".strip()
    message = [plain(finding.message)]
    message += [f"{report.place(place.span)}: {plain(place.message)}" for place in finding.related[:MAX_RELATED]]
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {joined}::{_data(chr(10).join(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
