"""The benchmark of planted contradictions, proved on a scripted model: right for three items, wrong for the rest."""

import importlib.util
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analyzers.review.contradiction.search import SearchOptions
from analyzers.review.port import ModelRequest
from analyzers.text.spans import Span
from clients.models.replay import ScriptedModel

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def benchmark_module() -> ModuleType:
    name = "counterclaim_benchmark_review_contradictions"
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / "review_contradictions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def knowing(right: set[str]) -> Any:
    """A model that names the planted pair of the items in `right`, and two lines elsewhere for every other item."""

    @asynccontextmanager
    async def models(ready: Any, item: dict[str, Any] | None) -> AsyncIterator[ScriptedModel]:
        script = ready.script
        far = [line.id for line in script.lines if line.id.startswith("s")]

        def planted() -> tuple[str, str]:
            assert item is not None
            place = ready.manuscript.files[item["file"]].text.index(item["modified"])
            counterpart = item["counterparts"][0]
            there = ready.manuscript.files[counterpart["file"]].text.index(counterpart["quote"])
            here = Span(item["file"], place, place + len(item["modified"]))
            line = next(line.id for line in script.lines if line.span.overlaps(here))
            other = script.at(Span(counterpart["file"], there, there + len(counterpart["quote"])))
            assert other is not None
            return line, other

        def answer(request: ModelRequest) -> Any:
            pair = ("", "")
            if item is not None and item["id"] in right:
                pair = planted()
            elif item is not None and not item["neutral"]:
                here = str(item["modified"])
                away = [name for name in far if script.by_id[name].text[:30] not in here]
                pair = (away[-1], away[-2])
            if request.schema_name == "conflicts":
                conflicts = [{"first": [pair[0]], "second": [pair[1]], "reason": "r"}] if pair[0] else []
                return {"conflicts": conflicts, "ledger": []}
            return {
                "verdicts": [{"pair": "p1", "both_can_be_true": False, "conflicting": list(pair), "explanation": "x"}]
            }

        yield ScriptedModel(answer)

    return models


def items_of(text: str) -> list[dict[str, Any]]:
    planted = [
        ("We used 48 gauges in all experiments", "We used 12 gauges in all experiments", "on 36 gauges."),
        ("lowers the error to 3.3 cm", "raises the error to 3.3 cm", "TideNet lowers the error from 4.2"),
        ("TideNet corrects gauges without visits.", "TideNet needs a visit every week.", "TideNet needs no visits"),
        ("for 20 epochs", "for 40 epochs", "The learning rate was chosen"),
        ("Gauges drift within months.", "Gauges never drift at all.", "The drift stays below"),
    ]
    items: list[dict[str, Any]] = [
        {"id": f"i{number}", "paper": "p", "main_tex": "main.tex", "file": "main.tex", "original": old, "modified": new,
         "kind": "number", "neutral": False, "distance": number % 2, "counterparts": [{"file": "main.tex", "quote": quote}]}
        for number, (old, new, quote) in enumerate(planted)
    ]  # fmt: skip
    neutral = {**items[0], "id": "n0", "modified": "In all experiments we used 48 gauges", "neutral": True, "distance": -1, "counterparts": []}  # fmt: skip
    assert all(str(item["original"]) in text for item in items)
    return [*items, neutral]


async def test_three_right_and_the_rest_wrong(kit: Any, tmp_path: Path, benchmark_module: Any) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    for name, text in kit.PAPER.items():
        (folder / name).write_text(text, encoding="utf-8")
    items = items_of(kit.PAPER["main.tex"])
    told: list[str] = []
    papers = benchmark_module.Papers(tmp_path)
    options = SearchOptions(windows=False, candidates=0)
    scores = await benchmark_module.measure(items, papers, knowing({"i0", "i1", "i2"}), options, told.append)
    assert [(score.hit, score.both_sides) for score in scores] == [(True, True)] * 3 + [(False, False)] * 3
    assert [score.others for score in scores] == [0, 0, 0, 1, 1, 0]
    assert (folder / "main.tex").read_text(encoding="utf-8") == kit.PAPER["main.tex"], "the paper itself is not touched"
    table = "\n".join(benchmark_module.report(scores))
    assert "planted contradictions found                3/5     60.0 %  [23, 88]" in table
    assert "neutral rewrites with a new finding         0/1" in table
    assert len(told) == 6


@pytest.mark.benchmarks
async def test_on_the_items_of_real_papers(benchmark_module: Any) -> None:
    data, corpus = os.environ.get("COUNTERCLAIM_BENCHMARKS"), os.environ.get("COUNTERCLAIM_CORPUS")
    if not data or not corpus:
        pytest.skip("COUNTERCLAIM_BENCHMARKS and COUNTERCLAIM_CORPUS are not set")
    items = benchmark_module.read_items(Path(data) / "benchmark" / "contradictions" / "dev.jsonl")
    right = {item["id"] for item in [item for item in items if not item["neutral"]][::20][:3]}
    chosen = [item for item in items if item["paper"] in {i["paper"] for i in items if i["id"] in right}]
    papers = benchmark_module.Papers(Path(corpus) / "papers")
    options = SearchOptions(windows=False, candidates=0)
    scores = await benchmark_module.measure(chosen, papers, knowing(right), options)
    assert {score.id for score in scores if score.hit} == right
    assert {score.id for score in scores if score.both_sides} == right
    assert len(scores) > 15
    assert not any(score.new for score in scores if score.neutral)
