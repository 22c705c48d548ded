"""Building the graph of a manuscript without a model.

Everything that needs the text is remembered on blocks; what is left is choosing, linking and distances over a few hundred
nodes, done anew for every manuscript, so that the graph of an edited manuscript equals that of a fresh one.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from analyzers.finding import Finding
from analyzers.graph.cells import cell_links
from analyzers.graph.choose import chosen
from analyzers.graph.contradictions import contradictions
from analyzers.graph.cues import lexicon
from analyzers.graph.distance import distances
from analyzers.graph.gather import Gathered, Item, bags, gather
from analyzers.graph.identity import numbered
from analyzers.graph.link import CellLink, Linked, supports
from analyzers.graph.mains import MainClaim, main_claims
from analyzers.graph.schema import Graph, Node, NodeType, Subtype
from analyzers.graph.similarity import Weights
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.spans import Span

_MAX_DESCRIPTION = 240
_CERTAIN = 3.0


class Built(NamedTuple):
    """A graph with what it was made from: all items, those behind its nodes (by id), and the weights of terms."""

    graph: Graph
    items: tuple[Item, ...]
    sources: Mapping[str, Item]
    weights: Weights


_NOTHING = Weights(())
_built: "WeakKeyDictionary[Manuscript, Built]" = WeakKeyDictionary()


def built_of(manuscript: Manuscript) -> Built:
    """The graph of a manuscript with its items, built once for it; what checks read."""
    known = _built.get(manuscript)
    if known is None:
        known = _built[manuscript] = _construct(manuscript, None)
    return known


def graph_of(manuscript: Manuscript) -> Graph:
    """The graph of a manuscript, built once for it; what the editor reads."""
    return built_of(manuscript).graph


def build(manuscript: Manuscript, findings: Iterable[Finding] = (), cells: Iterable[CellLink] | None = None) -> Graph:
    """The graph of a manuscript.

    `findings` with two places become Contradicts edges where both places belong to nodes; `cells` are links of numbers
    to table cells, by default those that the facts verify.  A graph is small or empty, with a reason in its notes, where nothing tells claims from text.
    """
    return with_findings(_construct(manuscript, None if cells is None else tuple(cells)).graph, findings)


def _construct(manuscript: Manuscript, cells: Sequence[CellLink] | None) -> Built:
    words = lexicon(manuscript.language)
    if words is None:
        note = f"No cues of claims are known for the language “{manuscript.language}”, so the graph is empty."
        return Built(Graph(manuscript.root, notes=(note,)), (), {}, _NOTHING)
    gathered = gather(manuscript, words)
    if not gathered.items:
        note = "No running text was found, so the graph is empty."
        return Built(Graph(manuscript.root, notes=(note,)), (), {}, _NOTHING)
    return _linked_up(manuscript, gathered, cell_links(manuscript) if cells is None else cells)


def with_findings(graph: Graph, findings: Iterable[Finding]) -> Graph:
    """The graph with Contradicts edges from findings whose two places belong to two nodes."""
    more = contradictions(graph, findings)
    return replace(graph, edges=(*graph.edges, *more)) if more else graph


def _linked_up(manuscript: Manuscript, gathered: Gathered, cells: Sequence[CellLink]) -> Built:
    weights = Weights(bags(gathered.items))
    mains = main_claims(gathered, weights)
    by_order: dict[int, MainClaim] = {claim.item.order: claim for claim in mains}
    items = sorted((*chosen(gathered, mains), *(claim.item for claim in mains)), key=lambda item: item.order)
    names = numbered(item.draft.name for item in items)
    linked = [_linked(name, item, by_order.get(item.order)) for name, item in zip(names, items, strict=True)]
    edges = supports(linked, weights, cells)
    hops = distances((node.id for node in linked if node.is_main), edges)
    nodes = tuple(_node(manuscript, node, by_order.get(node.item.order), hops.get(node.id)) for node in linked)
    graph = Graph(manuscript.root, nodes, edges, notes_on(gathered.items, nodes))
    return Built(graph, gathered.items, {node.id: node.item for node in linked}, weights)


def _linked(name: str, item: Item, claim: MainClaim | None) -> Linked:
    if claim is None:
        return Linked(name, item, item.weighed.type, item.weighed.subtype, item.terms, item.draft.references)
    bag = frozenset().union(item.terms, *(other.terms for other in claim.restatements))
    keys = frozenset().union(item.draft.references, *(other.draft.references for other in claim.restatements))
    return Linked(name, item, NodeType.CLAIM, Subtype.MAIN, bag, keys)


def _node(manuscript: Manuscript, node: Linked, claim: MainClaim | None, distance: int | None) -> Node:
    item = node.item
    entry = item.entry
    spans = [_span(item, place) for place in item.draft.ranges]
    if claim is not None:
        spans += [_span(other, other.draft.ranges[0]) for other in claim.restatements]
    return Node(
        id=node.id,
        type=node.type,
        subtype=node.subtype,
        description=_description(item.draft.text),
        spans=tuple(spans[:3]),
        section=item.place.kind.value,
        section_title=manuscript.sections[entry.section].title if entry.section >= 0 else "",
        form=item.draft.form,
        confidence=_confidence(item.weighed.score + (1.5 if claim is not None else 0.0)),
        distance=distance,
        entry=item.position,
        labels=item.draft.labels,
    )


def _span(item: Item, place: tuple[int, int]) -> Span:
    return item.entry.span(*place)


def _confidence(score: float) -> float:
    """The log odds as a rough probability with two digits."""
    bounded = max(-_CERTAIN, min(_CERTAIN, score))
    return round(1 / (1 + math.exp(-bounded)), 2)


def _description(text: str) -> str:
    if len(text) <= _MAX_DESCRIPTION:
        return text
    cut = text.rfind(" ", 0, _MAX_DESCRIPTION)
    return text[: cut if cut > _MAX_DESCRIPTION // 2 else _MAX_DESCRIPTION].rstrip(" ,;:") + " …"


def notes_on(items: Sequence[Item], nodes: Sequence[Node]) -> tuple[str, ...]:
    """What a reader of the graph has to know: where main claims or paths to them are missing, and why it may be small."""
    notes: list[str] = []
    if not any(node.is_main for node in nodes):
        notes.append(
            "No main claim was recognised: neither an abstract nor an introduction or conclusion asserts one, so no distances are known."
        )
    elif not any(item.place.kind is SectionClass.ABSTRACT for item in items):
        notes.append("There is no abstract; the main claims come from the introduction and the conclusion.")
    lonely = sum(node.distance is None for node in nodes)
    if lonely and any(node.is_main for node in nodes):
        notes.append(f"{lonely} of {len(nodes)} nodes have no path to a main claim.")
    if len(items) > 20 and len(nodes) < 10:
        notes.append("The text shows few signs of claims and evidence, so the graph is small.")
    return tuple(notes)
