"""Damaged manuscripts: nothing raises, spans stay inside, and edits give what a fresh reading gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.checks import ALL_CHECKS
from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.number_changes import number_changes
from analyzers.facts.number_links import number_links
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.reader import MemoryReader
from server.number_views import number_hints, number_hover, number_lens, numbers_of_cell, unknown_list

TEXT = r"""\newcommand{\ours}{Foxel}\newcommand{\acc}{74.31}
\title{Foxel: Budgets}
\begin{document}
\begin{abstract}\ours reaches 73.4\% accuracy, 2.0 points more than Alpha, with no fine-tuning.\end{abstract}

\section{Results}
Table~\ref{t} shows that it is best on all two datasets. Its latency of \SI{12.4}{\second} is higher than that of Alpha.
We fine-tune all layers of $n=38$ models, 2.8\% faster.

\begin{table}\caption{Best in \textbf{bold}.}\label{t}
\begin{tabular}{l S c cc}\toprule
\multirow{2}{*}{Method} & \multicolumn{2}{c}{Accuracy (\%)} & Avg. & Latency (ms) \\ \cmidrule(lr){2-3}
 & News & Web & & \\ \midrule
Alpha & 72.3 & \textbf{78.0} & 75.2 & 18.9 \\
Beta & 70.1 & 77.1 & 73.6 & \textbf{11.0} \\
\ours & \textbf{\acc} & 75.6 & 70.0 & 12.4 \\ \bottomrule
\end{tabular}\end{table}

\section{Conclusion}
\ours reaches 74.3\% without fine-tuning the layers.
\end{document}
"""
CODES = tuple(check.code for check in ALL_CHECKS if check.code.startswith(("TAB", "NUM", "CMP", "CON00")))
EDITS = st.tuples(
    st.integers(0, len(TEXT) - 1), st.integers(0, 6), st.text(alphabet="{}&\\$%0123456789.,-~\n[]()abx", max_size=3)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(EDITS, min_size=1, max_size=6))
def test_damaged_manuscripts_are_read_without_raising(edits: list[tuple[int, int, str]]) -> None:
    text = TEXT
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    manuscript = manuscript_of({"main.tex": text})
    analysis = analyse(manuscript, Configuration(select=CODES), candidates=True)
    assert [note.message for note in analysis.notes if "could not finish" in note.message] == []
    for finding in analysis.findings:
        for span in (finding.span, *(place.span for place in finding.related)):
            assert 0 <= span.start <= span.end <= len(text)
    for offset in range(0, len(text), 97):
        number_hover(manuscript, "main.tex", offset)
        numbers_of_cell(manuscript, "main.tex", offset)
    number_lens(manuscript)
    assert all(hint.span.end <= len(text) for hint in number_hints(manuscript, "main.tex"))
    assert all(item.reason for item in unknown_list(manuscript))
    number_changes(manuscript_of({"main.tex": TEXT}), manuscript)


@settings(max_examples=40, deadline=None)
@given(st.lists(EDITS, min_size=1, max_size=5))
def test_links_of_edited_manuscripts_equal_fresh_ones(edits: list[tuple[int, int, str]]) -> None:
    library = Library(MemoryReader({"main.tex": TEXT}))
    manuscript = assemble(library, "main.tex")
    number_links(manuscript)
    for at, length, new in edits:
        document = manuscript.files["main.tex"]
        start = min(at, len(document.text))
        library.open("main.tex", document.edit(start, min(start + length, len(document.text)), new))
        manuscript = assemble(library, "main.tex", previous=manuscript)
        links = number_links(manuscript)
    fresh = number_links(assemble(Library(MemoryReader({"main.tex": manuscript.files["main.tex"].text})), "main.tex"))
    assert [(link.entry, link.link) for link in links.links] == [(link.entry, link.link) for link in fresh.links]
    assert [place.table for place in links.tables] == [place.table for place in fresh.tables]
