"""Things that look like numbers and are not; a checker that takes them for measured values is useless."""

import pytest

from analyzers.facts.quantities import Kind, quantities

NAMES = [
    ("Section 3.2 describes it", "3.2"),
    ("see Table 4", "4"),
    ("Tables 2, 3 and 5 show", "5"),
    ("in Eq. (3)", "3"),
    ("Eqs. 3–5", "5"),
    ("Figure 2a shows", "2a"),
    ("Fig. 12", "12"),
    ("Theorem 1", "1"),
    ("Appendix B.2", "B.2"),
    ("step 2 of it", "2"),
    ("the Mono-7B model", "Mono-7B"),
    ("we use 7B models", "7B"),
    ("MoE 8x7B", "8x7B"),
    ("ResNet-50 is", "ResNet-50"),
    ("GPT-4.1 is", "GPT-4.1"),
    ("on CIFAR-10 we", "CIFAR-10"),
    ("on TideQA-5K we", "TideQA-5K"),
    ("with Llama 2 we", "2"),
    ("in Python 3.10", "3.10"),
    ("version 1.2.3 of it", "1.2.3"),
    ("an A100 GPU", "A100"),
    ("top-1 accuracy", "top-1"),
    ("R@10 is higher", "R@10"),
    ("224x224 pixels", "224x224"),
    ("the 3rd run", "3rd"),
    ("on CLIC 2024 we", "2024"),
    ("in C++11 we", "11"),
    ("two parts: (1) a list", "1"),
    ("concept 10011007 is", "10011007"),
    ("ORCID 0000-0002", "0000"),
    ("the step g^(1) is", "1"),
    ("a 10x Genomics kit", "10x"),
    ("in 2x + 3 we", "2x"),
    ("prefixed with 0x and", "0x"),
    ("set in 10pt type", "10pt"),
    ("x_1 is", "x_1"),
    ("arXiv:1610.01010", "1610.01010"),
    ("https://x.org/12 is", "12"),
    ("a 5-point Likert scale", "5"),
    ("at 10:30 we", "10:30"),
    ("on 12 March we", "12"),
    ("int8 weights", "int8"),
    ("the W1-W4 bands", "W1-W4"),
    ("seed 42 was", "42"),
    ("an RTX 3090Ti card", "3090Ti"),
    ("123456789012345678901234567890123456789012345", "123456789012345678901234567890123456789012345"),
]


@pytest.mark.parametrize(("text", "part"), NAMES, ids=[name[0][:40] for name in NAMES])
def test_a_name_is_no_quantity(text: str, part: str) -> None:
    found = {quantity.text: quantity for quantity in quantities(text)}
    assert part in found, found.keys()
    assert found[part].kind is Kind.IDENTIFIER


MEASURED = [
    ("BLEU 28.4 is best", "28.4"),
    ("F1 0.74 on it", "0.74"),
    ("The 5 models", "5"),
    ("We 3 agree", "3"),
    ("a batch size of 64 for", "64"),
    ("Participants 38", "38"),
]


@pytest.mark.parametrize(("text", "part"), MEASURED)
def test_a_value_behind_a_capital_is_kept(text: str, part: str) -> None:
    found = {quantity.text: quantity for quantity in quantities(text)}
    assert found[part].kind is not Kind.IDENTIFIER


def test_placeholders_hide_nothing_and_are_no_numbers() -> None:
    text = "as \ue000 shows, Table \ue001 has 74.3 and \ue003 has \ue002"
    assert [quantity.text for quantity in quantities(text)] == ["74.3"]
