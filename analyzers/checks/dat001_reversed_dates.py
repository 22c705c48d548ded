"""DAT001 `reversed-dates`: a range of dates ends before it begins.

## What it flags
“between June 2024 and March 2024”, “from 12 March 2024 to 3 March 2024”, “von 2021 bis 2019”, also with ISO and German dates.

## Why it matters
One of the two dates is wrong, and readers cannot know which.

## When it stays silent
For lists (“June 2024 and March 2024”), where one date is less precise than the other within the same year, and for numbers that only
look like years (“reduced from 2048 to 1920”).
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.dates import date_ranges
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix


class ReversedDates(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "DAT001"
    name = "reversed-dates"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Months", "They were collected between June 2024 and March 2024.", "June 2024 and March 2024"),
        Example.of("Months in figures", "We crawled the site from 12/2023 to 03/2023.", "12/2023 to 03/2023"),
        Example.of("Months in figures, in order", "We crawled the site from 12/2022 to 03/2023."),
        Example.of("Days", "We ran it from 12 March 2024 to 3 March 2024.", "12 March 2024 to 3 March 2024"),
        Example.of("Years", "The data are from 2021 to 2019.", "2021 to 2019"),
        Example.of(
            "German",
            "Erhoben zwischen Juni 2024 und März 2024, vom 12.3.2024 bis 3.3.2024.",
            "Juni 2024 und März 2024",
            "12.3.2024 bis 3.3.2024",
        ),
        Example.of(
            "American order",
            "From March 12, 2024 through March 3, 2024 we ran it.",
            "March 12, 2024 through March 3, 2024",
        ),
        Example.of(
            "The first and the last",
            "The first sheet was scanned on 14 March 2022 and the last one on 2 November 2021.",
            "14 March 2022 and the last one on 2 November 2021",
        ),
        Example.of(
            "The earliest and the latest",
            "The earliest review was written in June 2021, the latest in May 2020.",
            "June 2021, the latest in May 2020",
        ),
        Example.of(
            "The first and the last, in order",
            "The first sheet was scanned on 2 November 2021, while the last one is from 14 March 2022.",
        ),
        Example.of(
            "Opened and closed",
            "Enrolment opened in June 2024 and closed in March 2024.",
            "June 2024 and closed in March 2024",
        ),
        Example.of(
            "In order", "Between March 2024 and June 2024, from 2019 to 2021, and from December 2023 to January 2024."
        ),
        Example.of("A list", "We sampled June 2024 and March 2024."),
        Example.of("No years", "We reduced the width from 2048 to 1920."),
        Example.of("Another precision", "From June 2024 to 2024, and from 2024-05 to May 2024."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per range."""
        for dates in date_ranges(view.block, view.macros):
            if not dates.reversed or view.block.lexed.masked(dates.first.start):
                continue
            first, last = view.span(dates.first.start, dates.first.end), view.span(dates.last.start, dates.last.end)
            source = view.text
            yield self.finding(
                f"This range ends ({dates.last.text}) before it begins ({dates.first.text}).",
                view.span(first.start, last.end),
                fixes=(
                    Fix(
                        "Swap the dates",
                        (Edit(first, source[last.start : last.end]), Edit(last, source[first.start : first.end])),
                    ),
                ),
            )
