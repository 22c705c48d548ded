"""Pairs of places: what finders propose and the verifier decides on."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from analyzers.finding import Candidate
from analyzers.review.points import Dropped, existing
from analyzers.review.port import JsonValue
from analyzers.review.prompting import fenced
from analyzers.review.script import Line, LineKind, Script


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides as ids of the script, the decisive one first, and who proposed the pair.  The finder's reason stays with it
    for the record and is never shown to the verifier."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    views: tuple[str, ...] = ()
    reason: str = ""


class Pairs:
    """The union of what all finders propose, each pair of lines once, in the order of arrival."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._known: dict[frozenset[str], Pair] = {}

    def add(self, pair: Pair) -> bool:
        """Takes a pair; False when it joins a line with itself or nothing.  Known pairs gain a view."""
        first, second = (self._script.line_of(side[0]) if side else None for side in (pair.first, pair.second))
        if first is None or second is None or (first.id == second.id and pair.first[0] == pair.second[0]):
            return False
        key = frozenset((first.id, second.id))
        known = self._known.get(key)
        if known is None:
            self._known[key] = pair
        else:
            self._known[key] = replace(known, views=tuple(dict.fromkeys((*known.views, *pair.views))))
        return True

    def all(self) -> tuple[Pair, ...]:
        """Every pair."""
        return tuple(self._known.values())


def proposed(data: JsonValue, script: Script, view: str, dropped: Dropped, limit: int) -> tuple[Pair, ...]:
    """The conflicts in a finder's answer whose sides exist."""
    items = data.get("conflicts") if isinstance(data, dict) else None
    found: list[Pair] = []
    for item in items[: 4 * limit] if isinstance(items, list) else ():
        if not isinstance(item, dict):
            dropped.points += 1
            continue
        first, second = (existing(item.get(name), script, dropped) for name in ("first", "second"))
        if not first or not second:
            dropped.points += 1
            continue
        reason = item.get("reason")
        found.append(Pair(first, second, (view,), reason if isinstance(reason, str) else ""))
    return tuple(found[:limit])


def of_candidates(candidates: Iterable[Candidate], script: Script, limit: int) -> tuple[Pair, ...]:
    """The strongest candidates of the static checks as pairs.

    The kinds take turns, since their scores are not on one scale and one kind must not crowd out the others.
    """
    by_code: dict[str, list[Pair]] = {}
    for candidate in candidates:
        ids = [found for place in candidate.places[:2] if (found := script.at(place)) is not None]
        if len(ids) == 2 and ids[0] != ids[1]:
            by_code.setdefault(candidate.code, []).append(
                Pair((ids[0],), (ids[1],), (candidate.code,), candidate.reason)
            )
    taken: list[Pair] = []
    rank = 0
    while len(taken) < limit and any(rank < len(pairs) for pairs in by_code.values()):
        taken += [pairs[rank] for _, pairs in sorted(by_code.items()) if rank < len(pairs)]
        rank += 1
    return tuple(taken[:limit])


def passage(script: Script, ids: Iterable[str], around: int = 1) -> tuple[Line, ...]:
    """The lines of one side with a little context: the lines before and after, or caption and head of a table."""
    order = {line.id: position for position, line in enumerate(script.lines)}
    chosen: dict[int, None] = {}
    for name in ids:
        line = script.line_of(name)
        if line is None:
            continue
        at = order[line.id]
        chosen[at] = None
        if line.kind is LineKind.ROW:
            chosen.update(dict.fromkeys(_table_frame(script, at)))
            continue
        for step in range(-around, around + 1):
            if 0 <= at + step < len(script.lines):
                other = script.lines[at + step]
                if other.section == line.section and other.kind not in (LineKind.HEADING, LineKind.ROW):
                    chosen[at + step] = None
    return tuple(script.lines[position] for position in sorted(chosen))


def _table_frame(script: Script, at: int) -> Iterable[int]:
    row = script.lines[at]
    table = row.id.partition("r")[0]
    for position in range(max(0, at - 70), at):
        line = script.lines[position]
        if line.id in (f"{table}r1", f"{table}r2") or (line.kind is LineKind.CAPTION and line.entry == row.entry):
            yield position


def shown(script: Script, pair: Pair, name: str) -> str:
    """A pair as the verifier sees it: both sides with context, and nothing of what the finder thought."""
    first, second = (script.text(passage(script, side)).strip() for side in (pair.first, pair.second))
    return fenced("pair", f"name: {name}\n\nside A\n{first}\n\nside B\n{second}")
