"""Places of the last analysis in the present text of open files, as the client names them."""

from collections.abc import Iterable
from typing import NamedTuple

from lsprotocol import types as lsp

from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span
from server.folders import Folder, OpenFile
from server.positions import Encoding, to_offset, to_range
from server.session import Session


class Asked(NamedTuple):
    """What a request about a position asks: the file, the manuscript of the last analysis, and where the position was then."""

    file: OpenFile
    manuscript: Manuscript
    offset: int


def asked_at(session: Session, params: lsp.DefinitionParams | lsp.ReferenceParams) -> Asked | None:
    """The question of a request; None for files that are not open or not analysed yet."""
    file = session.file(params.text_document.uri)
    manuscript = manuscript_of(file.folder, file.path) if file is not None else None
    if file is None or manuscript is None:
        return None
    return Asked(
        file, manuscript, past(file.folder, file.path, to_offset(file.document, params.position, session.encoding))
    )


def manuscript_of(folder: Folder, path: str) -> Manuscript | None:
    """The manuscript that an open file belonged to at the last analysis."""
    root = folder.outcome.of(path) if folder.outcome is not None else None
    return root.analysis.manuscript if root is not None else None


def present(folder: Folder, span: Span) -> Span | None:
    """A place of the last analysis after the edits since then; None when its text was touched or its file is unknown."""
    file = folder.files.get(span.path)
    if file is None:
        return span
    if not file.known:
        return None
    return file.shift.span(span) if file.shift else span


def past(folder: Folder, path: str, offset: int) -> int:
    """Where an offset of the present text was at the last analysis, as exactly as edits at other places allow."""
    file = folder.files.get(path)
    if file is None or not file.shift:
        return offset
    for splice in reversed(file.shift.splices):
        if offset >= splice.start + splice.length:
            offset -= splice.growth
        elif offset > splice.start:
            offset = min(offset, splice.end) if splice.end > splice.start else splice.start
    return offset


def location(folder: Folder, span: Span, encoding: Encoding) -> lsp.Location | None:
    """A place of the last analysis as the client wants it."""
    now = present(folder, span)
    snapshot = folder.snapshot(span.path)
    if now is None or snapshot is None:
        return None
    return lsp.Location(uri=folder.uri(span.path), range=to_range(snapshot, now.start, now.end, encoding))


def locations(folder: Folder, spans: Iterable[Span], encoding: Encoding) -> list[lsp.Location]:
    """Places of the last analysis as the client wants them, without those whose text is gone."""
    found = (location(folder, span, encoding) for span in spans)
    return [place for place in found if place is not None]
