"""The file format of the local index: tables, hashes and packing, shared by the builder and the reader.

Works hold their names as packed numbers of interned people, and addresses without what the DOI already says; the two
together are what keeps 240,000 records with full author lists near 50 MB.  Titles are found through 48-bit hashes of their
folded keys (verified after the look-up, so a collision costs time only), words through a contentless FTS5 table.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from analyzers.citations.folding import CJK
from analyzers.citations.titles import bigrams, title_words

# Raised whenever tables or the folding of titles change: hashes of old keys would silently find nothing.
SCHEMA_VERSION = 1
APPLICATION_ID = 0x43435842  # "CCXB"
PERSON_BYTES = 3

TABLES = """
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS person(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS venue(id INTEGER PRIMARY KEY, name TEXT NOT NULL, registrants TEXT);
CREATE TABLE IF NOT EXISTS prefix(id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kind(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS origin(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS work(
    id INTEGER PRIMARY KEY, key INTEGER NOT NULL, title TEXT NOT NULL, people BLOB, year INTEGER, venue INTEGER, pages TEXT,
    doi TEXT, url_prefix INTEGER, url TEXT, arxiv TEXT, kind INTEGER, name_prefix INTEGER, name TEXT, origin INTEGER,
    flags TEXT
);
CREATE TABLE IF NOT EXISTS identifier(hash INTEGER, work INTEGER, PRIMARY KEY(hash, work)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS frequency(word TEXT PRIMARY KEY, works INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(title, content='', columnsize=0, detail=none, tokenize='ascii');
"""

# Words that say nothing about a title; they are neither indexed nor asked for.
FUNCTION_WORDS = frozenset(
    "a an the of for and in on with to from by via at as is are be its it or not towards toward using through into can do "
    "does how what when why we you our".split()
)
# Words rarer than this are not listed in `frequency`; they count as rare.
RARE = 40


def text_hash(text: str) -> int:
    """A positive 48-bit hash, stable across machines and versions."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest())


def search_terms(title: str) -> list[str]:
    """The distinct search terms of a plain-text title in order: folded words, and pairs of CJK characters."""
    terms = [word for word in title_words(title) if word not in FUNCTION_WORDS and not CJK.match(word)]
    return list(dict.fromkeys([*terms, *bigrams(title)]))


def fts_token(term: str) -> str:
    """The term as an FTS5 token of the `ascii` tokenizer, which keeps every character above 127."""
    return term.replace("\0", "")


def pack(numbers: Iterable[int]) -> bytes:
    """Numbers below 2**24, three bytes each."""
    return b"".join(number.to_bytes(PERSON_BYTES) for number in numbers)


def unpack(packed: bytes) -> Iterator[int]:
    """The inverse of `pack`."""
    for start in range(0, len(packed), PERSON_BYTES):
        yield int.from_bytes(packed[start : start + PERSON_BYTES])
