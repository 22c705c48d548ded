"""Where cells stand: spans, rules, environments, and the LaTeX that shifts columns in a naive reader."""

from typing import NamedTuple

import pytest

from analyzers.facts.tables import Table, read_tables


class Macro(NamedTuple):
    arity: int
    body: str


def tabular(body: str, columns: str = "lcc") -> str:
    return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"


def only(source: str, **options: object) -> Table:
    (table,) = read_tables(source, **options)  # type: ignore[arg-type]
    return table


def shown(table: Table) -> list[list[str]]:
    """The grid as texts: "^" where a cell from above or from the left reaches in, "." where there is none."""
    rows = []
    for row in range(len(table.rows)):
        line = []
        for column in range(len(table.columns)):
            cell = table.at(row, column)
            line.append("." if cell is None else cell.text if (cell.row, cell.column) == (row, column) else "^")
        rows.append(line)
    return rows


GRIDS = [
    ("plain", "A & B & C \\\\ x & 1 & 2 \\\\", "lcc", [["A", "B", "C"], ["x", "1", "2"]]),
    ("ragged row", "A & B & C \\\\ x & 1 \\\\ y & 2 & 3", "lcc", [["A", "B", "C"], ["x", "1", "."], ["y", "2", "3"]]),
    (
        "the empty cell under a multirow belongs to it",
        "\\multirow{2}{*}{M} & \\multicolumn{2}{c}{Acc} \\\\ & P & Q \\\\ \\midrule x & 1 & 2 \\\\",
        "lcc",
        [["M", "Acc", "^"], ["^", "P", "Q"], ["x", "1", "2"]],
    ),
    (
        "multirow in the middle and at the end",
        "a & \\multirow{2}{*}{5} & 1 \\\\ b & & 2 \\\\ c & 6 & \\multirow{2}{*}{3} \\\\ d & 7 & \\\\",
        "lcc",
        [["a", "5", "1"], ["b", "^", "2"], ["c", "6", "3"], ["d", "7", "^"]],
    ),
    ("a row under a multirow may end early", "a & \\multirow{2}{*}{5} \\\\ b \\\\ c & 6", "lc", [["a", "5"], ["b", "^"], ["c", "6"]]),
    ("a filled cell ends a multirow", "\\multirow{3}{*}{a} & 1 \\\\ & 2 \\\\ b & 3", "lc", [["a", "1"], ["^", "2"], ["b", "3"]]),
    ("multirow upwards", "& 1 \\\\ \\multirow{-2}{*}{a} & 2 \\\\ b & 3", "lc", [["a", "1"], ["^", "2"], ["b", "3"]]),
    ("multirow with a width and options", "\\multirow[t]{2}[3]{2cm}[1pt]{a} & 1 \\\\ & 2", "lc", [["a", "1"], ["^", "2"]]),
    ("multirow with a bare star", "\\multirow{2}*{a} & 1 \\\\ & 2", "lc", [["a", "1"], ["^", "2"]]),
    (
        "multirow within multicolumn",
        "\\multicolumn{2}{c}{\\multirow{2}{*}{X}} & 1 \\\\ \\multicolumn{2}{c}{} & 2 \\\\ a & b & 3",
        "llc",
        [["X", "^", "1"], ["^", "^", "2"], ["a", "b", "3"]],
    ),
    ("escaped ampersand", "R\\&D & 1 \\\\ x & 2", "lc", [["R&D", "1"], ["x", "2"]]),
    ("verbatim ampersand", "\\verb|a&b| & 1 \\\\ x & 2", "lc", [["a\ue002b", "1"], ["x", "2"]]),
    ("comments", "a & 1 \\\\ % b & 2 \\\\\nc & 3 %&\n\\\\", "lc", [["a", "1"], ["c", "3"]]),
    ("an escaped percent sign", "a & 5\\% \\\\ b & 6\\%", "lc", [["a", "5%"], ["b", "6%"]]),
    ("row ends with a skip", "a & 1 \\\\[2pt] b & 2 \\\\*[.5ex] c & 3", "lc", [["a", "1"], ["b", "2"], ["c", "3"]]),
    ("tabularnewline", "a & 1 \\tabularnewline b & 2", "lc", [["a", "1"], ["b", "2"]]),
    ("braces hide ampersands", "{a & b} & 1 \\\\ c & 2", "lc", [["a b", "1"], ["c", "2"]]),
    ("formula with its own ampersands", "$\\begin{cases} a & b \\\\ c & d \\end{cases}$ & 1 \\\\ c & 2", "lc", None),
    ("line break in a cell", "\\makecell{a \\\\ b} & 1 \\\\ c & 2", "lc", [["a b", "1"], ["c", "2"]]),
    ("nested tabular as a line break", "\\begin{tabular}[c]{@{}c@{}}a\\\\ b\\end{tabular} & 1 \\\\ c & 2", "lc", [["a b", "1"], ["c", "2"]]),
    ("colours and rules", "\\rowcolor{gray!10} a & \\cellcolor[gray]{.9} 1 \\\\ \\hline\\hline \\cmidrule(lr){1-2} b & 2", "lc", [["a", "1"], ["b", "2"]]),
    ("noalign and unknown rules", "a & 1 \\\\ \\noalign{\\smallskip}\\botrule b & 2 \\\\ \\thickhline", "lc", [["a", "1"], ["b", "2"]]),
    ("numbers through siunitx", "a & \\num{1e-4} \\\\ b & \\SI{12.4}{\\ms}", "lc", None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "columns", "expected"), [case[1:] for case in GRIDS], ids=[case[0] for case in GRIDS])
def test_the_grid(body: str, columns: str, expected: list[list[str]] | None) -> None:
    source = tabular(body, columns)
    table = only(source)
    assert table.problem is None
    if expected is not None:
        assert shown(table) == expected
    for cell in table.cells:
        assert table.start <= cell.start <= cell.end <= table.end


ENVIRONMENTS = [
    "\\begin{tabular*}{\\textwidth}{@{\\extracolsep{\\fill}}lc}a & 1 \\\\ b & 2\\end{tabular*}",
    "\\begin{tabularx}{\\linewidth}{lX}a & 1 \\\\ b & 2\\end{tabularx}",
    "\\begin{tabulary}{10cm}{LC}a & 1 \\\\ b & 2\\end{tabulary}",
    "\\begin{longtable}[c]{lc}\\caption{C}\\label{t}\\\\ a & 1 \\\\ b & 2\\end{longtable}",
    "\\begin{tblr}{lc}a & 1 \\\\ b & 2\\end{tblr}",
    "\\begin{tblr}{colspec={lc}, hlines}a & 1 \\\\ b & 2\\end{tblr}",
    "\\begin{supertabular}{lc}a & 1 \\\\ b & 2\\end{supertabular}",
    "\\begin{tabu} to \\linewidth {lX[r]}a & 1 \\\\ b & 2\\end{tabu}",
    "$\\begin{array}{lc} \\hline a & 1 \\\\ b & 2\\end{array}$",
    "\\begin{NiceTabular}{lc}a & 1 \\\\ b & 2\\end{NiceTabular}",
    "\\begin{tabular}[t]{l*{1}{c}}a & 1 \\\\ b & 2\\end{tabular}",
    "\\begin{tabular}{|l|>{\\bfseries}c<{\\ }|@{}}a & 1 \\\\ b & 2\\end{tabular}",
    "\\begin{tabular}{l S[table-format=2.1]}a & 1 \\\\ b & 2\\end{tabular}",
    "\\begin{tabular}{p{3cm} D{.}{.}{2.1}}a & 1 \\\\ b & 2\\end{tabular}",
    '\\newcolumntype{"}{@{\\vrule width 2pt}}\\begin{tabular}{l " c}a & 1 \\\\ b & 2\\end{tabular}',
    "\\newcolumntype{R}[1]{>{\\raggedleft}p{#1}}\\begin{tabular}{lR{2cm}}a & 1 \\\\ b & 2\\end{tabular}",
    "\\begin{deluxetable}{lc}\\tablehead{\\colhead{N} & \\colhead{V}}\\startdata a & 1 \\\\ b & 2 \\enddata\\end{deluxetable}",
]


@pytest.mark.parametrize("source", ENVIRONMENTS)
def test_every_environment(source: str) -> None:
    table = only(source)
    assert table.problem is None
    assert len(table.columns) == 2
    assert shown(table)[-2:] == [["a", "1"], ["b", "2"]]


def test_a_long_table_has_one_head() -> None:
    source = (
        "\\begin{longtable}{lc} M & Acc \\\\ \\endfirsthead M (cont.) & Acc \\\\ \\endhead more \\\\ \\endfoot \\endlastfoot"
        " a & 1 \\\\ b & 2 \\\\ \\end{longtable}"
    )
    table = only(source)
    assert table.header_rows == 1
    assert shown(table) == [["M", "Acc"], ["a", "1"], ["b", "2"]]


def test_set_cell_of_tabularray_spans_written_cells() -> None:
    table = only("\\begin{tblr}{lcc} \\SetCell[c=2]{c} Acc & & T \\\\ a & 1 & 2 \\\\ \\end{tblr}")
    assert shown(table) == [["Acc", "^", "T"], ["a", "1", "2"]]


def test_a_macro_may_span() -> None:
    macros = {"mr": Macro(2, "\\multirow{#1}{*}{#2}")}
    table = only(tabular("\\mr{2}{a} & 1 \\\\ & 2 \\\\ b & 3", "lc"), macros=macros)
    assert shown(table) == [["a", "1"], ["^", "2"], ["b", "3"]]


def test_spans_of_cells_are_the_source() -> None:
    source = tabular("A & B \\\\ \\midrule \\textbf{x} & \\multicolumn{1}{c}{ 4.5 } \\\\", "lc")
    table = only(source)
    assert [source[cell.start : cell.end] for cell in table.cells] == ["A", "B", "\\textbf{x}", "4.5"]


def test_two_tabulars_of_one_float_share_caption_and_label() -> None:
    source = (
        "\\begin{table}\\caption{Both}\\label{t}"
        "\\begin{subtable}{.5\\textwidth}\\caption{Left}\\label{l}\\begin{tabular}{lc}a & 1 \\\\ b & 2\\end{tabular}\\end{subtable}"
        "\\begin{subtable}{.5\\textwidth}\\caption{Right}\\label{r}\\begin{tabular}{lc}a & 3 \\\\ b & 4\\end{tabular}\\end{subtable}"
        "\\end{table}"
    )
    left, right = read_tables(source)
    assert (left.caption_text, left.outer_caption, left.labels) == ("Left", "Both", ("l", "t"))
    assert (right.caption_text, right.label_key) == ("Right", "r")
    assert right.caption is not None
    assert source[slice(*right.caption)] == "Right"


def test_minipages_with_captions_of_their_own() -> None:
    half = "\\begin{minipage}{.5\\textwidth}\\caption{%s}\\label{%s}\\begin{tabular}{lc}a & 1 \\\\ b & 2\\end{tabular}\\end{minipage}"
    first, second = read_tables("\\begin{table}" + half % ("One", "a") + half % ("Two", "b") + "\\end{table}")
    assert (first.caption_text, first.label_key, second.caption_text, second.label_key) == ("One", "a", "Two", "b")


def test_a_commented_caption_does_not_count() -> None:
    table = only(
        "\\begin{table}% \\caption{old}\n\\caption[short]{new \\textbf{one}}\\begin{tabular}{lc}a & 1 \\\\ b & 2\\end{tabular}\\end{table}"
    )
    assert table.caption_text == "new one"


def test_the_caption_of_the_including_file_is_used() -> None:
    table = only(tabular("M & V \\\\ \\midrule a & 1.5 \\\\ b & 2.5", "lc"), caption="Accuracy (%)", labels=("tab:x",))
    assert (table.caption_text, table.labels) == ("Accuracy (%)", ("tab:x",))
    assert table.columns[1].metric == "accuracy"
