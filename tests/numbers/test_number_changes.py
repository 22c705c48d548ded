"""A changed cell or macro moves every number of the text that depends on it."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.facts.number_changes import macro_definitions, number_changes
from analyzers.fixes import apply_edits
from analyzers.project.manuscript import Manuscript

PAPER = r"""\newcommand{\ours}{Foxel}
\newcommand{\mainacc}{74.31}
\begin{document}
\begin{abstract}Foxel reaches 74.3\% accuracy, 2.0 points more than Alpha.\end{abstract}

\section{Results}
Table~\ref{tab:main} shows that \ours has an accuracy of \mainacc\% and Alpha has a latency of 18.9~ms.
It improves the accuracy of Alpha by 2.8\%.

\begin{table}\caption{Results.}\label{tab:main}
\begin{tabular}{lcc}\toprule
Method & Accuracy (\%) & Latency (ms) \\ \midrule
Alpha & 72.31 & 18.9 \\
\ours & \mainacc & 12.4 \\ \bottomrule
\end{tabular}\end{table}
\end{document}
"""


def paper(text: str) -> Manuscript:
    return manuscript_of({"main.tex": text})


def applied(was: str, now: str, base: str = PAPER) -> str:
    """The text after the edit and all that follows from it."""
    assert was in base
    text = base.replace(was, now, 1)
    edits = [edit for change in number_changes(paper(base), paper(text)) for edit in change.fix.edits]
    return apply_edits(text, dict.fromkeys(edits))


def test_a_macro_moves_literals_and_differences() -> None:
    text = applied("{74.31}", "{76.62}")
    assert r"reaches 76.6\% accuracy, 4.3 points more" in text
    assert r"by 6.0\%" in text
    assert r"accuracy of \mainacc\%" in text


def test_a_cell_moves_its_number_and_its_differences() -> None:
    text = applied("72.31", "73.31")
    assert r"74.3\% accuracy, 1.0 points more" in text
    assert r"by 1.4\%" in text
    moved = applied("Alpha & 72.31 & 18.9", "Alpha & 72.31 & 19.4")
    assert "latency of 19.4~ms" in moved
    assert "2.0 points" in moved


def test_a_cell_with_fewer_decimals_moves_its_literal_along() -> None:
    assert "latency of 19~ms" in applied("Alpha & 72.31 & 18.9", "Alpha & 72.31 & 19")


def test_title_and_preview_tell_what_happens() -> None:
    text = PAPER.replace("18.9 \\\\", "19.4 \\\\")
    (change,) = number_changes(paper(PAPER), paper(text))
    assert change.fix.title == "Update 1 linked place (18.9 → 19.4)"
    assert change.before == "18.9"
    assert change.after == "19.4"
    assert paper(text).text(change.place) == "19.4"
    assert (change.name, change.preview) == ("Alpha, Latency (ms)", ("main.tex: 18.9 → 19.4",))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Foxel reaches", "Our Foxel reaches"),  # nothing that a number depends on
        ("12.4 \\\\", "12.5 \\\\"),  # a cell that nothing is linked to
        ("Alpha & 72.31", "Beta & 72.31"),  # a name
        ("\\bottomrule", "Gamma & 71.00 & 17.0 \\\\ \\bottomrule"),  # a row more
    ],
)
def test_nothing_to_update(was: str, now: str) -> None:
    assert number_changes(paper(PAPER), paper(PAPER.replace(was, now, 1))) == ()


def test_a_sentence_that_was_edited_too_is_left_alone() -> None:
    text = PAPER.replace("18.9 \\\\", "19.4 \\\\").replace("latency of 18.9~ms", "latency of 19.4~ms")
    assert number_changes(paper(PAPER), paper(text)) == ()


def test_paragraphs_may_move_before_the_update() -> None:
    text = PAPER.replace("18.9 \\\\", "19.4 \\\\").replace(
        "\\section{Results}", "\\section{Intro}\nA new paragraph.\n\n\\section{Results}"
    )
    (change,) = number_changes(paper(PAPER), paper(text))
    assert [edit.text for edit in change.fix.edits] == ["19.4"]


def test_typed_copies_of_a_macro_move_without_a_table() -> None:
    base = (
        "\\newcommand{\\acc}{74.31}\n\\begin{document}\nIt has \\acc\\%. Later, 74.31\\% is discussed.\n\\end{document}"
    )
    assert "Later, 75.2\\% is" not in base
    assert "Later, 75.22\\% is discussed" in applied("{74.31}", "{75.22}", base)


def test_macro_definitions_are_found_in_their_files() -> None:
    manuscript = manuscript_of({"main.tex": "\\input{defs}\n\\acc", "defs.tex": "\\newcommand{\\acc}{1.5}"})
    assert manuscript.text(macro_definitions(manuscript)["acc"]) == "1.5"


def test_equal_manuscripts_change_nothing() -> None:
    assert number_changes(paper(PAPER), paper(PAPER)) == ()
    assert number_changes(paper(""), paper(PAPER)) == ()
