"""Citations with the capabilities of real clients, the server being a process of its own."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from clients.bibliography.index_build import build_index

DATA = Path(__file__).parent / "data"
MAIN = (DATA / "main.tex").read_text(encoding="utf-8")
REFS = (DATA / "refs.bib").read_text(encoding="utf-8")
WORK = {
    "type": "article",
    "key": "alder",
    "title": "River Networks Carry Memory of Ancient Climates",
    "author": ["Ann Alder", "Ben Birch", "Cleo Cedar"],
    "year": "2019",
    "venue": "Journal of River Ecology",
    "doi": "10.1000/river.1",
}


ROOT = Path(__file__).parents[3]
COMMAND = [
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from server.commands.lsp import run_lsp; sys.exit(run_lsp('test'))",
]


@pytest_lsp.fixture(
    params=["visual-studio-code", "neovim@v0.11", "emacs"],
    config=ClientServerConfig(server_command=COMMAND, server_env={**os.environ, "PYTHONSAFEPATH": "1"}),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    folder = tmp_path / "paper"
    folder.mkdir(exist_ok=True)
    (folder / "refs.bib").write_text(REFS)
    source = tmp_path / "works.jsonl"
    source.write_text(json.dumps(WORK) + "\n")
    build_index([source], tmp_path / "works.index")
    for feature in (lsp.CLIENT_REGISTER_CAPABILITY, lsp.WORKSPACE_CODE_LENS_REFRESH):
        lsp_client.feature(feature)(lambda params: None)
    params = lsp.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[lsp.WorkspaceFolder(uri=folder.as_uri(), name="paper")],
        initialization_options={"pause": 20, "settings": {"citations": {"index": str(tmp_path / "works.index")}}},
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def test_real_clients_see_verdicts_and_edits(client: LanguageClient, tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    uri, refs = (folder / "main.tex").as_uri(), (folder / "refs.bib").as_uri()
    for address, language, text in ((uri, "latex", MAIN), (refs, "bibtex", REFS)):
        item = lsp.TextDocumentItem(uri=address, language_id=language, version=1, text=text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    async with asyncio.timeout(60):
        while not any(d.code == "BIB052" for d in client.diagnostics.get(refs, ())):
            await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    (found,) = [d for d in client.diagnostics[refs] if d.code == "BIB052"]
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            text_document=lsp.TextDocumentIdentifier(uri=refs),
            range=found.range,
            context=lsp.CodeActionContext(diagnostics=[found]),
        )
    )
    titles = [action.title for action in actions or ()]
    assert any(title.startswith("Replace the entry by the record") for title in titles)
    assert "Mark as checked by me" in titles
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=refs))
    )
    assert lenses
    assert lenses[0].command is not None
    assert "1 mismatch" in lenses[0].command.title
