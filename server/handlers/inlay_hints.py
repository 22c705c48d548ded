"""`textDocument/inlayHint`: the kind of each node behind it; off until the setting `graph.hints` is true."""

from lsprotocol import types as lsp

from server.graph_views import hints
from server.handlers.lenses import graph_at, graph_setting, moved
from server.positions import to_offsets, to_position
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        if graph_setting(session, "hints") is not True:
            return None
        file = session.file(params.text_document.uri)
        graph = graph_at(file) if file is not None else None
        if file is None or graph is None:
            return None
        start, end = to_offsets(file.document, params.range, session.encoding)
        result = []
        for hint in hints(graph, file.path, 0, len(file.document.text)):
            span = moved(file.folder, hint.span)
            if span is not None and start <= span.end <= end:
                position = to_position(file.document, span.end, session.encoding)
                result.append(
                    lsp.InlayHint(position=position, label=f"[{hint.label}]", padding_left=True, tooltip=hint.tooltip)
                )
        return result
