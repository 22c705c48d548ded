"""The graph as files: the contract of the JSON, well-formed XML, quoted dot, and a page that escapes everything."""

import json
import os
import re
import subprocess
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.graph.build import build
from analyzers.graph.network import graphml, layout
from analyzers.graph.schema import Edge, Graph, Relation
from analyzers.project.manuscript import Manuscript
from server.commands.graph import GraphFormat, GraphOptions, run_graph
from server.report.graph_dot import render_dot
from server.report.graph_html import render_html
from server.report.graph_json import render_graph_json
from server.report.graph_model import GraphReport
from server.report.graph_svg import render_svg
from server.report.model import SourceFile

NASTY = '\\begin{abstract}We show that </script><script>alert(1)</script> "quotes" & \'ticks\' <!-- improve \x01 the \\u2028 error \u2028 in ]]> all rivers.\\end{abstract}\n\\section{</select><img src=x>}\nWe find that \\"a\\\\b" it drops by 3.5\\%.'


def report(manuscript: Manuscript) -> GraphReport:
    files = {path: SourceFile(document.text, document.lines) for path, document in manuscript.files.items()}
    return GraphReport(build(manuscript), files)


@pytest.fixture
def nasty() -> GraphReport:
    return report(manuscript_of({"main.tex": NASTY}))


def test_json_has_the_agreed_shape(paper: Manuscript) -> None:
    data = json.loads(render_graph_json(report(paper)))
    text = paper.files["main.tex"].text
    assert (data["version"], data["root"]) == (1, "main.tex")
    names = {node["id"] for node in data["nodes"]}
    assert len(names) == len(data["nodes"]) > 5
    for node in data["nodes"]:
        assert {"id", "type", "subtype", "description", "distance", "origin", "spans"} <= node.keys()
        assert node["type"] in {"Claim", "Evidence", "Methodology", "Implementation", "MathematicalTheory"}
        for span in node["spans"]:
            start, end = span["start"], span["end"]
            assert 0 <= start["offset"] < end["offset"] <= len(text)
            assert end["offset"] - start["offset"] <= 600
            assert text.splitlines()[start["line"] - 1][start["column"] - 1 :].startswith(
                text[start["offset"] : start["offset"] + 3].splitlines()[0]
            )
    for edge in data["edges"]:
        assert {edge["source"], edge["target"]} <= names
        assert edge["relation"] in {"supports", "contradicts"}
        assert edge["reason"]


def test_graphml_is_read_back(paper: Manuscript) -> None:
    import networkx

    back = networkx.parse_graphml(graphml(build(paper)))
    graph = build(paper)
    assert set(back.nodes) == {node.id for node in graph.nodes}
    assert back.number_of_edges() == len(graph.edges)


@pytest.mark.parametrize("render", [lambda r: graphml(r.graph), render_svg], ids=["graphml", "svg"])
def test_xml_of_nasty_text_is_well_formed(nasty: GraphReport, render: Callable[[GraphReport], str]) -> None:
    assert nasty.graph.nodes
    root = ElementTree.fromstring(render(nasty).encode("utf-8"))
    assert not [element for element in root.iter() if element.tag.endswith(("script", "img"))]


def test_dot_quotes_what_it_holds(nasty: GraphReport) -> None:
    for line in render_dot(nasty).splitlines()[3:-1]:
        assert re.fullmatch(r'  "(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")? \[(?:[^"]|"(?:[^"\\]|\\.)*")*\];', line)


def test_the_page_lets_no_text_become_markup(nasty: GraphReport) -> None:
    page = render_html(nasty)
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert "alert(1)</" not in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert "<" not in data[1]
    assert any("</script>" in place["text"] for node in json.loads(data[1])["nodes"] for place in node["places"])


def test_the_page_allows_its_own_style_and_script_only(paper: Manuscript) -> None:
    page = render_html(report(paper))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    for tag in ("style", "script"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"'sha256-{b64encode(sha256(inner.encode()).digest()).decode()}'" in policy[1]
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page)
    assert "http" not in re.sub(r"http-equiv|http://www\.w3\.org/2000/svg", "", page)


def test_the_layout_is_settled_and_keeps_nodes_apart(paper: Manuscript) -> None:
    graph = build(paper)
    plan = layout(graph)
    assert plan == layout(graph)
    assert plan.points.keys() == graph.by_id.keys()
    places = [(point.x, point.y) for point in plan.points.values()]
    for index, (x, y) in enumerate(places):
        for other_x, other_y in places[:index]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > 15**2
    for node in graph.nodes:
        assert plan.points[node.id].ring == (-1 if node.distance is None else node.distance)


def test_an_empty_graph_has_a_page_and_a_drawing() -> None:
    empty = GraphReport(Graph("main.tex", notes=("Nothing here.",)), {})
    assert "Nothing here." in render_html(empty)
    ElementTree.fromstring(render_svg(empty).encode())
    assert json.loads(render_graph_json(empty))["nodes"] == []
    assert render_dot(empty).endswith("}\n")
    assert "graphml" in graphml(empty.graph)


def test_contradictions_are_drawn_last_and_red(paper: Manuscript) -> None:
    base = report(paper)
    one, other = base.graph.nodes[:2]
    graph = Graph(
        "main.tex", base.graph.nodes, (Edge(one.id, other.id, Relation.CONTRADICTS, "they differ"), *base.graph.edges)
    )
    edges = re.findall(r'class="edge (\w+)" data', render_svg(GraphReport(graph, base.files)))
    assert edges[-1] == "contradicts"
    assert edges.count("contradicts") == 1
    assert "#dc2626" in render_dot(GraphReport(graph, base.files))


@pytest.mark.parametrize("form", list(GraphFormat))
def test_the_command_writes_every_format(tmp_path: Path, paper_text: str, form: GraphFormat) -> None:
    (tmp_path / "main.tex").write_text(paper_text, encoding="utf-8")
    target = tmp_path / f"graph.{form}"
    assert run_graph(GraphOptions(tmp_path / "main.tex", tmp_path, form, target)) == 0
    assert "TideFix" in target.read_text(encoding="utf-8")


def test_the_command_says_what_it_cannot_do(
    tmp_path: Path, paper_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_graph(GraphOptions(tmp_path / "gone.tex")) == 64
    for name in ("a", "b"):
        (tmp_path / f"{name}.tex").write_text(paper_text, encoding="utf-8")
    assert run_graph(GraphOptions(tmp_path, None, GraphFormat.HTML)) == 64
    assert "a.tex, b.tex" in capsys.readouterr().err
    assert run_graph(GraphOptions(tmp_path, None, GraphFormat.JSON, tmp_path / "out.jsonl")) == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    assert run_graph(GraphOptions(tmp_path / "a.tex", None, GraphFormat.JSON, tmp_path / "no" / "folder.json")) == 2


def test_graphviz_reads_the_dot_file(tmp_path: Path, nasty: GraphReport) -> None:
    import shutil

    dot = shutil.which("dot")
    if dot is None and os.environ.get("COUNTERCLAIM_REQUIRE_ALL"):
        pytest.fail("Graphviz is not installed")
    if dot is None:
        pytest.skip("Graphviz is not installed")
    (tmp_path / "g.dot").write_text(render_dot(nasty), encoding="utf-8", errors="replace")
    assert (
        subprocess.run([dot, "-Tsvg", str(tmp_path / "g.dot")], capture_output=True, timeout=60, check=False).returncode
        == 0
    )
