"""Look-ups online: only by the user's word, honest about what is down, stopped by edits and by the user."""

import asyncio
import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import clients.bibliography.sources
from server.consent import Consent

DATA = Path(__file__).parent / "data"
MAIN = (DATA / "main.tex").read_text(encoding="utf-8")
REFS = (DATA / "refs.bib").read_text(encoding="utf-8")
Start = Callable[..., Any]


async def test_online_look_ups_wait_for_the_users_word(start: Start, works: Path, crossref: Any, home: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    assert crossref.asked == []
    answer = await editor.execute("counterclaim.citations.online.on", {"uri": editor.uri("main.tex")})
    assert answer["online"] is False
    asked = await editor.wait(lambda m: m.get("method") == "window/showMessageRequest")
    text = asked["params"]["message"]
    for part in (
        "title",
        "names of its authors",
        "year",
        "identifiers",
        "Crossref",
        "What does not",
        "text of the manuscript",
    ):
        assert part in text
    assert crossref.asked == []
    editor.send(id=asked["id"], result=asked["params"]["actions"][1])
    await asyncio.sleep(0.05)
    assert crossref.asked == []
    assert not (home / "config" / "counterclaim" / "online.json").exists()

    await editor.execute("counterclaim.citations.online.on", {"uri": editor.uri("main.tex"), "consent": True})
    await editor.looked_up(3)
    assert "An Invention that Nobody has Ever Recorded Anywhere" in crossref.asked
    assert "Verified (Crossref)." in await editor.evidence("main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1)
    kept = json.loads((home / "config" / "counterclaim" / "online.json").read_text())
    assert list(kept["workspaces"]) == [str(editor.folder.resolve())]

    again = await start()
    again.open("main.tex", MAIN)
    await again.looked_up()
    assert (await again.execute("counterclaim.citations.status"))["folders"][0]["online"] is True
    await again.execute("counterclaim.citations.online.off")
    crossref.asked.clear()
    again.change("main.tex", 2, (2, 0, 2, 0, "x"))
    await again.analysed(main=2)
    await asyncio.sleep(0.1)
    assert crossref.asked == []


async def test_an_untrusted_workspace_stays_offline(start: Start, works: Path, crossref: Any, paper: Path) -> None:
    (paper / "counterclaim.toml").write_text("[citations]\nonline = true\n")
    Consent().set(paper, True, date(2026, 1, 1))
    editor = await start(trusted=False, settings={"citations": {"online": True}})
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    answer = await editor.execute("counterclaim.citations.online.on", {"consent": True})
    assert answer["online"] is False
    assert "not trusted" in answer["message"]
    assert "not trusted" in (await editor.execute("counterclaim.citations.status"))["message"]
    await editor.execute("counterclaim.citations.check")
    await editor.looked_up(2)
    assert crossref.asked == []


async def test_only_cited_entries_are_asked_about_online(start: Start, works: Path, crossref: Any, paper: Path) -> None:
    await _switched_on(paper)
    (paper / "refs.bib").write_text(
        REFS + "@article{spare, title={A Spare Entry that Nothing in the Text Cites}, year=2011}\n"
    )
    editor = await start()
    editor.open("main.tex", MAIN)
    assert (await editor.looked_up())["asked"] == 5
    assert any("Invention" in question for question in crossref.asked)
    assert not any("Spare" in question for question in crossref.asked)


async def _switched_on(paper: Path) -> None:
    Consent().set(paper, True, date(2026, 1, 1))


async def test_a_source_that_is_down_says_nothing(start: Start, works: Path, crossref: Any, paper: Path) -> None:
    await _switched_on(paper)
    crossref.down = True
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    assert (await editor.looked_up())["complete"] is False
    assert [code for code, _ in editor.verdicts("main.tex")] == ["BIB052", "BIB052"]
    assert await editor.lens() == "2 verified · 1 mismatch · 1 unverifiable (Crossref down, so this is incomplete)"
    text = await editor.evidence("main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1)
    assert "Did not answer: Crossref (HTTP 503). The verdict is incomplete." in text
    assert "Incomplete: a source was down" in (await editor.execute("counterclaim.citations.status"))["message"]
    crossref.down = False
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await editor.looked_up(2)
    assert (editor.told()[1])["asked"] == 0  # not within a minute, unless asked to
    await editor.execute("counterclaim.citations.check")
    told = await editor.looked_up(3)
    assert told["complete"] is True
    assert told["asked"] >= 1
    assert await editor.lens() == "3 verified · 1 mismatch"


async def test_an_edit_stops_what_runs(start: Start, works: Path, crossref: Any, paper: Path) -> None:
    await _switched_on(paper)
    crossref.slow = 30
    editor = await start()
    editor.open("main.tex", MAIN)
    async with asyncio.timeout(10):
        while not crossref.asked:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    crossref.slow = 0
    started = time.perf_counter()
    editor.change("main.tex", 2, (2, 0, 2, 0, "x"))
    await editor.looked_up()
    assert time.perf_counter() - started < 10
    assert await editor.evidence("main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1) != ""


async def test_the_command_shows_progress_and_can_be_stopped(
    start: Start, works: Path, crossref: Any, paper: Path
) -> None:
    await _switched_on(paper)
    crossref.slow = 30
    capabilities = {"window": {"workDoneProgress": True}}
    editor = await start(capabilities, settings={"run": "manual"})
    editor.open("main.tex", MAIN)
    await editor.analysed(main=1)
    token = (await editor.execute("counterclaim.citations.check"))["token"]
    create = await editor.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
    editor.send(id=create["id"], result=None)
    report = await editor.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "report")
    assert "entries" in report["params"]["value"]["message"]
    editor.notify("window/workDoneProgress/cancel", {"token": token})
    await editor.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end", 2)
    crossref.slow = 0
    await editor.execute("counterclaim.citations.check")
    await editor.looked_up()


def test_every_service_is_named_before_it_is_asked() -> None:
    from server.handlers.citations import _recipients

    names = " ".join(_recipients())
    assert len(_recipients()) == len(clients.bibliography.sources.SOURCE_NAMES)
    for name in ("Crossref", "DataCite", "arXiv", "DBLP", "OpenAlex (with a key", "PubMed", "doi.org"):
        assert name in names
