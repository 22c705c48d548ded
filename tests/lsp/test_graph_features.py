"""Lenses, call hierarchy, symbols, hints and the page of the graph, asked for by the capabilities of real clients."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = Path(__file__).parents[2]
CLIENTS = ["visual-studio-code", "neovim@v0.10", "emacs"]
# The handlers are added where the server does not have them, so that this file tests them alone.
START = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import server.app as app
from server.commands.lsp import run_lsp
from server.handlers import call_hierarchy, inlay_hints, lenses, workspace_symbols
graph = (lenses, call_hierarchy, inlay_hints, workspace_symbols)
app.HANDLERS = (*app.HANDLERS, *(handler for handler in graph if handler not in app.HANDLERS))
sys.exit(run_lsp("test"))
"""
COMMAND = [sys.executable, "-c", START]
MAIN = "Zebra 𝔸: we show that TideFix lowers the error of oxygen sensors by 15\\% on the Elbe."
EVIDENCE = "Table~\\ref{tab:main} shows that TideFix lowers the error of oxygen sensors from 0.98 to 0.83\\,mg/L."
TEXT = f"""\\documentclass{{article}}
\\begin{{document}}
\\begin{{abstract}}
We present TideFix, a calibration method for drifting sensors that needs no laboratory.
{MAIN}
\\end{{abstract}}
\\section{{Experiments}}
The sensors were cleaned by hand and by a machine of the town.
{EVIDENCE}
\\begin{{table}}
\\caption{{Error of oxygen sensors in mg/L.}}
\\label{{tab:main}}
\\begin{{tabular}}{{lr}}
Method & Error \\\\ \\hline
No calibration & 0.98 \\\\
TideFix & \\textbf{{0.83}} \\\\
\\end{{tabular}}
\\end{{table}}
\\end{{document}}
"""
LINES = TEXT.splitlines()


@pytest_lsp.fixture(
    params=CLIENTS, config=ClientServerConfig(server_command=COMMAND, server_env={**os.environ, "PYTHONSAFEPATH": "1"})
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    for feature in (lsp.CLIENT_REGISTER_CAPABILITY, lsp.WORKSPACE_CODE_LENS_REFRESH, lsp.WORKSPACE_INLAY_HINT_REFRESH):
        lsp_client.feature(feature)(lambda params: None)
    capabilities = client_capabilities(request.param)
    params = lsp.InitializeParams(
        capabilities=capabilities,
        workspace_folders=[lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="paper")],
        initialization_options={"pause": 20, "status": True},
    )
    analysed = lsp_client.feature("counterclaim/analysed")
    analysed(lambda params: None)
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, folder: Path, text: str = TEXT) -> str:
    uri = (folder / "main.tex").as_uri()
    item = lsp.TextDocumentItem(uri=uri, language_id="latex", version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    await client.wait_for_notification("counterclaim/analysed")
    return uri


def line_of(words: str) -> int:
    return next(number for number, line in enumerate(LINES) if words in line)


def identifier(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri=uri)


async def test_lenses_stand_above_main_claims(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    found = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=identifier(uri)))
    assert found
    titles = {lens.range.start.line: lens.command.title for lens in found if lens.command is not None}
    numbers = titles.pop(line_of("\\begin{document}"))
    assert titles.keys() == {line_of("We present TideFix"), line_of("we show that")}
    assert all(title.startswith("main claim · ") for title in titles.values())

    assert "found in tables" in numbers
    shown = lsp.ExecuteCommandParams(command="counterclaim.showNumbers", arguments=[{"uri": uri}])
    answer = await client.workspace_execute_command_async(shown)
    assert answer["message"] == numbers
    assert "15" in [number["text"].rstrip("%") for number in answer["unknown"]]

    # The command behind a lens answers with the places of the claim and what is linked to it.
    lens = next(lens for lens in found if lens.range.start.line == line_of("we show that"))
    assert lens.command is not None
    params = lsp.ExecuteCommandParams(command=lens.command.command, arguments=lens.command.arguments)
    answer = await client.workspace_execute_command_async(params)
    assert answer["kind"] == "main claim"
    assert "from 0.98" in " ".join(link["description"] for link in answer["linked"])


async def test_the_hierarchy_leads_from_a_claim_to_its_table(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    place = lsp.Position(line=line_of("we show that"), character=20)
    (item,) = await client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(text_document=identifier(uri), position=place)
    ) or [None]
    assert item is not None
    assert item.range.start == lsp.Position(line=line_of("we show that"), character=0)
    assert "main claim" in (item.detail or "")

    calls = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=item))
    evidence = next(call.from_ for call in calls or () if call.from_.range.start.line == line_of("from 0.98"))
    deeper = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=evidence))
    assert "Error of oxygen sensors in mg/L." in [call.from_.name for call in deeper or ()]
    back = await client.call_hierarchy_outgoing_calls_async(lsp.CallHierarchyOutgoingCallsParams(item=evidence))
    assert item.name in [call.to.name for call in back or ()]
    assert all(call.from_ranges for call in back or ())


async def test_no_hierarchy_where_nothing_is_claimed(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    params = lsp.CallHierarchyPrepareParams(text_document=identifier(uri), position=lsp.Position(line=0, character=0))
    assert not await client.text_document_prepare_call_hierarchy_async(params)
    stale = lsp.CallHierarchyItem(
        name="gone", kind=lsp.SymbolKind.Class, uri=uri, data={"root": "main.tex", "node": "gone"},
        range=lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=0, character=1)),
        selection_range=lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=0, character=1)),
    )  # fmt: skip
    assert await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=stale)) in (
        [],
        (),
    )


async def test_symbols_are_found_by_their_words(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="evidence oxygen"))
    assert found
    assert {symbol.location.uri for symbol in found} == {uri}
    assert line_of("from 0.98") in [symbol.location.range.start.line for symbol in found]
    assert await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="unicorn")) == []


async def test_hints_are_off_by_default(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    whole = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=len(LINES), character=0))
    params = lsp.InlayHintParams(text_document=identifier(uri), range=whole)
    assert not await client.text_document_inlay_hint_async(params)


async def test_hints_name_the_kinds_when_they_are_on(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    settings = {"counterclaim": {"graph": {"hints": True}, "numbers": {"hints": True}}}
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=settings))
    client.set_configuration(settings)
    await client.wait_for_notification("counterclaim/analysed")
    whole = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=len(LINES), character=0))
    params = lsp.InlayHintParams(text_document=identifier(uri), range=whole)
    found = await client.text_document_inlay_hint_async(params)
    at = [(hint.position.line, hint.label) for hint in found or ()]
    assert (line_of("we show that"), "[main claim]") in at
    assert (line_of("from 0.98"), "[high evidence]") in at
    assert (line_of("from 0.98"), "✓") in at


async def test_lenses_move_with_the_text(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    top = lsp.Range(start=lsp.Position(line=2, character=0), end=lsp.Position(line=2, character=0))
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[lsp.TextDocumentContentChangePartial(range=top, text="% a line\n")],
        )
    )
    found = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=identifier(uri)))
    assert line_of("we show that") + 1 in {lens.range.start.line for lens in found or ()}


def read(uri: str) -> str:
    return Path(str(to_fs_path(uri))).read_text(encoding="utf-8")


async def test_the_page_of_the_graph_is_shown_or_named(client: LanguageClient, tmp_path: Path) -> None:
    uri = await opened(client, tmp_path)
    params = lsp.ExecuteCommandParams(command="counterclaim.showGraph", arguments=[{"uri": uri}])
    answer = await client.workspace_execute_command_async(params)
    assert answer["uri"].endswith(".html")
    assert "TideFix" in read(answer["uri"])
    window = client.capabilities.window if client.capabilities else None
    takes = window is not None and window.show_document is not None and window.show_document.support
    assert [shown.uri for shown in client.shown_documents] == ([answer["uri"]] if takes else [])
