"""What the rest of a manuscript says in numbers: whether a number of the abstract stands anywhere else, exactly or rounded."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quantities.model import Kind, Number, Quantity, Unit
from analyzers.facts.quantity_facts import quantities_of
from analyzers.facts.table_facts import tables_of
from analyzers.facts.view import block_fact_by_language
from analyzers.related.terms import words_of
from analyzers.text.document import Block
from analyzers.text.lex import MaskKind

_LITERAL = re.compile(
    r"(?<![\w.\\])(?:\d+(?:(?:\{,\}|,|\\,)\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\w]|\.\d|\s?\\(?:line|text|column|paper)(?:width|height)|\s?(?:pt|em|ex|cm|mm|in|bp)\b)"
)
_FIGURES = re.compile(
    r"\\begin\s*\{(?:tikzpicture|axis|pgfpicture|filecontents|lstlisting|verbatim|minted|Verbatim|alltt|tabular|array|longtable|tabu|matrix|deluxetable)"
)
_TABLE_MACROS = re.compile(r"\\(?:addplot|pgfplotstableread|DTL|startdata)")
_MOST = 6
Value = float
Reading = tuple[float, frozenset[str | None], bool]
"""A value, the units that fit, and whether it ends in a written zero: 59.0 is not what 58.7 is rounded to."""
Readings = tuple[Reading, ...]
_AS_WRITTEN = "="  # among the units of a value: it stands so, or rounded to digits of which the last is a zero


class Support(NamedTuple):
    """The numbers of one block.

    `exact` holds absolute values of prose, cells and the like with the units they carry (None: none), also as rounded to fewer
    decimals; `raw` are bare values of source that is neither prose nor a readable table (plots, listings, broken tables).
    """

    exact: Mapping[Value, frozenset[str | None]]
    raw: frozenset[Value]


_NOTHING = Support({}, frozenset())


@block_fact_by_language
def support_of(block: Block, macros: Macros, language: str) -> Support:
    """The numbers that a block supports."""
    if block.dead:
        return _NOTHING
    return _read(block, macros, language)


def _read(block: Block, macros: Macros, language: str) -> Support:
    if not any(map(str.isdigit, block.text)):
        return Support({}, _spelled(block, macros, language))
    found: dict[Value, set[str | None]] = {}
    for sentence in quantities_of(block, macros, language):
        for quantity in sentence.quantities:
            if quantity.kind in (Kind.IDENTIFIER, Kind.YEAR):
                continue
            unit = quantity.unit.dimension if quantity.unit is not None else None
            for number in _numbers(quantity):
                _add(found, number, unit)
                if quantity.unit is not None and quantity.unit.dimension == "time":
                    _add_converted(found, number, quantity.unit)
    raw: set[Value] = set()
    readable = True
    for table in tables_of(block, macros):
        if table.problem is not None:
            readable = False
        for cell in table.cells:
            header = table.columns[cell.column].unit if cell.column < len(table.columns) else None
            for entry in cell.numbers:
                own = entry.unit or header
                for number in (entry.number, entry.spread, *(entry.endpoints or ())):
                    if number is not None:
                        # What a header takes for a unit may be a name, so a cell supports any unit.
                        _add(found, number, None)
                        if own is not None and own.dimension == "time":
                            _add_converted(found, number, own)
            if not cell.numbers and any(character.isdigit() for character in cell.text):
                raw |= _literals(cell.text)
    if (
        not readable
        or (_FIGURES.search(block.text) and not tables_of(block, macros))
        or _TABLE_MACROS.search(block.text)
    ):
        raw |= _literals(_uncommented(block))
    return Support({value: frozenset(units) for value, units in found.items()}, frozenset(raw))


def _spelled(block: Block, macros: Macros, language: str) -> frozenset[Value]:
    return frozenset(
        key_of(q.value)
        for s in quantities_of(block, macros, language)
        for q in s.quantities
        if q.kind is not Kind.IDENTIFIER
    )


def context_of(block: Block, macros: Macros, language: str, quantity: Quantity, terms: frozenset[str]) -> int:
    """How many of `terms` (and the unit, twice) stand with the number in the best sentence or cell of the block that has it."""
    wanted = readings(quantity)
    best = 0
    before = ""
    for sentence in quantities_of(block, macros, language):
        found: dict[Value, set[str | None]] = {}
        same_unit = False
        for item in sentence.quantities:
            same_unit = same_unit or shared_unit(item, quantity)
            for number in _numbers(item):
                _add(found, number, item.unit.dimension if item.unit is not None else None)
        if found and stands_in(_frozen(found), wanted):
            words = word_set(f"{before} {sentence.text}")
            best = max(best, len(terms & words) + 2 * same_unit)
        before = sentence.text
    for table in tables_of(block, macros):
        around = word_set(f"{table.caption_text} {table.outer_caption}")
        for cell in table.cells:
            if not cell.numbers:
                continue
            found = {}
            for entry in cell.numbers:
                for literal in (entry.number, entry.spread, *(entry.endpoints or ())):
                    if literal is not None:
                        _add(found, literal, None)
            if stands_in(_frozen(found), wanted):
                names = word_set(" ".join((*cell.row_path, *cell.column_path)))
                best = max(best, 2 * len(terms & names) + len(terms & around))
    return best


@lru_cache(maxsize=8192)
def word_set(text: str) -> frozenset[str]:
    """The terms of a text; kept, since the same sentences and headers are asked about after every edit."""
    return frozenset(words_of(text))


def shared_unit(first: Quantity, second: Quantity) -> bool:
    """True when both carry a unit of the same dimension."""
    return first.unit is not None and second.unit is not None and first.unit.dimension == second.unit.dimension


def _frozen(found: Mapping[Value, set[str | None]]) -> Support:
    return Support({value: frozenset(units) for value, units in found.items()}, frozenset())


def _numbers(quantity: Quantity) -> Iterator[Number]:
    yield quantity.number
    yield from (number for number in (quantity.spread, quantity.numerator, quantity.denominator) if number is not None)
    yield from quantity.endpoints or ()


def key_of(value: Decimal) -> float:
    """What equal numbers have in common; floats, since tens of thousands of cells are rounded here."""
    return round(abs(float(value)), 9)


def _add(found: dict[Value, set[str | None]], number: Number, unit: str | None) -> None:
    value = abs(float(number.value))
    if not value < 1e12:
        return
    found.setdefault(round(value, 9), set()).update((unit, _AS_WRITTEN))
    for places in range(max(number.decimals - 4, 0), min(number.decimals, _MOST)):
        # Papers round half up and half to even.
        for rounded in (round(value, places), round(value * (1 + 1e-12) + 1e-12, places)):
            units = found.setdefault(rounded, set())
            units.add(unit)
            if places and round(rounded, places - 1) == rounded:
                units.add(_AS_WRITTEN)


def _add_converted(found: dict[Value, set[str | None]], number: Number, unit: Unit) -> None:
    for factor in (1000.0, 0.001):
        converted = found.setdefault(round(abs(float(number.value)) * factor, 9), set())
        converted.update((unit.dimension, _AS_WRITTEN))


def _literals(text: str) -> set[Value]:
    found = set()
    for match in _LITERAL.finditer(text[:400_000]):
        try:
            found.add(round(float(match[0].replace("{,}", "").replace("\\,", "").replace(",", "")), 9))
        except (ValueError, OverflowError):
            continue
    return found


def _uncommented(block: Block) -> str:
    text = block.text
    comments = [mask for mask in block.lexed.masks if mask.kind is MaskKind.COMMENT]
    if not comments:
        return text
    pieces, position = [], 0
    for mask in comments:
        pieces.append(text[position : mask.start])
        position = max(mask.end, position)
    return "".join([*pieces, text[position:]])


def macro_values(macros: Macros) -> tuple[frozenset[Value], frozenset[Value]]:
    """The numbers that macros stand for, and those in bodies that hold more (dictionaries of generated values)."""
    values: set[Value] = set()
    listed: set[Value] = set()
    for macro in macros.table.values():
        if any(character.isdigit() for character in macro.body[:2000]):
            (values if len(macro.body) <= 80 else listed).update(_literals(macro.body))
    return frozenset(values), frozenset(listed)


def readings(quantity: Quantity, rest: bool = True) -> Readings:
    """What may stand elsewhere for a number: itself, or the percentage as a fraction, with units that fit; with `rest` also what
    it leaves of 100.
    """
    value = abs(float(quantity.value))
    unit = quantity.unit.dimension if quantity.unit is not None else None
    shares: frozenset[str | None] = frozenset({"share", "points", None})
    fits = shares if unit in ("share", "points") else frozenset({unit, None}) if unit is not None else _ANY
    digits = quantity.text.replace(" ", "")
    zero = quantity.decimals > 0 and digits.endswith("0")
    found = [(round(value, 9), fits, zero)]
    if unit in ("share", "points"):
        found.append((round(value / 100, 9), shares, zero))
        if rest and value < 100:
            found.append((round(100 - value, 9), shares, zero))
    elif unit is None and value <= 1:
        found.append((round(value * 100, 9), shares, zero))
    elif unit is None:
        found.append((round(value / 100, 9), shares, zero))
    return tuple(found)


_ANY: frozenset[str | None] = frozenset({"*"})


def stands_in(support: Support, wanted: Iterable[Reading]) -> bool:
    """True when one of the readings of a number is among the numbers of a block."""
    for value, units, zero in wanted:
        found = support.exact.get(value)
        if found is not None and (units is _ANY or found & units) and (not zero or _AS_WRITTEN in found):
            return True
        if value in support.raw:
            return True
    return False


def one_slip(text: str) -> frozenset[str]:
    """The literals that one changed digit, or two neighbouring digits in the wrong order, make of `text`."""
    found: set[str] = set()
    for at, character in enumerate(text):
        if not character.isdigit():
            continue
        found.update(text[:at] + digit + text[at + 1 :] for digit in "0123456789" if digit != character)
        after = at + 1 + (text[at + 1 : at + 2] in (".", ","))
        if after < len(text) and text[after].isdigit() and text[after] != character:
            found.add(text[:at] + text[after] + text[at + 1 : after] + character + text[after + 1 :])
    return frozenset(found)


def slips(first: Quantity | Number, text: str, other: Decimal, decimals: int) -> bool:
    """True when `other`, with as many decimals, is one slip of a digit away from the number written as `text`."""
    if first.decimals != decimals or first.value == other:
        return False
    digits = text.replace(",", "").replace("\u202f", "").lstrip("+-−–")
    written = format(abs(other), f".{max(decimals, 0)}f")
    if digits.startswith(".") and written.startswith("0."):
        written = written[1:]
    return len(written) == len(digits) and written in one_slip(digits)
