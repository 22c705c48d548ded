"""The only module that knows networkx: the graph as a network, for layouts and exchange formats.  Imported when needed."""

import math
from typing import TYPE_CHECKING, NamedTuple

from analyzers.graph.schema import Graph, Relation

if TYPE_CHECKING:
    import networkx

_SPACING = 25.0
_ROW = 25.0
_RING = 62.0
_INNER = 58.0
_ROWS = 3
_CROWDED = 40
_SWEEPS = 4


class Point(NamedTuple):
    """Where a node is drawn; `ring` is its distance, -1 for nodes without a path to a main claim."""

    x: float
    y: float
    ring: int


class Layout(NamedTuple):
    """Points by node id, the radius of each ring (inner and outer edge), and half the width of the whole."""

    points: dict[str, Point]
    rings: tuple[tuple[int, float, float], ...]
    reach: float


def network(graph: Graph) -> "networkx.MultiDiGraph":
    """The graph as a networkx multigraph with plain attributes."""
    import networkx

    result = networkx.MultiDiGraph(root=graph.root)
    for node in graph.nodes:
        span = node.spans[0] if node.spans else None
        result.add_node(
            node.id,
            type=node.type.value,
            subtype=node.subtype.value,
            description=_xml_safe(node.description),
            section=node.section,
            section_title=_xml_safe(node.section_title),
            origin=node.origin,
            confidence=node.confidence,
            distance=-1 if node.distance is None else node.distance,
            file=_xml_safe(span.path) if span else "",
            start=span.start if span else -1,
            end=span.end if span else -1,
        )
    for edge in graph.edges:
        result.add_edge(
            edge.source,
            edge.target,
            relation=edge.relation.value,
            reason=_xml_safe(edge.reason),
            strength=edge.strength,
        )
    return result


def graphml(graph: Graph) -> str:
    """The graph in GraphML, for Gephi, yEd and their like."""
    import networkx

    return "\n".join(networkx.generate_graphml(network(graph))) + "\n"


def layout(graph: Graph) -> Layout:
    """Main claims in the middle, every other node on the ring of its distance, near the nodes it is linked to.

    Nodes of a ring are ordered by the mean angle of their neighbours (barycentre heuristic, Sugiyama et al. 1981, on
    circles) and spread evenly; crowded rings have several rows.  The same graph always has the same layout.
    """
    import networkx

    links = networkx.Graph()
    links.add_nodes_from(node.id for node in graph.nodes)
    links.add_edges_from((edge.source, edge.target) for edge in graph.edges if edge.relation is Relation.SUPPORTS)
    rings: dict[int, list[str]] = {}
    for node in graph.nodes:
        rings.setdefault(-1 if node.distance is None else node.distance, []).append(node.id)
    order = [number for number in sorted(rings) if number >= 0] + ([-1] if -1 in rings else [])
    angles: dict[str, float] = {}
    for number in order:
        _even(rings[number], angles)
    for _ in range(_SWEEPS):
        for number in order[1:]:
            members = rings[number]
            wanted = {
                member: _mean_angle([angles[other] for other in links.neighbors(member)], angles[member])
                for member in members
            }
            members.sort(key=lambda member: (round(wanted[member], 9), member))
            _even(members, angles, _offset([wanted[member] for member in members]))
    return _placed(order, rings, angles)


def _even(members: list[str], angles: dict[str, float], offset: float = 0.0) -> None:
    for index, member in enumerate(members):
        angles[member] = (2 * math.pi * index / len(members) + offset) % (2 * math.pi)


def _mean_angle(angles: list[float], own: float) -> float:
    if not angles:
        return own
    x, y = math.fsum(map(math.cos, angles)), math.fsum(map(math.sin, angles))
    return own if abs(x) + abs(y) < 1e-9 else math.atan2(y, x) % (2 * math.pi)


def _offset(wanted: list[float]) -> float:
    """The rotation that brings evenly spread nodes nearest to where they want to be."""
    gaps = [angle - 2 * math.pi * index / len(wanted) for index, angle in enumerate(wanted)]
    return _mean_angle(gaps, 0.0)


def _placed(order: list[int], rings: dict[int, list[str]], angles: dict[str, float]) -> Layout:
    points: dict[str, Point] = {}
    edges: list[tuple[int, float, float]] = []
    outer = 0.0
    for number in order:
        members = rings[number]
        if number == 0:
            rows, inner = 1, 0.0 if len(members) == 1 else max(_INNER, _around(len(members)) * 1.6)
        else:
            rows = min(_ROWS, 1 + len(members) // _CROWDED)
            inner = max(outer + _RING, _around(math.ceil(len(members) / rows)))
        for index, member in enumerate(members):
            radius = inner + _ROW * (index % rows)
            angle = angles[member] - math.pi / 2
            points[member] = Point(round(radius * math.cos(angle), 1), round(radius * math.sin(angle), 1), number)
        outer = inner + _ROW * (rows - 1)
        edges.append((number, round(inner, 1), round(outer, 1)))
    return Layout(points, tuple(edges), round(outer + 40, 1))


def _around(count: int) -> float:
    return count * _SPACING / (2 * math.pi)


def _xml_safe(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )
