"""Building the local index, and adding a library to it.

The new index grows in a file beside the wanted one and takes its place in one step at the end; whoever has the old one open
keeps reading it.  A build that was killed goes on where it was: finished batches are committed together with the count of
records read, and a source is recognised by name, size and time.
"""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from analyzers.citations.record import Record
from analyzers.citations.titles import title_key
from clients.bibliography.index_schema import (
    APPLICATION_ID,
    RARE,
    SCHEMA_VERSION,
    TABLES,
    fts_token,
    pack,
    search_terms,
    text_hash,
)
from clients.bibliography.readers import Reading, UnreadableSourceError, open_reading

BATCH = 5000
CACHED_NAMES = 600_000
MAX_PEOPLE = 10_000
MIN_WORKS_FOR_REGISTRANTS = 20
_ACL_ID = re.compile(r"aclanthology\.org/([A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)/?$")


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is: `phase` for people, records so far, `fraction` of the whole build from 0 to 1."""

    phase: str
    records: int
    fraction: float


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build produced."""

    path: Path
    records: int
    read: int
    size: int


ProgressCallback = Callable[[BuildProgress], None]


def _silent(_: BuildProgress) -> None:
    return


def build_index(sources: Sequence[Path], out: Path, progress: ProgressCallback = _silent) -> BuildResult:
    """Build an index at `out` from `sources`, replacing what stood there only when everything is done.

    Raises `UnreadableSourceError` for a source that cannot be read and OSError when the disk refuses.  An exception raised
    by `progress` stops the build; the next call goes on from the last batch.
    """
    readings = [open_reading(source) for source in sources]
    if not readings:
        raise UnreadableSourceError("No source was named.")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(out.name + ".part")
    with closing(_open_part(part, _signature(sources))) as database:
        read = _load_all(database, readings, progress)
        records = _finish(database, progress)
    _replace(part, out)
    return BuildResult(out, records, read, out.stat().st_size)


def import_library(source: Path, index: Path, progress: ProgressCallback = _silent) -> BuildResult:
    """Add the records of `source` to the index at `index` (a copy is extended and then takes its place)."""
    reading = open_reading(source)
    part = index.with_name(index.name + ".part")
    _remove(part)
    if index.exists():
        shutil.copyfile(index, part)
    with closing(_connect(part)) as database:
        _prepare(database)
        writer = _Writer(database)
        read = 0
        for batch in _batches(reading.records()):
            writer.write(batch, f"{reading.label} (imported)")
            read += len(batch)
            progress(BuildProgress(f"Reading {reading.label}", read, 0.5 * reading.fraction))
        records = _finish(database, progress)
    _replace(part, index)
    return BuildResult(index, records, read, index.stat().st_size)


def _remove(part: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)


def _replace(part: Path, out: Path) -> None:
    os.replace(part, out)  # noqa: PTH105  (one step, also over an existing file)
    for suffix in ("-journal", "-wal", "-shm"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    # A killed process loses nothing that was committed; only a power cut could, and then the build starts over.
    for pragma in (
        "journal_mode=WAL",
        "synchronous=OFF",
        "temp_store=MEMORY",
        "cache_size=-65536",
        "locking_mode=EXCLUSIVE",
    ):
        database.execute(f"PRAGMA {pragma}")
    return database


def _prepare(database: sqlite3.Connection) -> None:
    database.executescript(TABLES)
    database.execute(f"PRAGMA application_id={APPLICATION_ID}")
    database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def _signature(sources: Sequence[Path]) -> str:
    described = []
    for source in sources:
        files = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
        for file in files:
            stat = file.stat()
            described.append([str(file), stat.st_size, stat.st_mtime_ns])
    return json.dumps([SCHEMA_VERSION, described])


def _open_part(part: Path, signature: str) -> sqlite3.Connection:
    """The half-built index of an earlier run over the same sources, else a new one."""
    try:
        database = _connect(part)
        _prepare(database)
        if _meta(database, "signature") == signature:
            return database
        database.close()
    except sqlite3.DatabaseError:
        pass
    _remove(part)
    database = _connect(part)
    _prepare(database)
    _set_meta(database, "signature", signature)
    return database


def _meta(database: sqlite3.Connection, key: str) -> str:
    row = database.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    return str(row[0]) if row else ""


def _set_meta(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value))


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    iterator = iter(records)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _load_all(database: sqlite3.Connection, readings: Sequence[Reading], progress: ProgressCallback) -> int:
    writer = _Writer(database)
    total = sum(reading.total for reading in readings) or 1
    behind = read = 0
    for number, reading in enumerate(readings):
        done = int(_meta(database, f"loaded:{number}") or 0)
        finished = _meta(database, f"finished:{number}") == "yes"
        if not finished:
            records = reading.records()
            for _ in islice(records, done):
                pass
            for batch in _batches(records):
                done += len(batch)
                writer.write(batch, reading.label, (f"loaded:{number}", str(done)))
                fraction = (behind + reading.fraction * reading.total) / total
                progress(BuildProgress(f"Reading {reading.label}", read + done, 0.6 * fraction))
            _set_meta(database, f"finished:{number}", "yes")
        read += done
        behind += reading.total
    return read


class _Interned:
    """Strings of one table by number, remembered within bounds: forgetting one costs a few bytes, not correctness."""

    def __init__(self, database: sqlite3.Connection, table: str, column: str) -> None:
        self._numbers: dict[str, int] = {
            value: number
            for number, value in database.execute(f"SELECT id, {column} FROM {table} LIMIT {CACHED_NAMES}")  # noqa: S608
        }
        self._next = 1 + int(database.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])  # noqa: S608
        self._insert = f"INSERT INTO {table}(id, {column}) VALUES(?, ?)"
        self._new: list[tuple[int, str]] = []

    def number(self, value: str) -> int | None:
        """The number of `value`; None for the empty string."""
        if not value:
            return None
        known = self._numbers.get(value)
        if known is None:
            if len(self._numbers) >= CACHED_NAMES:
                self._numbers.clear()
            known = self._numbers[value] = self._next
            self._next += 1
            self._new.append((known, value))
        return known

    def flush(self, database: sqlite3.Connection) -> None:
        """Write what is new."""
        database.executemany(self._insert, self._new)
        self._new.clear()


class _Writer:
    """Turns records into rows, a batch and its bookkeeping in one transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._people = _Interned(database, "person", "name")
        self._venues = _Interned(database, "venue", "name")
        self._prefixes = _Interned(database, "prefix", "value")
        self._kinds = _Interned(database, "kind", "name")
        self._origins = _Interned(database, "origin", "name")

    def write(self, batch: Sequence[Record], origin: str, mark: tuple[str, str] | None = None) -> None:
        """Write `batch`; `mark` is a meta row that becomes true with it."""
        rows = [self._row(record, origin) for record in batch]
        self._database.execute("BEGIN")
        for interned in (self._people, self._venues, self._prefixes, self._kinds, self._origins):
            interned.flush(self._database)
        self._database.executemany(
            "INSERT INTO work(key, title, people, year, venue, pages, doi, url_prefix, url, arxiv, kind, name_prefix, name, "
            "origin, flags) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        if mark is not None:
            _set_meta(self._database, *mark)
        self._database.execute("COMMIT")

    def _row(self, record: Record, origin: str) -> tuple[object, ...]:
        url_prefix, url = self._split(_own_url(record))
        name_prefix, name = self._split(record.identifier)
        people = [number for name_ in record.authors[:MAX_PEOPLE] if (number := self._people.number(name_))]
        flags = [*record.flags, *(() if record.authors_complete else ("authors-cut",))]
        return (
            text_hash(title_key(record.title)),
            record.title,
            pack(people) or None,
            record.year,
            self._venues.number(record.venue),
            record.pages or None,
            record.doi or None,
            url_prefix,
            url,
            record.arxiv_id or None,
            self._kinds.number(record.kind),
            name_prefix,
            name,
            self._origins.number(origin),
            " ".join(flags) or None,
        )

    def _split(self, value: str) -> tuple[int | None, str | None]:
        head, slash, tail = value.rpartition("/")
        return self._prefixes.number(head + slash), tail or None


def _own_url(record: Record) -> str:
    """The address unless the DOI gives it."""
    url = record.url
    if record.doi and url.lower().replace("%3c", "<").replace("%3e", ">").endswith("doi.org/" + record.doi):
        return ""
    return url


def _finish(database: sqlite3.Connection, progress: ProgressCallback) -> int:
    """Everything that needs all works: duplicates, identifiers, words, what is known about venues."""
    database.execute("CREATE INDEX IF NOT EXISTS work_key ON work(key)")
    indexed = int(_meta(database, "indexed") or 0)
    database.execute(
        "DELETE FROM work WHERE id > ? AND id IN (SELECT id FROM (SELECT id, row_number() OVER ("
        "PARTITION BY key, people, year, venue ORDER BY id > ?, doi IS NULL, pages IS NULL, id) AS place FROM work) "
        "WHERE place > 1)",
        (indexed, indexed),
    )
    total = int(database.execute("SELECT count(*) FROM work").fetchone()[0])
    _index_works(database, indexed, total, progress)
    progress(BuildProgress("Finishing", total, 0.92))
    database.execute("INSERT INTO words(words) VALUES('optimize')")
    _count_words(database)
    _learn_registrants(database)
    _set_meta(database, "records", str(total))
    for key in database.execute("SELECT key FROM meta WHERE key LIKE 'loaded:%' OR key LIKE 'finished:%'").fetchall():
        database.execute("DELETE FROM meta WHERE key=?", key)
    database.execute("DELETE FROM meta WHERE key='signature'")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("VACUUM")
    progress(BuildProgress("Done", total, 1.0))
    return total


def _index_works(database: sqlite3.Connection, indexed: int, total: int, progress: ProgressCallback) -> None:
    seen = int(database.execute("SELECT count(*) FROM work WHERE id <= ?", (indexed,)).fetchone()[0])
    while True:
        rows = database.execute(
            "SELECT w.id, w.title, w.doi, w.arxiv, coalesce(p.value, '') || coalesce(w.url, '') FROM work w "
            "LEFT JOIN prefix p ON p.id = w.url_prefix WHERE w.id > ? ORDER BY w.id LIMIT ?",
            (indexed, BATCH),
        ).fetchall()
        if not rows:
            return
        database.execute("BEGIN")
        database.executemany(
            "INSERT INTO words(rowid, title) VALUES(?, ?)",
            [(row[0], " ".join(map(fts_token, search_terms(row[1])))) for row in rows],
        )
        database.executemany(
            "INSERT OR IGNORE INTO identifier VALUES(?, ?)",
            [(text_hash(name), row[0]) for row in rows for name in identifier_names(row[2], row[3], row[4])],
        )
        indexed = int(rows[-1][0])
        _set_meta(database, "indexed", str(indexed))
        database.execute("COMMIT")
        seen += len(rows)
        progress(BuildProgress("Indexing titles", seen, 0.6 + 0.3 * seen / max(1, total)))


def identifier_names(doi: str | None, arxiv: str | None, url: str) -> Iterator[str]:
    """The identifiers under which a work is found, spelt `scheme:value`."""
    if doi:
        yield f"doi:{doi}"
    if arxiv:
        yield f"arxiv:{arxiv}"
    anthology = _ACL_ID.search(url)
    if anthology:
        yield f"acl:{anthology[1]}"


def _count_words(database: sqlite3.Connection) -> None:
    database.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row)")
    database.execute("DELETE FROM frequency")
    database.execute("INSERT INTO frequency SELECT term, doc FROM temp.vocabulary WHERE doc >= ?", (RARE,))
    database.execute("DROP TABLE temp.vocabulary")


def _learn_registrants(database: sqlite3.Connection) -> None:
    """For venues with enough works: the DOI prefixes seen there ("" when no work has a DOI)."""
    rows = database.execute(
        "SELECT venue, count(*), group_concat(DISTINCT substr(doi, 1, instr(doi, '/') - 1)) FROM work "
        "WHERE venue IS NOT NULL GROUP BY venue"
    ).fetchall()
    known = [(prefixes or "", venue) for venue, works, prefixes in rows if works >= MIN_WORKS_FOR_REGISTRANTS]
    database.execute("UPDATE venue SET registrants=NULL")
    database.executemany("UPDATE venue SET registrants=? WHERE id=?", known)
