"""STA006 `interval-vs-p`: a 95% confidence interval and its p value disagree about the null value.

## What it flags
A 95% interval of a difference or coefficient that contains 0 (of an odds, hazard or risk ratio: 1) with p below .05, or one that
leaves the null value out with p above .05.

## Why it matters
Both come from the same data; one of them is a slip, or they belong to different tests.

## When it stays silent
When the null value is not known, when interval or p value stand more than once in the sentence, at other levels than 95%, and for
adjusted or one-sided tests and bootstrap intervals.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.estimates import Interval, intervals
from analyzers.facts.significance import PValue, p_values
from analyzers.facts.statements import statements
from analyzers.finding import Finding, Related, Severity, Tier

_RATIO = re.compile(r"\b(?:a?OR|a?HR|a?RR|IRR)\b|\b(?:odds|hazard|risk|rate)[- ]ratios?\b", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\bdifference|\bslope|\bcoefficient|\beffect\b|β|\b[bB]\s?=|\bd\s?=|Δ|\bchange\b|\bcorrelation|\br\s?=",
    re.IGNORECASE,
)
_OTHER_TEST = re.compile(
    r"adjust|correct(?:ed|ion)|bonferroni|holm|one-(?:sided|tailed)|bootstrap|permut|bayes|credible|interaction",
    re.IGNORECASE,
)
_LEVEL = Decimal("0.05")


class IntervalVersusP(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA006"
    name = "interval-vs-p"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of("Zero lies inside", "The difference was 1.2 (95\\% CI [$-0.4$, 2.8], $p = .01$).", ".01"),
        Example.of("One lies outside", "The odds ratio was 2.1 (95\\% CI 1.4--3.2, $p = .21$).", ".21"),
        Example.of("They agree", "The difference was 1.2 (95\\% CI [0.4, 2.0], $p = .01$)."),
        Example.of("The null value is unknown", "The mean was 1.2 (95\\% CI [$-0.4$, 2.8], $p = .01$)."),
        Example.of("Another level", "The difference was 1.2 (90\\% CI [0.1, 2.3], $p = .08$)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per sentence."""
        if view.preamble or ("CI" not in view.text and "nterval" not in view.text):
            return
        for sentence in statements(view.block, view.macros):
            found = list(intervals(sentence.text))
            if len(found) != 1 or _OTHER_TEST.search(sentence.text):
                continue
            values = list(p_values(sentence.text))
            ratio, difference = _RATIO.search(sentence.text), _DIFFERENCE.search(sentence.text)
            if len(values) != 1 or (ratio is None) == (difference is None) or found[0].level not in (None, Decimal(95)):
                continue
            null = Decimal(1 if ratio else 0)
            what = _disagree(found[0], values[0], null)
            if what is None:
                continue
            p = values[0]
            span = view.prose_span(sentence.start + p.start, sentence.start + p.end)
            place = view.prose_span(sentence.start + found[0].interval_start, sentence.start + found[0].interval_end)
            message = f"The 95% interval {what} {null}, but p {p.relation} {sentence.text[p.start : p.end]}."
            yield self.finding(message, span, related=(Related(place, "The interval."),))


def _disagree(interval: Interval, p: PValue, null: Decimal) -> str | None:
    inside = interval.low[2] < null < interval.high[1]
    outside = interval.low[1] > null or interval.high[2] < null
    if inside and p.relation in ("=", "<") and (p.high if p.relation == "=" else p.value) <= _LEVEL:
        return "contains"
    if outside and p.relation in ("=", ">") and (p.low if p.relation == "=" else p.value) >= _LEVEL:
        return "does not contain"
    return None
