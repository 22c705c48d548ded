"""What a numeric cell says: value, emphasis, spread, unit, macro; and which cells are not numeric."""

from decimal import Decimal
from typing import NamedTuple

import pytest

from analyzers.facts.tables import Cell, read_tables


class Macro(NamedTuple):
    arity: int
    body: str


MACROS = {
    "best": Macro(1, "\\textbf{#1}"),
    "second": Macro(1, "\\underline{#1}"),
    "mainacc": Macro(0, "74.3"),
    "std": Macro(1, "\\,$\\pm$\\,#1"),
    "bestacc": Macro(0, "\\best{\\mainacc}"),
    "fancy": Macro(1, "\\ifnum#1>5 high\\else low\\fi"),
    "again": Macro(0, "\\again\\again 5"),
}


def cell(content: str, columns: str = "lc") -> tuple[str, Cell]:
    source = f"\\begin{{tabular}}{{{columns}}} M & V \\\\ \\midrule x & {content} \\\\ y & 1 \\\\ \\end{{tabular}}"
    (table,) = read_tables(source, MACROS)
    assert table.problem is None, table.problem
    found = table.at(1, 1)
    assert found is not None
    return source, found


# content, value, what else holds
NUMBERS: list[tuple[str, str, dict[str, object]]] = [
    ("74.3", "74.3", {"decimals": 1}),
    ("$74.3$", "74.3", {}),
    ("-0.5", "-0.5", {}),
    ("$-0.5$", "-0.5", {}),
    ("--0.5", "-0.5", {}),
    ("{-}0.5", "-0.5", {}),
    ("1,234", "1234", {}),
    ("1{,}234", "1234", {}),
    ("1\\,234", "1234", {}),
    (".45", "0.45", {"decimals": 2}),
    ("\\textbf{74.3}", "74.3", {"bold": True}),
    ("{\\bf 74.3}", "74.3", {"bold": True}),
    ("\\bfseries 74.3", "74.3", {"bold": True}),
    ("$\\mathbf{74.3}$", "74.3", {"bold": True}),
    ("\\best{74.3}", "74.3", {"bold": True}),
    ("\\underline{74.3}", "74.3", {"underline": True, "bold": False}),
    ("\\second{74.3}", "74.3", {"underline": True}),
    ("\\textit{74.3}", "74.3", {"italic": True}),
    ("\\textbf{\\underline{74.3}}", "74.3", {"bold": True, "underline": True}),
    ("\\textcolor{red}{74.3}", "74.3", {"bold": False}),
    ("\\cellcolor{gray!20}\\textbf{74.3}", "74.3", {"bold": True}),
    ("\\textbf{74.3} $\\pm$ 0.2", "74.3", {"bold": True, "spread": "0.2"}),
    ("74.3$\\pm$0.2", "74.3", {"spread": "0.2"}),
    ("74.3 \\std{0.2}", "74.3", {"spread": "0.2"}),
    ("74.3$_{\\pm 0.2}$", "74.3", {"spread": "0.2"}),
    ("74.3$_{0.2}$", "74.3", {"spread": "0.2"}),
    ("74.3 \\textsubscript{$\\pm$0.2}", "74.3", {"spread": "0.2"}),
    ("74.3 (0.2)", "74.3", {"spread": "0.2"}),
    ("74.3 {\\small (0.2)}", "74.3", {"spread": "0.2"}),
    ("74.3\\%", "74.3", {"percent": True}),
    ("74.3 \\%", "74.3", {"percent": True}),
    ("12.4 ms", "12.4", {"unit": "ms"}),
    ("\\SI{12.4}{\\milli\\second}", "12.4", {"unit": "ms"}),
    ("\\num{1e-4}", "0.0001", {}),
    ("$3\\times10^{-4}$", "0.0003", {}),
    ("$10^{-5}$", "0.00001", {}),
    ("5k", "5000", {}),
    ("110M", "110000000", {}),
    ("74.3$^{*}$", "74.3", {}),
    ("74.3$^{\\dagger}$", "74.3", {}),
    ("74.3$^a$", "74.3", {}),
    ("74.3\\textsuperscript{1}", "74.3", {}),
    ("74.3**", "74.3", {}),
    ("$<$0.001", "0.001", {"bound": "<"}),
    ("$\\geq$ 5", "5", {"bound": ">="}),
    ("\\mainacc", "74.3", {"macro": "mainacc"}),
    ("\\bestacc", "74.3", {"macro": "bestacc", "bold": True}),
    ("74.3 (+2.3)", "74.3", {"spread": None}),
    ("74.3 $\\uparrow$2.3", "74.3", {}),
    ("640 (53.3)", "640", {"spread": None}),
    ("0.61 [0.57, 0.79]", "0.61", {"endpoints": ("0.57", "0.79")}),
    ("12 \\cite{x}", "12", {}),
    ("\\$12.50", "12.50", {"unit": "$"}),
    ("3.2$\\times$", "3.2", {}),
]


@pytest.mark.parametrize(("content", "value", "wanted"), NUMBERS, ids=[case[0] for case in NUMBERS])
def test_a_numeric_cell(content: str, value: str, wanted: dict[str, object]) -> None:
    source, found = cell(content)
    quantity = found.quantity
    assert quantity is not None, found
    assert quantity.value == Decimal(value)
    for name, expected in wanted.items():
        if name == "macro":
            assert quantity.through_macro == expected
            continue
        actual = getattr(quantity, name)
        if name == "spread" and actual is not None:
            actual = str(actual.value)
        if name == "unit":
            actual = actual.symbol if actual is not None else None
        if name == "endpoints":
            actual = tuple(str(part.value) for part in actual)
        assert actual == expected, name
    if quantity.through_macro is None:
        written = source[quantity.number.start : quantity.number.end]
        assert written[-1].isalnum() or written[-1] in "}$"
        assert any(character.isdigit() for character in written)


NOT_NUMERIC = [
    "ResNet-50",
    "--",
    "N/A",
    "",
    "12.1 / 13.4",
    "7B-chat",
    "\\checkmark",
    "0:35",
    "\\unknown{74.3}",
    "\\fancy{7}",
    "\\again",
    "2674cb95",
    "3 of 5 runs",
]


@pytest.mark.parametrize("content", NOT_NUMERIC)
def test_a_cell_that_is_no_number(content: str) -> None:
    _, found = cell(content)
    assert found.quantity is None


def test_literal_digits_inside_a_macro_call_can_be_edited() -> None:
    source, found = cell("\\best{74.3}")
    assert found.quantity is not None
    assert found.quantity.through_macro is None
    assert source[found.quantity.number.start : found.quantity.number.end] == "74.3"
    assert found.through_macro == "best" or found.through_macro is None


def test_a_number_of_a_macro_points_at_the_call() -> None:
    source, found = cell("\\mainacc")
    assert found.quantity is not None
    assert source[found.quantity.number.start : found.quantity.number.end] == "\\mainacc"


def test_several_numbers_are_all_there() -> None:
    _, found = cell("640 (53.3\\%)")
    assert [number.value for number in found.numbers] == [640, Decimal("53.3")]
    assert found.numbers[1].percent
    _, pair = cell("12.1 / 13.4")
    assert [number.value for number in pair.numbers] == [Decimal("12.1"), Decimal("13.4")]


def test_uncertainty_digits_of_a_number_column() -> None:
    _, found = cell("1.234(5)", "lS[table-format=1.3(1)]")
    assert found.quantity is not None
    assert found.quantity.spread is not None
    assert (found.quantity.value, found.quantity.spread.value) == (Decimal("1.234"), Decimal("0.005"))


def test_decimal_commas_are_seen_by_the_whole_table() -> None:
    source = "\\begin{tabular}{lcc} M & A & B \\\\ \\midrule x & 0,57 & 12,3 \\\\ y & 0,61 & 13,4 \\\\ \\end{tabular}"
    (table,) = read_tables(source)
    assert [found.quantity.value for found in table.numeric if found.quantity] == [
        Decimal("0.57"), Decimal("12.3"), Decimal("0.61"), Decimal("13.4"),
    ]  # fmt: skip
