"""Verdicts on citations: what the sources' answers add up to.

Two rules stand above all others: a source that did not answer said nothing, and only positive evidence makes an entry
"likely fabricated".  A verdict never depends on other entries of the file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from analyzers.citations.binding import Binding, telling_title
from analyzers.citations.folding import CJK
from analyzers.citations.matching import Difference, Match, identifier_field, match_record
from analyzers.citations.names import AuthorMatch, compare_authors
from analyzers.citations.record import Entry, Identifier, Record
from analyzers.citations.source import BibliographicSource, Found, NotAsked, NotFound, Outcome, Unavailable
from analyzers.citations.titles import TitleMatch
from analyzers.citations.venues import venue_kind

OLDEST_COVERED = 1990
COMPETENT_SOURCES = 2


class VerdictKind(StrEnum):
    """The five verdicts."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    CONFLICT = "conflict"
    LIKELY_FABRICATED = "likely_fabricated"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class Answer:
    """One question to one source and what came back; `identifier` is None for a search by title."""

    source: BibliographicSource
    identifier: Identifier | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one entry with its evidence.

    `reasons` are codes (why unverifiable, what differs, what was noted); `fields` the differing fields with both values;
    `flags` retracted, withdrawn, concern; `record` the work that was found, or for a conflict the one the identifier
    leads to.  `unavailable` pairs a source's name with why it did not answer.
    """

    kind: VerdictKind
    reasons: tuple[str, ...] = ()
    fields: tuple[Difference, ...] = ()
    flags: tuple[str, ...] = ()
    record: Record | None = None
    asked: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    unavailable: tuple[tuple[str, str], ...] = ()

    @property
    def complete(self) -> bool:
        """False when a source was down: asking again later may say more."""
        return not self.unavailable

    @property
    def flagged(self) -> bool:
        """Whether the verdict speaks against the entry."""
        return self.kind in (VerdictKind.MISMATCH, VerdictKind.CONFLICT, VerdictKind.LIKELY_FABRICATED)


_GREY_KINDS = frozenset(
    "misc online electronic www manual techreport report unpublished booklet phdthesis mastersthesis thesis software "
    "dataset patent standard legislation video audio".split()
)


def judge(entry: Entry, answers: Sequence[Answer], today: date) -> Verdict:
    """The verdict on `entry` from all `answers`; `today` bounds what sources can know already."""
    asked = _names(answers, (Found, NotFound, Unavailable))
    answered = _names(answers, (Found, NotFound))
    down = {answer.source.name: answer.outcome.reason for answer in answers if isinstance(answer.outcome, Unavailable)}
    matches = [
        match_record(entry, record, answer.identifier)
        for answer in answers
        if isinstance(answer.outcome, Found)
        for record in answer.outcome.records
    ]
    kind, reasons, fields, record = _decide(entry, matches, answers, today, bool(down))
    flags = tuple(
        dict.fromkeys(
            flag
            for match in matches
            if match.binding in (Binding.IDENTIFIER, Binding.TITLE) and not _other_work(match)
            for flag in match.record.flags
        )
    )
    return Verdict(kind, reasons, fields, flags, record, asked, answered, tuple(down.items()))


def _names(answers: Iterable[Answer], outcomes: tuple[type, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(answer.source.name for answer in answers if isinstance(answer.outcome, outcomes)))


def _other_work(match: Match) -> bool:
    return match.compared.title.match not in (TitleMatch.SAME, TitleMatch.SUBTITLE, TitleMatch.CHANGED)


_Decision = tuple[VerdictKind, tuple[str, ...], tuple[Difference, ...], Record | None]


def _decide(entry: Entry, matches: list[Match], answers: Sequence[Answer], today: date, down: bool) -> _Decision:
    confirmed = min((m for m in matches if m.confirmed), key=_distance, default=None)
    by_identifier = [m for m in matches if m.binding is Binding.IDENTIFIER]
    # One index may hold a polluted record; a conflict stands only when no source has the entry's title there.
    sound = {m.identifier for m in by_identifier if m.compared.title.match is TitleMatch.SAME}
    conflict = next((m for m in matches if m.binding is Binding.CONFLICT and m.identifier not in sound), None)
    if conflict is not None:
        return VerdictKind.CONFLICT, ("IDENTIFIER_OTHER_WORK",), _conflict_fields(conflict), conflict.record
    if confirmed is not None and not _contradicted(confirmed, by_identifier):
        return VerdictKind.VERIFIED, confirmed.notes, (), confirmed.record
    differing = [m for m in matches if m.binding in (Binding.IDENTIFIER, Binding.TITLE) and m.differences]
    differing += [m for m in matches if m.binding is Binding.TITLE_ONLY and _same_work_by_title(entry, m)]
    if differing:
        best = min(differing, key=_distance)
        codes = (*(difference.code for difference in best.differences), *best.notes)
        if _authors_of_another_work(best) and _attested(best, matches):
            return VerdictKind.LIKELY_FABRICATED, codes, best.differences, best.record
        return VerdictKind.MISMATCH, codes, best.differences, best.record
    if not down and _proved_absent(entry, matches, answers, today):
        return VerdictKind.LIKELY_FABRICATED, ("NO_RECORD",), (), None
    return VerdictKind.UNVERIFIABLE, _why_unverifiable(entry, matches, answers, today, down), (), None


def _contradicted(confirmed: Match, by_identifier: list[Match]) -> bool:
    """Whether the entry's own identifier leads to a record that disagrees in title or authors with a title-bound one."""
    if confirmed.binding is Binding.IDENTIFIER:
        return False
    return any(
        {difference.code for difference in match.differences} & {"TITLE", "AUTHORS", "AUTHORS_DISJOINT"}
        for match in by_identifier
    )


def _distance(match: Match) -> tuple[int, int, int]:
    weight = {"AUTHORS_DISJOINT": 4, "TITLE": 2, "AUTHORS": 3}
    grave = sum(weight.get(difference.code, 1) for difference in match.differences)
    return grave, match.binding is not Binding.IDENTIFIER, len(match.notes)


def _conflict_fields(match: Match) -> tuple[Difference, ...]:
    name = identifier_field(match.identifier) if match.identifier is not None else "doi"
    value = match.identifier.value if match.identifier is not None else ""
    other = Difference(name, value, match.record.title, "IDENTIFIER_OTHER_WORK")
    return (other, *(difference for difference in match.differences if difference.name in ("title", "author")))


def _same_work_by_title(entry: Entry, match: Match) -> bool:
    """A title alone binds when it is long enough, or when year and venue speak for the same work too."""
    return match.compared.placed or telling_title(entry.title)


def _authors_of_another_work(match: Match) -> bool:
    """The title belongs to a real work with wholly other authors, and identifier or place confirm that it is meant."""
    compared = match.compared
    if compared.title.match is not TitleMatch.SAME or compared.authors.match is not AuthorMatch.DISJOINT:
        return False
    return telling_title(match.record.title) and (match.binding is Binding.IDENTIFIER or compared.placed)


def _attested(found: Match, matches: list[Match]) -> bool:
    """Whether more than one source holds the title with these other authors.

    A single index may have swapped the authors of a real paper, and calling that paper invented is the one error that must
    not happen.  (It did happen with a published conference bibliography.)
    """
    sources = {
        match.record.source
        for match in matches
        if _authors_of_another_work(match)
        and compare_authors(match.record.authors, True, found.record.authors).match is not AuthorMatch.DISJOINT
    }
    return len(sources) > 1


def _proved_absent(entry: Entry, matches: list[Match], answers: Sequence[Answer], today: date) -> bool:
    """Cases (a) and (b): every competent source answered and none has the title, and nothing excuses the absence."""
    if any(match.binding is not Binding.NONE for match in matches) or _excuses(entry, today):
        return False
    silent = {
        answer.source.name
        for answer in answers
        if answer.identifier is None
        and answer.source.online
        and answer.source.covers(entry)
        and isinstance(answer.outcome, Found | NotFound)
    }
    unknown_identifier = any(
        isinstance(answer.outcome, NotFound)
        and answer.identifier is not None
        and answer.identifier.scheme in answer.source.authority_for
        for answer in answers
    )
    identifier_exists = any(answer.identifier is not None and isinstance(answer.outcome, Found) for answer in answers)
    skipped = any(isinstance(answer.outcome, NotAsked) and "budget" in answer.outcome.reason for answer in answers)
    if skipped or identifier_exists or not silent:
        return False
    return unknown_identifier or len(silent) >= COMPETENT_SOURCES


def _excuses(entry: Entry, today: date) -> list[str]:
    """Why the absence of an entry's title from every source would prove nothing."""
    excuses: list[str] = []
    if not entry.title:
        return ["NO_METADATA"]
    if not entry.authors:
        excuses.append("ANONYMOUS")
    if entry.kind in _GREY_KINDS or (not entry.venue and not entry.identifiers and entry.kind != "book"):
        excuses.append("GREY_LITERATURE")
    if entry.year is None:
        excuses.append("NO_METADATA")
    elif entry.year >= today.year:
        excuses.append("TOO_NEW")
    elif entry.year < OLDEST_COVERED:
        excuses.append("OLD")
    if not telling_title(entry.title):
        excuses.append("SHORT_TITLE")
    if _not_latin(entry.title):
        excuses.append("NON_LATIN_NOT_COVERED")
    if "translat" in f"{entry.fields.get('note', '')} {entry.fields.get('translator', '')}".lower() or any(
        name in entry.fields for name in ("origtitle", "origlanguage", "translator")
    ):
        excuses.append("TRANSLATED")
    return excuses


def _not_latin(title: str) -> bool:
    letters = [character for character in title if character.isalpha()]
    foreign = sum(1 for character in letters if ord(character) > 0x24F or CJK.match(character))
    return foreign * 2 > len(letters)


def _why_unverifiable(
    entry: Entry, matches: list[Match], answers: Sequence[Answer], today: date, down: bool
) -> tuple[str, ...]:
    reasons: list[str] = []
    if any(match.binding is not Binding.NONE for match in matches):
        reasons.append("AMBIGUOUS")
    if down:
        reasons.append("SOURCE_DOWN")
    if not any(answer.source.online for answer in answers):
        reasons.append("OFFLINE")
    if any(isinstance(answer.outcome, NotAsked) and "budget" in answer.outcome.reason for answer in answers):
        reasons.append("BUDGET")
    reasons.extend(excuse for excuse in _excuses(entry, today) if excuse not in reasons)
    if venue_kind(entry.venue) == "preprint" and not entry.arxiv_id and "GREY_LITERATURE" not in reasons:
        reasons.append("GREY_LITERATURE")
    return tuple(reasons or ("NOT_COVERED",))
