"""Looking entries up: in a thread with an event loop of its own, so that neither sources nor comparisons hold the editor up."""

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from analyzers.citations.findings import entry_of
from analyzers.citations.record import Entry
from analyzers.citations.source import BibliographicSource
from analyzers.citations.verdict import Verdict
from analyzers.citations.verify import verify_entry
from analyzers.project.bibliography import BibEntry, Bibliography, EntryBody, resolved_fields
from analyzers.project.bibliography.values import parent_keys
from server.jobs import Cancelled, CancelToken

if TYPE_CHECKING:
    from clients.bibliography.index import BibliographyIndex

# A batch of verdicts is handed over this often (seconds): each costs the event loop a visit.
_DELIVER_EVERY = 0.1
_WATCH_EVERY = 0.03
_CONCURRENT = 8


def content_of(entry: BibEntry, bibliography: Bibliography) -> bytes:
    """A digest of what an entry says, its key left out: the name under which its verdict is kept."""
    own = entry.body.derived("content", _content)
    if own is not None:
        return own
    return _digest(entry.kind, {name: item.value for name, item in resolved_fields(entry, bibliography).items()})


def _content(body: EntryBody) -> bytes | None:
    """The digest of an entry that stands by itself, None for one that inherits."""
    if parent_keys(BibEntry("", 0, body)):
        return None
    return _digest(body.kind, {item.name: item.value for item in body.fields})


def _digest(kind: str, fields: Mapping[str, str]) -> bytes:
    state = hashlib.blake2b(kind.encode("utf-8", "surrogatepass"), digest_size=16)
    for name in sorted(fields):
        state.update(f"\0{name}\0{fields[name]}".encode("utf-8", "surrogatepass"))
    return state.digest()


def read_entry(entry: BibEntry, bibliography: Bibliography) -> Entry:
    """The entry as matching reads it, read once while its text stays."""
    if entry.body.derived("content", _content) is None:
        return entry_of(entry, bibliography)
    return entry.body.derived("as read", lambda body: entry_of(BibEntry("", 0, body), bibliography))


@dataclass(frozen=True, slots=True)
class Plan:
    """Which sources are asked: the local index, if there is one, and online ones where the user allows them.

    `base_urls` replaces addresses of online sources, `cache` is the file of their answers; both are for the user's own
    configuration and for tests.
    """

    index: Path | None
    online: bool = False
    email: str = ""
    version: str = "0"
    cache: Path | None = None
    base_urls: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is nobody to ask."""
        return self.index is None and not self.online

    def name(self, online: bool) -> str:
        """What verdicts depend on: another index, or online sources besides it, give other ones."""
        stamp = ""
        if self.index is not None:
            try:
                status = self.index.stat()
                stamp = f"{self.index}:{status.st_mtime_ns}:{status.st_size}"
            except OSError:
                stamp = f"{self.index}:gone"
        return f"{stamp}|{'online' if online and self.online else 'offline'}"


@dataclass(frozen=True, slots=True)
class Question:
    """One entry to be looked up; `online` whether online sources are asked about it too."""

    entry: BibEntry
    bibliography: Bibliography
    online: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """The verdict on what stands under `content`."""

    content: bytes
    online: bool
    verdict: Verdict


Deliver = Callable[[list[Answered]], None]


class LookUps:
    """The worker's side: keeps the index open between runs.  Used by one thread at a time."""

    def __init__(self) -> None:
        self._index: tuple[str, BibliographyIndex] | None = None
        self.notes: tuple[str, ...] = ()
        """What the user should know of sources that could not be used in the last run."""

    def run(self, questions: Sequence[Question], plan: Plan, today: date, deliver: Deliver, token: CancelToken) -> None:
        """Looks everything up; verdicts are handed to `deliver` as they come.  Raises Cancelled when told to stop."""
        asyncio.run(self._run(questions, plan, today, deliver, token))

    async def _run(
        self, questions: Sequence[Question], plan: Plan, today: date, deliver: Deliver, token: CancelToken
    ) -> None:
        task = asyncio.ensure_future(self._all(questions, plan, today, _Outbox(deliver), token))
        while not task.done():
            await asyncio.wait([task], timeout=_WATCH_EVERY)
            if token.cancelled:
                task.cancel()
        if task.cancelled():
            raise Cancelled
        task.result()

    async def _all(
        self, questions: Sequence[Question], plan: Plan, today: date, outbox: "_Outbox", token: CancelToken
    ) -> None:
        notes: list[str] = []
        waiting = iter(questions)

        async def work() -> None:
            for question in waiting:
                # the local index answers without ever waiting, so this is where others get their turn
                await asyncio.sleep(0)
                token.check()
                entry = read_entry(question.entry, question.bibliography)
                asked = sources if question.online else local
                verdict = await verify_entry(entry, asked, today)
                outbox.add(Answered(content_of(question.entry, question.bibliography), question.online, verdict))

        async with self._sources(plan, notes) as sources:
            self.notes = tuple(notes)
            local = [source for source in sources if not source.online]
            workers = _CONCURRENT if plan.online else 1
            try:
                await asyncio.gather(*(work() for _ in range(workers)))
            finally:
                outbox.flush()

    @asynccontextmanager
    async def _sources(self, plan: Plan, notes: list[str]) -> AsyncIterator[Sequence[BibliographicSource]]:
        local = self._local(plan, notes)
        if not plan.online:
            yield local
            return
        from clients.bibliography.cache import AnswerCache
        from clients.bibliography.sources import SourceSettings, build_sources

        cache = AnswerCache(plan.cache or _cache_file(), time.time, notes.append)
        settings = SourceSettings(network=True, email=plan.email, version=plan.version, base_urls=plan.base_urls)
        try:
            async with build_sources(settings, os.environ, cache=cache) as built:
                notes.extend(built.notes)
                yield [*local, *built.sources]
        finally:
            cache.close()

    def _local(self, plan: Plan, notes: list[str]) -> list[BibliographicSource]:
        from clients.bibliography.index import BibliographyIndex, IndexFileError, IndexSource

        name = plan.name(online=False)
        if self._index is not None and self._index[0] != name:
            self._index[1].close()
            self._index = None
        if plan.index is None:
            return []
        if self._index is None:
            try:
                self._index = (name, BibliographyIndex(plan.index))
            except IndexFileError as error:
                notes.append(str(error))
                return []
        return [IndexSource(self._index[1])]


class _Outbox:
    """Collects verdicts and hands them over a few times a second."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._kept: list[Answered] = []
        self._last = time.monotonic()

    def add(self, answered: Answered) -> None:
        """Takes a verdict."""
        self._kept.append(answered)
        if time.monotonic() - self._last >= _DELIVER_EVERY:
            self.flush()

    def flush(self) -> None:
        """Hands over what is there."""
        if self._kept:
            self._deliver(self._kept)
            self._kept = []
        self._last = time.monotonic()


def _cache_file() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("counterclaim", appauthor=False) / "answers.sqlite"
