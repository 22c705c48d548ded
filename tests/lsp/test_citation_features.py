"""Citations in the editor: verdicts as diagnostics, their evidence, the summary, the switch, and the edits that settle them."""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

import analyzers.driver
import clients.bibliography.sources
import server.verification
from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery, Unavailable
from clients.bibliography.index_build import build_index
from server.app import build_server
from server.checked import Checked
from server.consent import Consent

WORKS: list[dict[str, object]] = [
    {
        "type": "article",
        "key": "alder",
        "title": "River Networks Carry Memory of Ancient Climates",
        "author": ["Ann Alder 0001", "Ben Birch", "Cleo Cedar"],
        "year": "2019",
        "venue": "Journal of River Ecology",
        "pages": "10--24",
        "doi": "10.1000/river.1",
    },
    {
        "type": "inproceedings",
        "key": "elm",
        "title": "Sleep in Bees under Artificial Light at Night",
        "author": ["Emil Elm", "Fay Fir"],
        "year": "2021",
        "venue": "International Conference on Machine Learning",
        "pages": "1--9",
        "doi": "10.1000/bees.1",
    },
    {
        "type": "article",
        "key": "gorse",
        "title": "A Theory of Slow Rivers and Quick Lakes",
        "author": ["Gil Gorse", "Hal Hazel"],
        "year": "2012",
        "venue": "Annals of Water",
        "doi": "10.1000/water.7",
    },
]
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n"
    "É 𝔸 rivers \\cite{alder} and bees \\cite{elm,alder}.\n\n"
    "Nobody \\cite{unknown}, and water \\cite{gorse}.\n\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
REFS = (
    "@article{alder,\n  title = {River Networks Carry Memory of Ancient Climates},\n"
    "  author = {Alder, Ann and Wrong, Bob and Maple, Max},\n  journal = {Journal of River Ecology},\n  year = {2019}\n}\n\n"
    "@article{elm,\n  title = {Sleep in Bees under Artificial Light at Night},\n  author = {Elm, Emil and Fir, Fay},\n"
    "  journal = {arXiv preprint arXiv:2101.00001},\n  year = {2021},\n"
    "  abstract = {Artificial light at night reduces the sleep of bees and rivers of bees.},\n}\n\n"
    "@article{unknown,\n  title = {An Invention that Nobody has Ever Recorded Anywhere},\n  author = {Oak, Otto},\n"
    "  journal = {Journal of Nothing},\n  year = {2015}\n}\n\n"
    "@article{gorse,\n  title = {A Theory of Slow Rivers and Quick Lakes},\n  author = {Gorse, Gil and Hazel, Hal},\n"
    "  journal = {Annals of Water},\n  year = {2012}\n}\n"
)
CAPABILITIES = {
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
        "codeLens": {"refreshSupport": True},
    },
    "textDocument": {"hover": {"contentFormat": ["plaintext"]}},
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folders, so that no test sees or changes those of whoever runs it."""
    place = tmp_path / "home"
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / name.lower()))
    monkeypatch.setattr(server.verification, "IDLE_SECONDS", 0.05)
    return place


@pytest.fixture
def works(home: Path) -> Path:
    """The user's index of three works."""
    folder = home / "data" / "counterclaim"
    folder.mkdir(parents=True)
    source = home / "works.jsonl"
    source.write_text("".join(json.dumps(work) + "\n" for work in WORKS))
    build_index([source], folder / "bibliography.index")
    return folder / "bibliography.index"


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(REFS)
    return folder


Start = Callable[..., Any]


@pytest.fixture
async def start(editor: Any, paper: Path) -> AsyncIterator[Start]:
    """Starts an editor in the folder of the paper."""
    started: list[Any] = []

    async def begin(capabilities: dict[str, Any] | None = None, **options: Any) -> Any:
        one = type(editor)(build_server("test"), folder=paper)
        folders = [{"uri": paper.as_uri(), "name": "paper"}]
        given = {"pause": 20, "status": True, **options}
        await one.initialize(capabilities or CAPABILITIES, workspaceFolders=folders, initializationOptions=given)
        started.append(one)
        return one

    yield begin
    for one in started:
        await one.request("shutdown")


async def looked_up(editor: Any, count: int = 1, seconds: float = 10) -> dict[str, Any]:
    """What the notification after the `count`-th run of look-ups says, counted from the start."""
    async with asyncio.timeout(seconds):
        while len(told := _told(editor)) < count:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.005)
    return told[count - 1]


def _told(editor: Any) -> list[dict[str, Any]]:
    return [m["params"] for m in editor.written if m.get("method") == "counterclaim/citations"]


def codes(editor: Any, name: str) -> list[tuple[str, int]]:
    """Codes of verdicts that are shown in a file, with their lines."""
    return [(d["code"], d["range"]["start"]["line"]) for d in editor.diagnostics(name) if d["code"].startswith("BIB05")]


async def hover(editor: Any, name: str, line: int, column: int) -> str:
    params = {"textDocument": {"uri": editor.uri(name)}, "position": {"line": line, "character": column}}
    result = (await editor.request("textDocument/hover", params))["result"]
    return str(result["contents"]["value"]) if result else ""


async def lens(editor: Any, name: str = "refs.bib") -> str:
    params = {"textDocument": {"uri": editor.uri(name)}}
    result = (await editor.request("textDocument/codeLens", params))["result"]
    return str(result[0]["command"]["title"]) if result else ""


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


# --- verdicts


async def test_a_mismatch_is_shown_at_the_entry_and_where_it_is_cited(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    told = await looked_up(editor)
    assert told == {"complete": True, "entries": 4, "asked": 4}
    assert codes(editor, "refs.bib") == [("BIB052", 2)]
    assert codes(editor, "main.tex") == [("BIB052", 2), ("BIB052", 2)]
    (entry,) = [d for d in editor.diagnostics("refs.bib") if d["code"] == "BIB052"]
    assert entry["severity"] == 2
    assert "given Alder, Ann; Wrong, Bob; Maple, Max; found Ann Alder" in entry["message"].replace(" 0001", "")
    place = next(d for d in editor.diagnostics("main.tex") if d["code"] == "BIB052")
    assert place["range"]["start"] == {"line": 2, "character": len("É 𝔸 rivers \\cite{".encode("utf-16-le")) // 2}
    assert place["message"].startswith("alder: Differs from the record")
    assert place["relatedInformation"][0]["location"]["uri"] == editor.uri("refs.bib")


async def test_the_evidence_names_who_was_asked_and_both_values(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await looked_up(editor)
    text = await hover(editor, "refs.bib", 0, 10)
    assert "alder: “River Networks" in text
    assert "Wrong, Bob" in text
    assert "Ben Birch" in text
    assert "Asked: local index. Answered: local index." in text
    assert "https://doi.org/10.1000/river.1" in text
    verified = await hover(editor, "main.tex", 4, MAIN.splitlines()[4].index("gorse") + 1)
    assert "Verified (local index (works.jsonl))." in verified
    bees = await hover(editor, "main.tex", 2, MAIN.splitlines()[2].index("elm,") + 2)
    assert "the preprint is cited; it has been published" in bees
    assert "Could not confirm from the text at hand" in bees
    assert "no online source was asked" in await hover(editor, "main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1)
    assert await hover(editor, "refs.bib", 3, 3) == ""


async def test_the_summary_stands_above_the_bibliography(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await looked_up(editor)
    assert await lens(editor) == "2 verified · 1 mismatch · 1 unverifiable"
    assert await lens(editor, "main.tex") == ""
    await editor.wait(lambda m: m.get("method") == "workspace/codeLens/refresh")


async def test_without_an_index_nothing_is_asked_and_that_is_said(start: Start) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.analysed(main=1)
    assert await lens(editor) == "Citations: nothing to look them up in"
    assert "Not looked up: there is no local index" in await hover(editor, "refs.bib", 0, 1)
    result = await editor.execute("counterclaim.citations.check")
    assert "counterclaim index build" in result["message"]
    assert (await editor.execute("counterclaim.citations.status"))["folders"][0]["online"] is False
    assert _told(editor) == []


async def test_an_edit_is_looked_up_after_a_pause_and_only_what_changed(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    await looked_up(editor)
    line = REFS.splitlines()[2]
    column = line.index("Wrong")
    editor.change("refs.bib", 2, (2, column, 2, len(line) - 2, "Birch, Ben and Cedar, Cleo"))
    await editor.answered()
    assert codes(editor, "refs.bib") == []
    told = await looked_up(editor, 2)
    assert told["asked"] == 1
    assert codes(editor, "refs.bib") == []
    assert await lens(editor) == "3 verified · 1 unverifiable"
    editor.change("refs.bib", 3, (0, 0, 0, 0, "% moved\n"), (1, 13, 1, 13, "2"))
    assert (await looked_up(editor, 3))["asked"] == 0  # the key is no part of what is looked up


async def test_a_finding_moves_with_the_text(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await looked_up(editor)
    editor.change("refs.bib", 2, (0, 0, 0, 0, "% 𝔸 line\r\n% more\n"))
    await editor.answered()
    assert codes(editor, "refs.bib") == [("BIB052", 4)]
    await editor.analysed()
    assert codes(editor, "refs.bib") == [("BIB052", 4)]
    assert codes(editor, "main.tex") == [("BIB052", 2), ("BIB052", 2)]


async def test_a_comment_at_the_entry_allows_both_places(start: Start, works: Path, paper: Path) -> None:
    text = f"% counterclaim: allow BIB052 -- the authors changed their names\n{REFS}"
    (paper / "refs.bib").write_text(text)
    editor = await start()
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    assert codes(editor, "refs.bib") == []
    assert codes(editor, "main.tex") == []


async def test_a_check_that_is_ignored_is_not_shown(start: Start, works: Path, paper: Path) -> None:
    (paper / "counterclaim.toml").write_text('[checks]\nignore = ["BIB052"]\n')
    editor = await start()
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    assert codes(editor, "main.tex") == codes(editor, "refs.bib") == []


async def test_a_bibliography_alone_is_looked_up(start: Start, works: Path, paper: Path) -> None:
    (paper / "main.tex").unlink()
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    await looked_up(editor)
    assert codes(editor, "refs.bib") == [("BIB052", 2)]
    assert await lens(editor) == "2 verified · 1 mismatch · 1 unverifiable"


async def test_an_index_of_the_settings(start: Start, works: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.index"
    works.rename(other)  # noqa: ASYNC240
    settings = {"citations": {"index": str(other)}}
    editor = await start(settings=settings)
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    assert codes(editor, "refs.bib") == [("BIB052", 2)]
    assert [d for d in editor.diagnostics("main.tex") if d["code"] == "NOTE"] == []
    distrusted = await start(settings=settings, trusted=False)
    distrusted.open("main.tex", MAIN)
    await distrusted.analysed(main=1)
    assert (await distrusted.execute("counterclaim.citations.status"))["folders"][0]["index"] is None


async def test_a_damaged_index_is_said_to_be(start: Start, works: Path) -> None:
    works.write_bytes(b"no index at all")  # noqa: ASYNC240
    editor = await start()
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    assert codes(editor, "refs.bib") == []
    assert "this file is no index" in (await editor.execute("counterclaim.citations.status"))["message"]


# --- online


class Service:
    """An online source that says what it is told to, and counts its questions."""

    name = "Crossref"
    online = True
    authority_for: frozenset[Scheme] = frozenset()

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.down = False
        self.slow = 0.0

    def covers(self, entry: Entry) -> bool:
        return True

    async def look_up(self, identifier: Identifier) -> Outcome:
        self.asked.append(str(identifier))
        return Unavailable("HTTP 503") if self.down else NotAsked()

    async def search(self, query: TitleQuery) -> Outcome:
        self.asked.append(query.title)
        if self.slow:
            await asyncio.sleep(self.slow)
        if self.down:
            return Unavailable("HTTP 503")
        if "Invention" not in query.title:
            return NotFound()
        record = Record(query.title, ("Otto Oak",), 2015, "Journal of Nothing", doi="10.1000/n.1", source="Crossref")
        return Found((record,))


@pytest.fixture
def crossref(monkeypatch: pytest.MonkeyPatch) -> Service:
    """Stands in for all online sources."""
    service = Service()

    class Sources:
        sources = (service,)
        notes = ()

        async def __aenter__(self) -> "Sources":
            return self

        async def __aexit__(self, *_: object) -> None:
            return None

    def build(settings: Any, *_: Any, **__: Any) -> Sources:
        assert settings.network
        return Sources()

    monkeypatch.setattr(clients.bibliography.sources, "build_sources", build)
    return service


async def test_online_look_ups_wait_for_the_users_word(
    start: Start, works: Path, crossref: Service, home: Path
) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    await looked_up(editor)
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
    await looked_up(editor, 3)
    assert "An Invention that Nobody has Ever Recorded Anywhere" in crossref.asked
    assert "Verified (Crossref)." in await hover(editor, "main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1)
    kept = json.loads((home / "config" / "counterclaim" / "online.json").read_text())
    assert list(kept["workspaces"]) == [str(editor.folder.resolve())]

    again = await start()
    again.open("main.tex", MAIN)
    await looked_up(again)
    assert (await again.execute("counterclaim.citations.status"))["folders"][0]["online"] is True
    await again.execute("counterclaim.citations.online.off")
    crossref.asked.clear()
    again.change("main.tex", 2, (2, 0, 2, 0, "x"))
    await again.analysed(main=2)
    await asyncio.sleep(0.1)
    assert crossref.asked == []


async def test_an_untrusted_workspace_stays_offline(start: Start, works: Path, crossref: Service, paper: Path) -> None:
    (paper / "counterclaim.toml").write_text("[citations]\nonline = true\n")
    Consent().set(paper, True, date(2026, 1, 1))
    editor = await start(trusted=False, settings={"citations": {"online": True}})
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    answer = await editor.execute("counterclaim.citations.online.on", {"consent": True})
    assert answer["online"] is False
    assert "not trusted" in answer["message"]
    assert "not trusted" in (await editor.execute("counterclaim.citations.status"))["message"]
    await editor.execute("counterclaim.citations.check")
    await looked_up(editor, 2)
    assert crossref.asked == []


async def test_only_cited_entries_are_asked_about_online(
    start: Start, works: Path, crossref: Service, paper: Path
) -> None:
    await _switched_on(paper)
    (paper / "refs.bib").write_text(
        REFS + "@article{spare, title={A Spare Entry that Nothing in the Text Cites}, year=2011}\n"
    )
    editor = await start()
    editor.open("main.tex", MAIN)
    assert (await looked_up(editor))["asked"] == 5
    assert any("Invention" in question for question in crossref.asked)
    assert not any("Spare" in question for question in crossref.asked)


async def _switched_on(paper: Path) -> None:
    Consent().set(paper, True, date(2026, 1, 1))


async def test_a_source_that_is_down_says_nothing(start: Start, works: Path, crossref: Service, paper: Path) -> None:
    await _switched_on(paper)
    crossref.down = True
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    assert (await looked_up(editor))["complete"] is False
    assert [code for code, _ in codes(editor, "main.tex")] == ["BIB052", "BIB052"]
    assert await lens(editor) == "2 verified · 1 mismatch · 1 unverifiable (Crossref down, so this is incomplete)"
    text = await hover(editor, "main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1)
    assert "Did not answer: Crossref (HTTP 503). The verdict is incomplete." in text
    assert "Incomplete: a source was down" in (await editor.execute("counterclaim.citations.status"))["message"]
    crossref.down = False
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await looked_up(editor, 2)
    assert (_told(editor)[1])["asked"] == 0  # not within a minute, unless asked to
    await editor.execute("counterclaim.citations.check")
    told = await looked_up(editor, 3)
    assert told["complete"] is True
    assert told["asked"] >= 1
    assert await lens(editor) == "3 verified · 1 mismatch"


async def test_an_edit_stops_what_runs(start: Start, works: Path, crossref: Service, paper: Path) -> None:
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
    await looked_up(editor)
    assert time.perf_counter() - started < 10
    assert await hover(editor, "main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1) != ""


async def test_the_command_shows_progress_and_can_be_stopped(
    start: Start, works: Path, crossref: Service, paper: Path
) -> None:
    await _switched_on(paper)
    crossref.slow = 30
    capabilities = {**CAPABILITIES, "window": {"workDoneProgress": True}}
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
    await looked_up(editor)


def test_every_service_is_named_before_it_is_asked() -> None:
    from server.handlers.citations import _recipients

    names = " ".join(_recipients())
    assert len(_recipients()) == len(clients.bibliography.sources.SOURCE_NAMES)
    for name in ("Crossref", "DataCite", "arXiv", "DBLP", "OpenAlex (with a key", "PubMed", "doi.org"):
        assert name in names


# --- marks and actions


async def test_an_entry_checked_by_hand_is_quiet_until_it_changes(
    start: Start, works: Path, paper: Path, home: Path
) -> None:
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    editor.open("main.tex", MAIN)
    await looked_up(editor)
    actions = await editor.actions("refs.bib", (0, 10), (0, 10))
    (mark,) = [action for action in actions if action["title"] == "Mark as checked by me"]
    await editor.execute(mark["command"]["command"], *mark["command"]["arguments"])
    assert codes(editor, "refs.bib") == codes(editor, "main.tex") == []
    assert await lens(editor) == "2 verified · 1 unverifiable · 1 checked by you"
    assert "Checked by you on" in await hover(editor, "refs.bib", 0, 10)
    kept = (paper / ".counterclaim" / "checked.json").read_text()
    assert "River" not in kept
    (mark,) = json.loads(kept)["checked"].values()
    assert set(mark) == {"key", "date", "signature"}

    again = await start()
    again.open("main.tex", MAIN)
    await looked_up(again)
    assert codes(again, "main.tex") == []
    (home / "config" / "counterclaim" / "checked.key").write_text("ab" * 32)
    somebody = await start()
    somebody.open("main.tex", MAIN)
    await looked_up(somebody)
    assert len(codes(somebody, "main.tex")) == 2

    editor.change("refs.bib", 2, (4, 10, 4, 14, "2018"))
    await looked_up(editor, 3)
    assert codes(editor, "refs.bib") == [("BIB052", 2)]


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
    await looked_up(editor)
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
    await looked_up(editor)
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
    await looked_up(editor)
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
    await looked_up(editor)
    lines = ODD.splitlines()
    assert ("BIB052", len(lines) - 1) in codes(editor, "refs.bib")
    for number in range(len(lines)):
        for action in await editor.actions("refs.bib", (number, 0), (number, 20)):
            if "edit" in action:
                assert applied(ODD, action, editor.uri("refs.bib")) != ODD
        await hover(editor, "refs.bib", number, 8)
    assert (await lens(editor)).endswith("unverifiable")
    editor.close_file("refs.bib")
    editor.open("main.tex", MAIN)
    await looked_up(editor, 2)


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
    await looked_up(editor)
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
    seen = len(_told(editor))
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("main.tex")}})
    await looked_up(editor, seen + 1)
    await asyncio.sleep(0.2)
    fresh = await start()
    for name, text in texts.items():
        fresh.open(name, text)
    await looked_up(fresh)
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


# --- the server as a process

ROOT = Path(__file__).parents[2]
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
    source.write_text("".join(json.dumps(work) + "\n" for work in WORKS))
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
    async with asyncio.timeout(20):
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
