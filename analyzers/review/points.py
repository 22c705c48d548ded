"""The point: one thing a review says, pinned to places of the manuscript."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2s

from analyzers.review.script import Script


class PointKind(StrEnum):
    """The section of the review that a point stands in."""

    STRENGTH = "strength"
    WEAKNESS = "weakness"
    QUESTION = "question"
    TODO = "to-do"
    CONTRADICTION = "contradiction"


class Importance(StrEnum):
    """How much hangs on a point, in the reviewer's judgement."""

    MAJOR = "major"
    MINOR = "minor"


@dataclass(frozen=True, slots=True)
class Point:
    """One statement of a review.

    `anchors` are ids of the script that exist; without any the point is about the whole paper.  `sides` is, for a
    contradiction, how many of the first anchors belong to its first side.  `also` are points that say the same and were folded
    into this one; nothing is deleted.  `views` says which readings made it, such as `review 1`.
    """

    kind: PointKind
    text: str
    anchors: tuple[str, ...] = ()
    importance: Importance = Importance.MAJOR
    views: tuple[str, ...] = ()
    also: tuple["Point", ...] = ()
    sides: int = 0
    effort: str = ""
    id: str = ""

    def identified(self) -> "Point":
        """The same point with an id that follows from what it says and where."""
        name = "\x00".join((self.kind, " ".join(self.text.split()), *self.anchors))
        return replace(self, id=blake2s(name.encode("utf-8", "replace"), digest_size=6).hexdigest())


@dataclass(slots=True)
class Dropped:
    """What a model said of places that do not exist, and what could not be read: counted, never shown as fact."""

    anchors: int = 0
    points: int = 0
    unknown: list[str] = field(default_factory=list)

    def add(self, other: "Dropped") -> None:
        """Counts of another answer on top."""
        self.anchors += other.anchors
        self.points += other.points
        self.unknown += other.unknown[: max(0, 20 - len(self.unknown))]


_ID = re.compile(r"[a-z]\d+(?:[a-z]\d+){0,2}")
_MAX_ANCHORS = 8


def existing(given: object, script: Script, dropped: Dropped) -> tuple[str, ...]:
    """The ids among `given` that the script has, in their order and once each; the others are dropped and counted."""
    found: dict[str, None] = {}
    items: Iterable[object] = given if isinstance(given, list | tuple) else ()
    for item in items:
        name = item.strip().strip("[]() ").lower() if isinstance(item, str) else ""
        if _ID.fullmatch(name) and name in script.places:
            found[name] = None
        else:
            dropped.anchors += 1
            if len(dropped.unknown) < 20:
                dropped.unknown.append(name[:20])
    return tuple(found)[:_MAX_ANCHORS]
