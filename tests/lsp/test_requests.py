"""Hover, code actions, symbols and commands, over raw JSON."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

TEXT = "\\section{One $x$ and \\emph{more}}\né𝔸 badword, twin.\n\\subsection{Inner}\nA twin.\n\\section{Two}\n"


def changes(edit: dict[str, Any]) -> list[tuple[str, int | None, str, str]]:
    """Uri, version, range and text of every change of a workspace edit."""
    return [
        (
            document["textDocument"]["uri"],
            document["textDocument"]["version"],
            "{start[line]}:{start[character]}-{end[line]}:{end[character]}".format(**change["range"]),
            change["newText"],
        )
        for document in edit["documentChanges"]
        for change in document["edits"]
    ]


@pytest.fixture
async def opened(editor: Any) -> Any:
    editor.open("main.tex", TEXT, version=5)
    await editor.analysed(main=5)
    return editor


async def hover(editor: Any, line: int, character: int) -> Any:
    params = {"textDocument": {"uri": editor.uri("main.tex")}, "position": {"line": line, "character": character}}
    return (await editor.request("textDocument/hover", params))["result"]


async def test_hover_shows_the_finding_its_other_place_and_the_rule(opened: Any) -> None:
    shown = await hover(opened, 1, 6)
    assert shown["range"] == {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 11}}
    assert "TXT901 bad\\-word" in shown["contents"]["value"]
    assert "What it flags" in shown["contents"]["value"]
    shown = await hover(opened, 3, 2)
    assert "the other twin" in shown["contents"]["value"]
    assert await hover(opened, 0, 0) is None
    assert await hover(opened, 99, 99) is None


async def test_a_fix_carries_the_version_and_the_right_range(opened: Any) -> None:
    fix, allow, dismiss = await opened.actions("main.tex", (1, 4), (1, 4), only=["quickfix"])
    assert fix["title"] == "Write 𝔤ood"
    assert fix["isPreferred"] is True
    assert changes(fix["edit"]) == [(opened.uri("main.tex"), 5, "1:4-1:11", "𝔤ood")]
    assert fix["diagnostics"][0]["code"] == "TXT901"
    ((_, version, _, comment),) = changes(allow["edit"])
    assert version == 5
    assert "counterclaim: allow TXT901 -- " in comment
    assert "command" in dismiss


async def test_a_code_action_with_wrong_client_ranges_edits_the_right_text(opened: Any) -> None:
    (diagnostic,) = [d for d in opened.diagnostics("main.tex") if d["code"] == "TXT901"]
    # byte columns, as some clients send them whatever was negotiated
    diagnostic["range"] = {"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 14}}
    actions = await opened.actions("main.tex", (1, 7), (1, 14), diagnostics=[diagnostic])
    assert changes(actions[0]["edit"]) == [(opened.uri("main.tex"), 5, "1:4-1:11", "𝔤ood")]
    diagnostic["range"]["start"]["line"] = diagnostic["range"]["end"]["line"] = 4
    actions = await opened.actions("main.tex", (4, 7), (4, 14), diagnostics=[diagnostic])
    assert changes(actions[0]["edit"])[0][2] == "1:4-1:11"


async def test_actions_follow_the_text_between_two_answers(opened: Any) -> None:
    opened.change("main.tex", 6, (0, 0, 0, 0, "new\n"))
    fix, *_ = await opened.actions("main.tex", (2, 4), (2, 4))
    assert changes(fix["edit"]) == [(opened.uri("main.tex"), 6, "2:4-2:11", "𝔤ood")]


async def test_kinds_are_respected(opened: Any) -> None:
    (all_,) = await opened.actions("main.tex", (0, 0), (0, 0), only=["source.fixAll"])
    assert all_["kind"] == "source.fixAll.counterclaim"
    assert changes(all_["edit"]) == [(opened.uri("main.tex"), 5, "1:4-1:11", "𝔤ood")]
    assert await opened.actions("main.tex", (1, 4), (1, 4), only=["refactor"]) == []
    kinds = {a["kind"] for a in await opened.actions("main.tex", (1, 4), (1, 4), only=["quickfix"])}
    assert kinds == {"quickfix"}


async def test_a_client_without_versions_gets_plain_changes(connect: Any, tmp_path: Path, rules: Any) -> None:
    from server.app import build_server

    wire = connect(build_server("test"))
    await wire.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"status": True})
    uri = (tmp_path / "a.tex").as_uri()
    item = {"uri": uri, "languageId": "tex", "version": 1, "text": "badword"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    await wire.wait(lambda m: m.get("method") == "counterclaim/analysed")
    place = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    fix = (await wire.request("textDocument/codeAction", params))["result"][0]
    assert list(fix["edit"]["changes"]) == [uri]
    hovered = await wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
    assert hovered["result"]["contents"]["kind"] == "plaintext"


async def test_dismissing_is_kept_and_can_be_undone(opened: Any, tmp_path: Path) -> None:
    dismiss = (await opened.actions("main.tex", (1, 4), (1, 4), only=["quickfix"]))[-1]["command"]
    await opened.execute(dismiss["command"], *dismiss["arguments"])
    assert [code for code, _ in opened.shown("main.tex")] == ["TXT902"]
    opened.change("main.tex", 6, (0, 0, 0, 0, "new\n"))
    await opened.answered()
    await opened.analysed(main=6)
    assert [code for code, _ in opened.shown("main.tex")] == ["TXT902"]
    stored = (tmp_path / ".counterclaim" / "dismissed.json").read_text()
    assert "badword" not in stored
    assert "TXT901" in stored
    result = await opened.execute("counterclaim.restore")
    assert result["restored"] == 1
    assert [code for code, _ in opened.shown("main.tex")] == ["TXT901", "TXT902"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"dismissed": 3}', '{"dismissed": {"a": 1}}', "[" * 100_000])
async def test_a_damaged_file_of_dismissals_is_survived(editor: Any, tmp_path: Path, content: str) -> None:
    from server.dismissed import Dismissed

    (tmp_path / ".counterclaim").mkdir()
    (tmp_path / ".counterclaim" / "dismissed.json").write_text(content)
    assert len(Dismissed(tmp_path)) == 0


async def test_symbols_are_nested_sections(opened: Any) -> None:
    params = {"textDocument": {"uri": opened.uri("main.tex")}}
    flat = (await opened.request("textDocument/documentSymbol", params))["result"]
    assert [(s["name"], s.get("containerName")) for s in flat][1] == ("Inner", flat[0]["name"])
    opened.server.protocol.client_capabilities.text_document.document_symbol = None
    assert flat[0]["location"]["range"]["end"] == {"line": 4, "character": 0}
    assert "more" in flat[0]["name"]


async def test_symbols_of_a_bibliography(editor: Any) -> None:
    editor.open("refs.bib", "@book{key𝔸, title={T}}\n@article{two, title={U}}\n", language="bibtex")
    params = {"textDocument": {"uri": editor.uri("refs.bib")}}
    found = (await editor.request("textDocument/documentSymbol", params))["result"]
    assert [symbol["name"] for symbol in found] == ["key𝔸", "two"]


async def test_fix_all_is_a_job_that_applies_an_edit(opened: Any) -> None:
    assert (await opened.execute("counterclaim.fixAll", {"uri": opened.uri("main.tex")}))["edits"] == 1
    asked = await opened.wait(lambda m: m.get("method") == "workspace/applyEdit")
    assert changes(asked["params"]["edit"])[0][2:] == ("1:4-1:11", "𝔤ood")
    opened.send(id=asked["id"], result={"applied": True})
    await asyncio.sleep(0.01)
    assert opened.server.protocol._request_futures == {}


async def test_check_reads_the_disk_again(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "counterclaim.toml").write_text('[checks]\nignore = ["TXT902"]\n')
    assert "token" in await opened.execute("counterclaim.check")
    await opened.analysed(main=5)
    assert [code for code, _ in opened.shown("main.tex")] == ["TXT901"]


async def test_status_names_root_files_and_settings(opened: Any, tmp_path: Path) -> None:
    result = await opened.execute("counterclaim.status")
    (folder,) = result["folders"]
    assert folder["workspace"] == str(tmp_path)
    assert folder["roots"][0]["root"] == "main.tex"
    assert "main.tex" in result["message"]


COMMANDS = ["check", "fixAll", "restore", "status", "cancel"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("arguments", [None, [], [None], [{}]])
async def test_commands_without_arguments(editor: Any, command: str, arguments: Any) -> None:
    params = {"command": f"counterclaim.{command}"}
    if arguments is not None:
        params["arguments"] = arguments
    answer = await editor.request("workspace/executeCommand", params)
    assert "error" not in answer, answer


@pytest.mark.parametrize("command", [*COMMANDS, "dismiss", "explain"])
@pytest.mark.parametrize("arguments", [[3], [[1]], [{"uri": 3, "code": 3, "token": 3}], [{}, {}], [True]])
async def test_wrong_arguments_are_refused(editor: Any, command: str, arguments: Any) -> None:
    params = {"command": f"counterclaim.{command}", "arguments": arguments}
    answer = await editor.request("workspace/executeCommand", params)
    assert answer["error"]["code"] == -32602, answer


async def test_explain_prints_the_text_of_the_rule(editor: Any) -> None:
    result = await editor.execute("counterclaim.explain", {"code": "txt901"})
    assert "What it flags" in result["text"]
    assert (await editor.execute("counterclaim.explain", "TXT902"))["code"] == "TXT902"


async def test_commands_of_the_server_are_announced(connect: Any) -> None:
    from server.app import build_server

    answer = await connect(build_server("test")).initialize()
    capabilities = answer["result"]["capabilities"]
    assert "counterclaim.check" in capabilities["executeCommandProvider"]["commands"]
    assert capabilities["textDocumentSync"]["change"] == 2
    assert capabilities["textDocumentSync"]["openClose"] is True
    assert "diagnosticProvider" not in capabilities
    assert capabilities["codeActionProvider"]["codeActionKinds"] == [
        "quickfix",
        "refactor.rewrite",
        "source.fixAll.counterclaim",
    ]
    assert json.dumps(capabilities)


async def test_a_job_is_shown_and_can_be_cancelled(
    connect: Any, tmp_path: Path, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.app import build_server
    from server.session import Session

    ended = asyncio.Event()

    async def forever(self: Session, folder: Any) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr(Session, "check_again", forever)
    wire = connect(build_server("test"))
    await wire.initialize({"window": {"workDoneProgress": True}}, rootUri=tmp_path.as_uri())
    item = {"uri": (tmp_path / "a.tex").as_uri(), "languageId": "tex", "version": 1, "text": "x"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    token = (await wire.request("workspace/executeCommand", {"command": "counterclaim.check"}))["result"]["token"]
    create = await wire.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
    assert create["params"]["token"] == token
    wire.send(id=create["id"], result=None)
    await wire.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "begin")
    hover = {"textDocument": {"uri": item["uri"]}, "position": {"line": 0, "character": 0}}
    assert (await wire.request("textDocument/hover", hover))["result"] is None
    wire.notify("window/workDoneProgress/cancel", {"token": token})
    await wire.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end", 1)
    assert ended.is_set()
    assert wire.server.work_done_progress.tokens == {}


@pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="needs links")
async def test_a_link_out_of_the_workspace_is_never_written(editor: Any, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.json"
    outside.write_text("precious")
    (tmp_path / "inner" / ".counterclaim").mkdir(parents=True)
    (tmp_path / "inner" / ".counterclaim" / "dismissed.json").symlink_to(outside)
    event = {"added": [{"uri": (tmp_path / "inner").as_uri(), "name": "inner"}], "removed": []}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    editor.open("inner/a.tex", "badword")
    await editor.analysed()
    action = (await editor.actions("inner/a.tex", (0, 0), (0, 0), only=["quickfix"]))[-1]["command"]
    await editor.execute(action["command"], *action["arguments"])
    assert editor.shown("inner/a.tex") == []
    assert outside.read_text() == "precious"
