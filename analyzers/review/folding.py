"""Union of several readings: points that say the same are folded into one; nothing is voted on and nothing is deleted.

Voting between readings loses the errors that only one of them found, and deleting near-duplicates loses hits: see “Beyond
Imitation” (ensembles count a hit in any review) and the published experience with consolidation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from analyzers.related.terms import words_of
from analyzers.review.points import Importance, Point, PointKind

_ALIKE = 0.62
_ALIKE_AT_SAME_PLACE = 0.3
_MOST = 400


def folded(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points with those that say the same folded, in the order of sections, then agreement, importance and arrival.

    Two points of one section are the same when their words agree, or agree somewhat and an anchor is shared; two
    contradictions when they join the same two places.
    """
    heads: list[tuple[Point, frozenset[str], list[Point]]] = []
    for point in points:
        words = frozenset(words_of(point.text))
        for head, known, also in heads[-_MOST:]:
            if _same(head, known, point, words):
                also.append(point)
                break
        else:
            heads.append((point, words, []))
    merged = [_merged(head, also) for head, _, also in heads]
    order = list(PointKind)
    ranked = sorted(
        enumerate(merged),
        key=lambda item: (
            order.index(item[1].kind),
            -len(item[1].views),
            item[1].importance is not Importance.MAJOR,
            item[0],
        ),
    )
    return tuple(point for _, point in ranked)


def _same(head: Point, known: frozenset[str], point: Point, words: frozenset[str]) -> bool:
    if head.kind is not point.kind:
        return False
    if head.kind is PointKind.CONTRADICTION:
        return sides(head) == sides(point) or sides(head) == tuple(reversed(sides(point)))
    alike = _overlap(known, words)
    if alike >= _ALIKE:
        # The same sentence pattern about other places or numbers is another point.
        return not (head.anchors and point.anchors) or bool({*head.anchors} & {*point.anchors}) or alike >= 0.9
    return alike >= _ALIKE_AT_SAME_PLACE and bool({*head.anchors[:3]} & {*point.anchors[:3]})


def sides(point: Point) -> tuple[str, ...]:
    """The decisive place of each side of a contradiction."""
    first = point.anchors[: point.sides]
    second = point.anchors[point.sides :]
    return (first[0] if first else "", second[0] if second else "")


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """The Dice coefficient of two sets of words."""
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 1.0


def _merged(head: Point, also: Sequence[Point]) -> Point:
    if not also:
        return head
    views = tuple(dict.fromkeys(view for point in (head, *also) for view in point.views))
    anchors = head.anchors
    if head.kind is not PointKind.CONTRADICTION:
        anchors = tuple(dict.fromkeys(anchor for point in (head, *also) for anchor in point.anchors))[:8]
    importance = Importance.MAJOR if any(p.importance is Importance.MAJOR for p in (head, *also)) else head.importance
    # The id stays that of the head, so that the same answer read again is the same point.
    return replace(head, views=views, anchors=anchors, importance=importance, also=(*head.also, *also))
