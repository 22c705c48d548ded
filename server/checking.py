"""Checking roots without an editor: what `counterclaim check` and batches share."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from analyzers.configuration import CONFIGURATION_NAME
from analyzers.driver import Analysis, analyse, known_codes
from analyzers.facts.number_links import number_summary
from analyzers.finding import Note
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import ReadFailure
from analyzers.project.roots import root_of, roots
from analyzers.text.lines import LineIndex
from server.files import DiskReader
from server.report.model import Numbers, RootReport, RuleInfo, SourceFile, Summary
from server.rules import rule_infos
from server.settings import Settings, read_settings

_MARKERS = (CONFIGURATION_NAME, ".git")


class OutOfTime(Exception):  # noqa: N818 - a signal, not an error
    """The time for one root is over."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for beyond the settings file; None leaves the file's word."""

    editor: Mapping[str, object] = field(default_factory=dict)
    overrides: Mapping[str, object] = field(default_factory=dict)
    candidates: bool = False
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Target:
    """A workspace, and the roots in it that are to be checked."""

    workspace: Path
    library: Library
    roots: tuple[str, ...]
    problem: str = ""


def workspace_of(path: Path, given: Path | None) -> Path:
    """The workspace: `given`, else the path if it is a folder, else the nearest folder above with a settings file or `.git`,
    else the file's own folder (never above the home folder)."""
    if given is not None:
        return given
    if path.is_dir():
        return path
    folder = path.absolute().parent
    home = Path.home()
    for candidate in (folder, *folder.parents):
        if any((candidate / marker).exists() for marker in _MARKERS):
            return candidate
        if candidate == home:
            break
    return folder


def target_of(path: Path, workspace: Path | None) -> Target:
    """What a path on the command line means: all roots of a folder, or the root that a file belongs to."""
    top = workspace_of(path, workspace)
    library = Library(DiskReader(top))
    relative = _relative(path, top)
    if relative is None:
        return Target(top, library, (), f"{path} is outside the workspace {top}.")
    if path.is_dir():
        prefix = "" if relative in ("", ".") else relative + "/"
        listed = [file for file in library.reader.listing() if file.startswith(prefix)]
        found = _configured(library, relative, listed) or roots(library, listed)
        if not found and len(listed) == 1:
            found = (listed[0],)
        return Target(top, library, found, "" if found else f"{path} holds no LaTeX file with a document class.")
    if not path.exists():
        return Target(top, library, (), f"{path} does not exist.")
    return Target(top, library, (root_of(library, relative),))


def _configured(library: Library, folder: str, listed: list[str]) -> tuple[str, ...]:
    """The roots that the settings file names, when there are any."""
    settings = read_settings(library.reader, (folder + "/" if folder not in ("", ".") else "") + "x", ())
    named = tuple(settings.beside(root) for root in settings.configuration.roots)
    return tuple(root for root in named if root in listed)


def _relative(path: Path, workspace: Path) -> str | None:
    try:
        return path.absolute().resolve().relative_to(workspace.absolute().resolve()).as_posix()
    except ValueError:
        return None


def check_root(library: Library, root: str, options: Options) -> tuple[RootReport, Settings, Analysis | None]:
    """The report on one root, the settings it was made under, and the analysis (None when the root could not be read)."""
    started = time.perf_counter()
    known = known_codes()
    settings = read_settings(library.reader, root, known, options.editor)
    if options.overrides:
        settings = replace(settings, configuration=replace(settings.configuration, **options.overrides))  # type: ignore[arg-type]
    configuration = settings.configuration

    def cancelled() -> None:
        if time.perf_counter() - started > options.seconds:
            raise OutOfTime

    read = library.document(root)
    if isinstance(read, ReadFailure):
        note = Note(f"{root} could not be read: {read.message}.")
        return (
            RootReport(root, False, (), {}, notes=(*settings.notes, note), seconds=time.perf_counter() - started),
            settings,
            None,
        )
    search = tuple(settings.beside(folder) for folder in configuration.search)
    manuscript = assemble(
        library, root, search, None, configuration.language, configuration.words, datetime.now().astimezone().date()
    )
    try:
        analysis = analyse(manuscript, configuration, candidates=options.candidates, cancelled=cancelled)
    except OutOfTime:
        note = Note(f"{root} was not finished within {options.seconds:g} seconds.")
        return _report(root, manuscript, None, (*settings.notes, note), False, started), settings, None
    report = _report(root, manuscript, analysis, settings.notes, True, started)
    if settings.path is not None and settings.notes:
        # Notes about the settings show their line as well.
        files = {**report.files, settings.path: SourceFile(settings.text, LineIndex(settings.text))}
        report = replace(report, files=files)
    return report, settings, analysis


def _report(
    root: str,
    manuscript: Manuscript,
    analysis: Analysis | None,
    notes: tuple[Note, ...],
    finished: bool,
    started: float,
) -> RootReport:
    files = {path: SourceFile(document.text, document.lines) for path, document in manuscript.files.items()}
    for bibliography in manuscript.bibliographies:
        if bibliography.text:
            files[bibliography.path] = SourceFile(bibliography.text, LineIndex(bibliography.text))
    return RootReport(
        root=root,
        complete=finished and manuscript.complete and not manuscript.open_labels and not manuscript.open_keys,
        findings=analysis.findings if analysis else (),
        files=files,
        candidates=analysis.candidates if analysis else (),
        notes=(*(analysis.notes if analysis else manuscript.notes), *notes),
        summary=Summary(
            len(files), analysis.sentences if analysis else 0, _numbers(manuscript) if analysis else Numbers()
        ),
        seconds=time.perf_counter() - started,
        rules=_rules(),
    )


def _numbers(manuscript: Manuscript) -> Numbers:
    summary = number_summary(manuscript)
    return Numbers(summary.total, summary.verified, summary.refuted, summary.unknown)


_RULES: dict[str, RuleInfo] = {}


def _rules() -> Mapping[str, RuleInfo]:
    if not _RULES:
        _RULES.update({info.code: info for info in rule_infos()})
    return _RULES
