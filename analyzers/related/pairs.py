"""Strongly related pairs of the whole manuscript: where a contradiction would have to stand.

Pairs share rare terms; a passage that is already in a pair counts less for the next one, so that the first pairs cover
the whole paper rather than its most repeated sentence.
"""

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.project.sections import SectionClass
from analyzers.related.index import PassageIndex, place_of
from analyzers.related.passages import Passage, PassageKind
from analyzers.text.spans import Span

_COMMON = 0.06
_MAX_POSTING = 400
_MIN_TERMS = 5
_MIN_SHARED = 3
_SAME = 0.95
_ROW = 0.6
_NEXT_TO = 0.8
_USED = 0.5
_ROLE = 1.2
_CONTEXT = 0.15
_CONSIDERED = 20_000
_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|neither|nor|none|fails?|failed|lacks?|unable)\b|n't\b", re.IGNORECASE
)


class RelatedPair(NamedTuple):
    """Two places that speak of the same thing; `score` is relative to the strongest pair."""

    score: float
    first: Span
    second: Span
    reason: str


def related_pairs(index: PassageIndex, top: int = 1000) -> tuple[RelatedPair, ...]:
    """The strongest pairs, best first."""
    scored = _scored(index)
    found: list[RelatedPair] = []
    highest = 0.0
    for score, i, j in _spread(index, scored, top):
        highest = highest or score
        first, second = index.passages[i], index.passages[j]
        one, other = frozenset(first.draft.counts), frozenset(second.draft.counts)
        found.append(
            RelatedPair(
                round(score / highest, 4), place_of(first, other), place_of(second, one), _reason(index, first, second)
            )
        )
    return tuple(found)


def _scored(index: PassageIndex) -> list[tuple[float, int, int]]:
    passages = index.passages
    limit = min(_MAX_POSTING, max(30, int(len(passages) * _COMMON)))
    scores: dict[tuple[int, int], float] = defaultdict(float)
    shared: Counter[tuple[int, int]] = Counter()
    usable = [_usable(passage) for passage in passages]
    for term, posting in index.postings.items():
        if term[0] == "^":
            continue  # beginnings of words are too common to pair on
        if len(posting) < 2 or len(posting) > limit:
            continue
        weight = index.weight[term]
        strengths = [(i, index.strength(term, passages[i].draft) / math.sqrt(weight)) for i in posting if usable[i]]
        for position, (i, first) in enumerate(strengths):
            entry = passages[i].entry
            for j, second in strengths[position + 1 :]:
                if passages[j].entry != entry:
                    scores[i, j] += first * second
                    shared[i, j] += 1
    found = []
    for (i, j), score in scores.items():
        if shared[i, j] < _MIN_SHARED:
            continue
        factor = _factor(index, passages[i], passages[j])
        if factor:
            # Rounded, since the order of a sum may differ from run to run by the last bit, and equal pairs would change places.
            found.append((round(score * factor, 9), i, j))
    return heapq.nlargest(_CONSIDERED, found)


def _usable(passage: Passage) -> bool:
    return passage.draft.kind is not PassageKind.HEADING and passage.draft.length >= _MIN_TERMS


def _factor(index: PassageIndex, first: Passage, second: Passage) -> float:
    one, other = first.draft.counts.keys(), second.draft.counts.keys()
    together = len(one & other)
    if together / (len(one) + len(other) - together) > _SAME:
        return 0.0  # the same words twice are a repetition, which another check reports
    rows = (first.draft.kind is PassageKind.ROW) + (second.draft.kind is PassageKind.ROW)
    if rows == 2:
        return 0.0
    factor = _ROW if rows else 1.0
    mine, theirs = index.paragraphs[first.entry], index.paragraphs[second.entry]
    both = sum(index.weight[term] for term in mine & theirs)
    size = sum(index.weight[term] for term in mine) * sum(index.weight[term] for term in theirs)
    factor *= 1 + _CONTEXT * both / math.sqrt(size + 1)
    factor /= math.sqrt(math.sqrt(first.draft.length * second.draft.length) / index.average)
    if abs(first.entry - second.entry) <= 1:
        factor *= _NEXT_TO
    if (first.section_class in _SUMMARIES) != (second.section_class in _SUMMARIES):
        factor *= _ROLE
    return factor


def _spread(index: PassageIndex, scored: list[tuple[float, int, int]], top: int) -> Iterator[tuple[float, int, int]]:
    used: Counter[int] = Counter()
    heap = [(-score, score, i, j) for score, i, j in scored]
    heapq.heapify(heap)
    given = 0
    while heap and given < top:
        negative, score, i, j = heapq.heappop(heap)
        current = score * _USED ** (used[i] + used[j])
        if current < -negative - 1e-12:
            heapq.heappush(heap, (-current, score, i, j))
            continue
        used[i] += 1
        used[j] += 1
        given += 1
        yield current, i, j


def _reason(index: PassageIndex, first: Passage, second: Passage) -> str:
    shared = index.reason(frozenset(first.draft.counts), second.draft)
    numbers = [set(_NUMBER.findall(passage.draft.text)) for passage in (first, second)]
    if all(numbers) and not numbers[0] & numbers[1]:
        return f"{shared}; their numbers differ"
    if bool(_NEGATION.search(first.draft.text)) != bool(_NEGATION.search(second.draft.text)):
        return f"{shared}; one of them is negated"
    return shared
