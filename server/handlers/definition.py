"""`textDocument/definition`: from a number of the text to its cell or macro, from a reference to its label, from a citation to its entry."""

from lsprotocol import types as lsp

from analyzers.project.uses import definitions, symbol_at
from server.number_views import number_definition
from server.places import asked_at, locations
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        asked = asked_at(session, params)
        if asked is None:
            return None
        file, manuscript, offset = asked
        symbol = symbol_at(manuscript, file.path, offset)
        places = (
            definitions(manuscript, *symbol) if symbol is not None else number_definition(manuscript, file.path, offset)
        )
        return locations(file.folder, places, session.encoding)
