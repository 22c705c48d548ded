"""Rules that compare works: the same work under two keys, one DOI on two works."""

from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True)
class _Work:
    entry: BibEntry
    signature: _Signature


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
    works: dict[tuple[str, int], _Work]
    first_by_doi: dict[str, _Work]
    by_title: dict[str, list[_Work]]
    suspects: frozenset[tuple[str, int]]


def _build(bibliography: Bibliography) -> _Index:
    works: dict[tuple[str, int], _Work] = {}
    first_by_doi: dict[str, _Work] = {}
    by_title: dict[str, list[_Work]] = {}
    for entry in bibliography.entries:
        work = _Work(entry, entry.body.derived("work", _signature))
        works[entry.path, entry.start] = work
        if work.signature.doi:
            first_by_doi.setdefault(work.signature.doi, work)
        if work.signature.title:
            same = by_title.setdefault(work.signature.title, [])
            # A title that fifty works share (an editorial) is not compared further; that would be quadratic.
            if len(same) < 50:
                same.append(work)
    suspects = {
        place for place, work in works.items() if work.signature.doi and first_by_doi[work.signature.doi] is not work
    }
    for same in by_title.values():
        if len(same) > 1:
            suspects.update((work.entry.path, work.entry.start) for work in same)
    return _Index(works, first_by_doi, by_title, frozenset(suspects))


def _index(bibliography: Bibliography) -> _Index:
    return bibliography.derived("works", _build)


def _suspects(bibliography: Bibliography) -> frozenset[tuple[str, int]]:
    return _index(bibliography).suspects


def _find_same_work(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    index = _index(bibliography)
    work = index.works.get((entry.path, entry.start))
    if work is None or not work.signature.title:
        return
    for other in index.by_title[work.signature.title]:
        if other is work:
            return
        if entry.key == other.entry.key or not _same_work(work.signature, other.signature):
            continue
        span = entry.key_span
        by_doi = work.signature.doi and work.signature.doi == other.signature.doi
        shared = "title and DOI" if by_doi else "title, first author and year"
        message = f"`{entry.key}` and `{other.entry.key}` have the same {shared}: one work under two keys."
        severity = None if by_doi else Severity.INFORMATION
        place = Related(other.entry.key_span, f"the entry `{other.entry.key}`")
        yield Spot(message, None, span.start, span.end, severity, also=(place,))
        return


def _same_work(left: _Signature, right: _Signature) -> bool:
    if left.doi and right.doi:
        return left.doi == right.doi
    if left.words < _FEWEST_WORDS or not left.family or left.family != right.family:
        return False
    return left.year is not None and left.year == right.year


def _find_shared_doi(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    index = _index(bibliography)
    work = index.works.get((entry.path, entry.start))
    item = entry.field("doi")
    if work is None or item is None or not work.signature.doi:
        return
    other = index.first_by_doi[work.signature.doi]
    title, other_title = work.signature.title, other.signature.title
    if other is work or entry.key == other.entry.key or not title or not other_title:
        return
    if title.startswith(other_title) or other_title.startswith(title):
        return
    severity = Severity.INFORMATION if entry.kind in _PARTS and other.entry.kind in (*_PARTS, "book") else None
    start, end = whole_value(item)
    message = f"The DOI also stands in `{other.entry.key}`, which has another title. A DOI belongs to one work."
    place = Related(other.entry.key_span, f"the entry `{other.entry.key}`")
    field = other.entry.field("doi")
    if field is not None:
        place = Related(Span(other.entry.path, *whole_value(field)), f"the DOI of `{other.entry.key}`")
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
