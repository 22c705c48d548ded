"""Refinement: a model looks at the manuscript part by part and proposes nodes and edges, which are merged into the graph.

The model receives sentences with names and answers with names, so nothing has to be found again in the text.  What it
proposes without an existing sentence or node is dropped and counted.  Answers are cached by the content of the question.
What readers of the PDF cannot see, and instructions to reviewing programs, are found anew here and are in no question.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from hashlib import blake2s
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from analyzers.graph.build import Built, built_of, notes_on
from analyzers.graph.distance import distances
from analyzers.graph.gather import Item
from analyzers.graph.mains import MOST_MAIN
from analyzers.graph.schema import Edge, Form, Graph, Node, NodeType, Relation, Subtype
from analyzers.project.manuscript import Manuscript
from analyzers.review.port import HOPELESS, JsonValue, Model, ModelRequest, Role, Segment, Speaker, Turn
from analyzers.review.script import hidden_places, printed, script_of
from analyzers.review.withholding import hidden_findings
from analyzers.text.spans import Span

if TYPE_CHECKING:
    from analyzers.graph.proposals import Proposals

_MOST_SENTENCES = 120
_MOST_KNOWN = 40
_MOST_NAMED = 8
_MOST_DESCRIPTION = 400
_MODEL_CONFIDENCE = 0.8
_MOST_TOKENS = 6000
_SUBTYPES = {
    NodeType.CLAIM: (Subtype.MAIN, Subtype.SECONDARY, Subtype.TERTIARY),
    NodeType.EVIDENCE: (Subtype.HIGH, Subtype.MEDIUM, Subtype.LOW),
}


@dataclass(frozen=True, slots=True)
class Refined:
    """The merged graph, and what became of the proposals.  `failures` say which parts got no usable answer, and why."""

    graph: Graph
    asked: int
    cached: int
    kept: int
    dropped: int
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What `refine` would ask: its requests, the characters of each file in them, and how many places are withheld."""

    requests: tuple[ModelRequest, ...]
    characters: Mapping[str, int]
    withheld: int = 0


class _Part(NamedTuple):
    title: str
    names: Mapping[str, Item]
    request: ModelRequest
    key: str


async def refine(manuscript: Manuscript, model: Model, cache: MutableMapping[str, JsonValue]) -> Refined:
    """Ask `model` about every part and merge what it proposes; parts whose question is in `cache` are not asked again.

    Raises nothing but `asyncio.CancelledError`.
    """
    built = built_of(manuscript)
    merge = _Merge(built)
    asked = cached = 0
    failures: list[str] = []
    for part in _parts(built, manuscript, _Visible(manuscript)):
        answer = cache.get(part.key)
        if answer is not None:
            cached += 1
        else:
            asked += 1
            outcome = await model.ask(part.request)
            if not outcome.answered:
                failures.append(
                    f"{part.title}: {outcome.kind.value}" + (f" ({outcome.detail})" if outcome.detail else "")
                )
                if outcome.kind in HOPELESS:
                    break
                continue
            answer = outcome.data
        proposals = _parsed(answer)
        if proposals is None:
            failures.append(f"{part.title}: the answer did not have the agreed form")
            continue
        cache[part.key] = answer
        merge.take(proposals, part.names)
    return Refined(merge.graph(), asked, cached, merge.kept, merge.dropped, tuple(failures))


def requests(manuscript: Manuscript) -> tuple[ModelRequest, ...]:
    """What `refine` would ask, for showing it before anything is sent, and for estimates of its cost."""
    return plan(manuscript).requests


def plan(manuscript: Manuscript) -> Plan:
    """What `refine` would ask, and what of the manuscript is in it; each sentence counts once."""
    built, visible = built_of(manuscript), _Visible(manuscript)
    parts = tuple(_parts(built, manuscript, visible))
    sent = {item.order: item for part in parts for item in part.names.values()}
    if parts:
        sent |= {item.order: item for item in (built.sources[node.id] for node in _known(built, visible))}
    characters: dict[str, int] = {}
    for item in sent.values():
        characters[item.entry.path] = characters.get(item.entry.path, 0) + len(printed(item.draft.text))
    return Plan(tuple(part.request for part in parts), characters, visible.withheld)


def _parsed(answer: JsonValue) -> "Proposals | None":
    from pydantic import ValidationError

    from analyzers.graph.proposals import Proposals

    try:
        return Proposals.model_validate(answer)
    except ValidationError:
        return None


def _key(instructions: str, text: str) -> str:
    return blake2s(f"{instructions}\x00{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class _Visible:
    """Which places may be read by a model: those that touch nothing hidden."""

    def __init__(self, manuscript: Manuscript) -> None:
        findings = hidden_findings(manuscript)
        # The script also withholds the sentence that goes on with an instruction.
        withheld = frozenset(script_of(manuscript, findings).withheld)
        self.withheld = len(withheld)
        places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for span in (*withheld, *(span for spans in hidden_places(findings).values() for span in spans)):
            places[span.path].append((span.start, span.end))
        self._hidden = {path: _united(found) for path, found in places.items()}

    def span(self, span: Span) -> bool:
        """Whether a place touches nothing hidden."""
        hidden = self._hidden.get(span.path, ())
        # The ranges are disjoint and sorted, so the last one that begins before the end decides.
        last = bisect_left(hidden, (max(span.end, span.start + 1), -1)) - 1
        return last < 0 or max(hidden[last][1], hidden[last][0] + 1) <= span.start

    def item(self, item: Item) -> bool:
        """Whether all places of an item are visible."""
        return all(self.span(item.entry.span(*place)) for place in item.draft.ranges)


def _united(places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def _known(built: Built, visible: _Visible) -> list[Node]:
    """The nodes that every question names."""
    found = [node for node in built.graph.nodes if node.is_main or node.form is not Form.SENTENCE]
    return [
        node
        for node in found
        if visible.item(built.sources[node.id]) and all(visible.span(span) for span in node.spans)
    ][:_MOST_KNOWN]


def _parts(built: Built, manuscript: Manuscript, visible: _Visible) -> Iterator[_Part]:
    from analyzers.graph.proposals import Proposals

    instructions = files("analyzers.graph.data").joinpath("refine.txt").read_text("utf-8")
    schema = Proposals.model_json_schema()
    groups: dict[tuple[int, int], list[Item]] = defaultdict(list)
    counts: dict[int, int] = defaultdict(int)
    for item in built.items:
        if item.draft.form is Form.SENTENCE and not item.place.aside and visible.item(item):
            top = _top(manuscript, item.entry.section)
            groups[top, counts[top] // _MOST_SENTENCES].append(item)
            counts[top] += 1
    listed = "\n".join(f"{node.id} ({node.kind}): {printed(node.description)}" for node in _known(built, visible))
    for (top, _), items in groups.items():
        title = "Abstract"
        if top >= 0:
            section = manuscript.sections[top]
            title = printed(section.title) if visible.span(section.title_span) else ""
        # Names count within a part, so that an edit elsewhere leaves the question, and with it the cached answer, as it is.
        names = {f"s{number}": item for number, item in enumerate(items, 1)}
        # Every line begins with a word of ours, so that no text of the manuscript can pass for the end of it.
        lines = "\n".join(f"{name} {printed(item.draft.text)}" for name, item in names.items())
        text = f"----- manuscript -----\nPoints that are known already:\n{listed or '(none)'}\n\nPart: {title}\n{lines}\n----- end -----\n"
        request = ModelRequest(
            Role.GRAPH,
            (Segment(instructions, cached=True),),
            (Turn(Speaker.USER, (Segment(text),)),),
            schema,
            "graph",
            _MOST_TOKENS,
            purpose=f"claims and evidence of “{title}”",
        )
        yield _Part(title, names, request, _key(instructions, text))


def _top(manuscript: Manuscript, section: int) -> int:
    while section >= 0 and manuscript.sections[section].parent >= 0:
        section = manuscript.sections[section].parent
    return section


class _Merge:
    """The graph while proposals come in."""

    def __init__(self, built: Built) -> None:
        self._graph = built.graph
        self._items = built.items
        self._nodes: dict[str, Node] = dict(built.graph.by_id)
        self._edges: dict[tuple[str, str], Edge] = {(edge.source, edge.target): edge for edge in built.graph.edges}
        self._by_item: dict[int, str] = {item.order: name for name, item in built.sources.items()}
        self._orders: dict[str, int] = {name: item.order for name, item in built.sources.items()}
        self.kept = 0
        self.dropped = 0

    def take(self, proposals: "Proposals", names: Mapping[str, Item]) -> None:
        """Merge the answer on one part."""
        own: dict[str, str] = {}
        for number, proposed in enumerate(proposals.nodes, 1):
            items = [names[name] for name in dict.fromkeys(proposed.sentences[:_MOST_NAMED]) if name in names]
            if not items:
                self.dropped += 1
                continue
            type_ = NodeType(proposed.type)
            own[f"p{number}"] = self._put(items, type_, _subtype(type_, proposed.subtype), proposed.description)
            self.kept += 1
        for edge in proposals.edges:
            source, target = own.get(edge.source, edge.source), own.get(edge.target, edge.target)
            if source not in self._nodes or target not in self._nodes or source == target:
                self.dropped += 1
                continue
            self.kept += 1
            relation = Relation(edge.relation)
            known = self._edges.get((source, target))
            if known is None or known.relation is not relation:
                reason = " ".join(edge.reason.split()) or "a model sees the link"
                self._edges[source, target] = Edge(source, target, relation, reason, _MODEL_CONFIDENCE, ("model",))

    def _put(self, items: list[Item], type_: NodeType, subtype: Subtype, description: str) -> str:
        first = items[0]
        spans = tuple(_span(item) for item in items[:3])
        text = " ".join(description.split())[:_MOST_DESCRIPTION] or first.draft.text
        name = self._by_item.get(first.order)
        if name is not None:
            node = self._nodes[name]
            more = tuple(span for span in (*spans, *node.spans) if span != node.spans[0])
            self._nodes[name] = replace(
                node, type=type_, subtype=subtype, description=text, origin="model", confidence=_MODEL_CONFIDENCE,
                spans=(node.spans[0], *dict.fromkeys(more))[:3],
            )  # fmt: skip
            return name
        name = next(candidate for candidate in _names(first) if candidate not in self._nodes)
        self._by_item[first.order] = name
        self._orders[name] = first.order
        self._nodes[name] = Node(
            name, type_, subtype, text, spans, first.place.kind.value, "", Form.SENTENCE, "model", _MODEL_CONFIDENCE,
            None, first.position,
        )  # fmt: skip
        return name

    def graph(self) -> Graph:
        """The merged graph, with distances anew; main claims beyond the limit become secondary, those of rules first."""
        nodes = sorted(self._nodes.values(), key=lambda node: self._orders[node.id])
        mains = [node for node in nodes if node.is_main]
        ranked = sorted(mains, key=lambda node: (node.origin != "model", -node.confidence, self._orders[node.id]))
        lowered = {node.id for node in ranked[MOST_MAIN:]}
        edges = tuple(self._edges[pair] for pair in sorted(self._edges))
        hops = distances((node.id for node in mains if node.id not in lowered), edges)
        final = tuple(
            replace(node, distance=hops.get(node.id), subtype=Subtype.SECONDARY if node.id in lowered else node.subtype)
            for node in nodes
        )
        notes = notes_on(self._items, final) if self._items else self._graph.notes
        return replace(self._graph, nodes=final, edges=edges, notes=notes)


def _subtype(type_: NodeType, given: str) -> Subtype:
    """The subtype when the type has it, else its middle one."""
    allowed = _SUBTYPES.get(type_)
    if allowed is None:
        return Subtype.NONE
    return Subtype(given) if given in allowed else allowed[1]


def _names(item: Item) -> Iterator[str]:
    base = item.draft.name
    yield base
    for number in range(2, 10_000):
        yield f"{base}-m{number}"


def _span(item: Item) -> Span:
    return item.entry.span(*item.draft.ranges[0])
