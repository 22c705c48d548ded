"""A review as JSON.  Version 1 is a contract: other programs read it."""

import json
from typing import Any

from analyzers.review.tracking import Tracked
from analyzers.text.spans import Span
from server.report.review_model import ReviewReport, caveats

VERSION = 1


def review_document(report: ReviewReport) -> dict[str, Any]:
    """One object for one root."""
    return {
        "version": VERSION,
        "root": report.root,
        "title": report.title,
        "complete": report.complete,
        "reviews": [
            {
                "id": record.id,
                "made": record.made,
                "reviewer": record.reviewer,
                "form": record.form,
                "models": list(record.models),
                "recommendation": record.recommendation,
                "scores": dict(record.scores or {}),
                "usage": {"input_tokens": record.input_tokens, "output_tokens": record.output_tokens},
                "cost_microusd": record.cost_microusd,
                "dropped_anchors": record.dropped_anchors,
                "complete": record.complete,
            }
            for record in report.records
        ],
        "points": [_point(report, item) for item in report.points],
        "todo": [item.point.id for item in report.todo()],
        "verification": {"refuted": report.refuted, "undecided": report.undecided},
        "notes": list(caveats(report)),
    }


def render_review_json(report: ReviewReport) -> str:
    """The document on one line; several roots make JSON Lines."""
    return json.dumps(review_document(report), ensure_ascii=True) + "\n"


def _point(report: ReviewReport, item: Tracked) -> dict[str, Any]:
    point = item.point
    return {
        "id": point.id,
        "section": point.kind.value,
        "text": point.text,
        "importance": point.importance.value,
        "effort": point.effort,
        "severity": report.severity(item).value,
        "distance": report.hops(item),
        "state": item.state.value,
        "judgement": item.judgement.value,
        "reason": item.reason,
        "whole_paper": not item.anchors,
        "changed": item.changed,
        "views": list(point.views),
        "also": [other.text for other in point.also],
        "sides": point.sides,
        "places": [
            {
                "file": anchor.span.path,
                "start": _position(report, anchor.span, anchor.span.start),
                "end": _position(report, anchor.span, anchor.span.end),
                "gone": anchor.gone,
            }
            for anchor in item.anchors
        ],
    }


def _position(report: ReviewReport, span: Span, offset: int) -> dict[str, int]:
    position = report.at(span.path, offset)
    if position is None:
        return {"offset": offset}
    return {"offset": offset, "line": position[0], "column": position[1]}
