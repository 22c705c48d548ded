"""Answer schemas of the review, and reading what came back: places that do not exist are dropped and counted.

All passes of a review share one schema on purpose: providers put the schema in front of the prompt, so that another schema
would throw away the cached manuscript.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzers.review.form import Form
from analyzers.review.points import Dropped, Importance, Point, PointKind, existing
from analyzers.review.port import JsonValue
from analyzers.review.script import Script

_MAX_POINTS = 40
_MAX_TEXT = 4_000
_MAX_NOTE = 1_200
NOTE_KINDS = ("outline", "claim", "evidence", "assumption", "gap", "strength", "weakness", "question")


def _object(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": items}


_TEXT: dict[str, JsonValue] = {"type": "string"}
_IDS: dict[str, JsonValue] = {"type": "array", "items": {"type": "string"}}


def review_schema(form: Form) -> Mapping[str, JsonValue]:
    """The answer of every pass of a review under a form."""
    importance: dict[str, JsonValue] = {"type": "string", "enum": [item.value for item in Importance]}
    point = _object({"text": _TEXT, "anchors": _IDS, "importance": importance})
    todo = _object({"text": _TEXT, "anchors": _IDS, "effort": {"type": "string", "enum": ["minutes", "hours", "days"]}})
    note = _object({"kind": {"type": "string", "enum": list(NOTE_KINDS)}, "text": _TEXT, "anchors": _IDS})
    names: list[JsonValue] = [scale.name for scale in form.scales]
    score = _object({"name": {"type": "string", "enum": names}, "value": {"type": "number"}})
    return _object({
        "notes": _array(note),
        "strengths": _array(point),
        "weaknesses": _array(point),
        "questions": _array(point),
        "recommendation": _TEXT,
        "scores": _array(score),
        "todo": _array(todo),
    })  # fmt: skip


SUMMARY_SCHEMA: Mapping[str, JsonValue] = _object({"items": _array(_object({"text": _TEXT, "anchors": _IDS}))})
"""The answer of the appendix agent."""

CONFLICTS_SCHEMA: Mapping[str, JsonValue] = _object({
    "conflicts": _array(_object({"first": _IDS, "second": _IDS, "reason": _TEXT})),
    "ledger": _array(_object({"ids": _IDS, "statement": _TEXT})),
})  # fmt: skip
"""The answer of whoever looks for contradictions; `ledger` carries statements on to the next window."""

VERDICTS_SCHEMA: Mapping[str, JsonValue] = _object({
    "verdicts": _array(
        _object({
            "pair": _TEXT,
            "both_can_be_true": {"type": "boolean"},
            "conflicting": _IDS,
            "explanation": _TEXT,
        })
    )
})  # fmt: skip
"""The answer of the verifier."""

RECHECK_SCHEMA: Mapping[str, JsonValue] = _object({
    "addressed": {"type": "string", "enum": ["yes", "partly", "no"]},
    "explanation": _TEXT,
})  # fmt: skip
"""The answer to whether a point is settled by a change."""


@dataclass(frozen=True, slots=True)
class Note:
    """A working note of an earlier pass."""

    kind: str
    text: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """One review.  `scores` has only values that the form knows; a missing score is missing, never a guess."""

    points: tuple[Point, ...] = ()
    recommendation: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def of(self, kind: PointKind) -> tuple[Point, ...]:
        """The points of one section."""
        return tuple(point for point in self.points if point.kind is kind)


_SECTIONS = (
    ("strengths", PointKind.STRENGTH),
    ("weaknesses", PointKind.WEAKNESS),
    ("questions", PointKind.QUESTION),
    ("todo", PointKind.TODO),
)


def read_review(data: JsonValue, script: Script, form: Form, view: str = "") -> tuple[Review, Dropped]:
    """The review in an answer.  Whatever has another shape than the schema is passed over and counted."""
    dropped = Dropped()
    if not isinstance(data, dict):
        dropped.points += 1
        return Review(), dropped
    points: list[Point] = []
    for name, kind in _SECTIONS:
        for item in _items(data.get(name), dropped):
            text = _text(item.get("text"), _MAX_TEXT)
            if not text:
                dropped.points += 1
                continue
            importance = item.get("importance")
            points.append(
                Point(
                    kind,
                    text,
                    existing(item.get("anchors"), script, dropped),
                    Importance(importance) if importance in set(Importance) else Importance.MAJOR,
                    (view,) if view else (),
                    effort=_text(item.get("effort"), 20),
                ).identified()
            )
    notes = tuple(
        Note(str(item.get("kind", "")), text, existing(item.get("anchors"), script, dropped))
        for item in _items(data.get("notes"), dropped)
        if (text := _text(item.get("text"), _MAX_NOTE)) and item.get("kind") in NOTE_KINDS
    )
    return Review(
        tuple(points), _text(data.get("recommendation"), 2 * _MAX_TEXT), _scores(data.get("scores"), form), notes
    ), dropped


def _items(value: JsonValue, dropped: Dropped) -> list[dict[str, JsonValue]]:
    if not isinstance(value, list):
        return []
    found = [item for item in value if isinstance(item, dict)]
    dropped.points += len(value) - len(found) + max(0, len(found) - _MAX_POINTS)
    return found[:_MAX_POINTS]


def _text(value: object, limit: int) -> str:
    return value.strip()[:limit] if isinstance(value, str) else ""


def _scores(value: JsonValue, form: Form) -> dict[str, float]:
    scales = {scale.name: scale for scale in form.scales}
    found: dict[str, float] = {}
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            continue
        name, given = item.get("name"), item.get("value")
        if not isinstance(name, str) or name not in scales or isinstance(given, bool):
            continue
        if isinstance(given, int | float) and (score := scales[name].nearest(given)) is not None:
            found.setdefault(name, score)
    return found
