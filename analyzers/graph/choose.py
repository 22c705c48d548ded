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
    left = allowed - sum(_length(item) for claim in mains for item in (claim.item, *claim.restatements))
    ranked = [
        (_cost(item) - item.weighed.score, item.order, item)
        for item in gathered.items
        if item.order not in taken and item.weighed.score > _LEAST
    ]
    ranked.sort(key=lambda entry: entry[:2])
    found: list[Item] = []
    for _, _, item in ranked:
        if len(found) >= MOST_NODES - len(mains):
            break
        length = _length(item)
        if length <= left:
            left -= length
            found.append(item)
    return tuple(sorted(found, key=lambda item: item.order))


def _length(item: Item) -> int:
    return item.draft.length


def _cost(item: Item) -> float:
    rate = _PER_HUNDRED_OF_TABLE if item.draft.form is Form.TABLE else _PER_HUNDRED
    return rate * _length(item) / 100
