"""How many planted faults of a paper are found, and what is reported on its clean twin.

Usage: python benchmarks/seeded.py [FOLDER ...]
A folder holds a manifest.json (faults with `id`, `desc`, `lines`, and optionally `file` and `tier`) and the twins: `clean/` and
`faulty/`, or `clean.tex` and `faulty.tex`.  A fault is found when a new finding (code and message not reported on the clean twin)
has its own span or one of its first five related places on the fault's lines (one line of tolerance) and speaks of that fault,
that is, its code is among those for this kind of fault.  One finding credits one fault.  Faults of tier `candidate` also count
when a candidate pair touches their lines.  Places over 800 code points count for nothing.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzers.finding import Severity
from analyzers.project.library import Library
from analyzers.project.roots import roots
from analyzers.text.spans import Span
from server.checking import Options, check_root
from server.files import DiskReader
from server.report.model import RootReport

MAX_PLACE = 800
COUNTED_RELATED = 5
TOLERANCE = 1

# The kinds of faults, numbered as the manifests number them, and the codes that speak of each.
KINDS: dict[str, tuple[str, ...]] = {
    "F01": ("NUM001", "NUM009", "NUM010", "NUM011", "NUM014", "NUM015"),
    "F02": ("NUM002", "NUM014"),
    "F03": ("NUM003", "NUM002"),
    "F04": ("NUM004",),
    "F05": ("CON002", "NUM009", "NUM001", "CON001"),
    "F06": ("NUM005", "NUM004"),
    "F07": ("NUM004", "CON003"),
    "F08": ("TAB001",),
    "F09": ("NUM006",),
    "F10": ("STA001",),
    "F11": ("STA002",),
    "F12": ("STA003",),
    "F13": ("CON001",),
    "F14": ("CON004", "REL001", "CON005", "CON006"),
    "F15": ("CMP001", "CMP002", "CON005"),
    "F16": ("ACR001",),
    "F17": ("ACR002",),
    "F18": ("SYM001",),
    "F19": ("THM001",),
    "F20": ("REF001",),
    "F21": ("CAP001", "CON001", "CON002"),
    "F22": ("REF004",),
    "F23": ("CAP002",),
    "F24": ("CNT001",),
    "F25": ("UNI001", "TAB010", "NUM014"),
    "F26": ("DAT001",),
    "F27": ("CIT001",),
    "F28": ("DUP001",),
    "F29": ("SEC001",),
    "F30": ("SEC002",),
    "F31": ("SEC003",),
    "F32": ("SEC004",),
    "F33": ("REF002",),
    "F34": ("NUM002", "NUM014"),
    "F35": ("TAB002", "TAB003", "TAB004"),
    "F36": ("CNT002",),
    "F37": ("STA005",),
    "F38": ("NUM007", "NUM002", "NUM014"),
    "F39": ("REF005",),
    "F40": ("REF001",),
    # Kinds that only some papers have: a share beside its fraction, panels of a figure, a further statistic.
    "E41": ("NUM008", "TAB006", "CNT003"),
    "E42": ("STA001",),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One planted fault: its number, what it is, and its lines (from 1) in a file of the faulty twin."""

    id: str
    description: str
    file: str
    lines: tuple[int, int]
    candidate: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A finding or candidate as scoring sees it: what it says and the lines (from 1) of its places."""

    code: str
    message: str
    lines: tuple[tuple[str, int, int], ...]

    def on(self, fault: Fault, tolerance: int = TOLERANCE) -> bool:
        """Whether one of the places is on the fault's lines."""
        first, last = fault.lines[0] - tolerance, fault.lines[1] + tolerance
        return any(path == fault.file and start <= last and end >= first for path, start, end in self.lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in one paper."""

    name: str
    faults: tuple[Fault, ...]
    found: dict[str, str]
    """Fault id to the code that found it."""
    alarms: tuple[str, ...]
    """What is reported at information or above on the clean twin."""
    unexplained: tuple[str, ...]
    """New findings at information or above on the faulty twin that are near no fault."""

    @property
    def missed(self) -> tuple[Fault, ...]:
        """The faults that nothing spoke of."""
        return tuple(fault for fault in self.faults if fault.id not in self.found)


def _lines(report: RootReport, spans: list[Span]) -> tuple[tuple[str, int, int], ...]:
    places = []
    for span in spans:
        source = report.files.get(span.path)
        if source is None or span.end - span.start > MAX_PLACE:
            continue
        first, _ = source.lines.line_column(span.start)
        last, _ = source.lines.line_column(max(span.start, span.end - 1))
        places.append((span.path, first + 1, last + 1))
    return tuple(places)


def _twin(folder: Path, twin: str) -> tuple[Path, str]:
    """The workspace and root of a twin in either layout."""
    if (folder / f"{twin}.tex").is_file():
        return folder, f"{twin}.tex"
    workspace = folder / twin
    reader = DiskReader(workspace)
    return workspace, roots(Library(reader), list(reader.listing()))[0]


def report_on(folder: Path, twin: str) -> RootReport:
    """The full report on a twin, candidates included."""
    workspace, root = _twin(folder, twin)
    return check_root(Library(DiskReader(workspace)), root, Options(candidates=True))[0]


def manifest(folder: Path, root: str) -> tuple[Fault, ...]:
    """The faults of a paper; a fault without a file is in the root."""
    entries: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return tuple(
        Fault(
            entry["id"],
            entry["desc"],
            entry.get("file", root),
            (entry["lines"][0], entry["lines"][1]),
            entry.get("tier") == "candidate",
        )
        for entry in entries
    )


def _speaks(place: Place, fault: Fault, tolerance: int = TOLERANCE) -> bool:
    return place.code in KINDS[fault.id] and place.on(fault, tolerance)


def _credit(faults: tuple[Fault, ...], findings: list[Place]) -> dict[str, str]:
    """The largest assignment of findings to faults in which no finding credits two (augmenting paths); exact lines go first."""
    holder: dict[int, int] = {}

    def place(fault: int, tolerance: int, tried: set[int]) -> bool:
        for number, finding in enumerate(findings):
            if number in tried or not _speaks(finding, faults[fault], tolerance):
                continue
            tried.add(number)
            if number not in holder or place(holder[number], tolerance, tried):
                holder[number] = fault
                return True
        return False

    for tolerance in (0, TOLERANCE):
        for fault in range(len(faults)):
            if fault not in holder.values():
                place(fault, tolerance, set())
    return {faults[fault].id: findings[number].code for number, fault in holder.items()}


def score(folder: Path) -> Outcome:
    """The outcome for the paper in a folder."""
    clean, faulty = report_on(folder, "clean"), report_on(folder, "faulty")
    faults = manifest(folder, faulty.root or "")
    before = {(finding.code, finding.message) for finding in clean.findings}
    new = [finding for finding in faulty.findings if (finding.code, finding.message) not in before]
    places = [
        Place(
            finding.code,
            finding.message,
            _lines(faulty, [finding.span, *(related.span for related in finding.related[:COUNTED_RELATED])]),
        )
        for finding in new
    ]
    found = _credit(faults, places)
    pairs = [Place(pair.code, pair.reason, _lines(faulty, list(pair.places))) for pair in faulty.candidates]
    for fault in faults:
        if fault.candidate and fault.id not in found:
            pair = next((pair for pair in pairs if _speaks(pair, fault)), None)
            if pair is not None:
                found[fault.id] = f"{pair.code} (candidate)"
    reported = Severity.INFORMATION.rank
    return Outcome(
        folder.name,
        faults,
        found,
        tuple(
            f"{finding.code} {clean.place(finding.span)} {finding.message}"
            for finding in clean.findings
            if finding.severity.rank <= reported
        ),
        tuple(
            f"{place.code} {faulty.place(finding.span)} {place.message}"
            for finding, place in zip(new, places, strict=True)
            if finding.severity.rank <= reported and not any(place.on(fault) for fault in faults)
        ),
    )


def describe(outcome: Outcome) -> str:
    """What was found and missed, one line each."""
    missed = outcome.missed
    lines = [f"{outcome.name}: {len(outcome.faults) - len(missed)} of {len(outcome.faults)} faults found"]
    lines += [f"  missed {fault.id} {fault.file}:{fault.lines[0]} {fault.description}" for fault in missed]
    lines += [f"  false alarm on the clean twin: {alarm}" for alarm in outcome.alarms]
    lines += [f"  near no fault: {alarm}" for alarm in outcome.unexplained]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Score the folders given, or the repository's own papers."""
    own = Path(__file__).parent.parent / "tests" / "fixtures" / "seeded"
    folders = [Path(argument) for argument in arguments] or sorted(path.parent for path in own.glob("*/manifest.json"))
    for folder in folders:
        print(describe(score(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
