"""`counterclaim check`: findings of manuscripts on the terminal, as JSON, SARIF or annotations; fixes, baselines, watching."""

import difflib
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from analyzers.finding import Severity
from analyzers.fixes import Edit, apply_edits
from analyzers.project.library import Library
from server.atomic import write_atomic
from server.baseline import BaselineError, compare, read_baseline, write_baseline
from server.checking import Options, Target, check_root, target_of
from server.commands.terminal import FINDINGS, INCOMPLETE, OK, USAGE, out, say
from server.report.github import render_github
from server.report.json import render_json
from server.report.model import RootReport
from server.report.sarif import render_sarif
from server.report.text import TextReport

_POLL_SECONDS = 0.5


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of the command."""

    paths: tuple[Path, ...]
    workspace: Path | None = None
    format: Format = Format.TEXT
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    never_fail: bool = False
    fix: bool = False
    diff: bool = False
    baseline: Path | None = None
    write_baseline: Path | None = None
    candidates: bool = False
    seconds: float = 120.0
    quiet: bool = False
    colour: bool | None = None
    version: Callable[[], str] = str  # asked for only where a report names it, since looking it up takes a while
    editor: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class _Outcome:
    reports: list[RootReport] = field(default_factory=list)
    fails: bool = False
    incomplete: bool = False


def run_check(options: CheckOptions) -> int:
    """Check all roots of the given paths; returns the exit code (0 none, 1 findings, 2 something was unreadable, 64 usage)."""
    targets = [target_of(path, options.workspace) for path in options.paths]
    problems = [target.problem for target in targets if target.problem]
    for problem in problems:
        say(problem)
    if problems and len(problems) == len(targets):
        return USAGE if any(not path.exists() for path in options.paths) else INCOMPLETE
    jobs = [(target, root) for target in targets for root in target.roots]
    outcome = _Outcome(incomplete=bool(problems))
    with _Progress(len(jobs), options.quiet) as advance:
        for target, root in jobs:
            _one(target, root, options, outcome)
            advance()
    if options.write_baseline is not None:
        findings = [finding for report in outcome.reports for finding in report.findings]
        write_baseline(options.write_baseline, findings)
        say(f"{options.write_baseline}: {len(findings)} known findings written.")
        return INCOMPLETE if outcome.incomplete else OK
    if options.format is Format.SARIF:
        out(render_sarif(outcome.reports, options.version()))
    return INCOMPLETE if outcome.incomplete else FINDINGS if outcome.fails else OK


def _one(target: Target, root: str, options: CheckOptions, outcome: _Outcome) -> None:
    overrides: dict[str, object] = {}
    if options.select:
        overrides["select"] = options.select
    if options.ignore:
        overrides["ignore"] = options.ignore
    if options.fail_on is not None:
        overrides["fail_on"] = options.fail_on
    wanted = Options(editor=options.editor, overrides=overrides, candidates=options.candidates, seconds=options.seconds)
    report, settings, analysis = check_root(target.library, root, wanted)
    if analysis is not None and (options.fix or options.diff):
        changed = _apply_fixes(target, report, options)
        if changed and not options.diff:
            fresh = Library(target.library.reader)
            report, settings, analysis = check_root(fresh, root, wanted)
    baseline = options.baseline or (
        target.workspace / settings.beside(settings.configuration.baseline) if settings.configuration.baseline else None
    )
    if baseline is not None and options.write_baseline is None:
        try:
            report = replace(report, findings=compare(report.findings, read_baseline(baseline)).new)
        except (OSError, BaselineError) as error:
            say(f"The baseline {baseline} is not used: {error}")
            outcome.incomplete = True
    outcome.reports.append(report)
    if analysis is None or not analysis.manuscript.complete:
        outcome.incomplete = True
    if not options.never_fail and any(settings.configuration.fails(finding.severity) for finding in report.findings):
        outcome.fails = True
    if options.write_baseline is not None or options.diff:
        return
    _print(report, options)
    if options.format is not Format.SARIF:
        # A batch keeps what it needs for the exit code only.
        outcome.reports[-1] = replace(report, files={})


def _print(report: RootReport, options: CheckOptions) -> None:
    if options.format is Format.JSON:
        out(render_json(report) + "\n")
    elif options.format is Format.GITHUB:
        out(render_github(report))
    elif options.format is Format.TEXT:
        colour = sys.stdout.isatty() if options.colour is None else options.colour
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 110
        out(TextReport(colour, width).render(report))


def _apply_fixes(target: Target, report: RootReport, options: CheckOptions) -> int:
    """Apply (or show) the safe fixes; returns how many.  Overlapping ones wait for the next run."""
    edits: dict[str, list[Edit]] = {}
    taken: dict[str, list[tuple[int, int]]] = {}
    count = 0
    for finding in report.findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None or not _free(fix.edits, taken):
            continue
        count += 1
        for edit in fix.edits:
            edits.setdefault(edit.span.path, []).append(edit)
            taken.setdefault(edit.span.path, []).append((edit.span.start, edit.span.end))
    for path, here in edits.items():
        file = report.files.get(path)
        if file is None:
            continue
        fixed = apply_edits(file.text, here)
        if options.diff:
            out("".join(_diff(file.text, fixed, path)))
        else:
            _write(target.workspace / path, file.text, fixed)
    if not options.diff:
        say(f"{report.root}: {count} safe {'fix' if count == 1 else 'fixes'} applied.")
    return count


def _free(edits: Sequence[Edit], taken: dict[str, list[tuple[int, int]]]) -> bool:
    return not any(
        start <= edit.span.end and edit.span.start <= end
        for edit in edits
        for start, end in taken.get(edit.span.path, ())
    )


def _diff(before: str, after: str, path: str) -> Iterable[str]:
    return difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )


def _write(path: Path, before: str, after: str) -> None:
    """Write a fixed file in the encoding and with the byte order mark it had; leave it alone when it has changed since."""
    data = path.read_bytes()
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-8", b""), ("latin-1", b"")):
        try:
            if data.startswith(mark) and data[len(mark) :].decode(encoding) == before:
                write_atomic(path, mark + after.encode(encoding))
                return
        except UnicodeError:
            continue
    say(f"{path} has changed meanwhile or has another encoding; it was left as it is.")


def watch(options: CheckOptions, rounds: int | None = None, sleep: Callable[[float], None] = time.sleep) -> int:
    """Check again whenever a file of the workspace changes, until interrupted; `rounds` bounds the number of checks."""
    code = OK
    last: dict[Path, float] | None = None
    done = 0
    try:
        while rounds is None or done < rounds:
            stamps = _stamps(options)
            if stamps != last:
                if last is not None:
                    say("Changed; checking again.")
                code = run_check(options)
                done += 1
                last = _stamps(options)
            else:
                sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        say("Stopped.")
    return code


def _stamps(options: CheckOptions) -> dict[Path, float]:
    stamps: dict[Path, float] = {}
    for path in options.paths:
        folder = path if path.is_dir() else path.parent
        for suffix in ("*.tex", "*.bib", "*.toml", "*.sty", "*.cls"):
            for file in folder.rglob(suffix):
                try:
                    stamps[file] = file.stat().st_mtime
                except OSError:
                    continue
    return stamps


class _Progress:
    """A progress bar on a terminal when several papers are checked, and nothing otherwise."""

    def __init__(self, total: int, quiet: bool) -> None:
        self._bar = None
        if total > 1 and not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("Checking", total=total)

    def __enter__(self) -> Callable[[], None]:
        if self._bar is None:
            return lambda: None
        self._bar.start()
        bar, task = self._bar, self._task
        return lambda: bar.advance(task)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
