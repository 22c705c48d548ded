"""Sheets to judge findings by hand: one line per finding of a folder of papers, with an empty column for the judgement.

Usage: python benchmarks/precision_sheet.py SHEET.tsv [CORPUS_PAPERS] [--codes TAB,NUM] [--sample N] [--hints]
       python benchmarks/precision_sheet.py SHEET.tsv --report
Without a folder the papers are taken from COUNTERCLAIM_CORPUS.  A sheet that exists keeps its judgements: lines are known by code, paper,
file, flagged text and message.  Judgements are `right`, `wrong` or `unsure`; the report gives the precision per check with a 95 %
Wilson interval, and the findings per paper.
"""

import argparse
import csv
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mutations import share

from analyzers.driver import analyse
from analyzers.finding import Finding, Severity
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.roots import roots
from server.files import DiskReader

COLUMNS = ("code", "severity", "paper", "file", "line", "flagged", "excerpt", "message", "judgement", "note")
KEY = ("code", "paper", "file", "flagged", "message")
JUDGEMENTS = ("right", "wrong", "unsure")
_EXCERPT = 160
Row = dict[str, str]


def rows_of(paper: str, manuscript: Manuscript, findings: Iterable[Finding]) -> Iterator[Row]:
    """The lines of one paper."""
    for finding in findings:
        span = finding.span
        document = manuscript.document(span.path)
        text = document.text if document is not None else ""
        line = text.count("\n", 0, span.start) + 1
        excerpt = text[max(0, span.start - _EXCERPT // 2) : span.end + _EXCERPT // 2]
        yield {
            "code": finding.code,
            "severity": finding.severity.value,
            "paper": paper,
            "file": span.path,
            "line": str(line),
            "flagged": _flat(text[span.start : span.end][:80]),
            "excerpt": _flat(excerpt),
            "message": _flat(finding.message),
            "judgement": "",
            "note": "",
        }


def _flat(text: str) -> str:
    return " ".join(text.split())


def collect(folder: Path, prefixes: tuple[str, ...], hints: bool) -> tuple[list[Row], int]:
    """The lines of all papers (one folder each), and how many papers there are."""
    found: list[Row] = []
    count = 0
    for paper in sorted(path for path in folder.iterdir() if path.is_dir()):
        library = Library(DiskReader(paper))
        for root in roots(library)[:1]:
            count += 1
            analysis = analyse(assemble(library, root))
            wanted = [
                finding for finding in analysis.findings
                if (hints or finding.severity.rank <= Severity.INFORMATION.rank) and (not prefixes or finding.code.startswith(prefixes))
            ]  # fmt: skip
            found += rows_of(paper.name, analysis.manuscript, wanted)
    return found, count


def sampled(rows: Sequence[Row], most: int | None, seed: int = 1) -> list[Row]:
    """At most so many lines per code, drawn at random but always the same ones."""
    by_code: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_code[row["code"]].append(row)
    chosen: list[Row] = []
    for code, lines in sorted(by_code.items()):
        chosen += lines if most is None or len(lines) <= most else random.Random(f"{seed} {code}").sample(lines, most)
    return chosen


def read_sheet(path: Path) -> list[Row]:
    """The lines of a sheet; none when it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: row.get(name) or "" for name in COLUMNS} for row in csv.DictReader(file, delimiter="\t")]


def write_sheet(path: Path, rows: Iterable[Row]) -> None:
    """Write a sheet."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def merged(new: Iterable[Row], known: Iterable[Row]) -> list[Row]:
    """New lines with the judgements of known ones; judged lines that are gone stay out."""
    judged: Mapping[tuple[str, ...], Row] = {tuple(row[name] for name in KEY): row for row in known}
    result = []
    for row in new:
        old = judged.get(tuple(row[name] for name in KEY))
        result.append({**row, "judgement": old["judgement"], "note": old["note"]} if old is not None else row)
    return result


def report(rows: Sequence[Row], papers: int | None = None) -> Iterator[str]:
    """Precision per check, of what was judged right or wrong."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["code"]][row["judgement"] if row["judgement"] in JUDGEMENTS else "open"] += 1
    for code, counter in sorted(counts.items()):
        decided = counter["right"] + counter["wrong"]
        yield f"{code:8} {share(counter['right'], decided):34} unsure {counter['unsure']}, not judged {counter['open']}"
    if papers:
        yield f"{len(rows)} findings in {papers} papers: {len(rows) / papers:.2f} per paper"


def main(arguments: Sequence[str]) -> int:
    """Write or report a sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("papers", nargs="?", type=Path)
    parser.add_argument("--codes", default="", help="beginnings of codes, separated by commas")
    parser.add_argument("--sample", type=int, help="at most so many lines per check")
    parser.add_argument("--hints", action="store_true", help="hints as well")
    parser.add_argument("--report", action="store_true", help="only report the judgements of the sheet")
    options = parser.parse_args(arguments)
    known = read_sheet(options.sheet)
    if options.report:
        print("\n".join(report(known)))
        return 0
    folder = options.papers or (
        Path(os.environ["COUNTERCLAIM_CORPUS"]) / "papers" if "COUNTERCLAIM_CORPUS" in os.environ else None
    )
    if folder is None:
        parser.error("name a folder of papers, or set COUNTERCLAIM_CORPUS")
    rows, count = collect(folder, tuple(filter(None, options.codes.split(","))), options.hints)
    rows = merged(sampled(rows, options.sample), known)
    write_sheet(options.sheet, rows)
    print("\n".join(report(rows, count)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
