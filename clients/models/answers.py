"""JSON out of what a model wrote, held to the schema that was asked for."""

import importlib
import importlib.util
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from analyzers.review.port import JsonValue
from clients.models.codec import canonical

_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*\r?\n(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_MAX_PROBLEMS = 6
_MAX_WORDS = 300


def can_validate() -> bool:
    """Whether the library that validates is installed; it comes with the extra `models`."""
    return importlib.util.find_spec("jsonschema") is not None


def without_thoughts(text: str) -> str:
    """The text without the thoughts that some local models write before their answer."""
    match = _THOUGHT.match(text)
    return text[match.end() :].lstrip() if match else text


def parsed(text: str, schema: Mapping[str, JsonValue]) -> tuple[JsonValue, str | None]:
    """The answer, and what is wrong with it (None: nothing), in words for the model that wrote it."""
    found, value = _json_in(text)
    if not found:
        return None, "It is not one JSON value."
    problem = problems(value, schema)
    return (value, None) if problem is None else (None, problem)


def problems(value: JsonValue, schema: Mapping[str, JsonValue]) -> str | None:
    """Where a value breaks its schema, None when it does not."""
    lines: list[str] = []
    for error in _validator(canonical(dict(schema))).iter_errors(value):
        lines.append(f"{error.json_path}: {error.message[:_MAX_WORDS]}")
        if len(lines) == _MAX_PROBLEMS:
            break
    return "\n".join(lines) or None


def _json_in(text: str) -> tuple[bool, JsonValue]:
    candidates = [text]
    fenced = _FENCED.findall(text)
    # More than one block leaves open which of them is the answer.
    if len(fenced) == 1:
        candidates.append(fenced[0])
    opening = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=-1)
    closing = max(text.rfind("}"), text.rfind("]"))
    if 0 <= opening < closing:
        candidates.append(text[opening : closing + 1])
    for candidate in candidates:
        try:
            return True, json.loads(candidate, parse_constant=_refuse)
        except (ValueError, RecursionError):
            continue
    return False, None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


@lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    # Loading it takes a tenth of a second, which only those pay who ask a model.
    return importlib.import_module("jsonschema").Draft202012Validator(json.loads(schema))
