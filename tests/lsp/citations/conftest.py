"""A paper with four entries, an index of three works, an editor that looks citations up, and a service that stands in for all."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import clients.bibliography.sources
import server.verification
from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery, Unavailable
from clients.bibliography.index_build import build_index
from server.app import build_server

DATA = Path(__file__).parent / "data"
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
CAPABILITIES = {
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
        "codeLens": {"refreshSupport": True},
    },
    "textDocument": {"hover": {"contentFormat": ["plaintext"]}},
}


class Looking:
    """What a client asks about citations."""

    async def looked_up(self: Any, count: int = 1, seconds: float = 20) -> dict[str, Any]:
        """What the notification after the `count`-th run of look-ups says, counted from the start."""
        async with asyncio.timeout(seconds):
            while len(told := self.told()) < count:  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.005)
        found: dict[str, Any] = told[count - 1]
        return found

    def told(self: Any) -> list[dict[str, Any]]:
        """All notifications after look-ups."""
        return [m["params"] for m in self.written if m.get("method") == "counterclaim/citations"]

    def verdicts(self: Any, name: str) -> list[tuple[str, int]]:
        """Codes of verdicts that are shown in a file, with their lines."""
        return [
            (d["code"], d["range"]["start"]["line"]) for d in self.diagnostics(name) if d["code"].startswith("BIB05")
        ]

    async def evidence(self: Any, name: str, line: int, column: int) -> str:
        """The text of a hover."""
        params = {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": column}}
        result = (await self.request("textDocument/hover", params))["result"]
        return str(result["contents"]["value"]) if result else ""

    async def lens(self: Any, name: str = "refs.bib") -> str:
        """The title of the first lens of a file."""
        params = {"textDocument": {"uri": self.uri(name)}}
        result = (await self.request("textDocument/codeLens", params))["result"]
        return str(result[0]["command"]["title"]) if result else ""


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
    for name in ("main.tex", "refs.bib"):
        (folder / name).write_text((DATA / name).read_text(encoding="utf-8"), encoding="utf-8")
    return folder


Start = Callable[..., Any]


@pytest.fixture
async def start(editor: Any, paper: Path) -> AsyncIterator[Start]:
    """Starts an editor in the folder of the paper."""
    started: list[Any] = []
    kind: Any = type("CitationEditor", (Looking, type(editor)), {})

    async def begin(capabilities: dict[str, Any] | None = None, **options: Any) -> Any:
        one = kind(build_server("test"), folder=paper)
        folders = [{"uri": paper.as_uri(), "name": "paper"}]
        given = {"pause": 20, "status": True, **options}
        await one.initialize(capabilities or CAPABILITIES, workspaceFolders=folders, initializationOptions=given)
        started.append(one)
        return one

    yield begin
    for one in started:
        await one.request("shutdown")


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
