"""`initialize`, `initialized` and `shutdown`; changes of workspace folders."""

from lsprotocol import types as lsp

from server.handlers.configuration import pull
from server.handlers.watched_files import watch
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handlers."""

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        session.start(params)

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        await watch(server, session)
        await pull(server, session)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(params: None) -> None:
        session.stop()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        session.folders_changed(params.event.added, params.event.removed)
