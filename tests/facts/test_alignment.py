"""Numbers of prose against cells: what is verified, what is refuted, and what must stay unknown."""

import time
from decimal import Decimal

import pytest

from analyzers.facts.alignment import (
    Aligner,
    Evidence,
    Link,
    Reading,
    Reason,
    Refuted,
    Sentence,
    Unknown,
    Verified,
    align,
)  # fmt: skip
from analyzers.facts.quantities import quantities
from analyzers.facts.tables import Table, read_tables

SOURCE = r"""
\begin{table}\caption{Accuracy (\%) on the test sets.}\label{tab:main}
\begin{tabular}{lcccc}\toprule
Method & Arxel & Borun & Celda & Avg. \\ \midrule
SmallNet & 62.0 & 68.4 & 41.2 & 57.2 \\
MixNet \cite{m} & 72.3 & 73.0 & 46.8 & 64.0 \\
FoxNet (ours) & \textbf{74.3} & \textbf{75.6} & \textbf{49.1} & \textbf{66.3} \\ \bottomrule
\end{tabular}\end{table}
\begin{table}\caption{Ablation on Arxel.}\label{tab:ablation}
\begin{tabular}{lcc}\toprule
Variant & Accuracy (\%) & Latency (ms) \\ \midrule
FoxNet & 74.3 & 12.4 \\
w/o drift penalty & 73.1 & 19.7 \\
w/o warm start & 71.5 & 12.6 \\ \bottomrule
\end{tabular}\end{table}"""

TABLES: tuple[Table, ...] = read_tables(SOURCE)
MAIN, ABLATION = "tab:main", "tab:ablation"


def links(text: str, *, near: str | None = MAIN, before: str = "", summary: bool = False) -> dict[str, Link]:
    """The link of each number of a sentence, by its text; `near` is the label that the paragraph refers to."""
    labels = frozenset((near,)) if near else frozenset[str]()
    sentences = [
        Sentence(part, quantities(part), 1, frozenset(), labels, labels, summary) for part in (before, text) if part
    ]
    found = align(sentences, TABLES)
    last = len(sentences) - 1
    return {sentences[last].quantities[link.quantity].text: link for link in found if link.sentence == last}


def cell_of(link: Link) -> str:
    assert isinstance(link, Verified | Refuted)
    cell = TABLES[link.table].cells[link.cell]
    return f"{cell.row_path[-1]} | {cell.column_path[-1]}"


VERIFIED = [
    ("FoxNet reaches 74.3% on Arxel.", "74.3", "FoxNet (ours) | Arxel"),
    ("On Celda, FoxNet reaches 49.1.", "49.1", "FoxNet (ours) | Celda"),
    ("MixNet has 46.8.", "46.8", "MixNet | Celda"),
    ("On Borun it is 73.0.", "73.0", "MixNet | Borun"),
    ("Our method reaches 75.6 on Borun.", "75.6", "FoxNet (ours) | Borun"),
    ("SmallNet has an average of 57.2.", "57.2", "SmallNet | Avg."),
]


@pytest.mark.parametrize(("text", "number", "cell"), VERIFIED)
def test_two_of_three_verify(text: str, number: str, cell: str) -> None:
    found = links(text)[number]
    assert isinstance(found, Verified)
    assert cell_of(found) == cell
    assert found.evidence.kinds >= 2


def test_value_alone_verifies_nothing() -> None:
    found = links("The temperature was 46.8 in the room.", near=None)["46.8"]
    assert found == Unknown(0, 0, Reason.VALUE_ONLY)


def test_without_a_table_there_is_nothing_to_say() -> None:
    sentence = Sentence("It reaches 74.3.", quantities("It reaches 74.3."))
    assert align([sentence], []) == (Unknown(0, 0, Reason.NO_TABLE),)


def test_an_unreadable_table_says_nothing() -> None:
    tables = read_tables(
        "\\begin{table}\\caption{Accuracy}\\label{t}\\begin{tabular}{l?}FoxNet & 74.3 \\\\ \\end{tabular}\\end{table}"
    )
    text = "FoxNet reaches 74.9 accuracy."
    sentence = Sentence(text, quantities(text), references=frozenset(("t",)))
    assert align([sentence], tables) == (Unknown(0, 0, Reason.NO_TABLE),)


ROUNDED = [
    ("FoxNet has 74 on Arxel.", "74", Verified),
    ("FoxNet reaches 0.743 on Arxel.", "0.743", Verified),
    ("FoxNet reaches 74.3% on Arxel.", "74.3", Verified),
    ("FoxNet reaches 74.30 on Arxel.", "74.30", Verified),
    ("FoxNet reaches -74.3 on Arxel.", "-74.3", Unknown),
]


@pytest.mark.parametrize(("text", "number", "kind"), ROUNDED)
def test_rounding_and_scale(text: str, number: str, kind: type[Link]) -> None:
    assert isinstance(links(text)[number], kind)


def test_respectively_is_zipped_in_order() -> None:
    found = links("FoxNet reaches 74.3 and 75.6 on Arxel and Borun, respectively.")
    assert [cell_of(found[text]) for text in ("74.3", "75.6")] == ["FoxNet (ours) | Arxel", "FoxNet (ours) | Borun"]
    assert all(isinstance(link, Verified) and link.evidence & Evidence.ZIPPED for link in found.values())


def test_respectively_over_rows() -> None:
    found = links("On Celda, SmallNet and MixNet reach 41.2 and 46.8, respectively.")
    assert [cell_of(found[text]) for text in ("41.2", "46.8")] == ["SmallNet | Celda", "MixNet | Celda"]


def test_a_pronoun_inherits_the_row() -> None:
    found = links("On Borun it reaches 73.0.", before="MixNet is a strong baseline.")["73.0"]
    assert isinstance(found, Verified)
    assert found.evidence & Evidence.INHERITED


def test_the_abstract_needs_row_and_column() -> None:
    assert isinstance(links("FoxNet reaches 74.3% accuracy on Arxel.", near=None, summary=True)["74.3"], Verified)
    assert isinstance(links("We reach 46.8.", near=None, summary=True)["46.8"], Unknown)


def test_names_of_the_manuscript_can_be_added() -> None:
    text = "The fox reaches 74.3 here."
    sentence = Sentence(text, quantities(text), references=frozenset((MAIN,)))
    (without,) = align([sentence], TABLES)
    (with_alias,) = align([sentence], TABLES, {"FoxNet": ["the fox"]})
    assert isinstance(without, Unknown)
    assert isinstance(with_alias, Verified)


REFUTED = [
    ("FoxNet reaches 73.4% on Arxel.", "73.4", Decimal("74.3")),
    ("On Borun, MixNet reaches 73.5.", "73.5", Decimal("73.0")),
    ("FoxNet reaches 73.4 on Arxel and beats MixNet.", "73.4", Decimal("74.3")),
    ("On Borun, FoxNet (75.6) beats MixNet (73.5).", "73.5", Decimal("73.0")),
    ("On Borun, FoxNet (75.6) beats the MixNet baseline (73.5).", "73.5", Decimal("73.0")),
    ("FoxNet is good on Arxel (74.3) and Celda (48.1).", "48.1", Decimal("49.1")),
]


@pytest.mark.parametrize(("text", "number", "expected"), REFUTED)
def test_a_unique_cell_with_another_value_refutes(text: str, number: str, expected: Decimal) -> None:
    found = links(text)[number]
    assert isinstance(found, Refuted)
    assert found.expected == expected


NOT_REFUTED = [
    ("Without a budget, FoxNet reaches 73.4 on Arxel.", "73.4"),
    ("On the validation set of Arxel, FoxNet reaches 73.4.", "73.4"),
    ("FoxNet reaches about 73.4 on Arxel.", "73.4"),
    ("FoxNet reaches more than 73.4 on Arxel.", "73.4"),
    ("FoxNet and MixNet reach 73.4 on Arxel.", "73.4"),
    ("FoxNet reaches 73.4 on Arxel and Borun.", "73.4"),
    ("FoxNet reaches 73.4 on Dorim.", "73.4"),
    ("FoxNet reaches 74.3 on Borun.", "74.3"),
    ("FoxNet reaches 75.6 on Arxel.", "75.6"),
    ("FoxNet reaches 12.9 on Arxel.", "12.9"),
    ("FoxNet does not reach 73.4 on Arxel.", "73.4"),
    ("FoxNet with a rate of 0.5 reaches 73.4 on Arxel.", "73.4"),
    ("FoxNet reaches 73.4 ± 0.3 to 75.1 on Arxel.", "73.4"),
    ("It reaches 73.4 on Arxel.", "73.4"),
    ("FoxNet takes 73.4 ms on Arxel.", "73.4"),
    ("For FoxNet on Arxel the rates are 0.1, 0.2, 0.3 and 0.4.", "0.4"),
    ("FoxNet (Table 3) reaches the top on Arxel in 2.5 epochs.", "2.5"),
]


@pytest.mark.parametrize(("text", "number"), NOT_REFUTED)
def test_any_other_reading_keeps_silence(text: str, number: str) -> None:
    assert not isinstance(links(text)[number], Refuted)


def test_the_same_digits_in_another_unit() -> None:
    found = links("The latency of FoxNet is 12.4 s per query.", near=ABLATION)["12.4"]
    assert isinstance(found, Refuted)
    assert found.unit
    assert found.expected == Decimal("0.0124")
    right = links("The latency of FoxNet is 12.4 ms per query.", near=ABLATION)["12.4"]
    assert isinstance(right, Verified)
    converted = links("The latency of FoxNet is 0.0124 s per query.", near=ABLATION)["0.0124"]
    assert not isinstance(converted, Refuted)


DELTAS = [
    ("FoxNet beats MixNet on Arxel by 2.0 points.", "2.0", Reading.ABSOLUTE),
    ("On Arxel, FoxNet improves over SmallNet by 19.8%.", "19.8", Reading.RELATIVE),
    ("On Arxel, FoxNet is 1.2x better than SmallNet.", "1.2", Reading.RATIO),
    ("On Arxel, FoxNet improves over MixNet by 2.0%.", "2.0", Reading.ABSOLUTE),
    ("On Celda, our method improves over MixNet by 2.3 points.", "2.3", Reading.ABSOLUTE),
]


@pytest.mark.parametrize(("text", "number", "reading"), DELTAS)
def test_a_difference_fits_one_of_its_readings(text: str, number: str, reading: Reading) -> None:
    found = links(text)[number]
    assert isinstance(found, Verified)
    assert found.reading is reading
    assert found.other is not None


def test_an_ablation_is_compared_with_the_full_method() -> None:
    found = links("Removing the drift penalty lowers accuracy by 1.2 points.", near=ABLATION)["1.2"]
    assert isinstance(found, Verified)
    wrong = links("Removing the drift penalty lowers accuracy by 2.1 points.", near=ABLATION)["2.1"]
    assert isinstance(wrong, Refuted)
    assert wrong.expected == Decimal("1.2")


def test_a_difference_that_fits_no_reading_is_refuted() -> None:
    found = links("On Celda, FoxNet improves over MixNet by 5.0 points.")["5.0"]
    assert isinstance(found, Refuted)
    assert found.expected == Decimal("2.3")


DELTAS_UNKNOWN = [
    ("FoxNet improves over MixNet by 5.0 points.", "5.0"),
    ("On Celda, FoxNet improves by 5.0 points.", "5.0"),
    ("On Celda, FoxNet improves over MixNet and SmallNet by 5.0 points.", "5.0"),
    ("On Celda, FoxNet improves over MixNet by about 5.0 points.", "5.0"),
    ("On Celda and Borun, FoxNet improves over MixNet by 5.0 points.", "5.0"),
    ("On Celda, FoxNet improves over MixNet by up to 5.0 points.", "5.0"),
]


@pytest.mark.parametrize(("text", "number"), DELTAS_UNKNOWN)
def test_a_difference_without_a_clear_pair_is_unknown(text: str, number: str) -> None:
    assert isinstance(links(text)[number], Unknown)


def test_a_macro_ties_prose_and_cell() -> None:
    class Macro:
        arity, body = 0, "74.3"

    tables = read_tables(
        "\\begin{tabular}{lc} M & A \\\\ \\midrule x & \\mainacc \\\\ y & 70.1 \\end{tabular}", {"mainacc": Macro()}
    )
    text = "The value 74.3 is reached."
    (link,) = align([Sentence(text, quantities(text), macros=("mainacc",))], tables)
    assert isinstance(link, Verified) or link == Unknown(0, 0, Reason.NO_TABLE)
    (link,) = align(
        [Sentence(text, quantities(text), macros=("mainacc",), references=frozenset(("t",)))], [_labelled(tables[0])]
    )
    assert isinstance(link, Verified)
    assert link.evidence & Evidence.MACRO


def _labelled(table: Table) -> Table:
    from dataclasses import replace

    return replace(table, labels=("t",), label_key="t")


def test_there_is_one_link_for_every_number() -> None:
    text = "In Table 3, FoxNet has 74.3, 75.6 and [0.1, 0.9] with p < .05 in 2020."
    found = quantities(text)
    assert [link.quantity for link in align([Sentence(text, found)], TABLES)] == list(range(len(found)))


def test_a_long_table_with_equal_values_stays_cheap() -> None:
    rows = "".join(f"method {row} & 0.5 & {row}.25 \\\\ " for row in range(2_000))
    tables = read_tables("\\begin{longtable}{lcc} Method & Accuracy & F1 \\\\ \\midrule " + rows + "\\end{longtable}")
    aligner = Aligner(tables)
    text = "The method 7 has an accuracy of 0.5 and an F1 of 7.25."
    sentence = Sentence(text, quantities(text), summary=True)
    start = time.process_time()
    for number in range(300):
        aligner.sentence(number, sentence)
    assert time.process_time() - start < 3.0


def test_a_symbol_names_its_column() -> None:
    source = "\\begin{table}\\caption{C}\\label{t}\\begin{tabular}{lcc} Method & $\\gamma$ & Time (s) \\\\ \\midrule a & 0.997 & 0.5 \\\\ b & 0.95 & 0.6 \\\\ \\end{tabular}\\end{table}"
    text = "We set γ = 0.997 throughout, and η = 0.95."
    sentence = Sentence(text, quantities(text), references=frozenset(("t",)))
    first, second = align([sentence], read_tables(source))
    assert isinstance(first, Verified)
    assert isinstance(second, Unknown)
