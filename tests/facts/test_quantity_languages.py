"""German and Chinese cue words, the decimal comma, and languages without a lexicon."""

from decimal import Decimal

from analyzers.facts.quantities import Bound, Kind, quantities


def test_german() -> None:
    text = (
        "In Tabelle 3 steigt sie um 2,3 Prozentpunkte von 72,0 % auf 74,3 %, mindestens drei Modelle, 1.234.567 Zeilen."
    )
    found = {quantity.text: quantity for quantity in quantities(text, "de")}
    assert found["3"].kind is Kind.IDENTIFIER
    assert (found["2,3"].kind, found["2,3"].value) == (Kind.DELTA_ABS, Decimal("2.3"))
    assert (found["72,0"].kind, found["72,0"].decimals) == (Kind.LEVEL, 1)
    assert found["74,3"].percent
    assert (found["drei"].value, found["drei"].bound) == (3, Bound.AT_LEAST)
    assert found["1.234.567"].value == 1234567


def test_german_words_and_scales() -> None:
    found = {
        quantity.text: quantity for quantity in quantities("etwa zwölf Datensätze und 5 Millionen Parameter", "de")
    }
    assert found["zwölf"].approximate
    assert found["5 Millionen"].value == 5_000_000


def test_chinese() -> None:
    text = "表3显示准确率提高了2.3个百分点，达到74.3%，约5万个样本，三个数据集，超过100个，2019年，第三章"
    found = {quantity.text: quantity for quantity in quantities(text, "zh")}
    assert found["3"].kind is Kind.IDENTIFIER
    assert found["2.3"].kind is Kind.DELTA_ABS
    assert found["74.3"].kind is Kind.LEVEL
    assert (found["5万"].value, found["5万"].approximate) == (50_000, True)
    assert (found["三"].value, found["三"].kind) == (3, Kind.COUNT)
    assert found["100"].bound is Bound.GREATER
    assert found["2019"].kind is Kind.YEAR


def test_a_language_without_a_lexicon_reads_digits_only() -> None:
    found = {quantity.text: quantity for quantity in quantities("la valeur 3,5 dans la Table 4", "fr")}
    assert found["3,5"].value == Decimal("3.5")
    assert found["4"].kind is Kind.IDENTIFIER
