"""Related passages and pairs: what is ranked, what is left out, and the command that shows it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.related.index import PassageIndex
from analyzers.related.pairs import related_pairs
from analyzers.related.paragraph import paragraph_at
from analyzers.related.terms import stem, terms

PROGRAM = Path(sys.executable).parent / "counterclaim"
PAPER = r"""\documentclass{article}
\newcommand{\ours}{TideFix}
\begin{document}
\begin{abstract}
We present \ours, which corrects drifting oxygen sensors without laboratory samples.
\end{abstract}
\section{Introduction}
Weather was fine, and the harvest of the year was good in every village.

\section{Method}
TideFix corrects the drift of oxygen sensors with weekly laboratory samples.

\begin{table}
\caption{Error of oxygen sensors after drift correction.}\label{tab:error}
\begin{tabular}{lc}
Method & Error (mg/L) \\
TideFix & 0.81 \\
Linear & 0.98 \\
\end{tabular}
\end{table}

\section{Results}
Table~\ref{tab:error} shows that TideFix has an error of 0.81 mg/L.
\end{document}
"""


def at(text: str, needle: str) -> tuple[str, int, int]:
    start = text.index(needle)
    return "main.tex", start, start + len(needle)


def test_the_conflicting_sentence_comes_first_and_the_own_paragraph_never() -> None:
    manuscript = manuscript_of({"main.tex": PAPER})
    index = PassageIndex.of(manuscript)
    own = paragraph_at(manuscript, *at(PAPER, "We present"))
    places = index.related(own)
    assert manuscript.text(places[0].span).startswith("TideFix corrects the drift")
    assert places[0].score == 1.0
    assert [place.score for place in places] == sorted((place.score for place in places), reverse=True)
    assert all(place.passage.entry not in own for place in places)
    assert "laboratory" in places[0].reason


def test_a_number_leads_to_its_cell_not_to_the_whole_row() -> None:
    manuscript = manuscript_of({"main.tex": PAPER})
    places = PassageIndex.of(manuscript).related(paragraph_at(manuscript, *at(PAPER, "has an error")))
    texts = [manuscript.text(place.span) for place in places]
    assert "0.81" in texts
    assert all("&" not in text for text in texts)


def test_blank_lines_and_places_outside_belong_to_the_nearest_paragraph() -> None:
    manuscript = manuscript_of({"main.tex": PAPER})
    blank = PAPER.index("\n\n\\section{Method}") + 1
    (entry,) = paragraph_at(manuscript, "main.tex", blank, blank)
    assert "harvest" in manuscript.entries[entry].block.text
    assert paragraph_at(manuscript, "other.tex", 0, 0) == ()


def test_pairs_join_two_paragraphs_and_leave_repetitions_to_another_check() -> None:
    twice = "The gating router freezes all expert parameters during budget calibration."
    other = "During budget calibration, the gating router updates all expert parameters."
    manuscript = manuscript_of(
        {"main.tex": f"{twice}\n\nWeather was fine today in the village.\n\n{other}\n\n{twice}\n"}
    )
    pairs = related_pairs(PassageIndex.of(manuscript))
    texts = [{manuscript.text(pair.first), manuscript.text(pair.second)} for pair in pairs]
    assert {twice, other} in texts
    assert {twice} not in texts
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)


@pytest.mark.parametrize("text", ["", "\\begin{document}\\end{document}", "a", "\\section{Only}"])
def test_nothing_to_compare_gives_nothing(text: str) -> None:
    manuscript = manuscript_of({"main.tex": text})
    index = PassageIndex.of(manuscript)
    assert related_pairs(index) == ()
    assert index.related(paragraph_at(manuscript, "main.tex", 0, 1)) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [("calibrated", "calibrates"), ("results", "result"), ("experts", "expert"), ("freezing", "freezes")],
)
def test_inflections_meet(first: str, second: str) -> None:
    assert stem(first) == stem(second)


def test_names_keep_a_form_of_their_own() -> None:
    found = terms("ResNet-50 beats GPT-4 by 2.5")
    assert "=resnet-50" in found
    assert "2.5" in found


def test_the_command_follows_its_contract(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(PAPER, encoding="utf-8")
    line = PAPER[: PAPER.index("We present")].count("\n") + 1
    done = subprocess.run(
        [str(PROGRAM), "related", str(tmp_path), "--at", f"main.tex:{line}", "--top", "3", "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["version"] == 1
    assert 0 < len(answer["places"]) <= 3
    first = answer["places"][0]
    assert set(first) == {"file", "start", "end", "score", "reason"}
    assert PAPER[first["start"]["offset"] : first["end"]["offset"]].startswith("TideFix corrects")
    assert first["start"]["line"] == PAPER[: first["start"]["offset"]].count("\n") + 1
    wrong = subprocess.run(
        [str(PROGRAM), "related", str(tmp_path), "--at", "main.tex"], capture_output=True, timeout=60, check=False
    )
    assert wrong.returncode == 64


SHARED = os.environ.get("COUNTERCLAIM_BENCHMARKS", "")
CORPUS = os.environ.get("COUNTERCLAIM_CORPUS", "")


@pytest.mark.benchmarks
@pytest.mark.skipif(not (SHARED and CORPUS), reason="COUNTERCLAIM_BENCHMARKS and COUNTERCLAIM_CORPUS are not both set")
def test_planted_contradictions_are_among_the_related(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    from contradictions import Papers, score  # type: ignore[import-not-found]

    data = Path(SHARED) / "benchmark" / "contradictions" / "dev.jsonl"
    items = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    papers = Papers(Path(CORPUS) / "papers")
    scores = [score(item, papers) for item in items]
    real = [one for one in scores if not one.item["neutral"]]
    neutral = [one for one in scores if one.item["neutral"]]

    def share(name: str, top: int) -> float:
        ranks = [getattr(one, name) for one in real]
        return sum(rank is not None and rank < top for rank in ranks) / len(ranks)

    assert share("related", 10) >= 0.72
    assert share("related", 20) >= 0.82
    assert share("candidate", 40) >= 0.15
    assert share("candidate", 200) >= 0.45
    assert sum(len(one.new) for one in neutral) <= 0.05 * len(neutral)
