"""Dates in prose and the ranges they form: “between June 2024 and March 2024”, “12 March 2024 to 3 March 2024”, “von 2021 bis 2019”."""

import re
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block


class Date(NamedTuple):
    """A date as precise as it is written: `month` and `day` are 0 when not given.  The place is relative to the block."""

    year: int
    month: int
    day: int
    start: int
    end: int
    text: str


class DateRange(NamedTuple):
    """Two dates that the text puts as beginning and end."""

    first: Date
    last: Date

    @property
    def reversed(self) -> bool:
        """True when the end surely comes before the beginning: compared only as far as both are precise."""
        first, last = self.first, self.last
        if first.year != last.year:
            return last.year < first.year
        if not first.month or not last.month or first.month != last.month:
            return bool(first.month and last.month) and last.month < first.month
        return bool(first.day and last.day) and last.day < first.day


_MONTHS = {
    "january": 1, "jan": 1, "februar": 2, "february": 2, "feb": 2, "march": 3, "mar": 3, "märz": 3, "mär": 3, "april": 4, "apr": 4, "may": 5, "mai": 5, "june": 6,
    "juni": 6, "jun": 6, "july": 7, "juli": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "october": 10, "oktober": 10, "oct": 10,
    "janvier": 1, "février": 2, "mars": 3, "avril": 4, "juin": 6, "juillet": 7, "août": 8, "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12,
    "enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9, "octubre": 10, "noviembre": 11,
    "diciembre": 12, "январь": 1, "января": 1, "февраль": 2, "февраля": 2, "март": 3, "марта": 3, "апрель": 4, "апреля": 4, "май": 5, "мая": 5, "июнь": 6,
    "июня": 6, "июль": 7, "июля": 7, "август": 8, "августа": 8, "сентябрь": 9, "сентября": 9, "октябрь": 10, "октября": 10, "ноябрь": 11, "ноября": 11,
    "декабрь": 12, "декабря": 12, "okt": 10, "november": 11, "nov": 11, "december": 12, "dezember": 12, "dec": 12, "dez": 12, "januar": 1, "jänner": 1,
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[89]|20)\d\d"
_ONE = (
    rf"(?:(?P<d{{0}}>[0-3]?\d)(?:st|nd|rd|th|\.)?\s+(?:(?:of|de)\s+)?)?(?P<m{{0}}>{_MONTH})\.?\s*(?:(?P<e{{0}}>[0-3]?\d)(?:st|nd|rd|th)?,\s*)?(?:(?:of|de|del)\s+)?(?P<y{{0}}>{_YEAR})"
    rf"|(?P<iy{{0}}>{_YEAR})-(?P<im{{0}}>[01]\d)(?:-(?P<id{{0}}>[0-3]\d))?"
    rf"|(?P<gd{{0}}>[0-3]?\d)\.\s?(?P<gm{{0}}>[01]?\d)\.\s?(?P<gy{{0}}>{_YEAR})"
    rf"|(?P<sm{{0}}>[01]?\d)/(?P<sy{{0}}>{_YEAR})"
    rf"|(?P<cy{{0}}>{_YEAR})年(?P<cm{{0}}>[01]?\d)月(?:(?P<cd{{0}}>[0-3]?\d)日)?"
)
_RANGE = re.compile(
    rf"(?<![\w.\-/])(?P<cue>(?:between|from|zwischen|von|vom|entre|desde|du|de|с|между|从|自)\s*)?(?:the\s+|dem\s+)?(?P<first>{_ONE.format(1)})"
    rf"\s*(?P<link>,?\s+(?:and|und|et|y|и|to|until|till|through|up\s+to|bis(?:\s+zum)?|à|au|jusqu’?'?en|hasta|a|по|до)\s+|,?\s+(?:and|und)\s+(?:end(?:ed|ing|s)|finish(?:ed|ing)|conclud(?:ed|ing)|closed|stopped|was\s+(?:completed|closed|stopped)|endete)\s+(?:in\s+|on\s+|im\s+)?|\s*[–—]\s*|\s+-\s+|至|到)(?:the\s+|dem\s+)?(?P<last>{_ONE.format(2)})(?![\w\-/]|\.\d)",
    re.IGNORECASE,
)
# "The first sheet was scanned on 2 November 2021 and the last one on 14 March 2022."
_FROM_FIRST = re.compile(
    rf"\b(?:first|earliest|oldest)\b(?!\s+and\b)(?P<of>[^.;:()]{{0,60}}?)\s(?:on|in|from|dates\s+to|dates\s+back\s+to)\s+(?P<first>{_ONE.format(1)})"
    rf"[,;]?\s+(?P<link>(?:(?:and|while|whereas|but),?\s+)?(?:the|its|our|their)\s+(?:last|latest|final|newest|most\s+recent)\b[^.;:()]{{0,60}}?\s(?:on|in|from|dates\s+to|dates\s+back\s+to)\s+)(?P<last>{_ONE.format(2)})(?![\w\-/]|\.\d)",
    re.IGNORECASE,
)
_YEARS = re.compile(
    rf"(?<![\w.\-/])(?P<cue>between|from|zwischen|von|in den jahren|during the years)\s+(?P<first>(?P<y1>{_YEAR}))\s+(?P<link>and|und|to|until|till|through|bis)\s+(?P<last>(?P<y2>{_YEAR}))"
    r"(?=\s*(?:[.,;:)\]!?]|$)|\s+(?:in|at|by|for|with|on|over|we|were|was|are|is|using|across|and|in der|wurde|wurden|an|mit|the)\b)",
    re.IGNORECASE,
)
# Numbers that look like years when something grows or shrinks, and time that is told backwards on purpose.
_NOT_TIME = re.compile(
    r"\b(?:decreas|reduc|drop|fell|fall|declin|shr[aiu]nk|lower|back(?:ward)?|descend|revers|compress|prun|cut|truncat|token|pixel|dimension|unit|neuron|step|sample|parameter"
    r"|batch|hidden|width|sink|sank|verringer|reduzier|gefallen|zurück|rückwärts|absteigend|countdown|ago\b)",
    re.IGNORECASE,
)
_PREFILTER = re.compile(_YEAR)


@block_fact
def date_ranges(block: Block, macros: Macros) -> tuple[DateRange, ...]:
    """The ranges of dates in a block's prose."""
    source = block.text
    if not ("20" in source or "19" in source or "18" in source) or _PREFILTER.search(source) is None:
        return ()
    return tuple(_ranges(block, macros))


def _ranges(block: Block, macros: Macros) -> list[DateRange]:
    prose = prose_of(block, macros)
    text = prose.text
    if len(_PREFILTER.findall(text)) < 2:
        return []
    found: list[DateRange] = []
    for match in _RANGE.finditer(text):
        link = match["link"].strip().lower().lstrip(", ")
        # “June 2024 and March 2024” is a list unless “between” stands before it; and “from June 2024 and” begins something else.
        if link in ("and", "und", "et", "y", "и") and (match["cue"] or "").strip().lower() not in (
            "between",
            "zwischen",
            "entre",
            "между",
        ):
            continue
        first, last = (
            _date(match, 1, prose.source(*match.span("first"))),
            _date(match, 2, prose.source(*match.span("last"))),
        )
        if first is not None and last is not None:
            found.append(DateRange(first, last))
    if "irst" in text or "arliest" in text or "ldest" in text:
        found += (
            DateRange(first, last)
            for match in _FROM_FIRST.finditer(text)
            if (first := _date(match, 1, prose.source(*match.span("first")))) is not None
            and (last := _date(match, 2, prose.source(*match.span("last")))) is not None
        )
    for match in _YEARS.finditer(text):
        cue, link = match["cue"].lower(), match["link"].lower()
        if (link in ("and", "und")) != (cue in ("between", "zwischen")):
            continue
        if _NOT_TIME.search(text, max(match.start() - 80, 0), match.start()) or _NOT_TIME.match(
            text[match.end() :].lstrip()[:20]
        ):
            continue
        years = [int(match["y1"]), int(match["y2"])]
        places = [prose.source(*match.span("first")), prose.source(*match.span("last"))]
        dates = [Date(year, 0, 0, *place, str(year)) for year, place in zip(years, places, strict=True)]
        found.append(DateRange(dates[0], dates[1]))
    return found


def _date(match: re.Match[str], number: int, place: tuple[int, int]) -> Date | None:
    def value(name: str) -> int:
        return int(match[f"{name}{number}"] or 0)

    year = value("y") or value("iy") or value("gy") or value("cy") or value("sy")
    written = match[f"m{number}"]
    month = _MONTHS[written.lower()] if written else value("im") or value("gm") or value("cm") or value("sm")
    day = value("d") or value("e") or value("id") or value("gd") or value("cd")
    if month > 12 or day > 31:
        return None
    return Date(year, month, day, *place, match["first" if number == 1 else "last"])
