"""STA002 `estimate-outside-interval`: an estimate lies outside its own confidence interval.

## What it flags
“4.21 (95% CI [4.36, 4.96])”: the number directly before a confidence or credible interval is not in it, even when rounding
of all three numbers is taken into account.

## Why it matters
One of the three numbers is a slip, or belongs to another estimate.

## When it stays silent
When the number before the interval is a p value, a sample size, a test statistic or a spread; when it lies inside after
a change between fractions and percent; and when the ends of the interval are in reverse order.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.estimates import intervals
from analyzers.facts.statements import statements
from analyzers.finding import Finding, Related, Severity, Tier


class EstimateOutsideInterval(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA002"
    name = "estimate-outside-interval"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Below the interval", "The mean score was 4.21 (95\\% CI [4.36, 4.96]).", "4.21"),
        Example.of("With an en dash", "The odds ratio was 2.9, 95\\% CI 1.1--2.4.", "2.9"),
        Example.of("A negative one", "The slope was $-0.30$ (95\\% confidence interval $-0.25$ to $0.10$).", "-0.30"),
        Example.of(
            "Behind a noun and “with”",
            "It saves 6.8 minutes per task, with a 95\\% confidence interval from 8.4 to 12.2.",
            "6.8",
        ),
        Example.of(
            "With, and inside", "It saves 6.8 minutes per task, with a 95\\% confidence interval from 1.4 to 12.2."
        ),
        Example.of(
            "A count of what was studied",
            "We read 72 papers per year, with a 95\\% confidence interval of 1.4 to 12.2.",
        ),
        Example.of(
            "Its interval", "The difference is 6.8 minutes; its 95\\% confidence interval is 8.4 to 12.2.", "6.8"
        ),
        Example.of("Inside", "The mean score was 4.21 (95\\% CI [3.86, 4.56])."),
        Example.of("A p value before the interval", "It rose, $p = .02$, 95\\% CI [1.2, 3.4]."),
        Example.of("Percent and fraction", "The rate was 0.42 (95\\% CI 38--46\\%)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per estimate."""
        if view.preamble or (
            "CI" not in view.text and "nterval" not in view.text and "KI" not in view.text and "HDI" not in view.text
        ):
            return
        for sentence in statements(view.block, view.macros):
            for found in intervals(sentence.text):
                if not found.outside:
                    continue
                span = view.prose_span(sentence.start + found.start, sentence.start + found.end)
                place = view.prose_span(sentence.start + found.interval_start, sentence.start + found.interval_end)
                message = f"{found.estimate[0]} lies outside its interval, {found.low[0]} to {found.high[0]}."
                yield self.finding(message, span, related=(Related(place, "The interval."),))
