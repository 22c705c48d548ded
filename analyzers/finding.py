"""The finding: what every producer yields.  Plain data in editor terms (offsets and strings)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from analyzers.fixes import Fix
from analyzers.text.spans import Span

EvidenceValue = str | int | float | bool | None | list[str]
_NOTHING: Mapping[str, EvidenceValue] = MappingProxyType({})


class Tier(StrEnum):
    """How well a finding is supported (DESIGN section 7); it sets the highest severity a check may have."""

    PROVED = "proved"
    LINKED = "linked"
    CANDIDATE = "candidate"
    REVIEWED = "reviewed"


class Severity(StrEnum):
    """Severity as editors know it; compare with `rank`, where a smaller number is more severe."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"

    @property
    def rank(self) -> int:
        """0 for error to 3 for hint."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Related:
    """The other side of a contradiction, or any second place the reader has to see."""

    span: Span
    message: str

    def moved(self, path: str, by: int) -> "Related":
        """The same related place in another frame of reference."""
        return replace(self, span=self.span.moved(path, by))


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    `fingerprint` identifies the finding across edits and runs; the driver fills it in, since only it knows the surroundings.
    `evidence` holds plain values that explain the finding (for hovers and the JSON report).
    """

    code: str
    message: str
    span: Span
    tier: Tier
    severity: Severity
    name: str = ""
    related: tuple[Related, ...] = ()
    evidence: Mapping[str, EvidenceValue] = field(default_factory=lambda: _NOTHING, hash=False)
    fixes: tuple[Fix, ...] = ()
    origin: str = "rule"
    fingerprint: str = ""

    def moved(self, path: str, by: int) -> "Finding":
        """The finding with all its places and fixes moved from block-relative to file offsets."""
        return replace(
            self,
            span=self.span.moved(path, by),
            related=tuple(place.moved(path, by) for place in self.related),
            fixes=tuple(fix.moved(path, by) for fix in self.fixes),
        )


@dataclass(frozen=True, slots=True)
class Note:
    """Why something stayed silent, or what could not be read; never a fault of the manuscript's content."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair (or more) of single sentences, cells or captions that may contradict each other; no diagnostic by itself."""

    code: str
    score: float
    reason: str
    places: tuple[Span, ...]
