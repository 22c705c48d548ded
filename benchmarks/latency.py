"""How long a typed character takes to reach the problem list, beside other servers.

    python benchmarks/latency.py [--edits 200] [--megabytes 1.0] [--json]

A manuscript of about 1 MB is opened, then one character is typed at a random place of its prose, again and again; the
time runs from writing `didChange` to having read `publishDiagnostics`.  The servers take turns, edit by edit, so that
whatever else the computer does hits them alike.

* `counterclaim`: the first publish (what blocks alone prove, and the project's findings moved along), and the second
  (the whole project, after a pause which is part of the time);
* `nothing`: a pygls server that keeps documents as pygls does and publishes as many diagnostics, at most 100;
* `badness`: the PyPI package, where its command is found.

Every client side is the same few lines of raw JSON.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WORDS = (
    "the model sensor river gauge error data we show that method baseline training drift recall estimate sample "
    "station results improve over significant variance noise network layer depth annual season flood calibration window"
)
NOTHING = """
import sys
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
count = int(sys.argv[1])
server = LanguageServer("nothing", "1")

def publish(uri):
    document = server.workspace.get_text_document(uri)
    place = lambda n: lsp.Range(start=lsp.Position(line=n, character=0), end=lsp.Position(line=n, character=9))
    message = "Something that is found in this line, told in a sentence."
    warning = lsp.DiagnosticSeverity.Warning
    found = [
        lsp.Diagnostic(range=place(n), message=message, severity=warning, code="XXX001", source="nothing")
        for n in range(count)
    ]
    params = lsp.PublishDiagnosticsParams(uri=uri, version=document.version, diagnostics=found)
    server.text_document_publish_diagnostics(params)

@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params):
    publish(params.text_document.uri)

@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(params):
    publish(params.text_document.uri)

import logging
logging.getLogger("pygls").setLevel(logging.WARNING)
server.start_io()
"""


def manuscript(size: int, seed: int = 1) -> str:
    """A manuscript of about `size` code points with sections, citations, labels, tables and some dozen faults."""
    dice = random.Random(seed)
    parts = ["\\documentclass{article}\n\\begin{document}\n"]
    length, number = 0, 0
    while length < size:
        number += 1
        lines = [f"\\section{{Part {number}}}\n\\label{{sec:{number}}}\n"]
        for _ in range(12):
            lines += [_sentence(dice, number) for _ in range(dice.randint(3, 7))] + ["\n"]
        lines.append(_table(dice, number))
        if number % 40 == 0:
            lines.append(
                f"As said in \\ref{{sec:missing{number}}}, three things matter: drift, noise, depth and error.\n\n"
            )
        piece = "".join(lines)
        parts.append(piece)
        length += len(piece)
    entries = "".join(f"\\bibitem{{key{n}}} Author {n}. A title of work {n}. 2020.\n" for n in range(50))
    parts.append(f"\\begin{{thebibliography}}{{9}}\n{entries}\\end{{thebibliography}}\n\\end{{document}}\n")
    return "".join(parts)


def _sentence(dice: random.Random, number: int) -> str:
    words = " ".join(dice.choices(WORDS.split(), k=dice.randint(8, 22))).capitalize()
    extra = dice.random()
    if extra < 0.15:
        words += f" \\cite{{key{dice.randint(0, 49)}}}"
    elif extra < 0.25:
        words += f" in Section~\\ref{{sec:{dice.randint(1, number)}}}"
    elif extra < 0.4:
        words += f" by {dice.randint(1, 99)}.{dice.randint(0, 9)}\\% over $x_{{{dice.randint(1, 9)}}}$"
    return words + ".\n"


def _table(dice: random.Random, number: int) -> str:
    rows = "".join(
        f"Row {row} & {dice.randint(10, 99)}.{dice.randint(0, 9)} & {dice.randint(10, 99)} \\\\\n" for row in range(5)
    )
    head = f"\\begin{{table}}\n\\caption{{Numbers of part {number}.}}\n\\label{{tab:{number}}}\n"
    return f"{head}\\begin{{tabular}}{{lrr}}\nName & A & B \\\\\n{rows}\\end{{tabular}}\n\\end{{table}}\n\n"


@dataclass
class Server:
    """One language server as a child process, with the times of what it publishes."""

    name: str
    command: list[str]
    options: dict[str, Any] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)
    published: int = 0

    def start(self, folder: Path, text: str) -> None:
        """Starts the server and opens the manuscript; returns when it has published."""
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages: SimpleQueue[tuple[float, dict[str, Any]]] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self.uri = (folder / "main.tex").as_uri()
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {"publishDiagnostics": {"versionSupport": True}},
        }
        params = {
            "processId": os.getpid(),
            "rootUri": folder.as_uri(),
            "capabilities": capabilities,
            "initializationOptions": self.options,
        }
        self.send(id=1, method="initialize", params=params)
        self.wait(lambda message: message.get("id") == 1)
        self.send(method="initialized", params={})
        item = {"uri": self.uri, "languageId": "latex", "version": 0, "text": text}
        started = time.perf_counter()
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        first, _ = self.wait(self._publishes)
        self.times["open"] = [first - started]
        self.settle()

    def edit(self, version: int, line: int, column: int, char: str) -> None:
        """Types one character, and notes when each publish for it was read."""
        place = {"line": line, "character": column}
        changes = [{"range": {"start": place, "end": place}, "text": char}]
        params = {"textDocument": {"uri": self.uri, "version": version}, "contentChanges": changes}
        started = time.perf_counter()
        self.send(method="textDocument/didChange", params=params)
        first, message = self.wait(lambda m: self._publishes(m) and m["params"].get("version", version) == version)
        self.published = max(self.published, len(message["params"]["diagnostics"]))
        self.times.setdefault("first", []).append(first - started)
        if self.options.get("status"):
            second, _ = self.wait(lambda m: m.get("method") == "counterclaim/analysed")
            self.times.setdefault("second", []).append(second - started)
        self.settle()

    def stop(self) -> None:
        """Ends the process."""
        self.send(id=2, method="shutdown")
        self.send(method="exit")
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def settle(self) -> None:
        """Reads until nothing has come for a moment."""
        while True:
            try:
                self._answer(self.messages.get(timeout=0.05)[1])
            except Empty:
                return

    def wait(self, wanted: Any) -> tuple[float, dict[str, Any]]:
        """The first message for which `wanted` holds and the time it was read."""
        while True:
            at, message = self.messages.get(timeout=120)
            self._answer(message)
            if wanted(message):
                return at, message

    def send(self, **message: Any) -> None:
        """Writes one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _publishes(self, message: dict[str, Any]) -> bool:
        return message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == self.uri

    def _answer(self, message: dict[str, Any]) -> None:
        if "id" in message and "method" in message:
            self.send(id=message["id"], result=None)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            match = re.match(rb"content-length:\s*(\d+)", line, re.IGNORECASE)
            if match:
                while stream.readline().strip():
                    pass
                body = stream.read(int(match[1]))
                self.messages.put((time.perf_counter(), json.loads(body)))


def places(text: str, count: int, seed: int = 2) -> Iterator[tuple[int, int, str]]:
    """Places within words of the prose: line, column, and a letter to type there."""
    dice = random.Random(seed)
    lines = text.split("\n")
    prose = [number for number, line in enumerate(lines) if line.endswith(".") and "\\" not in line and len(line) > 40]
    for _ in range(count):
        yield dice.choice(prose), dice.randint(5, 35), dice.choice("aeiou")


def summary(times: list[float]) -> dict[str, float]:
    """Milliseconds: the median, the ninth decile and the largest."""
    ordered = sorted(times)
    tenth = ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)]
    return {
        "median": round(statistics.median(ordered) * 1e3, 2),
        "p90": round(tenth * 1e3, 2),
        "max": round(ordered[-1] * 1e3, 2),
    }


def measure(edits: int, megabytes: float, command: list[str]) -> dict[str, Any]:
    """The times of all servers, taken in turns in one run."""
    text = manuscript(int(megabytes * 1e6))
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.tex").write_text(text, encoding="utf-8")
        ours = Server("counterclaim", [*command, "lsp"], {"status": True})
        ours.start(folder, text)
        ours.edit(1, 3, 0, "x")
        servers = [ours, Server("nothing", [sys.executable, "-c", NOTHING, str(min(ours.published, 100))])]
        badness = shutil.which("badness") or shutil.which("badness", path=str(Path(sys.executable).parent))
        if badness:
            servers.append(Server("badness", [badness, "lsp"]))
        for server in servers[1:]:
            server.start(folder, text)
            server.edit(1, 3, 0, "x")
        for server in servers:
            server.times = {"open": server.times["open"]}
        try:
            for version, (line, column, char) in enumerate(places(text, edits), start=2):
                for server in servers:
                    server.edit(version, line, column, char)
        finally:
            for server in servers:
                server.stop()
    return {
        "code points": len(text),
        "edits": edits,
        "milliseconds": {
            server.name: {kind: summary(times) for kind, times in server.times.items()}
            | {"diagnostics": server.published}
            for server in servers
        },
    }


def main() -> None:
    """Measures and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--megabytes", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--command", nargs="+", default=None, help="how to start our server, without `lsp`")
    options = parser.parse_args()
    command = options.command or [shutil.which("counterclaim", path=str(Path(sys.executable).parent)) or "counterclaim"]
    result = measure(options.edits, options.megabytes, command)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{result['code points']:,} code points, {result['edits']} edits, milliseconds (median / p90 / max)")
    rows = result["milliseconds"]
    for name, kinds in rows.items():
        for kind, values in kinds.items():
            if kind != "diagnostics":
                print(f"{name:14}{kind:8}{values['median']:10.2f}{values['p90']:10.2f}{values['max']:10.2f}")
        print(f"{name:14}publishes up to {kinds['diagnostics']} diagnostics")
    mine = rows["counterclaim"]["first"]["median"]
    for name in rows.keys() - {"counterclaim"}:
        print(f"first publish / {name}: {mine / rows[name]['first']['median']:.2f}")


if __name__ == "__main__":
    main()
