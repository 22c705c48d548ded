"""Leftovers and reversed dates: what must be found, and text that only looks like it."""

import pytest

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.checks.leftovers import lexicon, lowered, occurrences
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.fixes import apply_edits


def test_every_phrase_holds_its_stem() -> None:
    for group in ("template", "chat"):
        for stem, phrases in lexicon()[group].items():
            assert stem == stem.lower()
            for phrase in phrases:
                assert stem in phrase, (group, stem, phrase)
                assert phrase == lowered(phrase)


def test_longest_phrase_wins() -> None:
    assert list(occurrences("a certainly! here is b", "chat")) == [(2, 17)]


def test_lower_case_keeps_the_length() -> None:
    assert len(lowered("İstanbul ẞ Σ")) == len("İstanbul ẞ Σ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "\\title{Your Title Here}\n\n\\author{Ben Trovato}",
            ["Your Title Here", "Ben Trovato"],
        ),
        ("\\begin{abstract}Your abstract goes here.\\end{abstract}", ["abstract goes here"]),
        ("\\caption{Insert caption here.}", ["Insert caption here"]),
        ("The abstract paragraph should be indented 1/2 inch.", ["The abstract paragraph should be indented"]),
        (
            "\\acmConference[Conference acronym 'XX]{Make sure to enter the correct\n  conference title from your rights confirmation email}{}{}",
            1,
        ),
        ("Lorem\nipsum dolor sit amet", ["Lorem\nipsum", "dolor sit amet"]),
        ("\\title{Untitled}", ["Untitled"]),
        ("在此处输入摘要。", ["在此处输入"]),
        ("% lorem ipsum\nText.", []),
        ("\\verb|lorem ipsum|", []),
        ("The word ``lorem ipsum'' is filler.", []),
        ("\\title{A Title Here and There}", []),
        (
            "The first author and second author wrote it. This template provides two parameters and placeholder text.",
            [],
        ),
        ("We study templates for papers and instructions for authors.", []),
    ],
)
def test_template_text(text: str, expected: list[str] | int) -> None:
    slices = flagged_by("TXT001", text)
    assert (slices if isinstance(expected, list) else len(slices)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TODO: cite. FIXME (check). See XXX et al.", ["TODO", "FIXME", "XXX"]),
        ("\\todo{a \\cite{b} c}", ["\\todo{a \\cite{b} c}"]),
        ("\\missingfigure{x}", ["\\missingfigure{x}"]),
        ("\\newcommand{\\todo}[1]{\\textcolor{red}{#1}}\n\n\\todo{a}", ["\\todo{a}"]),
        ("\\newcommand{\\TODO}{\\textbf{TODO}}\n\n\\TODO more", ["\\TODO"]),
        ("\\newcommand{\\todo}[1]{}\n\n\\todo{a}", []),
        ("\\newcommand{\\todo}[1]{\\ignorespaces}\n\n\\todo{a}", []),
        ("\\usepackage[disable]{todonotes}\n\n\\todo{a}", []),
        ("The todo list, a TODO item, TODO comments, Todo et al., Volume XXX, arXiv XXX.", []),
        ("TODO-tags and \\texttt{TODO} and ``TODO'' and NOTODO and /TODO.", []),
        ("\\url{https://a.b/TODO}", []),
    ],
)
def test_notes_to_self(text: str, expected: list[str]) -> None:
    assert flagged_by("TXT002", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section ?? and (??) and Fig.~??.", ["??", "(??)", "??"]),
        (
            "Known [citation needed]. Known [CITE]. Known [REF]. Known [?].",
            ["[citation needed]", "[CITE]", "[REF]", "[?]"],
        ),
        ("Why?? What??? ??? a??b", []),
        ("$a ?? b$ \\verb|??| \\texttt{x ?? y}", []),
        ("a group (ref) and [reference] and [cites]", []),
        ("\\begin{tabular}{l}?? \\\\\\end{tabular}", []),
    ],
)
def test_open_references(text: str, expected: list[str]) -> None:
    assert flagged_by("TXT003", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sure! Here is a summary. Text.", ["Sure! Here"]),
        ("We stop. I hope this helps! Text.", ["I hope this helps"]),
        ("\\begin{abstract}Certainly! Here is an abstract: We\\end{abstract}", ["Certainly! Here"]),
        ("See :contentReference[oaicite:3]{index=3}.", ["contentReference[oaicite"]),
        ("作为一个人工智能语言模型，我不能。", ["作为一个人工智能语言模型"]),
        ("\\begin{lstlisting}\nSure! Here is the code.\n\\end{lstlisting}", []),
        ("The model says “Sure! Here is the code.” and stops.", []),
        ("\\begin{table}\\caption{Sure! Here is one.}\\end{table}", []),
        ("We are sure, here is why it holds: it certainly does.", []),
    ],
)
def test_chat_residue(text: str, expected: list[str]) -> None:
    assert flagged_by("TXT004", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between June 2024 and March 2024", ["June 2024 and March 2024"]),
        ("between Sept.\\ 2023 and Jan.\\ 2023", ["Sept.\\ 2023 and Jan.\\ 2023"]),
        ("from 5th May 2020 until 3rd May 2020", ["5th May 2020 until 3rd May 2020"]),
        ("(May 2020--March 2020)", ["May 2020--March 2020"]),
        ("from 2024-06-01 to 2024-03-01", ["2024-06-01 to 2024-03-01"]),
        ("zwischen 2021 und 2019.", ["2021 und 2019"]),
        ("von Juni 2021 bis Mai 2020", ["Juni 2021 bis Mai 2020"]),
        ("2024年6月至2024年3月", ["2024年6月至2024年3月"]),
        ("It began in June 2024 and ended in March 2024.", ["June 2024 and ended in March 2024"]),
        ("entre juin 2024 et mars 2024", ["juin 2024 et mars 2024"]),
        ("entre junio de 2024 y marzo de 2024", ["junio de 2024 y marzo de 2024"]),
        ("с июня 2024 по март 2024 года", ["июня 2024 по март 2024"]),
        ("between March 2024 and June 2024; from May 2019 to May 2020", []),
        ("June 2024 and March 2024", []),
        ("from 2021 to 2019 tokens", []),
        ("the loss decreased from 2021 to 1919.", []),
        ("a list from 2048 to 1920 units", []),
        ("published in May 2024. March 2024 was cold", []),
        ("going back from 2020 to 1990.", []),
        ("between June and March 2024", []),
        ("% between June 2024 and March 2024", []),
        ("pages 2021--2019, phone 2020-1910", []),
    ],
)
def test_reversed_dates(text: str, expected: list[str]) -> None:
    assert flagged_by("DAT001", text) == expected


def test_the_fix_swaps_the_dates() -> None:
    text = "between June 2024 and~March 2024"
    finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=("DAT001",))).findings[0]
    assert apply_edits(text, finding.fixes[0].edits) == "between March 2024 and~June 2024"
