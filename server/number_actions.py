"""“This number changed”: one action that updates every place that depends on a changed cell or macro, with a preview."""

from collections.abc import Iterator

from lsprotocol import types as lsp

from analyzers.facts.number_changes import NumberChange
from analyzers.fixes import Edit
from server.convert import workspace_edit
from server.folders import OpenFile
from server.places import manuscript_of, present
from server.positions import to_offsets
from server.session import Session

_NEAR = 400  # code points around the changed number at which the action is offered


def number_actions(session: Session, file: OpenFile, asked: lsp.Range) -> Iterator[lsp.CodeAction]:
    """The actions for changed numbers at or near a range, or at a place that would be updated."""
    manuscript = manuscript_of(file.folder, file.path)
    if manuscript is None:
        return
    start, end = to_offsets(file.document, asked, session.encoding)
    for change in file.folder.numbers.pending(manuscript.root):
        if not _concerns(file, change, start, end):
            continue
        edits = list(_edits(file, change))
        edit = workspace_edit(edits, session.border(file.folder), session.takes_versions) if edits else None
        if edit is not None:
            title = f"{change.fix.title} ({'; '.join(change.preview[:3])}{'; …' if len(change.preview) > 3 else ''})"
            yield lsp.CodeAction(title=title, kind=lsp.CodeActionKind.RefactorRewrite, edit=edit)


def _concerns(file: OpenFile, change: NumberChange, start: int, end: int) -> bool:
    for place, near in ((change.place, _NEAR), *((edit.span, 0) for edit in change.fix.edits)):
        span = present(file.folder, place)
        if span is not None and span.path == file.path and span.start - near <= end and start <= span.end + near:
            return True
    return False


def _edits(file: OpenFile, change: NumberChange) -> Iterator[Edit]:
    """The edits in the present text; none at all when one of their places was touched meanwhile."""
    moved = [(present(file.folder, edit.span), edit.text) for edit in change.fix.edits]
    if all(span is not None for span, _ in moved):
        yield from (Edit(span, text) for span, text in moved if span is not None)
