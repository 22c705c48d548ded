"""What editors show of numbers: hover, definition, lens, hints, unknown numbers, and pending changes."""

from analyzers.checks.examples import manuscript_of
from analyzers.project.manuscript import Manuscript
from server.number_views import (
    ChangeWatch,
    number_definition,
    number_hints,
    number_hover,
    number_lens,
    numbers_of_cell,
    unknown_list,
)

PAPER = r"""\newcommand{\mainacc}{74.3}
\begin{document}
\section{Results}
Table~\ref{tab:main} shows that Beta has an accuracy of \mainacc\% and Alpha has a latency of 18.9~ms.
Beta improves the accuracy of Alpha by 9.9 points. Elsewhere, 33.3 is quoted.

\begin{table}\caption{Results.}\label{tab:main}
\begin{tabular}{lcc}\toprule
Method & Accuracy (\%) & Latency (ms) \\ \midrule
Alpha & 72.3 & 18.9 \\
Beta & 74.3 & 12.4 \\ \bottomrule
\end{tabular}\end{table}
\end{document}
"""
MANUSCRIPT: Manuscript = manuscript_of({"main.tex": PAPER})


def at(words: str) -> int:
    return PAPER.index(words)


def test_hover_shows_cell_and_evidence() -> None:
    hover = number_hover(MANUSCRIPT, "main.tex", at("18.9~ms") + 1)
    assert hover is not None
    assert hover.heading == "18.9: found in a table"
    assert hover.lines[0] == "Cell: 18.9 (Alpha, Latency (ms))"
    assert hover.lines[-1].startswith(
        "Evidence: the sentence refers to the table; the row is named; the column is named"
    )
    assert MANUSCRIPT.text(hover.span) == "18.9"


def test_hover_of_a_refuted_difference_shows_both_cells() -> None:
    hover = number_hover(MANUSCRIPT, "main.tex", at("9.9 points"))
    assert hover is not None
    assert hover.heading == "9.9: refuted by a table"
    assert "The table gives 2." in " ".join(hover.lines)
    assert sum("72.3" in line or "74.3" in line for line in hover.lines) == 2


def test_hover_of_an_unknown_number_says_why() -> None:
    hover = number_hover(MANUSCRIPT, "main.tex", at("33.3"))
    assert hover is not None
    assert hover.lines == ("Reason: no cell has this value.",)
    assert number_hover(MANUSCRIPT, "main.tex", at("Results")) is None


def test_definition_leads_to_macro_and_cells() -> None:
    places = [MANUSCRIPT.text(span) for span in number_definition(MANUSCRIPT, "main.tex", at("\\mainacc\\%") + 2)]
    assert places == ["74.3", "74.3"]
    assert number_definition(MANUSCRIPT, "main.tex", at("\\mainacc\\%") + 2)[0].start == at("74.3}")
    assert {MANUSCRIPT.text(span) for span in number_definition(MANUSCRIPT, "main.tex", at("9.9 points"))} == {
        "72.3",
        "74.3",
    }
    assert number_definition(MANUSCRIPT, "main.tex", at("33.3")) == ()


def test_a_cell_knows_its_numbers() -> None:
    spans = numbers_of_cell(MANUSCRIPT, "main.tex", at("18.9 \\\\"))
    assert [span.start for span in spans] == [at("18.9~ms")]
    assert numbers_of_cell(MANUSCRIPT, "main.tex", at("12.4")) == ()


def test_lens_and_hints() -> None:
    lens = number_lens(MANUSCRIPT)
    assert lens is not None
    assert lens.title == "2 of 4 numbers found in tables, 1 refuted"
    hints = number_hints(MANUSCRIPT, "main.tex")
    assert [hint.label for hint in hints] == ["✓", "✓", "≠ 2"]
    assert number_hints(MANUSCRIPT, "other.tex") == ()
    assert number_lens(manuscript_of({"main.tex": "No numbers."})) is None


def test_unknown_numbers_are_listed_with_reasons() -> None:
    assert [(item.text, item.reason) for item in unknown_list(MANUSCRIPT)] == [("33.3", "no cell has this value")]


def test_pending_changes_last_until_the_text_follows() -> None:
    watch = ChangeWatch()
    assert watch.observe(MANUSCRIPT) == ()
    changed = PAPER.replace("18.9 \\\\", "19.4 \\\\")
    (change,) = watch.observe(manuscript_of({"main.tex": changed}))
    assert [edit.text for edit in change.fix.edits] == ["19.4"]
    # another edit elsewhere keeps it pending
    assert len(watch.observe(manuscript_of({"main.tex": changed.replace("Elsewhere", "Somewhere")}))) == 1
    assert len(watch.pending("main.tex")) == 1
    assert watch.observe(manuscript_of({"main.tex": changed.replace("18.9~ms", "19.4~ms")})) == ()
    assert watch.pending("main.tex") == ()


def test_accepting_and_forgetting() -> None:
    watch = ChangeWatch()
    watch.observe(MANUSCRIPT)
    changed = manuscript_of({"main.tex": PAPER.replace("18.9 \\\\", "19.4 \\\\")})
    assert watch.observe(changed)
    watch.accept(changed)
    assert watch.observe(changed) == ()
    watch.forget("main.tex")
    assert watch.pending("main.tex") == ()
