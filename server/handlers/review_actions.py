"""Code actions and lenses on the points of a review."""

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from analyzers.finding import Finding
from analyzers.fixes import Edit
from analyzers.review.points import PointKind
from analyzers.review.tracking import CODES, id_of
from analyzers.text.spans import Span
from server.convert import diagnostic, workspace_edit
from server.folders import OpenFile
from server.handlers.review import ACCEPT, ADDRESSED, DISMISS, OTHER_SIDE, RECHECK, SHOW_POINT
from server.places import present
from server.positions import to_range
from server.review_jobs import reviews_of
from server.session import Session

REASONS = ("not correct", "already in the paper", "out of scope")
_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}  # fmt: skip
_CODES = frozenset(code for code, _ in CODES.values())
_LENS = 80


def review_actions(session: Session, file: OpenFile, findings: Iterable[Finding]) -> list[lsp.CodeAction]:
    """The actions on those findings that are points of a review."""
    return [
        action
        for finding in findings
        if finding.code in _CODES and (name := id_of(finding.fingerprint)) is not None
        for action in _actions(session, file, finding, name)
    ]


def _actions(session: Session, file: OpenFile, finding: Finding, name: str) -> Iterator[lsp.CodeAction]:
    shown = [diagnostic(finding, file.document, session.border(file.folder))]
    item = reviews_of(session).ledger(file.folder).get(name)

    def command(title: str, command_name: str, **more: str) -> lsp.CodeAction:
        arguments = [{"uri": file.uri, "id": name, **more}]
        return lsp.CodeAction(
            title=title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=shown,
            command=lsp.Command(title=title, command=command_name, arguments=arguments),
        )

    yield command("Accept this point", ACCEPT)
    for reason in REASONS:
        yield command(f"Dismiss this point: {reason}", DISMISS, reason=reason)
    yield command("Mark as addressed", ADDRESSED)
    if item is not None and item.changed:
        yield command("Re-check this point", RECHECK)
    if finding.related:
        yield command("Go to the other side", OTHER_SIDE)
    yield command("Show the full point", SHOW_POINT)
    for title, edit in todo_edits(session, file, finding):
        change = workspace_edit((edit,), session.border(file.folder), session.takes_versions)
        if change is not None:
            yield lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=shown, edit=change)


def todo_edits(session: Session, file: OpenFile, finding: Finding) -> Iterator[tuple[str, Edit]]:
    """Ways to write a point into the source: a comment line above it, and `\\todo{}` where the package is loaded."""
    text = " ".join(finding.message.split())
    line, _ = file.document.lines.line_column(finding.span.start)
    start, _ = file.document.lines.line_span(line)
    source = file.document.text
    end_of_line = "\r\n" if "\r\n" in source[: start + 10_000] else "\n"
    yield "Insert as % TODO", Edit(Span(file.path, start, start), f"% TODO: {text}{end_of_line}")
    manuscript = reviews_of(session).manuscript(file.folder, file.path)
    if manuscript is not None and "todonotes" in manuscript.packages:
        plain = "".join(_SPECIAL.get(character, character) for character in text)
        yield "Insert as \\todo{}", Edit(Span(file.path, finding.span.end, finding.span.end), f"\\todo{{{plain}}}")


def review_lenses(session: Session, file: OpenFile) -> list[lsp.CodeLens]:
    """One lens at each decisive place of a weakness, question or task: what it is about, and the way to it."""
    lenses = []
    leads = {CODES[kind][0]: lead for kind, lead in _LEADS.items()}
    for finding in reviews_of(session).findings(file.folder, file.path):
        span, name = present(file.folder, finding.span), id_of(finding.fingerprint)
        if span is None or name is None:
            continue
        text = finding.message.partition(": ")[2]
        title = f"{leads[finding.code]}: {text[:_LENS]}{'…' if len(text) > _LENS else ''}"
        where = to_range(file.document, span.start, span.end, session.encoding)
        command = lsp.Command(title=title, command=SHOW_POINT, arguments=[{"uri": file.uri, "id": name}])
        lenses.append(lsp.CodeLens(range=where, command=command))
    return lenses


_LEADS = {
    PointKind.WEAKNESS: "weakness",
    PointKind.QUESTION: "question",
    PointKind.TODO: "to do",
    PointKind.CONTRADICTION: "contradiction",
}
