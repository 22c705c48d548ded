"""`counterclaim bench`: benchmarks of the literature."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.terminal import INCOMPLETE, OK, USAGE, say

if TYPE_CHECKING:
    from analyzers.citations.verdict import Verdict
    from analyzers.evaluation.hallmark import HallmarkResult, Labelled, Rate, TypeResult

app = typer.Typer(name="bench", help="Benchmarks of the literature.", no_args_is_help=True)


@app.callback()
def _benchmarks() -> None:
    """Benchmarks of the literature."""


@dataclass(frozen=True, slots=True)
class HallmarkRun:
    """What a run found: the rates, one row per entry, and whether every source answered."""

    result: "HallmarkResult"
    rows: tuple[tuple["Labelled", "Verdict", tuple[str, ...]], ...]
    complete: bool


async def hallmark_run(
    labelled: Sequence["Labelled"], today: date, index: Path | None, online: bool = False, quiet: bool = True
) -> HallmarkRun:
    """Judge every entry alone.  Raises `IndexFileError` for a named index that cannot be used."""
    from analyzers.citations.verify import verify_all
    from analyzers.evaluation.hallmark import score
    from server.commands.bar import progress_bar
    from server.commands.cite import CiteOptions, sources_of

    options = CiteOptions(Path(), today, index, online, email=os.environ.get("COUNTERCLAIM_EMAIL", ""))
    done = 0
    with progress_bar(quiet) as advance:

        def count(_position: int, _verdict: "Verdict") -> None:
            nonlocal done
            done += 1
            advance(f"{done} of {len(labelled)} entries", done / max(1, len(labelled)))

        async with sources_of(options) as sources:
            verdicts = await verify_all([item.entry for item in labelled], sources, today, count)
    codes = [lint_alone(item, today) for item in labelled]
    rows = tuple(zip(labelled, verdicts, codes, strict=True))
    result = score((item, verdict, bool(found)) for item, verdict, found in rows)
    return HallmarkRun(result, rows, all(verdict.complete for verdict in verdicts))


def lint_alone(labelled: "Labelled", today: date) -> tuple[str, ...]:
    """Codes of the checks that look at this entry alone, at warning or above."""
    from analyzers.citations.plausibility import ALL_RULES, check_entry
    from analyzers.finding import Severity
    from analyzers.project.bibliography import read_bibliography

    # The data holds parsed fields, so the entry is written down once more; values keep their braces balanced.
    body = "".join(f"  {name} = {{{_balanced(value)}}},\n" for name, value in labelled.fields.items())
    bibliography = read_bibliography("entry.bib", f"@{labelled.entry.kind}{{entry,\n{body}}}\n")
    rules = [rule for rule in ALL_RULES if rule.alone]
    return tuple(
        dict.fromkeys(
            fault.code
            for entry in bibliography.entries[:1]
            for fault in check_entry(entry, bibliography, today, rules)
            if fault.severity.rank <= Severity.WARNING.rank
        )
    )


def _balanced(value: str) -> str:
    depth = 0
    for position, character in enumerate(value):
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return value.replace("{", "").replace("}", "")
        if position == len(value) - 1 and depth:
            return value.replace("{", "").replace("}", "")
    return value


def run_hallmark(
    data: Path,
    today: date,
    index: Path | None = None,
    online: bool = False,
    as_json: bool = False,
    details: Path | None = None,
    quiet: bool = False,
) -> int:
    """Score HALLMARK entries and print the table; returns 0, 2 when a source was down, 64 for wrong usage."""
    import asyncio

    from analyzers.evaluation.hallmark import read_labelled
    from clients.bibliography.index import IndexFileError
    from server.atomic import write_text_atomic

    try:
        labelled = list(read_labelled(data.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        say(f"{data} could not be read: {error}.")
        return USAGE
    if not labelled:
        say(f"{data} holds no labelled entries.")
        return USAGE
    try:
        run = asyncio.run(hallmark_run(labelled, today, index, online, quiet))
    except IndexFileError as error:
        say(str(error))
        return USAGE
    if details is not None:
        write_text_atomic(details, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _details(run)))
    print(json.dumps(_as_json(run), indent=1) if as_json else "\n".join(_table(run)))
    return OK if run.complete else INCOMPLETE


def _details(run: HallmarkRun) -> Iterator[dict[str, object]]:
    for labelled, verdict, lint in run.rows:
        yield {
            "key": labelled.entry.key,
            "label": labelled.kind,
            "verdict": str(verdict.kind),
            "reasons": list(verdict.reasons),
            "fields": [{"name": d.name, "given": d.given, "found": d.found} for d in verdict.fields],
            "lint": list(lint),
        }


def _rate(rate: "Rate") -> str:
    interval = rate.interval
    if rate.value is None or interval is None:
        return "no entries"
    return f"{100 * rate.value:5.1f} % [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def _table(run: HallmarkRun) -> Iterator[str]:
    yield f"{'type':24} {'n':>5}  {'flagged, 95 % interval':26} {'verified':>9} {'unverifiable':>13} {'lint only':>10}"
    result = run.result
    for row in (*result.types, result.hallucinated, result.valid):
        counts = f"{row.verified.hits:>9} {row.unverifiable.hits:>13} {row.lint_only.hits:>10}"
        yield f"{row.kind:24} {row.flagged.total:>5}  {_rate(row.flagged):26} {counts}"
    yield f"valid entries verified: {_rate(result.valid.verified)}; flagged: {_rate(result.valid.flagged)}"
    if not run.complete:
        yield "A source was down, so these figures are incomplete."


def _as_json(run: HallmarkRun) -> dict[str, object]:
    result = run.result
    return {
        "version": 1,
        "complete": run.complete,
        "types": [_row(row) for row in (*result.types, result.hallucinated, result.valid)],
    }


def _row(row: "TypeResult") -> dict[str, object]:
    return {
        "type": row.kind,
        "n": row.flagged.total,
        "flagged": {"value": row.flagged.value, "hits": row.flagged.hits, "interval": row.flagged.interval},
        "verified": {"value": row.verified.value, "hits": row.verified.hits, "interval": row.verified.interval},
        "unverifiable": row.unverifiable.hits,
        "lint_only": row.lint_only.hits,
    }


@app.command("hallmark")
def hallmark(
    data: Annotated[Path, typer.Argument(help="A HALLMARK file in JSON lines.")],
    index: Annotated[Path | None, typer.Option(help="The local index.")] = None,
    online: Annotated[bool, typer.Option("--online", help="Also ask online sources.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    details: Annotated[Path | None, typer.Option(help="Write one JSON line per entry to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Detection and false alarms on labelled bibliography entries, each judged alone (HALLMARK)."""
    from datetime import UTC, datetime

    today = datetime.now(UTC).astimezone().date()
    raise typer.Exit(run_hallmark(data, today, index, online, as_json, details, quiet))
