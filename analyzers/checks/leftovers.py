"""The lexicon of text that templates and chat programs leave behind, and looking it up cheaply."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, Any]:
    """The data file `data/leftovers.json`."""
    loaded: Mapping[str, Any] = json.loads(files("analyzers.checks").joinpath("data/leftovers.json").read_text("utf-8"))
    return loaded


def lowered(text: str) -> str:
    """Lower case at the same length, so that places stay right; the few letters that would grow stay as they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def occurrences(text: str, group: str) -> Iterator[tuple[int, int]]:
    """Where phrases of a group stand in a lower-case text; of phrases that begin at one place only the longest."""
    best: dict[int, int] = {}
    for stem, phrases in lexicon()[group].items():
        if stem not in text:
            continue
        for phrase in phrases:
            at = text.find(phrase)
            while at >= 0:
                best[at] = max(best.get(at, 0), at + len(phrase))
                at = text.find(phrase, at + 1)
    last = -1
    for start in sorted(best):
        if start >= last:
            yield start, best[start]
            last = best[start]
