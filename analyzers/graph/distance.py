"""Distance: undirected hops over Supports edges to the nearest main claim."""

from collections import defaultdict, deque
from collections.abc import Iterable

from analyzers.graph.schema import Edge, Relation


def distances(mains: Iterable[str], edges: Iterable[Edge]) -> dict[str, int]:
    """Hops of every node that a main claim can be reached from; a main claim has 0.

    Source: “Beyond Imitation” (distance is the shortest path to any main claim); the direction of edges does not count.
    """
    near: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.relation is Relation.SUPPORTS:
            near[edge.source].append(edge.target)
            near[edge.target].append(edge.source)
    found = dict.fromkeys(mains, 0)
    waiting = deque(found)
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found
