"""The graph against graphs that readers wrote, and on every real manuscript."""

import csv
import importlib.util
import json
import os
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analyzers.graph.build import build
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from server.files import DiskReader

BENCHMARKS = os.environ.get("COUNTERCLAIM_BENCHMARKS")
CORPUS = os.environ.get("COUNTERCLAIM_CORPUS")


@pytest.fixture(scope="module")
def harness() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "graph_quality.py"
    spec = importlib.util.spec_from_file_location("graph_quality", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["graph_quality"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.benchmarks
@pytest.mark.skipif(BENCHMARKS is None, reason="COUNTERCLAIM_BENCHMARKS does not name a folder of labelled data")
def test_quality_on_the_graphs_of_readers(harness: ModuleType) -> None:
    assert BENCHMARKS is not None
    papers: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in (Path(BENCHMARKS) / "benchmark" / "graphs" / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        papers[item["paper"], item["main_tex"]].append(item)
    results = []
    for (slug, root), listed in papers.items():
        manuscript = assemble(Library(DiskReader(Path(BENCHMARKS) / "corpus" / "papers" / slug)), root)
        results.append(harness.score(manuscript, build(manuscript), listed))
    assert sum(r.main_found for r in results) / sum(r.main_listed for r in results) >= 0.7
    assert sum(r.found for r in results) / sum(r.listed for r in results) >= 0.6
    assert max(r.main_claims for r in results) <= 6
    assert sum(r.type_agreement for r in results) / len(results) >= 0.6
    assert sum(r.spearman for r in results) / len(results) >= 0.3
    assert max(r.coverage for r in results) <= 0.35


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [([], 0.0), ([(1, 2)], 0.0), ([(1, 5), (1, 7)], 0.0), ([(0, 1), (1, 2), (2, 3)], 1.0), ([(0, 3), (1, 2), (2, 1)], -1.0), ([(0, 0), (1, 1), (1, 1), (2, 1)], 0.8164965809277259)],
)  # fmt: skip
def test_rank_correlation(harness: ModuleType, pairs: list[tuple[float, float]], expected: float) -> None:
    assert harness.spearman(pairs) == pytest.approx(expected)


def manuscripts() -> list[tuple[str, str]]:
    if CORPUS is None:
        return [("none", "none")]
    with (Path(CORPUS) / "MANIFEST.tsv").open(encoding="utf-8") as file:
        return [(row["slug"], row["main_tex"]) for row in csv.DictReader(file, delimiter="\t")]


@pytest.mark.corpus
@pytest.mark.skipif(CORPUS is None, reason="COUNTERCLAIM_CORPUS does not name a folder of manuscripts")
@pytest.mark.parametrize(("slug", "root"), manuscripts(), ids=lambda value: value)
def test_every_real_manuscript_gives_a_bounded_graph(harness: ModuleType, slug: str, root: str) -> None:
    assert CORPUS is not None
    manuscript = assemble(Library(DiskReader(Path(CORPUS) / "papers" / slug)), root)
    graph = build(manuscript)
    assert graph.nodes or graph.notes
    assert len(graph.nodes) <= 300
    assert len(graph.main_claims) <= 6
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    assert harness.coverage(manuscript, graph) <= 0.35
    for node in graph.nodes:
        assert node.description
        assert 1 <= len(node.spans) <= 3
        for span in node.spans:
            assert 0 <= span.start < span.end <= len(manuscript.files[span.path].text)
            assert span.end - span.start <= 600
    assert all(edge.source in graph.by_id and edge.target in graph.by_id for edge in graph.edges)
