"""The graph of a small paper: what its sentences become, how they are linked, and what odd input gives."""

from dataclasses import replace

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.graph.build import build, built_of, graph_of
from analyzers.graph.distance import distances
from analyzers.graph.link import CellLink
from analyzers.graph.schema import Edge, Form, Graph, Node, NodeType, Relation, Subtype
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span


def node_with(graph: Graph, words: str) -> Node:
    (found,) = [node for node in graph.nodes if words in node.description]
    return found


def test_types_follow_from_what_is_said_and_where(paper: Manuscript) -> None:
    graph = build(paper)
    expected = {
        "We present TideFix": (NodeType.CLAIM, Subtype.MAIN),
        "We show that TideFix lowers": (NodeType.CLAIM, Subtype.MAIN),
        "from 0.98 to 0.83": (NodeType.EVIDENCE, Subtype.HIGH),
        "Error of oxygen sensors in mg/L": (NodeType.EVIDENCE, Subtype.HIGH),
        "whenever a neighbouring sensor": (NodeType.METHODOLOGY, Subtype.NONE),
        "when every sensor is cleaned infinitely": (NodeType.THEORY, Subtype.NONE),
        "drift is the main source": (NodeType.CLAIM, Subtype.SECONDARY),
        "may not generalise to lakes": (NodeType.CLAIM, Subtype.TERTIARY),
    }
    found = {words: node_with(graph, words) for words in expected}
    assert {words: (node.type, node.subtype) for words, node in found.items()} == expected


def test_background_is_no_main_claim(paper: Manuscript) -> None:
    assert not [
        node for node in graph_of(paper).main_claims if "cheap" in node.description or "decades" in node.description
    ]


def test_main_claims_rest_on_their_restatements(paper: Manuscript) -> None:
    main = node_with(graph_of(paper), "We present TideFix")
    assert "We presented TideFix, a calibration method for drifting sensors." in [
        paper.text(span) for span in main.spans
    ]


def test_spans_are_the_sentences(paper: Manuscript) -> None:
    node = node_with(graph_of(paper), "from 0.98 to 0.83")
    assert (
        paper.text(node.spans[0])
        == "Table~\\ref{tab:main} shows that TideFix lowers the error of oxygen sensors from 0.98 to 0.83\\,mg/L."
    )


def test_a_table_supports_what_refers_to_it_and_rests_on_its_rows(paper: Manuscript) -> None:
    graph = build(paper, cells=())
    table = node_with(graph, "Error of oxygen sensors in mg/L")
    assert table.form is Form.TABLE
    assert any("\\textbf{0.83}" in paper.text(span) for span in table.spans)
    edge = next(edge for edge in graph.outgoing(table.id) if edge.target == node_with(graph, "from 0.98 to 0.83").id)
    assert edge.evidence == ("tab:main",)
    assert edge.reason == "the text refers to the table"


def test_distances_count_from_the_main_claims(paper: Manuscript) -> None:
    graph = graph_of(paper)
    assert {node.distance for node in graph.main_claims} == {0}
    table = node_with(graph, "Error of oxygen sensors in mg/L")
    assert table.distance in (1, 2)
    for edge in graph.edges:
        one, other = graph.by_id[edge.source].distance, graph.by_id[edge.target].distance
        assert (one is None) == (other is None)
        assert one is None or other is None or abs(one - other) <= 1


def test_distance_goes_both_ways_and_not_over_contradictions() -> None:
    edges = [
        Edge("a", "m", Relation.SUPPORTS, ""),
        Edge("a", "b", Relation.SUPPORTS, ""),
        Edge("c", "m", Relation.CONTRADICTS, ""),
    ]
    assert distances(["m"], edges) == {"m": 0, "a": 1, "b": 2}


def test_ids_survive_edits_elsewhere_and_of_numbers(paper: Manuscript, paper_text: str) -> None:
    before = {node.description: node.id for node in build(paper).nodes}
    moved = build(
        manuscript_of(
            {
                "main.tex": paper_text.replace(
                    "\\section{Method}", "\\section{Method}\nThis part describes the calibration.\n"
                ).replace("0.83\\,mg", "0.84\\,mg")
            }
        )
    )
    after = {node.description: node.id for node in moved.nodes}
    common = before.keys() & after.keys()
    assert len(common) >= len(before) - 2
    assert all(before[text] == after[text] for text in common)
    changed = next(name for text, name in after.items() if "0.84" in text)
    assert changed == next(name for text, name in before.items() if "from 0.98 to 0.83" in text)


def test_ids_are_unique_for_equal_sentences() -> None:
    text = "\\section{Experiments}\n" + "We find that the error drops by 3.5\\% in rivers.\n\n" * 4
    names = [node.id for node in build(manuscript_of({"main.tex": text})).nodes]
    assert len(names) == len(set(names))


def test_a_cell_that_holds_a_number_of_the_text_is_a_sure_link(paper: Manuscript) -> None:
    built = built_of(paper)
    graph = built.graph
    sentence = built.sources[node_with(graph, "from 0.98 to 0.83").id]
    table = built.sources[node_with(graph, "Error of oxygen sensors in mg/L").id]
    start = sentence.draft.ranges[0][0] + 40
    linked = build(paper, cells=[CellLink(sentence.position, start, table.position, "0.83 stands in row TideFix")])
    edge = next(edge for edge in linked.edges if edge.reason == "0.83 stands in row TideFix")
    assert edge.strength == 0.95
    assert linked.by_id[edge.target].description == sentence.draft.text


def test_numbers_that_the_facts_find_in_a_table_link_it(paper: Manuscript) -> None:
    graph = graph_of(paper)
    table = node_with(graph, "Error of oxygen sensors in mg/L")
    reasons = [
        edge.reason for edge in graph.outgoing(table.id) if edge.target == node_with(graph, "from 0.98 to 0.83").id
    ]
    assert any("stands in the table" in reason and "Error" in reason for reason in reasons)


def finding(paper: Manuscript, one: str, other: str, **more: object) -> Finding:
    text = paper.files["main.tex"].text
    places = [Span("main.tex", text.index(words), text.index(words) + len(words)) for words in (one, other)]
    base = Finding(
        "NUM009",
        "0.83 and 15% differ.",
        places[0],
        Tier.LINKED,
        Severity.INFORMATION,
        related=(Related(places[1], "here"),),
    )
    return replace(base, **more)  # type: ignore[arg-type]


def test_findings_with_two_places_become_contradictions(paper: Manuscript) -> None:
    graph = build(paper, [finding(paper, "by 15\\%", "0.98 to 0.83")])
    (edge,) = [edge for edge in graph.edges if edge.relation is Relation.CONTRADICTS]
    assert graph.by_id[edge.source].is_main
    assert "0.83" in graph.by_id[edge.target].description
    assert edge.reason == "0.83 and 15% differ."


@pytest.mark.parametrize(
    "more",
    [
        {"code": "REF001"},
        {"tier": Tier.CANDIDATE},
        {"related": ()},
        {"span": Span("main.tex", 0, 3)},
        {"span": Span("gone.tex", 5, 9)},
    ],
    ids=["another family", "a candidate", "one place", "no node there", "another file"],
)
def test_other_findings_do_not(paper: Manuscript, more: dict[str, object]) -> None:
    graph = build(paper, [finding(paper, "by 15\\%", "0.98 to 0.83", **more)])
    assert [edge for edge in graph.edges if edge.relation is Relation.CONTRADICTS] == []


ODD = {
    "nothing": "",
    "only a bibliography": "\\begin{thebibliography}{9}\\bibitem{a} We show that nothing is better than something in every case.\\end{thebibliography}",
    "no abstract": "\\section{Introduction}\nWe propose a new calibration of sensors for rivers.\n\n\\section{Method}\nWe update it daily.",
    "no sections": "We propose a new calibration of sensors for rivers.\n\nWe find that it lowers the error by 3.5\\%.",
    "half-typed": "\\begin{abstract}We show that \\textbf{it works and that $x",
    "only commands": "\\maketitle\\tableofcontents\\newpage",
    "Russian": "\\usepackage[russian]{babel}\\begin{document}Мы предлагаем новый метод калибровки датчиков в реках. Результаты показывают, что ошибка меньше.\\end{document}",
    "Chinese": "\\section{引言}\n河流中的传感器会随时间漂移，因此需要定期校准，而目前的方法成本较高，难以推广。本文提出了一种新的传感器校准方法。实验结果表明，该方法优于现有方法，误差降低了百分之十五。",
    "surrogates and controls": "\\begin{abstract}We show that \ud800 \x00 \ufffe the error drops.\\end{abstract}",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_input_gives_a_small_graph_with_a_reason(text: str) -> None:
    graph = build(manuscript_of({"main.tex": text}))
    assert len(graph.nodes) <= 4
    assert graph.notes or graph.main_claims
    assert set(distances((node.id for node in graph.main_claims), graph.edges)) == {
        node.id for node in graph.nodes if node.distance is not None
    }


def test_chinese_claims_are_read() -> None:
    graph = build(manuscript_of({"main.tex": ODD["Chinese"]}))
    assert any(node.is_main and "提出" in node.description for node in graph.nodes)


def test_an_unknown_language_says_so() -> None:
    (note,) = build(manuscript_of({"main.tex": ODD["Russian"]})).notes
    assert "“ru”" in note


@pytest.mark.parametrize("command", ["\\abstract{%s}", "\\Abstract{%s}"])
def test_an_abstract_in_the_preamble_counts(command: str) -> None:
    claim = "We present a calibration of drifting sensors that needs no laboratory and no visit of the station after its deployment. It is small."
    more = "We show that it lowers the error of every sensor in the river significantly, and that it never raises the error of another one."
    text = f"\\documentclass{{article}}\n{command % (claim + ' ' + more)}\n\\begin{{document}}\n\\section{{Method}}\nWe update the estimate daily.\n\\end{{document}}"
    graph = build(manuscript_of({"main.tex": text}))
    assert [node.section for node in graph.main_claims] == ["abstract", "abstract"]


def test_nodes_cover_a_third_of_the_text_at_most(paper_text: str) -> None:
    text = paper_text.replace(
        "\\section{Experiments}",
        "\\section{Experiments}\n" + "We find that TideFix lowers the error of sensors by 3.5\\% on rivers.\n\n" * 200,
    )
    graph = build(manuscript_of({"main.tex": text}))
    marked = {offset for node in graph.nodes for span in node.spans for offset in range(span.start, span.end)}
    assert 0.1 < len(marked) / len(text) <= 0.34
    assert len(graph.main_claims) <= 6
