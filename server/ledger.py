"""The ledger of a workspace: the points of all reviews, what became of them, and the reviews they came from.

`.counterclaim/review.json` holds text of the review and sentences of the manuscript, and nothing else leaves the workspace.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from analyzers.review.anchors import Anchor, Places, Unit, settled
from analyzers.review.points import Importance, Point, PointKind
from analyzers.review.stats import Acceptance, Judgement, acceptance
from analyzers.review.tracking import State, Tracked, moved
from analyzers.text.spans import Span
from server.ledger_file import Content, LedgerFile


@dataclass(frozen=True, slots=True)
class Record:
    """One review as the ledger remembers it.  `made` is a date and time in ISO format."""

    id: str
    root: str
    made: str
    reviewer: str
    models: tuple[str, ...] = ()
    form: str = ""
    recommendation: str = ""
    scores: Mapping[str, float] | None = None
    cost_microusd: int | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    complete: bool = True
    dropped_anchors: int = 0
    notes: tuple[str, ...] = ()
    prompts: int = 0
    """The version of the prompts, so that reviews by other wordings can be told apart."""


class Ledger:
    """The points of one workspace.  Used on one thread."""

    def __init__(self, workspace: Path | None, now: Callable[[], str]) -> None:
        """`now` gives the time in ISO format."""
        self._file = LedgerFile(workspace)
        self._now = now
        self._content: Content | None = None
        self._points: dict[str, Tracked] = {}
        self.version = 0
        """Counts what changed in memory, so that what is made from the points is made anew only after a change."""

    @property
    def altered(self) -> bool:
        """Whether someone else has changed the file since it was read."""
        return self._file.altered

    def points(self, root: str | None = None) -> tuple[Tracked, ...]:
        """Every point that can be read, of one root or all."""
        self._load()
        return tuple(point for point in self._points.values() if root is None or point.root == root)

    def get(self, name: str) -> Tracked | None:
        """The point with an id."""
        self._load()
        return self._points.get(name)

    def records(self) -> tuple[Record, ...]:
        """The reviews, oldest first."""
        self._load()
        assert self._content is not None
        read = [_record(name, value) for name, value in self._content["reviews"].items()]
        return tuple(sorted((record for record in read if record is not None), key=lambda record: record.made))

    def add(self, record: Record, points: Iterable[Tracked]) -> int:
        """Takes the points of a review; a point that is known keeps what became of it.  Returns how many were new."""
        given = {item.point.id: item for item in points}
        new = 0

        def edit(content: Content) -> None:
            nonlocal new
            content["reviews"][record.id] = {**content["reviews"].get(record.id, {}), **_record_json(record)}
            for name, item in given.items():
                known = content["points"].get(name)
                if known is None:
                    new += 1
                    content["points"][name] = {"review": record.id, "made": record.made, **_json(item)}
                elif isinstance(known, dict):
                    known["views"] = list(dict.fromkeys((*known.get("views", []), *item.point.views)))

        self._change(edit)
        return new

    def judge(self, name: str, judgement: Judgement, reason: str = "") -> Tracked | None:
        """The author's opinion of a point; a dismissed point is shown no more, an accepted one stays open."""
        state = State.DISMISSED if judgement is Judgement.DISMISSED else None
        return self._set(name, judgement=judgement, reason=reason, state=state)

    def address(self, name: str, reason: str = "") -> Tracked | None:
        """The author has settled a point: it counts as accepted unless judged otherwise."""
        known = self.get(name)
        judged = known.judgement if known is not None and known.judgement is not Judgement.NONE else Judgement.ACCEPTED
        return self._set(name, judgement=judged, reason=reason, state=State.ADDRESSED)

    def reopen(self, name: str) -> Tracked | None:
        """A point is open again and unjudged."""
        return self._set(name, judgement=Judgement.NONE, reason="", state=State.OPEN)

    def rechecked(self, name: str, settled_now: bool, reason: str, seen: str) -> Tracked | None:
        """What a re-check said: settled points are addressed; others stay open, about the text of now."""
        known = self.get(name)
        if known is None:
            return None
        anchors = tuple(settled(anchor) for anchor in known.anchors)
        state = State.ADDRESSED if settled_now else None
        return self._set(name, reason=reason, state=state, anchors=anchors, rechecked=seen)

    def move(self, places: Places, root: str) -> tuple[Tracked, ...]:
        """Finds every anchor of a root again, in memory: what only moved is written with the next real change."""
        self._load()
        touched = []
        for name, item in self._points.items():
            if item.root == root and (now := moved(item, places)) is not item:
                self._points[name] = now
                touched.append(now)
        self.version += bool(touched)
        return tuple(touched)

    def save(self) -> None:
        """Writes where the anchors are now."""
        points = dict(self._points)

        def edit(content: Content) -> None:
            for name, item in points.items():
                known = content["points"].get(name)
                if not isinstance(known, dict):
                    continue
                known["anchors"] = _anchors_json(item, known)
                # Only these follow from the text; what another editor has decided meanwhile stands.
                if {known.get("state"), item.state.value} <= {State.OPEN.value, State.STALE.value}:
                    known["state"] = item.state.value

        self._change(edit)

    def clear(self, root: str | None = None, keep_judged: bool = True) -> int:
        """Forgets the points of a root, those that the author has judged only when asked to; returns how many went."""
        gone: list[str] = []

        def edit(content: Content) -> None:
            for name, value in list(content["points"].items()):
                item = _tracked(name, value)
                if item is None or (root is not None and item.root != root):
                    continue
                if keep_judged and (item.judgement is not Judgement.NONE or item.state is State.ADDRESSED):
                    continue
                del content["points"][name]
                gone.append(name)

        self._change(edit)
        return len(gone)

    def statistics(self) -> Mapping[str, Acceptance]:
        """The comment acceptance rate by section of the review."""
        return acceptance((item.point.kind.value, item.judgement) for item in self.points())

    def _set(self, name: str, state: State | None = None, **changes: Any) -> Tracked | None:
        known = self.get(name)
        if known is None:
            return None
        now = replace(known, **({**changes, "state": state} if state is not None else changes))

        def edit(content: Content) -> None:
            value = content["points"].get(name)
            if isinstance(value, dict):
                value.update(_json(now) if "anchors" in changes else _status_json(now))
                value["changed"] = self._now()

        self._change(edit)
        return self._points.get(name)

    def _change(self, edit: Callable[[Content], None]) -> None:
        before = self._points
        self.version += 1
        self._content = self._file.change(edit)
        self._points = {
            name: replace(item, anchors=before[name].anchors) if name in before and _same(item, before[name]) else item
            for name, item in _read_points(self._content).items()
        }

    def _load(self) -> None:
        if self._content is None or self._file.altered:
            before = self._points
            self.version += 1
            self._content = self._file.read()
            self._points = {
                name: replace(item, anchors=before[name].anchors)
                if name in before and _same(item, before[name])
                else item
                for name, item in _read_points(self._content).items()
            }


def _same(item: Tracked, known: Tracked) -> bool:
    """Whether the anchors in memory are the newer ones of the same texts."""
    return [anchor.original for anchor in item.anchors] == [anchor.original for anchor in known.anchors]


# --- as JSON


def _json(item: Tracked) -> dict[str, Any]:
    point = item.point
    return {
        "section": point.kind.value,
        "root": item.root,
        "text": point.text,
        "importance": point.importance.value,
        **({"effort": point.effort} if point.effort else {}),
        **({"sides": point.sides} if point.sides else {}),
        "views": list(point.views),
        **_status_json(item),
        "anchors": [_anchor_json(anchor) for anchor in item.anchors],
        "about": list(item.about),
        **({"also": [other.text for other in point.also]} if point.also else {}),
    }


def _status_json(item: Tracked) -> dict[str, Any]:
    return {
        "state": item.state.value,
        "judgement": item.judgement.value,
        "reason": item.reason,
        **({"rechecked": item.rechecked} if item.rechecked else {}),
    }


def _anchor_json(anchor: Anchor) -> dict[str, Any]:
    return {
        "file": anchor.span.path,
        "start": anchor.span.start,
        "end": anchor.span.end,
        "unit": anchor.unit.value,
        "section": anchor.section,
        "text": anchor.text,
        "original": anchor.original,
        "hash": anchor.hash,
        "before": anchor.before,
        "after": anchor.after,
        **({"row": anchor.row} if anchor.row else {}),
        "gone": anchor.gone,
    }


def _anchors_json(item: Tracked, known: Mapping[str, Any]) -> list[Any]:
    """The anchors as they are now over those on disk, whose unknown fields stay."""
    before = known.get("anchors")
    old = before if isinstance(before, list) and len(before) == len(item.anchors) else [{}] * len(item.anchors)
    return [
        {**(there if isinstance(there, dict) else {}), **_anchor_json(anchor)}
        for there, anchor in zip(old, item.anchors, strict=True)
    ]


def _read_points(content: Content) -> dict[str, Tracked]:
    read = {name: _tracked(name, value) for name, value in content["points"].items()}
    return {name: item for name, item in read.items() if item is not None}


def _tracked(name: str, value: Any) -> Tracked | None:
    """The point in an entry, None when it has a shape of a later version; then it stays on disk as it is."""
    try:
        anchors = tuple(_anchor(anchor) for anchor in value.get("anchors", ()))
        point = Point(
            PointKind(value["section"]),
            str(value["text"]),
            # Ids of a script live as long as its review; here the places name themselves.
            tuple(f"{anchor.span.path}:{anchor.span.start}" for anchor in anchors),
            Importance(value.get("importance", Importance.MAJOR)),
            tuple(str(view) for view in value.get("views", ())),
            tuple(Point(PointKind(value["section"]), str(text)) for text in value.get("also", ())),
            int(value.get("sides", 0)),
            str(value.get("effort", "")),
            name,
        )
        return Tracked(
            point,
            anchors,
            str(value.get("root", "")),
            State(value.get("state", State.OPEN)),
            Judgement(value.get("judgement", "")),
            str(value.get("reason", "")),
            tuple(str(text) for text in value.get("about", ())),
            str(value.get("rechecked", "")),
        )
    except (KeyError, ValueError, TypeError, AttributeError):
        return None


def _anchor(value: Mapping[str, Any]) -> Anchor:
    span = Span(str(value["file"]), int(value["start"]), int(value["end"]))
    texts = {
        name: str(value.get(name, "")) for name in ("text", "hash", "section", "before", "after", "row", "original")
    }
    return Anchor(span, Unit(value.get("unit", Unit.SENTENCE)), gone=value.get("gone") is True, **texts)


def _record_json(record: Record) -> dict[str, Any]:
    value = asdict(record)
    del value["id"]
    return {**value, "models": list(record.models), "notes": list(record.notes)}


def _record(name: str, value: Any) -> Record | None:
    try:
        return Record(
            name,
            str(value["root"]),
            str(value["made"]),
            str(value.get("reviewer", "")),
            tuple(value.get("models", ())),
            str(value.get("form", "")),
            str(value.get("recommendation", "")),
            {str(key): float(score) for key, score in (value.get("scores") or {}).items()},
            value.get("cost_microusd"),
            int(value.get("input_tokens", 0)),
            int(value.get("output_tokens", 0)),
            value.get("complete") is not False,
            int(value.get("dropped_anchors", 0)),
            tuple(str(note) for note in value.get("notes", ())),
            int(value.get("prompts", 0)),
        )
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
