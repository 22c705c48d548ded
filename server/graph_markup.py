"""Graph nodes in hovers and outlines: what the handlers for both put beside what they show already."""

from collections.abc import Callable

from lsprotocol import types as lsp

from server.folders import Folder
from server.graph_views import HoverText, graph_with, hover, outline
from server.handlers.call_hierarchy import symbol_kind
from server.places import past, present
from server.positions import Encoding, Snapshot, to_range


def hover_of(folder: Folder, path: str, offset: int) -> HoverText | None:
    """What the graph says at an offset of the present text of an open file."""
    root = folder.outcome.of(path) if folder.outcome is not None else None
    if root is None:
        return None
    return hover(graph_with(root.analysis.manuscript, root.analysis.findings), path, past(folder, path, offset))


def hover_text(found: HoverText, escape: Callable[[str], str] | None) -> str:
    """The chain of support as text, with `escape` (for Markdown) as a nested list."""
    if escape is None:
        return "\n".join([found.heading, *(f"{'  ' * depth}{line}" for depth, line in found.chain)])
    lines = [f"{'  ' * (depth - 1)}- {escape(line)}" for depth, line in found.chain]
    return "\n".join([f"**{escape(found.heading)}**", "", *lines])


def with_nodes(
    headings: list[lsp.DocumentSymbol], folder: Folder, path: str, document: Snapshot, encoding: Encoding
) -> list[lsp.DocumentSymbol]:
    """The outline of a document with its claims and evidence, each in the innermost section that holds it.

    The lists of children in `headings` are extended; nodes before the first section come first.
    """
    root = folder.outcome.of(path) if folder.outcome is not None else None
    if root is None:
        return headings
    first: list[lsp.DocumentSymbol] = []
    for found in outline(graph_with(root.analysis.manuscript, root.analysis.findings), path):
        span = present(folder, found.span)
        if span is None:
            continue
        place = to_range(document, span.start, span.end, encoding)
        own = lsp.DocumentSymbol(found.name, symbol_kind(found), place, place, found.detail)
        holder = _holder(headings, place.start)
        if holder is None:
            first.append(own)
        else:
            holder.children = [*(holder.children or ()), own]
    return [*first, *headings]


def _holder(headings: list[lsp.DocumentSymbol], position: lsp.Position) -> lsp.DocumentSymbol | None:
    """The innermost section around a position.  Claims that were put there already are no sections."""
    for heading in headings:
        if (
            heading.kind in (lsp.SymbolKind.Module, lsp.SymbolKind.Namespace)
            and heading.range.start <= position < heading.range.end
        ):
            return _holder(list(heading.children or ()), position) or heading
    return None
