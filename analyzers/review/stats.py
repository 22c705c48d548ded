"""Comment acceptance rate: how many of a review's points the author took up.

Source: the human study of “Beyond Imitation”, which gives agreed / reported without a rule for neutral votes.  Here reported is
accepted + dismissed, neutral and unjudged points stand apart, and without any reported point there is no rate.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Judgement(StrEnum):
    """What the author thinks of a point."""

    ACCEPTED = "accepted"
    DISMISSED = "dismissed"
    NEUTRAL = "neutral"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Counts of one section, and the rate where it is defined."""

    section: str
    accepted: int = 0
    dismissed: int = 0
    neutral: int = 0
    unjudged: int = 0

    @property
    def reported(self) -> int:
        """Points that were judged one way or the other."""
        return self.accepted + self.dismissed

    @property
    def rate(self) -> float | None:
        """The comment acceptance rate from 0 to 1; None without a reported point."""
        return self.accepted / self.reported if self.reported else None


def acceptance(judged: Iterable[tuple[str, Judgement]]) -> Mapping[str, Acceptance]:
    """By section, in alphabetical order, and `all` last: the acceptance of points given as (section, judgement)."""
    counts: dict[str, dict[Judgement, int]] = {}
    for section, judgement in judged:
        counts.setdefault(section, dict.fromkeys(Judgement, 0))[judgement] += 1
    found = {section: _of(section, counts[section]) for section in sorted(counts)}
    total = {judgement: sum(count[judgement] for count in counts.values()) for judgement in Judgement}
    return {**found, "all": _of("all", total)}


def _of(section: str, counts: Mapping[Judgement, int]) -> Acceptance:
    return Acceptance(
        section,
        counts[Judgement.ACCEPTED],
        counts[Judgement.DISMISSED],
        counts[Judgement.NEUTRAL],
        counts[Judgement.NONE],
    )
