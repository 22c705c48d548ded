"""The server as a process, with the capabilities of five real clients: places in each client's own units."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = Path(__file__).parents[2]
CLIENTS = ["visual-studio-code", "neovim@v0.7", "neovim@v0.10", "neovim@v0.11", "emacs"]
UNITS = {"utf-8": lambda s: len(s.encode()), "utf-16": lambda s: len(s.encode("utf-16-le")) // 2, "utf-32": len}
COMMAND = [
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from server.commands.lsp import run_lsp; sys.exit(run_lsp('test'))",
]
LINE = "Zebrafinch é 𝔸 and \\cite{ghost}, \\cite{real}."
TEXT = (
    "\\documentclass{article}\n\\begin{document}\n"
    f"{LINE}\n"
    "\\begin{thebibliography}{9}\n\\bibitem{real} A work.\n\\end{thebibliography}\n\\end{document}\n"
)


@pytest_lsp.fixture(
    params=CLIENTS, config=ClientServerConfig(server_command=COMMAND, server_env={**os.environ, "PYTHONSAFEPATH": "1"})
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    for feature in (lsp.CLIENT_REGISTER_CAPABILITY, lsp.WORKSPACE_CODE_LENS_REFRESH, lsp.WORKSPACE_INLAY_HINT_REFRESH):
        lsp_client.feature(feature)(lambda params: None)
    params = lsp.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="paper")],
        initialization_options={"pause": 20},
    )
    result = await lsp_client.initialize_session(params)
    lsp_client.units = UNITS[result.capabilities.position_encoding or "utf-16"]  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


async def published(client: LanguageClient, uri: str, count: int) -> list[lsp.Diagnostic]:
    while len([d for d in client.diagnostics.get(uri, ()) if d.code == "CIT001"]) != count:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [d for d in client.diagnostics[uri] if d.code == "CIT001"]


async def test_places_are_in_the_clients_units(client: LanguageClient, tmp_path: Path) -> None:
    uri = (tmp_path / "main.tex").as_uri()
    units = client.units  # type: ignore[attr-defined]
    item = lsp.TextDocumentItem(uri=uri, language_id="latex", version=1, text=TEXT)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    (found,) = await published(client, uri, 1)
    before = LINE.partition("ghost")[0]
    assert found.range.start == lsp.Position(line=2, character=units(before))
    assert found.range.end == lsp.Position(line=2, character=units(before + "ghost"))

    # an edit in the client's units, behind both odd characters, replaces exactly the other key
    start = units(LINE.partition("real")[0])
    place = lsp.Range(start=lsp.Position(line=2, character=start), end=lsp.Position(line=2, character=start + 4))
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[lsp.TextDocumentContentChangePartial(range=place, text="phantom")],
        )
    )
    ghost, phantom = await published(client, uri, 2)
    assert ghost.range == found.range
    assert phantom.range.start.character == start
    assert phantom.range.end.character == start + len("phantom")

    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            text_document=lsp.TextDocumentIdentifier(uri=uri),
            range=ghost.range,
            context=lsp.CodeActionContext(diagnostics=[ghost], only=[lsp.CodeActionKind.QuickFix]),
        )
    )
    allow = next(action for action in actions or () if isinstance(action, lsp.CodeAction) and "Allow" in action.title)
    assert allow.edit is not None
    (changed,) = allow.edit.document_changes or ()
    assert isinstance(changed, lsp.TextDocumentEdit)
    assert changed.text_document.version == 2

    hover = await client.text_document_hover_async(
        lsp.HoverParams(text_document=lsp.TextDocumentIdentifier(uri=uri), position=ghost.range.start)
    )
    assert hover is not None
    assert hover.range == ghost.range

    client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=lsp.TextDocumentIdentifier(uri=uri)))
    await published(client, uri, 0)
    assert client.diagnostics[uri] == ()
