"""Pairs of sentences that may contradict each other: what the soft checks share.

Everything here only proposes.  A pair needs a cue that flips (a negation, an antonym, a quantifier) on the same word, and
enough other rare words in common; the strength is the share of rare words, so that pairs of all checks can be ranked together.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from analyzers.finding import Candidate
from analyzers.project.manuscript import Manuscript
from analyzers.related.index import PassageIndex
from analyzers.related.passages import Passage, PassageKind

_WORD = re.compile(r"[A-Za-z][A-Za-z]*(?:-[A-Za-z]+)*")
_MAX_POSTING = 30
_MAX_PAIRS = 20_000


class Cue(NamedTuple):
    """One flippable thing that a sentence says: the word it is about, and which side it takes."""

    key: str
    side: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two passages that take different sides on `key`."""

    first: Passage
    second: Passage
    key: str
    strength: float


def opposed(
    manuscript: Manuscript, cues: Callable[[str], tuple[Cue, ...]], name: str, shared: int, strength: float
) -> list[Pair]:
    """Pairs with opposite sides, strongest first: at least `shared` rare words in common besides the cue, and that strength."""
    index = PassageIndex.of(manuscript)
    by_key: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, passage in enumerate(index.passages):
        if passage.draft.kind is PassageKind.HEADING or passage.draft.kind is PassageKind.ROW:
            continue
        block = manuscript.entries[passage.entry].block
        text = passage.draft.text
        found = block.remember((name, text), lambda _, text=text: cues(text))  # type: ignore[misc]
        for cue in found:
            by_key[cue.key].append((number, cue.side))
    best: dict[tuple[int, int], Pair] = {}
    tried = 0
    for key, places in by_key.items():
        if len({side for _, side in places}) < 2 or len(places) > _MAX_POSTING:
            continue
        for position, (i, side) in enumerate(places):
            for j, other in places[position + 1 :]:
                tried += 1
                if side == other or i == j or tried > _MAX_PAIRS:
                    continue
                pair = _pair(index, i, j, key, shared)
                if pair is not None and pair.strength >= strength and pair.strength > best.get((i, j), _NONE).strength:
                    best[i, j] = pair
    return sorted(best.values(), key=lambda pair: (-pair.strength, pair.first.span, pair.second.span))


def _pair(index: PassageIndex, i: int, j: int, key: str, shared: int) -> Pair | None:
    first, second = index.passages[i], index.passages[j]
    if first.entry == second.entry and abs(i - j) <= 1:
        return None  # neighbours contrast things on purpose
    one, other = first.draft.counts.keys(), second.draft.counts.keys()
    about = key.split("-")
    both = [term for term in one & other if term[0] != "^" and not term[0].isdigit() and lemma(term) not in about]
    if len(both) < shared:
        return None
    weight = index.weight
    common = sum(weight[term] for term in both)
    norm = math.sqrt(sum(weight[t] for t in one if t[0] != "^") * sum(weight[t] for t in other if t[0] != "^"))
    return Pair(first, second, key, common / norm if norm else 0.0)


_NONE = Pair(None, None, "", -1.0)  # type: ignore[arg-type]


def candidates(code: str, pairs: list[Pair], top: int, reason: Callable[[Pair], str]) -> Iterator[Candidate]:
    """The best pairs as candidates; each passage at most twice, so that one sentence does not fill the list."""
    used: Mapping[object, list[int]] = defaultdict(lambda: [0])
    given = 0
    for pair in pairs:
        if given >= top:
            return
        places = (pair.first.span, pair.second.span)
        if any(used[place][0] >= 2 for place in places):
            continue
        for place in places:
            used[place][0] += 1
        given += 1
        yield Candidate(code, round(min(0.9, 0.18 + 0.6 * pair.strength), 4), reason(pair), places)


_ENDINGS = (
    "isations", "izations", "isation", "ization", "ising", "izing", "ised", "ized", "ises", "izes", "ise", "ize",
    "ations", "ation", "ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion", "ies", "ied", "ed", "es", "s", "e", "y",
)  # fmt: skip


@lru_cache(maxsize=50_000)
def lemma(word: str) -> str:
    """What is left of a word without its endings, part by part: fine-tuning and fine-tuned, normalise and normalisation are one."""
    return "-".join(_bare(part) for part in word.lower().split("-"))


def _bare(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word


def tokens(text: str) -> list[tuple[str, int]]:
    """The words of a sentence in lower case, with their offsets."""
    return [(match[0].lower(), match.start()) for match in _WORD.finditer(text)]
