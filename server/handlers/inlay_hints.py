"""`textDocument/inlayHint`: the kind of each node, and what a table says of a number, behind them.

Off until the settings `graph.hints` and `numbers.hints` are true.
"""

from lsprotocol import types as lsp

from analyzers.text.spans import Span
from server.graph_views import hints
from server.handlers.lenses import graph_at, setting
from server.number_views import number_hints
from server.places import manuscript_of, present
from server.positions import to_offsets, to_position
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        kinds = setting(session, "graph", "hints") is True
        numbers = setting(session, "numbers", "hints") is True
        file = session.file(params.text_document.uri)
        manuscript = manuscript_of(file.folder, file.path) if file is not None else None
        if file is None or manuscript is None or not (kinds or numbers):
            return None
        found: list[tuple[Span, str, str]] = []
        if numbers:
            found += ((hint.span, hint.label, hint.tooltip) for hint in number_hints(manuscript, file.path))
        graph = graph_at(file) if kinds else None
        if graph is not None:
            found += ((hint.span, f"[{hint.label}]", hint.tooltip) for hint in hints(graph, file.path))
        start, end = to_offsets(file.document, params.range, session.encoding)
        result = []
        for place, label, tooltip in found:
            span = present(file.folder, place)
            if span is not None and start <= span.end <= end:
                position = to_position(file.document, span.end, session.encoding)
                result.append(lsp.InlayHint(position=position, label=label, padding_left=True, tooltip=tooltip))
        return result
