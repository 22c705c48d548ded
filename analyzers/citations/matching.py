"""One record against one entry: what agrees, what differs, and whether they speak of the same work at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzers.citations.binding import Binding, Compared, bind_by_identifier, bind_by_title, is_container
from analyzers.citations.data.registrants import COMMON_REGISTRANTS
from analyzers.citations.names import AuthorMatch, compare_authors
from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.titles import TitleMatch, compare_titles
from analyzers.citations.venues import (
    VenueMatch,
    compare_venues,
    sounds_like_journal,
    venue_families,
    venue_kind,
)

YEAR_TOLERANCE = 1
PREPRINT_YEARS = 4
LISTED_NAMES = 30
PREPRINT_KINDS = frozenset({"techreport", "report", "misc", "unpublished", "online"})
_PAGES = re.compile(r"^\D{0,3}(\d{1,9})\s*[-–—:]+\s*\D{0,3}(\d{1,9})$")
_TITLE_RANK = {match: rank for rank, match in enumerate(reversed(TitleMatch))}
_AUTHOR_CODES = {
    AuthorMatch.PARTIAL: "AUTHORS_MISSING",
    AuthorMatch.DIFFERENT: "AUTHORS",
    AuthorMatch.DISJOINT: "AUTHORS_DISJOINT",
}
_NOTED_AUTHORS = {AuthorMatch.REORDERED: "AUTHOR_ORDER", AuthorMatch.VARIANT: "AUTHOR_GROUP"}
_NOTED_VENUES = {VenueMatch.PREPRINT: "PREPRINT_PUBLISHED", VenueMatch.VERSION: "OTHER_VERSION"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that differs from the record: both values as people read them, and a reason code."""

    name: str
    given: str
    found: str
    code: str


@dataclass(frozen=True, slots=True)
class Match:
    """The comparison of an entry with one record, which `identifier` (of the entry) or a search led to.

    `differences` make a mismatch; `notes` are reason codes of what differs without being wrong.
    """

    record: Record
    binding: Binding
    compared: Compared
    identifier: Identifier | None = None
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def confirmed(self) -> bool:
        """Whether the record confirms the entry: nothing differs, and more than title and names agree."""
        if self.differences or self.binding not in (Binding.IDENTIFIER, Binding.TITLE):
            return False
        if self.binding is Binding.IDENTIFIER:
            return True
        compared = self.compared
        placed = compared.year_agrees or compared.venue is VenueMatch.SAME
        unplaced = (
            compared.year_agrees is None and compared.venue is VenueMatch.UNKNOWN and compared.authors.shared >= 2
        )
        return compared.authors.match not in (AuthorMatch.UNKNOWN, AuthorMatch.DISJOINT) and (placed or unplaced)


def match_record(entry: Entry, record: Record, identifier: Identifier | None = None) -> Match:
    """Compare `record` with `entry`; `identifier` is the entry's own DOI, arXiv id or the like when that led to it."""
    title = max(
        (compare_titles(entry.title, other) for other in (record.title, *record.other_titles)),
        key=lambda comparison: (_TITLE_RANK[comparison.match], comparison.ratio),
    )
    authors = compare_authors(entry.authors, entry.truncated, record.authors, record.authors_complete)
    venue = _compare_places(entry, record)
    compared = Compared(title, authors, venue, _year_agrees(entry, record, venue))
    if identifier is None:
        binding = bind_by_title(entry, record, compared)
    else:
        binding = bind_by_identifier(entry, identifier, compared)
    if binding in (Binding.NONE, Binding.SIMILAR):
        return Match(record, binding, compared, identifier)
    if binding is Binding.CONFLICT and identifier is not None and is_container(entry, record):
        volume = Difference(identifier_field(identifier), identifier.value, record.title, "IDENTIFIER_OF_VOLUME")
        return Match(record, Binding.IDENTIFIER, compared, identifier, (volume,))
    differences = tuple(_differences(entry, record, compared, binding))
    return Match(record, binding, compared, identifier, differences, tuple(_notes(compared, differences)))


def _compare_places(entry: Entry, record: Record) -> VenueMatch:
    """Compare the venues, and tell other versions of a work from wrong venues by what else the entry says."""
    venue = compare_venues(entry.venue, record.venue)
    if not entry.venue and (entry.kind in PREPRINT_KINDS or entry.arxiv_id) and venue_kind(record.venue) != "preprint":
        return VenueMatch.PREPRINT
    later = entry.year is not None and record.year is not None and entry.year > record.year
    if venue is VenueMatch.DIFFERENT and later and sounds_like_journal(entry.venue) and not venue_families(entry.venue):
        # Conference papers are extended for journals, and nobody lists them all.
        return VenueMatch.VERSION
    return venue


def _year_agrees(entry: Entry, record: Record, venue: VenueMatch) -> bool | None:
    """Whether the years go together; a preprint precedes its publication by a few years.  None when one is unknown."""
    if entry.year is None or not record.years:
        return None
    if any(abs(entry.year - year) <= YEAR_TOLERANCE for year in record.years):
        return True
    if venue is VenueMatch.PREPRINT:
        return any(0 <= year - entry.year <= PREPRINT_YEARS for year in record.years)
    if venue is VenueMatch.PUBLISHED:
        return any(0 <= entry.year - year <= PREPRINT_YEARS for year in record.years)
    return False


def _differences(entry: Entry, record: Record, compared: Compared, binding: Binding) -> Iterator[Difference]:
    if compared.title.match not in (TitleMatch.SAME, TitleMatch.SUBTITLE):
        yield Difference("title", entry.title, record.title, "TITLE")
    code = _AUTHOR_CODES.get(compared.authors.match)
    if code is not None and not _other_team_of_preprint(compared):
        yield Difference("author", listed(entry.authors), listed(record.authors), code)
    if compared.year_agrees is False and compared.venue is not VenueMatch.VERSION:
        yield Difference("year", str(entry.year), str(record.year or record.years[0]), "YEAR")
    if compared.venue is VenueMatch.DIFFERENT:
        yield Difference(_venue_field(entry), entry.venue, record.venue, "VENUE")
    if binding is not Binding.IDENTIFIER:
        yield from _doi_difference(entry, record)
    if compared.placed and _compare_pages(entry.pages, record.pages) is False:
        yield Difference("pages", entry.pages, record.pages, "PAGES")


def _notes(compared: Compared, differences: Sequence[Difference]) -> Iterator[str]:
    if compared.title.match is TitleMatch.SUBTITLE:
        yield "SUBTITLE"
    if compared.authors.match in _NOTED_AUTHORS:
        yield _NOTED_AUTHORS[compared.authors.match]
    if compared.authors.renamed and not any(difference.name == "author" for difference in differences):
        yield "GIVEN_NAME"
    if compared.venue in _NOTED_VENUES:
        yield _NOTED_VENUES[compared.venue]


def _other_team_of_preprint(compared: Compared) -> bool:
    """A preprint's authors may be joined or left by others before publication, as long as most stay."""
    authors = compared.authors
    changed = len(authors.missing) + len(authors.extra) + len(authors.renamed)
    preprint = compared.venue in (VenueMatch.PREPRINT, VenueMatch.PUBLISHED)
    return preprint and authors.match is AuthorMatch.DIFFERENT and changed < authors.shared


def listed(names: tuple[str, ...]) -> str:
    """A list of names for people: the first ones and how many more."""
    shown = "; ".join(name.strip("{}") for name in names[:LISTED_NAMES])
    return f"{shown}; and {len(names) - LISTED_NAMES} more" if len(names) > LISTED_NAMES else shown


def identifier_field(identifier: Identifier) -> str:
    """The name of the field that an identifier of this scheme stands in."""
    return {Scheme.DOI: "doi", Scheme.ARXIV: "eprint"}.get(identifier.scheme, str(identifier.scheme))


def _venue_field(entry: Entry) -> str:
    for name in ("booktitle", "journal", "journaltitle", "eventtitle", "maintitle"):
        if entry.fields.get(name, "").strip():
            return name
    return "booktitle" if entry.kind == "inproceedings" else "journal"


def _doi_difference(entry: Entry, record: Record) -> Iterator[Difference]:
    """A DOI whose registrant is seen on no work of the record's venue, nor is in wide use.

    Another DOI alone is no fault: the same work may have several (publisher, repository, preprint).
    """
    if not entry.doi or entry.doi == record.doi or record.registrants is None:
        return
    registrant = entry.doi.split("/", 1)[0]
    if registrant not in COMMON_REGISTRANTS and registrant not in record.registrants:
        yield Difference("doi", entry.doi, record.doi, "DOI_REGISTRANT")


def _compare_pages(given: str, found: str) -> bool | None:
    """Whether two page ranges are the same; None when they tell nothing.

    Publishers and open archives number the same pages differently, so ranges of equal length that begin elsewhere are two
    numberings of one paper.
    """
    left, right = _PAGES.match(given.strip()), _PAGES.match(found.strip())
    if left is None or right is None:
        return None
    first, last = (int(left[1]), int(left[2])), (int(right[1]), int(right[2]))
    if first[0] == last[0] or first[1] == last[1]:
        return True
    return None if abs((first[1] - first[0]) - (last[1] - last[0])) <= 1 else False
