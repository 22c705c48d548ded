"""Recorded exchanges: a `Model` that plays them back, one that records, and one that answers from a function.

A recording is a UTF-8 file of JSON lines.  The first line is its head,

    {"format": "counterclaim-exchanges", "version": 1, "origin": "who or what wrote the answers"}

and each further line is one exchange:

    {"request": {"digest": "…", "role": "review", "epoch": 0, "purpose": ""}, "outcome": {"kind": "answered", "text": ""}}

`digest` is `codec.request_digest`; with it stands `content`, the whole request, when the recorder was told to keep
prompts. `outcome` has the fields of `Outcome`; those that are missing have their default.  An exchange without a digest
answers the next request of its role that no digest matches, so that a recording can be written by hand.  Equal digests
are played in the order of the file, and the last of them repeats.
"""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analyzers.review.port import JsonValue, Model, ModelRequest, Outcome, OutcomeKind, Role, Usage
from clients.models.codec import outcome_from_json, outcome_to_json, request_digest, request_to_json
from clients.models.estimate import upper_bound

FORMAT = "counterclaim-exchanges"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded call.  `digest` is None in what was written by hand: it then answers the next call of its role."""

    role: Role
    outcome: Outcome
    digest: str | None = None
    epoch: int = 0
    purpose: str = ""


class RecordingError(Exception):
    """A file that is no recording; the message names the line."""


def load(path: Path) -> tuple[Exchange, ...]:
    """The exchanges of a file.  A last line that was cut off while it was written is passed over.

    Raises OSError, and RecordingError for a file that is no recording.
    """
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    head = _parsed(lines[0])
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RecordingError(f"{path.name} is no recording of exchanges: its first line has no format {FORMAT}.")
    if head.get("version") != VERSION:
        raise RecordingError(f"{path.name} has version {head.get('version')}; version {VERSION} is known here.")
    exchanges: list[Exchange] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        exchange = _exchange(_parsed(line))
        if exchange is not None:
            exchanges.append(exchange)
        elif number < len(lines):
            raise RecordingError(f"{path.name}, line {number}: no exchange can be read from it.")
    return tuple(exchanges)


class ReplayModel:
    """Plays exchanges back.  `requests` are those it was asked, in their order."""

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._known: dict[str, deque[Outcome]] = {}
        self._next: dict[Role, deque[Outcome]] = {}
        self.requests: list[ModelRequest] = []
        for exchange in exchanges:
            if exchange.digest is not None:
                self._known.setdefault(exchange.digest, deque()).append(exchange.outcome)
            else:
                self._next.setdefault(exchange.role, deque()).append(exchange.outcome)

    @classmethod
    def from_file(cls, path: Path) -> "ReplayModel":
        """Of a recording.  Raises as `load` does."""
        return cls(load(path))

    async def ask(self, request: ModelRequest) -> Outcome:
        """The recorded outcome, UNAVAILABLE when there is none."""
        self.requests.append(request)
        await asyncio.sleep(0)
        outcomes = self._known.get(request_digest(request))
        if outcomes:
            return replace(outcomes.popleft() if len(outcomes) > 1 else outcomes[0], replayed=True)
        following = self._next.get(request.role)
        if following:
            return replace(following.popleft(), replayed=True)
        what = f"{request.role} ({request.purpose})" if request.purpose else request.role.value
        return Outcome(OutcomeKind.UNAVAILABLE, detail=f"The recording holds no answer to this request: {what}.")

    async def count(self, request: ModelRequest) -> int:
        """An upper bound: a recording has no tokenizer."""
        return upper_bound(request)


class RecordingModel:
    """Passes requests on and appends what came back to a file, one line per call, flushed at once.

    The answers hold what the model wrote about the manuscript, and `prompts` keeps the manuscript too: the file belongs
    where the manuscript does.
    """

    def __init__(self, model: Model, path: Path, origin: str = "", prompts: bool = False) -> None:
        self._model = model
        self._path = path
        self._prompts = prompts
        if not path.exists() or path.stat().st_size == 0:
            head = {"format": FORMAT, "version": VERSION, "origin": origin}
            path.write_text(json.dumps(head, ensure_ascii=False) + "\n", encoding="utf-8")

    async def ask(self, request: ModelRequest) -> Outcome:
        """The outcome of the model behind."""
        outcome = await self._model.ask(request)
        about: dict[str, Any] = {
            "digest": request_digest(request),
            "role": request.role.value,
            "epoch": request.epoch,
            "purpose": request.purpose,
        }
        if self._prompts:
            about["content"] = request_to_json(request)
        # ASCII, because an answer may hold half of a surrogate pair, which no encoding takes.
        line = json.dumps({"request": about, "outcome": outcome_to_json(outcome)})
        with self._path.open("a", encoding="ascii") as file:
            file.write(line + "\n")
        return outcome

    async def count(self, request: ModelRequest) -> int:
        """The count of the model behind."""
        return await self._model.count(request)


Answer = Outcome | JsonValue


class ScriptedModel:
    """Answers from a function: for tests, and for measuring what reviewers send.

    The function gives an `Outcome`, or what the answer is to be: text, or JSON data when the request has a schema.
    It may be a coroutine function.  The usage is then estimated from the lengths; `requests` keeps every request.
    """

    def __init__(self, answer: Callable[[ModelRequest], Answer | Awaitable[Answer]], name: str = "scripted") -> None:
        self._answer = answer
        self._name = name
        self.requests: list[ModelRequest] = []

    async def ask(self, request: ModelRequest) -> Outcome:
        """What the function says."""
        self.requests.append(request)
        given = self._answer(request)
        answer: Answer = await given if isinstance(given, Awaitable) else given
        await asyncio.sleep(0)
        if isinstance(answer, Outcome):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        usage = Usage(input_tokens=upper_bound(request), output_tokens=len(text) // 3 + 1, calls=1)
        data = answer if request.schema is not None else None
        return Outcome(OutcomeKind.ANSWERED, text=text, data=data, usage=usage, model=self._name)

    async def count(self, request: ModelRequest) -> int:
        """An upper bound."""
        return upper_bound(request)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _exchange(value: Any) -> Exchange | None:
    if not isinstance(value, dict) or not isinstance(value.get("request"), dict):
        return None
    about = value["request"]
    outcome = outcome_from_json(value.get("outcome"))
    if outcome is None or about.get("role") not in set(Role):
        return None
    name, epoch = about.get("digest"), about.get("epoch", 0)
    return Exchange(
        Role(about["role"]),
        outcome,
        name if isinstance(name, str) else None,
        epoch if isinstance(epoch, int) else 0,
        str(about.get("purpose", "")),
    )
