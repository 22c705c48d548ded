"""No word of a manuscript reaches a log, whatever happens and at every level but debug."""

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import server.quick
import server.session
from server import logs

SECRET = "zebrafinch"
TEXT = f"\\section{{{SECRET}}} badword {SECRET} twin twin \\input{{{SECRET}}} \\cite{{{SECRET}}}\n"


@pytest.fixture(params=["info", "warning"])
def log_level(request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]) -> Iterator[str]:
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook)
    handlers, level = root.handlers[:], root.level
    logs.configure(request.param)
    yield request.param
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("pygls").setLevel(logging.NOTSET)
    logging.raiseExceptions = True
    sys.excepthook, threading.excepthook = hooks


async def use_everything(editor: Any) -> None:
    editor.open("main.tex", TEXT)
    editor.open("main.bib", f"@book{{{SECRET}, title = {{{SECRET}}}}}\n@book{{{SECRET}", language="bibtex")
    await editor.analysed(main=1)
    editor.change("main.tex", 2, (0, 0, 0, 0, SECRET))
    await editor.answered()
    place = {"textDocument": {"uri": editor.uri("main.tex")}, "position": {"line": 0, "character": 30}}
    await editor.request("textDocument/hover", place)
    await editor.request("textDocument/documentSymbol", {"textDocument": place["textDocument"]})
    await editor.actions("main.tex", (0, 0), (0, 90))
    for command in ("check", "status", "fixAll", "restore"):
        await editor.request("workspace/executeCommand", {"command": f"counterclaim.{command}"})
    await editor.request(
        "workspace/executeCommand", {"command": "counterclaim.explain", "arguments": [{"code": SECRET}]}
    )
    await editor.request("workspace/executeCommand", {"command": SECRET})
    await editor.request(SECRET, {"text": SECRET})
    editor.notify("textDocument/didChange", {"textDocument": SECRET})
    editor.notify(SECRET, {"text": SECRET})
    editor.server.protocol.receive(json.dumps({"jsonrpc": "2.0", "id": SECRET, "result": SECRET}).encode())
    editor.server.protocol.receive(SECRET.encode())
    await editor.analysed(main=2)


async def test_ordinary_use(editor: Any, log_level: str, capfd: pytest.CaptureFixture[str]) -> None:
    await use_everything(editor)
    captured = capfd.readouterr()
    assert SECRET not in captured.err
    assert captured.out == ""


async def test_when_everything_fails(
    editor: Any, log_level: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.open("main.tex", TEXT)
    await editor.analysed(main=1)

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError(TEXT)

    monkeypatch.setattr(server.quick.QuickFindings, "of", fail)
    monkeypatch.setattr(server.session.Session, "border", fail)
    editor.change("main.tex", 2, (0, 0, 0, 0, "x"))
    place = {"textDocument": {"uri": editor.uri("main.tex")}, "position": {"line": 0, "character": 30}}
    answer = await editor.request("textDocument/hover", place)
    await asyncio.sleep(0.1)
    log = capfd.readouterr().err
    assert "ValueError" in log
    assert SECRET not in log
    assert answer["error"]["message"] == "Internal Error: ValueError"


async def test_an_analysis_that_fails_leaves_the_server_working(
    editor: Any, log_level: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.analysis import FolderAnalyser

    right = FolderAnalyser.run

    def fail(*_: Any) -> None:
        raise LookupError(TEXT)

    monkeypatch.setattr(FolderAnalyser, "run", fail)
    editor.open("main.tex", TEXT)
    await asyncio.sleep(0.05)
    log = capfd.readouterr().err
    assert "LookupError" in log
    assert SECRET not in log
    monkeypatch.setattr(FolderAnalyser, "run", right)
    editor.change("main.tex", 2, (0, 0, 0, 0, "x"))
    await editor.analysed(main=2)
    assert [code for code, _ in editor.shown("main.tex")] != []


def test_at_debug_the_messages_are_logged(capfd: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("debug")
        logging.getLogger("pygls.x").debug("got %s", SECRET)
        assert SECRET in capfd.readouterr().err
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.getLogger("pygls").setLevel(logging.NOTSET)
