"""TXT901 `bad-word`: a reference text index, and an editor that speaks raw JSON to a server in the same process.

## What it flags
The rules of these tests flag the word `badword` and the word `twin` where it stands in several places.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import analyzers.driver
import server.rules
from analyzers.checks.check import BlockCheck, BlockView, Check, Example, ManuscriptCheck
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript
from server.app import build_server
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


class BadWord(BlockCheck):
    """Flags `badword`; the fix is safe, and puts a character outside of the basic plane."""

    code = "TXT901"
    name = "bad-word"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (Example.of("bad", "badword", "badword"), Example.of("good", "word"))

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        for match in re.finditer("badword", view.text):
            span = view.span(match.start(), match.end())
            yield self.finding("A bad word.", span, fixes=(Fix("Write 𝔤ood", (Edit(span, "𝔤ood"),), safe=True),))


class Twins(ManuscriptCheck):
    """Flags every `twin` when there are several, and names the one before it."""

    code = "TXT902"
    name = "twins"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (Example.of("two", "twin twin", "twin"), Example.of("one", "twin"))

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        spans = [
            entry.span(match.start(), match.end())
            for entry in manuscript.entries
            for match in re.finditer("twin", entry.block.text)
        ]
        for before, span in pairwise(spans):
            yield self.finding("A twin.", span, related=(Related(before, "the other twin"),))


class OnSave(BlockCheck):
    """Flags `later`, but not while typing."""

    code = "TXT903"
    name = "later"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (Example.of("later", "later", "later"), Example.of("now", "now"))

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        for match in re.finditer("later", view.text):
            yield self.finding("Not now.", view.span(match.start(), match.end()))


@dataclass
class Editor(Wire):
    """A client with documents in a folder."""

    folder: Path = Path()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, version: int = 1, language: str = "latex") -> None:
        item = {"uri": self.uri(name), "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, name: str, version: int, *edits: tuple[int, int, int, int, str]) -> None:
        changes = [
            {
                "range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}},
                "text": text,
            }
            for a, b, c, d, text in edits
        ]
        identifier = {"uri": self.uri(name), "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})

    def close_file(self, name: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def published(self, name: str) -> list[dict[str, Any]]:
        """Everything that was published for a file, in order."""
        method = "textDocument/publishDiagnostics"
        return [m["params"] for m in self.written if m.get("method") == method and m["params"]["uri"] == self.uri(name)]

    def shown(self, name: str) -> list[tuple[str, str]]:
        """Code and range of what the client shows for a file now, such as `("TXT901", "0:3-0:10")`."""
        last = self.published(name)
        return [(d["code"], show(d["range"])) for d in last[-1]["diagnostics"]] if last else []

    def diagnostics(self, name: str) -> list[dict[str, Any]]:
        last = self.published(name)
        found: list[dict[str, Any]] = last[-1]["diagnostics"] if last else []
        return found

    async def analysed(self, **versions: int) -> None:
        """Waits for an analysis of these versions (`main=2` for `main.tex`), counting from the last wait."""
        wanted = {self.uri(f"{name}.tex"): version for name, version in versions.items()}
        start = getattr(self, "_seen", 0)

        def found(message: dict[str, Any]) -> bool:
            if message.get("method") != "counterclaim/analysed":
                return False
            return all(message["params"]["versions"].get(uri) == version for uri, version in wanted.items())

        async with asyncio.timeout(10):
            while not any(found(m) for m in self.written[start:]):  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.002)
        self._seen = len(self.written)

    async def answered(self) -> None:
        """Lets the first answer to an edit be given."""
        for _ in range(3):
            await asyncio.sleep(0)

    async def execute(self, command: str, *arguments: Any) -> Any:
        answer = await self.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})
        assert "error" not in answer, answer
        return answer["result"]

    async def actions(self, name: str, start: tuple[int, int], end: tuple[int, int], **context: Any) -> list[Any]:
        span = {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}
        params = {"textDocument": {"uri": self.uri(name)}, "range": span, "context": {"diagnostics": [], **context}}
        result: list[Any] = (await self.request("textDocument/codeAction", params))["result"]
        return result


def show(span: dict[str, Any]) -> str:
    start, end = span["start"], span["end"]
    return f"{start['line']}:{start['character']}-{end['line']}:{end['character']}"


CAPABILITIES = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
}


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> tuple[Check, ...]:
    """Three rules instead of the product's, so that these tests say nothing about those."""
    checks = (BadWord(), Twins(), OnSave())
    monkeypatch.setattr(analyzers.driver, "ALL_CHECKS", checks)
    monkeypatch.setattr(server.rules, "ALL_CHECKS", checks)
    monkeypatch.setattr(analyzers.driver, "_KNOWN", frozenset(check.code for check in checks))
    return checks


@pytest.fixture
async def editor(tmp_path: Path, rules: Any) -> AsyncIterator[Editor]:
    """An editor that has a folder open, is told of analyses, and waits 30 ms before the second answer."""
    editor = Editor(build_server("test"), folder=tmp_path)
    folders = [{"uri": tmp_path.as_uri(), "name": "paper"}]
    options = {"pause": 30, "status": True}
    await editor.initialize(CAPABILITIES, workspaceFolders=folders, initializationOptions=options)
    yield editor
    await editor.request("shutdown")
