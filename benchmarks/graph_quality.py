"""How well the claim/evidence graph agrees with graphs that readers wrote.

    COUNTERCLAIM_BENCHMARKS=folder python benchmarks/graph_quality.py [--json] [--missed] [--speed] [--file benchmark/graphs/dev.jsonl]

The folder holds `benchmark/graphs/dev.jsonl` and the papers under `corpus/papers`.  A listed node is found when one of a
node's first three spans, each at most 600 code points, covers at least half of its quote or of a restatement; all nodes
together may cover 35 % of the text.  Distances are compared by Spearman's rank correlation over the found nodes that have
one on both sides.  `--speed` measures instead what a graph costs on top of the facts, from scratch and after an edit.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyzers.facts.number_links import number_links
from analyzers.facts.references import labels, references
from analyzers.facts.table_facts import tables_of
from analyzers.facts.view import sentences_of
from analyzers.graph.build import build
from analyzers.graph.schema import Graph, Node
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from server.files import DiskReader

MAX_SPAN = 600
MAX_SPANS = 3


@dataclass(frozen=True)
class Result:
    """The figures of one paper; shares from 0 to 1."""

    paper: str
    nodes: int
    main_claims: int
    main_listed: int
    main_found: int
    listed: int
    found: int
    type_agreement: float
    spearman: float
    coverage: float

    @property
    def main_recall(self) -> float:
        return self.main_found / self.main_listed if self.main_listed else 0.0


def spearman(pairs: list[tuple[float, float]]) -> float:
    """Spearman's rank correlation with mean ranks for ties; 0 where it is undefined."""
    if len(pairs) < 2:
        return 0.0
    one, other = (_ranks([pair[side] for pair in pairs]) for side in (0, 1))
    mean = (len(pairs) + 1) / 2
    top = sum((a - mean) * (b - mean) for a, b in zip(one, other, strict=True))
    left, right = (sum((a - mean) ** 2 for a in ranks) for ranks in (one, other))
    return top / (left * right) ** 0.5 if left and right else 0.0


def _ranks(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for index in order[at : end + 1]:
            ranks[index] = (at + end) / 2 + 1
        at = end + 1
    return ranks


def places(manuscript: Manuscript, listed: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Where the quote of a listed node and its restatements stand."""
    found = []
    for item in ({"file": listed["file"], "quote": listed["quote"]}, *listed["also"]):
        document = manuscript.files.get(item["file"])
        at = document.text.find(item["quote"]) if document is not None else -1
        if at >= 0:
            found.append((item["file"], at, at + len(item["quote"])))
    return found


def overlap(node: Node, where: list[tuple[str, int, int]]) -> tuple[float, int]:
    """The greatest covered share of any of the places, and the length that is covered there."""
    best = (0.0, 0)
    for span in node.spans[:MAX_SPANS]:
        if span.end - span.start > MAX_SPAN:
            continue
        for path, start, end in where:
            if span.path == path:
                covered = min(end, span.end) - max(start, span.start)
                if covered > 0:
                    # The tighter span of two that cover the same is the better match.
                    best = max(best, (covered / (end - start), covered - (span.end - span.start)))
    return best


def coverage(manuscript: Manuscript, graph: Graph) -> float:
    """The share of the text of all files of the body that the nodes' places cover."""
    marked: dict[str, set[int]] = defaultdict(set)
    for node in graph.nodes:
        for span in node.spans[:MAX_SPANS]:
            marked[span.path].update(range(span.start, span.end))
    read = {entry.path for _, entry in manuscript.body}
    total = sum(len(manuscript.files[path].text) for path in read if path in manuscript.files)
    return sum(map(len, marked.values())) / total if total else 0.0


def score(manuscript: Manuscript, graph: Graph, listed: list[dict[str, Any]], missed: bool = False) -> Result:
    """The figures of one paper."""
    found = agreed = mains = mains_found = 0
    pairs: list[tuple[float, float]] = []
    for item in listed:
        where = places(manuscript, item)
        matches = sorted(
            ((overlap(node, where), node) for node in graph.nodes), key=lambda pair: (pair[0], pair[1].id), reverse=True
        )
        hits = [(share, node) for share, node in matches if share[0] >= 0.5]
        if item["subtype"] == "Main":
            mains += 1
            mains_found += any(node.is_main for _, node in hits)
        if not hits:
            if missed:
                print("   missed", item["id"], item["type"], item["subtype"], item["quote"][:110].replace("\n", " "))
            continue
        found += 1
        node = hits[0][1]
        agreed += node.type == item["type"]
        if missed and node.type != item["type"]:
            print(
                "   type",
                item["id"],
                item["type"],
                "->",
                node.type,
                node.section,
                item["quote"][:100].replace("\n", " "),
            )
        if item["distance"] is not None and node.distance is not None:
            pairs.append((item["distance"], node.distance))
    return Result(
        listed[0]["paper"], len(graph.nodes), len(graph.main_claims), mains, mains_found, len(listed), found,
        agreed / found if found else 0.0, spearman(pairs), coverage(manuscript, graph),
    )  # fmt: skip


def speed(base: Path) -> None:
    """Milliseconds from scratch, and the median over edits of one character, for three papers of about 45 to 90 pages."""
    print(f"{'paper':24s} {'pages':>5s} {'scratch':>8s} {'edit':>6s}")
    for slug, root in (
        ("ch-potentials", "ch_potentials.tex"),
        ("araa-gps", "ms.tex"),
        ("paretobandit", "paper/main.tex"),
    ):
        library = Library(DiskReader(base / "corpus" / "papers" / slug))
        manuscript = assemble(library, root)
        _facts(manuscript)
        started = time.perf_counter()
        graph = build(manuscript)
        scratch = time.perf_counter() - started
        rng = random.Random(slug)
        times = []
        for _ in range(41):
            node = rng.choice(graph.nodes)
            path, at = node.spans[0].path, node.spans[0].start + 3
            document = manuscript.files[path]
            library.open(path, document.edit(at, at, "x"))
            manuscript = assemble(library, root, previous=manuscript)
            number_links(manuscript)
            started = time.perf_counter()
            graph = build(manuscript)
            times.append(time.perf_counter() - started)
        length = sum(len(entry.block.text) for _, entry in manuscript.body)
        print(f"{slug:24s} {length // 3000:5d} {1000 * scratch:8.0f} {1000 * sorted(times)[len(times) // 2]:6.1f}")


def _facts(manuscript: Manuscript) -> None:
    for _, entry in manuscript.body:
        sentences_of(entry.block, manuscript.macros)
        tables_of(entry.block, manuscript.macros)
        references(entry.block, manuscript.macros)
        labels(entry.block, manuscript.macros)
    number_links(manuscript)


def main() -> int:
    """Print one line per paper and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--missed", action="store_true", help="list what was not found and where types differ")
    parser.add_argument("--file", default="benchmark/graphs/dev.jsonl")
    parser.add_argument("--speed", action="store_true", help="measure time instead of quality")
    arguments = parser.parse_args()
    base = os.environ.get("COUNTERCLAIM_BENCHMARKS")
    if base is None:
        print("COUNTERCLAIM_BENCHMARKS does not name a folder.", file=sys.stderr)
        return 64
    if arguments.speed:
        speed(Path(base))
        return 0
    papers: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in (Path(base) / arguments.file).read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        papers[item["paper"], item["main_tex"]].append(item)
    results = []
    for (slug, root), listed in papers.items():
        manuscript = assemble(Library(DiskReader(Path(base) / "corpus" / "papers" / slug)), root)
        results.append(score(manuscript, build(manuscript), listed, arguments.missed))
    if arguments.json:
        print(json.dumps([asdict(result) for result in results]))
        return 0
    print(
        f"{'paper':24s} {'nodes':>5s} {'main':>4s} {'main found':>10s} {'found':>9s} {'types':>6s} {'rho':>6s} {'cover':>6s}"
    )
    for r in results:
        print(
            f"{r.paper:24s} {r.nodes:5d} {r.main_claims:4d} {r.main_found:4d} of {r.main_listed:<2d} {r.found:4d}/{r.listed:<4d} {r.type_agreement:6.2f} {r.spearman:6.2f} {r.coverage:6.3f}"
        )
    mains = sum(r.main_found for r in results) / max(sum(r.main_listed for r in results), 1)
    found = sum(r.found for r in results) / max(sum(r.listed for r in results), 1)
    print(
        f"main claims found {mains:.2f}; listed nodes found {found:.2f}; type agreement {_mean(r.type_agreement for r in results):.2f}; "
        f"Spearman {_mean(r.spearman for r in results):.2f}; most main claims {max(r.main_claims for r in results)}; widest cover {max(r.coverage for r in results):.3f}"
    )
    return 0


def _mean(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
