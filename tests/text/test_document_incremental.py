"""Invariant 2 for one file: an edited document equals a fresh one, in blocks, states, lexing and lines."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyzers.text.document import Document
from analyzers.text.lines import LineIndex

PIECES = [
    "a", "word ", "\n", "\n\n", "\r\n", "\r", "\r\n\r\n", " ", "%", "% note\n", "\\", "\\\\", "{", "}", "$", "$$", "[", "]",
    "\\begin{", "\\begin{figure}", "\\end{figure}", "\\begin{verbatim}", "\\end{verbatim}", "\\begin{equation}",
    "\\end{equation}", "\\begin{theorem}", "\\end{theorem}", "\\begin{tabular}", "\\end{tabular}", "\\begin{comment}", "\\end{comment}",
    "\\begin{abstract}", "\\end{abstract}", "\\begin{document}", "\\end{document}", "\\section{S}", "\\section", "\\iffalse", "\\fi",
    "\\else", "\\ifx", "\\verb|", "|", "\\newcommand{\\x}{", "\\newcommand{\\x}[1]{y}", "\\def\\y", "\\cite{k}", "\\label{l}", "\\ref{l}",
    "\\begin{itemize}", "\\item", "\\end{itemize}", "𝔸", "é", "\f", "\u2028", "\x00",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
edits = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 12), st.lists(st.sampled_from(PIECES), max_size=3).map("".join)),
    min_size=1,
    max_size=6,
)


def state(document: Document) -> list[tuple[object, ...]]:
    return [(block.text, block.stack, block.reach, block.lexed) for block in document.blocks]


@example("\\newcommand{\\x}[1]{y}", [(16, 2, "\\begin{theorem}\n"), (34, 0, "\\newcommand{\\x}[1]{y}")])
@settings(max_examples=1500, deadline=None)
@given(texts, edits)
def test_edited_equals_fresh(text: str, script: list[tuple[int, int, str]]) -> None:
    document = Document(text)
    for wanted, length, replacement in script:
        start = min(wanted, len(document.text))
        document = document.edit(start, start + length, replacement)
        fresh = Document(document.text)
        assert state(document) == state(fresh)
        assert "".join(block.text for block in document.blocks) == document.text


@settings(max_examples=300, deadline=None)
@given(texts)
def test_lines_equal_the_plain_index(text: str) -> None:
    document, plain = Document(text), LineIndex(text)
    assert document.lines.count == plain.count
    for offset in range(-1, len(text) + 2):
        assert document.lines.line_column(offset) == plain.line_column(offset)
    for line in range(plain.count + 2):
        assert document.lines.line_span(line) == plain.line_span(line)
        assert document.lines.offset(line, 3) == plain.offset(line, 3)
