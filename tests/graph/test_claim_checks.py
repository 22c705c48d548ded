"""The checks on claims, on real manuscripts: silent as they are, and heard when a fault is put in."""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Severity
from analyzers.graph.build import built_of
from analyzers.graph.gather import Item
from analyzers.graph.schema import Form
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from server.files import DiskReader

CORPUS = os.environ.get("COUNTERCLAIM_CORPUS")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(CORPUS is None, reason="COUNTERCLAIM_CORPUS does not name a folder of manuscripts"),
]
CLAIMS = Configuration(select=("CLM",))
ERUPTIONS = "We show that submarine volcanic eruptions are forecast by seismic tomography of the mantle. "


def manuscripts() -> list[tuple[str, str]]:
    assert CORPUS is not None
    with (Path(CORPUS) / "MANIFEST.tsv").open(encoding="utf-8") as file:
        return [
            (row["slug"], row["main_tex"]) for row in csv.DictReader(file, delimiter="\t") if row["language"] == "en"
        ]


def test_real_manuscripts_give_few_findings() -> None:
    assert CORPUS is not None
    found: Counter[str] = Counter()
    loud = 0
    for slug, root in manuscripts():
        analysis = analyse(assemble(Library(DiskReader(Path(CORPUS) / "papers" / slug)), root), CLAIMS)
        assert not [note for note in analysis.notes if "could not finish" in note.message]
        found.update(finding.code for finding in analysis.findings)
        loud += sum(finding.severity.rank <= Severity.INFORMATION.rank for finding in analysis.findings)
    assert sum(found.values()) <= 6, found
    assert loud <= 1


def heard(slug: str, root: str, edits: list[tuple[Item, str]]) -> set[str]:
    """The codes that are new after putting texts in front of sentences, the later places first."""
    reader = DiskReader(Path(str(CORPUS)) / "papers" / slug)
    library = Library(reader)
    manuscript = assemble(library, root)
    for item, text in sorted(
        edits, key=lambda edit: (edit[0].entry.path, -edit[0].entry.start - edit[0].draft.ranges[0][0])
    ):
        span = item.entry.span(*item.draft.ranges[0])
        document = library.buffer(span.path) or manuscript.files[span.path]
        library.open(span.path, document.edit(span.start, span.start, text))
    return {finding.code for finding in analyse(assemble(library, root), CLAIMS).findings}


def sentences(manuscript: Manuscript, kind: SectionClass) -> list[Item]:
    return [
        item
        for item in built_of(manuscript).items
        if item.place.kind is kind
        and item.draft.form is Form.SENTENCE
        and not (item.place.appendix or item.draft.cited or item.draft.references or item.draft.figures)
    ]


def test_faults_that_are_put_in_are_heard() -> None:
    assert CORPUS is not None
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for slug, root in manuscripts()[::3]:
        manuscript = assemble(Library(DiskReader(Path(CORPUS) / "papers" / slug)), root)
        abstract, results, conclusion = (
            sentences(manuscript, kind)
            for kind in (SectionClass.ABSTRACT, SectionClass.EXPERIMENTS, SectionClass.CONCLUSION)
        )
        trials: list[tuple[set[str], list[tuple[Item, str]]]] = []
        if abstract:
            trials.append(({"CLM001", "CLM004"}, [(abstract[-1], ERUPTIONS)]))
        if results and conclusion:
            middle = results[len(results) // 2]
            wide, narrow = (
                f"Our approach lowers the calibration error on {word} rivers of the survey. "
                for word in ("all", "most")
            )
            trials.append(({"CLM005"}, [(conclusion[-1], wide), (middle, narrow)]))
            trials.append(({"CLM006"}, [(middle, "Our method outperforms the earlier technique by far. ")]))
            trials.append(
                ({"CLM007"}, [(conclusion[-1], "Our method is therefore more robust and efficient \\cite{somebody}. ")])
            )
        for codes, edits in trials:
            new = heard(slug, root, edits)
            tried.update(codes)
            found.update(codes & new)
    assert len(tried) == 5
    shares = {code: found[code] / tried[code] for code in tried}
    assert shares["CLM001"] >= 0.6, shares
    assert shares["CLM004"] >= 0.8, shares
    assert shares["CLM005"] >= 0.9, shares
    assert shares["CLM006"] >= 0.5, shares
    assert shares["CLM007"] >= 0.5, shares
