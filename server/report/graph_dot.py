"""The graph for Graphviz."""

from analyzers.graph.schema import Relation
from server.report.graph_model import GraphReport, kind_of

_COLOURS = {
    "main": "#b45309",
    "secondary": "#2563eb",
    "tertiary": "#60a5fa",
    "evidence": "#15803d",
    "method": "#7c3aed",
    "setup": "#64748b",
    "theory": "#be185d",
}
_SHAPES = {"evidence": "box", "method": "diamond", "setup": "ellipse", "theory": "hexagon"}
_WIDTH = 34
_LINES = 4


def render_dot(report: GraphReport) -> str:
    """A digraph in the dot language."""
    lines = [
        "digraph counterclaim {",
        "  rankdir=BT;",
        '  node [fontname="Helvetica", fontsize=10, style=filled, fillcolor=white];',
    ]
    for node in report.graph.nodes:
        kind = kind_of(node)
        tip = report.where(node.spans[0]) if node.spans else ""
        lines.append(
            f"  {_quoted(node.id)} [label={_quoted(_wrapped(node.description))}, color={_quoted(_COLOURS[kind])}, "
            f"shape={_SHAPES.get(kind, 'ellipse')}, penwidth={3 if kind == 'main' else 1}, tooltip={_quoted(tip)}];"
        )
    for edge in report.graph.edges:
        style = 'color="#dc2626", penwidth=2' if edge.relation is Relation.CONTRADICTS else 'color="#94a3b8"'
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [{style}, tooltip={_quoted(edge.reason)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) > _WIDTH:
            if len(lines) == _LINES:
                return "\n".join(lines) + " …"
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A string of the dot language; NUL ends a string for Graphviz, so it goes."""
    escaped = text.replace("\x00", "").replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return f'"{escaped}"'
