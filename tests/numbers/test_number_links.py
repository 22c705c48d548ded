"""Numbers of a manuscript joined to its tables, and what an edit keeps."""

import gc
import time
import weakref

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.facts.alignment import Reason, Refuted, Unknown, Verified
from analyzers.facts.number_links import (
    count_reasons,
    lens_text,
    number_links,
    number_summary,
    own_names,
    tables_in,
    unknown_numbers,
)
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import MemoryReader
from analyzers.text.document import Document

TABLE = r"""\begin{table}\caption{Test results.}\label{tab:main}
\begin{tabular}{lcc}\toprule
Method & Accuracy (\%) & Latency (ms) \\ \midrule
Alpha & 72.3 & 18.9 \\
\ours & 74.3 & 12.4 \\ \bottomrule
\end{tabular}\end{table}
"""
TEXT = r"""\newcommand{\ours}{Foxel}
\begin{document}
\begin{abstract}Foxel reaches 74.3\% accuracy, 2.0 points more than Alpha.\end{abstract}

\section{Results}
Table~\ref{tab:main} shows that \ours has an accuracy of 74.3\% and a latency of 12.4~ms.
It improves the accuracy of Alpha by 2.8\%. In 2019, we used 17 graphics cards.

TABLE
\end{document}
"""


def filled(table: str = TABLE) -> str:
    return TEXT.replace("TABLE", table)


def paper(text: str = filled()) -> Manuscript:
    return manuscript_of({"main.tex": text})


def verdicts(manuscript: Manuscript) -> dict[str, type]:
    return {link.quantity.text: type(link.link) for link in number_links(manuscript).links}


def test_numbers_are_verified_by_two_kinds_of_evidence() -> None:
    found = verdicts(paper())
    assert found["74.3"] is Verified
    assert found["12.4"] is Verified
    assert found["2.0"] is Verified
    assert found["2.8"] is Verified
    assert found["17"] is Unknown


def test_summary_counts_neither_names_nor_years() -> None:
    summary = number_summary(paper())
    assert (summary.total, summary.verified, summary.refuted, summary.unknown) == (6, 5, 0, 1)
    assert lens_text(summary) == "5 of 6 numbers found in tables"


def test_lens_is_empty_without_tables() -> None:
    assert lens_text(number_summary(paper("It reaches 74.3\\% accuracy."))) == ""
    assert number_summary(paper("")).total == 0


def test_a_wrong_number_is_refuted() -> None:
    manuscript = paper(
        filled().replace("accuracy of 74.3", "accuracy of 71.9").replace(" and a latency of 12.4~ms", "")
    )
    links = number_links(manuscript)
    refuted = [(link.quantity.text, str(outcome.expected)) for link, outcome in links.refuted()]
    assert refuted == [("71.9", "74.3")]
    link, outcome = next(links.refuted())
    cell, span = links.cell(outcome)
    assert cell.text == "74.3"
    assert manuscript.text(span) == "74.3"
    assert manuscript.text(links.span(link)) == "71.9"


def test_unknown_numbers_have_reasons() -> None:
    manuscript = paper()
    assert [(text, reason) for _, text, reason in unknown_numbers(manuscript)] == [("17", Reason.NO_CELL)]
    assert count_reasons(manuscript) == {Reason.NO_CELL: 1}


def test_own_names_come_from_macros_and_title() -> None:
    assert own_names(paper()) == {"Foxel": (), "Ours": ("Foxel",)}
    titled = paper("\\title{RouteX: Routing under Budgets}\n\\begin{document}\nText.\n\\end{document}")
    assert "RouteX" in own_names(titled)
    assert own_names(paper("Plain text.")) == {}


def test_a_caption_speaks_of_its_own_table() -> None:
    text = TABLE.replace("Test results.", "Alpha has a latency of 18.9~ms.")
    assert verdicts(paper(text))["18.9"] is Verified


def test_unreadable_tables_verify_nothing() -> None:
    broken = TABLE.replace("{lcc}", "{lc}")
    assert set(verdicts(paper(filled(broken))).values()) == {Unknown}


def edited(base: str, other: str) -> tuple[Manuscript, Manuscript]:
    """A manuscript after an edit, once from the manuscript before it, once from scratch."""
    library = Library(MemoryReader({"main.tex": base}))
    first = assemble(library, "main.tex")
    number_links(first)
    library.open("main.tex", edit(first.files["main.tex"], other))
    return assemble(library, "main.tex", previous=first), paper(other)


def edit(document: Document, other: str) -> Document:
    start = 0
    old = document.text
    while start < min(len(old), len(other)) and old[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(old), len(other)) - start and old[-1 - end] == other[-1 - end]:
        end += 1
    return document.edit(start, len(old) - end, other[start : len(other) - end])


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("accuracy of 74.3", "accuracy of 71.9"),  # a number of the text
        ("Foxel}\n", "Wolfel}\n"),  # a macro
        ("& 74.3 &", "& 75.1 &"),  # a cell
        ("tab:main} shows", "tab:other} shows"),  # a reference
        ("\\section{Results}", "\\section{Conclusion}"),  # the section's class
        ("Accuracy (\\%) &", "Recall (\\%) &"),  # a header
    ],
)
def test_links_after_an_edit_equal_those_from_scratch(was: str, now: str) -> None:
    base = filled()
    assert was in base
    after, scratch = edited(base, base.replace(was, now, 1))
    assert [link.link for link in number_links(after).links] == [link.link for link in number_links(scratch).links]


def test_an_edit_of_prose_keeps_other_links() -> None:
    paragraphs = "\n\n".join(
        f"Table~\\ref{{tab:main}} shows that Foxel has an accuracy of 74.3\\% in case {i}." for i in range(400)
    )
    base = filled(TABLE + "\n" + paragraphs)
    library = Library(MemoryReader({"main.tex": base}))
    first = assemble(library, "main.tex")
    links = number_links(first)
    at = base.index("in case 200")
    library.open("main.tex", first.files["main.tex"].edit(at, at, "again "))
    second = assemble(library, "main.tex", previous=first)
    started = time.perf_counter()
    again = number_links(second)
    assert time.perf_counter() - started < 0.5
    assert again.aligner is links.aligner
    assert sum(isinstance(link.link, Verified) for link in again.links) == sum(
        isinstance(link.link, Verified) for link in links.links
    )


def test_the_same_manuscript_gives_the_same_links() -> None:
    manuscript = paper()
    assert number_links(manuscript) is number_links(manuscript)
    assert len(tables_in(manuscript)) == 1


def test_refuted_links_name_both_sides() -> None:
    text = filled().replace("by 2.8\\%", "by 9.9 points")
    links = number_links(paper(text))
    outcomes = [outcome for _, outcome in links.refuted()]
    assert len(outcomes) == 1
    assert isinstance(outcomes[0], Refuted)
    assert {links.cell(outcomes[0])[0].text, links.cell(outcomes[0], other=True)[0].text} == {"74.3", "72.3"}


def test_links_go_with_their_manuscript() -> None:
    manuscript = paper()
    number_links(manuscript)
    gone = weakref.ref(manuscript)
    del manuscript
    gc.collect()
    assert gone() is None
