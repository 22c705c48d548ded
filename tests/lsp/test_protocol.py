"""The corrections to pygls, one test each.  A test that passes without its correction says that pygls is mended."""

import asyncio
import json
import logging
from typing import Any

import pytest
from lsprotocol import types as lsp

from server import logs
from server.protocol import HandlerError, InvalidArgumentsError

SECRET = "zebrafinch manuscript words"
URI = "file:///p/main.tex"


def change(text: str, version: int = 2, line: int = 0, column: int = 0) -> dict[str, Any]:
    place = {"line": line, "character": column}
    edit = {"range": {"start": place, "end": place}, "text": text}
    return {"textDocument": {"uri": URI, "version": version}, "contentChanges": [edit]}


async def test_no_future_is_kept_for_a_notification(probe: Any) -> None:
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        await asyncio.sleep(0)

    probe.server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(changed)
    await probe.initialize()
    for number in range(500):
        probe.notify("textDocument/didChange", change("x", number))
    await asyncio.sleep(0.05)
    assert len(probe.server.protocol._request_futures) == 0


async def test_shutdown_while_requests_are_in_flight(probe: Any) -> None:
    async def wait() -> None:
        await asyncio.sleep(60)

    probe.server.command("x.wait")(wait)
    await probe.initialize()
    for number in range(5):
        probe.send(id=number, method="workspace/executeCommand", params={"command": "x.wait"})
    await asyncio.sleep(0)
    answer = await probe.request("shutdown", None, "end")
    assert answer["result"] is None
    assert "error" not in answer
    with pytest.raises(SystemExit) as stop:
        probe.notify("exit")
    assert stop.value.code == 0


async def test_exit_without_shutdown_is_a_failure(probe: Any) -> None:
    await probe.initialize()
    with pytest.raises(SystemExit) as stop:
        probe.notify("exit")
    assert stop.value.code == 1


async def test_documents_are_left_to_the_handler(probe: Any) -> None:
    seen: list[Any] = []
    probe.server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(lambda params: seen.append(params.text_document.text))
    probe.server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(lambda params: seen.append(params.content_changes[0].text))
    probe.server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(lambda params: seen.append(params.text_document.uri))
    await probe.initialize()
    item = {"uri": URI, "languageId": "latex", "version": 1, "text": "one\fstill\nTWO"}
    probe.notify("textDocument/didOpen", {"textDocument": item})
    probe.notify("textDocument/didChange", change("X", line=1))
    probe.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert seen == ["one\fstill\nTWO", "X", URI]
    assert probe.server.workspace.text_documents == {}
    with pytest.raises(NotImplementedError):
        probe.server.workspace.get_text_document(URI)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [(None, "utf-16"), (["utf-8", "utf-16"], "utf-8"), (["utf-32"], "utf-32"), (["latin-1"], "utf-16"), ([], "utf-16")],
)
async def test_the_encoding_is_still_the_negotiated_one(probe: Any, offered: Any, chosen: str) -> None:
    inside: list[Any] = []
    probe.server.feature(lsp.INITIALIZE)(lambda params: inside.append(probe.server.workspace.position_encoding))
    general = {} if offered is None else {"general": {"positionEncodings": offered}}
    answer = await probe.initialize(general)
    assert answer["result"]["capabilities"]["positionEncoding"] == chosen
    assert inside == [chosen]
    assert probe.server.workspace.position_encoding == chosen


async def test_numbers_out_of_range_are_brought_into_range(probe: Any) -> None:
    seen: list[lsp.Position] = []
    probe.server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(lambda p: seen.append(p.content_changes[0].range.start))
    await probe.initialize()
    for line, column in [(-1, -5), (10**12, 3), (2.0, 1e300)]:
        probe.notify("textDocument/didChange", change("x", line=line, column=column))
    top = 2**31 - 1
    assert [(p.line, p.character) for p in seen] == [(0, 0), (top, 3), (2, top)]


async def test_an_unreadable_request_is_answered(probe: Any) -> None:
    probe.server.feature(lsp.TEXT_DOCUMENT_HOVER)(lambda params: None)
    await probe.initialize()
    answer = await probe.request("textDocument/hover", {"textDocument": SECRET})
    assert answer["error"]["code"] == -32602
    assert "zebrafinch" not in json.dumps(answer)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b"null", b'{"a": 1}', b"\xff\xfe\xfa", b'{"jsonrpc": "2.0"}'])
async def test_bytes_that_are_no_message_are_survived(probe: Any, body: bytes) -> None:
    await probe.initialize()
    probe.server.protocol.receive(body)
    assert (await probe.request("nothing/here"))["error"]["code"] == -32601


async def test_requests_outside_of_the_session_are_answered(probe: Any) -> None:
    assert (await probe.request("textDocument/hover", {}, 1))["error"]["code"] in {-32002, -32602}
    assert (await probe.request("workspace/executeCommand", {"command": "x"}, 2))["error"]["code"] == -32002
    await probe.initialize()
    again = {"processId": None, "rootUri": None, "capabilities": {}}
    assert (await probe.request("initialize", again, 3))["error"]["code"] == -32600
    await probe.request("shutdown", None, 4)
    assert (await probe.request("workspace/symbol", {"query": ""}, 5))["error"]["code"] == -32600


async def test_an_answer_after_the_cancellation_is_ignored(probe: Any, caplog: pytest.LogCaptureFixture) -> None:
    await probe.initialize()
    asking = asyncio.ensure_future(
        probe.server.protocol.send_request_async(
            lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, lsp.WorkDoneProgressCreateParams(token="t")
        )
    )
    sent = await probe.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
    asking.cancel()
    await asyncio.sleep(0)
    probe.send(id=sent["id"], result=None)
    probe.send(id="never asked", result=None)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(probe.server.protocol._request_futures) == 0


async def test_errors_name_their_type_only(probe: Any, capfd: pytest.CaptureFixture[str]) -> None:
    def fail(params: Any) -> None:
        raise ValueError(SECRET)

    async def fail_later(params: Any) -> None:
        await asyncio.sleep(0)
        raise KeyError(SECRET)

    def refuse(params: Any) -> None:
        raise InvalidArgumentsError("an address is needed")

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    library = logging.getLogger("pygls")
    logs.configure("info")
    try:
        probe.server.feature(lsp.TEXT_DOCUMENT_HOVER)(fail)
        probe.server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(fail_later)
        probe.server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(fail)
        probe.server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(fail_later)
        probe.server.feature("x/refuse")(refuse)
        await probe.initialize()
        where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
        first = await probe.request("textDocument/hover", where, 1)
        second = await probe.request("textDocument/definition", where, 2)
        third = await probe.request("x/refuse", {}, 3)
        probe.notify("textDocument/didChange", change(SECRET))
        probe.notify("textDocument/didSave", {"textDocument": {"uri": URI}, "text": SECRET})
        probe.server.protocol.receive(
            json.dumps({"jsonrpc": "2.0", "method": "textDocument/didSave", "params": SECRET}).encode()
        )
        await asyncio.sleep(0.02)
        logging.getLogger("pygls.x").warning("got %s", SECRET)
        logging.getLogger("asyncio").error(SECRET)
        try:
            fail(None)
        except ValueError:
            logs.logger("test").exception("it broke")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        library.setLevel(logging.NOTSET)
        logging.raiseExceptions = True
    assert first["error"] == {"code": -32603, "message": "Internal Error: ValueError"}
    assert second["error"] == {"code": -32603, "message": "Internal Error: KeyError"}
    assert third["error"] == {"code": -32602, "message": "an address is needed"}
    log = capfd.readouterr().err
    assert log.count("ValueError at") >= 3
    for word in SECRET.split():
        assert word not in log
        assert word not in json.dumps(probe.written)
    assert not [m for m in probe.written if m.get("method") == "window/showMessage"]


async def test_no_body_is_logged_at_info(probe: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    probe.server.feature(lsp.TEXT_DOCUMENT_HOVER)(lambda params: {"contents": SECRET})
    await probe.initialize()
    caplog.clear()
    where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    await probe.request("textDocument/hover", where)
    probe.server.protocol.notify_plain("x/y", {"text": SECRET})
    assert SECRET not in caplog.text


async def test_a_result_that_cannot_be_written_is_an_error(probe: Any) -> None:
    probe.server.feature("x/odd")(lambda params: {"value": {1, 2}})
    await probe.initialize()
    assert (await probe.request("x/odd", {}))["error"]["code"] == -32603


async def test_lone_surrogates_go_both_ways(probe: Any) -> None:
    seen: list[str] = []

    def echo(params: Any) -> dict[str, str]:
        seen.append(params.text)
        return {"text": params.text}

    probe.server.feature("x/echo")(echo)
    await probe.initialize()
    answer = await probe.request("x/echo", {"text": "a\ud800b\x00"})
    assert seen == ["a\ud800b\x00"] and answer["result"]["text"] == "a\ud800b\x00"


def test_threads_and_generators_are_refused(probe: Any) -> None:
    def generator(params: Any) -> Any:
        yield params

    with pytest.raises(TypeError):
        probe.server.thread()
    with pytest.raises(TypeError):
        probe.server.feature("x/y")(generator)


def test_a_refusal_carries_its_own_code() -> None:
    assert InvalidArgumentsError("x").code == -32602
    assert HandlerError("x", code=-32803).code == -32803
