"""Requests and outcomes as plain JSON, and the digest that names a request."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from analyzers.review.port import Image, JsonValue, ModelRequest, Outcome, OutcomeKind, Segment, Source, Usage


def canonical(value: Any) -> str:
    """JSON with sorted keys and without spaces: equal values give equal text, also with lone surrogates in them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def request_to_json(request: ModelRequest) -> dict[str, JsonValue]:
    """Everything that makes a request the one it is; not `purpose`, which is never sent."""
    return {
        "role": request.role.value,
        "system": _segments(request.system),
        "turns": [{"speaker": turn.speaker.value, "segments": _segments(turn.segments)} for turn in request.turns],
        "schema": dict(request.schema) if request.schema is not None else None,
        "schema_name": request.schema_name,
        "max_output_tokens": request.max_output_tokens,
        "epoch": request.epoch,
        "web_searches": request.web_searches,
    }


def request_digest(request: ModelRequest) -> str:
    """The name of a request, whatever model it goes to; marks for the provider's cache make no difference."""
    content = request_to_json(request)
    content["system"] = [segment.text for segment in request.system]
    content["turns"] = [[turn.speaker.value, *(segment.text for segment in turn.segments)] for turn in request.turns]
    images = [_image(segment.image) for turn in request.turns for segment in turn.segments if segment.image is not None]
    if images:
        content["images"] = images
    return digest(content)


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON; `outcome_from_json` reads it back."""
    return {
        "kind": outcome.kind.value,
        "text": outcome.text,
        "data": outcome.data,
        "usage": asdict(outcome.usage),
        "model": outcome.model,
        "cost_microusd": outcome.cost_microusd,
        "detail": outcome.detail,
        "usage_is_bound": outcome.usage_is_bound,
        "retry_after": outcome.retry_after,
        "request_id": outcome.request_id,
        "sources": [{"title": source.title, "url": source.url} for source in outcome.sources],
    }


def outcome_from_json(value: Any, replayed: bool = False) -> Outcome | None:
    """The outcome, None when `value` is none.  Fields of a later version are passed over."""
    if not isinstance(value, Mapping):
        return None
    try:
        kind = OutcomeKind(value["kind"])
    except (KeyError, ValueError):
        return None
    text, model, detail = (value.get(name, "") for name in ("text", "model", "detail"))
    if not all(isinstance(item, str) for item in (text, model, detail)):
        return None
    return Outcome(
        kind,
        text=text,
        data=value.get("data"),
        usage=_usage(value.get("usage")),
        model=model,
        cost_microusd=_whole(value.get("cost_microusd")),
        replayed=replayed,
        detail=detail,
        usage_is_bound=value.get("usage_is_bound") is True,
        retry_after=_number(value.get("retry_after")),
        request_id=value["request_id"] if isinstance(value.get("request_id"), str) else "",
        sources=_sources(value.get("sources")),
    )


def _segments(segments: tuple[Segment, ...]) -> list[JsonValue]:
    found: list[JsonValue] = []
    for segment in segments:
        one: dict[str, JsonValue] = {"text": segment.text, "cached": segment.cached}
        if segment.image is not None:
            one["image"] = _image(segment.image)
        found.append(one)
    return found


def _image(image: Image) -> JsonValue:
    """What names an image: its bytes are not kept with requests."""
    return [image.media_type, hashlib.sha256(image.data).hexdigest()]


def _usage(value: Any) -> Usage:
    given = value if isinstance(value, Mapping) else {}
    return Usage(**{field.name: _whole(given.get(field.name)) or 0 for field in fields(Usage)})


def _sources(value: Any) -> tuple[Source, ...]:
    items = value if isinstance(value, list) else []
    pairs = [(item.get("title"), item.get("url")) for item in items if isinstance(item, Mapping)]
    return tuple(Source(title, url) for title, url in pairs if isinstance(title, str) and isinstance(url, str))


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
