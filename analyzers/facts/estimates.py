"""Estimates with their confidence intervals, and means with standard deviation and sample size."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from analyzers.facts.significance import read_number

_N = r"[-−–]?\d*\.?\d+"
_CI = r"(?:(?P<level>\d{2}(?:\.\d)?)\s?%?[-\s]?)?(?:CIs?|CrI|HDI|KI|[Cc]onfidence [Ii]ntervals?|[Cc]redible [Ii]ntervals?|Konfidenzintervall)"
_INTERVAL = re.compile(
    rf"(?<![\w.])(?P<estimate>{_N})(?P<unit>\s?(?:%|[a-zA-Zµ°]{{1,7}}(?:/[a-z]{{1,3}})?))?(?P<words>(?:\s(?!CI|with\b|and\b|or\b|to\b|than\b|versus\b|vs\b|against\b|but\b)[A-Za-z][A-Za-z-]*){{1,5}}(?=\s?[(\[]|,?\swith\san?\s\d))?(?P<gap>\s?[,;]\s?[(\[]?|\s?[(\[]|,?\swith)\s?(?:(?:SD|SE|s\.d\.)\s?=?\s?[\d.]+\s?[,;]\s?)?"
    rf"(?:with\s)?(?:an?\s|the\s|its\s)?{_CI}\s?(?:of|(?:ranging\s|running\s)?from|ranging\sbetween|between|was|is)?\s?[:=,]?\s?[\[({{]?\s?(?P<low>{_N})\s?%?\s?(?:,|;|–|—|-|to|bis|and)\s?(?P<high>{_N})(?P<after>\s?%)?"
)
# "the 95% CI of the difference is [0.9, 3.9] with a mean of 2.4"
_BEHIND = re.compile(
    rf"{_CI}\s(?:[A-Za-z-]+\s){{0,6}}?(?:is|was|of|from|:|=)?\s?[\[(]\s?(?P<low>{_N})\s?%?\s?(?:,|;|–|—|-|to)\s?(?P<high>{_N})(?P<after>\s?%)?\s?[\])]\s?,?\s?(?:with|around|about|and)\s(?:an?|the)\s"
    rf"(?:sample\s|point\s|observed\s)?(?:mean|estimate|average|median)(?:\s(?:difference|effect|value|score))?\s(?:of|is|was|at)\s(?P<estimate>{_N})(?P<unit>\s?%)?"
)
_OTHER = re.compile(r"(?:\b(?:[pPnN]|df|SDs?|SE|[tFzZ])|\))\s?[=<>≤≥]\s?$|±\s?$|[×^/]\s?$")
_N_EQUALS = re.compile(r"(?<![A-Za-z])[nN]\s?=\s?(\d{1,6})(?![\d.])")
_MEAN_SD = re.compile(
    rf"(?<![\w.])(?P<mean>{_N})\s?(?:±\s?(?P<pm>{_N})|[,;]?\s?\(?\s?(?:SD|s\.d\.|σ|standard deviation(?: of)?)\s?[=:]?\s?(?P<sd>{_N}))"
)
_MEAN = re.compile(
    r"(?<![\w.])(\d{1,2}\.\d{1,3})(?![\d%]|\s?(?:%|±|[a-zA-Zµ]{1,3}\b(?<!for)(?<!in)(?<!and)(?<!on)(?<!to)(?<!of)(?<!out)))"
)


# "each of the 16 lawyers gave one rating": everybody who is counted gave one.
_EVERYBODY = re.compile(
    r"\b(?:each|every one|all) of (?:the|our|these|those) (\d{1,3}) (?:[a-z-]+ ){0,2}?[a-z]+(?:s|men|people)\b|\b[Aa]ll (\d{1,3}) (?:[a-z-]+ ){0,2}?(?:[a-z]+s|people) (?:rated|gave|scored|judged)\b",
    re.IGNORECASE,
)
_ONE_RATING = re.compile(
    r"\b(?:a single|one|a final|an overall)\s(?:[a-z]+\s){0,2}?(?:rating|score|grade|mark|judge?ment|item|question|answer)\b|\brated\s[^.;\d]{1,50}\s(?:once|only once)\b"
)
_NO_MEAN = re.compile(r"(?:SD|SE|[tFzp]|d)\s?[=<>(]\s?$|[±–-]\s?$")
_EACH = re.compile(r"\s?(?:each|per (?:group|condition|arm)|in (?:each|both))\b")


# "Participants (n = 18) rated it, with a mean of 5.47"
_MEAN_SAID = re.compile(
    r"\b(?:[Mm]eans?|average)\s(?:(?:rating|score|value)\s)?(?:of|was|is)\s(?=\d)|\bon average,?\s(?=\d)|\bM\s?=\s?(?=\d)"
)


class Interval(NamedTuple):
    """An estimate and its interval, each with its rounding; offsets in the text that was read."""

    estimate: tuple[Decimal, Decimal, Decimal]  # value, lower, upper
    low: tuple[Decimal, Decimal, Decimal]
    high: tuple[Decimal, Decimal, Decimal]
    level: Decimal | None
    start: int
    end: int
    interval_start: int
    interval_end: int
    mixed: bool  # percent on one side only

    @property
    def outside(self) -> bool:
        """True when the estimate cannot lie in the interval, whatever was rounded and whether or not in percent."""
        if self.low[0] > self.high[0]:
            return False
        for scale in (0, 2, -2) if self.mixed else (0,):
            low, high = self.low[1].scaleb(scale), self.high[2].scaleb(scale)
            if self.estimate[2] >= low and self.estimate[1] <= high:
                return False
        return True


class Sample(NamedTuple):
    """A mean of `n` values, with a standard deviation if one is given; offsets of the digits of the mean and of the deviation."""

    mean: tuple[Decimal, Decimal, Decimal, int]
    start: int
    end: int
    n: int
    n_span: tuple[int, int]
    deviation: tuple[Decimal, Decimal, Decimal, int] | None = None
    deviation_span: tuple[int, int] = (0, 0)


def intervals(text: str) -> Iterator[Interval]:
    """Every estimate that stands directly before its confidence interval."""
    if "CI" not in text and "nterval" not in text and "CrI" not in text and "HDI" not in text and "KI" not in text:
        return
    for match in (*_INTERVAL.finditer(text), *_BEHIND.finditer(text)):
        if match.re is _INTERVAL and _unlike(text, match):
            continue
        estimate, low, high = read_number(match["estimate"]), read_number(match["low"]), read_number(match["high"])
        # “0.1-0.5”: the hyphen of a range is no minus sign.
        if estimate is None or low is None or high is None:
            continue
        level = Decimal(match["level"]) if match["level"] else None
        mixed = ("%" in (match["unit"] or "")) != (match["after"] is not None)
        place = (*match.span("estimate"), match.start("low"), match.end("high"))
        yield Interval(estimate[:3], low[:3], high[:3], level, *place, mixed)


def _unlike(text: str, match: re.Match[str]) -> bool:
    """True when the number in front of an interval is no estimate: a statistic, the level, or a count of what was studied."""
    if _OTHER.search(text[: match.start("estimate")]) or match["estimate"] == match["level"]:
        return True
    return bool(match["words"]) and "." not in match["estimate"] and "%" not in (match["unit"] or "")


_UNLIKE_MEAN = re.compile(r"(?:SD|SE|[tFzp]|d|[nN])\s?[=<>(]\s?$|[±–-]\s?$")
_MEASURED = re.compile(r"\s?(?:hours|minutes|seconds|days|weeks|months|years|times|points|percent)\b")


def _behind_each(text: str, sizes: list[re.Match[str]]) -> Iterator[Sample]:
    """Means behind their sample sizes: “those with (n = 12) rated it 3.92, those without (n = 12) 3.42”.

    Only when every size in brackets is followed by exactly one mean, and none stands before the first.
    """
    means = list(_MEAN.finditer(text))
    if len(means) != len(sizes) or any(text[size.end() : size.end() + 1] != ")" for size in sizes):
        return
    ends = [*(size.start() for size in sizes[1:]), len(text)]
    found = []
    for size, mean, end in zip(sizes, means, ends, strict=True):
        read = read_number(mean[1])
        between = text[size.end() : mean.start(1)]
        if (
            read is None
            or not size.end() < mean.start() < min(end, size.end() + 50)
            or any(map(str.isdigit, between))
            or _UNLIKE_MEAN.search(between)
            or _MEASURED.match(text, mean.end(1))
            or _MEAN_SD.match(text, mean.start(1))
        ):
            return
        found.append(Sample(read, *mean.span(1), int(size[1]), size.span(1)))
    yield from found


def samples(text: str, shared: bool = False) -> Iterator[Sample]:
    """Means with the sample size that belongs to them: the nearest “n = …” behind or, in brackets, in front.

    With `shared`, or before “n = 18 each”, the means in front of that one have the same size.
    """
    sizes = list(_N_EQUALS.finditer(text))
    if not sizes:
        everybody = list(_EVERYBODY.finditer(text)) if _ONE_RATING.search(text) is not None else []
        if len(everybody) == 1:
            yield from _behind(text, everybody[0])
        return
    behind = list(_behind_each(text, sizes))
    if behind:
        yield from behind
        return
    if len(sizes) == 1:
        yield from _behind(text, sizes[0])
    previous = 0
    for size in sizes:
        window = max(previous, size.start() - 60)
        previous = size.end()
        piece = text[window : size.start()]
        means = list(_MEAN.finditer(piece))
        pairs = list(_MEAN_SD.finditer(piece))
        n, span = int(size[1]), size.span(1)
        if pairs:
            match = pairs[-1]
            group = "pm" if match["pm"] else "sd"
            mean, deviation = read_number(match["mean"]), read_number(match[group])
            if mean is not None and deviation is not None and "." in match["mean"]:
                at = window + match.start(group)
                yield Sample(
                    mean,
                    window + match.start("mean"),
                    window + match.end("mean"),
                    n,
                    span,
                    deviation,
                    (at, at + len(match[group])),
                )
        elif means:
            several = shared or _EACH.match(text, size.end()) is not None
            for match in means if several else means[-1:]:
                mean = read_number(match[1])
                if mean is not None and not _NO_MEAN.search(piece[: match.start()]):
                    yield Sample(mean, window + match.start(1), window + match.end(1), n, span)


def _behind(text: str, size: re.Match[str]) -> Iterator[Sample]:
    """The mean behind the only sample size of a sentence, when it is called a mean and no other number with decimals stands before it."""
    said = _MEAN_SAID.search(text, size.end(), size.end() + 150)
    if said is None or _DECIMAL.search(text, 0, said.end()):
        return
    match = _MEAN.match(text, said.end())
    number = 1 if size[1] else 2
    mean = read_number(match[1]) if match is not None else None
    if match is not None and mean is not None:
        yield Sample(mean, match.start(1), match.end(1), int(size[number]), size.span(number))


_DECIMAL = re.compile(r"\d\.\d")
