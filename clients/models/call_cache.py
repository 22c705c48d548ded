"""Answers of models by the content of the call, in one SQLite file: the same question is never paid for twice.

The key is the digest of provider, address, body of the request and epoch: four independent repetitions of a question
are four calls.  Only usable answers are kept.  Values are compressed JSON; the prompts are not kept.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analyzers.review.port import Outcome
from clients.models.codec import digest, outcome_from_json, outcome_to_json
from clients.models.store import Store

# Part of every key: a change of what adapters send or read makes the old answers those of other questions.
FORMAT = 1
_MAX_VALUE = 50_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    key BLOB PRIMARY KEY, stored REAL NOT NULL, model TEXT NOT NULL, value BLOB NOT NULL
) WITHOUT ROWID
"""


def call_key(provider: str, address: str, body: Mapping[str, Any], epoch: int) -> str:
    """The address of a call's answer."""
    return digest({"format": FORMAT, "provider": provider, "address": address, "body": body, "epoch": epoch})


class CallCache:
    """The file.  No method raises; what cannot be read is asked for again.  `now` gives seconds since the epoch."""

    def __init__(self, path: Path, now: Callable[[], float], report: Callable[[str], None] = lambda _: None) -> None:
        self._now = now
        self._store = Store(path, _SCHEMA, "the answers of models", report)

    def get(self, key: str) -> Outcome | None:
        """The kept answer, marked as replayed; its usage and cost are those of the call that was paid."""

        def work(connection: sqlite3.Connection) -> bytes | None:
            row = connection.execute("SELECT value FROM answer WHERE key = ?", (bytes.fromhex(key),)).fetchone()
            return row[0] if row else None

        value = self._store.run(work, None, writing=False)
        outcome = _decoded(value) if isinstance(value, bytes) else None
        return outcome if outcome is not None and outcome.answered else None

    def put(self, key: str, outcome: Outcome) -> None:
        """Keeps a usable answer; anything else is left out."""
        if not outcome.answered or outcome.replayed:
            return
        value = zlib.compress(json.dumps(outcome_to_json(outcome)).encode("ascii"))
        row = (bytes.fromhex(key), self._now(), outcome.model, value)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?)", row)

        self._store.run(work, None)

    def forget(self) -> int:
        """Removes every answer and returns how many there were."""
        return self._store.run(lambda connection: connection.execute("DELETE FROM answer").rowcount, 0)

    def close(self) -> None:
        """Closes the file."""
        self._store.close()


def _decoded(value: bytes) -> Outcome | None:
    try:
        reader = zlib.decompressobj()
        raw = reader.decompress(value, _MAX_VALUE)
        return outcome_from_json(json.loads(raw), replayed=True)
    except (zlib.error, ValueError, RecursionError):
        return None
