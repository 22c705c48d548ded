"""The text engine on a 1 MB manuscript: from scratch, one-character edits, edits that open or close an environment, memory.

Usage: python benchmarks/text_engine.py [MEGABYTES]
"""

import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Iterator

from latency import manuscript

from analyzers.facts.macros import Macros
from analyzers.facts.view import prose_of, sentences_of
from analyzers.text.document import Document

_OPENERS = (
    "\\begin{theorem}",
    "\\end{theorem}",
    "\\begin{figure}",
    "\\begin{verbatim}",
    "\\iffalse ",
    "$",
    "\\end{itemize}",
    "%",
)


def lexed(document: Document) -> None:
    """Lex every block that is not lexed yet."""
    for block in document.blocks:
        _ = block.lexed


def milliseconds(times: list[float]) -> str:
    """Median, 99th percentile and maximum."""
    ordered = sorted(times)
    at = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"median {statistics.median(ordered) * 1e3:.2f} ms, p99 {at * 1e3:.2f} ms, max {ordered[-1] * 1e3:.2f} ms"


def run(megabytes: float) -> Iterator[str]:
    """The rows of the report."""
    text = manuscript(int(megabytes * 1_000_000))
    started = time.perf_counter()
    document = Document(text)
    lexed(document)
    yield f"from scratch, {len(text) / 1e6:.2f} MB, {len(document.blocks)} blocks: {time.perf_counter() - started:.3f} s (goal 0.6)"
    macros = Macros()
    started = time.perf_counter()
    sentences = sum(len(sentences_of(block, macros)) for block in document.blocks)
    yield f"prose and {sentences} sentences on top: {time.perf_counter() - started:.3f} s"
    dice = random.Random(7)
    times = []
    for _ in range(1000):
        position = dice.randrange(len(document.text))
        started = time.perf_counter()
        document = document.edit(position, position, "x")
        lexed(document)
        document.lines.line_column(position)
        times.append(time.perf_counter() - started)
    yield f"one character, 1,000 edits: {milliseconds(times)} (goals 2 and 15)"
    times = []
    for _ in range(20):
        for opener in _OPENERS:
            position = dice.randrange(len(document.text))
            for edit in ((position, position, opener), (position, position + len(opener), "")):
                started = time.perf_counter()
                document = document.edit(*edit)
                lexed(document)
                times.append(time.perf_counter() - started)
    yield f"opening and closing, {len(times)} edits: {milliseconds(times)} (goal 60)"
    tracemalloc.start()
    fresh = Document(manuscript(int(megabytes * 1_000_000)))
    for block in fresh.blocks:
        prose_of(block, macros)
        sentences_of(block, macros)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield f"memory with prose and sentences: {held / 1e6 / megabytes:.1f} MB per MB of source (goal 60)"


if __name__ == "__main__":
    for row in run(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0):
        print(row, flush=True)
