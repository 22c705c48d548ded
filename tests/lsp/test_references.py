"""`textDocument/references` on labels, keys and prose, in the places of the present text."""

from pathlib import Path
from typing import Any

FIRST = "The gating router freezes all expert parameters during budget calibration."
SECOND = "During budget calibration, the gating router updates all expert parameters."
TEXT = (
    "\\documentclass{article}\n\\begin{document}\n\\section{One}\\label{sec:one}\n"
    f"é𝔸 {FIRST} See \\ref{{sec:one}}.\n\nWeather was fine and the harvest good.\n\n{SECOND} \\cite{{key}}\n\nAgain \\cite{{key}}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)


async def places(editor: Any, line: int, character: int, declaration: bool = True) -> list[tuple[str, int, int, int]]:
    params = {
        "textDocument": {"uri": editor.uri("main.tex")},
        "position": {"line": line, "character": character},
        "context": {"includeDeclaration": declaration},
    }
    result = (await editor.request("textDocument/references", params))["result"]
    return [
        (
            Path(item["uri"]).name,
            item["range"]["start"]["line"],
            item["range"]["start"]["character"],
            item["range"]["end"]["character"],
        )
        for item in result
    ]


async def opened(editor: Any, tmp_path: Path) -> Any:
    (tmp_path / "refs.bib").write_text("@book{key, title={T}}\n")
    editor.open("main.tex", TEXT, version=1)
    await editor.analysed(main=1)
    return editor


async def test_labels_and_keys(editor: Any, tmp_path: Path) -> None:
    await opened(editor, tmp_path)
    column = TEXT.splitlines()[3].index("sec:one") + 1  # one letter takes two UTF-16 units
    assert await places(editor, 2, 22, declaration=False) == [("main.tex", 3, column, column + 7)]
    assert len(await places(editor, 2, 22)) == 2
    found = await places(editor, 9, 12, declaration=False)
    assert [line for _, line, _, _ in found] == [7, 9]


async def test_prose_answers_with_what_it_must_agree_with(editor: Any, tmp_path: Path) -> None:
    await opened(editor, tmp_path)
    found = await places(editor, 3, 20)
    assert found[0][:3] == ("main.tex", 7, 0)
    assert all(line != 3 for _, line, _, _ in found)


async def test_places_follow_edits_that_are_not_analysed_yet(editor: Any, tmp_path: Path) -> None:
    await opened(editor, tmp_path)
    editor.change("main.tex", 2, (0, 0, 0, 0, "% a new line\n"))
    found = await places(editor, 4, 20)
    assert found[0][:3] == ("main.tex", 8, 0)
