"""The two-passage verifier: it sees two passages, never why someone proposed them, and must say that both cannot be true."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzers.review.account import Account
from analyzers.review.contradiction.pairs import Pair, passage, shown
from analyzers.review.points import Dropped, Point, PointKind, existing
from analyzers.review.port import JsonValue, Model, ModelRequest, Role, Segment, Speaker, Turn
from analyzers.review.prompting import instruction, system
from analyzers.review.schema import VERDICTS_SCHEMA
from analyzers.review.script import Script

PER_CALL = 6
_TOKENS_PER_VERDICT = 160


@dataclass(frozen=True, slots=True)
class Verified:
    """The pairs that cannot both be true as points, those that can, and those that got no verdict."""

    points: tuple[Point, ...]
    refuted: tuple[Pair, ...]
    undecided: tuple[Pair, ...]


def verifications(script: Script, pairs: Sequence[Pair], epoch: int = 0) -> tuple[ModelRequest, ...]:
    """The requests that decide on pairs, a few pairs each."""
    found = []
    for start in range(0, len(pairs), PER_CALL):
        some = pairs[start : start + PER_CALL]
        text = "\n\n".join(shown(script, pair, f"p{start + number + 1}") for number, pair in enumerate(some))
        found.append(
            ModelRequest(
                Role.VERIFY,
                system("verify-system"),
                (Turn(Speaker.USER, (Segment(text + "\n\n"), Segment(instruction("verify")))),),
                VERDICTS_SCHEMA,
                "verdicts",
                300 + _TOKENS_PER_VERDICT * len(some),
                epoch,
                purpose=f"verifying {len(some)} pairs",
            )
        )
    return tuple(found)


async def verify(
    script: Script, pairs: Sequence[Pair], model: Model, account: Account, dropped: Dropped, epoch: int = 0
) -> Verified:
    """Decides on every pair.  A pair without a usable verdict is undecided, never shown as a contradiction."""
    requests = verifications(script, pairs, epoch)
    outcomes = await asyncio.gather(*(account.ask(model, request) for request in requests))
    verdicts: dict[str, dict[str, JsonValue]] = {}
    for outcome in outcomes:
        items = outcome.data.get("verdicts") if outcome.answered and isinstance(outcome.data, dict) else None
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("pair"), str):
                verdicts.setdefault(str(item["pair"]).strip(), item)
    points: list[Point] = []
    refuted: list[Pair] = []
    undecided: list[Pair] = []
    for number, pair in enumerate(pairs):
        verdict = verdicts.get(f"p{number + 1}")
        if verdict is None or not isinstance(verdict.get("both_can_be_true"), bool):
            undecided.append(pair)
        elif verdict["both_can_be_true"]:
            refuted.append(pair)
        else:
            point = _point(script, pair, verdict, dropped)
            if point is None:
                undecided.append(pair)
            else:
                points.append(point)
    return Verified(tuple(points), tuple(refuted), tuple(undecided))


def _point(script: Script, pair: Pair, verdict: dict[str, JsonValue], dropped: Dropped) -> Point | None:
    """The contradiction, if the verdict names a statement of each side."""
    named = existing(verdict.get("conflicting"), script, dropped)
    first = _of_side(script, named, pair.first, pair.second)
    second = _of_side(script, [name for name in named if name not in first], pair.second, pair.first)
    text = verdict.get("explanation")
    if not first or not second or not isinstance(text, str) or not text.strip():
        dropped.points += 1
        return None
    return Point(
        PointKind.CONTRADICTION, text.strip()[:2_000], (*first[:2], *second[:2]), views=pair.views, sides=len(first[:2])
    ).identified()


def _of_side(script: Script, named: Iterable[str], own: Sequence[str], other: Sequence[str]) -> list[str]:
    """The named ids that stand on one side; context that both sides share belongs to the side whose own line it is."""
    here = {line.id for line in passage(script, own)}
    theirs = {line.id for name in other if (line := script.line_of(name)) is not None}
    mine = {line.id for name in own if (line := script.line_of(name)) is not None}
    found = []
    for name in named:
        line = script.line_of(name)
        if name in own or (line is not None and line.id in here and (line.id in mine or line.id not in theirs)):
            found.append(name)
    return found
