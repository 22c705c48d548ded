"""CON003 `dataset-size`: a data set has two sizes.

## What it flags
“Alpha-QA, a dataset of 5,000 questions” in one place and “Alpha-QA contains 5,400 questions” in another.

## Why it matters
Splits and averages rest on the size; and the data set is often a contribution of its own.

## When it stays silent
When one number may be the other one rounded, for sizes of splits, samples and versions, and for approximate numbers.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.settings_cohorts import Size, dataset_sizes
from analyzers.facts.view import prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript


class DatasetSize(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON003"
    name = "dataset-size"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Two sizes",
            "We release AlphaQA, a dataset of 5,000 questions.\n\nAlphaQA contains 5,400 questions, split into three parts.",
            "5,400",
        ),
        Example.of("Rounded", "We release AlphaQA, a dataset of 5.4k questions.\n\nAlphaQA contains 5,412 questions."),
        Example.of(
            "Another data set", "We release AlphaQA, a dataset of 5,000 questions.\n\nBetaQA contains 5,400 questions."
        ),
        Example.of(
            "A split",
            "We release AlphaQA, a dataset of 5,000 questions.\n\nThe test split of AlphaQA contains 500 questions.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per data set and place that differs from the first."""
        first: dict[str, tuple[Entry, Size]] = {}
        for _, entry, size in manuscript.located(dataset_sizes):
            known_entry, known = first.setdefault(size.what, (entry, size))
            if known is size or (known.low <= size.high and size.low <= known.high):
                continue
            name, _, noun = size.what.partition(" ")
            span = entry.span(*prose_of(entry.block, manuscript.macros).source(size.start, size.end))
            other = known_entry.span(*prose_of(known_entry.block, manuscript.macros).source(known.start, known.end))
            message = f"{name} has {size.written} {noun}s here and {known.written} elsewhere."
            yield self.finding(message, span, related=(Related(other, f"{known.written} here."),))
