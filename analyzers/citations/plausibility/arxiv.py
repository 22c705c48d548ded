"""Rules on arXiv identifiers.

The forms are those of arXiv's identifier scheme (https://info.arxiv.org/help/arxiv_identifier.html):
`archive/YYMMNNN` from August 1991 to March 2007, `YYMM.NNNN` to December 2014, `YYMM.NNNNN` since.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from analyzers.citations.folding import caseless
from analyzers.citations.plausibility.parts import entry_year, year_field
from analyzers.citations.plausibility.rule import (
    BibExample,
    Rule,
    Spot,
    holds_any,
    inner_text,
    replace_part,
    whole_value,
)
from analyzers.finding import Related, Severity
from analyzers.fixes import Fix
from analyzers.project.bibliography import BibEntry, BibField, Bibliography, EntryBody
from analyzers.text.spans import Span

# A separator is needed: bibcodes of the Astrophysics Data System read 2022arXiv220801611B.
_NAMED = re.compile(
    r"(?:(?<![a-z\d])arxiv(?:\.org/(?:abs|pdf|html|format)/|"
    r"[\s}:./{]{1,4}(?:(?:pre|e-?)prints?)?[\s{}:,]{0,4}(?:arxiv\s?[:.]\s?)?(?:abs/)?)|\babs/)"
    r"((?:[a-z][a-z\-]{1,12}(?:\.[a-z]{2})?/)?\d[\d.]{5,11}\d)(?=v\d|[^\w/]|$)",
    re.IGNORECASE,
)
_NAMED_BY = ("arxiv", "abs/")
_BARE = re.compile(
    r"\s*((?:[a-z][a-z\-]{1,12}(?:\.[a-z]{2})?/)?\d[\d.]{5,11}\d)(?:v\d{1,3})?\s*(?:\[.*)?$", re.IGNORECASE
)
_NEW = re.compile(r"(\d\d)(\d\d)\.(\d{4,5})")
_OLD = re.compile(r"[a-z][a-z\-]*(?:\.[a-z]{2})?/(\d\d)(\d\d)(\d{3})", re.IGNORECASE)
_NO_DOT = re.compile(r"(\d{4})(\d{4,5})")
_OWN_FIELDS = ("eprint", "arxiv", "arxivid")
_TEXT_FIELDS = (
    "journal",
    "journaltitle",
    "volume",
    "number",
    "howpublished",
    "note",
    "url",
    "doi",
    "booktitle",
    "publisher",
)
_FIRST_NEW = (2007, 4)
_FIVE_DIGITS_SINCE = (2015, 1)
_LONGEST_VALUE = 2000


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv identifier as written, without version; `start..end` count from the field's `value_start`."""

    text: str
    item: BibField
    start: int
    end: int

    @property
    def month(self) -> tuple[int, int] | None:
        """(year, month) that the identifier claims, whether possible or not; None when it has neither form."""
        new = _NEW.fullmatch(self.text)
        if new is not None:
            return 2000 + int(new[1]), int(new[2])
        old = _OLD.fullmatch(self.text)
        if old is None:
            return None
        year = int(old[1])
        return (1900 if year >= 91 else 2000) + year, int(old[2])


def arxiv_ids(entry: BibEntry) -> Iterator[ArxivId]:
    """The arXiv identifiers the entry gives, each once."""
    for found in entry.body.derived("arxiv identifiers", _read):
        yield ArxivId(found.text, found.item.moved(entry.start), found.start, found.end)


def _read(body: EntryBody) -> tuple[ArxivId, ...]:
    return tuple(_identifiers(BibEntry("", 0, body)))


def _identifiers(entry: BibEntry) -> Iterator[ArxivId]:
    named = holds_any(caseless(entry.source), _NAMED_BY)
    if not named and entry.body.index.keys().isdisjoint(_OWN_FIELDS):
        return
    seen: set[str] = set()
    prefix = (entry.value("archiveprefix") or entry.value("eprinttype")).strip("{} ").lower()
    for name in _OWN_FIELDS:
        item = entry.field(name)
        if item is None or (name == "eprint" and prefix not in ("", "arxiv")):
            continue
        bare = _BARE.match(inner_text(item))
        # Without a prefix, digits alone may be an identifier of any other archive.
        if bare is not None and (prefix or name != "eprint" or "/" in bare[1] or _NEW.fullmatch(bare[1])):
            yield from _once(ArxivId(bare[1], item, bare.start(1), bare.end(1)), seen)
        elif bare is None:
            yield from _named(item, seen)
    for name in _TEXT_FIELDS if named else ():
        item = entry.field(name)
        if item is not None and len(item.raw) <= _LONGEST_VALUE:
            yield from _named(item, seen)


def _named(item: BibField, seen: set[str]) -> Iterator[ArxivId]:
    written = inner_text(item)
    if not holds_any(caseless(written), _NAMED_BY):
        return
    for match in _NAMED.finditer(written):
        text = match[1].rstrip(".")
        yield from _once(ArxivId(text, item, match.start(1), match.start(1) + len(text)), seen)


def _once(found: ArxivId, seen: set[str]) -> Iterator[ArxivId]:
    if found.text.lower() not in seen:
        seen.add(found.text.lower())
        yield found


def _fault(identifier: ArxivId, today: date) -> str | None:
    claimed = identifier.month
    text = identifier.text
    if claimed is None:
        return f"`{text}` has no form that arXiv gives its identifiers (YYMM.NNNNN or archive/YYMMNNN)."
    year, month = claimed
    if not 1 <= month <= 12:
        return f"arXiv identifier `{text}` names month {month:02d}; months run from 01 to 12."
    if (year, month) > (today.year, today.month):
        return f"arXiv identifier `{text}` belongs to {year}-{month:02d}, which is still to come."
    if "/" in text:
        if (year, month) < (1991, 7) or (year, month) > (2007, 3):
            return (
                f"arXiv identifier `{text}` belongs to {year}-{month:02d}; this form was given from 1991 to March 2007."
            )
        return None
    if (year, month) < _FIRST_NEW:
        return f"arXiv identifier `{text}` belongs to {year}-{month:02d}; this form is given since April 2007."
    digits = 5 if (year, month) >= _FIVE_DIGITS_SINCE else 4
    if len(text) - 5 != digits:
        return f"arXiv identifier `{text}` has {len(text) - 5} digits after the dot; those of {year} have {digits}."
    return None


def _find_impossible(entry: BibEntry, _: Bibliography, today: date) -> Iterator[Spot]:
    for found in arxiv_ids(entry):
        message = _fault(found, today)
        if message is None:
            continue
        fixes: tuple[Fix, ...] = ()
        joined = _NO_DOT.fullmatch(found.text)
        if joined is not None:
            dotted = f"{joined[1]}.{joined[2]}"
            if _fault(ArxivId(dotted, found.item, found.start, found.end), today) is None:
                fixes = replace_part(entry, found.item, found.start, found.end, f"Write {dotted}", dotted)
                message = f"arXiv identifier `{found.text}` lacks its dot ({dotted})."
        start = found.item.value_start
        yield Spot(message, found.item.name, start + found.start, start + found.end, fixes=fixes)


def _find_after_year(entry: BibEntry, _: Bibliography, today: date) -> Iterator[Spot]:
    identifiers = tuple(arxiv_ids(entry))
    if not identifiers:
        return
    year, item = entry_year(entry), year_field(entry)
    if year is None or item is None:
        return
    for found in identifiers:
        claimed = found.month
        if claimed is None or _fault(found, today) is not None or claimed[0] <= year + 1:
            continue
        start = found.item.value_start
        message = (
            f"arXiv identifier `{found.text}` was given in {claimed[0]}, but the entry says {year}. "
            "Check which of the two belongs to the work."
        )
        place = Related(Span(entry.path, *whole_value(item)), f"the entry's year, {year}")
        yield Spot(message, found.item.name, start + found.start, start + found.end, also=(place,))


IMPOSSIBLE_ARXIV_ID = Rule(
    "BIB010",
    "impossible-arxiv-id",
    alone=True,
    severity=Severity.WARNING,
    summary="an arXiv identifier that arXiv cannot have given.",
    flags="An identifier whose month is not 01 to 12, that lies in the future or before arXiv began, or that has "
    "the wrong "
    "number of digits, or no dot. It is read from `eprint`, `arxiv`, the journal "
    "(“arXiv preprint arXiv:…”), addresses and "
    "arXiv DOIs.",
    matters="Readers cannot follow the reference, and impossible identifiers are typical of invented references.",
    silent="When `archiveprefix` or `eprinttype` names another archive, and on numbers that nothing calls an "
    "arXiv identifier.",
    examples=(
        BibExample("Month 13", "@misc{a, eprint={2313.12345}, archiveprefix={arXiv}}", ("2313.12345",)),
        BibExample("The dot is missing", "@misc{a, eprint={170603762}, archivePrefix={arXiv}}", ("170603762",)),
        BibExample("In the journal", "@article{a, journal={arXiv preprint arXiv:2600.01234}}", ("2600.01234",)),
        BibExample("In the future", "@misc{a, url={https://arxiv.org/abs/2611.01234v2}}", ("2611.01234",)),
        BibExample("Too few digits", "@article{a, journal={CoRR}, volume={abs/1706.3762}}", ("1706.3762",)),
        BibExample("A bibcode", "@misc{a, url={https://ui.adsabs.harvard.edu/abs/2022arXiv220801611B}}"),
        BibExample("Sound identifiers", "@misc{a, eprint={1706.03762v5}, url={https://arxiv.org/abs/math/0211159}}"),
        BibExample("An identifier of another archive", "@misc{a, eprint={170603762}, eprinttype={hal}}"),
        BibExample("Old form with subject class", "@misc{a, eprint={math.AG/0601001}, archiveprefix={arXiv}}"),
    ),
    find=_find_impossible,
)

ARXIV_AFTER_YEAR = Rule(
    "BIB011",
    "arxiv-after-year",
    alone=True,
    severity=Severity.WARNING,
    summary="an arXiv identifier younger than the entry's year.",
    flags="An arXiv identifier given more than a year after the year of the entry.",
    matters="A work is on arXiv before it is published or soon after; a large gap means that year or identifier "
    "is another work's.",
    silent="When the entry gives no four-digit year, and when the identifier itself is impossible.",
    examples=(
        BibExample(
            "Six years late", "@misc{a, eprint={2106.09685}, archiveprefix={arXiv}, year=2015}", ("2106.09685",)
        ),
        BibExample("As a DOI", "@misc{a, doi={10.48550/arXiv.2502.12196}, year={2022}}", ("2502.12196",)),
        BibExample("A year late", "@article{a, eprint={2106.09685}, archiveprefix={arXiv}, year={2020}}"),
        BibExample("Published later", "@article{a, eprint={1706.03762}, archiveprefix={arXiv}, year={2023}}"),
    ),
    find=_find_after_year,
    fields=("year", "date"),
)
