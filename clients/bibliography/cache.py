"""Answers of bibliographic sources, kept in one SQLite file in the user's cache folder.

Only answers are kept: found works for 60 days, "not found" for two, and whether a work is retracted is asked again
after seven.  Keys are digests of (source, question) and never hold an e-mail address or an access key.
The file may be shared by several processes; a damaged one is replaced.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotFound, Outcome, TitleQuery, Unavailable
from clients.bibliography.adapter import Adapter

DAY = 86_400.0
POSITIVE_DAYS = 60
NEGATIVE_DAYS = 2
RETRACTION_DAYS = 7
# A change of the table or of what a record holds makes old answers unreadable; they are then asked for again.
FORMAT = 1
# Waiting longer for another process would hold up the event loop; a missed cache entry costs one request.
BUSY_SECONDS = 0.25
_CLOCK_SLACK = 600.0
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    key BLOB PRIMARY KEY, stored REAL NOT NULL, expires REAL NOT NULL, value TEXT NOT NULL
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A kept answer and its age in seconds."""

    outcome: Found | NotFound
    age: float


class AnswerCache:
    """The file.  No method raises; a cache that cannot be used is an empty one, and `report` hears of it once.

    `now` gives seconds since the epoch; `path` is the caller's choice.
    """

    def __init__(self, path: Path, now: Callable[[], float], report: Callable[[str], None] = lambda _: None) -> None:
        self._path = path
        self._now = now
        self._report = report
        self._reported = False
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._open()

    def get(self, key: bytes) -> Stored | None:
        """The kept answer for `key`, unless there is none or it is too old."""
        row = self._run("SELECT stored, expires, value FROM answer WHERE key = ?", (key,))
        if not row:
            return None
        stored, expires, value = row[0]
        now = self._now()
        # An answer from the future was stored under a wrong clock, so nothing is known about its age.
        if expires <= now or stored > now + _CLOCK_SLACK:
            return None
        outcome = _decoded(value)
        return None if outcome is None else Stored(outcome, max(0.0, now - stored))

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Keeps `outcome` when it is an answer; anything else is left out."""
        if not isinstance(outcome, (Found, NotFound)):
            return
        now = self._now()
        days = POSITIVE_DAYS if isinstance(outcome, Found) else NEGATIVE_DAYS
        self._run("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?)", (key, now, now + days * DAY, _encoded(outcome)))

    def count(self) -> int:
        """The number of kept answers."""
        row = self._run("SELECT count(*) FROM answer", ())
        return int(row[0][0]) if row else 0

    def clear(self) -> None:
        """Forgets everything."""
        self._run("DELETE FROM answer", ())

    def close(self) -> None:
        with self._lock:
            self._shut()

    def _open(self) -> None:
        try:
            self._connect()
            self._drop_expired()
        except (sqlite3.Error, OSError) as problem:
            self._handle(problem)

    def _connect(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Titles of an unpublished bibliography are the user's own business.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self._path, timeout=5.0, isolation_level=None, check_same_thread=False)
        self._connection = connection
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, FORMAT):
            connection.execute("DROP TABLE IF EXISTS answer")
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute(f"PRAGMA busy_timeout = {round(BUSY_SECONDS * 1000)}")

    def _drop_expired(self) -> None:
        if self._connection is not None:
            self._connection.execute("DELETE FROM answer WHERE expires <= ?", (self._now(),))

    def _run(self, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            for _ in range(2):
                if self._connection is None:
                    return []
                try:
                    return self._connection.execute(statement, values).fetchall()
                except sqlite3.Error as problem:
                    if not self._handle(problem):
                        return []
        return []

    def _handle(self, problem: Exception) -> bool:
        """Replaces a damaged file; True when it is worth trying again."""
        if isinstance(problem, sqlite3.Error) and _code(problem) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return False
        damaged = isinstance(problem, sqlite3.Error) and _code(problem) in _DAMAGED
        self._shut()
        if damaged and not self._reported:
            self._tell("The cache of bibliographic answers was damaged and has been rebuilt.")
            try:
                for suffix in ("", "-wal", "-shm"):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
                self._connect()
            except (sqlite3.Error, OSError):
                self._shut()
            else:
                return True
        self._tell("The cache of bibliographic answers cannot be used; answers are not kept.")
        return False

    def _tell(self, message: str) -> None:
        if not self._reported:
            self._reported = True
            self._report(message)

    def _shut(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


class CachedSource:
    """A source that asks the cache first and keeps what it learns."""

    def __init__(self, source: Adapter, cache: AnswerCache) -> None:
        self._source = source
        self._cache = cache

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def online(self) -> bool:
        return self._source.online

    @property
    def authority_for(self) -> frozenset[Scheme]:
        return self._source.authority_for

    def covers(self, entry: Entry) -> bool:
        return self._source.covers(entry)

    async def look_up(self, identifier: Identifier) -> Outcome:
        key = digest(self.name, "look_up", identifier.scheme.value, identifier.value)
        return await self._through(key, lambda: self._source.look_up(identifier))

    async def search(self, query: TitleQuery) -> Outcome:
        year = "" if query.year is None else str(query.year)
        key = digest(self.name, "search", " ".join(query.title.split()).casefold(), year, *query.authors)
        return await self._through(key, lambda: self._source.search(query))

    async def _through(self, key: bytes, ask: Callable[[], Any]) -> Outcome:
        kept = self._cache.get(key)
        if kept is not None and not self._stale(kept):
            return kept.outcome
        outcome: Outcome = await ask()
        if isinstance(outcome, Unavailable) and kept is not None:
            # What was known about the work still holds; only its retraction could not be asked for again.
            return kept.outcome
        self._cache.put(key, outcome)
        return outcome

    def _stale(self, kept: Stored) -> bool:
        return self._source.tells_retraction and isinstance(kept.outcome, Found) and kept.age > RETRACTION_DAYS * DAY


def digest(*parts: str) -> bytes:
    """The key for a question; the parts are kept apart, so that no two questions share one."""
    return hashlib.blake2b(json.dumps([FORMAT, *parts]).encode(), digest_size=16).digest()


def _code(problem: sqlite3.Error) -> int:
    """The primary SQLite code; extended codes carry it in the low byte."""
    return int(getattr(problem, "sqlite_errorcode", 0) or 0) & 0xFF


def _encoded(outcome: Found | NotFound) -> str:
    records = [dataclasses.asdict(record) for record in outcome.records] if isinstance(outcome, Found) else None
    return json.dumps(records)


def _decoded(value: str) -> Found | NotFound | None:
    """The outcome behind a stored value; None when it cannot be read any more."""
    try:
        records = json.loads(value)
        if records is None:
            return NotFound()
        return Found(tuple(_record(fields) for fields in records))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _record(fields: dict[str, Any]) -> Record:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Record(**values)
