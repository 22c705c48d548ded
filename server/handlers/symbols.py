"""`textDocument/documentSymbol`: the sections of a document with its claims and evidence, the entries of a bibliography."""

from dataclasses import dataclass, field

from lsprotocol import types as lsp

from analyzers.project.bibliography import Bibliography, read_bibliography
from analyzers.project.structure import structure
from analyzers.text.document import Document
from analyzers.text.lex import lex
from analyzers.text.prose import prose
from server.analysis import BIBLIOGRAPHY_SUFFIX
from server.folders import OpenFile
from server.graph_markup import with_nodes
from server.positions import Encoding, to_range
from server.protocol import Server
from server.session import Session

_MAX_BIBLIOGRAPHY = 300_000


@dataclass(slots=True)
class _Heading:
    level: int
    title: str
    start: int
    end: int
    last: int
    inner: list["_Heading"] = field(default_factory=list)


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation] | None:
        file = session.file(params.text_document.uri)
        if file is None:
            return None
        if file.path.endswith(BIBLIOGRAPHY_SUFFIX):
            found = _entries(file, session.encoding)
        else:
            found = [_symbol(heading, file.document, session.encoding) for heading in headings(file.document)]
            found = with_nodes(found, file.folder, file.path, file.document, session.encoding)
        text = session.capabilities.text_document
        nested = text.document_symbol if text else None
        if nested and nested.hierarchical_document_symbol_support:
            return found
        return [item for symbol in found for item in _flat(symbol, file.uri, None)]


def headings(document: Document) -> list[_Heading]:
    """The sections of a document, nested by level; each lasts until the next that is not below it."""
    top: list[_Heading] = []
    open_: list[_Heading] = []
    for block, start in zip(document.blocks, document.starts, strict=False):
        for found in structure(block).headings:
            while open_ and open_[-1].level >= found.level:
                open_.pop().last = start + found.start
            title = _title(block.text[found.title_start : found.title_end])
            heading = _Heading(found.level, title, start + found.start, start + found.end, len(document.text))
            (open_[-1].inner if open_ else top).append(heading)
            open_.append(heading)
    return top


def _title(source: str) -> str:
    return " ".join(prose(source, lex(source)).text.split()) or " ".join(source.split()) or "(untitled)"


def _symbol(heading: _Heading, document: Document, encoding: Encoding) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=heading.title,
        kind=lsp.SymbolKind.Module if heading.level <= 1 else lsp.SymbolKind.Namespace,
        range=to_range(document, heading.start, max(heading.last, heading.end), encoding),
        selection_range=to_range(document, heading.start, heading.end, encoding),
        children=[_symbol(inner, document, encoding) for inner in heading.inner],
    )


def _entries(file: OpenFile, encoding: Encoding) -> list[lsp.DocumentSymbol]:
    bibliography = _bibliography(file)
    if bibliography is None:
        return []
    result = []
    for entry in bibliography.entries:
        span = to_range(file.document, entry.start, entry.end, encoding)
        name = to_range(file.document, entry.key_start, entry.key_end, encoding)
        symbol = lsp.DocumentSymbol(
            name=entry.key or "(no key)", kind=lsp.SymbolKind.Key, range=span, selection_range=name
        )
        result.append(symbol)
    return result


def _bibliography(file: OpenFile) -> Bibliography | None:
    outcome = file.folder.outcome
    for root in outcome.roots.values() if outcome is not None else ():
        for known in root.analysis.manuscript.bibliographies:
            if known.path == file.path and known.text == file.document.text:
                return known
    # reading a large one takes longer than a list of its entries is worth while it is being edited
    return read_bibliography(file.path, file.document.text) if len(file.document.text) < _MAX_BIBLIOGRAPHY else None


def _flat(symbol: lsp.DocumentSymbol, uri: str, container: str | None) -> list[lsp.SymbolInformation]:
    location = lsp.Location(uri=uri, range=symbol.range)
    own = lsp.SymbolInformation(name=symbol.name, kind=symbol.kind, location=location, container_name=container)
    return [own, *(item for inner in symbol.children or () for item in _flat(inner, uri, symbol.name))]
