"""`textDocument/codeLens`: what supports a claim, above it, and how many numbers the tables verify; commands behind them."""

import tempfile
from collections.abc import Mapping
from hashlib import blake2s
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from analyzers.graph.schema import Graph
from server.atomic import write_text_atomic
from server.citation_views import lenses_for_bibliography
from server.folders import OpenFile
from server.graph_views import Shown, graph_with, lenses
from server.handlers.review_actions import review_lenses
from server.number_views import number_lens, unknown_list
from server.places import location, manuscript_of, present
from server.positions import to_range
from server.protocol import InvalidArgumentsError, Server
from server.session import Session

SHOW_GRAPH = "counterclaim.showGraph"
SHOW_NODE = "counterclaim.showNode"
SHOW_NUMBERS = "counterclaim.showNumbers"


def register(server: Server, session: Session) -> None:
    """Registers the handler and the commands."""
    pages: list[Path] = []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        file = session.file(params.text_document.uri)
        if file is None:
            return None
        summary = lenses_for_bibliography(session, file)
        points = review_lenses(session, file)
        graph = graph_at(file) if not summary else None
        if graph is None:
            return [*summary, *points] or None
        shown = _shown(session)
        found = [(lens.span, lens.title, SHOW_NODE, lens.node) for lens in lenses(graph, file.path, shown)]
        manuscript = manuscript_of(file.folder, file.path)
        numbers = number_lens(manuscript) if manuscript is not None and shown is not Shown.OFF else None
        if numbers is not None and numbers.span.path == file.path:
            found.insert(0, (numbers.span, numbers.title, SHOW_NUMBERS, ""))
        result = points
        for place, title, command, node in found:
            span = present(file.folder, place)
            if span is not None:
                given = {"uri": file.uri, "node": node} if node else {"uri": file.uri}
                where = to_range(file.document, span.start, span.end, session.encoding)
                result.append(lsp.CodeLens(range=where, command=lsp.Command(title, command, arguments=[given])))
        return result

    @server.command(SHOW_NUMBERS)
    def show_numbers(*arguments: Any) -> dict[str, Any]:
        file, _ = _given(session, arguments)
        manuscript = manuscript_of(file.folder, file.path)
        if manuscript is None:
            return {"message": "The manuscript has not been analysed yet."}
        unknown = [
            {"text": number.text, "reason": number.reason, "location": place}
            for number in unknown_list(manuscript)
            if (place := location(file.folder, number.span, session.encoding)) is not None
        ]
        lens = number_lens(manuscript)
        return {"message": lens.title if lens is not None else "No number was found in a table.", "unknown": unknown}

    @server.command(SHOW_NODE)
    def show_node(*arguments: Any) -> dict[str, Any]:
        file, given = _given(session, arguments)
        graph = graph_at(file)
        node = graph.by_id.get(str(given.get("node"))) if graph is not None else None
        if graph is None or node is None:
            return {"message": "This claim is gone already."}
        encoding = session.encoding
        places = [place for span in node.spans if (place := location(file.folder, span, encoding)) is not None]
        linked = []
        for edge in (*graph.incoming(node.id), *graph.outgoing(node.id)):
            other = graph.by_id[edge.source if edge.target == node.id else edge.target]
            place = location(file.folder, other.spans[0], encoding)
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
        if not pages:
            # A folder of our own: a name that others could guess could be theirs already.
            pages.append(Path(tempfile.mkdtemp(prefix="counterclaim-")))
        page = _page(file, pages[0])
        if page is None:
            return {"message": "The manuscript has not been analysed yet."}
        uri = from_fs_path(str(page)) or ""
        window = session.capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            await server.window_show_document_async(lsp.ShowDocumentParams(uri=uri, external=True))
        return {"uri": uri, "message": f"The page of the graph: {uri}"}


def graph_at(file: OpenFile) -> Graph | None:
    """The graph of the root that an open file belongs to, None before the first analysis."""
    outcome = file.folder.outcome
    root = outcome.of(file.path) if outcome is not None else None
    return graph_with(root.analysis.manuscript, root.analysis.findings) if root is not None else None


def _given(session: Session, arguments: tuple[Any, ...]) -> tuple[OpenFile, Mapping[str, Any]]:
    given = arguments[0] if arguments and isinstance(arguments[0], Mapping) else {}
    file = session.file(str(given.get("uri", "")))
    if file is None:
        raise InvalidArgumentsError("`uri` of an open document is needed")
    return file, given


def setting(session: Session, group: str, name: str) -> object:
    """A setting of the editor about lenses and hints, None when it is not set."""
    given = session.options.settings.get(group, getattr(session.options, group, None))
    return given.get(name) if isinstance(given, Mapping) else None


def _shown(session: Session) -> Shown:
    value = setting(session, "graph", "lenses")
    return Shown(value) if isinstance(value, str) and value in set(Shown) else Shown.MAIN


def _page(file: OpenFile, folder: Path) -> Path | None:
    """The page of the graph in `folder`, under a name that stays the same for a manuscript."""
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
    page = folder / f"graph-{name}.html"
    write_text_atomic(page, render_html(GraphReport(graph, files)))
    return page
