"""What editors show of a graph, as plain data: lenses, hovers, outlines, symbols, call hierarchy, hints.

Pure functions from a graph to texts and spans; the handlers turn spans into ranges.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from weakref import WeakKeyDictionary

from analyzers.finding import Finding
from analyzers.graph.build import graph_of, with_findings
from analyzers.graph.schema import Edge, Graph, Node, NodeType, Relation
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span

MAX_NAME = 80
_MAX_CHAIN = 3
_MAX_BRANCH = 5
_MAX_LINE = 140
_MAX_SYMBOLS = 200


class Shown(StrEnum):
    """Which claims carry a lens."""

    MAIN = "main"
    ALL = "all"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above a claim."""

    span: Span
    title: str
    node: str


@dataclass(frozen=True, slots=True)
class HoverText:
    """What a node says of itself: a heading, and lines of its chain of support with their depth."""

    span: Span
    heading: str
    chain: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A node as a symbol: name, what it is, its place, and the section that holds it."""

    name: str
    detail: str
    span: Span
    node: str
    type: NodeType
    main: bool
    container: str


@dataclass(frozen=True, slots=True)
class Call:
    """One step of the hierarchy: the other node, and the places in the caller that stand for the link."""

    symbol: Symbol
    places: tuple[Span, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A word behind a node that says what it is."""

    span: Span
    label: str
    tooltip: str


_graphs: "WeakKeyDictionary[Manuscript, tuple[tuple[Finding, ...], Graph]]" = WeakKeyDictionary()


def graph_with(manuscript: Manuscript, findings: tuple[Finding, ...]) -> Graph:
    """The graph of a manuscript with the contradictions among its findings, put together once."""
    known = _graphs.get(manuscript)
    if known is not None and known[0] is findings:
        return known[1]
    graph = with_findings(graph_of(manuscript), findings)
    _graphs[manuscript] = (findings, graph)
    return graph


def lenses(graph: Graph, path: str, shown: Shown = Shown.MAIN) -> tuple[Lens, ...]:
    """The lenses of one file: main claims and whatever is contradicted, or all claims."""
    if shown is Shown.OFF:
        return ()
    found = []
    for node in graph.nodes:
        if not node.spans or node.spans[0].path != path:
            continue
        contradicted = any(edge.relation is Relation.CONTRADICTS for edge in _around(graph, node))
        if node.is_main or contradicted or (shown is Shown.ALL and node.type is NodeType.CLAIM):
            found.append(Lens(node.spans[0], lens_title(graph, node), node.id))
    return tuple(sorted(found, key=lambda lens: lens.span))


def lens_title(graph: Graph, node: Node) -> str:
    """Such as “main claim · 3 supports · 1 contradiction”."""
    supports = sum(edge.relation is Relation.SUPPORTS for edge in graph.incoming(node.id))
    against = sum(edge.relation is Relation.CONTRADICTS for edge in _around(graph, node))
    parts = [node.kind, _counted(supports, "support", "nothing supports it")]
    if against:
        parts.append(_counted(against, "contradiction", ""))
    elsewhere = len(node.spans) - 1
    if node.is_main and elsewhere:
        parts.append(_counted(elsewhere, "restatement", ""))
    return " · ".join(parts)


def _counted(count: int, noun: str, none: str) -> str:
    return none if not count else f"{count} {noun}" + ("s" if count > 1 else "")


def _around(graph: Graph, node: Node) -> tuple[Edge, ...]:
    return (*graph.incoming(node.id), *graph.outgoing(node.id))


def hover(graph: Graph, path: str, offset: int) -> HoverText | None:
    """What the node at a place rests on, down to three steps; None where there is no node."""
    here = graph.at(path, offset)
    if not here:
        return None
    node = here[0]
    span = next(span for span in node.spans if span.path == path and span.start <= offset <= span.end)
    chain = list(_chain(graph, node, 1, {node.id}))
    for edge in graph.incoming(node.id) + graph.outgoing(node.id):
        if edge.relation is Relation.CONTRADICTS:
            other = graph.by_id[edge.source if edge.target == node.id else edge.target]
            chain.insert(0, (1, f"contradiction: {clipped(other.description, _MAX_LINE)}"))
    distance = (
        ""
        if node.is_main
        else " · no path to a main claim"
        if node.distance is None
        else f" · {_counted(node.distance, 'hop', '')} from a main claim"
    )
    return HoverText(span, f"{lens_title(graph, node)}{distance}", tuple(chain))


def _chain(graph: Graph, node: Node, depth: int, seen: set[str]) -> Iterator[tuple[int, str]]:
    edges = [edge for edge in graph.incoming(node.id) if edge.relation is Relation.SUPPORTS and edge.source not in seen]
    edges.sort(key=lambda edge: (-edge.strength, edge.source))
    for edge in edges[:_MAX_BRANCH]:
        if edge.source in seen:
            continue
        seen.add(edge.source)
        other = graph.by_id[edge.source]
        yield depth, f"{other.kind}: {clipped(other.description, _MAX_LINE)} ({edge.reason})"
        if depth < _MAX_CHAIN:
            yield from _chain(graph, other, depth + 1, seen)
    if len(edges) > _MAX_BRANCH:
        yield depth, f"and {len(edges) - _MAX_BRANCH} more"


def outline(graph: Graph, path: str) -> tuple[Symbol, ...]:
    """The nodes whose own place is in a file, in the order of its text."""
    found = [symbol(node) for node in graph.nodes if node.spans and node.spans[0].path == path]
    return tuple(sorted(found, key=lambda item: (item.span, item.node)))


def workspace_symbols(graph: Graph, query: str) -> tuple[Symbol, ...]:
    """The nodes whose description or kind holds every word of a query, those nearest to a main claim first."""
    words = query.lower().split()
    found = [
        node
        for node in graph.nodes
        if node.spans and all(word in f"{node.kind} {node.description}".lower() for word in words)
    ]
    found.sort(key=lambda node: (99 if node.distance is None else node.distance, node.spans[0]))
    return tuple(symbol(node) for node in found[:_MAX_SYMBOLS])


def symbol(node: Node) -> Symbol:
    """A node as a symbol."""
    return Symbol(
        clipped(node.description, MAX_NAME) or node.kind, node.kind, node.spans[0], node.id, node.type, node.is_main,
        node.section_title or node.section,
    )  # fmt: skip


def prepared(graph: Graph, path: str, offset: int) -> Symbol | None:
    """The node whose hierarchy is asked for at a place."""
    here = graph.at(path, offset)
    return symbol(here[0]) if here else None


def incoming_calls(graph: Graph, node: str) -> tuple[Call, ...]:
    """What supports or contradicts a node; the places are those of the supporter."""
    found = []
    for edge in graph.incoming(node):
        other = graph.by_id[edge.source]
        places = tuple(span for span in other.spans if span.path == other.spans[0].path)
        found.append(Call(symbol(other), places, _reason(edge)))
    return tuple(found)


def outgoing_calls(graph: Graph, node: str) -> tuple[Call, ...]:
    """What a node supports or contradicts; the places are those of the node itself."""
    own = graph.by_id.get(node)
    if own is None:
        return ()
    places = tuple(span for span in own.spans if span.path == own.spans[0].path)
    return tuple(Call(symbol(graph.by_id[edge.target]), places, _reason(edge)) for edge in graph.outgoing(node))


def _reason(edge: Edge) -> str:
    return edge.reason if edge.relation is Relation.SUPPORTS else f"contradiction: {edge.reason}"


def hints(graph: Graph, path: str) -> tuple[Hint, ...]:
    """A hint at the end of every node of a file."""
    return tuple(
        Hint(node.spans[0], node.kind, lens_title(graph, node)) for node in graph.nodes if node.spans[0].path == path
    )


def clipped(text: str, most: int) -> str:
    """The beginning of a text, at a blank where possible."""
    if len(text) <= most:
        return text
    cut = text.rfind(" ", most // 2, most - 1)
    return text[: cut if cut > 0 else most - 1].rstrip(" ,;:") + "…"
