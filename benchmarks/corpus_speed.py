"""How fast whole manuscripts are checked: papers per second of CPU, the largest papers, and edits in them.

    COUNTERCLAIM_CORPUS=... python benchmarks/corpus_speed.py [--rounds 3] [--edits 40] [--largest 5] [--json]

The corpus is a folder with `MANIFEST.tsv` (columns `slug` and `main_tex`) and `papers/<slug>/`.

* small papers (TeX of at most 120 KB): every one is read from disk and checked from scratch, as `counterclaim check` does;
  one process, so what is learned about words in one paper serves the next, as in a batch.  The best round counts;
* the largest papers: a full check from scratch, and a letter typed at a random place of the largest file: from the edit to
  the findings of the whole project, which is what the second publish of the editor waits for.

Times are those of the process's CPU, which other work on the computer disturbs less than the clock.
"""

import argparse
import csv
import json
import os
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyzers.driver import analyse
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from server.checking import Options, check_root
from server.files import DiskReader
from server.memory import relax

_SMALL = 120_000


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the corpus: its folder, its root, and how many code points of TeX it has."""

    folder: Path
    root: str
    size: int


@dataclass(frozen=True, slots=True)
class Small:
    """The small papers together; seconds are CPU of the best round."""

    papers: int
    seconds: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Large:
    """One large paper; milliseconds of CPU."""

    name: str
    size: int
    full: float
    edit_median: float
    edit_p90: float


def papers(corpus: Path) -> list[Paper]:
    """The papers of a corpus with the size of what their roots include; those that cannot be read are left out."""
    found = []
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            folder = corpus / "papers" / row["slug"]
            if not (folder / row["main_tex"]).is_file():
                continue
            manuscript = assemble(Library(DiskReader(folder)), row["main_tex"])
            size = sum(len(document.text) for path, document in manuscript.files.items() if path.endswith(".tex"))
            found.append(Paper(folder, row["main_tex"], size))
    return found


def small(chosen: list[Paper], rounds: int) -> Small:
    """Check every paper from scratch, `rounds` times."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        for paper in chosen:
            check_root(Library(DiskReader(paper.folder)), paper.root, Options())
        times.append(time.process_time() - started)
    return Small(len(chosen), min(times), len(chosen) / min(times))


def large(paper: Paper, rounds: int, edits: int) -> Large:
    """A full check from scratch (the best of `rounds`), and edits of the largest file one after another."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        check_root(Library(DiskReader(paper.folder)), paper.root, Options())
        times.append(time.process_time() - started)
    library = Library(DiskReader(paper.folder))
    today = date(2026, 1, 1)
    manuscript = assemble(library, paper.root, today=today)
    analyse(manuscript, live=True)
    path = max(
        (path for path in manuscript.files if path.endswith(".tex")), key=lambda p: len(manuscript.files[p].text)
    )
    dice = random.Random(3)
    typed = []
    for _ in range(edits):
        document = manuscript.files[path]
        body = [n for n, block in enumerate(document.blocks) if len(block.text) > 200 and not block.dead]
        number = dice.choice(body or range(len(document.blocks)))
        place = document.starts[number] + dice.randrange(len(document.blocks[number].text))
        started = time.process_time()
        library.open(path, document.edit(place, place, "x"))
        manuscript = assemble(library, paper.root, previous=manuscript, today=today)
        analyse(manuscript, live=True)
        typed.append(time.process_time() - started)
    typed.sort()
    return Large(
        paper.folder.name,
        paper.size,
        1000 * min(times),
        1000 * statistics.median(typed),
        1000 * typed[int(len(typed) * 0.9)],
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=os.environ.get("COUNTERCLAIM_CORPUS"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--largest", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.corpus is None:
        print("Name the corpus, or set COUNTERCLAIM_CORPUS.", file=sys.stderr)
        return 64
    relax()
    found = sorted(papers(Path(arguments.corpus)), key=lambda paper: paper.size)
    little = small([paper for paper in found if paper.size <= _SMALL], max(arguments.rounds, 1))
    big = [
        large(paper, max(arguments.rounds, 1), max(arguments.edits, 1)) for paper in found[::-1][: arguments.largest]
    ]
    if arguments.json:
        print(json.dumps({"small": asdict(little), "large": [asdict(one) for one in big]}))
        return 0
    print(f"{little.papers} papers up to 120 KB: {little.per_second:.1f} per second of CPU ({little.seconds:.2f} s)")
    print(f"{'paper':30} {'KB':>6} {'full ms':>8} {'edit ms':>8} {'p90':>6}")
    for one in big:
        print(f"{one.name:30} {one.size // 1000:6} {one.full:8.0f} {one.edit_median:8.1f} {one.edit_p90:6.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
