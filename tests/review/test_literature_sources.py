"""A report on the literature from bibliographic records: what is looked for where, and what the model gets to read."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest

from analyzers.citations.record import Record
from analyzers.review.literature import record_lines
from clients.bibliography.index_build import build_index
from clients.bibliography.sources import SOURCE_NAMES
from server.commands.review import ReviewCommand, run_review_command
from server.commands.review_parts import ModelOptions

pytest.importorskip("anthropic")
WORKS = [
    {"title": "Tidal Gauges and their Drift", "author": ["Ada Moon", "Bo Sun"], "year": "2019", "doi": "10.1000/tidal.1"},
    {"title": "A Model of Tidal Error without Visits", "author": ["Cy Star"], "year": "2021"},
    {"title": "Tidal Gauges that Agree", "author": ["Author Unmasked"], "year": "2026"},
    {"title": "Sleep in Bees under Light", "author": ["Emil Elm"], "year": "2001"},
]  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> Path:
    source = tmp_path / "works.jsonl"
    works = [{"type": "article", "key": f"w{number}", **work} for number, work in enumerate(WORKS)]
    source.write_text("".join(json.dumps(work) + "\n" for work in works), encoding="utf-8")
    build_index([source], tmp_path / "works.index")
    return tmp_path / "works.index"


@pytest.fixture
def command(
    kit: Any, tmp_path: Path, messages_api: Any, index: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., ReviewCommand]:
    monkeypatch.setenv("COUNTERCLAIM_MODEL_API_KEY", "canary")
    folder = tmp_path / "paper"
    folder.mkdir()
    for name, text in kit.PAPER.items():
        (folder / name).write_text(text, encoding="utf-8")
    options = ModelOptions(
        folder, allow=True, base_url=messages_api.url, quiet=True, folder=tmp_path / "user", data=tmp_path / "data", keep=False
    )  # fmt: skip

    def make(**changes: Any) -> ReviewCommand:
        usual = ReviewCommand(options, "mlr-combined", searches=3, source="bibliography", index=index)
        return replace(usual, **changes)

    return make


@pytest.fixture
def services() -> Iterator[tuple[str, list[str]]]:
    """A server in place of every bibliographic service that knows nothing, and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(unquote_plus(self.path))
            self.send_response(404)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()


def literature_call(api: Any) -> str:
    [text] = [text for call in api.calls if "Position the contribution" in (text := json.dumps(call.body))]
    return text


def test_records_of_the_index_are_read_as_data(command: Any, messages_api: Any, fake: Any, capsys: Any) -> None:
    messages_api.script += [fake.Behaviour(text='{"items": []}'), fake.Behaviour(text="The closest work is by Moon.")]
    assert run_review_command(command()) == 1
    asked = literature_call(messages_api)
    [fence] = re.findall(r"<literature>\\n(.*?)</literature>", asked)
    assert "Tidal Gauges and their Drift. Ada Moon, Bo Sun. 2019. https://doi.org/10.1000/tidal.1" in fence
    assert "A Model of Tidal Error without Visits. Cy Star. 2021" in fence
    assert "Author Unmasked" not in asked, "the manuscript's own title would name its authors"
    assert "Bees" not in fence
    assert "web_search" not in asked
    assert "The closest work is by Moon." in json.dumps(messages_api.calls[-1].body)
    assert "Bibliographic" not in capsys.readouterr().err


def test_services_are_asked_by_the_title_alone(command: Any, services: Any, capsys: Any) -> None:
    address, asked = services
    assert run_review_command(command(online=True, base_urls=dict.fromkeys(SOURCE_NAMES, address))) == 1
    assert "main.tex: the title is sent to bibliographic services." in capsys.readouterr().err
    assert any(re.search("tidal.gauges", text, re.IGNORECASE) for text in asked)
    assert not any(re.search("TideNet|lowers|36", text) for text in asked)


def test_a_dry_run_asks_no_service(command: Any, services: Any, messages_api: Any, capsys: Any) -> None:
    address, asked = services
    usual = command(online=True, base_urls=dict.fromkeys(SOURCE_NAMES, address))
    assert run_review_command(replace(usual, common=replace(usual.common, dry_run=True))) == 0
    shown = capsys.readouterr()
    assert "the title would be sent" in shown.err
    assert "3 calls" in shown.out
    assert asked == messages_api.log == []


def test_without_records_nobody_is_asked(command: Any, messages_api: Any, tmp_path: Path, capsys: Any) -> None:
    source = tmp_path / "bees.jsonl"
    source.write_text(json.dumps({"type": "article", "key": "b", **WORKS[3]}) + "\n", encoding="utf-8")
    build_index([source], tmp_path / "bees.index")
    assert run_review_command(command(index=tmp_path / "bees.index")) == 1
    assert "No related work was found" in capsys.readouterr().err
    assert run_review_command(command(index=tmp_path / "gone.index")) == 1
    assert "there is no index" in capsys.readouterr().err
    assert not any("Position the contribution" in json.dumps(call.body) for call in messages_api.calls)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source": "library"}, "--literature-source library: use one of web, bibliography."),
        ({"searches": 0}, "needs --literature"),
        ({"source": "web", "index": None, "online": True}, "need --literature-source bibliography"),
    ],
)
def test_wrong_usage_of_the_source(command: Any, capsys: Any, changes: Any, words: str) -> None:
    assert run_review_command(command(**changes)) == 64
    assert words in capsys.readouterr().err


def test_lines_of_records() -> None:
    works = [
        Record("A Title\nwith breaks\u200b", ("A", "B", "C", "D"), 2020, "Venue", arxiv_id="2001.00001"),
        Record("a title with breaks"),
        Record(""),
        Record("Own"),
        *(Record(f"Work {number}") for number in range(100)),
    ]
    lines = record_lines(works, "OWN")
    assert lines[0] == "A Title with breaks. A, B, C and others. 2020. Venue. https://arxiv.org/abs/2001.00001"
    assert lines[1] == "Work 0"
    assert len(lines) == 40
