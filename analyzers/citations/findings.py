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
from analyzers.rule_text import RuleText
from analyzers.text.spans import Span

IDENTIFIER_CONFLICT = RuleText(
    "BIB050",
    "identifier-of-another-work",
    Severity.ERROR,
    Tier.PROVED,
    "the DOI or arXiv id of an entry leads to another work.",
    "An entry whose own identifier leads to a record with another title and other authors.",
    "Readers who follow the reference land on a paper that says something else; it is the surest sign of an invented or "
    "mixed-up reference.",
    "When any source has the entry's own title under the identifier, when the record is the volume that the work stands "
    "in (that is a difference), and when no source was asked.",
)
NO_RECORD = RuleText(
    "BIB051",
    "no-record-found",
    Severity.WARNING,
    Tier.LINKED,
    "no source that should have the work has a record of it.",
    "An entry whose identifier does not exist and whose title no competent source has; whose title none of at least two "
    "competent online sources has; or whose title two sources hold under wholly other authors.",
    "References that cannot be found are a reason for rejection at several venues.",
    "Offline; when a source was down; for reports, theses, software and web pages; for works of this year or before 1990; "
    "for short titles, titles in scripts that the sources do not cover, and translations.",
)
DIFFERS = RuleText(
    "BIB052",
    "differs-from-record",
    Severity.WARNING,
    Tier.LINKED,
    "an entry differs from the record of the work it cites.",
    "Changed words of the title, missing, added or renamed authors (warning); another year, venue, page range or an unknown "
    "DOI registrant (information).",
    "Wrong metadata costs the cited authors their citation and the reader the way to the work.",
    "For another order of authors, one year's difference, a preprint of the published work, a journal version of a "
    "conference paper, another numbering of the same pages, and `and others`.",
)
RETRACTED = RuleText(
    "BIB053",
    "retracted-work",
    Severity.WARNING,
    Tier.LINKED,
    "a cited work has been retracted, withdrawn, or is under concern.",
    "An entry whose record carries a retraction, a withdrawal or an expression of concern.",
    "A claim that rests on a retracted work needs another support, or a word on the retraction.",
    "When no source that knows of retractions answered.",
)
VERDICT_RULES = (IDENTIFIER_CONFLICT, NO_RECORD, DIFFERS, RETRACTED)
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
            RETRACTED.code,
            message,
            entry.key_span,
            RETRACTED.tier,
            RETRACTED.severity,
            RETRACTED.name,
            evidence=evidence,
        )
    if not verdict.flagged:
        return
    rule, severity = _rule(verdict)
    message = describe(verified, verdict)
    yield Finding(rule.code, message, _span(entry, verdict), rule.tier, severity, rule.name, evidence=evidence)


def _rule(verdict: Verdict) -> tuple[RuleText, Severity]:
    if verdict.kind is VerdictKind.CONFLICT:
        return IDENTIFIER_CONFLICT, Severity.ERROR
    if verdict.kind is VerdictKind.LIKELY_FABRICATED:
        return NO_RECORD, Severity.WARNING
    grave = any(difference.code in _GRAVE for difference in verdict.fields)
    return DIFFERS, Severity.WARNING if grave else Severity.INFORMATION


def _span(entry: BibEntry, verdict: Verdict) -> Span:
    for difference in verdict.fields:
        field = entry.field(difference.name)
        if field is not None and field.value_end > field.value_start:
            return Span(entry.path, field.value_start, field.value_end)
    return entry.key_span
