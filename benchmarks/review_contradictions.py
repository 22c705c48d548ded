"""How many planted contradictions the contradiction pass of the review finds, scored by place, against any model.

    python benchmarks/review_contradictions.py [DATA.jsonl] [CORPUS_PAPERS] --base-url http://127.0.0.1:8080 --model NAME --allow

Without paths the data are taken from COUNTERCLAIM_BENCHMARKS and COUNTERCLAIM_CORPUS.  Text of the papers is sent to the address only with
`--allow`.  Each item's paragraph is put into its paper, the pass runs, and what is new compared with the unmodified paper
is scored: a *hit* has a place in the rewritten paragraph, *both sides* has another one at a counterpart.  Answers are kept, so that a
run that was interrupted goes on where it was and a repeated one costs nothing.
"""

import argparse
import asyncio
import json
import os
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analyzers.evaluation.intervals import wilson
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.review.contradiction.search import SearchOptions
from analyzers.review.port import Model
from analyzers.review.tracking import Tracked
from analyzers.text.document import Document
from analyzers.text.spans import Span
from server.files import DiskReader
from server.review_models import model_setup, opened_model
from server.review_run import Made, Prepared, prepared, run_contradictions

MAX_PLACE = 800
Models = Callable[[Prepared, dict[str, Any] | None], AbstractAsyncContextManager[Model]]
"""The model for a paper: with the item whose paragraph is in it, or None for the unmodified paper."""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one item.  `others` are new contradictions elsewhere; on a neutral item each new one is a false alarm."""

    id: str
    paper: str
    neutral: bool
    distance: int
    kind: str
    hit: bool
    both_sides: bool
    new: int
    others: int
    complete: bool
    input_tokens: int
    output_tokens: int
    cost_microusd: int | None


class Papers:
    """The unmodified papers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._libraries: dict[str, Library] = {}

    def library(self, paper: str) -> Library:
        """The files of a paper, read once."""
        if paper not in self._libraries:
            self._libraries[paper] = Library(DiskReader(self._folder / paper))
        return self._libraries[paper]

    def base(self, item: dict[str, Any], candidates: bool) -> Prepared:
        """The paper as it is."""
        return prepared(assemble(self.library(item["paper"]), item["main_tex"]), candidates=candidates)

    def rewritten(self, item: dict[str, Any], candidates: bool) -> tuple[Prepared, Span]:
        """The paper with the item's paragraph rewritten, and where that paragraph is."""
        library = self.library(item["paper"])
        document = library.document(item["file"])
        assert isinstance(document, Document)
        start = document.text.index(item["original"])
        library.open(item["file"], document.edit(start, start + len(item["original"]), item["modified"]))
        try:
            ready = prepared(assemble(library, item["main_tex"]), candidates=candidates)
        finally:
            library.close(item["file"])
        return ready, Span(item["file"], start, start + len(item["modified"]))


async def measure(
    items: Sequence[dict[str, Any]],
    papers: Papers,
    models: Models,
    options: SearchOptions,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Score]:
    """Scores every item, one after the other."""
    known: dict[tuple[str, str], set[frozenset[str]]] = {}
    scores: list[Score] = []
    candidates = options.candidates > 0
    for number, item in enumerate(items):
        paper = (item["paper"], item["main_tex"])
        if paper not in known:
            ready = papers.base(item, candidates)
            async with models(ready, None) as model:
                made = await run_contradictions(ready, model, options, "base")
            known[paper] = {identity(point) for point in made.points}
        ready, place = papers.rewritten(item, candidates)
        async with models(ready, item) as model:
            made = await run_contradictions(ready, model, options, item["id"])
        scores.append(scored(item, ready, made, place, known[paper]))
        tell(f"{number + 1} of {len(items)}: {item['id']}: {'hit' if scores[-1].hit else '–'}")
    return scores


def scored(item: dict[str, Any], ready: Prepared, made: Made, place: Span, known: set[frozenset[str]]) -> Score:
    """The score of one item."""
    counterparts = []
    for counterpart in item["counterparts"]:
        text = ready.manuscript.files[counterpart["file"]].text
        at = text.find(counterpart["quote"])
        if at >= 0:
            counterparts.append(Span(counterpart["file"], at, at + len(counterpart["quote"])))
    hit = both = False
    new = others = 0
    for point in made.points:
        if identity(point) in known:
            continue
        new += 1
        spans = [anchor.span for anchor in point.anchors if anchor.span.end - anchor.span.start <= MAX_PLACE]
        here = any(span.overlaps(place) for span in spans)
        hit |= here
        both |= here and any(span.overlaps(other) for span in spans for other in counterparts)
        others += not here
    usage = made.account.usage + made.account.spared
    return Score(
        item["id"], item["paper"], bool(item["neutral"]), int(item["distance"]), str(item.get("kind", "")),
        hit, both, new, others, made.record.complete, usage.all_input, usage.output_tokens, made.account.cost_microusd,
    )  # fmt: skip


def identity(point: Tracked) -> frozenset[str]:
    """What makes a contradiction the same one before and after the rewriting: the texts it joins."""
    return frozenset(anchor.text for anchor in point.anchors)


def report(scores: Iterable[Score]) -> Iterable[str]:
    """The table of results."""
    everything = list(scores)
    planted = [score for score in everything if not score.neutral]
    neutral = [score for score in everything if score.neutral]
    yield _row("planted contradictions found", [score.hit for score in planted])
    yield _row("with both sides", [score.both_sides for score in planted])
    by_distance: dict[int, list[bool]] = defaultdict(list)
    for score in planted:
        by_distance[score.distance].append(score.hit)
    for distance, hits in sorted(by_distance.items()):
        yield _row(f"  distance {distance}", hits)
    yield _row("neutral rewrites with a new finding", [score.new > 0 for score in neutral])
    tokens = [score.input_tokens for score in everything]
    costs = [score.cost_microusd for score in everything]
    cost = "unknown cost" if None in costs else f"${sum(c for c in costs if c is not None) / 1e6:.4f} paid now"
    yield f"{sum(tokens) // max(1, len(tokens)):,} input tokens an item, {cost}, {sum(not s.complete for s in everything)} incomplete"


def _row(name: str, hits: Sequence[bool]) -> str:
    interval = wilson(sum(hits), len(hits))
    if interval is None:
        return f"{name:40} none"
    low, high = interval
    share = 100 * sum(hits) / len(hits)
    return f"{name:40} {sum(hits):4}/{len(hits):<4} {share:5.1f} %  [{100 * low:.0f}, {100 * high:.0f}]"


def read_items(path: Path) -> list[dict[str, Any]]:
    """The items of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _models(arguments: argparse.Namespace) -> Models:
    given = {"provider": arguments.provider, "model": arguments.model, "base_url": arguments.base_url}
    setup = model_setup(given, os.environ)
    setup = setup.limited(round(arguments.budget * 1_000_000) if arguments.budget is not None else None)
    for note in setup.notes:
        print(note, file=sys.stderr)

    @asynccontextmanager
    async def models(ready: Prepared, item: dict[str, Any] | None) -> AsyncIterator[Model]:
        async with opened_model(
            setup, lambda _: None, f"benchmark {ready.root} {item['id'] if item else 'base'}"
        ) as model:
            yield model

    return models


def main() -> int:
    """Runs the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", 1)[0])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("papers", nargs="?", type=Path)
    parser.add_argument("--provider")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--budget", type=float, help="dollars for one item")
    parser.add_argument("--items", type=int, help="only the first so many")
    parser.add_argument("--tokens", type=int, help="the most input tokens of an item")
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--no-whole", action="store_true")
    parser.add_argument("--no-windows", action="store_true")
    parser.add_argument("--output", type=Path, help="one JSON line for each item")
    parser.add_argument("--allow", action="store_true", help="agree that the papers are sent to the address")
    arguments = parser.parse_args()
    data = arguments.data or Path(os.environ["COUNTERCLAIM_BENCHMARKS"]) / "benchmark" / "contradictions" / "dev.jsonl"
    papers = arguments.papers or Path(os.environ["COUNTERCLAIM_CORPUS"]) / "papers"
    if not arguments.allow:
        print("The papers would be sent to the model's address. Use --allow to agree.", file=sys.stderr)
        return 64
    options = SearchOptions(
        not arguments.no_whole, not arguments.no_windows, arguments.candidates, max_input_tokens=arguments.tokens
    )
    items = read_items(data)[: arguments.items]
    scores = asyncio.run(
        measure(items, Papers(papers), _models(arguments), options, lambda text: print(text, file=sys.stderr))
    )
    if arguments.output is not None:
        arguments.output.write_text("".join(json.dumps(asdict(score)) + "\n" for score in scores), encoding="utf-8")
    print("\n".join(report(scores)))
    return 0 if all(score.complete for score in scores) else 2


if __name__ == "__main__":
    sys.exit(main())
