"""Contradicts edges: findings that show two places, carried over to the nodes that rest on them."""

from collections.abc import Iterable

from analyzers.finding import Finding, Tier
from analyzers.graph.schema import Edge, Graph, Relation

_FAMILIES = ("NUM", "TAB", "CON", "CMP", "STA", "CNT", "UNI", "DAT", "REV", "REL")
_TIERS = frozenset({Tier.PROVED, Tier.LINKED, Tier.REVIEWED})


def contradictions(graph: Graph, findings: Iterable[Finding]) -> tuple[Edge, ...]:
    """One edge for each pair of nodes that a finding of the contradiction families joins."""
    edges: dict[tuple[str, str], Edge] = {}
    for finding in findings:
        if not finding.code.startswith(_FAMILIES) or finding.tier not in _TIERS or not finding.related:
            continue
        here = graph.at(finding.span.path, finding.span.start, finding.span.end)
        for place in finding.related[:5]:
            there = graph.at(place.span.path, place.span.start, place.span.end)
            if here and there and here[0].id != there[0].id:
                pair = (here[0].id, there[0].id)
                if pair not in edges and pair[::-1] not in edges:
                    edges[pair] = Edge(
                        *pair, Relation.CONTRADICTS, finding.message, 0.9, (finding.code, finding.fingerprint)
                    )
    return tuple(edges[pair] for pair in sorted(edges))
