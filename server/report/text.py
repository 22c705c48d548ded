"""The report for people: each finding with its line, the range underlined, the other side, and how to silence it."""

from collections.abc import Iterator

from analyzers.finding import Finding, Note, Severity
from analyzers.text.spans import Span
from server.report.model import RootReport, count_severities
from server.report.screen import excerpt, plain

MAX_RELATED = 5
_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFORMATION: "1;36", Severity.HINT: "1;34"}
_BOLD = "1"
_FAINT = "2"


class TextReport:
    """Turns reports into text; `colour` adds terminal sequences of ours, never any of the manuscript's."""

    def __init__(self, colour: bool = False, width: int = 100) -> None:
        self._colour = colour
        self._width = max(width, 40)

    def render(self, report: RootReport) -> str:
        """The whole report on one root, ending in a line end."""
        return "\n".join((*self._lines(report), ""))

    def _lines(self, report: RootReport) -> Iterator[str]:
        explained: set[str] = set()
        for finding in report.ordered():
            yield from self._finding(report, finding, finding.code not in explained)
            yield ""
            explained.add(finding.code)
        for candidate in report.candidates:
            tag = f"[{candidate.code}, {candidate.score:.2f}]"
            yield f"{self._paint('candidate', _BOLD)}: {plain(candidate.reason)} {tag}"
            for place in candidate.places[:MAX_RELATED]:
                yield from self._place(report, place, "")
            yield ""
        for note in report.notes:
            yield self._note(report, note)
        yield from self._summary(report)

    def _finding(self, report: RootReport, finding: Finding, explain: bool) -> Iterator[str]:
        severity = self._paint(str(finding.severity), _COLOURS[finding.severity])
        name = f"{finding.code} {finding.name}".strip()
        yield (
            f"{self._paint(plain(report.place(finding.span)), _BOLD)}: {severity}: {plain(finding.message)} "
            f"{self._paint(f'[{plain(name)}]', _FAINT)}"
        )
        yield from self._source(report, finding.span)
        for related in finding.related[:MAX_RELATED]:
            yield from self._place(report, related.span, related.message)
        if len(finding.related) > MAX_RELATED:
            yield f"  and {len(finding.related) - MAX_RELATED} more places"
        for fix in finding.fixes:
            how = "--fix applies it" if fix.safe else "to be confirmed in an editor"
            yield f"  {self._paint('fix:', _BOLD)} {plain(fix.title)} ({how})"
        if explain:
            silence = f"% counterclaim: allow {plain(finding.code)} -- reason"
            yield self._paint(f"  about it: counterclaim explain {plain(finding.code)}; to allow it: {silence}", _FAINT)

    def _place(self, report: RootReport, span: Span, message: str) -> Iterator[str]:
        said = f": {plain(message)}" if message else ""
        yield f"  {self._paint(plain(report.place(span)), _BOLD)}{said}"
        yield from self._source(report, span)

    def _source(self, report: RootReport, span: Span) -> Iterator[str]:
        file = report.files.get(span.path)
        if file is None:
            return
        line, column = file.lines.line_column(span.start)
        start, end = file.lines.line_span(line)
        last, _ = file.lines.line_column(max(span.start, span.end - 1))
        part = excerpt(file.text[start:end], column, span.end - start, self._width - 9)
        marks = part.underline + (f" to line {last + 1}" if last > line else "")
        yield f"{self._paint(f'{line + 1:6} |', _FAINT)} {part.line}".rstrip()
        yield f"{self._paint('       |', _FAINT)} {self._paint(marks, '33')}"

    def _note(self, report: RootReport, note: Note) -> str:
        place = f"{plain(report.place(note.span))}: " if note.span else ""
        return f"{place}{self._paint('note', _BOLD)}: {plain(note.message)}"

    def _summary(self, report: RootReport) -> Iterator[str]:
        counts = [_counted(number, str(severity)) for severity, number in count_severities(report.findings)]
        files = _counted(report.summary.files, "file")
        name = plain(report.root) if report.root is not None else "no root file"
        yield f"{self._paint(name, _BOLD)}: {', '.join(counts) or 'no findings'} in {files} ({report.seconds:.2f} s)"
        numbers = report.summary.numbers
        if numbers.verified:
            yield f"{numbers.verified} of {_counted(numbers.total, 'number')} found in tables"
        if not report.complete:
            yield "The check is incomplete: something could not be read or resolved, see the notes."

    def _paint(self, text: str, style: str) -> str:
        return f"\033[{style}m{text}\033[0m" if self._colour else text


def _counted(number: int, noun: str) -> str:
    # "Information" has no plural, and "2 information" is what linters write.
    return f"{number} {noun}" if number == 1 or noun == "information" else f"{number} {noun}s"
