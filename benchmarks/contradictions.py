"""How much of a planted contradiction is found: findings, candidates and related passages on rewritten real paragraphs.

Usage: python benchmarks/contradictions.py [DATA.jsonl] [CORPUS_PAPERS]
Without arguments the data are taken from COUNTERCLAIM_BENCHMARKS and COUNTERCLAIM_CORPUS.  One rewritten paragraph is applied
to a paper, the paper is analysed, and what is new compared with the unmodified paper is scored by place.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyzers.driver import Analysis, analyse
from analyzers.evaluation.intervals import wilson
from analyzers.finding import Finding, Severity
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.related.index import PassageIndex
from analyzers.related.paragraph import paragraph_at
from analyzers.text.document import Document
from analyzers.text.spans import Span
from server.files import DiskReader

MAX_PLACE = 800
COUNTED_RELATED = 5


@dataclass(slots=True)
class Score:
    """What was found for one item; ranks count from 0, None when not found."""

    item: dict[str, Any]
    hit: bool = False
    both_sides: bool = False
    candidate: int | None = None
    related: int | None = None
    new: list[Finding] = field(default_factory=list)


def meets(span: Span, path: str, start: int, end: int) -> bool:
    """Whether a place touches a range; places over 800 code points count for nothing."""
    return span.path == path and span.start < end and start < span.end and span.end - span.start <= MAX_PLACE


def identity(finding: Finding) -> tuple[str, str]:
    """What makes a finding the same one before and after the rewriting."""
    return finding.code, finding.message


def places(finding: Finding) -> Iterable[Span]:
    """The places of a finding that count."""
    yield finding.span
    for related in finding.related[:COUNTED_RELATED]:
        yield related.span


class Papers:
    """The unmodified papers, analysed once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, str], tuple[Library, set[tuple[str, str]]]] = {}

    def base(self, paper: str, root: str) -> tuple[Library, set[tuple[str, str]]]:
        """The files of a paper and what is found in it as it is."""
        key = (paper, root)
        if key not in self._known:
            library = Library(DiskReader(self._folder / paper))
            analysis = analyse(assemble(library, root))
            self._known[key] = library, {identity(finding) for finding in analysis.findings}
        return self._known[key]

    def rewritten(self, item: dict[str, Any]) -> tuple[Manuscript, Analysis, tuple[int, int], set[tuple[str, str]]]:
        """The paper with the item's paragraph rewritten, its analysis, where the paragraph is, and what was found before."""
        library, known = self.base(item["paper"], item["main_tex"])
        document = library.document(item["file"])
        assert isinstance(document, Document)
        start = document.text.index(item["original"])
        library.open(item["file"], document.edit(start, start + len(item["original"]), item["modified"]))
        manuscript = assemble(library, item["main_tex"])
        analysis = analyse(manuscript, candidates=not item["neutral"])
        library.close(item["file"])
        return manuscript, analysis, (start, start + len(item["modified"])), known


def score(item: dict[str, Any], papers: Papers) -> Score:
    """What is found for one item."""
    manuscript, analysis, (start, end), known = papers.rewritten(item)
    result = Score(item)
    shown = [f for f in analysis.findings if identity(f) not in known and f.severity.rank <= Severity.INFORMATION.rank]
    result.new = shown
    if item["neutral"]:
        return result
    mine = (item["file"], start, end)
    counterparts = []
    for counterpart in item["counterparts"]:
        text = manuscript.files[counterpart["file"]].text
        at = text.find(counterpart["quote"])
        if at >= 0:
            counterparts.append((counterpart["file"], at, at + len(counterpart["quote"])))

    def theirs(span: Span) -> bool:
        return any(meets(span, *place) for place in counterparts)

    for finding in shown:
        here = [span for span in places(finding) if meets(span, *mine)]
        result.hit |= bool(here)
        result.both_sides |= bool(here) and any(theirs(span) for span in places(finding))
    for rank, pair in enumerate(analysis.candidates):
        if any(meets(a, *mine) and theirs(b) for a in pair.places for b in pair.places if a != b):
            result.candidate = rank
            break
    index = PassageIndex.of(manuscript)
    for rank, place in enumerate(index.related(paragraph_at(manuscript, *mine), 40)):
        if theirs(place.span):
            result.related = rank
            break
    return result


def share(name: str, hits: int, total: int) -> str:
    """One row of the report."""
    low, high = wilson(hits, total) or (0.0, 1.0)
    return f"{name:44} {hits:4}/{total:<4} {100 * hits / max(total, 1):5.1f} %  [{100 * low:.0f}, {100 * high:.0f}]"


def report(scores: Sequence[Score]) -> Iterable[str]:
    """The table of results."""
    real = [s for s in scores if not s.item["neutral"]]
    neutral = [s for s in scores if s.item["neutral"]]
    total = len(real)
    yield share("finding (P/L) at the rewritten paragraph", sum(s.hit for s in real), total)
    yield share("finding (P/L) with both sides", sum(s.both_sides for s in real), total)
    for top in (40, 200):
        yield share(
            f"candidate, both sides, top {top} of the paper",
            sum(s.candidate is not None and s.candidate < top for s in real),
            total,
        )
    for top in (10, 20, 40):
        yield share(
            f"related passage is a counterpart, top {top}",
            sum(s.related is not None and s.related < top for s in real),
            total,
        )
    added = sum(len(s.new) for s in neutral)
    yield f"{'new findings per neutral rewrite':44} {added}/{len(neutral)} = {added / max(len(neutral), 1):.3f}"
    for name, value in (("kind", "kind"), ("distance", "distance")):
        groups: dict[Any, list[Score]] = defaultdict(list)
        for one in real:
            groups[one.item[value]].append(one)
        yield f"by {name}: " + ", ".join(
            f"{key} {sum(s.hit for s in group)}/{len(group)} found, {sum(s.related is not None and s.related < 20 for s in group)} related"
            for key, group in sorted(groups.items(), key=lambda item: str(item[0]))
        )
    for one in neutral:
        for finding in one.new:
            yield f"new on a neutral rewrite: {one.item['id']} {finding.code} {finding.message[:100]}"


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark; returns 0, or 64 when the data are not there."""
    benchmarks, corpus = os.environ.get("COUNTERCLAIM_BENCHMARKS"), os.environ.get("COUNTERCLAIM_CORPUS")
    data = Path(arguments[0]) if arguments else Path(benchmarks or "") / "benchmark" / "contradictions" / "dev.jsonl"
    papers = Path(arguments[1]) if len(arguments) > 1 else Path(corpus or "") / "papers"
    if not data.is_file() or not papers.is_dir():
        print(
            "Name the data and the folder of papers, or set COUNTERCLAIM_BENCHMARKS and COUNTERCLAIM_CORPUS.",
            file=sys.stderr,
        )
        return 64
    items = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines() if line.strip()]
    base = Papers(papers)
    scores = []
    for number, item in enumerate(items, 1):
        scores.append(score(item, base))
        print(f"\r{number}/{len(items)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    print("\n".join(report(scores)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
