"""The graph's schema: nodes and edges as plain frozen data, after the published schema of the Contradiction Benchmark.

Source: “Beyond Imitation: A Framework and Benchmark for LLM-Assisted Peer Review”, node and edge types.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from analyzers.text.spans import Span


class NodeType(StrEnum):
    """What a node is."""

    CLAIM = "Claim"
    EVIDENCE = "Evidence"
    METHODOLOGY = "Methodology"
    IMPLEMENTATION = "Implementation"
    THEORY = "MathematicalTheory"


class Subtype(StrEnum):
    """The weight of a claim, the strength of evidence; the other types have none."""

    MAIN = "Main"
    SECONDARY = "Secondary"
    TERTIARY = "Tertiary"
    HIGH = "High"
    MEDIUM = "Medium"
    LOW = "Low"
    NONE = ""


class Relation(StrEnum):
    """How one node bears on another."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


class Form(StrEnum):
    """How a node appears in the text."""

    SENTENCE = "sentence"
    TABLE = "table"
    FIGURE = "figure"
    ALGORITHM = "algorithm"
    THEOREM = "theorem"


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the manuscript's argument.

    `spans` are the places it rests on, its own first, then restatements, each at most 600 code points.  `distance` is the
    number of undirected hops to the nearest main claim, None when there is no path.  `id` follows from the content alone,
    so that edits elsewhere, and graphs built afresh, keep it.  `entry` is the index of its block in the manuscript.
    """

    id: str
    type: NodeType
    subtype: Subtype
    description: str
    spans: tuple[Span, ...]
    section: str
    section_title: str
    form: Form = Form.SENTENCE
    origin: str = "rule"
    confidence: float = 0.5
    distance: int | None = None
    entry: int = -1
    labels: tuple[str, ...] = ()

    @property
    def is_main(self) -> bool:
        """True for a main claim."""
        return self.type is NodeType.CLAIM and self.subtype is Subtype.MAIN

    @property
    def kind(self) -> str:
        """Type and subtype in words, such as “main claim” or “evidence (high)”."""
        if self.type is NodeType.CLAIM:
            return f"{self.subtype.value.lower()} claim" if self.subtype else "claim"
        if self.type is NodeType.EVIDENCE:
            return f"{self.subtype.value.lower()} evidence" if self.subtype else "evidence"
        return {
            NodeType.METHODOLOGY: "method",
            NodeType.IMPLEMENTATION: "implementation",
            NodeType.THEORY: "theory",
        }[self.type]


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` supports or contradicts `target` (ids); `reason` says in words why they are linked, `strength` is from 0 to 1."""

    source: str
    target: str
    relation: Relation
    reason: str
    strength: float = 0.5
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Graph:
    """The claim/evidence graph of one manuscript; nodes in reading order.  `notes` say why it is small or empty."""

    root: str
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        """Nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def _incoming(self) -> Mapping[str, tuple[Edge, ...]]:
        return _grouped((edge.target, edge) for edge in self.edges)

    @cached_property
    def _outgoing(self) -> Mapping[str, tuple[Edge, ...]]:
        return _grouped((edge.source, edge) for edge in self.edges)

    def incoming(self, node: str) -> tuple[Edge, ...]:
        """Edges that end at a node: what supports or contradicts it."""
        return self._incoming.get(node, ())

    def outgoing(self, node: str) -> tuple[Edge, ...]:
        """Edges that start at a node: what it supports or contradicts."""
        return self._outgoing.get(node, ())

    @property
    def main_claims(self) -> tuple[Node, ...]:
        """The main claims, in reading order."""
        return tuple(node for node in self.nodes if node.is_main)

    @cached_property
    def _by_path(self) -> Mapping[str, tuple[tuple[Span, Node], ...]]:
        found: dict[str, list[tuple[Span, Node]]] = defaultdict(list)
        for node in self.nodes:
            for span in node.spans:
                found[span.path].append((span, node))
        return {path: tuple(here) for path, here in found.items()}

    def at(self, path: str, start: int, end: int | None = None) -> tuple[Node, ...]:
        """The nodes that rest on a place, those whose own place it is first, then the shorter span first."""
        wanted = Span(path, start, start if end is None else end)
        hits = [
            (node.spans[0] != span, span.end - span.start, node.id)
            for span, node in self._by_path.get(path, ())
            if span.overlaps(wanted)
        ]
        return tuple(self.by_id[node] for node in dict.fromkeys(node for _, _, node in sorted(hits)))


def _grouped(pairs: Iterator[tuple[str, Edge]]) -> Mapping[str, tuple[Edge, ...]]:
    found: dict[str, list[Edge]] = defaultdict(list)
    for key, edge in pairs:
        found[key].append(edge)
    return {key: tuple(edges) for key, edges in found.items()}
