"""`textDocument/codeAction`: fixes, all safe fixes, allowing a finding with a comment, dismissing it.

Which findings are meant is read from the `data` of the diagnostics, never from their ranges: some clients send them in
other units than negotiated.  Edits are made from the session's own places and carry the version of the document.
"""

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from analyzers.finding import Finding, Tier
from analyzers.suppression import suppress_here
from server.citation_actions import citation_actions
from server.convert import SOURCE, diagnostic, workspace_edit
from server.edits import safe_edits
from server.folders import OpenFile
from server.handlers.commands import DISMISS
from server.handlers.review_actions import review_actions
from server.number_actions import number_actions
from server.positions import to_offsets
from server.protocol import Server
from server.session import Session

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.{SOURCE}"
_MAX_FINDINGS = 20


def register(server: Server, session: Session) -> None:
    """Registers the handler."""
    options = lsp.CodeActionOptions(
        code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite, FIX_ALL]
    )

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        file = session.file(params.text_document.uri)
        if file is None:
            return []
        actions: list[lsp.CodeAction] = []
        if _wants(params.context.only, lsp.CodeActionKind.QuickFix.value):
            findings = meant(session, file, params)[:_MAX_FINDINGS]
            actions += citation_actions(session, file, params.range, findings)
            actions += review_actions(session, file, findings)
            for finding in findings:
                if finding.tier is Tier.REVIEWED:
                    continue
                actions += _actions(session, file, finding)
        if _wants(params.context.only, lsp.CodeActionKind.RefactorRewrite.value):
            actions += number_actions(session, file, params.range)
        if _wants(params.context.only, FIX_ALL):
            actions += _fix_all(session, file)
        return actions


def meant(session: Session, file: OpenFile, params: lsp.CodeActionParams) -> list[Finding]:
    """The findings an action is asked for: those the diagnostics name, else those in the range."""
    findings = session.findings(file.folder, file.path)
    named = {
        data["fingerprint"]
        for item in params.context.diagnostics
        if isinstance(data := item.data, dict) and isinstance(data.get("fingerprint"), str)
    }
    if named:
        return [finding for finding in findings if finding.fingerprint in named]
    start, end = to_offsets(file.document, params.range, session.encoding)
    return [finding for finding in findings if finding.span.start <= end and start <= finding.span.end]


def _wants(only: Sequence[str] | None, kind: str) -> bool:
    return only is None or any(kind == wanted or kind.startswith(f"{wanted}.") or not wanted for wanted in only)


def _actions(session: Session, file: OpenFile, finding: Finding) -> Iterator[lsp.CodeAction]:
    border = session.border(file.folder)
    shown = [diagnostic(finding, file.document, border)]
    fixes = list(finding.fixes)
    allow = suppress_here(finding, file.document.text) if finding.fingerprint else None
    for fix in (*fixes, *([allow] if allow is not None else [])):
        edit = workspace_edit(fix.edits, border, session.takes_versions)
        if edit is not None:
            yield lsp.CodeAction(
                title=fix.title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=shown,
                edit=edit,
                is_preferred=True if fix.safe else None,
            )
    if finding.fingerprint:
        title = f"Dismiss this {finding.code}"
        arguments = [{"uri": file.uri, "fingerprint": finding.fingerprint}]
        yield lsp.CodeAction(
            title=title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=shown,
            command=lsp.Command(title=title, command=DISMISS, arguments=arguments),
        )


def _fix_all(session: Session, file: OpenFile) -> list[lsp.CodeAction]:
    edits = safe_edits(session.findings(file.folder, file.path))
    edit = workspace_edit(edits, session.border(file.folder), session.takes_versions) if edits else None
    if edit is None:
        return []
    return [lsp.CodeAction(title="Apply all safe fixes of this file", kind=FIX_ALL, edit=edit)]
