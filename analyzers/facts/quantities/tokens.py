"""First pass over a text: where numbers stand, their sign and suffix, and which of them are names and not numbers."""

import re
from dataclasses import dataclass
from decimal import Decimal

from analyzers.facts.quantities.lexicon import Lexicon
from analyzers.facts.quantities.literals import read_literal
from analyzers.facts.quantities.model import Unit
from analyzers.facts.quantities.units import unit_at, unit_named


@dataclass(slots=True)
class Token:
    """A number as it stands, before its surroundings are read.  `form` says how it was written.

    Forms: plain, signed (with a plus), word, identifier, ratio (3x), year (1990s, a date), power (3e-4), dimension (a
    hyphenated word follows, in `noun`).
    """

    start: int
    end: int
    value: Decimal
    decimals: int
    form: str = "plain"
    unit: Unit | None = None
    unit_start: int = 0
    unit_end: int = 0
    noun: str | None = None
    spread: tuple[int, int, Decimal, int] | None = None
    money: bool = False


_DIGIT = re.compile(r"\d")
# All repeats are bounded: a name that never ends must not be read anew for each of its digits.
_CHUNK_RIGHT = re.compile(r"[A-Za-z0-9_]{0,60}(?:[-.:/@+][A-Za-z0-9_]{1,40}){0,8}")
_SUFFIX = re.compile(r"[^\W\d_]+")
_MORE_PARTS = re.compile(r"(?:\.\d{1,40}){1,20}")
_CROSS = re.compile(r"\s?[x×]\s?(?=\d)")
_CROSSED = re.compile(r"(?:\s?[x×]\s?\d{1,20}(?:\.\d{1,20})?){1,20}")
_HYPHEN_WORD = re.compile(r"-([A-Za-z]+)")
_UNCERTAINTY = re.compile(r"\((\d{1,2})\)(?!\w)")
_NUMERIC_DATE = re.compile(
    r"(?:(?:19|20)\d\d)[-/](?:0?[1-9]|1[0-2])[-/](?:[0-2]?\d|3[01])(?![\d-])"
    r"|(?:[0-2]?\d|3[01])(?:\.(?:0?[1-9]|1[0-2])\.|/(?:0?[1-9]|[12]\d|3[01])/)(?:19|20)\d\d(?!\d)"
)
_TIME = re.compile(r"[:](\d{1,3}(?:\.\d+)?)(?!\d)")
_FUNCTION = re.compile(r"(?<![A-Za-z])[A-Za-z]$")
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12, "bn": 9, "mn": 6, "mio": 6, "m": 6}
_ADDRESS = re.compile(r"https?:|www\.|doi|arxiv|@\S+\.|://", re.IGNORECASE)
# 2x + 3 is a term, 10x Genomics a name.
_ALGEBRA = re.compile(r"\s?[-+−=^*/<>]|\s[A-Z][a-z]")
_NEXT_WORD = re.compile(r"[ \u2009\u202f\u00a0-]([A-Za-z]+)")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_SIGNS = "-−–"
_LEFT_LIMIT = 48


def _is_letter(character: str) -> bool:
    """A letter that can belong to the same name as a digit; CJK signs stand for words of their own."""
    return character.isalpha() and not "\u2e80" <= character <= "\u9fff"


def tokens(text: str, lexicon: Lexicon) -> list[Token]:
    """Every digit literal of the text in order.  Linear: each character is looked at a bounded number of times."""
    found: list[Token] = []
    position = 0
    search = _DIGIT.search
    while True:
        hit = search(text, position)
        if hit is None:
            return found
        token = _token(text, hit.start(), position, lexicon)
        found.append(token)
        position = max(token.end, hit.end())


def _token(text: str, at: int, floor: int, lexicon: Lexicon) -> Token:
    start = at
    before = text[at - 1] if at > floor else ""
    if (
        before == "."
        and (at - 1 == floor or not text[at - 2].isalnum())
        and not (at - 1 > floor and text[at - 2] == ".")
    ):
        start = at - 1
        before = text[start - 1] if start > floor else ""
    sign = ""
    identifier = False
    chunk_start = start
    if before:
        if before in _SIGNS:
            sign, identifier, chunk_start = _sign(text, start, floor)
        elif before == "+" and start >= 2 and text[start - 2] == "+":
            identifier = True
        elif before == "+" and (start < 2 or not text[start - 2].isalnum()):
            sign, chunk_start = "+", start - 1
        elif _is_letter(before) or before in "_^#@":
            identifier = True
        elif before == "." and start - 2 >= floor and _is_letter(text[start - 2]):
            # The 2 of "Appendix B.2"; "Fig.3" is found by its word.
            identifier = start - 3 < floor or not _is_letter(text[start - 3])
        elif before == "(" and start >= 2 and text[start - 2] == "^":
            identifier = True
        elif before == "(" and start - 2 >= floor and _is_letter(text[start - 2]):
            identifier = _FUNCTION.search(text, max(floor, start - 3), start - 1) is not None
    elif start and floor == start and _is_letter(text[start - 1]):
        identifier = True
    read = read_literal(text, start, lexicon.decimal_comma)
    if read is None:
        return _unreadable(text, start, at)
    end, value, decimals, scientific = read
    if identifier:
        return _identifier(text, _chunk_start(text, start, floor), end, value, decimals)
    if sign == "-":
        value = -value
        start = chunk_start
    elif sign == "+":
        start = chunk_start
    form = "power" if scientific else "signed" if sign == "+" else "plain"
    token = Token(start, end, value, decimals, form, None, end, end)
    if before and before in "$€£¥":
        token.money = True
    return _right(text, token, lexicon)


def _sign(text: str, start: int, floor: int) -> tuple[str, bool, int]:
    """What a dash in front of a digit is: (sign, part of a name, where the number starts)."""
    dash = text[start - 1]
    previous = text[start - 2] if start - 2 >= floor else (text[start - 2] if start >= 2 else "")
    if start - 2 < floor and previous and (previous.isalnum() or previous in ")%"):
        return "", False, start
    if previous and (previous.isdigit() or previous in ")%]}"):
        return "", False, start
    if previous and (_is_letter(previous) or previous in "_^"):
        return "", dash == "-" or previous in "_^", start
    if dash == "–" and previous == " ":
        return "", False, start
    if previous == dash:
        return "", False, start
    return "-", False, start - 1


def _chunk_start(text: str, start: int, floor: int) -> int:
    """Where the name that this digit belongs to begins."""
    limit = max(floor, start - _LEFT_LIMIT)
    while start > limit and (text[start - 1].isalnum() or text[start - 1] in "_-.@^#"):
        start -= 1
    while start < len(text) and text[start] in "-.":
        start += 1
    return start


def _identifier(text: str, start: int, end: int, value: Decimal, decimals: int) -> Token:
    match = _CHUNK_RIGHT.match(text, end)
    stop = min(match.end(), end + 80) if match is not None else end
    return Token(start, stop, value, decimals, "identifier", None, stop, stop)


def _unreadable(text: str, start: int, at: int) -> Token:
    """A run of digits that is no number: too long, or no digit that a number can start with."""
    match = re.compile(r"[\d.,]+").match(text, start)
    end = max(match.end() if match is not None else at + 1, at + 1)
    return Token(at, end, Decimal(0), 0, "identifier", None, end, end)


# "a 1.2-point improvement": points of a difference; those of a "5-point scale" count its steps.
_POINT_DELTA = re.compile(
    r"-((?:percentage[- ]|percent[- ])?points?)(?=\s(?:[a-z]+\s)?(?:improvement|gain|increase|decrease|drop|difference|gap|margin|advantage|lead|reduction|loss|rise|boost|decline|lift|jump)s?\b)",
    re.IGNORECASE,
)


def _right(text: str, token: Token, lexicon: Lexicon) -> Token:
    """Read what hangs on the right of a literal: more digits, letters, a hyphenated word, a unit."""
    end = token.end
    following = text[end : end + 1]
    if not following or following in "),;]":
        return token
    if following in "./-" and (date := _NUMERIC_DATE.match(text, token.start)) is not None:
        year = max(re.findall(r"\d+", date[0]), key=len)
        return Token(token.start, date.end(), Decimal(year), 0, "year", None, date.end(), date.end())
    if following == ".":
        more = _MORE_PARTS.match(text, end)
        if more is not None:
            return _identifier(text, token.start, more.end(), token.value, token.decimals)
        return token
    if following == "_":
        return _identifier(text, token.start, end, token.value, token.decimals)
    if following == "(" and token.decimals > 0 and token.form != "power":
        digits = _UNCERTAINTY.match(text, end)
        if digits is not None:
            token.spread = (digits.start(1), digits.end(1), Decimal(digits[1]).scaleb(-token.decimals), token.decimals)
            token.end = token.unit_start = token.unit_end = digits.end()
            return _unit(text, token)
    if following == "^" and text[end + 1 : end + 3] in _ORDINALS:
        return _identifier(text, token.start, end + 3, token.value, token.decimals)
    if following == ":" and token.decimals == 0:
        other = _TIME.match(text, end)
        if other is not None:
            return _identifier(text, token.start, other.end(), token.value, 0)
    if following in "x× " and (cross := _CROSS.match(text, end)) is not None:
        attached = cross[0] in ("x", "×") or "×" in cross[0]
        crossed = _CROSSED.match(text, end)
        if crossed is not None and ((attached and token.decimals == 0) or cross[0] == "x"):
            return _identifier(text, token.start, crossed.end(), token.value, token.decimals)
    if _is_letter(following) or following == "×":
        return _suffix(text, token, lexicon)
    if following == "-":
        points = _POINT_DELTA.match(text, end)
        if points is not None:
            token.unit, token.unit_start, token.unit_end = unit_named("points"), end, points.end(1)
            return token
        return _hyphen(text, token)
    return _unit(text, token)


def _unit(text: str, token: Token) -> Token:
    unit = unit_at(text, token.end)
    if unit is not None:
        token.unit, token.unit_start, token.unit_end = unit
    return token


def _suffix(text: str, token: Token, lexicon: Lexicon) -> Token:
    """Letters right behind the digits: a factor, a scale, an ordinal, a unit; anything else makes it a name."""
    end = token.end
    following = text[end]
    if following == "×":
        token.form = "ratio"
        token.unit_start, token.unit_end = end, end + 1
        return token
    match = _SUFFIX.match(text, end)
    letters = match[0] if match is not None else following
    stop = end + len(letters)
    after = text[stop : stop + 1]
    closed = not after.isalnum() and after != "_"
    if letters in ("x", "X") and closed:
        if token.value == 0 or _ALGEBRA.match(text, stop) is not None:
            return _identifier(text, token.start, stop, token.value, token.decimals)
        token.form = "ratio"
        token.unit_start, token.unit_end = end, stop
        return token
    if letters in _SCALES and closed and not (after == "-" and letters != "k"):
        scaled = _scaled(text, token, letters, stop, lexicon)
        if scaled is not None:
            return scaled
    if letters.lower() in _ORDINALS and token.decimals == 0 and closed:
        return Token(token.start, stop, token.value, 0, "identifier", None, stop, stop)
    if letters == "s" and closed and token.decimals == 0 and 1800 <= token.value <= 2100:
        return Token(token.start, stop, token.value, 0, "year", None, stop, stop)
    unit = unit_at(text, end)
    if unit is not None and unit.start == end and letters not in ("B", "b", "D"):
        token.unit, token.unit_start, token.unit_end = unit
        return token
    if not letters.isascii() and letters[0] >= "\u2e80":
        return _unit(text, token)
    return _identifier(text, token.start, end, token.value, token.decimals)


def _scaled(text: str, token: Token, letters: str, stop: int, lexicon: Lexicon) -> Token | None:
    """5k, 1.2M; None when the letters rather belong to a name (7B) or are a unit (5 m)."""
    if letters not in ("k", "K") and not token.money:
        word = _NEXT_WORD.match(text, stop)
        if word is None or word[1].lower() not in lexicon.model_size_nouns:
            return None
    token.value = token.value.scaleb(_SCALES[letters])
    token.decimals -= _SCALES[letters]
    token.end = token.unit_start = token.unit_end = stop
    return _unit(text, token)


def _hyphen(text: str, token: Token) -> Token:
    """12-layer, 3-fold, 2-hour, 5-point, 4-Omni."""
    match = _HYPHEN_WORD.match(text, token.end)
    if match is None:
        return token
    word = match[1]
    if word in ("to", "and", "or", "by"):
        return token
    if word == "fold":
        token.form = "fold"
        token.unit_start, token.unit_end = match.start(1), match.end()
        return token
    if word.lower() in ("point", "points", "item", "star", "nearest", "based", "way"):
        token.form = "dimension"
        token.noun = word
        return token
    if word[0].isupper():
        return _identifier(text, token.start, token.end, token.value, token.decimals)
    unit = unit_at(text, token.end)
    if unit is not None and len(word) > 1 and unit.end == match.end():
        token.unit, token.unit_start, token.unit_end = unit
        return token
    token.form = "dimension"
    token.noun = word
    return token


def is_address(text: str, token: Token) -> bool:
    """True when the number is part of a link, a DOI, an arXiv number or a mail address."""
    left = max(0, token.start - 80)
    run = max(text.rfind(" ", left, token.start), text.rfind("\n", left, token.start)) + 1
    if token.start - run < 4 and text[token.end : token.end + 1] in ("", " ", ",", ".", ")", "%"):
        return False
    return _ADDRESS.search(text, max(run, left), token.start + 1) is not None
