"""Links: which node supports which, from references, neighbourhood and shared terms, the last being the weakest."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple, Protocol

from analyzers.graph.gather import Item
from analyzers.graph.schema import Edge, Form, NodeType, Relation, Subtype
from analyzers.graph.similarity import Neighbours, Weights

_SAME_PARAGRAPH = 0.12
_SAME_SECTION = 0.05
_NEAR = 0.03
_MAIN = {
    NodeType.CLAIM: 0.25,
    NodeType.METHODOLOGY: 0.04,
    NodeType.THEORY: 0.1,
    NodeType.EVIDENCE: 0.0,
    NodeType.IMPLEMENTATION: -0.08,
}
_LEAST = 0.07
_SECOND = 0.3
_BY_TERMS = 0.6
_REFERENCE_STRENGTH = 0.8
_MARKS = "([{“‘\"'`,.;:!?)]}’”"


class Linked(NamedTuple):
    """A node to be: what it came from, what it is, and all that it says."""

    id: str
    item: Item
    type: NodeType
    subtype: Subtype
    bag: frozenset[str]
    references: frozenset[str]

    @property
    def is_main(self) -> bool:
        """True for a main claim."""
        return self.subtype is Subtype.MAIN


class CellLink(NamedTuple):
    """A number of the text that was found in a table: the entry and offset of the number, and a label or the entry of the table."""

    entry: int
    start: int
    table_entry: int
    reason: str


class _Put(Protocol):
    """What takes an edge."""

    def __call__(self, source: str, target: str, reason: str, strength: float, evidence: tuple[str, ...] = ()) -> None:
        """Keep the edge unless a surer one is known."""


# Which types a node may support.
_TARGETS: Mapping[NodeType, frozenset[NodeType]] = {
    NodeType.CLAIM: frozenset({NodeType.CLAIM}),
    NodeType.EVIDENCE: frozenset({NodeType.CLAIM}),
    NodeType.THEORY: frozenset({NodeType.CLAIM, NodeType.METHODOLOGY}),
    NodeType.METHODOLOGY: frozenset({NodeType.CLAIM, NodeType.THEORY}),
    NodeType.IMPLEMENTATION: frozenset({NodeType.EVIDENCE, NodeType.METHODOLOGY, NodeType.CLAIM}),
}


def supports(nodes: Sequence[Linked], weights: Weights, cells: Iterable[CellLink] = ()) -> tuple[Edge, ...]:
    """All Supports edges, in a fixed order; at most one per pair, the surest reason kept."""
    edges: dict[tuple[str, str], Edge] = {}

    def put(source: str, target: str, reason: str, strength: float, evidence: tuple[str, ...] = ()) -> None:
        if source == target or (target, source) in edges:
            return
        known = edges.get((source, target))
        if known is None or strength > known.strength:
            edges[source, target] = Edge(source, target, Relation.SUPPORTS, reason, round(strength, 3), evidence)

    _by_reference(nodes, put)
    _by_cells(nodes, cells, put)
    _by_proof(nodes, put)
    _by_terms(nodes, weights, put)
    return tuple(sorted(edges.values(), key=lambda edge: (edge.source, edge.target)))


def _by_reference(nodes: Sequence[Linked], put: _Put) -> None:
    owners: dict[str, Linked] = {}
    for node in nodes:
        if node.item.draft.form is not Form.SENTENCE:
            for label in node.item.draft.labels:
                owners.setdefault(label, node)
    for node in nodes:
        if not node.references:
            continue
        for label in sorted(node.references):
            owner = owners.get(label)
            if owner is None or owner is node:
                continue
            what = {
                Form.TABLE: "table",
                Form.FIGURE: "figure",
                Form.THEOREM: "theorem",
                Form.ALGORITHM: "algorithm",
            }.get(owner.item.draft.form, "passage")
            if node.item.draft.form is Form.SENTENCE:
                put(owner.id, node.id, f"the text refers to the {what}", _REFERENCE_STRENGTH, (label,))


def _by_cells(nodes: Sequence[Linked], cells: Iterable[CellLink], put: _Put) -> None:
    tables = {node.item.position: node for node in nodes if node.item.draft.form is Form.TABLE}
    said: dict[int, list[Linked]] = defaultdict(list)
    for node in nodes:
        if node.item.draft.form is Form.SENTENCE:
            said[node.item.position].append(node)
    for cell in cells:
        table = tables.get(cell.table_entry)
        if table is None:
            continue
        for node in said.get(cell.entry, ()):
            if any(start <= cell.start < end for start, end in node.item.draft.ranges):
                put(table.id, node.id, cell.reason or "a number of the text stands in the table", 0.95)


def _by_proof(nodes: Sequence[Linked], put: _Put) -> None:
    """A sentence of a proof supports the theorem before it."""
    theorem: Linked | None = None
    for node in nodes:
        if node.item.draft.form is Form.THEOREM:
            theorem = node
        elif (
            node.item.draft.environment == "proof"
            and theorem is not None
            and node.item.place.appendix == theorem.item.place.appendix
        ):
            put(node.id, theorem.id, "part of its proof", 0.7)


def _by_terms(nodes: Sequence[Linked], weights: Weights, put: _Put) -> None:
    groups: dict[tuple[NodeType, Subtype], tuple[list[Linked], Neighbours]] = {}
    for node in nodes:
        if node.is_main or node.item.weighed.draft.environment == "proof":
            continue
        key = (node.type, node.subtype if node.type is NodeType.CLAIM else Subtype.NONE)
        group = groups.get(key)
        if group is None:
            targets = [target for target in nodes if _may(*key, target)]
            group = groups[key] = (targets, Neighbours(weights, [target.bag for target in targets]))
        targets, index = group
        alike = index.similar(node.bag)
        if not alike:
            continue
        # Nearness adds a little to the likeness of two texts; what it cannot lift to the top is left out at once.
        least = min(max(alike.values()), _SECOND) - max(_MAIN[node.type], 0.0) - _SAME_PARAGRAPH
        scored = [
            (-value - _bonus(node, targets[number]), number)
            for number, value in alike.items()
            if value >= least and targets[number] is not node
        ]
        if not scored:
            continue
        scored = nsmallest(2, scored)
        if -scored[0][0] < _LEAST:
            continue
        target = targets[scored[0][1]]
        put(node.id, target.id, _reason(weights, node, target), min(-scored[0][0], _BY_TERMS))
        if len(scored) > 1 and -scored[1][0] > _SECOND:
            target = targets[scored[1][1]]
            put(node.id, target.id, _reason(weights, node, target), min(-scored[1][0], _BY_TERMS))


def _may(source: NodeType, weight: Subtype, target: Linked) -> bool:
    """Whether a node may support another; a claim supports claims of more weight only, so that no two support each other."""
    if target.type not in _TARGETS[source]:
        return False
    if source is not NodeType.CLAIM or target.is_main:
        return True
    return weight is Subtype.TERTIARY and target.subtype is Subtype.SECONDARY


def _bonus(node: Linked, target: Linked) -> float:
    bonus = _MAIN[node.type] if target.is_main else 0.0
    one, other = node.item, target.item
    if one.position == other.position:
        return bonus + _SAME_PARAGRAPH
    if one.entry.section == other.entry.section:
        return bonus + _SAME_SECTION
    return bonus + _NEAR if abs(one.position - other.position) <= 3 else bonus


def _reason(weights: Weights, node: Linked, target: Linked) -> str:
    terms = weights.shared(node.bag, target.bag)
    if not terms:
        return "next to each other"
    words = node.item.draft.text.lower()
    return "both speak of " + ", ".join(dict.fromkeys([_as_written(term, words) for term in terms]))


def _as_written(stem: str, text: str) -> str:
    """The first word of a text (folded, with single blanks) that comes from a stem, without the marks around it."""
    at = text.find(stem)
    while at >= 0:
        if not text[text.rfind(" ", 0, at) + 1 : at].strip(_MARKS):
            end = text.find(" ", at)
            return text[at : end if end >= 0 else len(text)].rstrip(_MARKS)
        at = text.find(stem, at + 1)
    return stem
