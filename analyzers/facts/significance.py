"""Reported test statistics and the p values that stand with them: t(36) = 2.43, p = .020."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from analyzers.facts import distributions

_NUMBER = r"[-−–]?\d*\.?\d+(?:\s?[×x·]\s?10\s?\^?\s?\(?[-−–]?\d+\)?|[eE][-−]?\d+)?"
_P = re.compile(
    rf"(?<![A-Za-z])[pP](?:-?\s?values?)?\s?(?P<relation>=|<=|>=|≤|≥|<|>|≪|≈|∼|~|of|was|is)\s?(?P<p>{_NUMBER})(?P<percent>\s?%)?"
)
_STATISTIC = re.compile(
    r"(?<![A-Za-z_])(?:"
    r"(?P<t>[tT])\s?\(\s?(?P<tdf>\d+(?:[.,]\d+)?)\s?\)"
    r"|(?P<f>F)\s?_?\s?\(\s?(?P<df1>\d+(?:\.\d+)?)\s?[,;]\s?(?P<df2>\d+(?:,\d{3})*(?:\.\d+)?)\s?\)"
    r"|(?P<c>χ\s?\^?\s?2|χ²|X\s?\^\s?2|chi\^?2)\s?_?\s?\(\s?(?P<cdf>\d+)\s?(?:,\s?[nN]\s?=\s?[\d,]+)?\s?\)"
    r"|(?P<r>r)\s?\(\s?(?P<rdf>\d+)\s?\)"
    rf"|(?P<z>[zZ]))\s?=\s?(?P<value>{_NUMBER})"
)
# "t = 2.43, df = 36", "χ² = 3.2 with 1 degree of freedom", "t_36 = 2.43": degrees of freedom behind the value or as an index.
_DF = r"d\.?\s?f\.?"
_APART = re.compile(
    r"(?<![A-Za-z_])(?P<name>[tTF]|χ\s?\^?\s?2|χ²)"
    r"(?:_(?P<index>\d{1,4}(?:,\s?\d{1,5})?|\(\d{1,4}(?:,\s?\d{1,5})?\)))?"
    rf"\s?=\s?(?P<value>{_NUMBER})"
    rf"(?:\s?[,;(]?\s?\(?(?:with\s|on\s)?(?:{_DF}\s?=\s?(?P<df>\d{{1,4}}(?:,\s?\d{{1,5}})?)(?![\d.]|,\d)"
    r"|(?P<degrees>\d{1,4}(?:(?:,|\sand)\s?\d{1,5})?)\sdegrees?\sof\sfreedom))?"
)
_TESTED = re.compile(
    r"\btest|signific|differ|effect|correlat|associat|predict|compar|Student|Welch|\b(?:faster|slower|higher|lower|better|worse|more|less|fewer|larger|smaller|longer|shorter) (?:than|[(,])|\b(?:faster|slower|better|worse)\b",
    re.IGNORECASE,
)
_SMALLEST_INDEX = 5  # below it, t_1 is a point in time
_GAP = 45
_NEXT = 4  # "t_22 = 2.62, p = .016"


class Reported(NamedTuple):
    """A statistic with its degrees of freedom and the p value behind it.  Offsets in the text that was read."""

    name: str  # t, F, chi2, r, z
    df: tuple[float, ...]
    value: Decimal
    low: Decimal
    high: Decimal
    start: int
    end: int
    p: "PValue"


class PValue(NamedTuple):
    """A p value; `relation` is one of =, <, >, ~.  `start` and `end` are those of the digits."""

    relation: str
    value: Decimal
    low: Decimal
    high: Decimal
    decimals: int
    start: int
    end: int
    whole: tuple[int, int]


def read_number(text: str) -> tuple[Decimal, Decimal, Decimal, int] | None:
    """Value, rounding interval and decimals of a literal such as “-2.43”, “.004”, “3×10^-7”."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "").replace("\u202f", "")
    match = re.fullmatch(r"(-?\d*\.?\d+)(?:[×x·]10\^?\(?(-?\d+)\)?|[eE](-?\d+))?", plain)
    if match is None:
        return None
    try:
        exponent = int(match[2] or match[3] or 0)
        if abs(exponent) > 300:
            return None
        value = Decimal(match[1]).scaleb(exponent)
    except (InvalidOperation, ValueError):
        return None
    decimals = len(match[1].partition(".")[2]) - exponent
    half = Decimal(5).scaleb(-decimals - 1)
    return value, value - half, value + half, decimals


def p_values(text: str) -> Iterator[PValue]:
    """Every p value of a text."""
    if "p" not in text and "P" not in text:
        return
    for match in _P.finditer(text):
        read = read_number(match["p"])
        if read is None or match["percent"] or not 0 <= read[0] <= 1:
            continue
        if text[match.end() : match.end() + 2].startswith(("%", " %", "^")):
            continue
        relation = {
            "<=": "<",
            "≤": "<",
            "≪": "<",
            ">=": ">",
            "≥": ">",
            "≈": "~",
            "∼": "~",
            "of": "=",
            "was": "=",
            "is": "=",
        }.get(match["relation"], match["relation"])
        if match["relation"] in ("of", "was", "is") and "value" not in match[0]:
            continue
        yield PValue(relation, *read, *match.span("p"), match.span())


def reported(text: str) -> Iterator[Reported]:
    """Statistics with the p value that directly follows them."""
    if "=" not in text or ("p" not in text and "P" not in text):
        return
    found = [(match, *_name(match)) for match in _STATISTIC.finditer(text)]
    if "_" in text or "f" in text:  # an index, "df", "of freedom"
        found += [(match, *named) for match in _APART.finditer(text) if (named := _name_apart(match)) is not None]
        found.sort(key=lambda item: item[0].start())
    if not found:
        return
    values = list(p_values(text))
    for index, (match, name, df) in enumerate(found):
        limit = found[index + 1][0].start() if index + 1 < len(found) else len(text)
        p = next((value for value in values if match.end() <= value.whole[0] < min(limit, match.end() + _GAP)), None)
        read = read_number(match["value"])
        gap = text[match.end() : p.whole[0]] if p is not None else ""
        if p is None or read is None or (gap.strip() != ";" and re.search(r"[.;]\s", gap)):
            continue
        value, low, high, _ = read
        if match.re is _APART and match["index"] and p.whole[0] > match.end() + _NEXT:
            continue
        if any(d <= 0 for d in df):
            continue
        yield Reported(name, df, value, low, high, match.start(), match.end(), p)


def _name(match: re.Match[str]) -> tuple[str, tuple[float, ...]]:
    if match["t"]:
        return "t", (float(match["tdf"].replace(",", ".")),)
    if match["f"]:
        return "F", (float(match["df1"]), float(match["df2"].replace(",", "")))
    if match["c"]:
        return "chi2", (float(match["cdf"]),)
    if match["r"]:
        return "r", (float(match["rdf"]),)
    return "z", ()


def _name_apart(match: re.Match[str]) -> tuple[str, tuple[float, ...]] | None:
    """The statistic whose degrees of freedom stand behind its value or as its index, None without them."""
    written = match["df"] or match["degrees"]
    index = match["index"]
    if (written is None) == (index is None):
        return None
    df = tuple(float(number) for number in re.findall(r"\d+", written or index))
    name = "F" if match["name"] == "F" else "t" if match["name"] in "tT" else "chi2"
    if len(df) != (2 if name == "F" else 1):
        return None
    if written is None and name == "t" and (df[0] < _SMALLEST_INDEX or _TESTED.search(match.string) is None):
        return None
    return name, df


def p_interval(test: Reported, sides: int) -> tuple[float, float]:
    """The smallest and largest p that the rounded statistic allows; `sides` (1 or 2) counts for t, r and z only."""
    values = [abs(float(test.low)), abs(float(test.high))]
    crosses = test.low < 0 < test.high
    low, high = (0.0 if crosses else min(values)), max(values)
    return _p(test, high, sides), _p(test, low, sides)


def _p(test: Reported, value: float, sides: int) -> float:
    if test.name == "t":
        return sides * distributions.t_tail(value, test.df[0])
    if test.name == "F":
        return distributions.f_tail(value, *test.df)
    if test.name == "chi2":
        return distributions.chi2_tail(value, test.df[0])
    if test.name == "r":
        return sides * distributions.correlation_tail(min(value, 1.0), test.df[0])
    return sides * distributions.normal_tail(value)


def agrees(p: PValue, low: float, high: float) -> bool:
    """True when a p value between `low` and `high` may have been reported as `p`."""
    if p.relation == "<":
        return low <= float(p.high)
    if p.relation == ">":
        return high >= float(p.low)
    slack = 4 if p.relation == "~" else 1
    half = float(p.high - p.value) * slack * (1 + 1e-9)
    # Papers also cut p values off instead of rounding them: .0298 as .029.
    return (
        low <= float(p.value) + max(half, 10.0**-p.decimals if p.relation == "=" else 0)
        and high >= float(p.value) - half
    )


def written_p(p: float, decimals: int) -> str:
    """A p value as it would be written: “.020”, “< .001” as a pair of relation and digits."""
    decimals = min(max(decimals, 2), 4)
    smallest = 10.0**-decimals
    return f"{smallest:.{decimals}f}" if p < smallest else f"{p:.{decimals}f}"
