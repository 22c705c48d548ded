"""Checks of prose against tables beyond their documented examples: what must be found, and what must stay silent."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Finding, Severity
from analyzers.fixes import apply_edits

TABLE = r"""
\begin{table}\caption{Test results.}\label{tab:main}
\begin{tabular}{lcccc}\toprule
Method & \multicolumn{3}{c}{Accuracy (\%) $\uparrow$} & Latency (ms) $\downarrow$ \\
 & Arvid & Bolmen & Corvus & \\ \midrule
Alder & 62.0 & 68.4 & 41.2 & 30.1 \\
Birch & 72.3 & 73.0 & 46.8 & 18.9 \\
Cedar & 74.3 & 75.6 & 49.1 & 12.4 \\ \bottomrule
\end{tabular}\end{table}
"""
LINKED = (
    "NUM001",
    "NUM002",
    "NUM006",
    "NUM007",
    "NUM009",
    "NUM012",
    "NUM013",
    "NUM014",
    "NUM015",
    "TAB010",
    "TAB011",
    "CMP002",
)


def findings(sentence: str, table: str = TABLE, codes: tuple[str, ...] = LINKED) -> tuple[Finding, ...]:
    text = f"\\section{{Results}}\n{sentence}\n{table}"
    return analyse(manuscript_of({"main.tex": text}), Configuration(select=codes)).findings


def codes(sentence: str, table: str = TABLE) -> set[str]:
    return {finding.code for finding in findings(sentence, table)}


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("In Table~\\ref{tab:main}, the accuracy of Cedar on Arvid is 71.3\\%.", "NUM014"),
        ("Table~\\ref{tab:main} shows that Cedar beats Birch by 5.0 points on Corvus.", "NUM002"),
        ("In Table~\\ref{tab:main}, the latency of Cedar is 12.4 seconds.", "TAB010"),
        ("As Table~\\ref{tab:main} shows, Cedar has a higher latency than Birch.", "CMP002"),
        ("In Table~\\ref{tab:main}, Birch has the best accuracy on all three datasets.", ""),
        ("In Table~\\ref{tab:main}, the latency of Birch is lower than that of Cedar.", "CMP002"),
    ],
)
def test_what_the_table_refutes(sentence: str, code: str) -> None:
    # Birch is best in no column: a sentence that is wrong about most columns was read wrongly, and stays silent.
    assert codes(sentence) == ({code} if code else set())


@pytest.mark.parametrize(
    "sentence",
    [
        "In Table~\\ref{tab:main}, the accuracy of Cedar on Arvid is 74.3\\%.",
        "In Table~\\ref{tab:main}, the accuracy of Cedar on Arvid is about 71\\%.",
        "In Table~\\ref{tab:main}, the accuracy of Cedar on Arvid is above 70.1\\%.",
        "On the development set, the accuracy of Cedar on Arvid is 71.3\\% (Table~\\ref{tab:main} has the test set).",
        "Table~\\ref{tab:main} shows that Cedar beats Birch by 2.3 points on Corvus.",
        "Table~\\ref{tab:main} shows that Cedar beats Birch by 4.9\\% on Corvus.",
        "Table~\\ref{tab:main} shows that Cedar has the best accuracy on all three datasets.",
        "Table~\\ref{tab:main} shows that Cedar has a lower latency than Birch.",
        "We expect Cedar to have a higher latency than Birch (Table~\\ref{tab:main}).",
        "Cedar was trained for 71.3 hours.",
        "In earlier work, Cedar reached 71.3\\% on Arvid.",
        "When trained on half the data, Cedar has an accuracy of 71.3\\% on Arvid (cf. Table~\\ref{tab:main}).",
        "If trained longer, Cedar beats Birch by 5.0 points on Corvus (cf. Table~\\ref{tab:main}).",
        "On the validation set, Cedar has a higher latency than Birch (cf. Table~\\ref{tab:main}).",
        "In Table~\\ref{tab:main}, Birch has the best accuracy on all three metrics.",
        "Table~\\ref{tab:main} shows that Cedar improves over Birch by up to 5.0 points on Corvus.",
    ],
)
def test_what_stays_silent(sentence: str) -> None:
    assert codes(sentence) == set()


def test_superlative_with_one_refuting_column() -> None:
    table = TABLE.replace("73.0", "78.0")
    (finding,) = findings("Table~\\ref{tab:main} shows that Cedar has the best accuracy on all three datasets.", table)
    assert finding.code == "NUM006"
    assert "best in 2 of 3 columns" in finding.message
    assert len(finding.related) == 2


def test_superlative_ignores_variants_of_the_same_method() -> None:
    table = TABLE.replace("Birch & 72.3 & 73.0", "Cedar-large & 72.3 & 78.0")
    assert codes("Table~\\ref{tab:main} shows that Cedar has the best accuracy on all three datasets.") == set()
    assert findings("Table~\\ref{tab:main} shows that Cedar has the best accuracy on all three datasets.", table) == ()


def test_every_linked_finding_shows_both_sides() -> None:
    for sentence in (
        "In Table~\\ref{tab:main}, the accuracy of Cedar on Arvid is 71.3\\%.",
        "Table~\\ref{tab:main} shows that Cedar beats Birch by 5.0 points on Corvus.",
        "As Table~\\ref{tab:main} shows, Cedar has a higher latency than Birch.",
    ):
        (finding,) = findings(sentence)
        assert finding.related
        assert finding.severity is Severity.INFORMATION


def test_fixes_write_the_number_like_the_original() -> None:
    text = f"\\section{{Results}}\nIn Table~\\ref{{tab:main}}, the accuracy of Cedar on Arvid is 71.3\\%.\n{TABLE}"
    (finding,) = analyse(manuscript_of({"main.tex": text}), Configuration(select=("NUM014",))).findings
    assert apply_edits(text, finding.fixes[0].edits) == text.replace("71.3", "74.3")


def orphans(abstract: str, body: str, extra: str = "") -> list[str]:
    text = f"\\begin{{document}}\\begin{{abstract}}{abstract}\\end{{abstract}}\n\\section{{Results}}\n{body}\n{extra}\\end{{document}}"
    found = analyse(manuscript_of({"main.tex": text}), Configuration(select=("NUM001",))).findings
    return [text[finding.span.start : finding.span.end] for finding in found]


@pytest.mark.parametrize(
    ("abstract", "body"),
    [
        ("It takes 2.5 s.", "It takes 2500 ms on average."),
        ("The error is 25.7\\%.", "The accuracy is 74.3\\%."),
        ("The gain is 2.0 points.", TABLE),  # 74.3 - 72.3
        ("It is 1.5 times faster.", TABLE),  # 18.9 / 12.4
        ("It reaches 74\\%.", "It reaches 74.3\\%."),
        ("It reaches $74.3 \\pm 0.2$\\%.", "We measured $74.3 \\pm 0.2$\\% accuracy."),
        ("The prior work reaches 66.6\\% \\cite{x}.", "Nothing."),
        ("In 2019, about 7.3 terabytes were read.", "Nothing."),
        ("It reaches 74.3\\%.", "\\begin{tikzpicture}\\addplot coordinates {(1,74.3)};\\end{tikzpicture}"),
        ("It reaches 74.3\\%.", "\\begin{tabular}{lc} a & b & c \\\\ x & y & 74.3 \\end{tabular}"),
    ],
)
def test_supported_numbers_of_the_abstract(abstract: str, body: str) -> None:
    assert orphans(abstract, body) == []


@pytest.mark.parametrize(
    ("abstract", "body", "number"),
    [
        ("It reaches 73.4\\% accuracy.", "It reaches 74.3\\% accuracy.", "73.4"),
        ("Intervals are [0.57, 0.79].", "Intervals are [0.57, 0.78].", "0.79"),
        ("The study has 38 participants.", "The study has 36 participants.", "38"),
        ("It reaches $73.4 \\pm 0.2$\\% accuracy.", "It reaches $74.3 \\pm 0.2$\\% accuracy.", "73.4"),
    ],
)
def test_unsupported_numbers_of_the_abstract(abstract: str, body: str, number: str) -> None:
    assert orphans(abstract, body) == [number]


def test_a_number_in_a_comment_is_no_support() -> None:
    assert orphans("It reaches 73.4\\% accuracy.", "% It reaches 73.4 accuracy.\nIt reaches 74.3\\% accuracy.") == [
        "73.4"
    ]


def test_conclusions_are_compared_with_the_rest() -> None:
    assert orphans(
        "It is good.",
        "On Arvid, Cedar reaches 74.3\\% accuracy.",
        "\\section{Conclusion}\nOn Arvid, Cedar reaches 73.4\\% accuracy.\n",
    ) == ["73.4"]


def test_numbers_through_macros_move_by_themselves() -> None:
    text = "\\newcommand{\\acc}{74.3}\n\\begin{document}\\begin{abstract}It reaches \\acc\\%.\\end{abstract}\nText.\\end{document}"
    assert analyse(manuscript_of({"main.tex": text}), Configuration(select=("NUM001",))).findings == ()


def test_open_projects_stay_silent_without_a_near_value() -> None:
    files = {
        "main.tex": "\\begin{document}\\begin{abstract}It needs 7.3 terabytes.\\end{abstract}\n\\input{missing}\n\\end{document}"
    }
    assert analyse(manuscript_of(files), Configuration(select=("NUM001",))).findings == ()
