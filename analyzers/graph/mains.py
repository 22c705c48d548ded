"""Main claims: the few assertions that the abstract, the contributions and the conclusion make of the work itself.

Each takes its restatements with it, so that one claim is one node with several places.
"""

from collections.abc import Sequence
from typing import NamedTuple

from analyzers.graph.cues import Cue
from analyzers.graph.gather import Gathered, Item
from analyzers.graph.schema import Form, NodeType
from analyzers.graph.similarity import Neighbours, Weights
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind

MOST_MAIN = 6
_FROM_ABSTRACT = 5
_RESTATEMENTS = 2
_RESTATES = 0.38
_SAME = 0.45
_LEAST = 0.2
_SUMMARIES = (SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION)


class MainClaim(NamedTuple):
    """A main claim with the items that say it again, most alike first."""

    item: Item
    restatements: tuple[Item, ...]
    alike: tuple[float, ...]


def main_claims(gathered: Gathered, weights: Weights) -> tuple[MainClaim, ...]:
    """At most `MOST_MAIN` claims, in reading order."""
    candidates = sorted(_candidates(gathered), key=lambda pair: (-pair[0], pair[1].order))
    chosen: list[Item] = []
    from_abstract = 0
    for score, item in candidates:
        if len(chosen) >= MOST_MAIN or score < _LEAST:
            break
        is_abstract = item.place.kind is SectionClass.ABSTRACT
        if is_abstract and from_abstract >= _FROM_ABSTRACT:
            continue
        if any(weights.cosine(item.terms, other.terms) > _SAME for other in chosen):
            continue
        from_abstract += is_abstract
        chosen.append(item)
    return _with_restatements(sorted(chosen, key=lambda item: item.order), gathered.items, weights)


def _candidates(gathered: Gathered) -> list[tuple[float, Item]]:
    found: list[tuple[float, Item]] = []
    turn = _turn(gathered)
    for item in gathered.items:
        place = item.place
        if place.kind not in _SUMMARIES or not _asserts(item):
            continue
        draft = item.draft
        if place.kind is SectionClass.ABSTRACT:
            # What comes before the abstract turns to the work itself is background.
            if item.order >= turn:
                found.append((_abstract_score(draft.cue) + 0.02 * min(draft.words, 30), item))
        elif draft.cited <= 1 and not draft.cue & (Cue.BACKGROUND | Cue.LIMIT):
            score = _own_score(draft.cue)
            listed = draft.part is PartKind.ITEM or place.contributions or draft.cue & Cue.ANNOUNCE
            # Beside an abstract only what says that it is new, or lists contributions, counts.
            if score is not None and (listed or not gathered.abstract or place.kind is SectionClass.CONCLUSION):
                found.append((score - (0.4 if gathered.abstract else 0.0), item))
    return found


def _asserts(item: Item) -> bool:
    """True for a full sentence that may be a claim of the paper itself."""
    draft, place = item.draft, item.place
    if (
        draft.form is not Form.SENTENCE
        or draft.words < 6
        or draft.cue & Cue.SKIP
        or draft.text.endswith((":", "?", "：", "？"))
    ):
        return False
    return not (place.aside or place.limitations or place.appendix)


def _turn(gathered: Gathered) -> int:
    """The order of the first sentence of the abstract that speaks of the work itself."""
    abstract = [item for item in gathered.items if item.place.kind is SectionClass.ABSTRACT]
    for wanted in (Cue.OURS, Cue.ANNOUNCE | Cue.FIND):
        for item in abstract:
            if item.draft.cue & wanted and not item.draft.cue & Cue.BACKGROUND:
                return item.order
    return 0


def _abstract_score(cue: int) -> float:
    score = 0.7
    score += 0.9 if cue & Cue.FIND else 0.0
    score += 0.6 if cue & Cue.ANNOUNCE else 0.0
    score += 0.5 if cue & Cue.STRENGTH else 0.0
    score += 0.2 if cue & Cue.NEGATION else 0.0
    score -= 0.6 if cue & Cue.BACKGROUND else 0.0
    return score


def _own_score(cue: int) -> float | None:
    if not cue & (Cue.ANNOUNCE | Cue.FIND | Cue.OURS):
        return None
    score = -0.2
    score += 0.7 if cue & Cue.ANNOUNCE else 0.0
    score += 0.5 if cue & Cue.FIND else 0.0
    score += 0.5 if cue & Cue.STRENGTH else 0.0
    score += 0.2 if cue & Cue.COMPARE else 0.0
    return score


def _with_restatements(chosen: Sequence[Item], items: Sequence[Item], weights: Weights) -> tuple[MainClaim, ...]:
    """Each claim with the sentences elsewhere that are most alike; a sentence restates one claim only."""
    index = Neighbours(weights, [item.terms for item in chosen])
    orders = {item.order for item in chosen}
    offered: list[tuple[float, int, Item]] = []
    for item in items:
        weighed, place = item.weighed, item.place
        draft, type_ = weighed.draft, weighed.type
        if draft.form is not Form.SENTENCE or place.aside or draft.cue & Cue.SKIP or item.order in orders:
            continue
        if (type_ is not NodeType.CLAIM and type_ is not NodeType.EVIDENCE) or place.kind is SectionClass.RELATED:
            continue
        if draft.cited and not draft.cue & Cue.OURS:
            continue  # it speaks of other work
        if type_ is NodeType.EVIDENCE and (draft.references or draft.figures):
            continue  # what shows a claim supports it, however alike the words are
        bonus = 0.12 if place.kind in _SUMMARIES else 0.0
        bonus += 0.06 if draft.cue & (Cue.ANNOUNCE | Cue.FIND) else 0.0
        for number, value in index.similar(draft.terms).items():
            if value + bonus > _RESTATES and chosen[number].position != item.position:
                offered.append((value + bonus, number, item))
    offered.sort(key=lambda offer: (-offer[0], offer[1], offer[2].order))
    taken: set[int] = set()
    kept: list[list[tuple[float, Item]]] = [[] for _ in chosen]
    for value, number, item in offered:
        here = kept[number]
        if (
            item.order in taken
            or len(here) >= _RESTATEMENTS
            or any(other.position == item.position for _, other in here)
        ):
            continue
        taken.add(item.order)
        here.append((value, item))
    return tuple(
        MainClaim(item, tuple(other for _, other in here), tuple(round(value, 3) for value, _ in here))
        for item, here in zip(chosen, kept, strict=True)
    )
