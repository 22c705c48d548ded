"""The lexicon of text that templates and chat programs leave behind, and looking it up cheaply."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from analyzers.facts.vocabulary import Gate, longest_word, words_in


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, Any]:
    """The data file `data/leftovers.json`."""
    loaded: Mapping[str, Any] = json.loads(files("analyzers.checks").joinpath("data/leftovers.json").read_text("utf-8"))
    return loaded


def lowered(text: str) -> str:
    """Lower case at the same length, so that places stay right; the few letters that would grow stay as they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


@lru_cache(maxsize=8)
def _gate(group: str) -> tuple[Gate, tuple[tuple[str, str, tuple[str, ...]], ...]]:
    """The stems of a group with their longest word and their phrases, and a gate for those words."""
    stems = tuple((longest_word(stem), stem, tuple(phrases)) for stem, phrases in lexicon()[group].items())
    return Gate(word for word, _, _ in stems), stems


def occurrences(text: str, group: str, words: frozenset[str] | None = None) -> Iterator[tuple[int, int]]:
    """Where phrases of a group stand in a lower-case text; of phrases that begin at one place only the longest.

    `words` are all words of the text, when they are known.
    """
    gate, stems = _gate(group)
    present = gate.pieces(words_in(text) if words is None else words)
    if not present:
        return
    best: dict[int, int] = {}
    for word, stem, phrases in stems:
        if word not in present or stem not in text:
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
