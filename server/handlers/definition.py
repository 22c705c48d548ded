"""`textDocument/definition`: from a number of the text to its cell or macro, from a reference to its label, from a citation to its entry."""

from lsprotocol import types as lsp

from analyzers.project.uses import definitions, symbol_at
from server.number_views import number_definition
from server.places import location, manuscript_of, past
from server.positions import to_offset
from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        file = session.file(params.text_document.uri)
        manuscript = manuscript_of(file.folder, file.path) if file is not None else None
        if file is None or manuscript is None:
            return None
        offset = past(file.folder, file.path, to_offset(file.document, params.position, session.encoding))
        symbol = symbol_at(manuscript, file.path, offset)
        places = (
            definitions(manuscript, *symbol) if symbol is not None else number_definition(manuscript, file.path, offset)
        )
        found = (location(file.folder, place, session.encoding) for place in places)
        return [place for place in found if place is not None]
