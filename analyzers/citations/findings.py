"""Verdicts as findings at the entry.

| code | name | severity | tier |
|---|---|---|---|
| BIB050 | identifier-of-another-work | error | proved |
| BIB051 | no-record-found | warning | linked |
| BIB052 | differs-from-record | warning for title and authors, else information | linked |
| BIB053 | retracted-work | warning | linked |

Verified and unverifiable entries give no finding.
"""

from collections.abc import Iterator

from analyzers.citations.record import Entry, entry_from_fields
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.citations.wording import cited, describe
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.bibliography import BibEntry, Bibliography, resolved_fields
from analyzers.text.spans import Span

IDENTIFIER_CONFLICT = ("BIB050", "identifier-of-another-work")
NO_RECORD = ("BIB051", "no-record-found")
DIFFERS = ("BIB052", "differs-from-record")
RETRACTED = ("BIB053", "retracted-work")
_GRAVE = frozenset({"TITLE", "AUTHORS", "AUTHORS_DISJOINT", "AUTHORS_MISSING"})
_FLAG_TEXT = {
    "retracted": "This work has been retracted",
    "withdrawn": "This work has been withdrawn",
    "concern": "An expression of concern has been published about this work",
}


def entry_of(entry: BibEntry, bibliography: Bibliography) -> Entry:
    """The entry as matching reads it, with what it inherits from a `crossref` or `xdata` parent."""
    fields = {name: item.value for name, item in resolved_fields(entry, bibliography).items()}
    return entry_from_fields(entry.kind, entry.key, fields)


def verdict_findings(entry: BibEntry, verified: Entry, verdict: Verdict) -> Iterator[Finding]:
    """The findings of one entry; the span is the value of the first differing field, else the key."""
    evidence: dict[str, str | int | float | bool | list[str] | None] = {
        "verdict": str(verdict.kind),
        "reasons": list(verdict.reasons),
        "answered": list(verdict.answered),
        "unavailable": [name for name, _ in verdict.unavailable],
    }
    if verdict.record is not None:
        evidence["record"] = cited(verdict.record)
        evidence["address"] = verdict.record.url
    for flag in verdict.flags:
        message = f"{_FLAG_TEXT.get(flag, flag)}: {cited(verdict.record) if verdict.record else verified.title}."
        yield Finding(
            RETRACTED[0], message, entry.key_span, Tier.LINKED, Severity.WARNING, RETRACTED[1], evidence=evidence
        )
    if not verdict.flagged:
        return
    (code, name), tier, severity = _code(verdict)
    yield Finding(code, describe(verified, verdict), _span(entry, verdict), tier, severity, name, evidence=evidence)


def _code(verdict: Verdict) -> tuple[tuple[str, str], Tier, Severity]:
    if verdict.kind is VerdictKind.CONFLICT:
        return IDENTIFIER_CONFLICT, Tier.PROVED, Severity.ERROR
    if verdict.kind is VerdictKind.LIKELY_FABRICATED:
        return NO_RECORD, Tier.LINKED, Severity.WARNING
    grave = any(difference.code in _GRAVE for difference in verdict.fields)
    return DIFFERS, Tier.LINKED, Severity.WARNING if grave else Severity.INFORMATION


def _span(entry: BibEntry, verdict: Verdict) -> Span:
    for difference in verdict.fields:
        field = entry.field(difference.name)
        if field is not None and field.value_end > field.value_start:
            return Span(entry.path, field.value_start, field.value_end)
    return entry.key_span
