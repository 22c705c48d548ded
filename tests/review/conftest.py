"""Manuscripts, scripted reviewers and the loopback server for the tests of the review."""

import importlib.util
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.project.manuscript import Manuscript
from analyzers.review.port import ModelRequest

PAPER = {
    "main.tex": r"""\documentclass{article}
\title{Tidal Gauges that Agree}
\begin{document}
\maketitle
\begin{abstract}
We present TideNet, a model of tidal gauges. TideNet lowers the error from 4.2 to 3.1 cm on 36 gauges.
\end{abstract}
\section{Introduction}
Gauges drift within months. We ask whether gauges can correct each other without a visit.
TideNet needs no visits after deployment. % a private remark of the authors
\section{Method}
We train with a learning rate of 0.01 for 20 epochs. Let $\lambda$ denote the coupling strength.
\begin{equation}\label{eq:loss} L = \sum_i e_i^2 + \lambda \sum_{ij} (d_i - d_j)^2 \end{equation}
\begin{theorem}\label{thm:bound}
The drift stays below $\lambda$ for every gauge.
\end{theorem}
\section{Results}\label{sec:results}
\begin{table}\caption{Error in cm, lower is better.}\label{tab:main}
\begin{tabular}{lcc} Method & North & South \\ Raw & 4.2 & 4.4 \\ TideNet & 3.3 & 3.5 \\ \end{tabular}
\end{table}
Table~\ref{tab:main} shows that TideNet lowers the error to 3.3 cm in the north.
We used 48 gauges in all experiments, and every gauge was visited once a month \cite{tide}.
By Equation~\ref{eq:loss} and Theorem~\ref{thm:bound}, the coupling matters most where gauges are close.
\section{Conclusion}
TideNet corrects gauges without visits.
\appendix
\section{Details}
All experiments ran on one machine for 3 hours. The learning rate was chosen on held-out gauges.
\bibliography{refs}
\end{document}
""",
    "refs.bib": "@article{tide, author={Moon, Ada and Sun, Bo}, title={Tides and Gauges}, year={2019}, journal={Sea}}\n",
}


_OWN = (
    "No seasonal baseline is compared.",
    "It is unclear how missing readings enter the loss function.",
    "Costs of visits are never estimated, although they motivate everything.",
)


def scripted(request: ModelRequest) -> Any:
    """A reviewer that answers every stage with ids it was shown, one of them wrong."""
    text = "".join(segment.text for turn in request.turns for segment in turn.segments)
    shown = [name for name in ("s1", "s2", "s5", "s11", "s12", "t1r3c2") if f"[{name.partition('c')[0]}]" in text]
    if request.schema_name == "summary":
        return {"items": [{"text": "Experiments ran on one machine.", "anchors": []}]}
    if request.schema_name == "conflicts":
        return {
            "conflicts": [{"first": ["s2"], "second": ["s12"], "reason": "36 against 48"}] if "s12" in shown else [],
            "ledger": [{"ids": ["s2"], "statement": "36 gauges"}],
        }
    if request.schema_name == "verdicts":
        names = [line.removeprefix("name: ") for line in text.splitlines() if line.startswith("name: ")]
        parts = text.split("<pair>")[1:]
        return {
            "verdicts": [
                {
                    "pair": name,
                    "both_can_be_true": not ("[s2]" in part and "[s12]" in part),
                    "conflicting": ["s2", "s12"] if "[s2]" in part and "[s12]" in part else [],
                    "explanation": "One says 36 gauges, the other 48." if "[s12]" in part else "",
                }
                for name, part in zip(names, parts, strict=True)
            ]
        }
    last = request.turns[-1].segments[-1].text
    note = {"kind": "weakness", "text": "The number of gauges differs.", "anchors": ["s2", "s12", "s999"]}
    review: dict[str, Any] = {
        "notes": [note],
        "strengths": [],
        "weaknesses": [],
        "questions": [],
        "recommendation": "",
        "scores": [],
        "todo": [],
    }
    if "First pass" in last or "Second pass" in last:
        return review
    epoch = request.epoch
    review["notes"] = []
    review["strengths"] = [{"text": "A clear question.", "anchors": ["s5"], "importance": "minor"}]
    review["weaknesses"] = [
        {"text": "The number of gauges differs between abstract and results.", "anchors": ["s2", "s12"], "importance": "major"},
        {"text": _OWN[epoch % 3], "anchors": ["s11"], "importance": "minor"},
    ]  # fmt: skip
    review["questions"] = [{"text": "Who visited the gauges?", "anchors": ["s12", "s77"], "importance": "minor"}]
    review["recommendation"] = "Sound idea, contradictory numbers."
    review["scores"] = [{"name": "overall", "value": 5 + epoch % 2}, {"name": "soundness", "value": 7}]
    review["todo"] = [{"text": "State one number of gauges.", "anchors": ["s12"], "effort": "minutes"}]
    return review


_NOUNS = "sensor gauge river model estimate error method result coupling drift network sample season estuary baseline prior".split()
_VERBS = "lowers raises bounds follows explains limits predicts resembles precedes dominates".split()


def ten_pages(seed: int = 3) -> dict[str, str]:
    """A paper of ten pages: about 6,000 words of main text with numbers, tables and formulas, made anew from a seed."""
    pick = random.Random(seed)

    def sentence() -> str:
        words = " ".join(
            f"the {pick.choice(_NOUNS)} {pick.choice(_VERBS)} the {pick.choice(_NOUNS)} of {pick.choice(_NOUNS)} {pick.randint(2, 99)},"
            for _ in range(3)
        )
        return f"In {pick.choice(_NOUNS)} {pick.randint(1, 40)}, {words} with $\\alpha_{{{pick.randint(1, 9)}}} = 0.{pick.randint(10, 99)}$."

    def section(title: str, paragraphs: int) -> str:
        body = "\n\n".join(" ".join(sentence() for _ in range(6)) for _ in range(paragraphs))
        return f"\\section{{{title}}}\n{body}\n"

    rows = "".join(f"Method {n} & {pick.randint(10, 99)}.{n} & {pick.randint(10, 99)}.4 & {n} \\\\\n" for n in range(9))
    table = f"\\begin{{table}}\\caption{{Errors.}}\\label{{tab:a}}\\begin{{tabular}}{{lccc}}Name & A & B & C \\\\\n{rows}\\end{{tabular}}\\end{{table}}\n"
    text = (
        "\\documentclass{article}\\title{A Paper of Ten Pages}\\begin{document}\\maketitle\\begin{abstract}\n"
        + " ".join(sentence() for _ in range(7))
        + "\n\\end{abstract}\n"
        + section("Introduction", 4)
        + section("Related Work", 4)
        + section("Method", 9)
        + section("Experiments", 8)
        + table
        + section("Discussion", 5)
        + section("Conclusion", 2)
        + "\\appendix\n"
        + section("Proofs", 8)
        + "\\end{document}\n"
    )
    return {"main.tex": text}


@pytest.fixture(scope="session")
def kit() -> Any:
    """`PAPER`, `scripted`, `ten_pages`, and `manuscript_of`."""
    return SimpleNamespace(
        PAPER=PAPER, scripted=scripted, ten_pages=ten_pages, manuscript_of=manuscript_of, as_request=as_request
    )


@pytest.fixture(scope="session")
def paper() -> Manuscript:
    return manuscript_of(PAPER)


@pytest.fixture(scope="session")
def fake() -> Any:
    """The module with `FakeMessagesApi` and `Behaviour`."""
    name = "counterclaim_tests_fake_messages_api"
    if name not in sys.modules:
        path = Path(__file__).parents[1] / "models" / "fake_messages_api.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key, profile, setting or cache of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "OPENAI_", "COUNTERCLAIM_")) and name.endswith(
            ("_KEY", "_TOKEN", "_URL", "_PROFILE")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "no-profiles"))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def as_request(body: Mapping[str, Any]) -> Any:
    """The parts of a request that `scripted` looks at, from the body that a server got."""
    schema = body.get("output_config", {}).get("format", {}).get("schema", {})
    schema = schema or body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    fields = set(schema.get("properties", {}))
    name = next((n for n, f in (("summary", "items"), ("conflicts", "conflicts"), ("verdicts", "verdicts"), ("recheck", "addressed"), ("review", "scores")) if f in fields), "")  # fmt: skip

    def segments(content: Any) -> list[Any]:
        items = [{"text": content}] if isinstance(content, str) else content
        return [SimpleNamespace(text=item.get("text", "")) for item in items]

    turns = [SimpleNamespace(segments=segments(message["content"])) for message in body["messages"]]
    return SimpleNamespace(schema_name=name, turns=turns, epoch=0)


@pytest.fixture
def messages_api(fake: Any) -> Iterator[Any]:
    """A Messages API whose model is the scripted reviewer."""
    with fake.FakeMessagesApi(lambda body: scripted(as_request(body))) as api:
        time.sleep(0.02)  # a server that is stopped at once may not have begun to run
        yield api


@pytest.fixture
def api_with(fake: Any) -> Iterator[Callable[[Callable[[Any], Any]], Any]]:
    """A function that starts a Messages API with another scripted model."""
    running: list[Any] = []

    def start(answer: Callable[[Any], Any]) -> Any:
        api = fake.FakeMessagesApi(lambda body: answer(as_request(body)))
        api.__enter__()
        running.append(api)
        return api

    yield start
    for api in running:
        api.__exit__(None, None, None)
