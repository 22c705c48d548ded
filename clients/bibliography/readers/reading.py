"""Which reader reads a path, and how far a reading has come."""

import bz2
import gzip
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from analyzers.citations.record import Record

BIBLIOGRAPHY_SUFFIXES = (".bib", ".jsonl", ".jsonl.xz", ".jsonl.gz", ".jsonl.bz2", ".xml", ".xml.gz", ".json", ".whl")


class UnreadableSourceError(ValueError):
    """A source that no reader understands, or that does not exist; the message is for people."""


@dataclass(slots=True)
class Reading:
    """Several files read one after the other.

    `parts` are read in this order; `done` counts the bytes (as stored, packed) of finished parts and of the current one, so
    that `fraction` can drive a progress bar.
    """

    label: str
    parts: tuple[Path, ...]
    total: int
    done: int = 0
    _current: IO[bytes] | None = None

    @property
    def fraction(self) -> float:
        """Share of the input read so far, 0 to 1."""
        return min(1.0, (self.done + self._position()) / self.total) if self.total else 1.0

    def _position(self) -> int:
        if self._current is None or self._current.closed:
            return 0
        try:
            return self._current.tell()
        except (OSError, ValueError):
            return 0

    def records(self) -> Iterator[Record]:
        """All records, lazily.  Raises `UnreadableSourceError` when a file turns out to be something else."""
        for part in self.parts:
            with part.open("rb") as stored:
                self._current = stored
                yield from _read(part, stored)
            self._current = None
            self.done += part.stat().st_size


def _read(path: Path, stored: IO[bytes]) -> Iterator[Record]:
    from clients.bibliography.readers import bibtex, conference_wheel, jsonl, xml

    name = path.name.lower()
    if name.endswith(".whl"):
        yield from conference_wheel.read_wheel(stored)
        return
    stream = _unpacked(name, stored)
    bare = name.removesuffix(".gz").removesuffix(".xz").removesuffix(".bz2")
    if bare.endswith(".jsonl"):
        yield from jsonl.read(stream)
    elif bare.endswith(".bib"):
        yield from bibtex.read(stream)
    elif bare.endswith(".json"):
        yield from conference_wheel.read_json(stream)
    else:
        yield from xml.read(stream, path.name)


def _unpacked(name: str, stored: IO[bytes]) -> IO[bytes]:
    if name.endswith(".gz"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=stored))
    if name.endswith(".xz"):
        return lzma.LZMAFile(stored)
    if name.endswith(".bz2"):
        return bz2.BZ2File(stored)
    return stored


def open_reading(source: Path) -> Reading:
    """The reading of a file, or of every bibliography file below a folder.  Raises `UnreadableSourceError`."""
    if source.is_dir():
        parts = tuple(sorted(part for part in source.rglob("*") if _readable(part) and _of_records(part)))
        if not parts:
            raise UnreadableSourceError(f"No bibliography files below {source}.")
    elif source.is_file():
        if not _readable(source):
            raise UnreadableSourceError(
                f"{source.name}: unknown kind of file. Known: {', '.join(BIBLIOGRAPHY_SUFFIXES)}."
            )
        parts = (source,)
    else:
        raise UnreadableSourceError(f"{source}: no such file or folder.")
    return Reading(source.name, parts, sum(part.stat().st_size for part in parts))


def _readable(path: Path) -> bool:
    return path.name.lower().endswith(BIBLIOGRAPHY_SUFFIXES) and path.is_file()


def _of_records(path: Path) -> bool:
    """False for what checkouts bring besides records: settings, and examples to try a program on."""
    return path.name != "package.json" and not path.name.lower().startswith(("example", "."))
