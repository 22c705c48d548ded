"""`counterclaim cite --online` against a loopback server that fails in every known way: nobody is accused."""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from clients.bibliography.sources import SOURCE_NAMES
from server.commands.cite import CiteOptions, Format, run_cite

ENTRIES = 56
# Server errors and cut connections are tried again with pauses, which takes its time.
MODES = (
    "429",
    "challenge",
    "page",
    pytest.param("503", marks=pytest.mark.slow),
    pytest.param("cut", marks=pytest.mark.slow),
)


class Failing(BaseHTTPRequestHandler):
    mode = "503"

    def do_GET(self) -> None:
        if self.mode == "cut":
            self.connection.close()
            return
        page = b"<!DOCTYPE html><html><title>Just a moment...</title></html>"
        self.send_response({"429": 429, "503": 503, "challenge": 403, "page": 200}[self.mode])
        if self.mode == "429":
            self.send_header("Retry-After", "600")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(params=MODES)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    handler = type("Handler", (Failing,), {"mode": request.param})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_outage_accuses_nobody_and_is_not_remembered(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "refs.bib"
    bib.write_text(
        "".join(
            f"@article{{k{number}, title={{A Long and Telling Title Number {number} on Rivers}}, "
            f"author={{Ann Alder and Ben Birch}}, journal={{Journal of Rivers}}, year=2015, doi={{10.1000/r.{number}}}}}\n"
            for number in range(ENTRIES)
        )
    )
    cache = tmp_path / "cache" / "answers.sqlite"
    options = CiteOptions(
        bib,
        date(2026, 6, 15),
        online=True,
        format=Format.JSON,
        quiet=True,
        base_urls=dict.fromkeys(SOURCE_NAMES, address),
        cache=cache,
    )
    started = time.monotonic()
    assert run_cite(options) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["complete"] is False
    assert len(document["entries"]) == ENTRIES
    for entry in document["entries"]:
        assert entry["verdict"] == "unverifiable"
        assert "SOURCE_DOWN" in entry["reasons"]
        assert entry["sources"]["unavailable"]
        assert set(entry["sources"]["answered"]) <= {"local index"}
    assert time.monotonic() - started < 60
    assert sqlite3.connect(cache).execute("SELECT count(*) FROM answer").fetchone() == (0,)
