"""Choosing: which drafts become nodes, within a share of the text and a number that can still be read."""

from analyzers.graph.gather import Gathered, Item
from analyzers.graph.mains import MainClaim
from analyzers.graph.schema import Form

SHARE = 0.33
MOST_NODES = 300
# A draft of a page or two may be marked more densely.
_SHORT = 2200
_SHARE_OF_SHORT = 0.6
_LEAST = -1.8
# What a hundred code points cost in log odds; the rows of a table hold many points, so they cost less.
_PER_HUNDRED = 0.3
_PER_HUNDRED_OF_TABLE = 0.12


def chosen(gathered: Gathered, mains: tuple[MainClaim, ...]) -> tuple[Item, ...]:
    """The items that become nodes besides the main claims, in reading order.

    All spans together cover at most `SHARE` of the text, in a short draft somewhat more; long passages have to be worth
    their length.
    """
    taken = {item.order for claim in mains for item in (claim.item, *claim.restatements)}
    allowed = max(SHARE * gathered.length, min(_SHORT, _SHARE_OF_SHORT * gathered.length))
    left = allowed - sum(item.draft.length for claim in mains for item in (claim.item, *claim.restatements))
    ranked: list[tuple[float, int, int, Item]] = []
    for item in gathered.items:
        score = item.weighed.score
        if score > _LEAST and item.order not in taken:
            length = item.weighed.draft.length
            ranked.append((_cost(item, length) - score, item.order, length, item))
    ranked.sort(key=lambda entry: entry[:2])
    found: list[Item] = []
    for _, _, length, item in ranked:
        if len(found) >= MOST_NODES - len(mains):
            break
        if length <= left:
            left -= length
            found.append(item)
    return tuple(sorted(found, key=lambda item: item.order))


def _cost(item: Item, length: int) -> float:
    rate = _PER_HUNDRED_OF_TABLE if item.weighed.draft.form is Form.TABLE else _PER_HUNDRED
    return rate * length / 100
