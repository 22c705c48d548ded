"""The session over longer stories: after any edits in any files, what is shown equals what a fresh start shows."""

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest

import server.analysis
import server.session
from server.analysis import FolderAnalyser
from server.app import build_server
from server.handlers.hover import plain

PIECES = [
    "badword ",
    "twin ",
    "\n\n",
    "x",
    "é𝔸",
    "\\input{part}\n",
    "% ",
    "\r\n",
    "\\begin{document}\n",
    "\f",
    "{",
    "}",
]
MAIN = "\\documentclass{article}\n\\begin{document}\nOne badword and one twin.\n\n\\input{part}\n\n\\end{document}\n"
FILES = {"main.tex": MAIN, "part.tex": "Another twin,\n\nanother badword.\n"}


class SlowRun:
    """An analysis that waits for permission before each run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.permitted = threading.Semaphore(0)
        self.started = threading.Semaphore(0)
        right = FolderAnalyser.run

        def run(analyser: FolderAnalyser, request: Any, cancelled: Any) -> Any:
            self.started.release()
            while not self.permitted.acquire(timeout=0.01):
                cancelled()
            return right(analyser, request, cancelled)

        monkeypatch.setattr(FolderAnalyser, "run", run)


async def fresh(tmp_path: Path, editor: Any, texts: dict[str, str]) -> dict[str, Any]:
    """What another server shows of the same files."""
    other = type(editor)(build_server("test"), folder=tmp_path)
    folders = [{"uri": tmp_path.as_uri(), "name": "paper"}]
    await other.initialize(workspaceFolders=folders, initializationOptions={"status": True})
    for name, text in texts.items():
        other.open(name, text)
    await other.analysed(main=1, part=1)
    await other.request("shutdown")
    return {name: other.diagnostics(name) for name in texts}


def position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n")
    return line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


@pytest.mark.parametrize("seed", range(12))
async def test_edits_end_where_a_fresh_start_does(editor: Any, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    texts = dict(FILES)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, newline="")
        editor.open(name, text)
    version = 1
    for _ in range(dice.randint(3, 25)):
        name = dice.choice(list(texts))
        text = texts[name]
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice([0, 0, 1, 5, 40]))
        if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
            continue  # a position between the two has no name in the protocol
        new = dice.choice(PIECES) if dice.random() < 0.8 else ""
        version += 1
        editor.change(name, version, (*position(text, start), *position(text, end), new))
        texts[name] = text[:start] + new + text[end:]
        if dice.random() < 0.3:
            await asyncio.sleep(dice.choice([0, 0.002, 0.04]))
    for name in list(
        texts
    ):  # one more edit, so that the last analysis does without the checks that are off while typing
        version += 1
        editor.change(name, version, (0, 0, 0, 0, " "))
        texts[name] = " " + texts[name]
    await editor.analysed(part=version)
    expected = await fresh(tmp_path, editor, texts)
    assert {name: editor.diagnostics(name) for name in texts} == expected


async def test_settings_that_come_during_the_first_analysis(editor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowRun(monkeypatch)
    editor.open("main.tex", "badword twin twin")
    await asyncio.to_thread(slow.started.acquire)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"checks": {"ignore": ["TXT901"]}}})
    slow.permitted.release(9)
    await editor.analysed(main=1)
    assert [code for code, _ in editor.shown("main.tex")] == ["TXT902"]


async def test_a_document_closed_and_opened_with_another_text(editor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    editor.open("main.tex", "badword")
    await editor.analysed(main=1)
    slow = SlowRun(monkeypatch)
    editor.close_file("main.tex")
    editor.open("main.tex", "x", version=2)
    await asyncio.to_thread(slow.started.acquire)
    params = {"textDocument": {"uri": editor.uri("main.tex")}, "position": {"line": 0, "character": 0}}
    assert (await editor.request("textDocument/hover", params))["result"] is None
    assert await editor.actions("main.tex", (0, 0), (0, 7)) == []
    slow.permitted.release(9)
    await editor.analysed(main=2)
    assert editor.shown("main.tex") == []


async def test_an_edit_stops_the_analysis_that_runs(editor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    editor.open("main.tex", "badword")
    await editor.analysed(main=1)
    slow = SlowRun(monkeypatch)
    editor.change("main.tex", 2, (0, 0, 0, 0, "badword "))
    await asyncio.to_thread(slow.started.acquire)
    editor.change("main.tex", 3, (0, 0, 0, 0, "badword "))
    assert await asyncio.to_thread(slow.started.acquire, timeout=2)  # the second started, so the first has ended
    slow.permitted.release(9)
    await editor.analysed(main=3)
    assert len(editor.shown("main.tex")) == 3


async def test_a_long_first_analysis_is_shown_and_can_be_stopped(
    connect: Any, tmp_path: Path, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowRun(monkeypatch)
    monkeypatch.setattr(server.session, "_PROGRESS_AFTER", 0.01)
    wire = connect(build_server("test"))
    await wire.initialize({"window": {"workDoneProgress": True}}, rootUri=tmp_path.as_uri())
    item = {"uri": (tmp_path / "a.tex").as_uri(), "languageId": "tex", "version": 1, "text": "badword"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    create = await wire.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
    wire.send(id=create["id"], result=None)
    await wire.wait(lambda m: m.get("method") == "$/progress")
    wire.notify("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    await wire.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end", 1)
    slow.permitted.release(9)
    await asyncio.sleep(0.05)
    assert not [m for m in wire.written if m.get("method") == "textDocument/publishDiagnostics"]
    # the next edit starts anew
    place = {"line": 0, "character": 0}
    change = {"range": {"start": place, "end": place}, "text": "x"}
    identifier = {"uri": item["uri"], "version": 2}
    wire.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    await wire.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")


async def test_a_quick_first_analysis_shows_no_progress(connect: Any, tmp_path: Path, rules: Any) -> None:
    wire = connect(build_server("test"))
    options = {"status": True}
    await wire.initialize(
        {"window": {"workDoneProgress": True}}, rootUri=tmp_path.as_uri(), initializationOptions=options
    )
    item = {"uri": (tmp_path / "a.tex").as_uri(), "languageId": "tex", "version": 1, "text": "badword"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    await wire.wait(lambda m: m.get("method") == "counterclaim/analysed")
    assert not [m for m in wire.written if "workDoneProgress" in str(m.get("method"))]


async def test_a_text_that_is_too_large_is_said_to_be(editor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.analysis, "MAX_CODE_POINTS", 1000)
    editor.open("main.tex", "badword\n" * 200)
    await editor.analysed(main=1)
    assert editor.shown("main.tex") == [("NOTE", "0:0-0:0")]
    editor.change("main.tex", 2, (10, 0, 200, 0, ""))
    await editor.analysed(main=2)
    assert len(editor.shown("main.tex")) == 10


def test_a_hover_holds_no_markup_of_the_manuscript() -> None:
    assert plain("![x](https://example.org/p.png)\n<img>`") == (
        "\\!\\[x\\]\\(https\\:\\/\\/example\\.org\\/p\\.png\\)  \n\\<img\\>\\`".replace("\\/", "/")
    )
