"""NUM003 `from-to-arithmetic`: a change does not follow from the two values named with it.

## What it flags
“rises from 62.0 to 74.3, a relative improvement of 24.8%”, where the two values give 19.8%.  All readings are tried: the
difference, the relative change from either side and the ratio, each within rounding.

## Why it matters
All operands stand in one sentence, so one of them is wrong; it is usually the number that gets quoted.

## When it stays silent
When any reading fits, when a sentence has several changes, with bounds (“more than 20%”), and when the number is not said to be
a change of these values (“from 128 to 256 (4x parameters)”).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.arithmetic import Range, readings, shown, tolerant
from analyzers.facts.quantities import Kind, Quantity
from analyzers.facts.statements import Statement, editable, numbers, statements
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_TO = re.compile(
    r"[\s(]*[^\s\d]{0,12}\s?(?:\([^()\d]{0,40}\)\s)?(?:[A-Za-z][\w-]*\s){0,7}?(?:down |up |back )?to\s(?:about |around |roughly |nearly |only |just |a |an )?[$€£(]?",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s(?:about |around |roughly |an? |only |just |the )?[$€£]?$", re.IGNORECASE)
_FROM_NUMBER = re.compile(r"\bfrom\s(?:about |around |roughly |an? |only |just |the )?[$€£]?\d", re.IGNORECASE)
_CHANGE = re.compile(
    r"improve|increase|reduc|gain|drop|decreas|rise|rose|decline|relative|growth|grow|grew|saving|cut|fall|fell|faster|slower|speed|lower|higher|fewer|more|less|shorter|smaller|larger|better|boost|jump|change|difference|factor",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:^|[\s,(])by\s(?:about\s|around\s|roughly\s|some\s)?$")
_RATIO_NOUN = re.compile(
    r"\W{0,2}(?:\w+\s)?(?:speed-?ups?|faster|slower|improvement|increase|reduction|decrease|larger|smaller|more|fewer|less|higher|lower|gain|boost|growth)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"respectively|on average|averag|up to|at least|at most|between|compared (?:to|with) (?:the )?(?:previous|last)|per year|annual|geometric|median|\band from\b",
    re.IGNORECASE,
)
_REDUCTION = re.compile(r"reduc|decreas|drop|cut\b|cuts\b|saving|declin|fall", re.IGNORECASE)
# "a relative improvement of 38% (58.3 vs. 74.6)"
_AGAINST_WORDS = ("vs", "versus", "against", "→", "\\to", "rightarrow", "compared")
_AGAINST = re.compile(
    r"\((?:from\s)?[$€£]?\d[^()]{0,24}?(?:vs\.?|versus|against|→|compared\s(?:to|with))\s?[$€£]?\d[^()]{0,12}\)"
)
_OPENING = re.compile(r"(?:\s[a-z-]+){0,3}\s\((?:from\s)?[$€£]?$")
_MIDDLE = re.compile(r"\s?(?:vs\.?|versus|against|→|compared\s(?:to|with))\s?[$€£]?$")
_SINGLE = frozenset({Kind.LEVEL, Kind.COUNT, Kind.SHARE})


class FromTo(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM003"
    name = "from-to-arithmetic"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "A wrong relative change", "Accuracy rises from 62.0 to 74.3, a relative improvement of 24.8\\%.", "24.8"
        ),
        Example.of("Wrong points", "Accuracy improved from 62.0\\% to 74.3\\%, a gain of 13.2 points.", "13.2"),
        Example.of("A wrong factor", "Latency drops from 120 ms to 40 ms, a 4x speedup.", "4"),
        Example.of("Before the values", "We reduce the time by 45\\% from 12.4 s to 8.1 s.", "45"),
        Example.of("That is, by", "Accuracy climbs from 80.1 to 91.2, that is, by 18.9\\%.", "18.9"),
        Example.of("The values in parentheses", "This is a relative improvement of 24.8\\% (74.3 vs.\\ 62.0).", "24.8"),
        Example.of(
            "The values in parentheses, and all is well", "This is a relative improvement of 19.8\\% (74.3 vs.\\ 62.0)."
        ),
        Example.of("Points of the values in parentheses", "Accuracy improves by 12.3 points (62.0\\% vs.\\ 74.3\\%)."),
        Example.of("Other things in parentheses", "Accuracy improves by 12.3 points ($n=62$ vs.\\ 74 readers)."),
        Example.of("Within rounding", "Accuracy rises from 62.0 to 74.3, a relative improvement of 19.8\\%."),
        Example.of("Relative to the larger value", "The time falls from 8.1 s to 4.0 s, that is by 50\\%."),
        Example.of("Another quantity", "We raise the width from 128 to 256 (4x parameters)."),
        Example.of(
            "Two changes", "It rises from 62.0 to 74.3 and the other from 50 to 60, gains of 12.3 and 11 points."
        ),
        Example.of("A bound", "It rises from 62.0 to 74.3, an improvement of more than 10 points."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per sentence."""
        joined = view.text.replace("\n", " ")
        moved, against = "rom " in joined, "(" in joined and any(word in joined for word in _AGAINST_WORDS)
        if view.preamble or not (moved or against):
            return
        for sentence in statements(view.block, view.macros):
            text = sentence.text
            if against and _AGAINST.search(text) and not _OTHER.search(text):
                found = numbers(view.block, view.macros, sentence, view.language)
                triples = _bracketed(text, found)
                finding = self._judge(view, sentence, *triples[0]) if len(triples) == 1 else None
                if finding is not None:
                    yield finding
                    continue
            if not moved or " to " not in text or len(_FROM_NUMBER.findall(text)) != 1 or _OTHER.search(text):
                continue
            finding = self._sentence(view, sentence)
            if finding is not None:
                yield finding

    def _sentence(self, view: BlockView, sentence: Statement) -> Finding | None:
        found = numbers(view.block, view.macros, sentence, view.language)
        pair = _pair(sentence.text, found)
        if pair is None:
            return None
        first, second = pair
        changes = [
            q for q in found if q is not first and q is not second and _is_change(sentence.text, q, first, second)
        ]
        return self._judge(view, sentence, changes[0], first, second) if len(changes) == 1 else None

    def _judge(
        self, view: BlockView, sentence: Statement, change: Quantity, first: Quantity, second: Quantity
    ) -> Finding | None:
        possible = readings(first, second)
        low, high = tolerant(change)
        low, high = sorted((abs(low), abs(high)))
        if change.kind is Kind.RATIO:
            fitting = [possible.get("ratio"), possible.get("inverse ratio"), _less_one(possible.get("ratio"))]
        elif change.unit is not None and change.unit.symbol in ("%", "point", "pp"):
            names = ["difference", "relative"]
            # A reduction is always one of the first value; a growth may be told backwards.
            if second.value > first.value or not _REDUCTION.search(sentence.text):
                names.append("relative to the second")
            fitting = [possible.get(name) for name in names]
            fitting += [
                Range(r.low * 100, r.high * 100)
                for r in (possible["difference"], possible.get("ratio"), possible.get("inverse ratio"))
                if r is not None
            ]
        elif change.unit is None or change.unit == first.unit or first.unit is None:
            fitting = [
                possible["difference"],
                possible.get("ratio"),
                possible.get("inverse ratio"),
                possible.get("relative"),
            ]
        else:
            return None
        if any(r is not None and r.meets(low, high) for r in fitting):
            return None
        return self._finding(view, sentence, (first, second), change, possible)

    def _finding(
        self,
        view: BlockView,
        sentence: Statement,
        pair: tuple[Quantity, Quantity],
        change: Quantity,
        possible: dict[str, Range],
    ) -> Finding:
        name = _reading(change, possible)
        value = (possible[name].low + possible[name].high) / 2
        if name == "difference" and not (pair[0].unit and pair[1].unit and pair[0].unit != pair[1].unit):
            value = abs(pair[1].value - pair[0].value)
        computed = shown(value, change.decimals)
        unit = (
            "%"
            if name.startswith("relative")
            else "x"
            if "ratio" in name
            else " points"
            if change.kind is Kind.DELTA_ABS
            else ""
        )
        written = sentence.text[change.start : change.end]
        start, end = sentence.start + change.start, sentence.start + change.end
        span = view.prose_span(start, end)
        related = tuple(
            Related(view.prose_span(sentence.start + q.start, sentence.start + q.end), "An operand.") for q in pair
        )
        fixes: tuple[Fix, ...] = ()
        if editable(view.prose, start, end) and written.replace(".", "").isdigit():
            fixes = (Fix(f"Write {computed}", (Edit(span, computed),)),)
        message = f"From {pair[0].text} to {pair[1].text} is {computed}{unit}, not {written}."
        return self.finding(
            message, span, related=related, fixes=fixes, evidence={"computed": computed, "reading": name}
        )


def _pair(text: str, found: Sequence[Quantity]) -> tuple[Quantity, Quantity] | None:
    pairs = []
    for first, second in pairwise(found):
        if (
            first.kind not in _SINGLE
            or second.kind not in _SINGLE
            or first.bound
            or second.bound
            or first.approximate
            or second.approximate
        ):
            continue
        if _FROM.search(text[max(first.start - 22, 0) : first.start]) and _TO.fullmatch(text[first.end : second.start]):
            pairs.append((first, second))
    if len(pairs) != 1 or pairs[0][0].value == pairs[0][1].value:
        return None
    first, second = pairs[0]
    same = (
        first.unit == second.unit
        or first.unit is None
        or second.unit is None
        or first.unit.dimension == second.unit.dimension
    )
    return pairs[0] if same else None


def _bracketed(text: str, found: Sequence[Quantity]) -> list[tuple[Quantity, Quantity, Quantity]]:
    """A change and behind it, alone in parentheses, the two values that it is the change of."""
    made = []
    for change, first, second in zip(found, found[1:], found[2:], strict=False):
        ends = [max(q.end, q.unit_end) for q in (change, first, second)]
        if (
            change.kind not in (Kind.DELTA_ABS, Kind.DELTA_REL)
            or change.bound is not None
            or change.approximate
            or any(q.kind not in _SINGLE or q.bound or q.approximate or q.endpoints for q in (first, second))
            or first.decimals != second.decimals
            or first.value == second.value
            or (first.unit is not None and second.unit is not None and first.unit != second.unit)
            or not _OPENING.fullmatch(text, ends[0], first.start)
            or not _MIDDLE.fullmatch(text, ends[1], second.start)
            or not text.startswith(")", ends[2])
        ):
            continue
        made.append((change, first, second))
    return made


def _is_change(text: str, q: Quantity, first: Quantity, second: Quantity) -> bool:
    """True when a number is said to be the change between the two values."""
    if (
        q.bound is not None
        or q.kind not in (Kind.DELTA_ABS, Kind.DELTA_REL, Kind.RATIO, Kind.LEVEL)
        or q.endpoints is not None
    ):
        return False
    if q.start >= second.end:
        between = text[second.end : q.start]
        if len(between) > 70 or re.search(r"[;:]|\b(?:while|whereas|but|and)\b", between):
            return False
        near = re.fullmatch(r"\W{0,3}\w{0,7}\W{0,3}", between.strip()) is not None
    else:
        between = text[q.end : first.start]
        if q.end > first.start or len(between) > 45 or re.search(r"[;:,]\s\w+\s\w+\s\w+", between):
            return False
        near = True
    if q.kind is Kind.RATIO:
        behind = text[q.end : q.end + 30]
        return (
            _RATIO_NOUN.match(behind) is not None
            or "factor" in between[-20:]
            or "factor" in text[max(q.start - 12, 0) : q.start]
            or (near and re.match(r"\s?[x×]?\W*$|\s?[x×]?\)", behind) is not None)
        )
    if q.kind is Kind.LEVEL:
        said = _BY.search(between) is not None or _CHANGE.search(between + text[q.end : q.end + 25]) is not None
        return q.percent and q.start >= second.end and said
    return True


def _less_one(ratio: Range | None) -> Range | None:
    return Range(ratio.low - 1, ratio.high - 1) if ratio is not None else None


def _reading(change: Quantity, possible: dict[str, Range]) -> str:
    """The reading that the text means, as far as its words tell."""
    if change.kind is Kind.RATIO and "ratio" in possible:
        return "ratio" if possible["ratio"].high >= 1 else "inverse ratio"
    if change.kind is Kind.DELTA_REL and "relative" in possible:
        return "relative"
    if change.kind is Kind.LEVEL and change.percent and "relative" in possible:
        return "relative"
    return "difference"
