"""`textDocument/references`: uses of a label, citation key or cell; on prose, the passages that speak of the same thing.

An author who edits a sentence sees at once what it must agree with.
"""

from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from analyzers.project.manuscript import Manuscript
from analyzers.project.uses import definitions, symbol_at, uses
from analyzers.related.index import PassageIndex
from analyzers.related.paragraph import paragraph_at
from analyzers.text.spans import Span
from server.number_views import numbers_of_cell
from server.places import asked_at, locations
from server.protocol import Server
from server.session import Session

TOP = 20
_INDICES: WeakKeyDictionary[Manuscript, PassageIndex] = WeakKeyDictionary()


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        asked = asked_at(session, params)
        if asked is None:
            return None
        file, manuscript, offset = asked
        symbol = symbol_at(manuscript, file.path, offset)
        if symbol is not None:
            places = list(uses(manuscript, *symbol))
            if params.context.include_declaration:
                places += definitions(manuscript, *symbol)
        else:
            # A number of a table answers with the places of the text that repeat it.
            numbers = list(numbers_of_cell(manuscript, file.path, offset))
            places = numbers or related_places(manuscript, file.path, offset)
        return locations(file.folder, places, session.encoding)


def related_places(manuscript: Manuscript, path: str, offset: int) -> list[Span]:
    """The passages most related to the paragraph at an offset, best first."""
    entries = paragraph_at(manuscript, path, offset, offset)
    return [place.span for place in index_of(manuscript).related(entries, TOP)] if entries else []


def index_of(manuscript: Manuscript) -> PassageIndex:
    """The index of a manuscript, made when it is first asked for."""
    found = _INDICES.get(manuscript)
    if found is None:
        found = _INDICES[manuscript] = PassageIndex.of(manuscript)
    return found
