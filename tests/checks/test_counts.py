"""Promised, enumerated and pictured numbers over many wordings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.lists import enumeration, inline_items
from analyzers.fixes import apply_edits


def items(number: int, environment: str = "itemize") -> str:
    return (
        f"\\begin{{{environment}}}\n"
        + "".join(f"  \\item Thing {i}, as said.\n\n" for i in range(number))
        + f"\\end{{{environment}}}\n"
    )


FOUND: dict[str, tuple[tuple[str, str], ...]] = {
    "CNT001": (
        (f"Our main contributions are threefold.\n\nThis paper makes two contributions:\n{items(3)}", "two"),
        (f"In summary, our work makes the following four key contributions:\n\n{items(3)}", "four"),
        (f"The contributions of this work are three-fold:\n{items(4)}", "three"),
        (f"The pipeline has five stages:\n{items(4, 'enumerate')}", "five"),
        (f"We ask three research questions:\n{items(2, 'description')}", "three"),
        (f"Three reasons speak for it:\n{items(4)}", "Three"),
        (f"We consider 3 baselines as follows.\n{items(4)}", "3"),
        ("We make four contributions: (1) a model, (2) a dataset, and (3) an analysis.", "four"),
        ("There are two reasons: (a) cost, (b) time, and (c) space.", "two"),
        ("We have four goals. First, we sort. Second, we merge.", "four"),
        (f"\\begin{{abstract}}x\\end{{abstract}}\n\\section{{A}}\nThe following 2 systems were used:\n{items(3)}", "2"),
    ),
    "CNT002": (
        ("We test on six languages: Czech, Dutch, English, French and German.", "six"),
        ("Three optimizers (Adam, SGD, RMSProp, and Lion) were compared.", "Three"),
        ("We report two metrics: precision, recall and latency.", "two"),
        ("Results hold for four models, namely BERT, GPT-2, and T5.", "four"),
        ("We used 4 corpora: Brown, WSJ and Switchboard.", "4"),
        ("There are three classes: positive and negative.", "three"),
    ),
}  # fmt: skip
SILENT: dict[str, tuple[str, ...]] = {
    "CNT001": (
        f"This paper makes three contributions:\n{items(3)}",
        f"The contributions of this work are threefold:\n{items(3)}",
        f"We run a three-fold cross-validation:\n{items(2)}",
        f"We study two datasets and four models:\n{items(3)}",
        f"There are more than three reasons:\n{items(5)}",
        f"One of the three reasons is this:\n{items(2)}",
        f"We ran it on two machines.\n\nWhat follows matters:\n{items(3)}",
        f"The two groups differ in what they saw during the long first part of the main study in Berlin, namely:\n{items(3)}",
        f"This paper makes three contributions.\n\nOther text.\n\n{items(4)}",
        "This paper makes three contributions:\n\\begin{itemize}\\item one\\item two",
        f"This paper makes three contributions:\n% {items(4).splitlines()[0]}\n{items(3)}",
        "We make three contributions. First, we sort. Second, we merge. Finally, we print.",
        "We make three contributions. First, we sort. Second, we merge. We also print.",
        f"See Section 2 for 3 more reasons:\n{items(2)}",
        f"The ten most common words are listed below, by group:\n{items(3)}",
    ),
    "CNT002": (
        "We test on five languages: Czech, Dutch, English, French and German.",
        "We test on five languages: Czech, Dutch, English, French, and German.",
        "We use three datasets: SNLI, MultiNLI and the Stanford Question Answering Dataset.",
        "We use four sets: A/B, C, and D.",
        "We use two stages: training and validation, and testing.",
        "Several languages are used, e.g. four Slavic languages: Czech, Polish, etc.",
        "We ran three seeds: 1, 2, ..., 10 and 11.",
        "We have two options: if it rains, we stay, and if it shines, we go.",
        "We use two kinds of data: 5,000 questions and 300 tables, and 20 figures.",
        "It has three layers: conv1--conv4, pool and softmax.",
        "We chose these two models (see Smith, Jones, and Miller for others).",
        "At least three languages: Czech and Dutch.",
        "In 2019 two authors (A. B. and C. D.) met.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "flagged"), [(code, *case) for code, cases in FOUND.items() for case in cases]
)
def test_found(code: str, text: str, flagged: str) -> None:
    assert flagged_by(code, text) == [flagged]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, cases in SILENT.items() for text in cases])
def test_silent(code: str, text: str) -> None:
    assert flagged_by(code, text) == []


def test_german_and_chinese() -> None:
    german = f"Die Arbeit und der Aufbau sind nicht lang und mit der Zeit wird das klar und die Sache ist von der Art.\n\nWir leisten drei Beiträge:\n{items(4)}"
    assert flagged_by("CNT001", german) == ["drei"]
    chinese = f"{'本文研究了这个问题，并给出了方法和实验结果。' * 5}我们的主要贡献有以下三点：\n{items(4)}"
    assert flagged_by("CNT001", chinese) == ["三"]
    assert flagged_by("CNT001", chinese.replace("三点", "四点")) == []


def test_the_list_may_stand_in_an_included_file() -> None:
    files = {"main.tex": "We make three contributions:\n\\input{list}\n", "list.tex": items(4)}
    assert analyse(manuscript_of(files), Configuration(select=("CNT001",))).findings == ()


def test_fix_writes_the_number_in_the_same_shape() -> None:
    for before, after in (("two", "three"), ("Two", "Three"), ("2", "3")):
        text = f"{before} reasons speak for it:\n{items(3)}"
        finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=("CNT001",))).findings[0]
        assert apply_edits(text, finding.fixes[0].edits).startswith(f"{after} reasons")


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(["Alpha", "Beta-2", "Gamma QA", "the Delta set", "CIFAR-10"]), min_size=2, max_size=7),
    st.booleans(),
)
def test_plain_enumerations_are_counted(names: list[str], serial: bool) -> None:
    text = ", ".join(names[:-1]) + (", and " if serial and len(names) > 2 else " and ") + names[-1] + "."
    assert enumeration(text) == (len(names), len(names))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(i) a, (ii) b, and (iii) c", 3),
        ("(1) a; (2) b", 2),
        ("a) x b) y c) z", 3),
        ("in (1) and (3)", 0),
        ("f(a) and g(b)", 0),
        ("none", 0),
    ],
)
def test_inline_items(text: str, number: int) -> None:
    assert inline_items(text) == number


@pytest.mark.parametrize(
    "command",
    ["\\subfloat[x]{\\includegraphics{x}}", "\\begin{subfigure}{2cm}x\\end{subfigure}", "\\subcaptionbox{x}{y}"],
)
def test_panels(command: str) -> None:
    figure = "\\begin{figure}\n" + f"{command}\n" * 2 + "\\caption{Left (a), right (b), below (c).}\n\\end{figure}\n"
    assert flagged_by("CNT003", figure) == ["(c)"]
    assert flagged_by("CNT003", figure.replace(", below (c)", "")) == []
