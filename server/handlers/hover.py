"""`textDocument/hover`: the findings at a place, their other places, and the text of their rules."""

import re

from lsprotocol import types as lsp

from analyzers.finding import Finding
from analyzers.text.spans import Span
from server.citation_views import evidence_at
from server.convert import message
from server.folders import OpenFile
from server.positions import to_offset, to_range
from server.protocol import Server
from server.rules import explained, rule_called
from server.session import Session

_MAX_SHOWN = 3
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&$@:])")


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        file = session.file(params.text_document.uri)
        if file is None:
            return None
        offset = to_offset(file.document, params.position, session.encoding)
        here = [
            finding
            for finding in session.findings(file.folder, file.path)
            if finding.span.start <= offset < max(finding.span.end, finding.span.start + 1)
        ]
        known = evidence_at(session, file, offset)
        if not here and known is None:
            return None
        here.sort(key=lambda finding: (finding.severity.rank, finding.span.end - finding.span.start, finding.code))
        return _hover(session, file, here[:_MAX_SHOWN], known)


def _hover(
    session: Session, file: OpenFile, findings: list[Finding], known: tuple[list[str], Span] | None
) -> lsp.Hover:
    rich = _takes_markdown(session.capabilities)
    border = session.border(file.folder)
    parts = []
    for finding in findings:
        text = message(finding, border)
        head = f"{finding.code} {finding.name}".strip()
        parts.append(f"**{plain(head)}**\n\n{plain(text)}" if rich else f"{head}\n{text}")
    if known is not None:
        parts.append("  \n".join(map(plain, known[0])) if rich else "\n".join(known[0]))
    codes = dict.fromkeys(finding.code for finding in findings)
    parts += [explained(rule) for code in codes if (rule := rule_called(code)) is not None]
    kind = lsp.MarkupKind.Markdown if rich else lsp.MarkupKind.PlainText
    span = findings[0].span if findings or known is None else known[1]
    return lsp.Hover(
        contents=lsp.MarkupContent(kind=kind, value=("\n\n---\n\n" if rich else "\n\n").join(parts)),
        range=to_range(file.document, span.start, span.end, session.encoding),
    )


def _takes_markdown(capabilities: lsp.ClientCapabilities) -> bool:
    hover = capabilities.text_document.hover if capabilities.text_document else None
    formats = hover.content_format if hover else None
    return bool(formats) and lsp.MarkupKind.Markdown in (formats or ())


def plain(text: str) -> str:
    """`text` for Markdown, without markup: a key such as `![](https://…)` must not make the editor fetch a picture."""
    return "  \n".join(_MARKUP.sub(r"\\\1", line) for line in text.splitlines())
