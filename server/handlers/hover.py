"""`textDocument/hover`: the findings at a place with the text of their rules, and what is known of a citation, number or claim."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lsprotocol import types as lsp

from analyzers.finding import Finding
from analyzers.text.spans import Span
from server.citation_views import evidence_at
from server.convert import message
from server.folders import OpenFile
from server.graph_markup import hover_of, hover_text
from server.number_views import number_hover
from server.places import manuscript_of, past, present
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
        here.sort(key=lambda finding: (finding.severity.rank, finding.span.end - finding.span.start, finding.code))
        more = list(_more(session, file, offset))
        return _hover(session, file, here[:_MAX_SHOWN], more) if here or more else None


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a hover that is no finding: where it belongs, as plain text and as Markdown."""

    span: Span
    text: str
    rich: str


def _more(session: Session, file: OpenFile, offset: int) -> Iterator[_Part]:
    """What is known at an offset besides findings: the citation's evidence, the number's cell, the claim's support."""
    known = evidence_at(session, file, offset)
    if known is not None:
        yield _Part(known[1], "\n".join(known[0]), "  \n".join(map(plain, known[0])))
    manuscript = manuscript_of(file.folder, file.path)
    number = number_hover(manuscript, file.path, past(file.folder, file.path, offset)) if manuscript else None
    span = present(file.folder, number.span) if number is not None else None
    if number is not None and span is not None:
        lines = (number.heading, *number.lines)
        yield _Part(span, "\n".join(lines), f"**{plain(number.heading)}**\n\n" + "  \n".join(map(plain, number.lines)))
    node = hover_of(file.folder, file.path, offset)
    span = present(file.folder, node.span) if node is not None else None
    if node is not None and span is not None:
        yield _Part(span, hover_text(node, None), hover_text(node, plain))


def _hover(session: Session, file: OpenFile, findings: list[Finding], more: list[_Part]) -> lsp.Hover:
    rich = _takes_markdown(session.capabilities)
    border = session.border(file.folder)
    parts = []
    for finding in findings:
        text = message(finding, border)
        head = f"{finding.code} {finding.name}".strip()
        parts.append(f"**{plain(head)}**\n\n{plain(text)}" if rich else f"{head}\n{text}")
    parts += [part.rich if rich else part.text for part in more]
    codes = dict.fromkeys(finding.code for finding in findings)
    parts += [explained(rule) for code in codes if (rule := rule_called(code)) is not None]
    kind = lsp.MarkupKind.Markdown if rich else lsp.MarkupKind.PlainText
    span = findings[0].span if findings else more[0].span
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
