"""Settings, cohorts and sizes that differ between places; symbols and captions as candidates."""

import pytest

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.settings import settings
from analyzers.facts.settings_cohorts import cohorts


def candidates(code: str, text: str) -> list[tuple[str, ...]]:
    manuscript = manuscript_of({"main.tex": text})
    pairs = analyse(manuscript, Configuration(select=(code,)), candidates=True).candidates
    return [tuple(manuscript.text(place) for place in pair.places) for pair in pairs]


def table(*rows: str, caption: str = "Hyper-parameters.", spec: str = "{lr}", environment: str = "tabular") -> str:
    body = " \\\\\n".join(rows)
    return f"\\begin{{table}}\n\\caption{{{caption}}}\n\\begin{{{environment}}}{spec}\n\\toprule\nName & Value \\\\\n\\midrule\n{body} \\\\\n\\bottomrule\n\\end{{{environment}}}\n\\end{{table}}\n"


SENTENCES = (
    ("We train with a learning rate of $3\\times10^{-4}$.", "learning rate", "0.0003"),
    ("The learning rate is set to 3e-4.", "learning rate", "0.0003"),
    ("We use a batch size of 64.", "batch size", "64"),
    ("Mini-batches of 1,024 are used.", "batch size", "1024"),
    ("We trained for 20 epochs.", "epochs", "20"),
    ("Results are averaged over five random seeds.", "seeds", "5"),
    ("Dropout is 0.1.", "dropout", "0.1"),
    ("with a dropout rate of $p = 0.3$", "dropout", "0.3"),
    ("We set weight decay to $10^{-2}$.", "weight decay", "0.01"),
    ("The network has 12 hidden layers.", "layers", "12"),
)


@pytest.mark.parametrize(("text", "name", "value"), SENTENCES)
def test_settings_of_sentences(text: str, name: str, value: str) -> None:
    manuscript = manuscript_of({"main.tex": text})
    read = [(s.name, s.number) for _, _, s in manuscript.located(lambda block, macros: settings(block, macros, "en"))]
    assert [(n, f"{v.normalize():f}") for n, v in read if v is not None and n == name] == [(name, value)]


@pytest.mark.parametrize(
    "text",
    [
        "We search learning rates from $10^{-4}$ to $10^{-2}$.",
        "The batch size is 32 or 64.",
        "We vary the batch size between 32 and 64.",
        "We use seeds 1, 2 and 3.",
        "The learning rate decays to $10^{-6}$.",
        "The original authors use a batch size of 32.",
    ],
)
def test_no_setting(text: str) -> None:
    manuscript = manuscript_of({"main.tex": text})
    assert list(manuscript.located(lambda block, macros: settings(block, macros, "en"))) == []


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        (
            "The classifier is trained with a batch size of 64.\n\n"
            + table("Batch size & 32", caption="Settings of the classifier."),
            ["32"],
        ),
        ("We train for 20 epochs.\n\n" + table("Epochs & 30", "Dropout & 0.1"), ["30"]),
        (
            "Our parser uses dropout of 0.2.\n\n" + table("Dropout & $0.3$", caption="The parser's hyperparameters"),
            ["$0.3$"],
        ),
        ("We train with AdamW.\n\n" + table("Optimizer & SGD"), ["SGD"]),
        (
            "We train for 20 epochs.\n\n"
            + table("\\textbf{Epochs} & \\textbf{30}", environment="tabularx", spec="{\\textwidth}{lX}"),
            ["\\textbf{30}"],
        ),
        (
            "Unless stated otherwise, every number is the mean of 3 seeds.\n\n\\begin{figure}\\caption{Accuracy over 5 seeds.}\\end{figure}",
            ["5"],
        ),
        (
            "Table~\\ref{t} lists the mean of 5 runs on Alpha.\n\n\\begin{table}\\caption{Accuracy (mean of 3 runs).}\\label{t}\\end{table}",
            ["3"],
        ),
        ("On SNLI we train for 20 epochs.\n\n" + table("Epochs & 30"), ["30"]),
        ("\\begin{figure}\\caption{Mean of ten seeds.}\\end{figure}\n\nAll experiments use 3 random seeds.", ["3"]),
    ],
)
def test_two_values(text: str, flagged: list[str]) -> None:
    assert flagged_by("CON001", text) == flagged


@pytest.mark.parametrize(
    "text",
    [
        "The classifier is trained with a batch size of 32.\n\n" + table("Batch size & 32"),
        "The learning rate is 0.0003.\n\n" + table("Learning rate & $3\\times10^{-4}$"),
        "We train with batches of 1,024.\n\n" + table("Batch size & 1024"),
        "For pre-training we use 20 epochs.\n\n" + table("Epochs & 30", caption="Fine-tuning settings."),
        "The decoder is trained for 20 epochs.\n\n" + table("Epochs & 30", caption="Settings of the classifier."),
        "On ImageNet we train for 20 epochs.\n\n" + table("Epochs & 30", caption="Settings on CIFAR-10."),
        "We train for 20 epochs.\n\n" + table("Epochs & 30") + "\nThe ranker needs 40 epochs.",
        "We train for 20 epochs.\n\n" + table("Epochs & 30 & 40", spec="{lrr}"),
        "In an ablation we train for 20 epochs.\n\n" + table("Epochs & 30"),
        "\\begin{figure}\\caption{Mean of ten seeds.}\\end{figure}\n\nFigure 2 uses 3 random seeds.",
        "The encoder has 12 layers. The decoder has 6 layers.",
    ],
)
def test_one_value_or_another_thing(text: str) -> None:
    assert flagged_by("CON001", text) == []


ABSTRACT = "\\begin{abstract}We report on a survey with 120 respondents.\\end{abstract}\n\\section{Survey}\n"


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        (ABSTRACT + "We invited 112 respondents by mail.", ["112"]),
        (ABSTRACT + "A total of 121 respondents took part in it.", ["121"]),
        (
            "\\section{Introduction}\nA user study with 24 participants shows it.\n\\section{Study}\nWe recruited twenty participants.",
            ["twenty"],
        ),
        (
            "\\begin{abstract}In a study with 52 radiologists it helps.\\end{abstract}\n\\section{Study}\nWe enrolled 48 board-certified radiologists.",
            ["48"],
        ),
        (
            "\\begin{abstract}In a study of 52 papers it helps.\\end{abstract}\n\\section{Study}\nWe included 48 papers.",
            [],
        ),
        (ABSTRACT + "We invited 120 respondents by mail.", []),
        (ABSTRACT + "In the first wave we invited 40 respondents. In another wave we invited 80 respondents.", []),
        (ABSTRACT + "We invited 130 respondents, but ten respondents were excluded.", []),
        (ABSTRACT + "Smith \\cite{a} recruited 40 respondents.", []),
        (ABSTRACT + "Each group had 60 respondents.", []),
        (ABSTRACT + "A pilot with 12 respondents came first.", []),
    ],
)
def test_cohorts(text: str, flagged: list[str]) -> None:
    assert flagged_by("CON002", text) == flagged


def test_cohort_offsets() -> None:
    manuscript = manuscript_of({"main.tex": ABSTRACT})
    [(_, entry, size)] = list(manuscript.located(cohorts))
    assert size.written == "120"
    assert entry.block.text.count("120") == 1


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("We build NewsQA-X, a corpus of 1,200 articles.\n\nNewsQA-X contains 1,300 articles.", ["1,300"]),
        ("NewsQA-X comprises 1,200 articles.\n\nThe NewsQA-X dataset has 1,250 articles.", ["1,250"]),
        ("We build NewsQA-X, a corpus of 1.2k articles.\n\nNewsQA-X contains 1,213 articles.", []),
        ("We build NewsQA-X, a corpus of 1,200 articles.\n\nNewsQA-X contains 9,000 words.", []),
        ("We build NewsQA-X, a corpus of 1,200 articles.\n\nAfter filtering, NewsQA-X contains 900 articles.", []),
        ("We build NewsQA-X, a corpus of 1,200 articles.\n\nNewsQA-X contains about 1,000 articles.", []),
    ],
)
def test_dataset_sizes(text: str, flagged: list[str]) -> None:
    assert flagged_by("CON003", text) == flagged


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Let $k$ denote the number of clusters.\n\nHere $k$ denotes the size of the cache.", 1),
        (
            "We denote by $\\alpha$ the mixing weight.\n\nThe step length is $\\alpha$, where $\\alpha$ denotes the decay rate.",
            1,
        ),
        ("Let $\\lambda$ denote the drift penalty.\n\nWe train with a learning rate $\\lambda$ and stop early.", 1),
        ("Let $\\lambda$ denote the drift penalty.\n\nWe tune the parameter $\\lambda$ by hand.", 0),
        ("Let $k$ denote the number of clusters.\n\nAs before, $k$ denotes the number of all clusters.", 0),
        (
            "Let $k$ denote the number of clusters.\n\n\\begin{proof}Let $k$ denote the size of the cache.\\end{proof}",
            0,
        ),
        ("Let k denote the number of clusters.\n\nHere k denotes the size of the cache.", 0),
        ("Let $k_1$ denote the number of clusters.\n\nHere $k_2$ denotes the size of the cache.", 0),
    ],
)
def test_symbols(text: str, number: int) -> None:
    assert len(candidates("SYM001", text)) == number


def figure(caption: str) -> str:
    return f"\\begin{{figure}}\\caption{{{caption}}}\\label{{fig:a}}\\end{{figure}}\n\n"


@pytest.mark.parametrize(
    ("code", "text", "number"),
    [
        ("CAP001", figure("Results of 4 models.") + "Figure~\\ref{fig:a} compares five models.", 1),
        ("CAP001", figure("Results of 4 models.") + "Figure~\\ref{fig:a} compares four models.", 0),
        ("CAP001", figure("Results of 4 models.") + "Five models exist. See Figure~\\ref{fig:a}.", 0),
        ("CAP002", figure("Accuracy on HotpotQA.") + "See Figure~\\ref{fig:a}.", 1),
        ("CAP002", figure("Accuracy on HotpotQA.") + "See Figure~\\ref{fig:a} for hotpotqa.", 0),
        ("CAP002", figure("Accuracy on HotpotQA."), 0),
        ("CAP002", figure("Accuracy on MMLU.") + "See Figure~\\ref{fig:a}.", 1),
        ("CAP002", figure("The RMSE of all models.") + "See Figure~\\ref{fig:a}.", 0),
    ],
)
def test_captions(code: str, text: str, number: int) -> None:
    assert len(candidates(code, text)) == number
