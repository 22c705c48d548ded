"""Looking entries up in a thread: real adapters against a service that is down or slow, an index that is replaced."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from analyzers.citations.verdict import VerdictKind
from analyzers.project.bibliography import Bibliography, read_bibliography
from clients.bibliography.index_build import build_index
from clients.bibliography.sources import SOURCE_NAMES
from server.jobs import Cancelled, CancelToken
from server.lookups import Answered, LookUps, Plan, Question, content_of

DAY = date(2026, 6, 15)
TITLE = "A Long and Telling Title on Slow Rivers"


class Service(BaseHTTPRequestHandler):
    """Refuses at once, or does not answer before it is told to."""

    slow = False
    asked: list[str]
    stopped: threading.Event

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.slow:
            self.stopped.wait(30)
        self.send_response(429)
        self.send_header("Retry-After", "600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def service() -> Iterator[Callable[[bool], tuple[str, list[str]]]]:
    servers: list[tuple[ThreadingHTTPServer, threading.Event]] = []

    def start(slow: bool) -> tuple[str, list[str]]:
        asked: list[str] = []
        stopped = threading.Event()
        handler = type("Handler", (Service,), {"slow": slow, "asked": asked, "stopped": stopped})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        servers.append((server, stopped))
        return f"http://127.0.0.1:{server.server_port}", asked

    yield start
    for server, stopped in servers:
        stopped.set()
        server.shutdown()
        server.server_close()


def bibliography(count: int = 1, title: str = TITLE) -> Bibliography:
    return read_bibliography(
        "refs.bib",
        "".join(
            f"@article{{k{number}, title={{{title} {number}}}, author={{Ann Alder and Ben Birch}}, year=2015}}\n"
            for number in range(count)
        ),
    )


def questions(found: Bibliography, online: bool) -> list[Question]:
    return [Question(entry, found, online) for entry in found.entries]


def plan(tmp_path: Path, address: str) -> Plan:
    urls = dict.fromkeys(SOURCE_NAMES, address)
    return Plan(None, online=True, cache=tmp_path / "cache" / "answers.sqlite", base_urls=urls)


def test_a_refusing_service_says_nothing_and_is_not_remembered(
    service: Callable[..., tuple[str, list[str]]], tmp_path: Path
) -> None:
    address, asked = service(False)
    answers: list[Answered] = []
    LookUps().run(questions(bibliography(3), True), plan(tmp_path, address), DAY, answers.extend, CancelToken())
    assert len(answers) == 3
    assert asked
    for answer in answers:
        assert answer.verdict.kind is VerdictKind.UNVERIFIABLE
        assert not answer.verdict.complete
    kept = sqlite3.connect(tmp_path / "cache" / "answers.sqlite").execute("SELECT count(*) FROM answer").fetchone()
    assert kept == (0,)


def test_what_is_not_to_be_asked_online_is_not(service: Callable[..., tuple[str, list[str]]], tmp_path: Path) -> None:
    address, asked = service(False)
    answers: list[Answered] = []
    LookUps().run(questions(bibliography(3), False), plan(tmp_path, address), DAY, answers.extend, CancelToken())
    assert len(answers) == 3
    assert asked == []


def test_a_run_against_a_slow_service_ends_when_it_is_told_to(
    service: Callable[..., tuple[str, list[str]]], tmp_path: Path
) -> None:
    address, asked = service(True)
    token = CancelToken()
    threading.Timer(0.5, token.cancel).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        LookUps().run(questions(bibliography(3), True), plan(tmp_path, address), DAY, lambda _: None, token)
    assert time.monotonic() - started < 4
    assert asked


def test_an_offline_run_ends_when_it_is_told_to(tmp_path: Path) -> None:
    index = _index(tmp_path, TITLE)
    token = CancelToken()
    got: list[Answered] = []

    def stop_early(answers: list[Answered]) -> None:
        got.extend(answers)
        token.cancel()

    with pytest.raises(Cancelled):
        LookUps().run(questions(bibliography(20_000), False), Plan(index), DAY, stop_early, token)
    assert 0 < len(got) < 20_000


def _index(tmp_path: Path, title: str) -> Path:
    source = tmp_path / "works.jsonl"
    work = {"type": "article", "key": "w", "title": f"{title} 0", "author": ["Ann Alder", "Ben Birch"], "year": "2015"}
    source.write_text(json.dumps(work) + "\n")
    build_index([source], tmp_path / "works.index")
    return tmp_path / "works.index"


def test_an_index_that_is_replaced_is_opened_anew(tmp_path: Path) -> None:
    look_ups = LookUps()
    found: list[Answered] = []
    index = _index(tmp_path, "Something Else Entirely about the Sleep of Bees")
    asked = questions(bibliography(1), False)
    look_ups.run(asked, Plan(index), DAY, found.extend, CancelToken())
    before = Plan(index).name(online=False)
    _index(tmp_path, TITLE)
    assert Plan(index).name(online=False) != before
    look_ups.run(asked, Plan(index), DAY, found.extend, CancelToken())
    assert [answer.verdict.kind for answer in found] == [VerdictKind.UNVERIFIABLE, VerdictKind.VERIFIED]
    look_ups.run(asked, Plan(tmp_path / "gone.index"), DAY, found.extend, CancelToken())
    assert "there is no index" in look_ups.notes[0]


def test_the_content_of_an_entry_is_all_but_its_key() -> None:
    def content(text: str, key: str = "a") -> bytes:
        found = read_bibliography("refs.bib", text)
        entry = found.entry(key)
        assert entry is not None
        return content_of(entry, found)

    one = content("@misc{a, title={T}, year=2000}")
    assert one == content("@misc{b,\r\n year = {2000}, title = {T}}", "b")
    assert one != content("@book{a, title={T}, year=2000}")
    assert one != content("@misc{a, title={T}, year=2001}")
    volume = "@proceedings{{v, title={{V}}, year={}}}\n@misc{{a, title={{T}}, crossref={{v}}}}"
    assert content(volume.format(2000)) != content(volume.format(2001))


def test_the_name_of_a_plan_tells_its_sources() -> None:
    offline = Plan(None)
    assert offline.empty
    assert offline.name(online=True) == offline.name(online=False)
    online = replace(offline, online=True)
    assert not online.empty
    assert online.name(online=True) != online.name(online=False) == offline.name(online=False)
