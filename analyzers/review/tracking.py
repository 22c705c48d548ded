"""Points over time: what became of each, where it stands now, and how it is shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.graph.schema import Graph
from analyzers.review.anchors import Anchor, Places
from analyzers.review.points import Importance, Point, PointKind
from analyzers.review.script import Script
from analyzers.review.stats import Judgement
from analyzers.text.spans import Span

Distance = Callable[[Span], int | None]
"""Hops from a place to the nearest main claim, None when nothing is known."""


class State(StrEnum):
    """What became of a point."""

    OPEN = "open"
    ADDRESSED = "addressed"
    DISMISSED = "dismissed"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Tracked:
    """A point with its anchors in the manuscript, what became of it and what the author thinks of it.

    `about` are the lines it was made about as they were printed then: a re-check sends these, since the source of a sentence may
    hold more than readers see.
    """

    point: Point
    anchors: tuple[Anchor, ...]
    root: str
    state: State = State.OPEN
    judgement: Judgement = Judgement.NONE
    reason: str = ""
    about: tuple[str, ...] = ()
    rechecked: str = ""  # the texts that the last re-check saw, as a hash: the same question is not asked twice

    @property
    def changed(self) -> bool:
        """Whether the text of an anchor has changed since the point was made."""
        return any(anchor.changed for anchor in self.anchors)

    @property
    def here(self) -> tuple[Anchor, ...]:
        """The anchors whose text still stands."""
        return tuple(anchor for anchor in self.anchors if not anchor.gone)


CODES: Mapping[PointKind, tuple[str, str]] = {
    PointKind.WEAKNESS: ("REV001", "review-weakness"),
    PointKind.QUESTION: ("REV002", "review-question"),
    PointKind.TODO: ("REV003", "review-todo"),
    PointKind.CONTRADICTION: ("REV004", "review-contradiction"),
}
_FINGERPRINT = "review-"
_HIGHEST = {
    PointKind.WEAKNESS: Severity.WARNING,
    PointKind.CONTRADICTION: Severity.WARNING,
    PointKind.QUESTION: Severity.INFORMATION,
    PointKind.TODO: Severity.INFORMATION,
}


def track(points: Iterable[Point], script: Script, places: Places, root: str) -> tuple[Tracked, ...]:
    """Points with anchors; an anchor whose place no sentence holds is left out."""
    found = []
    for point in points:
        spans = [script.places[name] for name in point.anchors if name in script.places]
        anchors = [anchor for span in spans if (anchor := places.anchor(span)) is not None]
        about = tuple(line.text for name in point.anchors if (line := script.line_of(name)) is not None)
        found.append(Tracked(point, tuple(anchors), root, about=tuple(dict.fromkeys(about))))
    return tuple(found)


def moved(tracked: Tracked, places: Places) -> Tracked:
    """The point in a new version of the manuscript: stale when all of its text is gone, open again when it came back."""
    if not tracked.anchors or tracked.state in (State.ADDRESSED, State.DISMISSED):
        anchors = tuple(places.again(anchor) for anchor in tracked.anchors)
        return tracked if anchors == tracked.anchors else replace(tracked, anchors=anchors)
    anchors = tuple(places.again(anchor) for anchor in tracked.anchors)
    state = State.STALE if all(anchor.gone for anchor in anchors) else State.OPEN
    if anchors == tracked.anchors and state is tracked.state:
        return tracked
    return replace(tracked, anchors=anchors, state=state)


def graph_distance(graph: Graph) -> Distance:
    """The distance function of a claim graph."""

    def distance(span: Span) -> int | None:
        known = [node.distance for node in graph.at(span.path, span.start, span.end) if node.distance is not None]
        return min(known, default=None)

    return distance


def unknown_distance(_: Span) -> int | None:
    """For manuscripts without a graph."""
    return None


def distance_of(tracked: Tracked, distance: Distance) -> int | None:
    """The least distance of a point's places."""
    known = [hops for anchor in tracked.here if (hops := distance(anchor.span)) is not None]
    return min(known, default=None)


def severity_of(tracked: Tracked, hops: int | None) -> Severity:
    """Severity falls with the distance from the main claims; a minor point is one step lower."""
    ladder = [Severity.WARNING, Severity.INFORMATION, Severity.HINT]
    step = 0 if hops is not None and hops <= 1 else 1 if hops is None or hops <= 3 else 2
    if tracked.point.kind is PointKind.CONTRADICTION and hops is None:
        step = 0  # verified against both places, whatever the graph knows of them
    if tracked.point.importance is Importance.MINOR:
        step += 1
    severity = ladder[min(step, 2)]
    highest = _HIGHEST.get(tracked.point.kind, Severity.HINT)
    return severity if severity.rank >= highest.rank else highest


def findings(tracked: Iterable[Tracked], distance: Distance = unknown_distance) -> Iterator[Finding]:
    """The open points that stand at a place, as findings with the point's other places as related ones."""
    for item in tracked:
        code = CODES.get(item.point.kind)
        here = item.here
        if item.state is not State.OPEN or code is None or not here:
            continue
        hops = distance_of(item, distance)
        both = item.point.kind is PointKind.CONTRADICTION
        related = tuple(
            Related(anchor.span, "the other side" if both else "also here")
            for anchor in here[1:]
            if anchor.span != here[0].span
        )
        yield Finding(
            code[0],
            message_of(item),
            here[0].span,
            Tier.REVIEWED,
            severity_of(item, hops),
            code[1],
            related,
            evidence={"distance": hops, "views": list(item.point.views), "changed": item.changed},
            origin="model",
            fingerprint=fingerprint_of(item),
        )


def fingerprint_of(tracked: Tracked) -> str:
    """The fingerprint of a point's finding."""
    return _FINGERPRINT + tracked.point.id


def id_of(fingerprint: str) -> str | None:
    """The point of a finding's fingerprint, None for findings of other origin."""
    return fingerprint.removeprefix(_FINGERPRINT) if fingerprint.startswith(_FINGERPRINT) else None


_LEADS = {
    PointKind.WEAKNESS: "Weakness",
    PointKind.QUESTION: "Question",
    PointKind.TODO: "To do",
    PointKind.CONTRADICTION: "Contradiction",
    PointKind.STRENGTH: "Strength",
}


def message_of(tracked: Tracked) -> str:
    """What a point says, with what it is and whether its text has changed since."""
    text = f"{_LEADS[tracked.point.kind]}: {tracked.point.text}"
    return f"{text} (The text has changed since: check this point again.)" if tracked.changed else text
