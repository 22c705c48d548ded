"""`textDocument/codeLens`: what supports a claim, above it; and the command that shows the whole graph."""

import tempfile
from collections.abc import Mapping
from hashlib import blake2s
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from analyzers.graph.schema import Graph
from analyzers.text.spans import Span
from server.atomic import write_text_atomic
from server.citation_views import lenses_for_bibliography
from server.folders import Folder, OpenFile
from server.graph_views import Shown, graph_with, lenses
from server.positions import to_range
from server.protocol import InvalidArgumentsError, Server
from server.session import Session

SHOW_GRAPH = "counterclaim.showGraph"
SHOW_NODE = "counterclaim.showNode"


def register(server: Server, session: Session) -> None:
    """Registers the handler and the commands."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        file = session.file(params.text_document.uri)
        if file is None:
            return None
        summary = lenses_for_bibliography(session, file)
        graph = graph_at(file) if not summary else None
        if graph is None:
            return summary or None
        result = []
        for lens in lenses(graph, file.path, _shown(session)):
            span = moved(file.folder, lens.span)
            if span is not None:
                command = lsp.Command(
                    title=lens.title, command=SHOW_NODE, arguments=[{"uri": file.uri, "node": lens.node}]
                )
                result.append(
                    lsp.CodeLens(range=to_range(file.document, span.start, span.end, session.encoding), command=command)
                )
        return result

    @server.command(SHOW_NODE)
    def show_node(*arguments: Any) -> dict[str, Any]:
        file, given = _given(session, arguments)
        graph = graph_at(file)
        node = graph.by_id.get(str(given.get("node"))) if graph is not None else None
        if graph is None or node is None:
            return {"message": "This claim is gone already."}
        border = session.border(file.folder)
        places = [place for span in node.spans if (place := _location(file.folder, border, span)) is not None]
        linked = []
        for edge in (*graph.incoming(node.id), *graph.outgoing(node.id)):
            other = graph.by_id[edge.source if edge.target == node.id else edge.target]
            place = _location(file.folder, border, other.spans[0])
            if place is not None:
                way = "supported by" if edge.target == node.id else "supports"
                relation = way if edge.relation == "supports" else "contradiction"
                linked.append(
                    {
                        "relation": relation,
                        "kind": other.kind,
                        "description": other.description,
                        "reason": edge.reason,
                        "location": place,
                    }
                )
        return {
            "kind": node.kind,
            "description": node.description,
            "distance": node.distance,
            "locations": places,
            "linked": linked,
        }

    @server.command(SHOW_GRAPH)
    async def show_graph(*arguments: Any) -> dict[str, Any]:
        file, _ = _given(session, arguments)
        page = _page(file)
        if page is None:
            return {"message": "The manuscript has not been analysed yet."}
        uri = from_fs_path(str(page)) or ""
        window = session.capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            await server.window_show_document_async(lsp.ShowDocumentParams(uri=uri, external=True))
        return {"uri": uri}


def graph_at(file: OpenFile) -> Graph | None:
    """The graph of the root that an open file belongs to, None before the first analysis."""
    outcome = file.folder.outcome
    root = outcome.of(file.path) if outcome is not None else None
    return graph_with(root.analysis.manuscript, root.analysis.findings) if root is not None else None


def moved(folder: Folder, span: Span) -> Span | None:
    """A place of the last analysis in the present text of its file; None when it was edited since."""
    file = folder.files.get(span.path)
    return file.shift.span(span) if file is not None and file.shift else span


def _location(folder: Folder, border: Any, span: Span) -> lsp.Location | None:
    place = moved(folder, span)
    location: lsp.Location | None = border.location(place) if place is not None else None
    return location


def _given(session: Session, arguments: tuple[Any, ...]) -> tuple[OpenFile, Mapping[str, Any]]:
    given = arguments[0] if arguments and isinstance(arguments[0], Mapping) else {}
    file = session.file(str(given.get("uri", "")))
    if file is None:
        raise InvalidArgumentsError("`uri` of an open document is needed")
    return file, given


def graph_setting(session: Session, name: str) -> object:
    """A setting of the editor about the graph, None when it is not set."""
    graph = session.options.settings.get("graph", getattr(session.options, "graph", None))
    return graph.get(name) if isinstance(graph, Mapping) else None


def _shown(session: Session) -> Shown:
    value = graph_setting(session, "lenses")
    return Shown(value) if isinstance(value, str) and value in set(Shown) else Shown.MAIN


def _page(file: OpenFile) -> Path | None:
    """The page of the graph, in the folder for temporary files, under a name that stays the same for a manuscript."""
    from server.report.graph_html import render_html
    from server.report.graph_model import GraphReport
    from server.report.model import SourceFile

    outcome = file.folder.outcome
    root = outcome.of(file.path) if outcome is not None else None
    graph = graph_at(file)
    if root is None or graph is None:
        return None
    manuscript = root.analysis.manuscript
    files = {path: SourceFile(document.text, document.lines) for path, document in manuscript.files.items()}
    name = blake2s(
        f"{file.folder.place}\x00{manuscript.root}".encode("utf-8", "surrogatepass"), digest_size=6
    ).hexdigest()
    folder = Path(tempfile.gettempdir()) / f"counterclaim-graph-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    page = folder / "graph.html"
    write_text_atomic(page, render_html(GraphReport(graph, files)))
    return page
