"""The graph as one page that needs nothing else: drawing, passages, filters, keyboard; light and dark."""

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

from analyzers.graph.network import layout
from analyzers.graph.schema import Node
from server.report.graph_model import KINDS, GraphReport, kind_of
from server.report.graph_svg import drawing, shape, title
from server.report.json import Json


def render_html(report: GraphReport) -> str:
    """The page.  Text of the manuscript enters it escaped, and reaches the screen as text only; its script and style are fixed."""
    plan = layout(report.graph)
    reach = max(plan.reach, 220)
    style = _asset("graph.css") + _asset("page.css")
    script = _asset("page.js")
    # Nothing but this style and this script may act, and nothing may be loaded.
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    kinds = "".join(
        f'<label><input type="checkbox" value="{kind}" checked><svg class="node {kind}" viewBox="-14 -14 28 28" aria-hidden="true">{shape(kind)}</svg>{name}</label>'
        for kind, name in KINDS
    )
    sections = dict.fromkeys(node.section for node in report.graph.nodes)
    options = "".join(f'<option value="{_text(name)}">{_text(name)}</option>' for name in sections)
    return "\n".join([
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(title(report))}</title>",
        f"<style>{style}</style></head><body>",
        f"<header><h1>{_text(title(report))}</h1><p id=\"count\" aria-live=\"polite\"></p>",
        f'<fieldset id="kinds"><legend>Kinds</legend>{kinds}</fieldset>',
        f'<label>Section <select id="section"><option value="">all</option>{options}</select></label>',
        '<label>Words <input id="words" type="search"></label></header>',
        f'<main><svg id="graph" viewBox="{-reach} {-reach} {2 * reach} {2 * reach}" role="group" aria-label="{_text(title(report))}">',
        drawing(report, plan, interactive=True),
        '</svg><div id="zoom"><button id="in" type="button" aria-label="larger">+</button>',
        '<button id="out" type="button" aria-label="smaller">−</button><button id="whole" type="button">whole</button></div></main>',
        '<aside id="details" aria-live="polite"></aside>',
        f'<script type="application/json" id="data">{_data(report, {name: (point.x, point.y) for name, point in plan.points.items()})}</script>',
        f"<script>{script}</script>",
        "</body></html>",
    ]) + "\n"  # fmt: skip


def _data(report: GraphReport, points: dict[str, tuple[float, float]]) -> str:
    """What the script shows, in a form that can neither end its element nor begin a comment."""
    data: Json = {
        "nodes": [_node(report, node, points[node.id]) for node in report.graph.nodes],
        "edges": [
            {"source": edge.source, "target": edge.target, "relation": edge.relation.value, "reason": edge.reason}
            for edge in report.graph.edges
        ],
        "notes": list(report.graph.notes),
    }
    text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _node(report: GraphReport, node: Node, point: tuple[float, float]) -> Json:
    places: list[Json] = [{"where": report.where(span), "text": report.passage(span)} for span in node.spans]
    return {
        "id": node.id,
        "key": kind_of(node),
        "kind": node.kind,
        "description": node.description,
        "section": node.section,
        "sectionTitle": node.section_title,
        "distance": node.distance,
        "origin": node.origin,
        "places": places,
        "search": f"{node.description} {node.section_title}".lower(),
        "x": point[0],
        "y": point[1],
    }


def _asset(name: str) -> str:
    return files("server.report.graph_page").joinpath(name).read_text("utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _text(text: str) -> str:
    return escape("".join(c if c >= " " and not "\ud800" <= c <= "\udfff" else "\ufffd" for c in text), quote=True)
