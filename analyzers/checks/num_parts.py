"""What the check of totals shares: parts that stand in front of their total, between slashes, or in a written sum."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from math import prod
from typing import NamedTuple

from analyzers.facts.quantities import Kind, Quantity, Unit

SMALLEST = 5  # fewer things are named, not counted
COUNTED = frozenset({Kind.COUNT, Kind.LEVEL})
LOOSE = re.compile(
    r"\b(?:e\.g|such as|including|include|at least|some|several|others|overlap\w*|respectively|more than|up to|both|each|every|per|between|another|additional\w*|plus|aged|hours|years old)\b",
    re.IGNORECASE,
)
TRAIN_TEST = re.compile(r"\btrain\w*\b.*\btest", re.IGNORECASE | re.DOTALL)
Read = Callable[[], Sequence[Quantity]]
"""The numbers of a sentence, read when they are needed."""


class Partition(NamedTuple):
    """A total with its parts; `exhaustive` when they are all that it has."""

    whole: Quantity
    parts: tuple[Quantity, ...]
    exhaustive: bool


def is_whole(q: Quantity, unit: Unit | None = None) -> bool:
    """True for a plain whole number that counts something."""
    return (
        q.kind in COUNTED and q.unit == unit and q.value == q.value.to_integral_value() and q.value >= 0 and q.bound is None and q.spread is None and q.symbol is None
        and q.endpoints is None and q.denominator is None
    )  # fmt: skip


# "64, 48 and 38 clips, which makes 150 in total": what announces a total behind its parts.
_TOTALLED = re.compile(
    r"\s?[,;—(]\s?(?:respectively,\s)?(?:(?:and\s)?(?:which|that|this)\s(?:(?:in total|together|altogether)\s)?(?:makes?|made|gives?|gave|yields?|amounts? to|adds? up to|sums? (?:up )?to|totals?|comes? to|is)\s"
    r"|(?:for|giving|making|yielding)\sa\s(?:grand\s)?total\sof\s|totall?ing\s|adding\sup\sto\s|summing\s(?:up\s)?to\s|making\s|in total,?\s|in all,?\s|altogether,?\s|(?:i\.e\.|that is|thus|hence),?\s|(?<=\()|(?<=, ))$",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r"(?:\s[\w-]+){0,4}?\s(?:in (?:total|all|sum)|altogether|together|overall)\b", re.IGNORECASE)
_SAYS_TOTAL = re.compile(r"total|in all\b|altogether|together|\badd|\bsum", re.IGNORECASE)
_TOTAL_WORDS = ("total", "in all", "ltogether", "ogether", " adding", " adds", " add ", " sum")
_PART_GAP = re.compile(r"(?:\s[^\d.;:()]{1,45}?)?(?:,\s(?:and\s)?|\sand\s)(?:(?:another|further)\s)?$")
_SOURCE = re.compile(r"(?:^|\s)(?:from|in|at|for|by|with|were|was|are|on)\s")
_MANY = 10  # "2 cameras, 3 lidars and 1 arm" are counted together only where there are many of them


def totalled(text: str, read: Read) -> Partition | None:
    """Three parts or more, each a whole number with or without a name, and behind them their total in so many words."""
    if " and " not in text or not any(word in text for word in _TOTAL_WORDS):
        return None
    found = read()
    for index, whole in enumerate(found):
        if index < 3 or not is_whole(whole) or whole.value < SMALLEST:
            continue
        cue = _TOTALLED.search(text, found[index - 1].end, whole.start)
        if cue is None or not (_SAYS_TOTAL.search(cue[0]) or _IN_ALL.match(text, whole.end)):
            continue
        parts = [found[index - 1]]
        for earlier in reversed(found[: index - 1]):
            if not _PART_GAP.fullmatch(text, earlier.end, parts[0].start):
                break
            parts.insert(0, earlier)
        said = text[parts[0].start : cue.start()]
        if len(parts) < 3 or not all(is_whole(part) for part in parts) or " and " not in said:
            continue
        if LOOSE.search(said) or not _alike(text, parts, cue.start()):
            continue
        if prod(part.value for part in parts) == whole.value:
            continue  # "4 tasks, 5 seeds and 10 episodes"
        return Partition(whole, tuple(parts), True)
    return None


def _alike(text: str, parts: Sequence[Quantity], end: int) -> bool:
    """True for numbers of one kind of thing: one of them has a noun, all have what they come from, or there are many of each."""
    ends = [part.start for part in parts[1:]] + [end]
    behind = [text[part.end : at].replace(" and ", " ").strip(" ,") for part, at in zip(parts, ends, strict=True)]
    named = [words for words in behind if words]
    return (
        len(named) <= 1 or all(_SOURCE.search(words) for words in named) or min(part.value for part in parts) >= _MANY
    )


# "150 clips 120/15/25 into training, validation and test sets"
_SLASHES = re.compile(
    r"(?:\s[A-Za-z][\w-]*){1,4}?,?\s(?:(?:is|are|was|were|as|into|in|by|using|with|randomly|split|divided|partitioned|an?|the)\s){0,4}(?P<open>\(?)"
    r"(?P<parts>\d[\d,]*(?:\s?(?P<mark>[/:])\s?\d[\d,]*)(?:\s?(?P=mark)\s?\d[\d,]*){1,2})(?![\d,%/:]|\.\d|\s?%)"
)
_SPLITS = re.compile(r"\b(?:split|divided?|partition(?:ed)?|separated?)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\d\s?[/:]\s?\d")


def slashed(text: str, read: Read) -> Partition | None:
    """ "150 clips 120/15/25 into training, validation and test sets"; shares of a hundred or of ten are no parts."""
    if ("/" not in text and ":" not in text) or not _BETWEEN.search(text) or TRAIN_TEST.search(text) is None:
        return None
    splits = _SPLITS.search(text) is not None
    for whole in read():
        match = _SLASHES.match(text, whole.end) if is_whole(whole) and whole.value >= SMALLEST else None
        if match is None or not (splits or match["open"]) or LOOSE.search(match[0]):
            continue
        start = match.start("parts")
        parts = [_part(whole, piece, start) for piece in re.finditer(r"\d[\d,]*", match["parts"])]
        values = [part.value for part in parts]
        if sum(values) in (1, 10, 100) or max(values) >= whole.value or min(values) == 0:
            continue
        return Partition(whole, tuple(parts), True)
    return None


# "40 + 30 + 20 = 100", with nothing else on either side
_SUM = re.compile(
    r"(?<![\w.,^_+*/=()×·−–-])(?<![+*/=^_(×·−–-] )\d[\d,]*(?:\s?\+\s?\d[\d,]*)+\s?=\s?(?P<whole>\d[\d,]*)(?![\d%^]|[.,]\d|\s?[+*/×·^−–-]\s?[\w(]|\s?mod\b|\()"
)


def added(text: str, read: Read) -> Partition | None:
    """A sum that is written out."""
    if "+" not in text or "=" not in text:
        return None
    for match in _SUM.finditer(text):
        at = match.start("whole")
        whole = next((q for q in read() if q.start == at and is_whole(replace(q, symbol=None))), None)
        if whole is None or whole.value < SMALLEST:
            continue
        pieces = list(re.finditer(r"\d[\d,]*\d|\d", match[0][: at - match.start()]))
        return Partition(whole, tuple(_part(whole, piece, match.start()) for piece in pieces), True)
    return None


def _part(whole: Quantity, written: re.Match[str], offset: int) -> Quantity:
    """A part with the digits of a match, otherwise like its total."""
    value = Decimal(written[0].replace(",", ""))
    start, end = offset + written.start(), offset + written.end()
    return replace(whole, text=written[0], value=value, lower=value, upper=value, decimals=0, start=start, end=end)


# "8,640 scans come from three herbaria, namely Oslo (3,910 scans), Lyon (2,450), and Kyoto (2,280)"
_FROM = re.compile(
    r"\s(?P<noun>[a-z]+)(?:\s[\w-]+){0,5}?\s(?:from|by|into|across|between|among)\s"
    r"(?:(?:the\s|these\s|our\s)?(?P<n>\w+)\s(?:[\w-]+\s){0,2}?[a-z]+[sa](?:,\s(?:namely|to wit|that is|i\.e\.|viz\.?),?\s|:\s|\s?[—–]\s?|\s))?"
)
_BRACKETED = re.compile(
    r"(?P<name>[^\s\d(),;:.][^\d(),;:.]{0,40}?)\s\((?:n\s?=\s?)?(?P<count>\d[\d,]*\d|\d)(?:\s(?P<noun>[a-z]+))?\)(?P<next>,\s(?:and\s)?|\sand\s)?"
)
_NUMBERS = {word: n for n, word in enumerate("three four five six seven eight nine ten eleven twelve".split(), 3)}
_YEAR = re.compile(r"(?:19|20)\d\d")


def bracketed(text: str, read: Read) -> Partition | None:
    """Counts in brackets behind three names or more that a total comes from: as many names as the sentence says, or things with
    the total's own name."""
    if text.count("(") < 3 or " and " not in text:
        return None
    for whole in read():
        head = _FROM.match(text, whole.end) if is_whole(whole) and whole.value >= SMALLEST else None
        if head is None or LOOSE.search(head[0]):
            continue
        items = []
        item = _BRACKETED.match(text, head.end())
        while item is not None:
            items.append(item)
            item = _BRACKETED.match(text, item.end()) if item["next"] else None
        nouns = {item["noun"] for item in items} - {None}
        promised = head["n"] and (int(head["n"]) if head["n"].isdigit() else _NUMBERS.get(head["n"].lower()))
        if len(items) < 3 or "and" not in (items[-2]["next"] or "") or not nouns <= {head["noun"]}:
            continue
        if promised != len(items) and not (head["n"] is None and nouns):
            continue
        if any(_YEAR.fullmatch(item["count"]) or LOOSE.search(item["name"]) for item in items):
            continue
        parts = [
            _part(whole, piece, item.start("count")) for item in items for piece in _DIGITS.finditer(item["count"])
        ]
        return Partition(whole, tuple(parts), True)
    return None


_DIGITS = re.compile(r"[\d,]+")
# "1,200 for validation and 1,440 for testing, which leaves 6,000 of the 8,640 scans for training"
_LEAVES = re.compile(r"\b(?:leav(?:es?|ing)|left)\s(?:us\swith\s)?(?:the\s(?:remaining|other|last)\s)?$", re.IGNORECASE)
_OF_THE = re.compile(r"\b(?:of|from)\s(?:(?:the|our|its|these|all)\s){1,2}$", re.IGNORECASE)
_ANY_OF = tuple(
    f"{of} {word} " for of in ("of", "Of", "from", "From") for word in ("the", "our", "its", "these", "all")
)
_REMAIN = re.compile(r"\s(?:[\w-]+\s){0,2}?(?:remain|are left|were left)\b")
_ON_REST = re.compile(
    r"\b(?:train|fit|tun|validat|test|evaluat)\w*\s(?:[\w-]+\s){0,2}?(?:on|with)\s(?P<rest>the\s(?:remaining|other)\s)?$"
)
_USE = re.compile(r"\s(?:[\w,-]+\s){0,5}?(?:for|as|to)\s")


def left(text: str, read: Read) -> Partition | None:
    """What is set aside of all, and what that leaves; or what of all is trained on, tuned on and tested on."""
    if "train" not in text or "test" not in text or not any(words in text for words in _ANY_OF):
        return None
    found = [side for quantity in read() if quantity.kind in COUNTED for side in _sides(quantity)]
    wholes = [quantity for quantity in found if _OF_THE.search(text, 0, quantity.start)]
    parts = [quantity for quantity in found if quantity not in wholes]
    if len(wholes) != 1 or len(parts) < 2 or not all(map(is_whole, found)) or LOOSE.search(text):
        return None
    before = [_ON_REST.search(text, 0, part.start) for part in parts]
    if not all(cue or _USE.match(text, part.end) for cue, part in zip(before, parts, strict=True)):
        return None
    last, rest = parts[-1], before[-1]
    all_gone = _LEAVES.search(text, 0, last.start) or _REMAIN.match(text, last.end) or (rest and rest["rest"])
    # "We train on 600 of the 900 clips and test on 200" need not use all of them.
    return Partition(wholes[0], tuple(parts), bool(all_gone)) if all_gone or (all(before) and len(parts) > 2) else None


_BOTH_SIDES = re.compile(r"(\d[\d,]*)(\sof\s(?:the|our|its|these|all)\s)(\d[\d,]*)")


def _sides(quantity: Quantity) -> Sequence[Quantity]:
    """ "6,000 of the 8,640" as its two numbers, any other quantity as it is."""
    match = _BOTH_SIDES.fullmatch(quantity.text) if quantity.denominator is not None else None
    if match is None:
        return (quantity,)
    plain = replace(quantity, denominator=None)
    return [_part(plain, piece, quantity.start) for piece in _DIGITS.finditer(quantity.text)]
