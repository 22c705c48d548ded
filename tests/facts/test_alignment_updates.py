"""A changed cell and the numbers of the text that follow it."""

from decimal import Decimal

import pytest

from analyzers.facts.alignment import Sentence, Verified, align
from analyzers.facts.alignment_updates import updated_number
from analyzers.facts.quantities import quantities
from analyzers.facts.tables import read_tables

SOURCE = r"""\begin{table}\caption{Accuracy (\%) of all.}\label{t}\begin{tabular}{lcc}\toprule
Method & Arxel & Borun \\ \midrule MixNet & 72.3 & 73.0 \\ FoxNet & 74.3 & 75.6 \\ \bottomrule \end{tabular}\end{table}"""
(TABLE,) = read_tables(SOURCE)
FOX_ARXEL = next(index for index, cell in enumerate(TABLE.cells) if cell.text == "74.3")

CASES = [
    ("FoxNet reaches 74.3% on Arxel.", "74.3", "75.1", "75.1"),
    ("FoxNet reaches 0.743 on Arxel.", "0.743", "75.1", "0.751"),
    ("FoxNet reaches 74% on Arxel.", "74", "75.1", "75"),
    ("FoxNet reaches 74% on Arxel.", "74", "74.4", None),
    ("On Arxel, FoxNet improves over MixNet by 2.0 points.", "2.0", "75.1", "2.8"),
    ("On Arxel, FoxNet improves over MixNet by 2.8%.", "2.8", "75.1", "3.9"),
    ("FoxNet reaches 75.6 on Borun.", "75.6", "75.1", None),
]


@pytest.mark.parametrize(("text", "number", "new", "expected"), CASES)
def test_the_number_follows_its_cell(text: str, number: str, new: str, expected: str | None) -> None:
    found = quantities(text)
    links = align([Sentence(text, found, references=frozenset(("t",)))], [TABLE])
    at = next(index for index, quantity in enumerate(found) if quantity.text == number)
    link = links[at]
    assert isinstance(link, Verified)
    assert updated_number(found[at], number, link, TABLE, {FOX_ARXEL: Decimal(new)}) == expected


def test_nothing_changes_without_a_change() -> None:
    text = "FoxNet reaches 74.3% on Arxel."
    found = quantities(text)
    (link,) = align([Sentence(text, found, references=frozenset(("t",)))], [TABLE])
    assert isinstance(link, Verified)
    assert updated_number(found[0], "74.3", link, TABLE, {}) is None
