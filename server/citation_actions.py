"""Code actions on citations.  Edits are made on the text of the last analysis and moved to the present one.

Safe ones are one click; those that bring in what a source says are marked as needing confirmation, and carry a preview
where the client has one.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from lsprotocol import types as lsp

from analyzers.citations.edits.identifiers import (
    add_address,
    add_doi,
    add_eprint,
    drop_identifier,
    normalise_doi,
    page_dash,
)
from analyzers.citations.edits.keys import nearest_keys, rename_key
from analyzers.citations.edits.merge import merge_entries, remove_entries
from analyzers.citations.edits.records import (
    declare_truncation,
    expand_authors,
    replace_by_record,
    replace_field,
    switch_to_published,
)
from analyzers.citations.findings import VERDICT_RULES
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.finding import Finding
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span
from server.analysis import BIBLIOGRAPHY_SUFFIX
from server.citation_findings import Item
from server.citation_views import items_in
from server.convert import diagnostic, workspace_edit
from server.folders import Folder, OpenFile
from server.lookups import read_entry
from server.places import manuscript_of, present
from server.positions import to_offsets
from server.session import Session

MARK_CHECKED = "counterclaim.citations.markChecked"
UNMARK_CHECKED = "counterclaim.citations.unmarkChecked"
LOOK_UP = "counterclaim.citations.check"
OPEN_RECORD = "counterclaim.citations.openRecord"
_VERDICT_CODES = frozenset(rule.code for rule in VERDICT_RULES)
_MOST_ITEMS = 3
_REVIEW = "review"


def citation_actions(
    session: Session, file: OpenFile, span: lsp.Range, findings: Sequence[Finding]
) -> Iterator[lsp.CodeAction]:
    """The actions on the entries that `span` or the `findings` of the file stand for."""
    folder = file.folder
    if folder.outcome is None or not file.known:
        return
    for finding in findings:
        for fix in _for_finding(folder, file, finding):
            yield from _edit_action(session, folder, fix, [finding])
    start, end = to_offsets(file.document, span, session.encoding)
    ranges = [(start, end), *((f.span.start, f.span.end) for f in findings if f.code in _VERDICT_CODES)]
    items: dict[tuple[str, int], tuple[Item, Span]] = {}
    for low, high in dict.fromkeys(ranges):
        for item, place in items_in(session, file, low, high):
            items.setdefault((item.entry.path, item.entry.start), (item, place))
    for item, place in list(items.values())[:_MOST_ITEMS]:
        about = [f for f in session.findings(folder, file.path) if f.code in _VERDICT_CODES and f.span.overlaps(place)]
        yield from _for_item(session, file, item, about)


def _for_item(session: Session, file: OpenFile, item: Item, about: list[Finding]) -> Iterator[lsp.CodeAction]:
    folder = file.folder
    verdict = session.verification.verdict(folder, item)
    in_bibliography = file.path.endswith(BIBLIOGRAPHY_SUFFIX)
    prefix = "" if in_bibliography else f"{item.entry.key}: "
    fixes = list(_from_verdict(folder, item, verdict)) if verdict is not None else []
    if in_bibliography:
        fixes += [fix for fix in (normalise_doi(item.entry), page_dash(item.entry)) if fix is not None]
    seen: set[tuple[Edit, ...]] = set()
    for fix in fixes:
        if fix.edits not in seen:
            seen.add(fix.edits)
            yield from _edit_action(session, folder, Fix(prefix + fix.title, fix.edits, fix.safe), about)
    argument = {"uri": file.uri, "key": item.entry.key}
    if session.verification.checked_on(folder, item) is not None:
        yield _command(f"{prefix}No longer checked by me", UNMARK_CHECKED, argument, [])
    elif verdict is not None and (verdict.kind is not VerdictKind.VERIFIED or verdict.flags):
        yield _command(f"{prefix}Mark as checked by me", MARK_CHECKED, argument, _shown(session, folder, about))
    if verdict is not None and verdict.record is not None and (verdict.record.url or verdict.record.doi):
        yield _command(f"{prefix}Open the record", OPEN_RECORD, argument, [])
    if not session.verification.plan_of(folder).empty and (verdict is None or not verdict.complete):
        yield _command(f"{prefix}Look this entry up now", LOOK_UP, argument, [])


def _from_verdict(folder: Folder, item: Item, verdict: Verdict) -> Iterator[Fix]:
    entry, record = item.entry, verdict.record
    text = _text(folder, entry.path)
    manuscript = _manuscript(folder, item)
    if record is None or text is None:
        return
    read = read_entry(entry, item.bibliography)
    biber = manuscript is not None and manuscript.biber
    found: list[Fix | None] = []
    if verdict.kind in (VerdictKind.VERIFIED, VerdictKind.MISMATCH):
        found += (add_doi(entry, record), add_eprint(entry, record, biber), add_address(entry, record))
    if verdict.kind is VerdictKind.CONFLICT and verdict.fields:
        found.append(drop_identifier(entry, verdict.fields[0].name))
    if verdict.kind in (VerdictKind.MISMATCH, VerdictKind.LIKELY_FABRICATED):
        for difference in verdict.fields:
            if difference.code == "AUTHORS_MISSING":
                found += (declare_truncation(entry, record), expand_authors(entry, record, text))
            elif difference.code == "IDENTIFIER_OF_VOLUME":
                found.append(drop_identifier(entry, difference.name))
            else:
                found.append(replace_field(entry, difference, record, text))
    if "PREPRINT_PUBLISHED" in verdict.reasons:
        found.append(switch_to_published(entry, read, record, text, biber))
    if verdict.flagged:
        found.append(replace_by_record(entry, read, record, text, datetime.now().astimezone().date()))
    yield from (fix for fix in found if fix is not None)


def _for_finding(folder: Folder, file: OpenFile, finding: Finding) -> Iterator[Fix]:
    if finding.code == "CIT001":
        yield from _other_keys(folder, file, finding)
    elif finding.code in ("BIB002", "BIB040") and finding.related:
        yield from _merging(folder, finding)
    elif finding.code == "CIT004":
        keys = finding.evidence.get("keys")
        fix = _removal(folder, file.path, keys) if isinstance(keys, list) else None
        if fix is not None:
            yield fix


def _other_keys(folder: Folder, file: OpenFile, finding: Finding) -> Iterator[Fix]:
    """All uses of an undefined key at once, and further keys that may be meant."""
    manuscript = manuscript_of(folder, file.path)
    if manuscript is None:
        return
    key = file.document.text[finding.span.start : finding.span.end]
    offered = {edit.text for fix in finding.fixes for edit in fix.edits}
    for near in nearest_keys(key, manuscript.bibliography):
        everywhere = rename_key(key, near, (manuscript,))
        if near not in offered:
            edit = Edit(_as_of_analysis(everywhere, finding, file), near) if everywhere is not None else None
            if edit is not None and everywhere is not None and edit in everywhere.edits:
                yield Fix(f"Replace by {near}", (edit,))
        if everywhere is not None and len(everywhere.edits) > 1:
            yield everywhere


def _as_of_analysis(everywhere: Fix | None, finding: Finding, file: OpenFile) -> Span:
    """The place of a finding in the text of the last analysis: the use of the key that has moved to where it is now."""
    for edit in everywhere.edits if everywhere is not None else ():
        if present(file.folder, edit.span) == finding.span:
            return edit.span
    return finding.span


def _merging(folder: Folder, finding: Finding) -> Iterator[Fix]:
    entries = [
        entry
        for manuscript in _manuscripts(folder)
        for entry in manuscript.bibliography.entries
        if present(folder, entry.key_span) in (finding.span, finding.related[0].span)
    ]
    pair = sorted({(entry.path, entry.start): entry for entry in entries}.values(), key=lambda e: (e.path, e.start))
    if len(pair) != 2:
        return
    texts = {entry.path: text for entry in pair if (text := _text(folder, entry.path)) is not None}
    reading = [m for m in _manuscripts(folder) if any(b.path in texts for b in m.bibliographies)]
    orders = [(pair[0], pair[1])] if pair[0].key == pair[1].key else [(pair[0], pair[1]), (pair[1], pair[0])]
    for keep, drop in orders:
        fix = merge_entries(keep, drop, reading, texts)
        if fix is not None:
            yield fix


def _removal(folder: Folder, path: str, keys: Sequence[str]) -> Fix | None:
    manuscript = manuscript_of(folder, path)
    text = _text(folder, path)
    if manuscript is None or text is None:
        return None
    by_key = manuscript.bibliography.by_key
    entries: list[BibEntry] = [by_key[key] for key in keys if key in by_key and by_key[key].path == path]
    return remove_entries(entries, {path: text})


def _manuscripts(folder: Folder) -> list[Manuscript]:
    outcome = folder.outcome
    return [root.analysis.manuscript for root in outcome.roots.values()] if outcome is not None else []


def _manuscript(folder: Folder, item: Item) -> Manuscript | None:
    root = folder.outcome.roots.get(item.root) if folder.outcome is not None else None
    return root.analysis.manuscript if root is not None else None


def _text(folder: Folder, path: str) -> str | None:
    """The text in which the places of the last analysis count."""
    snapshot = folder.outcome.snapshots.get(path) if folder.outcome is not None else None
    return snapshot.text if snapshot is not None else None


def _edit_action(session: Session, folder: Folder, fix: Fix, about: list[Finding]) -> Iterator[lsp.CodeAction]:
    edits = [Edit(now, edit.text) for edit in fix.edits if (now := present(folder, edit.span)) is not None]
    if len(edits) != len(fix.edits):
        return  # what it would change is being edited
    edit = workspace_edit(edits, session.border(folder), session.takes_versions)
    if edit is None:
        return
    yield lsp.CodeAction(
        title=fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=_shown(session, folder, about) or None,
        edit=edit if fix.safe else _to_review(session, edit, fix.title),
        is_preferred=True if fix.safe else None,
    )


def _to_review(session: Session, edit: lsp.WorkspaceEdit, title: str) -> lsp.WorkspaceEdit:
    """The edit with a mark that makes clients show a preview first; as it is for clients without such marks."""
    workspace = session.capabilities.workspace
    capability = workspace.workspace_edit if workspace else None
    if not (capability and capability.change_annotation_support and edit.document_changes):
        return edit
    changes = [
        lsp.TextDocumentEdit(
            text_document=change.text_document,
            edits=[
                lsp.AnnotatedTextEdit(range=one.range, new_text=one.new_text, annotation_id=_REVIEW)
                for one in change.edits
                if isinstance(one, lsp.TextEdit)
            ],
        )
        for change in edit.document_changes
        if isinstance(change, lsp.TextDocumentEdit)
    ]
    mark = lsp.ChangeAnnotation(label=title, needs_confirmation=True, description="From a bibliographic record")
    return lsp.WorkspaceEdit(document_changes=changes, change_annotations={_REVIEW: mark})


def _shown(session: Session, folder: Folder, about: list[Finding]) -> list[lsp.Diagnostic]:
    border = session.border(folder)
    return [
        diagnostic(finding, snapshot, border)
        for finding in about
        if (snapshot := folder.snapshot(finding.span.path)) is not None
    ]


def _command(title: str, command: str, argument: dict[str, str], diagnostics: list[lsp.Diagnostic]) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=diagnostics or None,
        command=lsp.Command(title=title, command=command, arguments=[argument]),
    )
