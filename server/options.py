"""What the editor tells the server: options at the start, and settings that may change at any time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

SECTION = "counterclaim"
_EDITOR_ONLY = frozenset(
    {"run", "rules", "interpreter", "path", "serverArgs", "llm", "logLevel", "trace", "citations", "graph", "numbers"}
)
_DEFAULT_PAUSE = 0.25
_LONGEST_PAUSE = 60.0


class Run(StrEnum):
    """When the manuscript is analysed."""

    ON_TYPE = "onType"
    ON_SAVE = "onSave"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Options:
    """The options in force.

    `pause` is the time in seconds without typing before the whole project is analysed, `status` whether the client
    wants to be told of each analysis, `trusted` False for a folder that the user does not trust; `settings` has the
    names of `counterclaim.toml`; `index` is the path of another local index of published works (`citations.index`);
    `graph` and `numbers` say which lenses and hints are shown (`graph.lenses`, `graph.hints`, `numbers.hints`).
    """

    run: Run = Run.ON_TYPE
    pause: float = _DEFAULT_PAUSE
    status: bool = False
    trusted: bool = True
    settings: Mapping[str, object] = field(default_factory=dict)
    index: str = ""
    graph: Mapping[str, object] = field(default_factory=dict)
    numbers: Mapping[str, object] = field(default_factory=dict)


def at_start(value: Any) -> Options:
    """The options in the initialization options; whatever has an odd shape is left at its default."""
    given = value if isinstance(value, Mapping) else {}
    options = Options()
    pause = given.get("pause")
    if isinstance(pause, int | float) and not isinstance(pause, bool) and pause >= 0:
        options = replace(options, pause=min(pause / 1000, _LONGEST_PAUSE))
    options = replace(options, status=given.get("status") is True, trusted=given.get("trusted") is not False)
    return with_settings(options, given.get(SECTION, given.get("settings")))


def with_settings(options: Options, value: Any) -> Options:
    """The options after the client's settings section became `value`, which may be null or anything else."""
    given = value if isinstance(value, Mapping) else {}
    if isinstance(given.get(SECTION), Mapping):
        given = given[SECTION]
    settings = {str(key): _plain(item) for key, item in given.items() if key not in _EDITOR_ONLY and item is not None}
    rules = given.get("rules")
    disabled = rules.get("disabled") if isinstance(rules, Mapping) else None
    if isinstance(disabled, list | tuple) and disabled:
        checks = settings.get("checks")
        known = checks if isinstance(checks, Mapping) else {}
        ignored = known.get("ignore", [])
        settings["checks"] = {**known, "ignore": [*ignored, *disabled] if isinstance(ignored, list) else [*disabled]}
    citations = given.get("citations")
    index = citations.get("index") if isinstance(citations, Mapping) else None
    run = given.get("run")
    index = index if isinstance(index, str) else ""
    shown = {name: _plain(given[name]) for name in ("graph", "numbers") if isinstance(given.get(name), Mapping)}
    return replace(
        options,
        run=Run(run) if run in set(Run) else Run.ON_TYPE,
        settings=settings,
        index=index,
        graph=shown.get("graph", {}),
        numbers=shown.get("numbers", {}),
    )


def _plain(value: Any) -> Any:
    """JSON as the reader of settings expects it: lists for tuples, no nulls in tables."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
