"""UNI001 `mixed-units`: two numbers of like size are compared, and their units set them far apart.

## What it flags
“12.4 s per query, lower than that of Alpha (18.9 ms)”: numbers of like size in units of one dimension that are far apart.

## Why it matters
One of the units is a slip, most often s for ms or MB for GB.

## When it stays silent
When the digits differ as much as the units do (1.2 s against 300 ms), when the text says that the gap is meant (only, times,
orders of magnitude), and when the numbers are not joined by a comparison.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.comparisons import comparisons, mixed_up, plain_symbol
from analyzers.facts.statements import editable, numbers, statements
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

# Words that say the two are meant to be far apart.
_MEANT = re.compile(
    r"orders? of magnitude|speed-?up|\d\s?[×x](?![\w])|\btimes\b|-fold|only\b|just\b|mere|dramatic", re.IGNORECASE
)
_TWO_DIGITS = re.compile(r"\d\D*\d")
_CUES = ("than", "compared", "versus", "vs", "against", "instead", "opposed", "above", "below")


class MixedUnits(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "UNI001"
    name = "mixed-units"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Seconds and milliseconds", "The latency is 12.4 s per query, lower than that of Alpha (18.9 ms).", "12.4 s"
        ),
        Example.of("Bytes", "It needs 3.1 GB, compared to 4.7 MB for Alpha.", "3.1 GB"),
        Example.of("One unit", "The latency is 12.4 ms per query, lower than that of Alpha (18.9 ms)."),
        Example.of("Digits as far apart as the units", "The latency is 1.2 s, higher than that of Alpha (300 ms)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per comparison, at its first number."""
        text = view.text
        if view.preamble or not any(cue in text for cue in _CUES):
            return
        for sentence in statements(view.block, view.macros):
            if (
                not any(cue in sentence.text for cue in _CUES)
                or _TWO_DIGITS.search(sentence.text) is None
                or _MEANT.search(sentence.text)
            ):
                continue
            for pair in comparisons(sentence.text, numbers(view.block, view.macros, sentence, view.language)):
                first, second = pair.first, pair.second
                if (
                    not mixed_up(pair)
                    or first.unit is None
                    or second.unit is None
                    or first.unit.dimension.split("/")[0] != second.unit.dimension.split("/")[0]
                ):
                    continue
                symbol = plain_symbol(first)
                unit_end = first.unit_start + len(symbol) if first.unit_end > first.unit_start else first.end
                span = view.prose_span(sentence.start + first.start, sentence.start + unit_end)
                place = view.prose_span(
                    sentence.start + second.start, sentence.start + max(second.end, second.unit_end)
                )
                fixes: tuple[Fix, ...] = ()
                start, end = sentence.start + first.unit_start, sentence.start + unit_end
                if editable(view.prose, start, end):
                    fixes = (
                        Fix(
                            f"Write {plain_symbol(second)}", (Edit(view.prose_span(start, end), plain_symbol(second)),)
                        ),
                    )
                message = f"{first.text} {symbol} is compared with {second.text} {plain_symbol(second)}; the units differ by far more than the numbers."
                yield self.finding(message, span, related=(Related(place, "The other side."),), fixes=fixes)
