"""What a header says of its column or row: role, direction, unit, metric."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from analyzers.facts.quantities.model import Unit
from analyzers.facts.quantities.units import unit_named
from analyzers.facts.tables.model import Direction, Role


@dataclass(frozen=True, slots=True)
class HeaderWords:
    """The word lists of `data/headers.json`."""

    higher: frozenset[str]
    lower: frozenset[str]
    hyper: frozenset[str]
    avg: frozenset[str]
    total: frozenset[str]
    count: frozenset[str]
    delta: frozenset[str]
    spread: frozenset[str]
    id: frozenset[str]
    things: frozenset[str]
    metrics: frozenset[str]
    percent_like: frozenset[str]
    lower_is_better: frozenset[str]
    higher_is_better: frozenset[str]
    units: frozenset[str]


@lru_cache(maxsize=1)
def header_words() -> HeaderWords:
    """The word lists, read once."""
    data = json.loads(files("analyzers.facts.data").joinpath("headers.json").read_text("utf-8"))
    names = HeaderWords.__dataclass_fields__
    return HeaderWords(**{name: frozenset(data[name]) for name in names})


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one header text says; `role` is `unknown` and `metric` None when it says nothing."""

    role: Role = Role.UNKNOWN
    direction: Direction = Direction.UNKNOWN
    unit: Unit | None = None
    metric: str | None = None


_UP, _DOWN = frozenset("↑▲△⇑"), frozenset("↓▼▽⇓")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]")
_CLEAN = re.compile(r"[↑↓▲▼△▽⇑⇓∗*†‡⋆]|\\?%|[(\[][^()\[\]]*[)\]]")
_SPACES = re.compile(r"\s+")
_IN_UNIT = re.compile(r"(?:,\s*|\bin\s+|/\s*)([^\s,()]{1,12}(?:\s?/\s?\w+)?)\s*$")


def meaning(text: str, directions: Mapping[str, Direction] | None = None) -> Meaning:
    """Read one header text.  `directions` are the user's own metric names (lower case) and override the word lists."""
    return _meaning(text) if not directions else _overridden(text, directions)


@lru_cache(maxsize=4096)
def _meaning(text: str) -> Meaning:
    words = header_words()
    unit = header_unit(text)
    name = clean_header(text)
    direction = _arrow(text)
    metric, known = _metric(name, words)
    if direction is Direction.UNKNOWN:
        direction = known
    return Meaning(_role(text, name, metric, direction, words), direction, unit, metric)


def _overridden(text: str, directions: Mapping[str, Direction]) -> Meaning:
    found = _meaning(text)
    own = directions.get(clean_header(text))
    if own is None:
        return found
    return Meaning(Role.METRIC if found.role is Role.UNKNOWN else found.role, own, found.unit, clean_header(text))


def clean_header(text: str) -> str:
    """A header text in lower case without arrows, marks, units and brackets."""
    return _SPACES.sub(" ", _CLEAN.sub(" ", text)).strip(" .:,;/-–").lower()


def header_unit(text: str) -> Unit | None:
    """The unit in a header: "Latency (ms)", "Accuracy (%)", "Time [s]", "Size in MB", "Recall %"."""
    for match in _BRACKETS.finditer(text):
        inner = match[1].strip().removeprefix("in ").strip("↑↓, ")
        unit = unit_named(inner)
        if unit is not None:
            return unit
    if "%" in text:
        return unit_named("%")
    tail = _IN_UNIT.search(text)
    return unit_named(tail[1]) if tail is not None else None


def _arrow(text: str) -> Direction:
    up, down = any(sign in _UP for sign in text), any(sign in _DOWN for sign in text)
    if up == down:
        return Direction.UNKNOWN
    return Direction.HIGHER if up else Direction.LOWER


def _metric(name: str, words: HeaderWords) -> tuple[str | None, Direction]:
    """The known metric in a header: the whole text, else its last or first words."""
    if not name or len(name) > 60:
        return None, Direction.UNKNOWN
    parts = name.split()
    tries = [name]
    if len(parts) > 1:
        tries += (
            [" ".join(parts[-2:]), parts[-1], " ".join(parts[:2]), parts[0]]
            if len(parts) > 2
            else [parts[-1], parts[0]]
        )
    for attempt in (part.strip(".:,") for part in tries):
        if len(attempt) < 2 and attempt != name:
            continue
        if attempt in words.lower and attempt in words.higher:
            continue
        if attempt in words.lower:
            return attempt, Direction.LOWER
        if attempt in words.higher:
            return attempt, Direction.HIGHER
        if attempt in words.hyper:
            return None, Direction.UNKNOWN
    return None, Direction.UNKNOWN


def _role(text: str, name: str, metric: str | None, direction: Direction, words: HeaderWords) -> Role:
    parts = name.split()
    dotted = name + "."
    if "Δ" in text or "∆" in text:
        return Role.DELTA
    for role, known in (
        (Role.AVG, words.avg), (Role.TOTAL, words.total), (Role.DELTA, words.delta), (Role.SPREAD, words.spread),
        (Role.COUNT, words.count), (Role.HYPER, words.hyper), (Role.ID, words.id),
    ):  # fmt: skip
        if name and (name in known or dotted in known) and not (len(name) == 1 and text.strip()[:1] in "TZPRW"):
            # "Language (ppl) ↓": an arrow makes a column of results, whatever its name.
            return Role.METRIC if role is Role.ID and _arrow(text) is not Direction.UNKNOWN else role
    if parts and parts[0] in words.avg and metric is not None:
        return Role.AVG
    if parts and parts[0] in ("rel", "abs"):
        return Role.DELTA
    if parts and parts[-1] in ("count", "counts", "anzahl"):
        return Role.COUNT
    if text.lstrip().startswith("#") or name.startswith(("number of", "no. of", "num ", "# ")):
        return Role.COUNT
    if metric is not None or direction is not Direction.UNKNOWN:
        return Role.METRIC
    return Role.UNKNOWN


def caption_direction(text: str) -> Direction:
    """What a caption says outright: "lower is better"."""
    words = header_words()
    lowered = text.lower()
    low = any(phrase in lowered for phrase in words.lower_is_better)
    high = any(phrase in lowered for phrase in words.higher_is_better)
    if low == high:
        return Direction.UNKNOWN
    return Direction.LOWER if low else Direction.HIGHER


_WORD = re.compile(r"[A-Za-z][\w@-]*(?:[- ](?:score|rate|error))?")


@lru_cache(maxsize=1024)
def caption_meaning(text: str) -> Meaning:
    """The one metric that a caption speaks of, with its unit; nothing when there are none or they disagree."""
    words = header_words()
    found: dict[str, Direction] = {}
    first = ""
    for match in _WORD.finditer(text[:600]):
        name = match[0].lower()
        for attempt in (name, name.split()[0], name.rstrip("s")):
            if len(attempt) < 2 or attempt in _COMMON:
                continue
            direction = (
                Direction.LOWER if attempt in words.lower else Direction.HIGHER if attempt in words.higher else None
            )
            if direction is not None:
                found.setdefault(attempt, direction)
                first = first or attempt
                break
    if not found or len(set(found.values())) != 1:
        return Meaning()
    arrow = _arrow(text)
    direction = arrow if arrow is not Direction.UNKNOWN else found[first]
    return Meaning(Role.METRIC, direction, header_unit(text), first)


# Metric names that are everyday words too; in running text they say nothing.
_COMMON = frozenset(
    ("is", "time", "size", "score", "quality", "coverage", "return", "distance", "gap", "power", "price", "is_error",
    "add",
     "far", "per", "success", "exact", "lift", "memory", "agreement", "correlation", "map", "violation", "violations",
     "bias", "solved", "efficiency", "cost", "error", "errors", "cer", "precision", "fluency", "coherence",
     "relevance", "gain", "er", "energy", "loss", "f", "ap", "ari", "sr", "hd", "ap", "mad", "ate", "ace", "sus",
     "reward", "helpfulness")
)  # fmt: skip
