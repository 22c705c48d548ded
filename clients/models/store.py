"""One SQLite file for several processes at once; no fault of the disk becomes an error of a review."""

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
# Writers hold the file for a millisecond or two; who waits longer than this has met a fault.
_BUSY_SECONDS = 1.0
_PAUSE = 0.02
_TRIES = 3
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Store:
    """A database with a schema.  A damaged file is set aside and begun anew; where none can be written, memory serves.

    `report` hears of either, once, in words for people.  `what` names the content in them.
    """

    def __init__(self, path: Path, schema: str, what: str, report: Callable[[str], None] = lambda _: None) -> None:
        self._path = path
        self._schema = schema
        self._what = what
        self._report = report
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self.in_memory = False

    def run(self, work: Callable[[sqlite3.Connection], T], default: T, writing: bool = True) -> T:
        """The result of `work` inside a transaction of its own, `default` when the database cannot do it now."""
        with self._lock:
            for _ in range(_TRIES):
                try:
                    connection = self._open()
                    with _transaction(connection, writing):
                        return work(connection)
                except sqlite3.DatabaseError as error:
                    if not self._recovered(error):
                        return default
            return default

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._drop()

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        if not self.in_memory:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                # What models said about a manuscript is nobody else's business.
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            except OSError as error:
                self._use_memory(type(error).__name__)
        connection = sqlite3.connect(
            ":memory:" if self.in_memory else self._path,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            if not self.in_memory:
                connection.execute("PRAGMA journal_mode=wal")
                connection.execute("PRAGMA synchronous=normal")
            connection.executescript(self._schema)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _recovered(self, error: sqlite3.DatabaseError) -> bool:
        """Whether another try makes sense after an error."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            # Two processes that turn a new file into one with a log meet here although both would wait.
            time.sleep(_PAUSE)
            return True
        self._drop()
        if self.in_memory:
            return False
        if code in _DAMAGED or _is_foreign(error):
            self._set_aside()
        else:
            self._use_memory(type(error).__name__)
        return True

    def _set_aside(self) -> None:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._path.replace(aside)
        except OSError as error:
            self._use_memory(type(error).__name__)
            return
        self._report(f"The file of {self._what} was damaged. It was moved to {aside.name} and begun anew.")

    def _use_memory(self, why: str) -> None:
        if not self.in_memory:
            self._report(
                f"The file of {self._what} cannot be used ({why}). It is kept in memory until the program ends."
            )
        self.in_memory = True

    def _drop(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection, writing: bool) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _is_foreign(error: sqlite3.DatabaseError) -> bool:
    """A database that is sound but has tables of another shape than ours."""
    return isinstance(error, sqlite3.OperationalError) and "no such column" in str(error)
