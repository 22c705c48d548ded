"""Call hierarchy on claims: incoming is what supports a claim, outgoing what it supports; every editor can walk it."""

from collections.abc import Iterator, Mapping
from typing import Any

from lsprotocol import types as lsp

from analyzers.graph.schema import Graph, NodeType
from server.folders import Folder
from server.graph_views import Call, Symbol, graph_with, incoming_calls, outgoing_calls, prepared
from server.handlers.lenses import graph_at
from server.places import location, past
from server.positions import to_offset
from server.protocol import Server
from server.session import Session

SYMBOL_KINDS = {
    NodeType.CLAIM: lsp.SymbolKind.Interface,
    NodeType.EVIDENCE: lsp.SymbolKind.Constant,
    NodeType.METHODOLOGY: lsp.SymbolKind.Method,
    NodeType.IMPLEMENTATION: lsp.SymbolKind.Property,
    NodeType.THEORY: lsp.SymbolKind.Struct,
}


def register(server: Server, session: Session) -> None:
    """Registers the three requests."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem] | None:
        file = session.file(params.text_document.uri)
        graph = graph_at(file) if file is not None else None
        if file is None or graph is None:
            return None
        offset = past(file.folder, file.path, to_offset(file.document, params.position, session.encoding))
        found = prepared(graph, file.path, offset)
        item = _item(session, file.folder, _root(file.folder, file.path), found) if found is not None else None
        return [item] if item is not None else None

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(params: lsp.CallHierarchyIncomingCallsParams) -> list[lsp.CallHierarchyIncomingCall] | None:
        return [
            lsp.CallHierarchyIncomingCall(from_=item, from_ranges=ranges)
            for item, ranges in _calls(session, params.item, incoming_calls)
        ]

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(params: lsp.CallHierarchyOutgoingCallsParams) -> list[lsp.CallHierarchyOutgoingCall] | None:
        return [
            lsp.CallHierarchyOutgoingCall(to=item, from_ranges=ranges)
            for item, ranges in _calls(session, params.item, outgoing_calls)
        ]


def symbol_kind(found: Symbol) -> lsp.SymbolKind:
    """The icon of a node."""
    return lsp.SymbolKind.Class if found.main else SYMBOL_KINDS[found.type]


def _root(folder: Folder, path: str) -> str:
    return folder.outcome.root_by_path.get(path, "") if folder.outcome is not None else ""


def _calls(
    session: Session, item: lsp.CallHierarchyItem, follow: Any
) -> Iterator[tuple[lsp.CallHierarchyItem, list[lsp.Range]]]:
    data = item.data if isinstance(item.data, Mapping) else {}
    folder, _ = session.folders.locate(item.uri)
    root = str(data.get("root", ""))
    graph = _graph(folder, root)
    if graph is None:
        return
    calls: tuple[Call, ...] = follow(graph, str(data.get("node", "")))
    for call in calls:
        other = _item(session, folder, root, call.symbol, call.reason)
        ranges = [
            found.range for place in call.places if (found := location(folder, place, session.encoding)) is not None
        ]
        if other is not None and ranges:
            yield other, ranges


def _graph(folder: Folder, root: str) -> Graph | None:
    found = folder.outcome.roots.get(root) if folder.outcome is not None else None
    return graph_with(found.analysis.manuscript, found.analysis.findings) if found is not None else None


def _item(session: Session, folder: Folder, root: str, found: Symbol, reason: str = "") -> lsp.CallHierarchyItem | None:
    place = location(folder, found.span, session.encoding)
    if place is None:
        return None
    return lsp.CallHierarchyItem(
        name=found.name,
        kind=symbol_kind(found),
        detail=" · ".join(part for part in (found.detail, reason) if part),
        uri=place.uri,
        range=place.range,
        selection_range=place.range,
        data={"root": root, "node": found.node},
    )
