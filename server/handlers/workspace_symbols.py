"""`workspace/symbol`: claims, evidence and methods of every analysed manuscript, by the words of their descriptions."""

from lsprotocol import types as lsp

from server.graph_views import graph_with, workspace_symbols
from server.handlers.call_hierarchy import symbol_kind
from server.places import location
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        found = []
        for folder in session.folders.all():
            for root in folder.outcome.roots.values() if folder.outcome is not None else ():
                graph = graph_with(root.analysis.manuscript, root.analysis.findings)
                for symbol in workspace_symbols(graph, params.query):
                    place = location(folder, symbol.span, session.encoding)
                    if place is not None:
                        container = f"{symbol.detail} · {symbol.container}" if symbol.container else symbol.detail
                        found.append(
                            lsp.SymbolInformation(
                                name=symbol.name, kind=symbol_kind(symbol), location=place, container_name=container
                            )
                        )
        return found
