"""STA004 `impossible-deviation`: no whole numbers have this mean and this standard deviation.

## What it flags
A standard deviation beside a mean of ratings on a scale of whole numbers that no n whole numbers have (GRIMMER), and
a standard deviation beside a proportion that zeros and ones cannot have (DEBIT).

## Why it matters
It points to a slip in one of the numbers, or to a standard error that is called a deviation.

## When it stays silent
As STA003; and when the mean itself is impossible, which is STA003's finding.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.sta003_grim import rated_samples
from analyzers.facts.estimates import Sample, samples
from analyzers.facts.granularity import binary_deviation_possible, deviation_possible, possible_sums
from analyzers.facts.statements import Statement, statements
from analyzers.finding import Finding, Related, Severity, Tier

_BINARY = re.compile(r"proportion|binary|dichotom|coded (?:as )?0|0/1", re.IGNORECASE)
_SCALE = "Participants rated helpfulness on a 5-point Likert scale. "


class ImpossibleDeviation(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA004"
    name = "impossible-deviation"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Ratings", f"{_SCALE}The mean rating was 3.40 (SD = 0.53, $n=5$).", "0.53"),
        Example.of("A proportion", "The mean proportion of hits was 0.30 (SD = 0.21, $n=40$).", "0.21"),
        Example.of("Possible", f"{_SCALE}The mean rating was 3.40 (SD = 0.55, $n=5$)."),
        Example.of("A proportion with its own spread", "The mean proportion of hits was 0.30 (SD = 0.46, $n=40$)."),
        Example.of("No whole numbers", "The mean height was 3.40 (SD = 0.53, $n=5$)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per standard deviation."""
        for sentence, sample in rated_samples(view):
            if sample.deviation is None or sample.n >= 10 ** sample.mean[3] or not possible_sums(sample):
                continue
            if not deviation_possible(sample):
                yield self._found(view, sentence, sample, f"{sample.n} whole numbers with a mean of {sample.mean[0]}")
        if view.preamble or "SD" not in view.text or not _BINARY.search(view.text):
            return
        for sentence in statements(view.block, view.macros):
            if _BINARY.search(sentence.text):
                for sample in samples(sentence.text):
                    if not binary_deviation_possible(sample):
                        yield self._found(
                            view, sentence, sample, f"{sample.n} zeros and ones with a mean of {sample.mean[0]}"
                        )

    def _found(self, view: BlockView, sentence: Statement, sample: Sample, what: str) -> Finding:
        start, end = sample.deviation_span
        span = view.prose_span(sentence.start + start, sentence.start + end)
        mean = view.prose_span(sentence.start + sample.start, sentence.start + sample.end)
        value = sample.deviation[0] if sample.deviation else ""
        return self.finding(
            f"{what} cannot have a standard deviation of {value}.", span, related=(Related(mean, "The mean."),)
        )
