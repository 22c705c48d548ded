"""JSON Lines: one object per record with `title` and any of type, key, author (list), year, venue, pages, doi, url."""

import json
from collections.abc import Iterator
from typing import IO, Any

from analyzers.citations.record import Record
from clients.bibliography.readers.make import make_record


def read(stream: IO[bytes]) -> Iterator[Record]:
    """Records of a stream of JSON lines; lines that are no objects or lack a title are skipped."""
    for line in stream:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            record = _record(value)
            if record is not None:
                yield record


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _record(value: dict[str, Any]) -> Record | None:
    authors = value.get("author") or value.get("authors") or ()
    return make_record(
        _text(value.get("title")),
        [name for name in authors if isinstance(name, str)]
        if isinstance(authors, list)
        else str(authors).split(" and "),
        kind=_text(value.get("type")),
        year=_text(value.get("year")),
        venue=_text(value.get("venue")),
        pages=_text(value.get("pages")),
        doi=_text(value.get("doi")),
        url=_text(value.get("url")),
        arxiv=_text(value.get("arxiv") or value.get("arxiv_id")),
        identifier=_text(value.get("key")),
    )
