"""What sources say (`Record`) and what the manuscript says (`Entry`), in one vocabulary.

Both hold plain text; names are kept in BibTeX's two spellings (`Given Family` or `Family, Given`, a name in
braces is one unit) and are only taken apart in `names.py`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from analyzers.citations.folding import caseless
from analyzers.citations.lists import separators
from analyzers.citations.plaintext import plain_text

MAX_AUTHORS_COMPARED = 5000
_CUT = re.compile(r"[,\s]+(?:et\.?\s*al\.?|and\s+others)\s*$", re.IGNORECASE)
_CUT_ENDS = ("al", "al.", "others")


class Scheme(StrEnum):
    """The kinds of identifiers that bind an entry to one record."""

    DOI = "doi"
    ARXIV = "arxiv"
    ACL = "acl"
    PMID = "pmid"
    ISBN = "isbn"
    OPENREVIEW = "openreview"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier in its normal form: DOI lower-cased and bare, arXiv id without version, ISBN digits only."""

    scheme: Scheme
    value: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


@dataclass(frozen=True, slots=True)
class Record:
    """One work as a source records it.

    `year` is the year of publication; `other_years` holds further recorded ones (online first, print, preprint), all of
    which an entry may give.  `authors` are names as the source prints them; `authors_complete` is False when the source
    is known to cut its lists.  `flags` may hold "retracted", "withdrawn", "concern".  `source` names the source,
    `identifier` is the record's own id there.  `registrants` are the DOI prefixes (`10.1109`) that the source knows on works
    of this venue, empty when it knows many works there and none has a DOI; None when it cannot tell.
    """

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""
    arxiv_id: str = ""
    kind: str = ""
    source: str = ""
    identifier: str = ""
    other_years: tuple[int, ...] = ()
    other_titles: tuple[str, ...] = ()
    authors_complete: bool = True
    flags: tuple[str, ...] = ()
    registrants: tuple[str, ...] | None = None

    @property
    def years(self) -> tuple[int, ...]:
        """Every recorded year."""
        return (*(() if self.year is None else (self.year,)), *self.other_years)


_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


def _no_fields() -> Mapping[str, str]:
    return _NO_FIELDS


@dataclass(frozen=True, slots=True)
class Entry:
    """One bibliography entry as written, decoded to plain text.

    `authors` are the names before `and others`; `truncated` says that the list declares itself incomplete
    (`and others`, `et al.`).  `identifiers` are in the order of their weight.  `fields` are the raw values under
    lower-case names.
    """

    key: str
    kind: str = "misc"
    title: str = ""
    authors: tuple[str, ...] = ()
    truncated: bool = False
    year: int | None = None
    venue: str = ""
    pages: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""
    identifiers: tuple[Identifier, ...] = ()
    fields: Mapping[str, str] = field(default_factory=_no_fields, hash=False, compare=False)


_DOI_PREFIX = re.compile(r"^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*:\s*)+", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ARXIV_NEW = r"\d{4}\.\d{4,5}"
_ARXIV_OLD = r"[a-z][a-z-]{1,12}(?:\.[A-Za-z]{2})?/\d{7}"
_ARXIV_ID = re.compile(rf"^(?:arxiv\s*:\s*)?({_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d{{1,3}})?$", re.IGNORECASE)
_ARXIV_ADDRESS = re.compile(rf"arxiv\.org/(?:abs|pdf|html)/({_ARXIV_NEW}|{_ARXIV_OLD})", re.IGNORECASE)
_ARXIV_NAMED = re.compile(rf"arxiv\s*[:./]\s*({_ARXIV_NEW}|{_ARXIV_OLD})", re.IGNORECASE)
_ARXIV_BARE = re.compile(rf"(?:abs/|\[)({_ARXIV_NEW}|{_ARXIV_OLD})")
_DOI_IN_ADDRESS = re.compile(r"doi\.org/(10\.\d{4,9}/[^\s?#]+)", re.IGNORECASE)
_ACL_ADDRESS = re.compile(
    r"(?:aclanthology\.org|aclweb\.org/anthology)/([A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)", re.IGNORECASE
)
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf)\?id=([A-Za-z0-9_-]{8,16})")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d|21\d\d)(?!\d)")
_VENUE_FIELDS = (
    "booktitle",
    "journal",
    "journaltitle",
    "eventtitle",
    "maintitle",
    "howpublished",
    "school",
    "institution",
    "publisher",
)


def normal_doi(value: str) -> str:
    """The DOI in `value` (address, `doi:` prefix, TeX escapes, enclosing marks allowed), lower-cased; "" if none.

    `<`, `>`, `;`, `(` and quotes may be part of a DOI (SICI), so only enclosing or unbalanced ones are taken off.
    """
    text = value.strip()
    if "\\" in text:
        text = re.sub(r"\\([_%#&{}<>$~])", r"\1", text.replace("\\textunderscore", "_"))
        text = text.replace("{_}", "_")
    text = re.sub(r"^[<\"'{\s]+", "", text)
    text = _DOI_PREFIX.sub("", text).strip()
    found = _DOI.search(text)
    if found is None:
        return ""
    doi = found[0].replace("%3c", "<").replace("%3C", "<").replace("%3e", ">").replace("%3E", ">").rstrip(".,;\"'")
    for opening, closing in ("<>", "()", "{}", "[]"):
        while doi.endswith(closing) and doi.count(closing) > doi.count(opening):
            doi = doi[:-1].rstrip(".,;\"'")
    return doi.lower()


def normal_arxiv_id(value: str) -> str:
    """The arXiv id in `value` (prefix, address or version allowed) without its version; "" when there is none."""
    text = value.strip().strip("{}").strip()
    for pattern in (_ARXIV_ID, _ARXIV_ADDRESS, _ARXIV_NAMED):
        found = pattern.search(text)
        if found:
            return found[1].lower() if "/" in found[1] else found[1]
    return ""


def year_of(value: str) -> int | None:
    """The single year of a `year` or `date` value; None when there is none or the value is no plain year."""
    found = _YEAR.search(value)
    return int(found[1]) if found else None


def split_names(value: str) -> tuple[tuple[str, ...], bool]:
    """The names of a raw BibTeX author field, split at `and` outside braces, and whether the list declares itself cut.

    Names stay raw apart from decoding to plain text; a name wholly in braces keeps one pair as the mark of a unit.
    """
    names: list[str] = []
    truncated = False
    start = 0
    for end in (*separators(value), len(value)):
        bare = value[start:end].strip().strip(",;").strip()
        start = end + len("and")
        if not bare:
            continue
        name = plain_text(bare)
        if name.lower().rstrip(".") in ("others", "et al", "etal"):
            truncated = True
            continue
        cut = _CUT.search(name) if caseless(name).endswith(_CUT_ENDS) else None
        if cut:
            truncated = True
            bare = name[: cut.start()]
            name = plain_text(bare)
        unit = _is_unit(bare)
        if name:
            names.append(f"{{{name}}}" if unit else name)
    return tuple(names), truncated


def _is_unit(name: str) -> bool:
    """Whether one pair of braces encloses the whole name (a special character such as {\\'E} is not a unit)."""
    if not (name.startswith("{") and name.endswith("}")) or name.startswith("{\\"):
        return False
    depth = 0
    for position, character in enumerate(name):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return position == len(name) - 1
    return False


def entry_from_fields(kind: str, key: str, fields: Mapping[str, str]) -> Entry:
    """The entry behind raw `fields` (names in any case, values without their delimiters).  Never raises."""
    raw = {name.lower().strip(): value for name, value in fields.items()}
    names, truncated = split_names(
        raw.get("author") or (raw.get("editor", "") if kind.lower() in ("proceedings", "book", "collection") else "")
    )
    if names and "others" in raw.get("author+an", ""):
        truncated = True
    title = plain_text(raw.get("title", ""))
    if raw.get("subtitle"):
        title = f"{title}: {plain_text(raw['subtitle'])}"
    url = plain_text(raw.get("url", "") or _address(raw.get("howpublished", "")) or _address(raw.get("note", "")))
    venue = next((plain_text(raw[name]) for name in _VENUE_FIELDS if raw.get(name, "").strip()), "")
    identifiers = tuple(_identifiers(raw, url))
    by_scheme = {identifier.scheme: identifier.value for identifier in reversed(identifiers)}
    return Entry(
        key=key,
        kind=kind.lower(),
        title=title,
        authors=names[:MAX_AUTHORS_COMPARED],
        truncated=truncated or len(names) > MAX_AUTHORS_COMPARED,
        year=year_of(raw.get("year", "") or raw.get("date", "")),
        venue=venue,
        pages=plain_text(raw.get("pages", "")),
        doi=by_scheme.get(Scheme.DOI, ""),
        arxiv_id=by_scheme.get(Scheme.ARXIV, ""),
        url=url,
        identifiers=identifiers,
        fields=MappingProxyType(raw),
    )


def _address(value: str) -> str:
    found = re.search(r"https?://[^\s{}]+", value)
    return found[0] if found else ""


def _identifiers(raw: Mapping[str, str], url: str) -> Iterator[Identifier]:
    """Identifiers in order of weight; a DataCite DOI of arXiv counts as the arXiv id, not as a publisher's DOI."""
    doi = normal_doi(raw.get("doi", ""))
    if not doi:
        found = _DOI_IN_ADDRESS.search(url)
        doi = normal_doi(found[1]) if found else ""
    if doi and not doi.startswith("10.48550/arxiv."):
        yield Identifier(Scheme.DOI, doi)
    arxiv_id = _arxiv_id(raw, url, doi)
    if arxiv_id:
        yield Identifier(Scheme.ARXIV, arxiv_id)
    found = _ACL_ADDRESS.search(url)
    if found:
        yield Identifier(Scheme.ACL, found[1])
    found = _OPENREVIEW.search(url)
    if found:
        yield Identifier(Scheme.OPENREVIEW, found[1])
    pmid = plain_text(raw.get("pmid", ""))
    if pmid.isdigit():
        yield Identifier(Scheme.PMID, pmid)
    isbn = re.sub(r"[\s-]", "", plain_text(raw.get("isbn", ""))).upper()
    if re.fullmatch(r"\d{9}[\dX]|\d{13}", isbn):
        yield Identifier(Scheme.ISBN, isbn)


def _arxiv_id(raw: Mapping[str, str], url: str, doi: str) -> str:
    prefix = (raw.get("archiveprefix") or raw.get("eprinttype") or "").strip().strip("{}").lower()
    if prefix in ("", "arxiv"):
        found = normal_arxiv_id(raw.get("eprint", ""))
        if found:
            return found
    if doi.startswith("10.48550/arxiv."):
        return normal_arxiv_id(doi.removeprefix("10.48550/arxiv."))
    found_in = _ARXIV_ADDRESS.search(url)
    if found_in:
        return normal_arxiv_id(found_in[1])
    for name in ("journal", "journaltitle", "howpublished", "note", "volume", "number", "booktitle", "publisher"):
        value = raw.get(name, "")
        if not value or len(value) > 2000 or not re.search(r"arxiv|corr|abs/", value, re.IGNORECASE):
            continue
        named = _ARXIV_NAMED.search(value) or _ARXIV_ADDRESS.search(value) or _ARXIV_BARE.search(value)
        if named:
            return normal_arxiv_id(named[1])
    return ""
