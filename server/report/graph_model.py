"""What the pictures and files of a graph are made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from analyzers.graph.schema import Graph, Node, NodeType, Subtype
from analyzers.text.spans import Span
from server.report.model import SourceFile

MAX_PASSAGE = 600

KINDS: tuple[tuple[str, str], ...] = (
    ("main", "Main claim"),
    ("secondary", "Secondary claim"),
    ("tertiary", "Tertiary claim"),
    ("evidence", "Evidence"),
    ("method", "Methodology"),
    ("setup", "Implementation"),
    ("theory", "Mathematical theory"),
)


@dataclass(frozen=True, slots=True)
class GraphReport:
    """A graph and the texts that its places count in."""

    graph: Graph
    files: Mapping[str, SourceFile]

    def position(self, path: str, offset: int) -> dict[str, int | None]:
        """Offset from 0, line and column from 1 (None when the file is not at hand)."""
        file = self.files.get(path)
        if file is None:
            return {"offset": offset, "line": None, "column": None}
        line, column = file.lines.line_column(offset)
        return {"offset": offset, "line": line + 1, "column": column + 1}

    def passage(self, span: Span) -> str:
        """The source text of a place."""
        file = self.files.get(span.path)
        return file.text[span.start : min(span.end, span.start + MAX_PASSAGE)] if file is not None else ""

    def where(self, span: Span) -> str:
        """`file:line:column`."""
        found = self.position(span.path, span.start)
        return span.path if found["line"] is None else f"{span.path}:{found['line']}:{found['column']}"


def kind_of(node: Node) -> str:
    """The key of a node's kind in `KINDS`."""
    if node.type is NodeType.CLAIM:
        return {Subtype.MAIN: "main", Subtype.TERTIARY: "tertiary"}.get(node.subtype, "secondary")
    return {
        NodeType.EVIDENCE: "evidence",
        NodeType.METHODOLOGY: "method",
        NodeType.IMPLEMENTATION: "setup",
        NodeType.THEORY: "theory",
    }[node.type]
