"""NUM008 `fraction-vs-percent`: a fraction and the percentage beside it are different numbers.

## What it flags
“8/22 (38.4%)”, which is 36.4%; “38.4% (8 of 22)”; “8 out of the 22 problems (38.4%)”.

## Why it matters
Both numbers say the same thing, so one of them is wrong.

## When it stays silent
When the percentage fits within rounding or cutting off, or fits the complement (14 of 22); when the first number is the larger
one; and when the percentage does not directly belong to the fraction.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.significance import read_number
from analyzers.facts.statements import Statement, editable, statements
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_COUNT = r"\d{1,3}(?:,\d{3})+|\d+"
_FRACTION = rf"(?P<k>{_COUNT})\s?(?:/|\s?(?:out\s)?of\s(?:the\s|all\s|our\s|a total of\s)?|\s?von\s(?:den\s)?)\s?(?P<n>{_COUNT})(?![\d.,]*\d|/|\s?%)"
_PERCENT = r"(?P<p>\d+(?:\.\d+)?)\s?(?:%|percent\b|Prozent\b)"
_AFTER = re.compile(
    rf"(?<![\w.,/\d]){_FRACTION}(?:\s(?!(?:we|it|they|I|he|she)\s)[A-Za-z][\w-]*){{0,3}}\s?[(\[,;=]\s?(?:i\.e\.,?\s|or\s|about\s|~|≈|=\s?)?{_PERCENT}(?=\s?[)\],;.]|\s?$|\sof\b)"
)
_BEFORE = re.compile(
    rf"(?<![\w.,/\d–-]){_PERCENT}(?:\s(?:of\s)?[A-Za-z][\w-]*){{0,4}}\s?[(\[]\s?(?:i\.e\.,?\s)?{_FRACTION}(?:\s[A-Za-z][\w-]*){{0,3}}\s?[)\]]"
)
_OF_ALL = re.compile(
    rf"\b[Oo]f\s(?:(?:the|these|all|our|its|a total of)\s){{0,2}}(?P<n>{_COUNT})(?![\d.,]*\d|\s?%)(?:\s[A-Za-z][\w-]*){{1,4}},\s(?:only\s)?(?P<k>{_COUNT})(?:\s[A-Za-z][\w-]*){{0,2}}\s?[(\[]\s?{_PERCENT}\s?[)\]]"
)


class FractionPercent(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM008"
    name = "fraction-vs-percent"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("A slash", "It solved 8/22 (38.4\\%) of them.", "38.4"),
        Example.of("In words", "It solved 8 out of the 22 problems (38.4\\%).", "38.4"),
        Example.of("The percentage first", "It solved 38.4\\% of the problems (8 of 22).", "38.4"),
        Example.of("All of them first", "Of the 22 problems, 8 (38.4\\%) were solved.", "38.4"),
        Example.of("Within rounding", "It solved 8/22 (36.4\\%) of them, and 8 of 22 problems (36\\%)."),
        Example.of("The complement", "It failed on 8/22 (63.6\\% solved)."),
        Example.of("Something else in parentheses", "It solved 8 of 22 problems (accuracy 38.4\\% on average)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per percentage."""
        if view.preamble or ("\\%" not in view.text and "ercent" not in view.text and "rozent" not in view.text):
            return
        if "/" not in view.text and "f " not in view.text and "von " not in view.text and "f\n" not in view.text:
            return
        for sentence in statements(view.block, view.macros):
            if "%" not in sentence.text and "ercent" not in sentence.text and "rozent" not in sentence.text:
                continue
            for pattern in (_AFTER, _BEFORE, _OF_ALL):
                for match in pattern.finditer(sentence.text):
                    finding = self._judge(view, sentence, match)
                    if finding is not None:
                        yield finding

    def _judge(self, view: BlockView, sentence: Statement, match: re.Match[str]) -> Finding | None:
        k, n = int(match["k"].replace(",", "")), int(match["n"].replace(",", ""))
        read = read_number(match["p"])
        if read is None or not 0 < k <= n or n < 2:
            return None
        value, low, high, decimals = read
        step = Decimal(1).scaleb(-decimals)
        exact = Decimal(100 * k) / n
        if low <= exact <= high or value <= exact < value + step or low <= 100 - exact <= high:
            return None
        computed = f"{exact:.{max(decimals, 0)}f}"
        start, end = sentence.start + match.start("p"), sentence.start + match.end("p")
        span = view.prose_span(start, end)
        fraction = view.prose_span(
            sentence.start + min(match.start("k"), match.start("n")),
            sentence.start + max(match.end("k"), match.end("n")),
        )
        fixes = (Fix(f"Write {computed}", (Edit(span, computed),)),) if editable(view.prose, start, end) else ()
        message = f"{match['k']} of {match['n']} is {computed}%, not {match['p']}%."
        return self.finding(
            message, span, related=(Related(fraction, "The fraction."),), fixes=fixes, evidence={"computed": computed}
        )
