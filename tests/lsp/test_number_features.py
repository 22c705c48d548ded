"""Numbers in the editor: hover shows the cell, definition goes there, references come back, and a changed cell updates the text."""

import re
from pathlib import Path
from typing import Any

TEXT = r"""\documentclass{article}
\begin{document}
\section{Results}
Table~\ref{tab:main} shows that TideFix reaches an accuracy of 74.3\% on SciQA, 2.0 points above RiverNet é𝔸.

\begin{table}
\caption{Accuracy (\%) on the test sets.}\label{tab:main}
\begin{tabular}{lcc}
Method & SciQA & PubMedQA \\
\hline
RiverNet & 72.3 & 70.1 \\
TideFix & 74.3 & 75.6 \\
\end{tabular}
\end{table}
\end{document}
"""


def position(text: str, needle: str, inside: int = 1, last: bool = False) -> dict[str, int]:
    at = (text.rindex(needle) if last else text.index(needle)) + inside
    line = text.count("\n", 0, at)
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2}


async def ask(editor: Any, method: str, place: dict[str, int], **more: Any) -> Any:
    params = {"textDocument": {"uri": editor.uri("main.tex")}, "position": place, **more}
    return (await editor.request(method, params))["result"]


async def opened(editor: Any) -> Any:
    editor.open("main.tex", TEXT, version=1)
    await editor.analysed(main=1)
    return editor


async def test_hover_and_definition_lead_to_the_cell(editor: Any) -> None:
    await opened(editor)
    place = position(TEXT, "74.3")
    shown = (await ask(editor, "textDocument/hover", place))["contents"]["value"]
    assert "74" in shown
    assert "TideFix" in shown.replace("\\", "")
    found = await ask(editor, "textDocument/definition", place)
    assert [item["range"]["start"] for item in found] == [position(TEXT, "74.3", 0, last=True)]


async def test_a_cell_knows_where_the_text_repeats_it(editor: Any) -> None:
    await opened(editor)
    place = position(TEXT, "74.3", last=True)
    found = await ask(editor, "textDocument/references", place, context={"includeDeclaration": False})
    # The number itself, and the difference that was computed from it.
    assert [item["range"]["start"] for item in found] == [position(TEXT, "74.3", 0), position(TEXT, "2.0", 0)]


async def test_a_changed_cell_updates_the_numbers_that_follow_from_it(editor: Any) -> None:
    await opened(editor)
    start = position(TEXT, "74.3", 0, last=True)
    editor.change("main.tex", 2, (start["line"], start["character"], start["line"], start["character"] + 4, "75.1"))
    await editor.analysed(main=2)
    changed = TEXT[::-1].replace("74.3"[::-1], "75.1"[::-1], 1)[::-1]
    actions = await editor.actions(
        "main.tex", (start["line"], start["character"]), (start["line"], start["character"]), only=["refactor"]
    )
    assert len(actions) == 1
    assert "74.3" in actions[0]["title"]
    (document,) = actions[0]["edit"]["documentChanges"]
    assert document["textDocument"]["version"] == 2
    text = changed
    edits = sorted(
        document["edits"],
        key=lambda edit: (edit["range"]["start"]["line"], edit["range"]["start"]["character"]),
        reverse=True,
    )
    lines = text.split("\n")
    for edit in edits:
        first, last = edit["range"]["start"], edit["range"]["end"]
        assert first["line"] == last["line"]
        units = lines[first["line"]].encode("utf-16-le")
        new = units[: 2 * first["character"]] + edit["newText"].encode("utf-16-le") + units[2 * last["character"] :]
        lines[first["line"]] = new.decode("utf-16-le")
    sentence = lines[3]
    assert "accuracy of 75.1\\%" in sentence
    assert re.search(r"2\.8 points", sentence)


async def test_the_lens_counts_the_numbers_found_in_tables(editor: Any, tmp_path: Path) -> None:
    await opened(editor)
    result = (await editor.request("textDocument/codeLens", {"textDocument": {"uri": editor.uri("main.tex")}}))[
        "result"
    ]
    titles = [lens["command"]["title"] for lens in result if lens.get("command")]
    assert any("found in tables" in title for title in titles)
