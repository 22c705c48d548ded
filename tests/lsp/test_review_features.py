"""Reviews in the editor: jobs with progress and money, cancelling, consent, points as diagnostics, what becomes of them."""

import asyncio
import importlib.util
import inspect
import json
import os
import struct
import sys
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lsprotocol import types as lsp

import server.app
import server.session
from server.app import build_server
from server.handlers import code_actions
from server.handlers import review as review_handler
from server.handlers.review_actions import review_actions, review_lenses
from server.review_jobs import reviews_of
from server.verification import Verification

pytest.importorskip("anthropic")
TESTS = Path(__file__).parents[1]
CAPABILITIES = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}


def load(name: str, path: Path) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="session")
def given() -> Any:
    """The paper and the scripted reviewer of the review's own tests."""
    return load("counterclaim_tests_review_conftest", TESTS / "review" / "conftest.py")


@pytest.fixture(scope="session")
def fake() -> Any:
    return load("counterclaim_tests_fake_messages_api", TESTS / "models" / "fake_messages_api.py")


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session as it is joined to the reviews; the joints are put here only where the session has none of its own."""
    seen: dict[str, Any] = {}
    register = review_handler.register

    def registered(server: Any, session: Any) -> None:
        seen["session"] = session
        register(server, session)

    monkeypatch.setattr(review_handler, "register", registered)
    if review_handler not in server.app.HANDLERS:
        monkeypatch.setattr(server.app, "HANDLERS", (*server.app.HANDLERS, review_handler))
    if "review_actions" not in inspect.getsource(code_actions):
        others = vars(code_actions)["citation_actions"]

        def actions(session: Any, file: Any, span: Any, findings: Any) -> list[Any]:
            return [*others(session, file, span, findings), *review_actions(session, file, findings)]

        monkeypatch.setattr(code_actions, "citation_actions", actions)
    if "reviews" not in inspect.getsource(server.session):
        _join(monkeypatch)
    return seen


def _join(monkeypatch: pytest.MonkeyPatch) -> None:
    findings, paths, analysed, saved = (
        getattr(Verification, name) for name in ("findings", "paths", "analysed", "saved")
    )

    def all_findings(self: Any, folder: Any, path: str) -> Any:
        return (*findings(self, folder, path), *reviews_of(self._session).findings(folder, path))

    def all_paths(self: Any, folder: Any) -> Any:
        return paths(self, folder) | reviews_of(self._session).paths(folder)

    def then_reviews(self: Any, folder: Any) -> None:
        analysed(self, folder)
        reviews_of(self._session).analysed(folder)
        self._session.show(folder)

    def saved_too(self: Any, folder: Any) -> None:
        saved(self, folder)
        for path in folder.files:
            reviews_of(self._session).saved(folder, path)

    for name, method in (
        ("findings", all_findings),
        ("paths", all_paths),
        ("analysed", then_reviews),
        ("saved", saved_too),
    ):
        monkeypatch.setattr(Verification, name, method)


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "COUNTERCLAIM_")) and name.endswith(("_KEY", "_TOKEN", "_URL", "_PROFILE")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "ANTHROPIC_CONFIG_DIR"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("COUNTERCLAIM_MODEL_API_KEY", "canary")
    return home


@pytest.fixture
def api(fake: Any, given: Any, own_folders: Path) -> Iterator[Any]:
    with fake.FakeMessagesApi(lambda body: given.scripted(given.as_request(body))) as running:
        settings = own_folders / "xdg_config_home" / "counterclaim"
        settings.mkdir(parents=True)
        (settings / "models.toml").write_text(f'base_url = "{running.url}"\n', encoding="utf-8")
        time.sleep(0.02)
        yield running


Open = Callable[..., Any]


@pytest.fixture
async def open_editor(tmp_path: Path, rules: Any, wired: Any, connect: Any, given: Any) -> AsyncIterator[Open]:
    made: list[Any] = []

    async def start(trusted: bool = True, **files: str) -> Any:
        from dataclasses import dataclass

        conftest = sys.modules[connect.__module__]

        @dataclass
        class Client(conftest.Editor):  # type: ignore[name-defined,misc]
            """Agrees to every progress display, and answers questions from `answers`."""

            def write(self, data: bytes) -> None:
                super().write(data)
                message = self.written[-1]
                if "id" not in message or "method" not in message:
                    return
                answer: Any = None
                if message["method"] == "window/showMessageRequest":
                    answer = {"title": self.answers.pop(0)} if self.answers else None
                elif message["method"] == "window/showDocument":
                    answer = {"success": True}
                asyncio.get_running_loop().call_soon(lambda: self.send(id=message["id"], result=answer))

            @property
            def answers(self) -> list[str]:
                return self.__dict__.setdefault("_answers", [])  # type: ignore[no-any-return]

        for name, text in {**given.PAPER, **{f"{name}.tex": text for name, text in files.items()}}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        client = Client(build_server("test"), folder=tmp_path)
        folders = [{"uri": tmp_path.as_uri(), "name": "paper"}]
        options = {"pause": 30, "status": True, "trusted": trusted}
        await client.initialize(CAPABILITIES, workspaceFolders=folders, initializationOptions=options)
        client.open("main.tex", (tmp_path / "main.tex").read_text(encoding="utf-8"))
        await client.analysed(main=1)
        made.append(client)
        return client

    yield start
    for client in made:
        await client.request("shutdown")


def png() -> bytes:
    """A black picture of two pixels by two."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(6))) + chunk(b"IEND", b"")


def progress(client: Any) -> list[dict[str, Any]]:
    return [m["params"]["value"] for m in client.written if m.get("method") == "$/progress"]


async def ended(client: Any, count: int = 1, seconds: float = 20) -> str:
    """The closing message of the last of `count` jobs."""
    async with asyncio.timeout(seconds):
        while sum(value["kind"] == "end" for value in progress(client)) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return str([value for value in progress(client) if value["kind"] == "end"][-1].get("message"))


def reviewed(client: Any, code: str = "REV") -> list[dict[str, Any]]:
    return [item for item in client.diagnostics("main.tex") if item["code"].startswith(code)]


async def test_a_review_with_progress_tokens_and_money(api: Any, open_editor: Open, tmp_path: Path) -> None:
    client = await open_editor()
    answer = await client.execute("counterclaim.review.document", {"uri": client.uri("main.tex"), "consent": True})
    assert answer["token"]
    message = await ended(client)
    assert message.startswith("5 points, 5 of them new, $0.0")
    shown = [value["message"] for value in progress(client) if value["kind"] == "report"]
    assert any("pass 2 of 3" in text and "tokens" in text and "$" in text for text in shown)
    assert [value["percentage"] for value in progress(client) if value["kind"] == "report"][-1] == 100
    found = {item["code"]: item for item in reviewed(client)}
    assert set(found) == {"REV001", "REV002", "REV003"}
    first = next(item for item in reviewed(client, "REV001") if "differs" in item["message"])
    assert first["severity"] == lsp.DiagnosticSeverity.Warning
    assert first["range"]["start"]["line"] == 5
    assert first["relatedInformation"][0]["location"]["range"]["start"]["line"] == 21
    assert (tmp_path / ".counterclaim" / "review.json").is_file()
    assert len(api.calls) == 4


async def test_points_follow_edits_and_are_rechecked(api: Any, open_editor: Open, given: Any) -> None:
    client = await open_editor()
    await client.execute("counterclaim.review.document", {"uri": client.uri("main.tex"), "consent": True})
    await ended(client)
    client.change("main.tex", 2, (3, 0, 3, 0, "\n% a new line\n"))
    await client.answered()
    assert any(item["range"]["start"]["line"] == 7 for item in reviewed(client, "REV001"))
    await client.analysed(main=2)
    assert any(item["range"]["start"]["line"] == 7 for item in reviewed(client, "REV001"))
    answer = await client.execute("counterclaim.review.recheck", {"uri": client.uri("main.tex")})
    assert "No open point has changed text" in await ended(client, 2)
    calls = len(api.calls)
    assert calls == 4, "nothing is asked about unchanged text"
    line = 23
    client.change("main.tex", 3, (line, 8, line, 10, "36"))
    await client.analysed(main=3)
    changed = [item for item in reviewed(client) if "has changed since" in item["message"]]
    assert len(changed) == 3
    api.script.append(_yes())
    answer = await client.execute(
        "counterclaim.review.recheck",
        {"uri": client.uri("main.tex"), "id": changed[0]["data"]["fingerprint"].removeprefix("review-")},
    )
    assert answer["token"]
    assert "1 of 1 points are settled" in await ended(client, 3)
    assert len(api.calls) == calls + 1
    assert len([item for item in reviewed(client) if "has changed since" in item["message"]]) == 2


def _yes() -> Any:
    behaviour = sys.modules["counterclaim_tests_fake_messages_api"].Behaviour
    return behaviour(text=json.dumps({"addressed": "yes", "explanation": "Both say 36 now."}))


async def test_cancelling_stops_every_further_call(api: Any, open_editor: Open, fake: Any) -> None:
    client = await open_editor()
    api.script += [fake.Behaviour(text='{"items": []}'), fake.Behaviour(hang=30)]
    answer = await client.execute("counterclaim.review.document", {"uri": client.uri("main.tex"), "consent": True})
    async with asyncio.timeout(10):
        while len(api.calls) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    client.notify("window/workDoneProgress/cancel", {"token": answer["token"]})
    assert await ended(client) == "Stopped."
    async with asyncio.timeout(5):
        while not api.aborted:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
    assert len(api.calls) == 2, "counted at the server"
    assert reviewed(client) == []
    await client.execute("counterclaim.review.document", {"uri": client.uri("main.tex")})
    await ended(client, 2)
    assert len(api.calls) == 5, "the finished stage was kept: three passes are asked"


async def test_nothing_is_sent_without_consent(api: Any, open_editor: Open) -> None:
    client = await open_editor()
    uri = client.uri("main.tex")
    what = await client.execute("counterclaim.review.whatWouldBeSent", {"uri": uri})
    assert "This would be sent:" in what["message"]
    assert "From main.tex" in what["message"]
    assert what["calls"] == 4
    search = await client.execute(
        "counterclaim.review.whatWouldBeSent", {"uri": uri, "what": "contradictions", "prompts": True}
    )
    assert any("[s2] TideNet lowers" in prompt for prompt in search["prompts"])
    client.answers.append("Do not send")
    await client.execute("counterclaim.review.document", {"uri": uri})
    assert await ended(client) == "Nothing was sent."
    question = next(m for m in client.written if m.get("method") == "window/showMessageRequest")
    assert question["params"]["message"] == what["message"], "the question shows exactly what would be sent"
    assert api.log == []
    client.answers.append("Send, now and later in this workspace")
    await client.execute("counterclaim.review.contradictions", {"uri": uri})
    assert (await ended(client, 2)).startswith("1 points, 1 of them new")
    [point] = reviewed(client, "REV004")
    assert point["severity"] == lsp.DiagnosticSeverity.Warning
    assert "the other side" in point["message"]
    await client.execute("counterclaim.review.withdrawConsent", {"uri": uri})
    calls = len(api.calls)
    await client.execute("counterclaim.review.contradictions", {"uri": uri, "consent": False})
    assert await ended(client, 3) == "Nothing was sent."
    assert len(api.calls) == calls


async def test_never_is_kept_until_it_is_withdrawn(api: Any, open_editor: Open) -> None:
    client = await open_editor()
    uri = client.uri("main.tex")
    client.answers.append("Never in this workspace")
    await client.execute("counterclaim.review.document", {"uri": uri})
    assert await ended(client) == "Nothing was sent."
    await client.execute("counterclaim.review.document", {"uri": uri})
    assert "switched off for this workspace" in await ended(client, 2)
    questions = [m for m in client.written if m.get("method") == "window/showMessageRequest"]
    assert len(questions) == 1, "who said never is not asked again"
    assert api.log == []
    await client.execute("counterclaim.review.withdrawConsent", {"uri": uri})
    client.answers.append("Do not send")
    await client.execute("counterclaim.review.document", {"uri": uri})
    assert await ended(client, 3) == "Nothing was sent."
    assert len([m for m in client.written if m.get("method") == "window/showMessageRequest"]) == 2


async def test_what_would_be_sent_counts_the_images_that_a_review_sends(
    api: Any, open_editor: Open, own_folders: Path, tmp_path: Path, given: Any
) -> None:
    with (own_folders / "xdg_config_home" / "counterclaim" / "models.toml").open("a", encoding="utf-8") as settings:
        settings.write("[review]\nimages = true\n")
    (tmp_path / "plot.png").write_bytes(png())
    figure = "\n\\begin{figure}\\includegraphics{plot.png}\\caption{The tide at noon.}\\end{figure}\n"
    text = given.PAPER["main.tex"].replace("\\begin{document}", "\\begin{document}" + figure)
    client = await open_editor(main=text)
    uri = client.uri("main.tex")
    what = await client.execute("counterclaim.review.whatWouldBeSent", {"uri": uri})
    assert f"- 1 image of figures, {len(png())} bytes." in what["message"]
    client.answers.append("Do not send")
    await client.execute("counterclaim.review.document", {"uri": uri})
    assert await ended(client) == "Nothing was sent."
    question = next(m for m in client.written if m.get("method") == "window/showMessageRequest")
    assert question["params"]["message"] == what["message"]
    assert api.log == []


async def test_an_untrusted_workspace_is_never_sent(api: Any, open_editor: Open) -> None:
    client = await open_editor(trusted=False)
    for command in ("document", "contradictions"):
        await client.execute(f"counterclaim.review.{command}", {"uri": client.uri("main.tex"), "consent": True})
    await ended(client, 2)
    assert api.log == []
    assert not [m for m in client.written if m.get("method") == "window/showMessageRequest"]


async def test_actions_on_a_point(api: Any, open_editor: Open, wired: Any) -> None:
    client = await open_editor()
    uri = client.uri("main.tex")
    await client.execute("counterclaim.review.contradictions", {"uri": uri, "consent": True})
    await ended(client)
    [point] = reviewed(client, "REV004")
    actions = await client.actions("main.tex", (0, 0), (0, 0), diagnostics=[point])
    titles = [action["title"] for action in actions]
    for title in ("Accept this point", "Dismiss this point: out of scope", "Mark as addressed", "Go to the other side", "Show the full point", "Insert as % TODO"):  # fmt: skip
        assert title in titles
    insert = next(action for action in actions if action["title"] == "Insert as % TODO")
    [change] = insert["edit"]["documentChanges"]
    assert change["textDocument"]["version"] == 1
    assert change["edits"][0]["newText"].startswith("% TODO: Contradiction: One says 36")
    assert change["edits"][0]["range"]["start"] == {"line": 5, "character": 0}
    chosen = {action["title"]: action["command"] for action in actions if "command" in action}
    full = await client.execute(*_call(chosen["Show the full point"]))
    assert "One says 36 gauges, the other 48." in full["message"]
    assert len(full["places"]) == 2
    other = await client.execute(*_call(chosen["Go to the other side"]))
    assert other["location"]["range"]["start"]["line"] == 21
    await client.wait(lambda m: m.get("method") == "window/showDocument")
    [session] = [wired["session"]]
    file = session.file(uri)
    [lens] = review_lenses(session, file)
    assert lens.command is not None
    assert lens.command.title.startswith("contradiction: One says 36 gauges")
    assert (await client.execute(*_call(chosen["Accept this point"])))["judgement"] == "accepted"
    assert len(reviewed(client, "REV004")) == 1, "an accepted point stays until it is addressed"
    todo = await client.execute("counterclaim.review.todo", {"uri": uri})
    assert [item["section"] for item in todo["items"]] == ["contradiction"]
    assert (await client.execute(*_call(chosen["Dismiss this point: out of scope"])))["state"] == "dismissed"
    assert reviewed(client, "REV004") == []
    identifier = chosen["Accept this point"]["arguments"][0]["id"]
    assert (await client.execute("counterclaim.review.reopen", {"uri": uri, "id": identifier}))["state"] == "open"
    assert len(reviewed(client, "REV004")) == 1
    await client.execute(*_call(chosen["Mark as addressed"]))
    assert reviewed(client, "REV004") == []
    assert (await client.execute("counterclaim.review.accept", {"uri": uri, "id": "nothing"}))["message"]


def _call(command: dict[str, Any]) -> tuple[Any, ...]:
    return (command["command"], *command["arguments"])


async def test_section_export_and_clear(api: Any, open_editor: Open, tmp_path: Path) -> None:
    client = await open_editor()
    uri = client.uri("main.tex")
    await client.execute(
        "counterclaim.review.section", {"uri": uri, "position": {"line": 21, "character": 3}, "consent": True}
    )
    await ended(client)
    [call] = [c for c in api.calls if "sonnet" in c.body["model"]]
    text = "".join(block["text"] for block in call.body["messages"][0]["content"])
    assert "This review is about one section only: the lines h3, " in text
    exported = await client.execute("counterclaim.review.export", {"uri": uri, "format": "md", "write": True})
    assert "# Review of Tidal Gauges that Agree" in exported["text"]
    assert (tmp_path / ".counterclaim" / "review-report.md").read_text(encoding="utf-8") == exported["text"]
    assert json.loads((await client.execute("counterclaim.review.export", {"uri": uri, "format": "json"}))["text"])[
        "points"
    ]
    assert (await client.execute("counterclaim.review.clear", {"uri": uri}))["cleared"] == 5
    assert reviewed(client) == []


async def test_an_edited_paragraph_is_compared_on_save_when_switched_on(api: Any, open_editor: Open) -> None:
    client = await open_editor()
    uri = client.uri("main.tex")
    await client.execute("counterclaim.review.contradictions", {"uri": uri, "paragraph": True, "position": {"line": 21, "character": 3}, "consent": True})  # fmt: skip
    await ended(client)
    assert len(reviewed(client, "REV004")) == 1
    calls = len(api.calls)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    await client.analysed(main=1)
    assert len(api.calls) == calls, "off until it is switched on"
    await client.execute("counterclaim.review.onSave", {"uri": uri, "on": True})
    client.change("main.tex", 2, (21, 0, 21, 0, "Now this is new. "))
    await client.analysed(main=2)
    assert len(api.calls) == calls, "never on a keystroke"
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    await ended(client, 2)
    assert len(api.calls) > calls
    read = sum(sum(u[n] for n in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")) for u in api.usages[2:])  # fmt: skip
    assert read < 3_000


async def test_a_ledger_of_another_editor_is_seen(api: Any, open_editor: Open, tmp_path: Path) -> None:
    from analyzers.review.stats import Judgement
    from server.ledger import Ledger

    client = await open_editor()
    uri = client.uri("main.tex")
    await client.execute("counterclaim.review.contradictions", {"uri": uri, "consent": True})
    await ended(client)
    other = Ledger(tmp_path, lambda: "2026-11-29T00:00:00")
    other.judge(other.points()[0].point.id, Judgement.DISMISSED, "seen elsewhere")
    client.change("main.tex", 2, (0, 0, 0, 0, "% x\n"))
    await client.analysed(main=2)
    assert reviewed(client) == []


@pytest.mark.parametrize(
    ("command", "argument"),
    [
        ("document", {"form": "nature"}),
        ("document", {"reviewer": "gpt"}),
        ("document", {"ensemble": True}),
        ("document", {"consent": "yes"}),
        ("section", {}),
        ("export", {"format": "pdf"}),
        ("accept", {}),
        ("dismiss", {"id": 4}),
    ],
)
async def test_wrong_arguments(api: Any, open_editor: Open, command: str, argument: dict[str, Any]) -> None:
    client = await open_editor()
    parameters = {
        "command": f"counterclaim.review.{command}",
        "arguments": [{"uri": client.uri("main.tex"), **argument}],
    }
    answer = await client.request("workspace/executeCommand", parameters)
    assert answer["error"]["code"] == -32602
    assert api.calls == []


async def test_commands_without_a_document(api: Any, open_editor: Open) -> None:
    client = await open_editor()
    for command in (
        "document",
        "section",
        "contradictions",
        "recheck",
        "todo",
        "export",
        "clear",
        "whatWouldBeSent",
        "onSave",
    ):
        answer = await client.execute(f"counterclaim.review.{command}", {"uri": "file:///nowhere.tex"})
        assert answer["message"]
