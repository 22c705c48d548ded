"""How alike two bags of terms are: the cosine of their binary vectors, weighted by inverse document frequency."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain


class _Squares(dict[str, int]):
    """The squared weight of each term in thousandths: sums of integers do not depend on the order of a set.

    Computed when first asked for; as a dictionary it is summed over without a call for each term.
    """

    __slots__ = ("_frequency", "_total")

    def __init__(self, frequency: Mapping[str, int], total: int) -> None:
        super().__init__()
        self._frequency = frequency
        self._total = total

    def __missing__(self, term: str) -> int:
        weight = math.log(self._total / (self._frequency.get(term, 0) + 0.5))
        square = self[term] = round(1000 * max(weight, 0.1) ** 2)
        return square


class Weights:
    """Inverse document frequencies over all drafts of a manuscript (Spärck Jones 1972)."""

    __slots__ = ("_norms", "square")

    def __init__(self, bags: Iterable[frozenset[str]]) -> None:
        known = list(bags)
        self.square = _Squares(Counter(chain.from_iterable(known)), len(known) + 1).__getitem__
        """The squared weight of a term in thousandths."""
        self._norms: dict[frozenset[str], float] = {}

    def norm(self, bag: frozenset[str]) -> float:
        """The length of a bag's vector."""
        known = self._norms.get(bag)
        if known is None:
            known = self._norms[bag] = math.sqrt(sum(map(self.square, bag))) or 1.0
        return known

    def cosine(self, one: frozenset[str], other: frozenset[str]) -> float:
        """From 0 (nothing shared) to 1 (the same terms)."""
        shared = one & other
        if not shared:
            return 0.0
        return sum(map(self.square, shared)) / (self.norm(one) * self.norm(other))

    def shared(self, one: frozenset[str], other: frozenset[str], most: int = 3) -> tuple[str, ...]:
        """The rarest terms of both, for reasons."""
        ranked = sorted(one & other, key=lambda term: (-self.square(term), term))
        return tuple(term.lstrip("=") for term in ranked[:most])


class Neighbours:
    """An inverted index over a few bags, for the similarity of one bag to all of them at once."""

    __slots__ = ("_norms", "_postings", "_weights")

    def __init__(self, weights: Weights, bags: Sequence[frozenset[str]]) -> None:
        self._weights = weights
        self._norms = [weights.norm(bag) for bag in bags]
        postings: dict[str, list[int]] = defaultdict(list)
        for index, bag in enumerate(bags):
            for term in bag:
                postings[term].append(index)
        # Terms that nearly every node has say nothing, and would make this quadratic.
        limit = max(30, len(bags) // 3)
        if len(bags) > limit:
            for term in [term for term, found in postings.items() if len(found) > limit]:
                del postings[term]
        self._postings: Mapping[str, list[int]] = postings

    def similar(self, bag: frozenset[str]) -> dict[int, float]:
        """Index of each bag that shares a term, with its cosine."""
        scores: dict[int, int] = defaultdict(int)
        known, weight = self._postings.get, self._weights.square
        for term in bag:
            found = known(term)
            if found is not None:
                square = weight(term)
                for index in found:
                    scores[index] += square
        if not scores:
            return {}
        norm = self._weights.norm(bag)
        norms = self._norms
        return {index: value / (norm * norms[index]) for index, value in scores.items()}
