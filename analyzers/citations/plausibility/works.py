"""Rules that compare works: the same work under two keys, one DOI on two works."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from analyzers.citations.folding import fold
from analyzers.citations.plaintext import plain_text
from analyzers.citations.plausibility.doi import bare_doi, well_formed
from analyzers.citations.plausibility.parts import NAME_FIELDS, entry_year, name_parts
from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, whole_value
from analyzers.citations.titles import title_key
from analyzers.finding import Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography, EntryBody
from analyzers.text.spans import Span

# Titles that many works share say nothing.
_FEWEST_WORDS = 3
_LONGEST_TITLE = 1000
_MOST_COMPARED = 50
# Parts of one book often carry the DOI of the book.
_PARTS = frozenset({"inbook", "incollection", "suppbook", "bookinbook"})


@dataclass(frozen=True, slots=True)
class _Signature:
    """What an entry is recognised by: folded title and its words, the first author's folded family name, year, DOI."""

    title: str
    words: int
    family: str
    year: int | None
    doi: str


def _signature(body: EntryBody) -> _Signature:
    title = plain_text(body.value("title")[:_LONGEST_TITLE])
    names = next((body.value(name) for name in NAME_FIELDS if body.value(name)), "")
    doi = bare_doi(body.value("doi")[:600]).lower()
    return _Signature(
        title_key(title),
        len(title.split()),
        # The first name decides, so a list of thousands need not be taken apart.
        _first_family(names[:200]),
        entry_year(BibEntry("", 0, body)),
        doi if well_formed(doi) else "",
    )


def _first_family(names: str) -> str:
    first = next(name_parts(names), None)
    plain = plain_text(first.text) if first is not None else ""
    if not plain:
        return ""
    family, comma, _ = plain.partition(",")
    return fold(family if comma else plain.split()[-1])


@dataclass(frozen=True, slots=True)
class _Index:
    """Titles and DOIs that several entries share, with these entries in the order of the text."""

    by_title: Mapping[str, Sequence[BibEntry]]
    by_doi: Mapping[str, Sequence[BibEntry]]
    suspects: frozenset[tuple[str, int]]


def _build(bibliography: Bibliography) -> _Index:
    titles: dict[str, BibEntry | list[BibEntry]] = {}
    dois: dict[str, BibEntry | list[BibEntry]] = {}
    for entry in bibliography.entries:
        work = _signature_of(entry)
        if work.title:
            _collect(titles, work.title, entry)
        if work.doi:
            _collect(dois, work.doi, entry)
    by_title = {key: found for key, found in titles.items() if isinstance(found, list)}
    by_doi = {key: found for key, found in dois.items() if isinstance(found, list)}
    shared = (*by_title.values(), *by_doi.values())
    return _Index(by_title, by_doi, frozenset((entry.path, entry.start) for found in shared for entry in found))


def _collect(found: dict[str, BibEntry | list[BibEntry]], key: str, entry: BibEntry) -> None:
    # Most keys have one entry; a list for each of them would only keep the garbage collector busy.
    old = found.setdefault(key, entry)
    if isinstance(old, list):
        # What fifty entries share (the title of an editorial) is not compared further: that would be quadratic.
        if len(old) < _MOST_COMPARED:
            old.append(entry)
    elif old is not entry:
        found[key] = [old, entry]


def _signature_of(entry: BibEntry) -> _Signature:
    return entry.body.derived("work", _signature)


def _index(bibliography: Bibliography) -> _Index:
    return bibliography.derived("works", _build)


def _suspects(bibliography: Bibliography) -> frozenset[tuple[str, int]]:
    return _index(bibliography).suspects


def _find_same_work(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    work = _signature_of(entry)
    for other in _index(bibliography).by_title.get(work.title, ()):
        if (other.path, other.start) == (entry.path, entry.start):
            return
        theirs = _signature_of(other)
        if entry.key == other.key or not _same_work(work, theirs):
            continue
        span = entry.key_span
        by_doi = work.doi and work.doi == theirs.doi
        shared = "title and DOI" if by_doi else "title, first author and year"
        message = f"`{entry.key}` and `{other.key}` have the same {shared}: one work under two keys."
        place = Related(other.key_span, f"the entry `{other.key}`")
        yield Spot(message, None, span.start, span.end, None if by_doi else Severity.INFORMATION, also=(place,))
        return


def _same_work(left: _Signature, right: _Signature) -> bool:
    if left.doi and right.doi:
        return left.doi == right.doi
    if left.words < _FEWEST_WORDS or not left.family or left.family != right.family:
        return False
    return left.year is not None and left.year == right.year


def _find_shared_doi(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    item, work = entry.field("doi"), _signature_of(entry)
    sharing = _index(bibliography).by_doi.get(work.doi, ())
    if item is None or not sharing:
        return
    other = sharing[0]
    title, other_title = work.title, _signature_of(other).title
    if (other.path, other.start) == (entry.path, entry.start) or entry.key == other.key or not title or not other_title:
        return
    if title.startswith(other_title) or other_title.startswith(title):
        return
    severity = Severity.INFORMATION if entry.kind in _PARTS and other.kind in (*_PARTS, "book") else None
    start, end = whole_value(item)
    message = f"The DOI also stands in `{other.key}`, which has another title. A DOI belongs to one work."
    place = Related(other.key_span, f"the entry `{other.key}`")
    field = other.field("doi")
    if field is not None:
        place = Related(Span(other.path, *whole_value(field)), f"the DOI of `{other.key}`")
    yield Spot(message, "doi", start, end, severity, also=(place,))


SAME_WORK_TWICE = Rule(
    "BIB040",
    "same-work-twice",
    alone=False,
    severity=Severity.WARNING,
    summary="one work under two keys.",
    flags="An entry that has title and DOI, or (as information) title, first author and year, in common with an "
    "earlier one.",
    matters="The work is printed twice in the list of references and cited under two numbers.",
    silent="When the DOIs differ, when years differ (a preprint and its publication are two entries), on titles "
    "of one or two "
    "words without a DOI, and on equal keys (duplicate-key).",
    examples=(
        BibExample(
            "Title and DOI",
            "@misc{a, title={Deep {L}earning}, doi={10.1038/NATURE14539}}\n"
            "@misc{b, title={Deep learning}, doi={https://doi.org/10.1038/nature14539}}",
            ("b",),
        ),
        BibExample(
            "Title, author, year",
            "@article{a, title={On the Form of Things}, author={Smith, A.}, year=2020}\n"
            "@misc{b, title={On the form of things}, author={Adam Smith}, year={2020}}",
            ("b",),
        ),
        BibExample(
            "Two works of one title",
            "@article{a, title={Deep Learning}, author={LeCun, Y.}, year=2015}\n"
            "@book{b, title={Deep Learning}, author={Goodfellow, I.}, year=2016}",
        ),
        BibExample(
            "Two parts",
            "@article{a, title={On the Form of Things, Part I}, author={Smith, A.}, year=2020}\n"
            "@article{b, title={On the Form of Things, Part II}, author={Smith, A.}, year=2020}",
        ),
    ),
    find=_find_same_work,
    suspects=_suspects,
)

SHARED_DOI = Rule(
    "BIB041",
    "shared-doi",
    alone=False,
    severity=Severity.WARNING,
    summary="one DOI on two works.",
    flags="An entry whose DOI an earlier entry with another title has.",
    matters="At least one of the two entries points to the wrong work.",
    silent="When one title begins with the other, and on equal keys.  Chapters with the DOI of their book are "
    "only information.",
    examples=(
        BibExample(
            "Two titles",
            "@article{a, title={On Forms}, doi={10.1000/x1}}\n@article{b, title={Of Matter}, doi={doi:10.1000/X1}}",
            ("doi:10.1000/X1",),
        ),
        BibExample(
            "A subtitle more",
            "@article{a, title={On Forms}, doi={10.1000/x1}}\n@article{b, title={On Forms: A Study}, doi={10.1000/x1}}",
        ),
        BibExample(
            "Two DOIs", "@misc{a, title={On Forms}, doi={10.1000/x1}}\n@misc{b, title={Of Matter}, doi={10.1000/x2}}"
        ),
    ),
    find=_find_shared_doi,
    suspects=_suspects,
)
