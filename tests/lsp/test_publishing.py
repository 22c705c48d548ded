"""What is published when: two answers to an edit, every file of the project, and nothing that has become wrong."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

MAIN = "\\documentclass{article}\n\\begin{document}\nOne badword and one twin.\n\n\\input{part}\n\n\\end{document}\n"


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "part.tex").write_text("Another twin, another badword.\n")
    return tmp_path


async def test_every_file_of_the_project_is_published(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    assert editor.shown("main.tex") == [("TXT901", "2:4-2:11")]
    assert editor.published("main.tex")[-1]["version"] == 1
    assert editor.shown("part.tex") == [("TXT902", "0:8-0:12"), ("TXT901", "0:22-0:29")]
    assert "version" not in editor.published("part.tex")[-1]
    (twin, _) = editor.diagnostics("part.tex")
    assert twin["message"] == "A twin.\n→ main.tex:3: the other twin"
    assert twin["relatedInformation"][0]["location"]["uri"] == editor.uri("main.tex")
    assert twin["severity"] == 3


async def test_an_edit_is_answered_at_once_and_again_after_the_pause(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    editor.open("part.tex", "Another twin, another badword.\n")
    await editor.analysed(main=1, part=1)
    editor.change("part.tex", 2, (0, 0, 0, 0, "badword twin 𝔸\n"))
    await editor.answered()
    assert editor.published("part.tex")[-1]["version"] == 2
    assert editor.shown("part.tex") == [("TXT901", "0:0-0:7"), ("TXT902", "1:8-1:12"), ("TXT901", "1:22-1:29")]
    await editor.analysed(part=2)
    assert [code for code, _ in editor.shown("part.tex")] == ["TXT901", "TXT902", "TXT902", "TXT901"]


async def test_a_finding_whose_text_is_edited_goes_at_once(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    editor.open("part.tex", "Another twin, another badword.\n")
    await editor.analysed(main=1, part=1)
    editor.change("part.tex", 2, (0, 10, 0, 10, "x"), (0, 25, 0, 25, "x"))
    await editor.answered()
    assert editor.shown("part.tex") == []
    assert editor.published("part.tex")[-1]["diagnostics"] == []


async def test_a_burst_of_edits_is_answered_once_and_never_out_of_step(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    before = len(editor.published("main.tex"))
    for number in range(50):
        editor.change("main.tex", 2 + number, (2, 0, 2, 0, "x"))
    await editor.answered()
    assert len(editor.published("main.tex")) == before + 1
    assert editor.shown("main.tex") == [("TXT901", "2:54-2:61")]
    await editor.analysed(main=51)
    assert editor.shown("main.tex") == [("TXT901", "2:54-2:61")]


async def test_typing_while_the_analysis_runs_keeps_places_right(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    for number in range(30):
        editor.change("main.tex", 2 + number, (2, 0, 2, 0, "é"))
        await asyncio.sleep(0.003)
    await editor.analysed(main=31)
    assert editor.shown("main.tex") == [("TXT901", "2:34-2:41")]
    for published in editor.published("main.tex"):
        column = published["diagnostics"][0]["range"]["start"]["character"]
        assert column == 4 + published["version"] - 1


async def test_a_file_that_becomes_clean_gets_the_empty_list(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    editor.change("main.tex", 2, (2, 0, 2, 25, "Fine."))
    await editor.analysed(main=2)
    assert editor.published("main.tex")[-1] == {"uri": editor.uri("main.tex"), "version": 2, "diagnostics": []}
    assert editor.shown("part.tex") == [("TXT901", "0:22-0:29")]


async def test_nothing_is_sent_twice(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await editor.analysed(main=1)
    assert len(editor.published("main.tex")) == 1
    assert len(editor.published("part.tex")) == 1


async def test_a_closed_file_is_cleared_and_so_is_the_project_of_the_last_one(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    editor.open("part.tex", "badword badword")
    await editor.analysed(main=1, part=1)
    assert len(editor.shown("part.tex")) == 2
    before = len(editor.published("part.tex"))
    editor.close_file("part.tex")
    assert editor.published("part.tex")[before]["diagnostics"] == []
    await editor.analysed(main=1)
    assert editor.shown("part.tex") == [("TXT902", "0:8-0:12"), ("TXT901", "0:22-0:29")]
    editor.close_file("main.tex")
    await editor.analysed()
    assert editor.shown("main.tex") == []
    assert editor.shown("part.tex") == []


async def test_files_changed_and_deleted_on_disk(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    (paper / "part.tex").write_text("Fine, but badword.\n")
    event = {"uri": editor.uri("part.tex"), "type": 2}
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
    await editor.analysed(main=1)
    assert editor.shown("part.tex") == [("TXT901", "0:10-0:17")]
    (paper / "part.tex").unlink()
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{**event, "type": 3}]})
    await editor.analysed(main=1)
    assert editor.shown("part.tex") == []
    assert editor.shown("main.tex") == [("TXT901", "2:4-2:11"), ("NOTE", "4:7-4:11")]


async def test_checks_that_distract_run_on_open_and_save_only(editor: Any, tmp_path: Path) -> None:
    editor.open("main.tex", "later badword\n")
    await editor.analysed(main=1)
    assert editor.shown("main.tex") == [("TXT903", "0:0-0:5"), ("TXT901", "0:6-0:13")]
    editor.change("main.tex", 2, (0, 13, 0, 13, " "))
    await editor.analysed(main=2)
    assert editor.shown("main.tex") == [("TXT901", "0:6-0:13")]
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await editor.analysed(main=2)
    assert editor.shown("main.tex") == [("TXT903", "0:0-0:5"), ("TXT901", "0:6-0:13")]


async def test_the_cap_holds_in_both_answers(editor: Any, tmp_path: Path) -> None:
    (tmp_path / "counterclaim.toml").write_text("cap-per-file = 7\n")
    editor.open("main.tex", "badword " * 300)
    await editor.analysed(main=1)
    editor.change("main.tex", 2, (0, 0, 0, 0, "badword "))
    await editor.answered()
    first = editor.diagnostics("main.tex")
    await editor.analysed(main=2)
    assert first == editor.diagnostics("main.tex")
    assert [d["code"] for d in first] == ["TXT901"] * 7 + ["MORE"]
    assert "7 of 301" in first[-1]["message"]


async def test_settings_of_the_editor_and_of_the_file(editor: Any, tmp_path: Path) -> None:
    editor.open("main.tex", "badword twin twin")
    await editor.analysed(main=1)
    assert len(editor.shown("main.tex")) == 2
    settings: Any
    for settings in ({"checks": {"ignore": ["TXT902"]}}, {"counterclaim": {"rules": {"disabled": ["TXT902"]}}}):
        editor.notify("workspace/didChangeConfiguration", {"settings": settings})
        await editor.analysed(main=1)
        assert editor.shown("main.tex") == [("TXT901", "0:0-0:7")]
        editor.notify("workspace/didChangeConfiguration", {"settings": None})
        await editor.analysed(main=1)
        assert len(editor.shown("main.tex")) == 2
    (tmp_path / "counterclaim.toml").write_text('[severity]\nTXT901 = "error"\n')
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("counterclaim.toml"), "type": 1}]})
    await editor.analysed(main=1)
    assert editor.diagnostics("main.tex")[0]["severity"] == 1


async def test_a_mistake_in_the_settings_is_shown_in_their_file(editor: Any, tmp_path: Path) -> None:
    (tmp_path / "counterclaim.toml").write_text('language = "en"\nfail-onn = "error"\n')
    editor.open("main.tex", "text")
    await editor.analysed(main=1)
    assert editor.shown("counterclaim.toml") == [("NOTE", "1:0-1:8")]
    assert "fail-on" in editor.diagnostics("counterclaim.toml")[0]["message"]


async def test_analysis_on_save_only(editor: Any, tmp_path: Path) -> None:
    editor.notify("workspace/didChangeConfiguration", {"settings": {"run": "onSave"}})
    editor.open("main.tex", "badword")
    await editor.analysed(main=1)
    editor.change("main.tex", 2, (0, 0, 0, 0, "badword "))
    await asyncio.sleep(0.1)
    assert editor.shown("main.tex") == [("TXT901", "0:8-0:15")]
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await editor.analysed(main=2)
    assert len(editor.shown("main.tex")) == 2


async def test_a_comment_allows_a_finding(editor: Any, tmp_path: Path) -> None:
    editor.open("main.tex", "badword % counterclaim: allow TXT901 -- a quotation\n\nbadword\n")
    await editor.analysed(main=1)
    assert editor.shown("main.tex") == [("TXT901", "2:0-2:7")]


async def test_files_that_change_unnoticed_are_seen_at_the_next_analysis(editor: Any, paper: Path) -> None:
    (paper / "part.tex").unlink()
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    assert ("NOTE", "4:7-4:11") in editor.shown("main.tex")
    (paper / "part.tex").write_text("badword\n")
    editor.change("main.tex", 2, (2, 0, 2, 0, "x"))
    await editor.analysed(main=2)
    assert editor.shown("main.tex") == [("TXT901", "2:5-2:12")]
    assert editor.shown("part.tex") == [("TXT901", "0:0-0:7")]


async def test_opening_a_file_of_the_project_keeps_what_is_shown(editor: Any, paper: Path) -> None:
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    before = editor.shown("part.tex")
    editor.open("part.tex", (paper / "part.tex").read_text())
    assert editor.shown("part.tex") == before
    assert editor.published("part.tex")[-1]["version"] == 1
    await editor.analysed(main=1, part=1)
    assert editor.shown("part.tex") == before
    assert all(published["diagnostics"] for published in editor.published("part.tex"))
