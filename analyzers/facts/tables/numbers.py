"""The numbers of a cell.  A cell is numeric only when nothing stands in it that is not part of a number."""

import re
from decimal import Decimal

from analyzers.facts.quantities.literals import number, read_literal
from analyzers.facts.quantities.model import Bound, Number, Unit
from analyzers.facts.quantities.units import unit_at, unit_table
from analyzers.facts.tables.commands import BOLD, ITALIC, UNDERLINE
from analyzers.facts.tables.model import CellNumber
from analyzers.facts.tables.render import Rendered

_SIMPLE = re.compile(r"[-−–]?\d{1,15}(?:\.\d{1,15})?")
_START = re.compile(r"(?<![A-Za-zÀ-ɏ_#@\ue003])([-−–+]?)(\$?)(?=\.?\d)")
_SCALE = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12, "G": 9}
# What may stand beside the numbers of a numeric cell: marks, brackets, signs of comparison, dashes, blanks.
_FILLER = re.compile(
    r"[\s*†‡§¶✓✗•∗⋆♢♣♠♡△▲▽▼↑↓↗↘→()\[\]{}±∓,;:/|~∼≈<>≤≥=+\-–—−%‰$€£x×^'′″\ue000\ue001]+|\bn(?=\s?=)|\bN(?=\s?=)|\bvs\b|\bp(?=\s?[<=>])"
)
_BOUNDS = {
    "<": Bound.LESS,
    ">": Bound.GREATER,
    "≤": Bound.AT_MOST,
    "≥": Bound.AT_LEAST,
    "≲": Bound.AT_MOST,
    "≳": Bound.AT_LEAST,
}
_SIZE = re.compile(r"[nN]\s?=\s?$")
_MINUS = frozenset("-−–")
_HALF = {index: Decimal(5).scaleb(-index - 1) for index in range(-6, 16)}


class Found:
    """One number during the reading of a cell; `opened` is the bracket in front of it, `plus` a sign, `pm` a ±."""

    __slots__ = (
        "arrow",
        "bound",
        "decimals",
        "end",
        "gap",
        "opened",
        "percent",
        "plus",
        "pm",
        "start",
        "stop",
        "unit",
        "value",
    )

    def __init__(self, start: int, end: int, value: Decimal, decimals: int) -> None:
        self.start, self.end, self.value, self.decimals = start, end, value, decimals
        self.stop = end
        self.opened = ""
        self.gap = ""
        self.plus = self.pm = self.percent = self.arrow = False
        self.bound: Bound | None = None
        self.unit: Unit | None = None


def simple_number(text: str, start: int, flags: int) -> CellNumber | None:
    """The number of a cell that holds nothing but plain digits, which most numeric cells do; `start` is its place."""
    if _SIMPLE.fullmatch(text) is None:
        return None
    point = text.find(".")
    decimals = 0 if point < 0 else len(text) - point - 1
    value = Decimal("-" + text[1:]) if text[0] in "−–" else Decimal(text)
    half = _HALF[decimals]
    literal = Number(start, start + len(text), value, decimals, value - half, value + half)
    return CellNumber(
        literal, None, False, None, None, None, None, bool(flags & BOLD), bool(flags & UNDERLINE), bool(flags & ITALIC)
    )


def cell_numbers(
    rendered: Rendered, decimal_comma: bool = False, siunitx: bool = False
) -> tuple[CellNumber | None, tuple[CellNumber, ...]]:
    """The number a cell is about, and all of its numbers.  (None, ()) for a cell of words.

    The first is None as well when several numbers stand side by side (12.1 / 13.4) or when part of the cell is unknown.
    """
    text = rendered.text
    found = _find(text, decimal_comma)
    if not found or rendered.opaque:
        return None, ()
    if not _numeric(text, found):
        return None, ()
    groups = _group(text, found, siunitx)
    numbers = tuple(_made(rendered, *group) for group in groups)
    lead = found[0]
    if len(numbers) > 1 and not _leads(text, found, groups):
        return None, numbers
    if lead.opened or (numbers[0].endpoints is not None and numbers[0].endpoints[0].start == numbers[0].number.start):
        return None, numbers
    return numbers[0], numbers


def _find(text: str, decimal_comma: bool) -> list[Found]:
    found: list[Found] = []
    position = 0
    while True:
        match = _START.search(text, position)
        if match is None or len(found) > 40:
            return found
        sign = match[1]
        start = match.end()
        read = read_literal(text, start, decimal_comma)
        if read is None:
            position = start + 1
            continue
        end, value, decimals, _ = read
        before = text[position : match.start()]
        attached = bool(found) and match.start() == found[-1].stop and before == ""
        begin = start
        if sign and not (
            attached or (found and not before.strip() and sign in "–−" and match.start() == found[-1].stop)
        ):
            if sign in _MINUS:
                value = -value
            begin = match.start()
        item = Found(begin, end, value, decimals)
        item.plus = sign == "+"
        item.gap = before + (sign if begin == start else "") + match[2]
        stripped = item.gap.strip()
        item.opened = stripped[-1:] if stripped[-1:] in ("(", "[") else ""
        item.pm = "±" in stripped or "+/" in stripped or "∓" in stripped
        item.arrow = stripped[-1:] in "↑↓↗↘▲▼△▽" and bool(stripped)
        item.bound = _BOUNDS.get(stripped[-1:]) if stripped else None
        if item.pm and not found:
            item.opened = "("
        _right(text, item)
        found.append(item)
        position = max(item.stop, end)


def _right(text: str, item: Found) -> None:
    """A scale, a percent sign or a unit behind the digits."""
    end = item.end
    following = text[end : end + 1]
    if following in _SCALE and following and not text[end + 1 : end + 2].isalnum():
        item.value = item.value.scaleb(_SCALE[following])
        item.decimals -= _SCALE[following]
        item.end = item.stop = end + 1
        end += 1
        following = text[end : end + 1]
    if not following:
        return
    if following in "xX×" and not text[end + 1 : end + 2].isalnum():
        item.stop = end + 1
        return
    unit = unit_at(text, end)
    if unit is not None and unit.end > end:
        item.unit = unit.unit
        item.percent = unit.unit.symbol == "%"
        item.stop = unit.end


def _numeric(text: str, found: list[Found]) -> bool:
    """True when everything between and around the numbers is filler."""
    position = 0
    for item in found:
        if not _filler(text[position : item.start]):
            return False
        position = item.stop
    return _filler(text[position:])


def _filler(text: str) -> bool:
    if not text or text.isspace():
        return True
    return not _FILLER.sub("", text)


def _leads(text: str, found: list[Found], groups: list[tuple[Found, Found | None, tuple[Found, Found] | None]]) -> bool:
    """True when the numbers behind the first are additions to it, in brackets or as a signed change."""
    del text
    for item, _, _ in groups[1:]:
        if not (item.opened or item.plus or item.arrow or item.pm) and "(" not in item.gap and "[" not in item.gap:
            inside = any(other.opened for other in found[1 : found.index(item)])
            if not inside:
                return False
    return True


def _group(
    text: str, found: list[Found], siunitx: bool
) -> list[tuple[Found, Found | None, tuple[Found, Found] | None]]:
    """Give each number the spread and the interval that follow it."""
    groups: list[tuple[Found, Found | None, tuple[Found, Found] | None]] = []
    index = 0
    while index < len(found):
        item = found[index]
        spread: Found | None = None
        interval: tuple[Found, Found] | None = None
        following = found[index + 1] if index + 1 < len(found) else None
        after = found[index + 2] if index + 2 < len(found) else None
        if following is not None and _is_spread(text, item, following, siunitx):
            spread = following
            index += 1
        elif following is not None and after is not None and _is_interval(text, item, following, after):
            interval = (following, after)
            index += 2
        elif following is not None and _is_range(text, item, following):
            interval = (item, following)
            index += 1
        groups.append((item, spread, interval))
        index += 1
    return groups


def _is_spread(text: str, item: Found, following: Found, siunitx: bool) -> bool:
    if following.pm and following.value >= 0:
        return True
    if following.opened != "(" or text[following.stop : following.stop + 2].lstrip()[:1] != ")":
        return False
    if following.plus or following.percent or following.value < 0 or following.bound is not None:
        return False
    attached = following.gap == "("
    if attached and item.decimals > 0 and following.decimals == 0 and following.value < 100:
        # 1.234(5) of siunitx: the digits count in the last places of the value.
        following.value = following.value.scaleb(-item.decimals)
        following.decimals = item.decimals
        return siunitx
    return item.decimals > 0 and following.decimals > 0 and following.value < abs(item.value)


def _is_interval(text: str, item: Found, low: Found, high: Found) -> bool:
    if not low.opened or high.opened or low.value > high.value:
        return False
    close = text[high.stop : high.stop + 2].lstrip()[:1]
    return close in (")", "]") and high.gap.strip() in (",", ";", "-", "–", "to", "−", "—") and item.decimals >= 0


def _is_range(text: str, item: Found, following: Found) -> bool:
    gap = following.gap.strip()
    opened = item.opened == "[" or (item.opened == "(" and gap in (",", ";"))
    if item.value >= following.value:
        return False
    if gap in ("–", "—", "-", "−") and not following.plus:
        return True
    return opened and gap in (",", ";") and text[following.stop : following.stop + 1] in ")]"


def _made(rendered: Rendered, item: Found, spread: Found | None, interval: tuple[Found, Found] | None) -> CellNumber:
    start, end = rendered.source(item.start, item.end)
    flags = rendered.flags(item.start, item.end)
    size = None
    if _SIZE.search(item.gap) and item.decimals == 0 and item.value < 10**9:
        size = int(item.value)
    unit = item.unit
    if unit is None and "$" in item.gap:
        unit = unit_table().forms["$"]
    return CellNumber(
        number(start, end, item.value, item.decimals),
        unit,
        item.percent,
        item.bound,
        _literal(rendered, spread) if spread is not None else None,
        (_literal(rendered, interval[0]), _literal(rendered, interval[1])) if interval is not None else None,
        size,
        bool(flags & BOLD),
        bool(flags & UNDERLINE),
        bool(flags & ITALIC),
        rendered.macro(item.start, item.end),
    )


def _literal(rendered: Rendered, item: Found) -> Number:
    start, end = rendered.source(item.start, item.end)
    return number(start, end, item.value, item.decimals)
