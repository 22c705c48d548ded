"""Records from raw values: the cleaning that all readers share."""

import re
from collections.abc import Iterable, Mapping

from analyzers.citations.plaintext import plain_text
from analyzers.citations.record import Record, entry_from_fields, normal_arxiv_id, normal_doi, year_of

_HOMONYM = re.compile(r"\s+\d{4}$")
_NO_TITLE_END = re.compile(r"(?<=[^.\s])\.$")


def clean_name(name: str) -> str:
    """A person's name as dblp and others print it, without the homonym number."""
    plain = plain_text(name)
    return _HOMONYM.sub("", plain) if plain[-1:].isdigit() else plain


def make_record(
    title: str,
    authors: Iterable[str],
    *,
    kind: str = "",
    year: str = "",
    venue: str = "",
    pages: str = "",
    doi: str = "",
    url: str = "",
    arxiv: str = "",
    identifier: str = "",
    flags: tuple[str, ...] = (),
) -> Record | None:
    """A record from values with markup; None without a title."""
    text = plain_text(title)
    if not text:
        return None
    address = plain_text(url)
    arxiv_id = normal_arxiv_id(arxiv) if arxiv else ""
    if not arxiv_id and "arxiv.org/" in address:
        arxiv_id = normal_arxiv_id(address)
    return Record(
        title=_NO_TITLE_END.sub("", text),
        authors=tuple(name for name in map(clean_name, authors) if name),
        year=year_of(year) if year else None,
        venue=plain_text(venue),
        pages=plain_text(pages).replace("–", "-").replace("—", "-"),
        doi=normal_doi(doi) if doi else "",
        url=address,
        arxiv_id=arxiv_id,
        kind=kind,
        identifier=identifier,
        flags=flags,
    )


def record_from_fields(kind: str, key: str, fields: Mapping[str, str]) -> Record | None:
    """The record that a trusted BibTeX entry describes; None without a title."""
    entry = entry_from_fields(kind, key, fields)
    if not entry.title:
        return None
    return Record(
        title=entry.title,
        authors=tuple(map(clean_name, entry.authors)),
        year=entry.year,
        venue=entry.venue,
        pages=entry.pages.replace("–", "-").replace("—", "-"),
        doi=entry.doi,
        url=entry.url,
        arxiv_id=entry.arxiv_id,
        kind=entry.kind,
        identifier=key,
        authors_complete=not entry.truncated,
    )
