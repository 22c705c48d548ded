"""BibTeX files of published records, read in pieces, so that memory does not grow with the file."""

from collections.abc import Generator, Iterator, Mapping
from typing import IO

from analyzers.citations.record import Record
from analyzers.project.bibliography import read_bibliography, resolved_fields
from clients.bibliography.readers.make import record_from_fields

PIECE = 256 * 1024


def read(stream: IO[bytes]) -> Iterator[Record]:
    """Records of a .bib stream; lines that are not UTF-8 are read as Latin-1.  Damaged entries cost no neighbour."""
    strings: Mapping[str, str] = {}
    for text in _pieces(stream):
        strings = yield from records_of(text, strings)


def records_of(text: str, strings: Mapping[str, str] | None = None) -> Generator[Record, None, Mapping[str, str]]:
    """Records of the entries in `text`; returns the `@string` definitions in force behind it."""
    bibliography = read_bibliography("", text, strings)
    for entry in bibliography.entries:
        fields = {name: item.value for name, item in resolved_fields(entry, bibliography).items()}
        record = record_from_fields(entry.kind, entry.key, fields)
        if record is not None:
            yield record
    return bibliography.strings


def _pieces(stream: IO[bytes]) -> Iterator[str]:
    """The text, cut where a line begins an entry."""
    lines: list[str] = []
    size = 0
    for number, raw in enumerate(stream):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 0 else raw
        if size >= PIECE and line.startswith(b"@"):
            yield "".join(lines)
            lines.clear()
            size = 0
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            lines.append(line.decode("latin-1"))
        size += len(line)
    yield "".join(lines)
