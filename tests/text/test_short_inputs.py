"""Every short sequence of tokens is read to its end: no endless loop, nothing raises, masks and prose lie where they say.

Random texts hardly ever hold two given tokens side by side, so the short sequences are tried one and all.
"""

from itertools import product

import pytest

from analyzers.driver import analyse
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.reader import MemoryReader
from analyzers.text.document import Document
from analyzers.text.prose import prose

TOKENS = [
    "x", " ", "\n", "\n\n", "\r", "%", "%x\n", "$", "$$", "{", "}", "[", "]", "\\", "\\\\", "&", "\\cite{a}", "\\cite", "\\parencites(", "\\label{a}",
    "\\begin{verbatim}", "\\end{verbatim}", "\\begin{lstlisting}", "\\end{lstlisting}", "\\begin{comment}", "\\end{comment}", "\\begin{equation}",
    "\\end{equation}", "\\begin{tikzpicture}", "\\end{tikzpicture}", "\\begin{table}", "\\end{table}", "\\begin{tabular}{c}", "\\end{tabular}", "\\iffalse",
    "\\else", "\\fi", "\\newcommand{\\a}{b}", "\\newcommand{\\a}[1]{\\a#1}", "\\a", "\\verb||", "\\verb|", "\\lstinline{}", "\\item[", "\\caption{",
    "\\footnote{", "\\(", "\\)", "\\'", "\\begin{", "\\end{",
]  # fmt: skip
MORE_TOKENS = [
    *TOKENS, "~", "``", "--", "1", "1.5", "\u200b", "(AB)", "\\ref{a}", "\\input{a}", "\\section{", "\\section{A}", "\\begin{document}", "\\end{document}",
    "\\iftrue", "\\def\\a#1{x}", "\\let\\a", "\\item", "\\caption{}", "\\[", "\\]", "\\num{1}", "\\SI{1}{\\m}", "\\'{e}", "\\multicolumn{2}{c}{x}",
    "\\multirow{2}{*}{x}", "\\begin{itemize}", "\\end{itemize}", "\\begin{thebibliography}", "\\bibitem{a}", "\\appendix", "\\begin{theorem}",
    "\\end{theorem}", "\\bibliography{a}", "\\url{", "\\url|", "\\parencites(a)", "\\begin{abstract}", "\\end{abstract}",
]  # fmt: skip
OTHERS = {"a.tex": "b", "a.bib": "@book{a, title = {B}}"}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("first", TOKENS)
def test_three_tokens_are_read(first: str) -> None:
    for second, third in product(TOKENS, repeat=2):
        text = first + second + third
        document = Document(text)
        assert "".join(block.text for block in document.blocks) == text
        for block in document.blocks:
            size = len(block.text)
            assert all(0 <= mask.start < mask.end <= size for mask in block.lexed.masks), text
            written = prose(block.text, block.lexed)
            assert all(0 <= piece.source_start <= piece.source_end <= size for piece in written.pieces), text


@pytest.mark.timeout(300)
@pytest.mark.parametrize("first", MORE_TOKENS)
def test_two_tokens_are_analysed(first: str) -> None:
    for second in MORE_TOKENS:
        main = f"\\documentclass{{article}}\n\\begin{{document}}\n{first}{second}\n\\end{{document}}\n"
        analysis = analyse(assemble(Library(MemoryReader({"main.tex": main, **OTHERS})), "main.tex"))
        assert not any("could not finish" in note.message for note in analysis.notes), (second, analysis.notes)
        assert all(0 <= f.span.start <= f.span.end <= len(main) for f in analysis.findings if f.span.path == "main.tex")
