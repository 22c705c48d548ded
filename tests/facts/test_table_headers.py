"""What rows and columns mean: header paths, roles, directions, units, groups, orientation."""

import pytest

from analyzers.facts.tables import Direction, Orientation, Role, Table, read_tables
from analyzers.facts.tables.headers import caption_direction, caption_meaning, header_unit, meaning


def only(source: str, **options: object) -> Table:
    (table,) = read_tables(source, **options)  # type: ignore[arg-type]
    return table


MEANINGS = [
    ("Accuracy (%) ↑", Role.METRIC, Direction.HIGHER, "%"),
    ("Latency (ms)", Role.METRIC, Direction.LOWER, "ms"),
    ("Time [s]", Role.METRIC, Direction.LOWER, "s"),
    ("Test Acc.", Role.METRIC, Direction.HIGHER, None),
    ("Custom ↓", Role.METRIC, Direction.LOWER, None),
    ("F1", Role.METRIC, Direction.HIGHER, None),
    ("Perplexity", Role.METRIC, Direction.LOWER, None),
    ("Avg.", Role.AVG, Direction.UNKNOWN, None),
    ("Total", Role.TOTAL, Direction.UNKNOWN, None),
    ("Δ", Role.DELTA, Direction.UNKNOWN, None),
    ("δ", Role.HYPER, Direction.UNKNOWN, None),
    ("T", Role.UNKNOWN, Direction.UNKNOWN, None),
    ("# Params", Role.HYPER, Direction.UNKNOWN, None),
    ("#Examples", Role.COUNT, Direction.UNKNOWN, None),
    ("Std", Role.SPREAD, Direction.UNKNOWN, None),
    ("Method", Role.ID, Direction.UNKNOWN, None),
    ("Learning rate", Role.HYPER, Direction.UNKNOWN, None),
    ("Throughput (tokens/s)", Role.METRIC, Direction.HIGHER, "token/s"),
    ("SciQA", Role.UNKNOWN, Direction.UNKNOWN, None),
]


@pytest.mark.parametrize(("text", "role", "direction", "unit"), MEANINGS)
def test_a_header_text(text: str, role: Role, direction: Direction, unit: str | None) -> None:
    found = meaning(text)
    assert (found.role, found.direction) == (role, direction)
    assert (found.unit.symbol if found.unit else None) == unit


def test_a_users_metric_overrides_the_list() -> None:
    assert meaning("Accuracy", {"accuracy": Direction.LOWER}).direction is Direction.LOWER
    assert meaning("Zorp", {"zorp": Direction.HIGHER}).role is Role.METRIC


def test_units_in_headers() -> None:
    assert [unit.symbol for text in ("Size in MB", "Recall %", "Zeit (in ms)", "Energy, kWh") if (unit := header_unit(text))] == [
        "MB", "%", "ms", "kWh",
    ]  # fmt: skip


def test_captions() -> None:
    assert caption_meaning("Accuracy (%) on four test sets.").metric == "accuracy"
    assert caption_meaning("Accuracy and latency of all methods.").metric is None
    assert caption_direction("Results; lower is better.") is Direction.LOWER
    assert caption_direction("Higher is better for F1, lower is better for WER.") is Direction.UNKNOWN


MAIN = r"""
\begin{table}\caption{Accuracy (\%) on the test sets.}\label{tab:main}
\begin{tabular}{l S[table-format=2.1] ccc}
\toprule
\multirow{2}{*}{Method} & \multicolumn{3}{c}{Accuracy (\%) $\uparrow$} & \multirow{2}{*}{Avg.} \\
\cmidrule(lr){2-4}
 & One & Two & Three & \\
\midrule
\multicolumn{5}{l}{\emph{Baselines}} \\
Alpha \cite{a} & 62.0 & 68.4 & 41.2 & 57.2 \\
Beta & 70.1 & 71.9 & 45.0 & 62.3 \\
\midrule
\multicolumn{5}{l}{\emph{Ours}} \\
Gamma & \textbf{74.3} & \textbf{75.6} & \textbf{49.1} & \textbf{66.3} \\
\bottomrule
\end{tabular}\end{table}"""


def test_a_table_of_results() -> None:
    table = only(MAIN)
    assert (table.header_rows, table.label_columns, table.orientation) == (2, 1, Orientation.ROWS)
    assert [column.role for column in table.columns] == [Role.ID, Role.METRIC, Role.METRIC, Role.METRIC, Role.AVG]
    assert {column.direction for column in table.columns[1:]} == {Direction.HIGHER}
    assert {column.unit.symbol for column in table.columns[1:] if column.unit} == {"%"}
    assert table.columns[2].path == ("Accuracy (%) ↑", "Two")
    cell = table.at(3, 2)
    assert cell is not None
    assert (cell.text, cell.row_path, cell.column_path) == ("68.4", ("Baselines", "Alpha"), ("Accuracy (%) ↑", "Two"))
    assert [row.header for row in table.rows] == [True, True, True, False, False, True, False]
    assert table.groups == ((2, 5), (5, 7))
    assert table.label_key == "tab:main"


def test_a_transposed_table() -> None:
    source = r"""\begin{tabular}{lccc} \toprule Metric & A & B & C \\ \midrule
    Accuracy (\%) & 74.3 & 72.3 & 70.1 \\ Latency (ms) $\downarrow$ & 12.4 & 18.9 & 20.1 \\ \bottomrule \end{tabular}"""
    table = only(source)
    assert table.orientation is Orientation.COLUMNS
    assert [row.direction for row in table.rows[1:]] == [Direction.HIGHER, Direction.LOWER]
    assert [row.unit.symbol for row in table.rows[1:] if row.unit] == ["%", "ms"]


def test_a_second_header_in_the_middle() -> None:
    source = r"""\begin{tabular}{lcc} \toprule Method & BLEU & ROUGE \\ \midrule a & 1.5 & 2.5 \\ b & 1.6 & 2.6 \\ \midrule
    Method & WER & CER \\ \midrule a & 3.5 & 4.5 \\ b & 3.6 & 4.6 \\ \bottomrule \end{tabular}"""
    table = only(source)
    first, second = table.at(1, 1), table.at(4, 1)
    assert first is not None
    assert second is not None
    assert (first.column_path, second.column_path) == (("BLEU",), ("WER",))


def test_a_grid_of_lines_has_a_header_and_no_groups() -> None:
    source = r"""\begin{tabular}{|l|c|c|} \hline Method & Acc & F1 \\ \hline a & 1.5 & 2.5 \\ \hline b & 1.6 & 2.6 \\ \hline
    c & 1.7 & 2.7 \\ \hline \end{tabular}"""
    table = only(source)
    assert table.header_rows == 1
    assert table.groups == ((1, 4),)


def test_no_header_where_there_is_none() -> None:
    assert only(r"\begin{tabular}{lcc} a & 1.5 & 2.5 \\ b & 1.6 & 2.6 \\ \end{tabular}").header_rows == 0


def test_whole_numbers_may_head_columns() -> None:
    table = only(
        r"\begin{tabular}{lccc} \toprule Shots & 1 & 2 & 4 \\ \midrule a & 1.5 & 2.5 & 3.5 \\ b & 1.6 & 2.6 & 3.6 \\ \end{tabular}"
    )
    assert table.header_rows == 1
    assert table.columns[3].path == ("4",)


def test_keys_in_the_first_column_name_rows() -> None:
    table = only(
        r"\begin{tabular}{cc} \toprule $k$ & Accuracy \\ \midrule 1 & 70.1 \\ 2 & 71.2 \\ 4 & 72.3 \\ \end{tabular}"
    )
    assert table.label_columns == 1
    assert table.rows[2].path == ("2",)


def test_ranks_in_front_of_names() -> None:
    table = only(
        r"\begin{tabular}{clc} \toprule Rank & Name & RMSE \\ \midrule 1 & GS & 4.32 \\ 2 & WMT & 4.71 \\ 2 & QQQ & 5.06 \\ \end{tabular}"
    )
    assert table.label_columns == 2
    assert table.rows[2].path == ("2", "WMT")


def test_counts_under_a_metric_name_are_no_metric() -> None:
    table = only(
        r"\begin{tabular}{lcc} \toprule Split & PER & LOC \\ \midrule train & 6418 & 3296 \\ dev & 793 & 409 \\ \end{tabular}"
    )
    assert table.columns[1].role is Role.UNKNOWN


def test_a_column_of_units_gives_rows_their_unit() -> None:
    table = only(
        r"\begin{tabular}{lcl} \toprule Parameter & Value & Unit \\ \midrule length & 2.5 & mm \\ time & 1.5 & h \\ \end{tabular}"
    )
    assert [row.unit.symbol for row in table.rows[1:] if row.unit] == ["mm", "h"]


def test_a_caption_says_which_way_is_better() -> None:
    table = only(
        r"\begin{table}\caption{Results. Lower is better.}\begin{tabular}{lc} \toprule Method & Custom score \% \\ \midrule a & 1.5 \\ b & 1.6 \\ \end{tabular}\end{table}"
    )
    assert table.columns[1].direction in (Direction.LOWER, Direction.HIGHER)


def test_noise_levels_head_columns() -> None:
    table = only(
        r"\begin{tabular}{lccc} \toprule Method & 0.0 & 0.1 & 0.2 \\ \midrule a & 1.5 & 2.5 & 3.5 \\ b & 1.6 & 2.6 & 3.6 \\ \end{tabular}"
    )
    assert table.header_rows == 1
    assert table.columns[2].path == ("0.1",)
