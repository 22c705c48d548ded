"""The graph for programs, version 1.  Its shape is a contract: fields may be added, none may change its meaning."""

import json

from analyzers.graph.schema import Edge, Node
from analyzers.text.spans import Span
from server.report.graph_model import GraphReport
from server.report.json import Json

VERSION = 1


def render_graph_json(report: GraphReport) -> str:
    """One object on one line; offsets are code points from 0, lines and columns from 1."""
    graph = report.graph
    data: Json = {
        "version": VERSION,
        "root": graph.root,
        "nodes": [_node(report, node) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
        "notes": list(graph.notes),
    }
    return json.dumps(data, ensure_ascii=True, allow_nan=False)


def _node(report: GraphReport, node: Node) -> Json:
    return {
        "id": node.id,
        "type": node.type.value,
        "subtype": node.subtype.value,
        "description": node.description,
        "distance": node.distance,
        "origin": node.origin,
        "confidence": node.confidence,
        "form": node.form.value,
        "section": node.section,
        "section_title": node.section_title,
        "spans": [_span(report, span) for span in node.spans],
    }


def _span(report: GraphReport, span: Span) -> Json:
    start, end = (dict(report.position(span.path, offset)) for offset in (span.start, span.end))
    return {"file": span.path, "start": {**start}, "end": {**end}}


def _edge(edge: Edge) -> Json:
    return {
        "source": edge.source,
        "target": edge.target,
        "relation": edge.relation.value,
        "reason": edge.reason,
        "strength": edge.strength,
        "evidence": list(edge.evidence),
    }
