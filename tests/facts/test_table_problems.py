"""A table that cannot be read says why, and then says nothing else."""

from typing import NamedTuple

import pytest

from analyzers.facts.tables import read_table, read_tables


class Macro(NamedTuple):
    arity: int
    body: str


PROBLEMS = [
    ("too many cells", "\\begin{tabular}{lc} a & 1 & 2 \\\\ b & 3 \\\\ \\end{tabular}", "Row 1 has 3 cells"),
    ("unknown column type", "\\begin{tabular}{l ? c} a & 1 \\\\ b & 2 \\end{tabular}", "column type"),
    ("no specification", "\\begin{tabular} a & 1 \\\\ b & 2 \\end{tabular}", "no column specification"),
    ("open brace", "\\begin{tabular}{lc} {a & 1 \\\\ b & 2 \\end{tabular}", "braces"),
    ("closing brace", "\\begin{tabular}{lc} a} & 1 \\\\ b & 2 \\end{tabular}", "brace"),
    ("no end", "\\begin{tabular}{lc} a & 1 \\\\ b & 2", "no `\\end`"),
    ("rows from another file", "\\begin{tabular}{lc} \\input{rows} \\end{tabular}", "\\input"),
    ("rows from a loop", "\\begin{tabular}{lc} \\foreach \\x in {1,2} {a & \\x \\\\} \\end{tabular}", "\\foreach"),
    ("no rows", "\\begin{tabular}{lc} \\hline \\end{tabular}", "no rows"),
    ("star without a count", "\\begin{tabular}{l*{c}} a & 1 \\end{tabular}", "`*`"),
    ("no tabular at all", "\\begin{table}\\caption{C}\\pgfplotstabletypeset{x.csv}\\end{table}", "no table"),
]


@pytest.mark.parametrize(("source", "reason"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS])
def test_the_reason_is_given(source: str, reason: str) -> None:
    (table,) = read_tables(source)
    assert table.problem is not None
    assert reason in table.problem
    assert table.cells == ()
    assert table.numeric == ()


def test_an_unreadable_table_keeps_caption_label_and_files() -> None:
    (table,) = read_tables("\\begin{table}\\caption{Speed}\\label{tab:s}\\input{tables/speed.tex}\\end{table}")
    assert (table.caption_text, table.label_key, table.inputs) == ("Speed", "tab:s", ("tables/speed.tex",))


def test_a_layout_table_gives_way_to_the_tables_in_it() -> None:
    inner = "\\begin{tabular}{lc} a & %s \\\\ b & 2 \\end{tabular}"
    outer, left, right = read_tables(f"\\begin{{tabular}}{{cc}} {inner % 1} & {inner % 5} \\end{{tabular}}")
    assert outer.problem is not None
    assert (left.problem, right.problem) == (None, None)
    cell = right.at(0, 1)
    assert cell is not None
    assert cell.text == "5"


def test_a_matrix_is_no_table() -> None:
    assert read_tables("$\\begin{array}{cc} 1 & 2 \\\\ 3 & 4 \\end{array}$") == ()


def test_a_trailing_empty_cell_is_forgiven() -> None:
    (table,) = read_tables("\\begin{tabular}{lc} a & 1 & \\\\ b & 2 & \\\\ \\end{tabular}")
    assert table.problem is None
    assert len(table.columns) == 2


def test_a_macro_that_decides_is_opaque() -> None:
    macros = {"values": Macro(1, "\\ifnum\\pdfstrcmp{#1}{a}=0 0.25\\else 0.5\\fi")}
    (table,) = read_tables(
        "\\begin{tabular}{lc} M & V \\\\ \\midrule a & \\values{a} \\\\ b & 2 \\end{tabular}", macros
    )
    cell = table.at(1, 1)
    assert cell is not None
    assert (cell.quantity, cell.numbers) == (None, ())


def test_definitions_that_grow_are_cut_off() -> None:
    macros = {"a": Macro(0, "\\b\\b\\b\\b"), "b": Macro(0, "\\c\\c\\c\\c"), "c": Macro(0, "\\a\\a\\a\\a 7")}
    (table,) = read_tables("\\begin{tabular}{lc} M & V \\\\ \\midrule a & \\a \\\\ b & 2 \\end{tabular}", macros)
    cell = table.at(1, 1)
    assert cell is not None
    assert cell.quantity is None


def test_the_table_at_a_place() -> None:
    source = "text \\begin{tabular}{lc} a & 1 \\\\ b & 2 \\end{tabular} text"
    start, end = source.index("\\begin"), source.index(" text", 10)
    assert read_table(source, start, end).cells[1].text == "1"
    assert read_table(source, 0, 3).problem is not None
