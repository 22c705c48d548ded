"""`textDocument/didOpen`, `didChange`, `didSave` and `didClose`."""

from lsprotocol import types as lsp

from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handlers."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        session.open(document.uri, document.language_id, document.version, document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        session.change(params.text_document.uri, params.text_document.version, params.content_changes)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        session.save(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)
