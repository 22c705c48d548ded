"""The graph as a drawing: rings by distance around the main claims, colour and shape by kind, contradictions in red."""

import math
from html import escape
from importlib.resources import files

from analyzers.graph.network import Layout, Point, layout
from analyzers.graph.schema import Edge, Node, Relation
from server.report.graph_model import KINDS, GraphReport, kind_of

_RADIUS = {"main": 13.0, "secondary": 8.0, "tertiary": 6.5, "evidence": 7.5, "method": 8.0, "setup": 6.5, "theory": 8.0}
_SIDES = {"evidence": (4, math.pi / 4), "method": (4, 0.0), "theory": (6, 0.0), "setup": (3, -math.pi / 2)}
_LABEL = 90
_SIDE = 640


def render_svg(report: GraphReport) -> str:
    """A drawing that stands alone, with its own style and a legend."""
    plan = layout(report.graph)
    style = files("server.report.graph_page").joinpath("graph.css").read_text("utf-8")
    reach = max(plan.reach, 220)
    width, height = 2 * reach + _SIDE, 2 * reach + 20
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach} {-reach - 10} {width} {height}" width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{_text(title(report))}</title>",
        f"<style>{style}</style>",
        f'<rect class="ground" x="{-reach}" y="{-reach - 10}" width="{width}" height="{height}"/>',
        drawing(report, plan, interactive=False),
        _legend(report, reach),
        "</svg>",
    ]) + "\n"  # fmt: skip


def title(report: GraphReport) -> str:
    """What the drawing is called."""
    return f"Claims and evidence of {report.graph.root}"


def drawing(report: GraphReport, plan: Layout, *, interactive: bool) -> str:
    """Rings, edges and nodes as SVG elements."""
    parts = ['<g class="rings">']
    for number, inner, outer in plan.rings:
        if number != 0:
            radius = (inner + outer) / 2
            width = outer - inner + 24
            lonely = " lonely" if number < 0 else ""
            parts.append(f'<circle class="ring{lonely}" r="{radius:.1f}" stroke-width="{width:.1f}"/>')
            name = "no path" if number < 0 else f"{number} hop" + ("s" if number > 1 else "")
            parts.append(f'<text class="ring-name" y="{-outer - 14:.1f}">{name}</text>')
    parts.append('</g><g class="edges">')
    # Contradictions come last, so that nothing hides them.
    ordered = sorted(report.graph.edges, key=lambda edge: edge.relation is Relation.CONTRADICTS)
    parts += [_edge(edge, plan) for edge in ordered]
    parts.append('</g><g class="nodes">')
    numbers = {node.id: number for number, node in enumerate(report.graph.main_claims, 1)}
    parts += [
        _node(report, node, plan.points[node.id], numbers.get(node.id, 0), interactive) for node in report.graph.nodes
    ]
    parts.append("</g>")
    return "\n".join(parts)


def _edge(edge: Edge, plan: Layout) -> str:
    one, other = plan.points[edge.source], plan.points[edge.target]
    # A slight bend towards the middle keeps edges of one ring from lying on it.
    x, y = (one.x + other.x) * 0.42, (one.y + other.y) * 0.42
    return (
        f'<path class="edge {edge.relation.value}" data-source="{_text(edge.source)}" data-target="{_text(edge.target)}" '
        f'd="M{one.x} {one.y}Q{x:.1f} {y:.1f} {other.x} {other.y}"><title>{_text(edge.reason)}</title></path>'
    )


def _node(report: GraphReport, node: Node, point: Point, number: int, interactive: bool) -> str:
    kind = kind_of(node)
    hint = f"{node.kind}: {node.description}\n{report.where(node.spans[0]) if node.spans else ''}"
    control = (
        f' id="node-{_text(node.id)}" data-id="{_text(node.id)}" role="button" tabindex="-1" aria-label="{_text(f"{node.kind}: {node.description}")}"'
        if interactive
        else ""
    )
    label = f'<text class="number" y="4">{number}</text>' if number else ""
    return f'<g class="node {kind}"{control} transform="translate({point.x} {point.y})"><title>{_text(hint)}</title>{shape(kind)}{label}</g>'


def shape(kind: str) -> str:
    """The sign of a kind; shapes differ too, so that colour is not needed to tell kinds apart."""
    radius = _RADIUS[kind]
    if kind not in _SIDES:
        return f'<circle class="shape" r="{radius}"/>'
    sides, turn = _SIDES[kind]
    corners = " ".join(
        f"{radius * 1.15 * math.cos(turn + 2 * math.pi * i / sides):.1f},{radius * 1.15 * math.sin(turn + 2 * math.pi * i / sides):.1f}"
        for i in range(sides)
    )
    return f'<polygon class="shape" points="{corners}"/>'


def _legend(report: GraphReport, reach: float) -> str:
    rows = [
        f'<g class="node {kind}" transform="translate({reach + 20:.0f} {-reach + 24 + 26 * index:.0f})">{shape(kind)}<text class="legend" x="18" y="4">{name}</text></g>'
        for index, (kind, name) in enumerate(KINDS)
    ]
    below = -reach + 24 + 26 * len(KINDS)
    rows.append(
        f'<g transform="translate({reach + 8:.0f} {below:.0f})"><path class="edge contradicts" d="M0 0H24"/><text class="legend" x="30" y="4">Contradiction</text></g>'
    )
    for number, node in enumerate(report.graph.main_claims, 1):
        words = (
            node.description if len(node.description) <= _LABEL else node.description[:_LABEL].rsplit(" ", 1)[0] + " …"
        )
        rows.append(
            f'<text class="legend" x="{reach + 12:.0f}" y="{below + 14 + 22 * number:.0f}">{number}  {_text(words)}</text>'
        )
    return "\n".join(rows)


def _text(text: str) -> str:
    """Text as XML holds it: markup escaped, and no character that a document may not have."""
    clean = "".join(
        c if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff\x7f") else "\ufffd"
        for c in text
    )
    return escape(clean, quote=True)
