"""Half-typed LaTeX damages one block at most: everything after it keeps its structure."""

import pytest

from analyzers.facts.citations import citations
from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, references
from analyzers.facts.view import sentences_of
from analyzers.text.document import Document

BEFORE = r"""\documentclass{article}
\begin{document}
\section{One}\label{sec:one}
Text before the place where somebody types. """
AFTER = r"""

Then comes a paragraph with $x = 1$ and \cite{key-a}.

\section{Two}\label{sec:two}
We refer to Section~\ref{sec:one} and \cite{key-b,key-c}. Price: \$5 for 3\% of it.
\begin{figure}
\caption{A figure.}\label{fig:a}
\end{figure}

\begin{equation}\label{eq:a}
a = b
\end{equation}

\begin{verbatim}
\cite{not-a-key} $ %
\end{verbatim}

\begin{theorem}\label{thm:a}
For all $n$, \ref{eq:a}.
\end{theorem}

\begin{itemize}
\item First \citep[see][p.~3]{key-d}.
\item Second.
\end{itemize}

\subsection{Three}\label{sec:three}
The end, as Figure~\ref{fig:a} shows.
\end{document}
"""
BREAKS = [
    "\\begin{", "\\begin{theorem}", "{", "\\textbf{", "$", "$$", "}", "\\end", "\\cite{", "\\verb|", "\\left", "\\footnote{", "\\sec", "\\", "\\[",
    "\\begin{verbatim}", "\\begin{figure}", "\\iffalse", "\\newcommand{\\x}{", "\\begin{equation}", "\\(", "\\begin{lstlisting}[", "\\caption[", "\\end{", "\\def\\a",
    "\\begin{tabular}{ll} a & b \\\\", "\\label{", "\\input{", "\\href{x}{", "%", "\\begin{comment}",
]  # fmt: skip


def structure_after(document: Document, offset: int) -> dict[str, list[object]]:
    macros = Macros()
    found: dict[str, list[object]] = {
        "labels": [],
        "references": [],
        "citations": [],
        "sections": [],
        "math": [],
        "sentences": [],
    }
    for block, start in zip(document.blocks, document.starts, strict=False):
        if start < offset:
            continue
        found["labels"] += [label.key for label in labels(block, macros)]
        found["references"] += [reference.key for reference in references(block, macros)]
        found["citations"] += [citation.key for citation in citations(block, macros)]
        found["sections"] += [command.name for command in block.lexed.commands if "section" in command.name]
        found["math"] += [block.text[s:e] for s, e in block.lexed.math]
        found["sentences"] += [block.text and sentence.kind for sentence in sentences_of(block, macros)]
    return found


@pytest.mark.parametrize("typed", BREAKS)
def test_the_rest_keeps_its_structure(typed: str) -> None:
    text = BEFORE + AFTER
    # Structure is compared from the first block after the paragraph in which the half-typed text stands.
    whole = Document(text)
    broken = Document(BEFORE + typed + AFTER)
    expected = structure_after(whole, len(BEFORE) + 1)
    found = structure_after(broken, len(BEFORE) + len(typed) + 1)
    assert len(expected["labels"]) == 5
    assert found == expected


@pytest.mark.parametrize("typed", BREAKS)
def test_typing_it_equals_reading_it(typed: str) -> None:
    document = Document(BEFORE + AFTER)
    for index, character in enumerate(typed):
        document = document.edit(len(BEFORE) + index, len(BEFORE) + index, character)
    fresh = Document(BEFORE + typed + AFTER)
    assert [(b.text, b.stack, b.lexed) for b in document.blocks] == [(b.text, b.stack, b.lexed) for b in fresh.blocks]
