"""Repeated text: what counts as the same, and where repeating is custom."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Severity

LONG = "The second stage of the pipeline merges neighbouring segments whenever their embeddings are closer to each other than to any other segment of the document."
NEXT = "It then writes the merged segments back to the index so that later queries can find the whole passage with one single look-up in the table."
SHORT = "We sort the list and print it."


def found(text: str) -> list[tuple[str, Severity]]:
    manuscript = manuscript_of({"main.tex": text})
    return [
        (manuscript.text(f.span), f.severity) for f in analyse(manuscript, Configuration(select=("DUP001",))).findings
    ]


def test_a_sentence() -> None:
    assert found(f"\\section{{Method}}\n{LONG} {SHORT}\n\n\\section{{Results}}\nHere. {LONG}") == [
        (LONG, Severity.WARNING)
    ]


def test_neighbours_are_one_finding() -> None:
    assert found(f"{LONG} {NEXT}\n\nOther words stand here.\n\n{LONG} {NEXT}") == [(f"{LONG} {NEXT}", Severity.WARNING)]


def test_line_breaks_and_fonts_do_not_matter() -> None:
    again = LONG.replace(" ", "\n", 3).replace("merges", "\\emph{merges}")
    [(text, severity)] = found(f"{LONG}\n\n{again}")
    assert text == again
    assert severity is Severity.HINT


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG}\n\n{SHORT}\n\n{SHORT}",
        f"{LONG}\n\n% {LONG}",
        f"{LONG}\n\n\\begin{{quote}}{LONG}\\end{{quote}}",
        f"\\begin{{lemma}}{LONG}\\end{{lemma}}\n\n\\begin{{lemma}}{LONG}\\end{{lemma}}",
        f"\\begin{{table}}\\caption{{{LONG}}}\\end{{table}}\n\n\\begin{{table}}\\caption{{{LONG}}}\\end{{table}}",
        f"{LONG}\n\nRecall the following. {LONG}",
        f"\\section{{NeurIPS Paper Checklist}}\n{LONG}\n\n{LONG}",
        LONG.replace("second", "2nd of 3") + "\n\n" + LONG.replace("second", "3rd of 4"),
        LONG
        + "\n\n"
        + LONG.replace("merges neighbouring", "drops all").replace("closer", "farther").replace("whole", "half"),
    ],
)
def test_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("first", ["\\begin{abstract}" + LONG + "\\end{abstract}", "\\section{Introduction}\n" + LONG])
def test_summaries_may_share_sentences(first: str) -> None:
    assert found(f"{first}\n\n\\section{{Method}}\n{LONG}") == [(LONG, Severity.HINT)]


def test_the_first_place_is_shown_and_the_fix_deletes_the_second() -> None:
    text = f"{LONG}\n\n{SHORT}\n\n{LONG}"
    finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=("DUP001",))).findings[0]
    assert finding.related[0].span.start == 0
    edit = finding.fixes[0].edits[0]
    assert text[: edit.span.start] + edit.text + text[edit.span.end :] == f"{LONG}\n\n{SHORT}\n\n"


def test_many_equal_sentences_stay_cheap() -> None:
    text = "\n\n".join([LONG] * 800)
    assert len(found(text)) == 799
