"""Edits that bring an entry in line with the record of its work.  All of them are for review, none is made unseen.

Fields that say the same in other words (a venue's abbreviation, initials, braces) are left as they are; fields that the
record knows nothing of (notes, keywords, files) are the author's own and are never touched.
"""

import re
from collections.abc import Iterator
from datetime import date

from analyzers.citations.edits.fields import Change, change_fields, change_kind, comment_above, fix
from analyzers.citations.edits.tex import reads_as, tex_names, tex_pages, tex_text, tex_title
from analyzers.citations.matching import Difference
from analyzers.citations.names import AuthorMatch, compare_authors
from analyzers.citations.record import Entry, Record
from analyzers.citations.titles import TitleMatch, compare_titles
from analyzers.citations.venues import VenueMatch, compare_venues, venue_kind
from analyzers.fixes import Fix
from analyzers.project.bibliography import BibEntry

_KINDS = {
    "article": "article", "journal-article": "article", "journalarticle": "article", "review": "article",
    "inproceedings": "inproceedings", "conference": "inproceedings", "proceedings-article": "inproceedings",
    "conferencepaper": "inproceedings", "incollection": "incollection", "book-chapter": "incollection",
    "bookchapter": "incollection", "book": "book", "monograph": "book", "phdthesis": "phdthesis",
}  # fmt: skip
_VENUE_FIELDS = ("booktitle", "journal", "journaltitle", "eventtitle", "maintitle")
_IN_BOOKTITLE = frozenset({"inproceedings", "incollection", "conference"})
_PREPRINT = re.compile(r"\barxiv\b|\bcorr\b|\bpreprint\b|\babs/\d", re.IGNORECASE)
_LISTED = 60


def replace_by_record(entry: BibEntry, read: Entry, record: Record, text: str, today: date) -> Fix | None:
    """Every field of an entry that differs from the record becomes the record's; key and other fields stay.

    `read` is the entry as matching reads it, `text` the file, whose habits are followed.  A comment above the entry names
    the source and the day.  None when nothing differs.
    """
    changes = tuple(_changes(entry, read, record, text))
    kind = change_kind(entry, _kind(record)) if _kind(record) and _venue_changes(changes) else ()
    edits = (*kind, *change_fields(entry, changes))
    if not edits:
        return None
    remark = comment_above(entry, text, f"Replaced by the record of {record.source or 'a source'} on {today:%Y-%m-%d}.")
    return fix(f"Replace the entry by the record ({record.source or 'found'})", (*remark, *edits))


def replace_field(entry: BibEntry, difference: Difference, record: Record, text: str) -> Fix | None:
    """One differing field becomes the record's."""
    ascii_only = text.isascii()
    name, found = difference.name, difference.found
    if not found:
        return None
    if name == "author":
        name = _author_field(entry)
        value = tex_names(record.authors, ascii_only) if record.authors and record.authors_complete else ""
    elif name == "title":
        value = tex_title(record.title, entry.value("title"), ascii_only)
    elif name == "year":
        name = "date" if entry.value("date") and not entry.value("year") else "year"
        value = found
    elif name == "pages":
        value = tex_pages(found)
    elif name in ("doi", "eprint"):
        value = record.doi if name == "doi" else record.arxiv_id
        if difference.code in ("IDENTIFIER_OTHER_WORK", "IDENTIFIER_OF_VOLUME"):
            return None
    else:
        value = tex_text(found, ascii_only)
    if not value:
        return None
    shown = found if len(found) <= _LISTED else found[: _LISTED - 1] + "…"
    return fix(f"Write the {difference.name} of the record: {shown}", change_fields(entry, (Change(name, value),)))


def declare_truncation(entry: BibEntry, record: Record) -> Fix | None:
    """End a shortened author list with `and others`, which styles print as “et al.”."""
    name = _author_field(entry)
    item = entry.field(name)
    if item is None or not item.literal or not record.authors or re.search(r"\band\s+others\s*$", item.value):
        return None
    by = item.value_start - item.raw_start
    inner = item.raw[by : by + item.value_end - item.value_start].rstrip()
    return fix(
        "End the author list with `and others`", change_fields(entry, (Change(name, f"{inner} and others"),)), safe=True
    )


def expand_authors(entry: BibEntry, record: Record, text: str) -> Fix | None:
    """Write the whole author list of the record."""
    if not record.authors or not record.authors_complete:
        return None
    value = tex_names(record.authors, text.isascii())
    edits = change_fields(entry, (Change(_author_field(entry), value),))
    return fix(f"Write all {len(record.authors)} authors of the record", edits)


def switch_to_published(entry: BibEntry, read: Entry, record: Record, text: str, biber: bool = False) -> Fix | None:
    """Cite the publication instead of its preprint: type, venue, year, pages and DOI of the record; the arXiv id stays.

    Title and authors follow too where the publication has others than the preprint.
    """
    kind = _kind(record)
    if not record.venue or venue_kind(record.venue) == "preprint" or kind in ("", "book"):
        return None
    changes = {change.name: change for change in _changes(entry, read, record, text)}
    for name in (*_VENUE_FIELDS, "howpublished", "publisher", "volume", "number"):
        value = entry.value(name)
        if value and name not in changes and (_PREPRINT.search(value) or _says(value, read.arxiv_id)):
            changes[name] = Change(name, None)
    if ("year" in changes or "date" in changes) and entry.value("month"):
        changes["month"] = Change("month", None)
    if read.arxiv_id and not entry.value("eprint"):
        for name, value in (("eprint", read.arxiv_id), ("eprinttype" if biber else "archiveprefix", "arXiv")):
            changes[name] = Change(name, value)
    edits = (*change_kind(entry, kind), *change_fields(entry, changes.values()))
    return fix(f"Cite the published version ({record.venue[:_LISTED]}, {record.year})", edits)


def _changes(entry: BibEntry, read: Entry, record: Record, text: str) -> Iterator[Change]:
    ascii_only = text.isascii()
    if record.title and compare_titles(read.title, record.title).match is not TitleMatch.SAME:
        yield Change("title", tex_title(record.title, entry.value("title"), ascii_only))
    authors = compare_authors(read.authors, read.truncated, record.authors, record.authors_complete)
    # An organisation written for its members is a choice, and a list that says it is cut is right as far as it goes.
    if record.authors and record.authors_complete and authors.match not in (AuthorMatch.SAME, AuthorMatch.VARIANT):
        yield Change(_author_field(entry), tex_names(record.authors, ascii_only))
    if record.year is not None and read.year not in record.years:
        yield Change("date" if entry.value("date") and not entry.value("year") else "year", str(record.year))
    if record.venue and compare_venues(read.venue, record.venue) is not VenueMatch.SAME:
        name = _venue_field(entry, _kind(record) or entry.kind)
        yield Change(name, tex_text(record.venue, ascii_only))
        for other in ("booktitle", "journal", "journaltitle"):
            if other != name and entry.value(other):
                yield Change(other, None)
    if record.pages and not reads_as(tex_pages(entry.value("pages")), tex_pages(record.pages)):
        yield Change("pages", tex_pages(record.pages))
    if record.doi and read.doi != record.doi:
        yield Change("doi", record.doi)
    elif read.doi and not record.doi and entry.value("doi"):
        yield Change("doi", None)


def _venue_changes(changes: tuple[Change, ...]) -> bool:
    return any(change.name in _VENUE_FIELDS for change in changes)


def _kind(record: Record) -> str:
    """The entry type for a record; a known venue says more than what sources call a paper."""
    kind = venue_kind(record.venue)
    if kind == "conf":
        return "inproceedings"
    if kind == "journal":
        return "article"
    return _KINDS.get(record.kind.lower().partition(",")[0].strip().replace(" ", ""), "")


def _venue_field(entry: BibEntry, kind: str) -> str:
    """The field that holds the venue in an entry of this type, by the name that the entry uses already."""
    if kind in _IN_BOOKTITLE:
        return "booktitle"
    return "journaltitle" if entry.field("journaltitle") is not None else "journal"


def _author_field(entry: BibEntry) -> str:
    return "editor" if entry.value("editor") and not entry.value("author") else "author"


def _says(value: str, identifier: str) -> bool:
    return bool(identifier) and identifier in value
