"""The unit table: symbols and words, dimensions, conversion factors.  The table itself is `data/units.json`."""

import json
import re
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzers.facts.quantities.model import Unit


class UnitTable(NamedTuple):
    """`forms` maps what is written to the unit, `things` what may be counted in a rate; `longest` is in words."""

    forms: dict[str, Unit]
    things: dict[str, Unit]


class UnitAt(NamedTuple):
    """A unit in a text and where it stands."""

    unit: Unit
    start: int
    end: int


@lru_cache(maxsize=1)
def unit_table() -> UnitTable:
    """The table, read once."""
    data = json.loads(files("analyzers.facts.data").joinpath("units.json").read_text("utf-8"))
    forms: dict[str, Unit] = {}
    for dimension, units in data["dimensions"].items():
        for entry in units:
            unit = Unit(entry["symbol"], dimension, Decimal(entry["factor"]))
            for form in entry["forms"]:
                forms.setdefault(form, unit)
    for form, unit in tuple(forms.items()):
        if len(form) > 3 and form.isascii():
            forms.setdefault(form.lower(), unit)
            forms.setdefault(form.capitalize(), unit)
    things = {}
    for thing, words in data["countable"].items():
        for word in words:
            things[word] = Unit(thing, "count:" + thing, Decimal(1))
    return UnitTable(forms, things)


# The longest chunks first: two-word units, then symbols with slashes and exponents, then plain ones.
_ATOM = r"(?:[%‰°℃Å€£¥$Ω]|[A-Za-zµμΩÅ°☉⊙_]{1,20}|[\u4e00-\u9fff]{1,4})"
_CANDIDATE = re.compile(
    r"(?:\\?[%‰％](?:[- ]?points?|[- ]?pts|p|-Punkte)?(?![A-Za-z])"
    r"|[°^]\s?∘?\s?[CF](?![A-Za-z])|\^∘(?:C|F)?(?![A-Za-z])|°(?![A-Za-z])"
    r"|[€£¥$]"
    r"|[A-Za-zµμΩÅ☉⊙][A-Za-z☉⊙0-9.]{0,20}(?:_(?:sun|⊙))?)"
)
_TWO_WORDS = re.compile(r"([A-Za-z]+|[%])[ -]([A-Za-z]+)(?![A-Za-z])")
_PER = re.compile(r"\s?/\s?(?=[A-Za-zµμ])|\s+per\s+|\s+pro\s+|\s?·\s?(?=[A-Za-z]+\s?\^?[-−]\d)")
_WORD = re.compile(r"[A-Za-zµμ]{1,20}")
_POWER = re.compile(r"\s?\^\s?\{?([23])\}?(?!\d)|([²³])")
_RAISED = str.maketrans("²³", "23")
_INVERSE = re.compile(r"\s?\^\s?[-−]1(?!\d)|⁻¹")
_CJK = re.compile(r"\s?(?:个百分点|分钟|小时|毫秒|微秒|纳秒|公里|公斤|秒|天|周|年|米|度|元|个月)")
_SPACED_ONLY = frozenset("TGNAL")


@lru_cache(maxsize=512)
def unit_named(form: str) -> Unit | None:
    """The unit with this symbol or name, None when the table does not have it.  Rates such as `tokens/s` are built."""
    table = unit_table()
    found = table.forms.get(form)
    if found is None and len(form) > 3:
        found = table.forms.get(form.lower())
    if found is not None:
        return found
    for separator in ("/", " per ", " pro "):
        head, _, tail = form.partition(separator)
        if tail:
            top, bottom = unit_or_thing(head.strip()), unit_or_thing(tail.strip())
            return rate(top, bottom) if top is not None and bottom is not None else None
    return None


def unit_or_thing(form: str) -> Unit | None:
    """A unit, or something that rates count (tokens, images)."""
    table = unit_table()
    return table.forms.get(form) or table.things.get(form) or table.things.get(form.lower())


@lru_cache(maxsize=256)
def rate(top: Unit, bottom: Unit, power: int = 1) -> Unit:
    """The unit `top` per `bottom`, or per a power of it (g/cm^3)."""
    raised = "" if power == 1 else f"^{power}"
    factor = top.factor / bottom.factor**power
    return Unit(f"{top.symbol}/{bottom.symbol}{raised}", f"{top.dimension}/{bottom.dimension}{raised}", factor)


def unit_at(text: str, position: int) -> UnitAt | None:
    """The unit that follows a number ending at `position`, with at most one blank (or hyphen) between."""
    start = position
    following = text[start : start + 1]
    if not following:
        return None
    attached = True
    if following in " \u2009\u202f\u00a0\n-":
        start += 1
        attached = False
        following = text[start : start + 1]
        if not following or following in " ,.;:()[]=":
            return None
    if "\u4e00" <= following <= "\u9fff":
        return _cjk_unit(text, start)
    match = _CANDIDATE.match(text, start)
    if match is None:
        return None
    table = unit_table()
    form = match[0].rstrip(".")
    end = start + len(form)
    unit = None
    two = _TWO_WORDS.match(text, start)
    if two is not None:
        unit = table.forms.get(f"{two[1]} {two[2]}") or table.forms.get(f"{two[1]}-{two[2]}")
        if unit is not None:
            return UnitAt(unit, start, two.end())
    if text[start : start + 4] == "p.p.":
        return UnitAt(table.forms["pp"], start, start + 4)
    unit = table.forms.get(form) or (table.forms.get(form.lower()) if len(form) > 3 else None)
    thing = None if unit is not None else table.things.get(form)
    if unit is None and thing is None:
        return _with_slash(text, start)
    if unit is not None and attached and (form in _SPACED_ONLY or form == "pt"):
        # 10pt is a length of typography, 5G a network.
        return None
    if form.isalpha() and text[end : end + 1].isalnum():
        return None
    if form in _SINGLE and not _stands_alone(text, end):
        return None
    per = _PER.match(text, end) if text[end : end + 1] in "/ ·" and text[end : end + 1] else None
    if per is not None:
        below = _WORD.match(text, per.end())
        bottom = unit_or_thing(below[0]) if below is not None else None
        if below is not None and bottom is not None and bottom.dimension not in ("points", "share"):
            power = _POWER.match(text, below.end())
            if power is not None:
                whole = rate(unit or thing or bottom, bottom, int((power[1] or power[2]).translate(_RAISED)))
                return UnitAt(whole, start, power.end())
            inverse = _INVERSE.match(text, below.end())
            return UnitAt(rate(unit or thing or bottom, bottom), start, inverse.end() if inverse else below.end())
    return UnitAt(unit, start, end) if unit is not None else None


_SINGLE = frozenset("msghtdTGNKVWJLl") | {"in", "as", "us", "min", "au", "pt", "rad", "bar"}


def _stands_alone(text: str, end: int) -> bool:
    """A one-letter unit is one only when no word, digit or hyphen hangs on it ("8 s-curves", "3 m-dimensional")."""
    following = text[end : end + 2]
    if not following:
        return True
    if following[0] in "-_'’=(<>" or following[0].isalnum():
        return following[0] == "-" and not following[1:].isalpha()
    return True


def _with_slash(text: str, start: int) -> UnitAt | None:
    """Symbols that hold a slash or an exponent themselves: m/s, fb^-1, kcal/mol."""
    match = _SLASHED.match(text, start)
    if match is None:
        return None
    unit = unit_table().forms.get(match[0].replace("−", "-"))
    return UnitAt(unit, start, match.end()) if unit is not None else None


_SLASHED = re.compile(r"[A-Za-z]{1,5}(?:/[a-z]{1,4}|\s?\^\s?[-−]?\d)(?![A-Za-z0-9])")


def _cjk_unit(text: str, start: int) -> UnitAt | None:
    match = _CJK.match(text, start)
    if match is None:
        return None
    unit = unit_table().forms.get(match[0].strip())
    return UnitAt(unit, start, match.end()) if unit is not None else None


def convert(value: Decimal, source: Unit, target: Unit) -> Decimal | None:
    """`value` of `source` in `target`, None when the dimensions differ."""
    if source.dimension != target.dimension or not target.factor:
        return None
    return value * source.factor / target.factor
