"""`counterclaim cite`: verify the entries of a manuscript or a bare .bib.

The JSON form is a contract (version 1) that programs outside this repository read.
"""

import json
import os
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.terminal import FINDINGS, INCOMPLETE, OK, USAGE, say

if TYPE_CHECKING:
    from analyzers.citations.record import Entry
    from analyzers.citations.source import BibliographicSource
    from analyzers.citations.verdict import Verdict
    from analyzers.finding import Note
    from analyzers.project.bibliography import BibEntry, Bibliography

# Damaged syntax says nothing about whether the work exists; it is a reason of the entry, and `check` reports its place.
SYNTAX, DAMAGED = "BIB001", "DAMAGED_ENTRY"


class Format(StrEnum):
    """How verdicts are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


@dataclass(frozen=True, slots=True)
class CiteOptions:
    """The options of the command.  `today` and `email` come from the outside; `online` is the user's consent."""

    path: Path
    today: date
    index: Path | None = None
    online: bool = False
    format: Format = Format.TEXT
    workspace: Path | None = None
    strict: bool = False
    cited_only: bool = False
    quiet: bool = False
    email: str = ""
    version: str = "0"
    base_urls: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    """The entries that are to be judged, where they stand, and what could not be read."""

    root: str
    entries: tuple["BibEntry", ...]
    bibliography: "Bibliography"
    texts: Mapping[str, str]
    notes: tuple["Note", ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class _Judged:
    place: "BibEntry"
    entry: "Entry"
    verdict: "Verdict"
    lint: tuple[str, ...]
    cross: tuple[str, ...]


def run_cite(options: CiteOptions) -> int:
    """Verify and print; returns 0 nothing found, 1 findings, 2 a source was down or a file unreadable, 64 wrong usage."""
    import asyncio

    from clients.bibliography.index import IndexFileError

    if not options.path.exists():
        say(f"{options.path} does not exist.")
        return USAGE
    started = time.perf_counter()
    job = _job(options)
    if job is None:
        return INCOMPLETE
    for note in job.notes:
        say(note.message)
    try:
        judged = asyncio.run(_judge(job, options))
    except IndexFileError as error:
        say(str(error))
        return USAGE
    complete = job.complete and all(item.verdict.complete for item in judged)
    if options.format is Format.JSON:
        print(json.dumps(_document(job, judged, complete), ensure_ascii=False, indent=1))
    elif options.format is Format.SARIF:
        sys.stdout.write(_sarif(job, judged, complete, options, time.perf_counter() - started))
    else:
        _print_text(job, judged)
    if not complete:
        return INCOMPLETE
    return FINDINGS if any(_fails(item, options.strict) for item in judged) else OK


def _fails(item: _Judged, strict: bool) -> bool:
    from analyzers.citations.findings import verdict_findings
    from analyzers.finding import Severity

    found = list(verdict_findings(item.place, item.entry, item.verdict))
    return bool(item.lint) or any(strict or finding.severity.rank <= Severity.WARNING.rank for finding in found)


def _job(options: CiteOptions) -> _Job | None:
    from analyzers.project.assemble import assemble
    from analyzers.project.bibliography import read_bibliography
    from analyzers.project.reader import ReadFailure
    from server.checking import target_of, workspace_of
    from server.files import DiskReader
    from server.settings import read_settings

    if options.path.suffix.lower() == ".bib":
        workspace = workspace_of(options.path, options.workspace)
        name = os.path.relpath(options.path.absolute(), workspace.absolute()).replace(os.sep, "/")
        read = DiskReader(workspace).read(name)
        if isinstance(read, ReadFailure):
            say(f"{options.path} could not be read: {read.message}.")
            return None
        bibliography = read_bibliography(name, read.text)
        return _Job(name, bibliography.entries, bibliography, {name: read.text})
    target = target_of(options.path, options.workspace)
    if target.problem or not target.roots:
        say(target.problem or f"{options.path} holds no LaTeX file with a document class.")
        return None
    root = target.roots[0]
    if len(target.roots) > 1:
        say(f"Several documents were found; {root} is taken. Name another one to verify it.")
    settings = read_settings(target.library.reader, root)
    search = tuple(settings.beside(folder) for folder in settings.configuration.search)
    manuscript = assemble(target.library, root, search, None, settings.configuration.language)
    entries = manuscript.bibliography.entries
    if options.cited_only:
        from analyzers.facts.citations import citations

        keys = {citation.key for _, _, citation in manuscript.located(citations)}
        if "*" not in keys:
            used = {id(found.body) for key in keys if (found := manuscript.entry_of_key(key)) is not None}
            entries = tuple(entry for entry in entries if id(entry.body) in used)
    texts = {bibliography.path: bibliography.text for bibliography in manuscript.bibliographies}
    complete = manuscript.complete and not manuscript.open_keys
    return _Job(root, entries, manuscript.bibliography, texts, manuscript.notes if not complete else (), complete)


async def _judge(job: _Job, options: CiteOptions) -> list[_Judged]:
    from analyzers.citations.findings import entry_of
    from analyzers.citations.verify import verify_all
    from server.commands.bar import progress_bar

    entries = [entry_of(entry, job.bibliography) for entry in job.entries]
    lint, cross = _linted(job, options.today)
    done = 0
    with progress_bar(options.quiet) as advance:

        def count(_position: int, _verdict: "Verdict") -> None:
            nonlocal done
            done += 1
            advance(f"{done} of {len(entries)} entries", done / max(1, len(entries)))

        async with sources_of(options) as sources:
            verdicts = await verify_all(entries, sources, options.today, count)
    return [
        _Judged(place, entry, verdict, lint.get(number, ()), cross.get(number, ()))
        for number, (place, entry, verdict) in enumerate(zip(job.entries, entries, verdicts, strict=True))
    ]


@asynccontextmanager
async def sources_of(options: CiteOptions) -> AsyncIterator[Sequence["BibliographicSource"]]:
    """The local index (the named one, or the default one when it exists) and, with consent, the online sources.

    Raises `IndexFileError` for a named index that cannot be used.
    """
    from clients.bibliography.index import BibliographyIndex, IndexSource
    from server.commands.index import default_index

    index_path = options.index or default_index()
    index = BibliographyIndex(index_path) if options.index is not None or index_path.is_file() else None
    local: list[BibliographicSource] = [IndexSource(index)] if index is not None else []
    try:
        if not options.online:
            yield local
            return
        async with online_sources(options) as online:
            yield [*local, *online]
    finally:
        if index is not None:
            index.close()


@asynccontextmanager
async def online_sources(options: CiteOptions) -> AsyncIterator[Sequence["BibliographicSource"]]:
    """The bibliographic services, with the file of their answers; for callers that have the user's consent."""
    from platformdirs import user_cache_path

    from clients.bibliography.cache import AnswerCache
    from clients.bibliography.sources import SourceSettings, build_sources

    place = options.cache or user_cache_path("counterclaim", appauthor=False) / "answers.sqlite"
    place.parent.mkdir(parents=True, exist_ok=True)
    settings = SourceSettings(network=True, email=options.email, version=options.version, base_urls=options.base_urls)
    async with build_sources(settings, os.environ, cache=AnswerCache(place, time.time, say)) as built:
        for note in built.notes:
            say(note)
        yield built.sources


def _linted(job: _Job, today: date) -> tuple[dict[int, tuple[str, ...]], dict[int, tuple[str, ...]]]:
    """Codes by position of the entry: checks of the entry alone at warning or above, and checks that compare entries."""
    from analyzers.citations.plausibility import ALL_RULES, check_bibliography
    from analyzers.finding import Severity

    alone = {rule.code for rule in ALL_RULES if rule.alone}
    starts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, entry in enumerate(job.entries):
        starts[entry.path].append((entry.start, number))
    for places in starts.values():
        places.sort()
    lint: defaultdict[int, list[str]] = defaultdict(list)
    cross: defaultdict[int, list[str]] = defaultdict(list)
    for fault in check_bibliography(job.bibliography, today, ALL_RULES).faults:
        places = starts.get(fault.path, [])
        before = bisect_right(places, (fault.start, len(job.entries))) - 1
        if before < 0 or fault.start >= job.entries[places[before][1]].end:
            continue
        number = places[before][1]
        if fault.code not in alone:
            cross[number].append(fault.code)
        elif fault.severity.rank <= Severity.WARNING.rank and fault.code != SYNTAX:
            lint[number].append(fault.code)
    return (
        {number: tuple(dict.fromkeys(codes)) for number, codes in lint.items()},
        {number: tuple(dict.fromkeys(codes)) for number, codes in cross.items()},
    )


def _lines(job: _Job) -> Mapping[str, "_LineCounter"]:
    return {path: _LineCounter(text) for path, text in job.texts.items()}


class _LineCounter:
    """Lines from 1, as LSP counts them."""

    def __init__(self, text: str) -> None:
        from analyzers.text.lines import LineIndex

        self._index = LineIndex(text)

    def line(self, offset: int) -> int:
        """The line of an offset."""
        return self._index.line_column(offset)[0] + 1


def _document(job: _Job, judged: Sequence[_Judged], complete: bool) -> dict[str, object]:
    lines = _lines(job)
    return {
        "version": 1,
        "complete": complete,
        "entries": [
            {
                "key": item.place.key,
                "file": item.place.path,
                "line": lines[item.place.path].line(item.place.start),
                "verdict": str(item.verdict.kind),
                "reasons": [*item.verdict.reasons, *((DAMAGED,) if item.place.problems else ())],
                "fields": [
                    {"name": difference.name, "given": difference.given, "found": difference.found}
                    for difference in item.verdict.fields
                ],
                "flags": list(item.verdict.flags),
                "sources": {
                    "asked": list(item.verdict.asked),
                    "answered": list(item.verdict.answered),
                    "unavailable": [name for name, _ in item.verdict.unavailable],
                },
                "lint": list(item.lint),
                "cross": list(item.cross),
            }
            for item in judged
        ],
    }


def _print_text(job: _Job, judged: Sequence[_Judged]) -> None:
    from analyzers.citations.verdict import VerdictKind
    from analyzers.citations.wording import describe, summary_line

    lines = _lines(job)
    for item in judged:
        verdict = item.verdict
        quiet = verdict.kind is VerdictKind.VERIFIED and not verdict.flags
        if quiet and not (item.lint or item.cross or item.place.problems):
            continue
        place = f"{item.place.path}:{lines[item.place.path].line(item.place.start)}"
        print(f"{place}: {item.place.key or '(no key)'}: {describe(item.entry, item.verdict)}")
        if item.place.problems:
            print(f"    the entry is damaged: {item.place.problems[0].message}")
        if item.verdict.flags:
            print(f"    {', '.join(item.verdict.flags)}")
        if item.lint or item.cross:
            print(f"    checks: {', '.join((*item.lint, *item.cross))} (`counterclaim explain CODE`)")
    print(summary_line([item.verdict for item in judged]))


def _sarif(job: _Job, judged: Sequence[_Judged], complete: bool, options: CiteOptions, seconds: float) -> str:
    from analyzers.citations.findings import verdict_findings
    from analyzers.text.lines import LineIndex
    from server.report.model import RootReport, SourceFile
    from server.report.sarif import render_sarif

    findings = tuple(finding for item in judged for finding in verdict_findings(item.place, item.entry, item.verdict))
    report = RootReport(
        root=job.root,
        complete=complete,
        findings=findings,
        files={path: SourceFile(text, LineIndex(text)) for path, text in job.texts.items()},
        notes=tuple(_down_notes(judged)),
        seconds=seconds,
    )
    return render_sarif([report], options.version)


def _down_notes(judged: Sequence[_Judged]) -> Iterator["Note"]:
    from analyzers.finding import Note

    down = {name: reason for item in judged for name, reason in item.verdict.unavailable}
    for name, reason in down.items():
        yield Note(f"{name} did not answer ({reason}); verdicts are incomplete.")


def cite(
    path: Annotated[Path, typer.Argument(help="A manuscript (file or folder), or a bare .bib file.")],
    index: Annotated[Path | None, typer.Option(help="The local index; the default one when it exists.")] = None,
    online: Annotated[
        bool,
        typer.Option("--online", help="Also ask bibliographic services: titles and identifiers leave this machine."),
    ] = False,
    format: Annotated[str, typer.Option(help="text, json or sarif.")] = "text",  # noqa: A002
    workspace: Annotated[Path | None, typer.Option(help="The folder that paths in reports are relative to.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on every finding, not only from warnings on.")] = False,
    cited: Annotated[bool, typer.Option("--cited", help="Only entries that the manuscript cites.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Verify bibliography entries against the local index and, when allowed, online sources."""
    if format not in list(Format):
        say(f"--format {format}: use one of {', '.join(Format)}.")
        raise typer.Exit(USAGE)
    from datetime import UTC, datetime

    options = CiteOptions(
        path=path,
        today=datetime.now(UTC).astimezone().date(),
        index=index,
        online=online,
        format=Format(format),
        workspace=workspace,
        strict=strict,
        cited_only=cited,
        quiet=quiet,
        email=os.environ.get("COUNTERCLAIM_EMAIL", ""),
    )
    raise typer.Exit(run_cite(options))


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("cite")(cite)
