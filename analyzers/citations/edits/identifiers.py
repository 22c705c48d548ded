"""Identifiers of an entry: adding those of its record, dropping one that leads to another work, the dash of pages."""

import re

from analyzers.citations.edits.fields import Change, change_fields, fix
from analyzers.citations.edits.tex import tex_text
from analyzers.citations.plausibility.doi import bare_doi, well_formed
from analyzers.citations.record import Record, normal_arxiv_id, normal_doi
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry
from analyzers.text.spans import Span

_DASH = re.compile(
    r"(?<![\w.:\-–—])([A-Za-z]{0,3}\d{1,9})[ \t]*(?:-|–|—|-{3})[ \t]*([A-Za-z]{0,3}\d{1,9})(?![\w.:\-–—])"
)
_LONGEST = 300
_ADDRESS = re.compile(r"https?://[^\s{}\\%]+")


def normalise_doi(entry: BibEntry) -> Fix | None:
    """Write the DOI of the `doi` field bare: without address, prefix, `\\url` and TeX escapes."""
    item = entry.field("doi")
    if item is None or not item.literal or len(item.value) > _LONGEST:
        return None
    doi = bare_doi(item.value)
    if not well_formed(doi) or doi == item.value:
        return None
    # Some older styles print the field as text, where an underscore needs its backslash: then it is no safe fix.
    safe = "\\" not in item.value
    return fix(f"Write the DOI as {doi}", change_fields(entry, (Change("doi", doi),)), safe=safe)


def add_doi(entry: BibEntry, record: Record) -> Fix | None:
    """Add the record's DOI to an entry without one; None when it has one already, also inside its `url`."""
    if not record.doi or entry.value("doi") or normal_doi(entry.value("url")):
        return None
    return fix(f"Add the DOI {record.doi}", change_fields(entry, (Change("doi", record.doi),)), safe=True)


def add_eprint(entry: BibEntry, record: Record, biber: bool = False) -> Fix | None:
    """Add the record's arXiv id to an entry that names none anywhere."""
    identifier = normal_arxiv_id(record.arxiv_id)
    if not identifier or entry.value("eprint") or identifier in entry.source:
        return None
    kind = "eprinttype" if biber else "archiveprefix"
    edits = change_fields(entry, (Change("eprint", identifier), Change(kind, "arXiv")))
    return fix(f"Add the arXiv id {identifier}", edits, safe=True)


def add_address(entry: BibEntry, record: Record) -> Fix | None:
    """Add the record's address to an entry with neither address nor DOI, when the record has no DOI either."""
    given = any(entry.value(name) for name in ("url", "doi", "eprint", "howpublished"))
    if given or record.doi or not _ADDRESS.fullmatch(record.url):
        return None
    edits = change_fields(entry, (Change("url", record.url),))
    return fix(f"Add the address {record.url}", edits, safe=True)


def drop_identifier(entry: BibEntry, name: str) -> Fix | None:
    """Remove the `doi` or `eprint` that leads to another work, with what belongs to it."""
    if entry.field(name) is None:
        return None
    with_it = ("archiveprefix", "eprinttype", "primaryclass", "eprintclass") if name == "eprint" else ()
    changes = (Change(name, None), *(Change(other, None) for other in with_it if entry.field(other) is not None))
    return fix(
        f"Remove the {'DOI' if name == 'doi' else name} {tex_text(entry.plain(name))}", change_fields(entry, changes)
    )


def page_dash(entry: BibEntry) -> Fix | None:
    """Write page ranges with two hyphens, which print as the dash of ranges."""
    item = entry.field("pages")
    if item is None or not item.literal or len(item.raw) > _LONGEST:
        return None
    by = item.value_start - item.raw_start
    inner = item.raw[by : by + item.value_end - item.value_start]
    edits = tuple(
        Edit(Span(entry.path, item.value_start + match.end(1), item.value_start + match.start(2)), "--")
        for match in _DASH.finditer(inner)
    )
    return fix("Write the page range with --", edits, safe=True)
