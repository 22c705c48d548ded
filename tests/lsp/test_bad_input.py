"""What clients and disks do wrong: a clear answer once, the rest goes on, nothing is lost."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from server.app import build_server
from server.files import DiskReader
from server.folders import Folders, surroundings
from server.options import Run, at_start, with_settings


async def test_no_root_and_a_lone_file(connect: Any, tmp_path: Path, rules: Any) -> None:
    wire = connect(build_server("test"))
    await wire.initialize(rootUri=None, workspaceFolders=None, initializationOptions={"status": True})
    uri = (tmp_path / "alone.tex").as_uri()
    item = {"uri": uri, "languageId": "some-new-language", "version": 1, "text": "badword"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    await wire.wait(lambda m: m.get("method") == "counterclaim/analysed")
    (published,) = [m["params"] for m in wire.written if m.get("method") == "textDocument/publishDiagnostics"]
    assert published["uri"] == uri
    assert published["diagnostics"][0]["code"] == "TXT901"


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "untitled:a/b c.tex", "vscode-vfs://github/x/y.tex", "file:", ""]
)
async def test_documents_that_are_no_files(connect: Any, rules: Any, uri: str) -> None:
    wire = connect(build_server("test"))
    await wire.initialize(initializationOptions={"status": True})
    item = {"uri": uri, "languageId": "latex", "version": 1, "text": "badword \\input{/etc/passwd}"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    await wire.wait(lambda m: m.get("method") == "counterclaim/analysed")
    published = [m["params"] for m in wire.written if m.get("method") == "textDocument/publishDiagnostics"]
    assert [(p["uri"], p["diagnostics"][0]["code"]) for p in published] == [(uri, "TXT901")]


async def test_a_document_opened_twice_closed_twice_changed_when_closed(editor: Any) -> None:
    editor.open("main.tex", "badword")
    editor.open("main.tex", "fine badword", version=2)
    await editor.analysed(main=2)
    assert editor.shown("main.tex") == [("TXT901", "0:5-0:12")]
    editor.close_file("main.tex")
    editor.close_file("main.tex")
    editor.close_file("never.tex")
    editor.change("main.tex", 3, (0, 0, 0, 0, "badword"))
    await editor.analysed()
    assert editor.shown("main.tex") == []


async def test_one_file_under_two_names(editor: Any, tmp_path: Path) -> None:
    editor.open("a b.tex", "badword")
    await editor.analysed()
    other = editor.uri("a b.tex").replace("%20", " ")
    item = {"uri": other, "languageId": "latex", "version": 7, "text": "x badword"}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    await editor.analysed()
    assert editor.shown("a b.tex") == []
    published = [m["params"] for m in editor.written if m.get("params", {}).get("uri") == other]
    assert published[-1]["diagnostics"][0]["code"] == "TXT901"


@pytest.mark.parametrize(
    "edit",
    [(-1, -5, -1, -5, "x"), (0, 99, 0, 999, "x"), (7, 0, 900, 1, "x"), (0, 7, 0, 2, "x"), (10**12, 0, 10**12, 0, "x")],
)
async def test_invalid_ranges_are_clamped_and_nothing_is_lost(editor: Any, edit: Any) -> None:
    editor.open("main.tex", "abc\nbadword")
    editor.change("main.tex", 2, edit)
    editor.change("main.tex", 3, (0, 0, 0, 0, "badword\n"))
    await editor.analysed(main=3)
    assert editor.shown("main.tex")[0] == ("TXT901", "0:0-0:7")
    assert len(editor.shown("main.tex")) == 2


async def test_odd_characters(editor: Any) -> None:
    editor.open("main.tex", "a\ud800b\x00c badword\f\u2028\x85 badword\r\rbadword\r\nbadword")
    await editor.analysed(main=1)
    assert [place for _, place in editor.shown("main.tex")] == ["0:6-0:13", "0:17-0:24", "2:0-2:7", "3:0-3:7"]
    editor.change("main.tex", 2, (2, 0, 2, 7, "x\udc00"), (0, 6, 0, 13, ""))
    await editor.answered()
    assert [place for _, place in editor.shown("main.tex")] == ["0:10-0:17", "3:0-3:7"]
    await editor.analysed(main=2)
    assert [place for _, place in editor.shown("main.tex")] == ["0:10-0:17", "3:0-3:7"]


@pytest.mark.parametrize("name", ["main.tex", "refs.bib"])
async def test_a_document_emptied_and_written_again(editor: Any, name: str) -> None:
    editor.open(name, "badword")
    editor.change(name, 2, (0, 0, 0, 7, ""))
    editor.change(name, 3, (0, 0, 0, 0, "@book{k, title = {T}}\n"))
    await editor.analysed(**{name.partition(".")[0]: 3} if name.endswith(".tex") else {})
    symbols = (await editor.request("textDocument/documentSymbol", {"textDocument": {"uri": editor.uri(name)}}))[
        "result"
    ]
    assert [s["name"] for s in symbols] == (["k"] if name.endswith(".bib") else [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
async def test_includes_that_cannot_be_read(editor: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tex")
    (tmp_path / "latin.tex").write_bytes(b"caf\xe9 badword\n")
    (tmp_path / "noise.tex").write_bytes(bytes(range(256)) * 64)
    (tmp_path / "huge.tex").touch()
    os.truncate(tmp_path / "huge.tex", 60 * 2**20)
    names = ["pipe", "latin", "noise", "huge", "gone", "main", "../../outside", "/etc/passwd"]
    text = (
        "\\documentclass{article}\\begin{document}\n"
        + "".join(f"\\input{{{n}}}\n" for n in names)
        + "\\end{document}\n"
    )
    (tmp_path / "main.tex").write_text(text)
    editor.open("main.tex", text)
    await editor.analysed(main=1)
    noted = {place for code, place in editor.shown("main.tex") if code == "NOTE"}
    assert {f"{line}:7-{line}:{7 + len(names[line - 1])}" for line in (1, 3, 4, 5, 6)} <= noted
    assert editor.shown("latin.tex") == [("TXT901", "0:5-0:12")]
    assert not [m for m in editor.written if m.get("method") == "window/showMessage"]


async def test_a_null_settings_section_and_a_client_that_refuses_it(connect: Any, tmp_path: Path, rules: Any) -> None:
    wire = connect(build_server("test"))
    capabilities = {
        "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    }
    await wire.initialize(capabilities, rootUri=tmp_path.as_uri(), initializationOptions={"status": True})
    asked = await wire.wait(lambda m: m.get("method") == "client/registerCapability")
    assert asked["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    wire.send(id=asked["id"], error={"code": -32601, "message": "no"})
    asked = await wire.wait(lambda m: m.get("method") == "workspace/configuration")
    wire.send(id=asked["id"], result=[None])
    item = {"uri": (tmp_path / "a.tex").as_uri(), "languageId": "tex", "version": 1, "text": "badword"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    await wire.wait(lambda m: m.get("method") == "counterclaim/analysed")
    wire.notify("workspace/didChangeConfiguration", {"settings": None})
    await asyncio.sleep(0.01)
    (_, asked) = [m for m in wire.written if m.get("method") == "workspace/configuration"]
    wire.send(id=asked["id"], result=[{"checks": {"ignore": ["ALL"]}}])
    await asyncio.sleep(0.05)
    await wire.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and not m["params"]["diagnostics"])


@pytest.mark.parametrize(
    ("value", "run", "settings"),
    [
        (None, Run.ON_TYPE, {}),
        ([], Run.ON_TYPE, {}),
        ("x", Run.ON_TYPE, {}),
        ({"run": 3, "trace": {"server": "off"}, "language": None}, Run.ON_TYPE, {}),
        ({"counterclaim": {"run": "manual", "language": "de"}}, Run.MANUAL, {"language": "de"}),
        ({"rules": {"disabled": ["A"]}, "checks": {"ignore": ["B"]}}, Run.ON_TYPE, {"checks": {"ignore": ["B", "A"]}}),
    ],
)
def test_settings_of_any_shape(value: Any, run: Run, settings: Any) -> None:
    options = with_settings(at_start(value if isinstance(value, dict) else None), value)
    assert (options.run, options.settings) == (run, settings)


@pytest.mark.parametrize(
    ("given", "pause"), [({"pause": 100}, 0.1), ({"pause": -1}, 0.25), ({"pause": True}, 0.25), (7, 0.25)]
)
def test_options_of_any_shape(given: Any, pause: float) -> None:
    assert at_start(given).pause == pause


def test_the_workspace_of_a_lone_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    deep = home / "paper" / "sections"
    deep.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    (home / ".git").mkdir()
    assert surroundings(str(deep / "a.tex")) == str(deep)
    (home / "paper" / "counterclaim.toml").touch()
    assert surroundings(str(deep / "a.tex")) == str(home / "paper")


def test_a_file_belongs_to_the_innermost_folder(tmp_path: Path) -> None:
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    folders = Folders()
    folders.add((tmp_path / "outer").as_uri())
    folders.add((tmp_path / "outer" / "inner").as_uri())
    folder, path = folders.locate((tmp_path / "outer" / "inner" / "a b.tex").as_uri())
    assert (folder.place, path) == (tmp_path / "outer" / "inner", "a b.tex")
    folder, path = folders.locate((tmp_path / "outer" / "innermost.tex").as_uri())
    assert (folder.place, path) == (tmp_path / "outer", "innermost.tex")
    assert folder.uri("x y.tex") == (tmp_path / "outer" / "x y.tex").as_uri()
    assert isinstance(folder.reader, DiskReader)


async def test_several_workspace_folders_that_come_and_go(editor: Any, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    editor.open("other/main.tex", "badword twin twin")
    await editor.analysed()
    assert len(editor.shown("other/main.tex")) == 2
    (other / "counterclaim.toml").write_text('[checks]\nignore = ["TXT901"]\n')
    (tmp_path / "counterclaim.toml").write_text('[checks]\nignore = ["TXT902"]\n')
    event = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": [{"uri": tmp_path.as_uri(), "name": "p"}]}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    async with asyncio.timeout(5):
        while len(editor.shown("other/main.tex")) != 1:
            await editor.analysed()
    assert [code for code, _ in editor.shown("other/main.tex")] == ["TXT902"]


async def test_many_changes_leave_a_constant_number_of_futures(editor: Any) -> None:
    editor.open("main.tex", "badword")
    for number in range(500):
        editor.change("main.tex", number + 2, (0, 0, 0, 0, "x"))
        if number % 50 == 0:
            await asyncio.sleep(0)
    await editor.analysed(main=501)
    assert editor.server.protocol._request_futures == {}
    assert editor.server.work_done_progress.tokens == {}
    assert json.dumps(editor.shown("main.tex")) == '[["TXT901", "0:500-0:507"]]'
