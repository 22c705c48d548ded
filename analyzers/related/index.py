"""The index over passages, and the passages related to a paragraph.

Scoring is BM25 (Robertson & Zaragoza 2009, *The Probabilistic Relevance Framework*), once for each sentence of the paragraph
and once for the paragraph as a whole, with the terms of a passage's own paragraph counted a little.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzers.project.manuscript import Manuscript
from analyzers.related.passages import Draft, Passage, PassageKind, passages
from analyzers.related.terms import kind_weight, words_of
from analyzers.text.spans import Span

_K1 = 1.2
_B = 0.5
_CONTEXT = 0.25
_WHOLE = 2.0
_SAME_PARAGRAPH = 0.95
_REFERENCE = 0.05
_HEADING = 0.5
_PUNCTUATION = ".,;:!?()[]{}“”\"'‘’…|"


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A place that speaks of the same thing; `score` is relative to the best one (1.0), `reason` names what both share."""

    span: Span
    score: float
    reason: str
    passage: Passage


@dataclass(frozen=True, eq=False)
class PassageIndex:
    """Terms of all passages of one manuscript, with what their scores need."""

    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, manuscript: Manuscript) -> "PassageIndex":
        """The index of a manuscript; passages of unchanged blocks are taken as they are."""
        return cls(passages(manuscript))

    @cached_property
    def frequency(self) -> Mapping[str, int]:
        """In how many passages a term occurs."""
        counter: Counter[str] = Counter()
        for passage in self.passages:
            # Words that a table row only has from its header would make the header's words look common.
            counter.update(term for term, count in passage.draft.counts.items() if count >= 1)
        for term in self.postings:
            counter.setdefault(term, 1)
        return counter

    @cached_property
    def weight(self) -> Mapping[str, float]:
        """BM25's inverse document frequency of every term."""
        total = len(self.passages)
        return {
            term: kind_weight(term) * math.log(1 + (total - count + 0.5) / (count + 0.5))
            for term, count in self.frequency.items()
        }

    @cached_property
    def average(self) -> float:
        """Mean number of terms of a passage."""
        return sum(passage.draft.length for passage in self.passages) / len(self.passages) if self.passages else 1.0

    @cached_property
    def postings(self) -> Mapping[str, tuple[int, ...]]:
        """Term to the passages that hold it, by index."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, passage in enumerate(self.passages):
            for term in passage.draft.counts:
                found[term].append(index)
        return {term: tuple(indices) for term, indices in found.items()}

    @cached_property
    def paragraphs(self) -> Mapping[int, frozenset[str]]:
        """Entry to the terms of its paragraph."""
        found: dict[int, set[str]] = defaultdict(set)
        for passage in self.passages:
            found[passage.entry].update(term for term, count in passage.draft.counts.items() if count >= 1)
        return {entry: frozenset(terms) for entry, terms in found.items()}

    @cached_property
    def _paragraph_postings(self) -> Mapping[str, tuple[int, ...]]:
        found: dict[str, list[int]] = defaultdict(list)
        for entry, terms in self.paragraphs.items():
            for term in terms:
                found[term].append(entry)
        return {term: tuple(entries) for term, entries in found.items()}

    @cached_property
    def _by_entry(self) -> Mapping[int, tuple[int, ...]]:
        found: dict[int, list[int]] = defaultdict(list)
        for index, passage in enumerate(self.passages):
            found[passage.entry].append(index)
        return {entry: tuple(indices) for entry, indices in found.items()}

    def strength(self, term: str, draft: Draft) -> float:
        """BM25's share of one term in one passage."""
        count = draft.counts[term]
        norm = _K1 * (1 - _B + _B * draft.length / self.average)
        return self.weight[term] * count * (_K1 + 1) / (count + norm)

    def related(self, entries: Iterable[int], top: int = 20) -> tuple[RelatedPlace, ...]:
        """The places most related to the paragraph made of `entries` (indices into the manuscript), best first, itself left out."""
        own = frozenset(entries)
        query = [
            passage.draft
            for passage in self.passages
            if passage.entry in own and passage.draft.kind is not PassageKind.HEADING
        ]
        query = query or [passage.draft for passage in self.passages if passage.entry in own]
        if not query:
            return ()
        scores = self._scores(query, own)
        shared_labels = frozenset(key for draft in query for key in draft.references)
        best = max(scores.values(), default=0.0)
        if best <= 0:
            return ()
        for index in scores:
            draft = self.passages[index].draft
            if draft.kind is PassageKind.HEADING:
                scores[index] *= _HEADING
            if shared_labels & draft.references:
                scores[index] += _REFERENCE * best
        # Rounded, since the order of a sum may differ from run to run by the last bit, and equal places would change theirs.
        rounded = {index: round(score, 9) for index, score in scores.items()}
        return tuple(self._spread(rounded, query, top))

    def _scores(self, query: list[Draft], own: frozenset[int]) -> dict[int, float]:
        """Score per passage: the best sentence of the paragraph, and the paragraph as a whole."""
        whole: Counter[str] = Counter()
        for draft in query:
            whole.update({term: math.ceil(count) for term, count in draft.counts.items()})
        shares: dict[str, dict[int, float]] = {}
        for term in whole:
            context = _CONTEXT * self.weight[term]
            share: dict[int, float] = {}
            for entry in self._paragraph_postings.get(term, ()):
                if entry not in own:
                    for index in self._by_entry[entry]:
                        share[index] = context
            for index in self.postings[term]:
                if self.passages[index].entry not in own:
                    share[index] = self.strength(term, self.passages[index].draft)
            shares[term] = share
        best: dict[int, float] = defaultdict(float)
        for draft in query:
            here: dict[int, float] = defaultdict(float)
            for term in draft.counts:
                for index, share_ in shares[term].items():
                    here[index] += share_
            norm = math.sqrt(sum(self.weight[term] for term in draft.counts)) + 1
            for index, value in here.items():
                best[index] = max(best[index], value / norm)
        norm = math.sqrt(sum(self.weight[term] for term in whole)) + 1
        for term, count in whole.items():
            factor = _WHOLE * math.sqrt(min(count, 2)) / norm
            for index, share_ in shares[term].items():
                best[index] += factor * share_
        return dict(best)

    def _spread(self, scores: dict[int, float], query: list[Draft], top: int) -> Iterable[RelatedPlace]:
        """The best places, each further one of a paragraph counting a little less than the one before."""
        seen: Counter[int] = Counter()
        adjusted: list[tuple[float, int]] = []
        for index in sorted(scores, key=lambda i: (-scores[i], i))[: max(200, 4 * top)]:
            entry = self.passages[index].entry
            adjusted.append((scores[index] * _SAME_PARAGRAPH ** seen[entry], index))
            seen[entry] += 1
        adjusted.sort(key=lambda item: (-item[0], item[1]))
        wanted = frozenset(term for draft in query for term in draft.counts)
        highest = adjusted[0][0] if adjusted else 1.0
        for score, index in adjusted[:top]:
            passage = self.passages[index]
            yield RelatedPlace(
                place_of(passage, wanted), round(score / highest, 4), self.reason(wanted, passage.draft), passage
            )

    def reason(self, wanted: frozenset[str], draft: Draft) -> str:
        """What both sides share, rarest first."""
        shared = sorted(
            (term for term in wanted & draft.counts.keys() if term[0] != "^"),
            key=lambda term: (-self.weight[term], term),
        )[:4]
        if not shared:
            return "near in subject"
        surface = {term: word for word in reversed(draft.text.split()) for term in words_of(word)}
        words = dict.fromkeys(surface.get(term, term.lstrip("=")).strip(_PUNCTUATION) for term in shared)
        return "both speak of " + ", ".join(words)


def place_of(passage: Passage, wanted: frozenset[str]) -> Span:
    """The span of a passage; of a table row the one cell that shares most with `wanted`."""
    cells = passage.draft.cells
    if not cells:
        return passage.span
    numbers = frozenset(term for term in wanted if term[:1].isdigit())
    start, end, _ = max(cells, key=lambda cell: (2 * len(cell[2] & numbers) + len(cell[2] & wanted), -cell[0]))
    return Span(passage.path, passage.offset + start, passage.offset + end)
