"""What editors show of a graph: titles, chains of support, symbols, hierarchy and hints as plain data."""

from dataclasses import replace

import pytest

from analyzers.graph.build import build
from analyzers.graph.schema import Edge, Graph, Node, Relation
from analyzers.project.manuscript import Manuscript
from server.graph_views import (
    Shown,
    clipped,
    graph_with,
    hints,
    hover,
    incoming_calls,
    lens_title,
    lenses,
    outgoing_calls,
    outline,
    prepared,
    workspace_symbols,
)


@pytest.fixture
def graph(paper: Manuscript) -> Graph:
    return build(paper, cells=())


def node_with(graph: Graph, words: str) -> Node:
    return next(node for node in graph.nodes if words in node.description)


def contradicted(graph: Graph, one: str, other: str) -> Graph:
    edge = Edge(node_with(graph, one).id, node_with(graph, other).id, Relation.CONTRADICTS, "they differ")
    return replace(graph, edges=(*graph.edges, edge))


def test_main_claims_carry_a_lens(graph: Graph) -> None:
    found = lenses(graph, "main.tex")
    assert [lens.node for lens in found] == [node.id for node in graph.main_claims]
    assert all(lens.title.startswith("main claim · ") for lens in found)
    assert lenses(graph, "other.tex") == ()


def test_lenses_may_be_off_or_on_all_claims(graph: Graph) -> None:
    assert lenses(graph, "main.tex", Shown.OFF) == ()
    claims = [node for node in graph.nodes if node.type == "Claim"]
    assert len(lenses(graph, "main.tex", Shown.ALL)) == len(claims) > len(graph.main_claims)


def test_a_title_counts_supports_and_contradictions(graph: Graph) -> None:
    both = contradicted(graph, "We show that TideFix lowers", "drift is the main source")
    supports = sum(edge.relation is Relation.SUPPORTS for edge in graph.incoming(node_with(graph, "We show that").id))
    assert supports >= 2
    assert lens_title(both, node_with(both, "We show that")) == f"main claim · {supports} supports · 1 contradiction"
    lonely = node_with(both, "may not generalise")
    assert lens_title(both, lonely) == "tertiary claim · nothing supports it"


def test_what_is_contradicted_carries_a_lens(graph: Graph) -> None:
    both = contradicted(graph, "We show that TideFix lowers", "drift is the main source")
    assert node_with(both, "drift is the main source").id in [lens.node for lens in lenses(both, "main.tex")]


def test_a_hover_shows_the_chain_of_support(paper: Manuscript, graph: Graph) -> None:
    both = contradicted(graph, "We show that TideFix lowers", "drift is the main source")
    text = paper.files["main.tex"].text
    found = hover(both, "main.tex", text.index("lowers the error of oxygen sensors by"))
    assert found is not None
    assert found.heading.startswith("main claim")
    assert found.chain[0] == (1, "contradiction: This suggests that drift is the main source of error in rivers.")
    depth = next(depth for depth, line in found.chain if "from 0.98 to 0.83" in line)
    deeper = [line for level, line in found.chain if level == depth + 1]
    assert any("Error of oxygen sensors in mg/L" in line and "refers to the table" in line for line in deeper)
    assert hover(graph, "main.tex", 0) is None


def test_a_hover_ends_on_circles() -> None:
    import analyzers.graph.schema as s

    def node(name: str) -> Node:
        return Node(
            name, s.NodeType.CLAIM, s.Subtype.SECONDARY, name, (s.Span("m.tex", ord(name), ord(name) + 1),), "", ""
        )

    nodes = tuple(node(name) for name in "abc")
    edges = tuple(Edge(one, two, Relation.SUPPORTS, "") for one, two in ("ab", "bc", "ca"))
    found = hover(Graph("m.tex", nodes, edges), "m.tex", ord("a"))
    assert found is not None
    assert [depth for depth, _ in found.chain] == [1, 2]


def test_the_outline_is_in_the_order_of_the_text(graph: Graph) -> None:
    found = outline(graph, "main.tex")
    assert [symbol.node for symbol in found] == [node.id for node in graph.nodes]
    assert [symbol.span for symbol in found] == sorted(symbol.span for symbol in found)
    assert {symbol.detail for symbol in found} >= {"main claim", "high evidence", "theory"}


def test_symbols_hold_every_word_of_the_query(graph: Graph) -> None:
    assert [symbol.name for symbol in workspace_symbols(graph, "evidence 0.83")] == [
        node_with(graph, "0.83").description[:79].rsplit(" ", 1)[0] + "…"
    ]
    assert workspace_symbols(graph, "evidence unicorn") == ()
    assert len(workspace_symbols(graph, "")) == len(graph.nodes)
    assert workspace_symbols(graph, "")[0].main


def test_calls_follow_the_edges(paper: Manuscript, graph: Graph) -> None:
    text = paper.files["main.tex"].text
    start = prepared(graph, "main.tex", text.index("from 0.98"))
    assert start is not None
    coming = incoming_calls(graph, start.node)
    assert "Error of oxygen sensors in mg/L." in [call.symbol.name for call in coming]
    for call in coming:
        assert call.places
        assert {span.path for span in call.places} == {call.symbol.span.path}
        assert start.node in [back.symbol.node for back in outgoing_calls(graph, call.symbol.node)]
    assert prepared(graph, "main.tex", 0) is None
    assert incoming_calls(graph, "gone") == ()
    assert outgoing_calls(graph, "gone") == ()


def test_hints_name_the_kind(graph: Graph) -> None:
    found = hints(graph, "main.tex")
    assert {hint.label for hint in found} >= {"main claim", "method"}
    assert hints(graph, "other.tex") == ()


def test_the_graph_with_findings_is_made_once(paper: Manuscript) -> None:
    nothing: tuple[()] = ()
    assert graph_with(paper, nothing) is graph_with(paper, nothing)


@pytest.mark.parametrize(
    ("text", "short"), [("short", "short"), ("some words here", "some…"), ("onelongword", "onelong…")]
)
def test_names_are_cut_at_blanks(text: str, short: str) -> None:
    assert clipped(text, 8) == short
