"""Marks and edits that settle a citation, commands with odd arguments, odd entries."""

import asyncio
import json
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import analyzers.driver
from server.checked import Checked
from server.consent import Consent

DATA = Path(__file__).parent / "data"
MAIN = (DATA / "main.tex").read_text(encoding="utf-8")
REFS = (DATA / "refs.bib").read_text(encoding="utf-8")
Start = Callable[..., Any]


def applied(text: str, action: dict[str, Any], uri: str) -> str:
    """A one-byte-unit text after the edits of an action for it."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    edits = [
        edit
        for change in action["edit"]["documentChanges"]
        if change["textDocument"]["uri"] == uri
        for edit in change["edits"]
    ]
    for edit in sorted(
        edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True
    ):
        low, high = (
            starts[edit["range"][side]["line"]] + edit["range"][side]["character"] for side in ("start", "end")
        )
        text = text[:low] + edit["newText"] + text[high:]
    return text


async def test_an_entry_checked_by_hand_is_quiet_until_it_changes(
    start: Start, works: Path, paper: Path, home: Path
) -> None:
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    actions = await editor.actions("refs.bib", (0, 10), (0, 10))
    (mark,) = [action for action in actions if action["title"] == "Mark as checked by me"]
    await editor.execute(mark["command"]["command"], *mark["command"]["arguments"])
    assert editor.verdicts("refs.bib") == editor.verdicts("main.tex") == []
    assert await editor.lens() == "2 verified · 1 unverifiable · 1 checked by you"
    assert "Checked by you on" in await editor.evidence("refs.bib", 0, 10)
    kept = (paper / ".counterclaim" / "checked.json").read_text()
    assert "River" not in kept
    (mark,) = json.loads(kept)["checked"].values()
    assert set(mark) == {"key", "date", "signature"}

    again = await start()
    again.open("main.tex", MAIN)
    await again.looked_up()
    assert again.verdicts("main.tex") == []
    (home / "config" / "counterclaim" / "checked.key").write_text("ab" * 32)
    somebody = await start()
    somebody.open("main.tex", MAIN)
    await somebody.looked_up()
    assert len(somebody.verdicts("main.tex")) == 2

    editor.change("refs.bib", 2, (4, 10, 4, 14, "2018"))
    await editor.looked_up(3)
    assert editor.verdicts("refs.bib") == [("BIB052", 2)]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"checked": {"a": 1}}', '{"checked": {"a": {"date": 1}}}'])
def test_damaged_marks_are_survived(tmp_path: Path, content: str) -> None:
    (tmp_path / ".counterclaim").mkdir()
    (tmp_path / ".counterclaim" / "checked.json").write_text(content)
    marks = Checked(tmp_path, tmp_path / "configuration")
    assert marks.holds("a", b"x") is None
    marks.add("a", b"x", date(2026, 1, 2))
    assert Checked(tmp_path, tmp_path / "configuration").holds("a", b"x") == "2026-01-02"
    assert marks.holds("a", b"y") is None
    assert marks.holds("b", b"x") is None
    assert marks.remove("a", b"x")
    assert not marks.remove("a", b"x")


@pytest.mark.parametrize("content", ["", "[]", "{", '{"workspaces": 1}', "\udcff"])
def test_a_damaged_switch_is_off(tmp_path: Path, content: str) -> None:
    (tmp_path / "online.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert not Consent(tmp_path).allows(tmp_path)
    assert not Consent(tmp_path).allows(None)


async def test_a_doi_is_added_by_one_click_after_edits_above(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    editor.change("refs.bib", 2, (0, 0, 0, 0, "% above\n"))
    await editor.answered()
    text = "% above\n" + REFS
    line = text.splitlines().index("@article{gorse,")
    actions = {action["title"]: action for action in await editor.actions("refs.bib", (line, 3), (line, 3))}
    action = actions["Add the DOI 10.1000/water.7"]
    assert action["isPreferred"] is True
    assert action["edit"]["documentChanges"][0]["textDocument"]["version"] == 2
    after = applied(text, action, editor.uri("refs.bib"))
    assert after == text.replace("{2012}\n", "{2012},\n  doi = {10.1000/water.7}\n")


async def test_what_a_record_says_is_for_review(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    column = MAIN.splitlines()[2].index("elm,")
    column = len(MAIN.splitlines()[2][:column].encode("utf-16-le")) // 2
    actions = {a["title"]: a for a in await editor.actions("main.tex", (2, column), (2, column + 1))}
    (title,) = [title for title in actions if title.startswith("elm: Cite the published version")]
    (annotation,) = actions[title]["edit"]["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is True
    edits = actions[title]["edit"]["documentChanges"][0]["edits"]
    assert all(edit["annotationId"] == "review" for edit in edits)
    after = applied(REFS, actions[title], editor.uri("refs.bib"))
    assert "@inproceedings{elm," in after
    assert "  booktitle = {International Conference on Machine Learning}" in after
    assert "eprint = {2101.00001}" in after
    assert "arXiv preprint" not in after
    assert after.endswith(REFS[REFS.index("@article{unknown") :])
    alder = {a["title"]: a for a in await editor.actions("refs.bib", (2, 20), (2, 20))}
    (replace,) = [action for name, action in alder.items() if name.startswith("Replace the entry by the record")]
    assert replace["diagnostics"][0]["code"] == "BIB052"
    assert "Ben Birch" in applied(REFS, replace, editor.uri("refs.bib"))


async def test_clients_without_previews_get_plain_edits(start: Start, works: Path) -> None:
    editor = await start({"workspace": {"workspaceEdit": {"documentChanges": True}}})
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.analysed(main=1)
    for action in await editor.actions("refs.bib", (2, 20), (2, 20)):
        if "edit" in action:
            assert "changeAnnotations" not in action["edit"]
            assert all("annotationId" not in e for c in action["edit"]["documentChanges"] for e in c["edits"])


@pytest.fixture
def real_rules(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's own rules instead of those of the other tests."""
    from analyzers.checks import ALL_CHECKS

    monkeypatch.setattr(analyzers.driver, "ALL_CHECKS", ALL_CHECKS)
    monkeypatch.setattr(analyzers.driver, "_KNOWN", frozenset(check.code for check in ALL_CHECKS))


KEYS = (
    "\\documentclass{article}\r\n\\begin{document}\r\n"
    "One \\cite{gorze}, \\cite{elm,gorze} and \\cite{twin}.\r\n\r\n"
    "\\bibliography{refs}\r\n\\end{document}\r\n"
)
TWIN = "@misc{twin,\r\n\ttitle={A theory of slow rivers and quick lakes},\r\n\tauthor={Gil Gorse},\r\n\tyear=2012,\r\n\tnote={mine}\r\n}\r\n"


async def test_a_key_is_mended_everywhere_and_two_entries_become_one(
    start: Start, real_rules: None, paper: Path
) -> None:
    refs = REFS.replace("\n", "\r\n") + TWIN
    (paper / "refs.bib").write_text(refs, newline="")
    (paper / "main.tex").write_text(KEYS, newline="")
    editor = await start()
    editor.open("main.tex", KEYS)
    editor.open("refs.bib", refs, language="bibtex")
    await editor.analysed(main=1)
    await asyncio.sleep(0.2)
    actions = {action["title"]: action for action in await editor.actions("main.tex", (2, 11), (2, 11))}
    everywhere = actions["Replace gorze by gorse everywhere (2 places)"]
    assert applied(KEYS, everywhere, editor.uri("main.tex")) == KEYS.replace("gorze", "gorse")

    line = refs.splitlines().index("@misc{twin,")
    actions = {action["title"]: action for action in await editor.actions("refs.bib", (line, 8), (line, 8))}
    merge = actions["Merge twin into gorse and cite gorse instead (1 place)"]
    after = applied(refs, merge, editor.uri("refs.bib"))
    assert after == refs.replace(TWIN, "").replace("  year = {2012}\r\n", "  year = {2012},\r\n  note = {mine}\r\n")
    assert applied(KEYS, merge, editor.uri("main.tex")) == KEYS.replace("{twin}", "{gorse}")
    assert "Merge gorse into twin" in str(list(actions))

    line = refs.splitlines().index("@article{alder,")
    actions = {action["title"]: action for action in await editor.actions("refs.bib", (line, 10), (line, 10))}
    removed = applied(refs, actions["Remove the 3 entries that are never cited"], editor.uri("refs.bib"))
    assert removed == refs[refs.index("@article{elm") : refs.index("@article{unknown")] + TWIN


ODD = (
    "@article{many, title={Sleep in Bees under Artificial Light at Night}, author={"
    + " and ".join(f"Person {number}, Ann" for number in range(3000))
    + "}, year=2021}\n"
    "@article{long, title={A Theory of Slow Rivers and Quick Lakes}, year=2012, author={Gorse, Gil}, abstract={"
    + "river water "
    * 17000
    + "}}\n"
    '@article{open, title={Never closed {, year=2001}\n\n@misc{sici, doi={<"10.1002/(SICI)1097(1998)17:15<1661::AID-SIM968>3.0.CO;2-2">}, title={A}}\n'
    "@misc{,title={No key}}\n@misc{empty}\n@misc{twice, title={A}, title={B}}\n@inproceedings{loop, crossref={loop}, title={L}}\n"
    "@article{last, title={River Networks Carry Memory of Ancient Climates}, author={Nobody, N}, year=2019, journal={Journal of River Ecology}}\n"
)


async def test_odd_entries_are_survived_and_their_neighbours_kept(start: Start, works: Path, paper: Path) -> None:
    (paper / "refs.bib").write_bytes((ODD + "@misc{latin, title={M\xfcller}}\n").encode("latin-1"))
    (paper / "main.tex").write_text(MAIN.replace("gorse", "long,many,last,sici,loop"))
    editor = await start()
    editor.open("refs.bib", ODD, language="bibtex")
    await editor.looked_up()
    lines = ODD.splitlines()
    assert ("BIB052", len(lines) - 1) in editor.verdicts("refs.bib")
    for number in range(len(lines)):
        for action in await editor.actions("refs.bib", (number, 0), (number, 20)):
            if "edit" in action:
                assert applied(ODD, action, editor.uri("refs.bib")) != ODD
        await editor.evidence("refs.bib", number, 8)
    assert (await editor.lens()).endswith("unverifiable")
    editor.close_file("refs.bib")
    editor.open("main.tex", MAIN)
    await editor.looked_up(2)


PIECES = [
    "x",
    "\n",
    "% counterclaim: allow BIB052 -- r\n",
    "\\cite{alder}",
    "@misc{n, title={T}}\n",
    "}",
    "é𝔸",
    "2018",
    ",",
    "\r\n",
]


@pytest.mark.parametrize("seed", range(6))
async def test_edits_end_where_a_fresh_start_does(start: Start, works: Path, paper: Path, seed: int) -> None:
    dice = random.Random(seed)
    texts = {"main.tex": MAIN, "refs.bib": REFS}
    editor = await start()
    for name, text in texts.items():
        editor.open(name, text)
    await editor.looked_up()
    version = 1
    for _ in range(dice.randint(2, 12)):
        name = dice.choice(list(texts))
        text = texts[name]
        low = dice.randint(0, len(text))
        high = min(len(text), low + dice.choice([0, 0, 1, 3, 30]))
        if "\r\n" in (text[low - 1 : low + 1], text[high - 1 : high + 1]):
            continue
        new = dice.choice(PIECES) if dice.random() < 0.8 else ""
        version += 1
        editor.change(name, version, (*_position(text, low), *_position(text, high), new))
        texts[name] = text[:low] + new + text[high:]
        if dice.random() < 0.4:
            await asyncio.sleep(dice.choice([0, 0.003, 0.15]))
    seen = len(editor.told())
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await editor.looked_up(seen + 1)
    await asyncio.sleep(0.2)
    fresh = await start()
    for name, text in texts.items():
        fresh.open(name, text)
    await fresh.looked_up()
    await asyncio.sleep(0.1)
    for name in texts:
        assert editor.diagnostics(name) == fresh.diagnostics(name)


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


@pytest.mark.parametrize("command", ["check", "status", "online.on", "online.off"])
@pytest.mark.parametrize("arguments", [None, [], [None], [{}]])
async def test_commands_take_no_arguments(start: Start, command: str, arguments: Any) -> None:
    editor = await start()
    params: dict[str, Any] = {"command": f"counterclaim.citations.{command}"}
    if arguments is not None:
        params["arguments"] = arguments
    answer = await editor.request("workspace/executeCommand", params)
    assert answer["result"]["message"]


@pytest.mark.parametrize(
    "command", ["check", "status", "online.on", "online.off", "markChecked", "unmarkChecked", "openRecord"]
)
@pytest.mark.parametrize("arguments", [[3], [[1]], [{"uri": 3, "key": 3}], [{}, {}], [True]])
async def test_odd_arguments_are_refused(start: Start, command: str, arguments: Any) -> None:
    editor = await start()
    params = {"command": f"counterclaim.citations.{command}", "arguments": arguments}
    assert (await editor.request("workspace/executeCommand", params))["error"]["code"] == -32602


async def test_no_word_of_the_bibliography_reaches_the_log(
    start: Start, works: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("River Networks")

    monkeypatch.setattr("server.lookups.verify_entry", broken)
    editor = await start()
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    await asyncio.sleep(0.2)
    assert "River" not in capfd.readouterr().err
