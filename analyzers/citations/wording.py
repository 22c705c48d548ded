"""Verdicts in words: what differs, where, both sides, what to do.  No accusation: sources have or have not a record."""

from analyzers.citations.matching import Difference
from analyzers.citations.record import Entry, Record
from analyzers.citations.verdict import Verdict, VerdictKind

_LONGEST = 160
_FIELD_NAMES = {
    "title": "title",
    "author": "authors",
    "year": "year",
    "booktitle": "venue",
    "journal": "venue",
    "journaltitle": "venue",
    "eventtitle": "venue",
    "maintitle": "venue",
    "doi": "DOI",
    "eprint": "arXiv id",
    "pages": "pages",
}
# Why an entry could not be verified, and what would settle it.
UNVERIFIABLE_REASONS = {
    "OFFLINE": "no online source was asked; allow online look-ups, or add the work to the index",
    "SOURCE_DOWN": "a source did not answer; try again later",
    "GREY_LITERATURE": "works of this kind are rarely indexed; add a DOI or address",
    "TOO_NEW": "it is too new for the sources; check it by hand",
    "OLD": "it is older than what the sources cover; check it by hand",
    "NON_LATIN_NOT_COVERED": "the sources hardly cover titles in this script; add a DOI",
    "TRANSLATED": "it is a translation, which the sources record under other titles; add a DOI or ISBN",
    "SHORT_TITLE": "its title is too short to be searched for; add a DOI",
    "AMBIGUOUS": "the sources hold another work, or several, of this title; add a DOI",
    "ANONYMOUS": "it names no authors",
    "NO_METADATA": "it gives too little to be searched for",
    "BUDGET": "the budget for look-ups is spent",
    "NOT_COVERED": "no source that was asked covers works of this kind; add a DOI",
}
NOTES = {
    "PREPRINT_PUBLISHED": "the preprint is cited; it has been published",
    "OTHER_VERSION": "the record is of another version (conference or journal)",
    "SUBTITLE": "the titles differ in the subtitle",
    "AUTHOR_ORDER": "the authors stand in another order",
    "AUTHOR_GROUP": "a group is named instead of its members, or the other way round",
    "GIVEN_NAME": "a given name differs",
}


def shortened(text: str) -> str:
    """`text`, cut in the middle of nothing: at most a line."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def cited(record: Record) -> str:
    """A record in one line: title, first author, year, venue."""
    first = record.authors[0] if record.authors else ""
    by = f" by {first}{' et al.' if len(record.authors) > 1 else ''}" if first else ""
    place = ", ".join(filter(None, (shortened(record.venue)[:80], str(record.year or ""))))
    return f"“{shortened(record.title)}”{by}{f' ({place})' if place else ''}"


def difference_text(difference: Difference) -> str:
    """One differing field with both sides."""
    name = _FIELD_NAMES.get(difference.name, difference.name)
    if difference.code == "AUTHORS_MISSING":
        return f"authors are missing: given {shortened(difference.given)}; found {shortened(difference.found)}"
    if difference.code == "IDENTIFIER_OF_VOLUME":
        return f"{name} {shortened(difference.given)} belongs to the whole volume “{shortened(difference.found)}”"
    if difference.code == "DOI_REGISTRANT":
        found = f"the record has {difference.found}" if difference.found else "the record has no DOI"
        prefix = difference.given.split("/", 1)[0]
        return f"DOI {shortened(difference.given)}: no work of this venue is registered under {prefix}; {found}"
    return f"{name}: given {shortened(difference.given)}; found {shortened(difference.found) or 'none'}"


def describe(entry: Entry, verdict: Verdict) -> str:
    """The verdict in one or two sentences."""
    record = verdict.record
    source = f" ({record.source})" if record is not None and record.source else ""
    if verdict.kind is VerdictKind.VERIFIED:
        notes = "; ".join(NOTES[code] for code in verdict.reasons if code in NOTES)
        return f"Verified{source}{f': {notes}' if notes else ''}."
    if verdict.kind is VerdictKind.CONFLICT and record is not None:
        identifier = verdict.fields[0].given if verdict.fields else entry.doi or entry.arxiv_id
        return (
            f"{shortened(identifier)} leads to another work: {cited(record)}{source}, not to “{shortened(entry.title)}”. "
            "Correct the identifier or the entry."
        )
    if verdict.kind is VerdictKind.MISMATCH:
        differences = "; ".join(map(difference_text, verdict.fields))
        return f"Differs from the record{source}: {differences}."
    if verdict.kind is VerdictKind.LIKELY_FABRICATED:
        if record is not None:
            return (
                f"“{shortened(entry.title)}” is recorded with wholly other authors{source}: "
                f"{'; '.join(map(difference_text, verdict.fields))}. Check the entry against the work."
            )
        return (
            f"No record found in {', '.join(verdict.answered)}. Check that the work exists, or add its DOI or address."
        )
    reasons = [UNVERIFIABLE_REASONS[code] for code in verdict.reasons if code in UNVERIFIABLE_REASONS]
    down = ", ".join(f"{name}: {reason}" for name, reason in verdict.unavailable)
    return f"Could not be verified: {'; '.join(reasons)}{f' ({down})' if down else ''}."


_SUMMARY = (
    (VerdictKind.VERIFIED, "verified"),
    (VerdictKind.MISMATCH, "mismatch"),
    (VerdictKind.CONFLICT, "conflict"),
    (VerdictKind.LIKELY_FABRICATED, "without a matching record"),
    (VerdictKind.UNVERIFIABLE, "unverifiable"),
)


def summary_line(verdicts: "list[Verdict] | tuple[Verdict, ...]") -> str:
    """The line for a status item: “31 verified · 2 mismatch · 4 unverifiable (Crossref down)”."""
    parts = []
    for kind, text in _SUMMARY:
        count = sum(verdict.kind is kind for verdict in verdicts)
        if count:
            parts.append(f"{count} {text}")
    down = sorted({name for verdict in verdicts for name, _ in verdict.unavailable})
    line = " · ".join(parts) or "no entries"
    return f"{line} ({', '.join(down)} down)" if down else line
