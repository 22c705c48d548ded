"""A loopback server that speaks as it is told, a clock that does not make tests wait, and the services' own shapes."""

import asyncio
import dataclasses
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport, user_agent
from clients.bibliography.pace import Clock

DATA = Path(__file__).parent / "data"
CHALLENGE = b"<!doctype html><html><head><title>Making sure you are human</title></head><body>One moment</body></html>"


@dataclasses.dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    raw: str


@dataclasses.dataclass(frozen=True)
class Say:
    """One answer: `promised` is a false Content-Length, `pause` seconds before it, `endless` repeats the body."""

    status: int = 200
    body: bytes = b""
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    promised: int | None = None
    pause: float = 0.0
    endless: bool = False
    drip: bool = False


Script = Callable[[Asked], Say]


class Service:
    """The server: `script` decides what is said, `asked` keeps what it heard."""

    def __init__(self) -> None:
        self.script: Script = lambda _: Say(404, b"{}")
        self.asked: list[Asked] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.serve()

            def do_POST(self) -> None:
                self.serve()

            def serve(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, unquote(parts.path), query, headers, body, self.path)
                service.asked.append(asked)
                with suppress(OSError):
                    self.say(service.script(asked))

            def say(self, answer: Say) -> None:
                self.close_connection = True
                if answer.pause and not answer.drip:
                    service.stopped.wait(answer.pause)
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.kind)
                self.send_header("Connection", "close")
                if not answer.endless:
                    promised = len(answer.body) if answer.promised is None else answer.promised
                    self.send_header("Content-Length", str(promised))
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.end_headers()
                if answer.drip:
                    for byte in answer.body:
                        if service.stopped.wait(answer.pause):
                            return
                        self.wfile.write(bytes([byte]))
                    return
                self.wfile.write(answer.body)
                while answer.endless and not service.stopped.is_set():
                    self.wfile.write(answer.body)

            def log_message(self, *_: object) -> None:
                pass

        self.stopped = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def says(self, *answers: Say) -> None:
        """Gives these answers in turn, the last one for ever."""
        waiting = list(answers)
        self.script = lambda _: waiting.pop(0) if len(waiting) > 1 else waiting[0]

    def stop(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.stop()


class Times:
    """A clock whose sleeps are over at once; `slept` keeps them."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    @property
    def clock(self) -> Clock:
        return Clock(monotonic=lambda: self.now, wall=time.time, sleep=self.sleep, chance=lambda: 0.5)


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
async def transport() -> AsyncIterator[Transport]:
    transport = Transport(user_agent("0.0"))
    yield transport
    await transport.aclose()


def hurry(adapter: Adapter, seconds: float = 0.3) -> None:
    """Shortens the adapter's time-outs, which tests do not want to sit out."""
    for part in vars(adapter).values():
        if isinstance(part, Endpoint):
            part.policy = dataclasses.replace(part.policy, timeout=seconds)


@pytest.fixture
def hurried() -> Callable[[Adapter], None]:
    return hurry


@pytest.fixture
def shape() -> Callable[[str], Say]:
    """An answer from a file of `data/`: `name.404.json` is sent with that status."""
    kinds = {".json": "application/json", ".xml": "application/atom+xml", ".bib": "text/plain", ".html": "text/html"}

    def load(name: str, **changes: object) -> Say:
        path = DATA / name
        number = path.stem.rpartition(".")[2]
        status = int(number) if number.isdigit() else 200
        return dataclasses.replace(Say(status, path.read_bytes(), kinds.get(path.suffix, "text/plain")), **changes)

    return load


@pytest.fixture
def say() -> type[Say]:
    return Say


@pytest.fixture
def challenge() -> Say:
    return Say(200, CHALLENGE, "text/html; charset=utf-8")
