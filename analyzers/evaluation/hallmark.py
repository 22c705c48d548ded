"""HALLMARK scoring: how many invented entries are flagged, and how many valid ones wrongly (P. Reizinger, MIT).

Every entry is judged alone.  Over half of the hallucinated entries share a title or DOI with a valid one of the same
file, so comparing entries would be cheating.  Flagged means: verdict mismatch, conflict or likely fabricated, or a
check of the entry alone at warning or above; the same rule holds for valid entries.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from analyzers.citations.record import Entry, entry_from_fields
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.evaluation.intervals import wilson

VALID = "VALID"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled entry; `kind` is its hallucination type, or VALID."""

    entry: Entry
    kind: str
    fields: Mapping[str, str] = field(hash=False)

    @property
    def valid(self) -> bool:
        """Whether it is labelled valid."""
        return self.kind == VALID


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `total` with a 95 % Wilson interval (E. B. Wilson, JASA 22, 1927); no value for an empty total."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        """The share, or None for an empty total."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval, or None for an empty total."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True, slots=True)
class TypeResult:
    """The outcome for one type: how many were flagged, verified, left unverifiable, and flagged by a lint alone."""

    kind: str
    flagged: Rate
    verified: Rate
    unverifiable: Rate
    lint_only: Rate


@dataclass(frozen=True, slots=True)
class HallmarkResult:
    """All types in the order of their names, valid entries apart, and all hallucinated ones together."""

    valid: TypeResult
    hallucinated: TypeResult
    types: tuple[TypeResult, ...]


def read_labelled(lines: Iterable[str]) -> Iterator[Labelled]:
    """The labelled entries of HALLMARK's JSON lines; lines without fields or label are skipped."""
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        fields = row.get("fields") if isinstance(row, dict) else None
        if not isinstance(fields, dict) or row.get("label") not in (VALID, "HALLUCINATED"):
            continue
        values = {name: value for name, value in fields.items() if isinstance(value, str)}
        entry = entry_from_fields(str(row.get("bibtex_type") or "misc"), str(row.get("bibtex_key") or ""), values)
        kind = VALID if row["label"] == VALID else str(row.get("hallucination_type") or "unknown")
        yield Labelled(entry, kind, values)


def score(judged: Iterable[tuple[Labelled, Verdict, bool]]) -> HallmarkResult:
    """Rates of (entry, its verdict, whether a check of the entry alone fires at warning or above)."""
    by_kind: defaultdict[str, list[tuple[Verdict, bool]]] = defaultdict(list)
    for labelled, verdict, linted in judged:
        by_kind[labelled.kind].append((verdict, linted))
    kinds = sorted(kind for kind in by_kind if kind != VALID)
    everything = [row for kind in kinds for row in by_kind[kind]]
    return HallmarkResult(
        _result(VALID, by_kind[VALID]),
        _result("HALLUCINATED", everything),
        tuple(_result(kind, by_kind[kind]) for kind in kinds),
    )


def _result(kind: str, rows: list[tuple[Verdict, bool]]) -> TypeResult:
    def rate(hits: int) -> Rate:
        return Rate(hits, len(rows))

    return TypeResult(
        kind,
        flagged=rate(sum(verdict.flagged or linted for verdict, linted in rows)),
        verified=rate(sum(verdict.kind is VerdictKind.VERIFIED for verdict, _ in rows)),
        unverifiable=rate(sum(verdict.kind is VerdictKind.UNVERIFIABLE for verdict, _ in rows)),
        lint_only=rate(sum(linted and not verdict.flagged for verdict, linted in rows)),
    )
