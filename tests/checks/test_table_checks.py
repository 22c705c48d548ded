"""Table checks beyond their documented examples: conventions, rounding, groups, orientation, fixes, odd input."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import Check
from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Finding
from analyzers.fixes import apply_edits

CHECKS: dict[str, Check] = {check.code: check for check in ALL_CHECKS if check.code.startswith("TAB")}


def table(head: str, body: str, caption: str = "Results.", spec: str | None = None) -> str:
    columns = spec or "l" + "c" * head.count("&")
    return (
        f"\\begin{{table}}\\caption{{{caption}}}\n\\begin{{tabular}}{{{columns}}}\\toprule\n{head} \\\\ \\midrule\n{body}"
        "\n\\bottomrule\\end{tabular}\\end{table}\n"
    )


def findings(code: str, text: str) -> tuple[Finding, ...]:
    return analyse(manuscript_of({"main.tex": text}), Configuration(select=(code,))).findings


def flagged(code: str, text: str) -> list[str]:
    return [text[finding.span.start : finding.span.end] for finding in findings(code, text)]


def fixed(code: str, text: str) -> str:
    (finding,) = findings(code, text)
    return apply_edits(text, finding.fixes[0].edits)


BOLD = "Best in bold."
HEAD = "Method & News (\\%) & Web & Mail & Chat"


def test_bold_fix_moves_the_mark_and_nothing_else() -> None:
    text = table(
        "Method & F1 & Accuracy & Recall",
        "A & \\textbf{70.0} & 80.0 & 60.0 \\\\\nB & 69.0 & 81.0 & \\textbf{62.0} \\\\\nC & 68.0 & \\textbf{80.5} & 61.0 \\\\",
        BOLD,
    )
    assert flagged("TAB001", text) == ["\\textbf{80.5}"]
    assert fixed("TAB001", text) == text.replace("\\textbf{80.5}", "80.5").replace("81.0", "\\textbf{81.0}")


def test_bold_ties_by_rounding_are_no_fault() -> None:
    text = table(
        "Method & F1 & Accuracy & Recall",
        "A & \\textbf{70.0} & 80.0 & 60.0 \\\\\nB & 69.0 & 81 & \\textbf{62.0} \\\\\nC & 68.0 & \\textbf{80.7} & 61.0 \\\\",
        BOLD,
    )
    assert flagged("TAB001", text) == []


def test_bold_of_two_tied_winners() -> None:
    text = table(
        "Method & F1 & Accuracy & Recall",
        "A & \\textbf{70.0} & \\textbf{81.0} & 60.0 \\\\\nB & 69.0 & \\textbf{81.0} & \\textbf{62.0} \\\\\nC & 68.0 & 80.5 & 61.0 \\\\",
        BOLD,
    )
    assert flagged("TAB001", text) == []


@pytest.mark.parametrize(
    "caption", ["Bold marks margins over 5 points.", "Significant differences in bold.", "Our method in bold."]
)
def test_bold_with_another_meaning(caption: str) -> None:
    text = table(
        "Method & F1 & Accuracy & Recall",
        "A & \\textbf{70.0} & 80.0 & 60.0 \\\\\nB & 69.0 & 81.0 & \\textbf{62.0} \\\\\nC & 68.0 & \\textbf{80.5} & 61.0 \\\\",
        caption,
    )
    assert flagged("TAB001", text) == []


def test_bold_without_a_known_direction() -> None:
    text = table(
        "Item & Foo & Bar & Baz",
        "A & \\textbf{70.0} & 80.0 & 60.0 \\\\\nB & 69.0 & 81.0 & \\textbf{62.0} \\\\\nC & 68.0 & \\textbf{80.5} & 61.0 \\\\",
    )
    assert flagged("TAB001", text) == []


def test_direction_is_learnt_from_other_columns() -> None:
    text = table(
        "Method & Foo & Bar & Baz & Qux & Quux",
        "A & \\textbf{70.0} & 80.0 & 60.0 & \\textbf{51.0} & 41.0 \\\\\nB & 69.0 & 81.0 & \\textbf{62.0} & 50.0 & \\textbf{42.0} \\\\\n"
        "C & 68.0 & \\textbf{80.5} & 61.0 & 49.0 & 40.0 \\\\",
        "Scores on all sets; best in bold.",
    )
    assert flagged("TAB001", text) == ["\\textbf{80.5}"]


def test_metrics_in_rows() -> None:
    text = table(
        "Metric & Alpha & Beta & Gamma",
        "Accuracy & 70.0 & \\textbf{71.0} & 69.0 \\\\\nRecall & \\textbf{60.0} & 59.0 & 58.0 \\\\\nF1 & 60.0 & 62.0 & \\textbf{61.0} \\\\\n"
        "Precision & 40.0 & 42.0 & \\textbf{43.0} \\\\",
        BOLD,
    )
    assert flagged("TAB001", text) == ["\\textbf{61.0}"]


@pytest.mark.parametrize("row", ["Oracle", "Human", "Upper bound"])
def test_reference_rows_take_no_part(row: str) -> None:
    text = table(
        "Method & F1 & Accuracy & Recall",
        f"A & \\textbf{{70.0}} & 80.0 & 60.0 \\\\\nB & 69.0 & \\textbf{{80.4}} & \\textbf{{62.0}} \\\\\nC & 68.0 & 80.1 & 61.0 \\\\\n{row} & 60.0 & 99.0 & 62.0 \\\\",
        BOLD,
    )
    assert flagged("TAB001", text) == []


AVERAGES = "A & 61.0 & 70.1 & 44.0 & 58.4 \\\\\nB & 62.0 & 71.9 & 45.5 & 59.8 \\\\\nC & 64.2 & 73.0 & 47.1 & %s \\\\\nD & 65.2 & 73.3 & 47.4 & 62.0 \\\\"


@pytest.mark.parametrize(("average", "found"), [("61.4", []), ("61.5", []), ("61.9", ["61.9"]), ("64.1", ["64.1"])])
def test_averages_allow_rounding_and_cutting_off(average: str, found: list[str]) -> None:
    assert flagged("TAB002", table("Method & X & Y & Z & Avg.", AVERAGES % average)) == found


def test_average_fix_puts_the_mean() -> None:
    text = table("Method & X & Y & Z & Avg.", AVERAGES % "\\textbf{64.1}")
    assert fixed("TAB002", text) == text.replace("64.1", "61.4")


def test_average_of_the_columns_under_its_header() -> None:
    head = "Method & \\multicolumn{3}{c}{Seen} & \\multicolumn{3}{c}{Unseen} \\\\\n & News & Web & Avg. & Mail & Chat & Avg."
    body = "x & 10.0 & 20.0 & 15.0 & 30.0 & 40.0 & 35.0 \\\\\ny & 12.0 & 20.0 & 16.0 & 30.0 & 42.0 & 36.0 \\\\\nz & 14.0 & 20.0 & 17.0 & 30.0 & 44.0 & 39.0 \\\\\nw & 16.0 & 20.0 & 18.0 & 30.0 & 46.0 & 38.0 \\\\"
    text = table(head, body, spec="lcccccc")
    assert flagged("TAB002", text) == ["39.0"]


@pytest.mark.parametrize("total", ["4,840", "4840", "4{,}840"])
def test_totals_read_separators(total: str) -> None:
    body = f"News & 1,200 & 150 \\\\\nWeb & 2,300 & 250 \\\\\nMail & 410 & 40 \\\\\\midrule\nTotal & {total} & 440 \\\\"
    assert flagged("TAB003", table("Source & Train & Test", body)) == [total]
    assert "3,910" in fixed("TAB003", table("Source & Train & Test", body)).replace("3910", "3,910").replace(
        "3{,}910", "3,910"
    )


def test_total_of_rounded_shares_may_miss_a_hundred() -> None:
    body = "a & 33.3 & 10 \\\\\nb & 33.3 & 20 \\\\\nc & 33.3 & 30 \\\\\\midrule\nTotal & 100.0 & 60 \\\\"
    assert flagged("TAB003", table("Source & Share & Count", body)) == []


def test_delta_keeps_its_sign_when_fixed() -> None:
    body = "A & 61.0 & 64.5 & +3.5 \\\\\nB & 70.2 & 71.0 & +0.8 \\\\\nC & 44.0 & 43.1 & -1.9 \\\\\nD & 80.1 & 81.4 & +1.3 \\\\"
    text = table("Set & Base & Ours & $\\Delta$", body)
    assert flagged("TAB004", text) == ["-1.9"]
    assert fixed("TAB004", text) == text.replace("-1.9", "-0.9")


def test_delta_of_rounded_cells_may_be_off_by_one() -> None:
    body = "A & 61.0 & 64.5 & +3.5 \\\\\nB & 70.2 & 71.0 & +0.8 \\\\\nC & 44.0 & 47.3 & +3.4 \\\\\nD & 80.1 & 81.4 & +1.3 \\\\"
    assert flagged("TAB004", table("Set & Base & Ours & $\\Delta$", body)) == []


def test_impossible_values_read_both_scales() -> None:
    assert flagged(
        "TAB009", table("Model & Accuracy", "a & 0.91 \\\\\nb & 0.93 \\\\\nc & 9.2 \\\\\nd & 0.95 \\\\")
    ) == ["9.2"]
    assert flagged("TAB009", table("Model & Accuracy", "a & 91 \\\\\nb & 93 \\\\\nc & 100 \\\\\nd & 95 \\\\")) == []


def test_tables_that_cannot_be_read_are_left_alone() -> None:
    ragged = table("Method & X & Y & Avg.", "A & 1.0 & 2.0 & 9.0 & 4.0 \\\\\nB & 2.0 & 3.0 & 2.5 \\\\")
    nested = table("Method & X & Avg.", "A & \\begin{tabular}{c}1\\\\2\\end{tabular} & 9.0 \\\\\nB & 2.0 & 2.5 \\\\")
    for code in CHECKS:
        assert findings(code, ragged) == ()
        assert findings(code, nested) == ()


def test_long_tables_are_fast() -> None:
    body = "\n".join(f"r{i} & {i % 97}.5 & {i % 89}.5 & {(i % 97 + i % 89) / 2 + 0.5:.2f} \\\\" for i in range(1500))
    text = table("Method & X & Y & Avg.", body)
    manuscript = manuscript_of({"main.tex": text})
    analyse(manuscript, Configuration(select=("TAB007",)))
    started = time.perf_counter()
    analyse(manuscript, Configuration(select=tuple(CHECKS)))
    assert time.perf_counter() - started < 3.0


CELLS = st.sampled_from(
    [
        "1.0",
        "\\textbf{2.5}",
        "\\underline{3}",
        "--",
        "",
        "12 (3.4)",
        "$1.2 \\pm 0.3$",
        "99\\%",
        "{",
        "\\multirow{2}{*}{7}",
        "\\multicolumn{2}{c}{4.4}",
        "0",
        "-1",
        "1e400",
    ]
)
HEADS = st.sampled_from(
    ["Method", "Avg.", "Total", "$\\Delta$", "F1", "Precision", "Recall", "Accuracy (\\%)", "p-value", "n", ""]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(HEADS, min_size=2, max_size=6), st.data())
def test_no_table_raises(head: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(CELLS, min_size=1, max_size=7), max_size=6))
    text = table(
        " & ".join(head), "\n".join(" & ".join(row) + " \\\\" for row in rows), spec="l" + "c" * (len(head) - 1)
    )
    analysis = analyse(manuscript_of({"main.tex": text}), Configuration(select=tuple(CHECKS)))
    assert [note.message for note in analysis.notes if "could not finish" in note.message] == []
    for finding in analysis.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        for fix in finding.fixes:
            assert apply_edits(text, fix.edits) != text


def test_bold_among_the_rows_of_one_part() -> None:
    text = table(
        "Method & F1 & Accuracy & Recall & Precision",
        "A & 75.0 & 86.0 & 60.0 & 50.0 \\\\\nB & 69.0 & 81.0 & 62.0 & 51.0 \\\\\nC & 68.0 & 80.5 & 61.0 & 52.0 \\\\\\midrule\n"
        "D & 76.0 & \\textbf{84.0} & 60.0 & 53.0 \\\\\nE & \\textbf{79.0} & 81.0 & \\textbf{66.0} & 51.0 \\\\\nF & 68.0 & 80.5 & 61.0 & \\textbf{57.0} \\\\",
        "For open models (below), the best results are in bold.",
    )
    assert flagged("TAB001", text) == []
