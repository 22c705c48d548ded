"""A reference text index, and a client that speaks raw JSON to a server in the same process."""

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from server.protocol import Server

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z|\Z")


@dataclass(frozen=True)
class ReferenceText:
    """The plainest correct implementation of `server.positions.Snapshot`."""

    text: str

    @property
    def lines(self) -> "ReferenceText":
        return self

    def spans(self) -> list[tuple[int, int]]:
        spans = [match.span() for match in _LINE.finditer(self.text)]
        if len(spans) > 1 and spans[-1][0] == spans[-1][1] and not self.text.endswith(("\n", "\r")):
            spans.pop()
        return spans

    def line_span(self, line: int) -> tuple[int, int]:
        return self.spans()[line]

    def line_column(self, offset: int) -> tuple[int, int]:
        spans = self.spans()
        line = max(index for index, (start, _) in enumerate(spans) if start <= offset)
        return line, offset - spans[line][0]

    def edit(self, start: int, end: int, new_text: str) -> "ReferenceText":
        return ReferenceText(self.text[:start] + new_text + self.text[end:])


@dataclass
class Wire:
    """Both ends of a connection: what the server wrote, and a way to send it messages."""

    server: Server
    written: list[dict[str, Any]] = field(default_factory=list)
    closed: bool = False

    def __post_init__(self) -> None:
        self.server.protocol.set_writer(self)

    def write(self, data: bytes) -> None:
        head, _, body = data.partition(b"\r\n\r\n")
        assert head == b"Content-Length: %d" % len(body)
        self.written.append(json.loads(body))

    def close(self) -> None:
        self.closed = True

    def send(self, **message: Any) -> None:
        self.server.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any = None) -> None:
        self.send(method=method, params=params)

    async def request(self, method: str, params: Any = None, msg_id: Any = None) -> dict[str, Any]:
        """The whole answer to a request."""
        msg_id = msg_id if msg_id is not None else f"r{len(self.written)}"
        self.send(id=msg_id, method=method, params=params)
        return await self.answer(msg_id)

    async def answer(self, msg_id: Any, seconds: float = 5) -> dict[str, Any]:
        return await self.wait(lambda m: m.get("id") == msg_id and "method" not in m, seconds)

    async def wait(self, wanted: Any, seconds: float = 5) -> dict[str, Any]:
        """The first written message for which `wanted` holds."""
        async with asyncio.timeout(seconds):
            while True:
                for message in self.written:
                    if wanted(message):
                        return message
                await asyncio.sleep(0.001)

    async def initialize(self, capabilities: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **params}
        result = await self.request("initialize", params, "init")
        self.notify("initialized", {})
        return result


@pytest.fixture(scope="session")
def reference() -> type[ReferenceText]:
    return ReferenceText


@pytest.fixture
def probe() -> Wire:
    """A connection to a server without features."""
    return Wire(Server("probe", "1"))


@pytest.fixture(scope="session")
def connect() -> type[Wire]:
    return Wire
