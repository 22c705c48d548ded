"""The local index as a bibliographic source: offline, exact look-ups in microseconds, near titles in milliseconds.

It never counts as evidence of absence: it holds what it was built from.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import combinations
from math import log
from pathlib import Path
from threading import Lock
from urllib.request import pathname2url

from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery, Unavailable
from analyzers.citations.titles import RELATED_RATIO, TitleMatch, compare_titles, title_key
from clients.bibliography.index_schema import APPLICATION_ID, RARE, SCHEMA_VERSION, search_terms, text_hash, unpack

NEAR_LIMIT = 10
MAX_TERMS = 60
# Rows of the full-text table read per search; a row costs about a third of a microsecond.
_POSTINGS = 12_000
_ROWS = 6000
_FEWEST_QUERIES = 3
_PAIRED = 6
_FETCHED = 40
# What makes two texts speak of one subject: so many words of so many letters.
_SHARED = 2
_SHORTEST = 4
# Works of one title ("Editorial") that are looked at.
_NAMESAKES = 60
_SCHEMES = frozenset({Scheme.DOI, Scheme.ARXIV, Scheme.ACL})

_WORK = (
    "SELECT w.title, w.people, w.year, v.name, w.pages, w.doi, u.value, w.url, w.arxiv, k.name, n.value, w.name, o.name, "
    "w.flags, v.registrants FROM work w LEFT JOIN venue v ON v.id = w.venue LEFT JOIN prefix u ON u.id = w.url_prefix "
    "LEFT JOIN prefix n ON n.id = w.name_prefix LEFT JOIN kind k ON k.id = w.kind LEFT JOIN origin o ON o.id = w.origin "
)


class IndexFileError(ValueError):
    """The file is missing, damaged, or no index of this version; the message is for people."""


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What an index holds; `years` are the first and last, `origins` name its sources with their counts of records."""

    path: str
    size: int
    records: int
    with_doi: int
    people: int
    venues: int
    years: tuple[int, int] | None
    origins: tuple[tuple[str, int], ...]


class BibliographyIndex:
    """An open index.  Reading only, usable from several threads; call `close` when done."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise IndexFileError(f"{path}: there is no index. Build one with `counterclaim index build`.")
        self.path = path
        self._lock = Lock()
        # A file that is replaced stays readable through the open handle, so it may be treated as unchanging.
        address = f"file:{pathname2url(str(path.absolute()))}?mode=ro&immutable=1"
        try:
            self._database = sqlite3.connect(address, uri=True, check_same_thread=False, cached_statements=256)
            application = self._database.execute("PRAGMA application_id").fetchone()[0]
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise IndexFileError(f"{path}: this file is no index ({error}).") from error
        if application != APPLICATION_ID or version != SCHEMA_VERSION:
            self._database.close()
            raise IndexFileError(
                f"{path}: not an index of this version. Build it anew with `counterclaim index build`."
            )
        self._database.execute("PRAGMA mmap_size=268435456")
        self._people = self._database.cursor()

    def close(self) -> None:
        """Release the file."""
        self._database.close()

    def by_title(self, title: str) -> tuple[Record, ...]:
        """Works whose folded title equals that of plain-text `title`."""
        key = title_key(title)
        with self._lock:
            rows = self._database.execute(_WORK + "WHERE w.key=? LIMIT ?", (text_hash(key), _NAMESAKES)).fetchall()
            records = self._records(rows)
        return tuple(record for record in records if record.title == title or title_key(record.title) == key)

    def by_identifier(self, identifier: Identifier) -> tuple[Record, ...]:
        """Works with this DOI, arXiv id or ACL Anthology id."""
        with self._lock:
            rows = self._database.execute(
                _WORK + "JOIN identifier i ON i.work = w.id WHERE i.hash=?", (text_hash(str(identifier)),)
            ).fetchall()
            records = self._records(rows)
        if identifier.scheme is Scheme.ACL:
            return tuple(record for record in records if identifier.value in record.url)
        wanted = identifier.value
        return tuple(record for record in records if wanted in (record.doi, record.arxiv_id))

    def near_title(self, title: str, limit: int = NEAR_LIMIT) -> tuple[Record, ...]:
        """Works whose titles resemble `title` in words, most alike first.

        Works are scored by the rare words they share, so a title with several words exchanged is still found, in
        milliseconds instead of the tenth of a second of a ranked full-text search.
        """
        with self._lock:
            works = self._sharing_rare_words(title)
            marks = ",".join("?" * len(works))
            rows = self._database.execute(f"SELECT id, title FROM work WHERE id IN ({marks})", works).fetchall()  # noqa: S608
            best = self._most_alike(title, rows, limit)
            return tuple(
                record
                for work in best
                for record in self._records(self._database.execute(_WORK + "WHERE w.id=?", (work,)).fetchall())
            )

    def on_subject(self, text: str, limit: int = NEAR_LIMIT) -> tuple[Record, ...]:
        """Works whose titles share at least two words with `text`, a title or a sentence, by the rarity of those words."""
        words = {term for term in search_terms(text)[:MAX_TERMS] if len(term) >= _SHORTEST}
        found: list[Record] = []
        with self._lock:
            for work in self._sharing_rare_words(text):
                if len(found) == limit:
                    break
                records = self._records(self._database.execute(_WORK + "WHERE w.id=?", (work,)).fetchall())
                found += [item for item in records if len(words.intersection(search_terms(item.title))) >= _SHARED]
        return tuple(found)

    def _most_alike(self, title: str, rows: Iterable[tuple[int, str]], limit: int) -> list[int]:
        compared = [
            (comparison.match is TitleMatch.SAME, comparison.ratio, -work)
            for work, other in rows
            for comparison in (compare_titles(title, other),)
            if comparison.ratio >= RELATED_RATIO or comparison.match is TitleMatch.SUBTITLE
        ]
        compared.sort(reverse=True)
        return [-work for _, _, work in compared[:limit]]

    def _sharing_rare_words(self, title: str) -> list[int]:
        """Works by the rarity of the words they share with `title`, at least two of them, best first."""
        terms = [term for term in search_terms(title)[:MAX_TERMS] if len(term) > 1 or term.isdigit()]
        frequencies = {term: self._frequency(term) for term in terms}
        total = max(2, int(self._database.execute("SELECT value FROM meta WHERE key='records'").fetchone()[0]))
        scores: defaultdict[int, float] = defaultdict(float)
        budget = _POSTINGS
        queries = [(frequencies[term], f'"{term}"') for term in terms]
        for left, right in combinations(sorted(terms, key=lambda term: frequencies[term])[:_PAIRED], 2):
            # Words of one field go together: some ten times as often as chance would have it.
            expected = 10 * frequencies[left] * frequencies[right] // total
            queries.append((max(1, expected), f'"{left}" AND "{right}"'))
        for number, (frequency, query) in enumerate(sorted(queries)):
            budget -= frequency
            if budget < 0 and number >= _FEWEST_QUERIES:
                break
            weight = log(total / frequency) if frequency < total else 0.1
            for (work,) in self._database.execute(
                "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (query, _ROWS)
            ):
                scores[work] += weight
        return nlargest(_FETCHED, scores, key=lambda work: (scores[work], -work))

    def _frequency(self, term: str) -> int:
        row = self._database.execute("SELECT works FROM frequency WHERE word=?", (term,)).fetchone()
        return int(row[0]) if row else RARE // 2

    def _records(self, rows: Sequence[tuple[object, ...]]) -> list[Record]:
        return [self._record(row) for row in rows]

    def _record(self, row: Sequence[object]) -> Record:
        (
            title,
            people,
            year,
            venue,
            pages,
            doi,
            url_prefix,
            url,
            arxiv,
            kind,
            name_prefix,
            name,
            origin,
            flags,
            prefixes,
        ) = row
        marks = tuple(str(flags or "").split())
        own_url = f"{url_prefix or ''}{url or ''}"
        return Record(
            title=str(title),
            authors=self._names(people if isinstance(people, bytes) else b""),
            year=year if isinstance(year, int) else None,
            venue=str(venue or ""),
            pages=str(pages or ""),
            doi=str(doi or ""),
            url=own_url or (f"https://doi.org/{doi}" if doi else ""),
            arxiv_id=str(arxiv or ""),
            kind=str(kind or ""),
            source=f"local index ({origin})" if origin else "local index",
            identifier=f"{name_prefix or ''}{name or ''}",
            authors_complete="authors-cut" not in marks,
            flags=tuple(mark for mark in marks if mark != "authors-cut"),
            registrants=None if prefixes is None else tuple(filter(None, str(prefixes).split(","))),
        )

    def _names(self, packed: bytes) -> tuple[str, ...]:
        names: list[str] = []
        for number in unpack(packed):
            # Names are fetched one by one through one cursor: quicker than a query with `IN` for lists of usual length.
            names.extend(self._people.execute("SELECT name FROM person WHERE id=?", (number,)).fetchone() or ())
        return tuple(names)

    def info(self) -> IndexInfo:
        """Counts for people to read; takes a moment on a large index."""
        with self._lock:
            query = self._database.execute

            def count(sql: str) -> int:
                return int(query(sql).fetchone()[0])

            first, last = query("SELECT min(year), max(year) FROM work").fetchone()
            origins = query(
                "SELECT coalesce(o.name, ''), count(*) FROM work w LEFT JOIN origin o ON o.id = w.origin "
                "GROUP BY 1 ORDER BY 2 DESC"
            ).fetchall()
            return IndexInfo(
                path=str(self.path),
                size=self.path.stat().st_size,
                records=count("SELECT count(*) FROM work"),
                with_doi=count("SELECT count(*) FROM work WHERE doi IS NOT NULL"),
                people=count("SELECT count(*) FROM person"),
                venues=count("SELECT count(*) FROM venue"),
                years=(int(first), int(last)) if first is not None else None,
                origins=tuple((str(name), int(number)) for name, number in origins),
            )


class IndexSource:
    """The index behind the port."""

    name = "local index"
    online = False
    authority_for: frozenset[Scheme] = frozenset()

    def __init__(self, index: BibliographyIndex) -> None:
        self._index = index

    def covers(self, entry: Entry) -> bool:
        """Never: an index holds what it was built from."""
        return False

    async def look_up(self, identifier: Identifier) -> Outcome:
        """Records with a DOI, arXiv id or ACL id; other schemes are not held."""
        if identifier.scheme not in _SCHEMES:
            return NotAsked(f"holds no {identifier.scheme} numbers")
        try:
            records = self._index.by_identifier(identifier)
        except sqlite3.Error as error:
            return Unavailable(f"the index cannot be read ({error})")
        return Found(records) if records else NotFound()

    async def search(self, query: TitleQuery) -> Outcome:
        """Works with the same folded title, else those with near ones."""
        try:
            records = self._index.by_title(query.title) or self._index.near_title(query.title)
        except sqlite3.Error as error:
            return Unavailable(f"the index cannot be read ({error})")
        return Found(records) if records else NotFound()
