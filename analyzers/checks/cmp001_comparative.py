"""CMP001 `comparative-vs-values`: a comparing word says the opposite of the two numbers it joins.

## What it flags
“12.4 ms, higher than that of Alpha (18.9 ms)”, “Alpha (12.3 s) is slower than Beta (14.5 s)”, “longer in A (21.4 min) than in B
(29.8 min)”: two numbers and a word such as higher, lower, faster in a few strict patterns; units are converted.

## Why it matters
Either the word or one of the numbers is wrong, and with it the claim.

## When it stays silent
For better and worse, whose direction is not known; for negated words; outside of the strict patterns; and for faster and slower
without a unit of time.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.comparisons import Compared, base_value, comparisons, mixed_up, plain_symbol
from analyzers.facts.statements import Statement, editable, numbers, statements
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_OPPOSITE = {
    "higher": "lower", "lower": "higher", "larger": "smaller", "smaller": "larger", "greater": "smaller", "longer": "shorter", "shorter": "longer", "more": "less",
    "less": "more", "faster": "slower", "slower": "faster", "above": "below", "below": "above", "cheaper": "more expensive",
}  # fmt: skip
_CUES = (" than ", "\nthan ", " than\n", "above", "below", "exceeding", "er the ")


class Comparative(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CMP001"
    name = "comparative-vs-values"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Higher, with a smaller number", "The latency is 12.4 ms, higher than that of Alpha (18.9 ms).", "higher"
        ),
        Example.of("Faster, with a longer time", "It takes 4.2 s, faster than Alpha (3100 ms).", "faster"),
        Example.of("The number first", "It reaches 71.2\\%, higher than the 73.0\\% of Alpha.", "higher"),
        Example.of("Each behind its name", "Latency was longer in Alpha (21.4 ms) than in Beta (29.8 ms).", "longer"),
        Example.of("Joined by a verb", "Alpha (12.3 s) is slower than Beta (14.5 s).", "slower"),
        Example.of(
            "The number up front", "At 38 ms per query, Alpha is slower than Beta (154 ms per query).", "slower"
        ),
        Example.of("Both in one bracket", "Here Alpha needs more time than Beta (11.1 versus 12.3 seconds).", "more"),
        Example.of(
            "Both in one bracket, other things",
            "It takes more operations than one of Beta (9.1 against 10.4 GFLOPs).",
            "more",
        ),
        Example.of("Both in one bracket, as said", "Here Alpha needs less time than Beta (11.1 versus 12.3 seconds)."),
        Example.of(
            "A clause with “which”", "At 18 ms per run, Alpha is however slower than Beta, which takes 43 ms.", "slower"
        ),
        Example.of(
            "A value of a clause", "The latency is 12.4 ms, higher than that of Alpha, which is 18.9 ms.", "higher"
        ),
        Example.of("A clause on layers", "It reaches 74.3, higher than Alpha, which has 101 layers."),
        Example.of("A clause that agrees", "At 18 ms per run, Alpha is also faster than Beta, which takes 43 ms."),
        Example.of(
            "A clause on something else", "At 18 ms per run, Alpha is slower than Beta, which was tuned for 43 ms."
        ),
        Example.of("They agree", "The latency is 12.4 ms, lower than that of Alpha (18.9 ms)."),
        Example.of("Better has no direction", "It reaches 12.4, better than Alpha (18.9)."),
        Example.of("Not higher", "The latency is 12.4 ms, not higher than that of Alpha (18.9 ms)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per comparison."""
        text = view.text
        if view.preamble or not any(cue in text for cue in _CUES):
            return
        for sentence in statements(view.block, view.macros):
            if not any(cue in sentence.text for cue in _CUES):
                continue
            for pair in comparisons(sentence.text, numbers(view.block, view.macros, sentence, view.language)):
                finding = self._judge(view, sentence, pair)
                if finding is not None:
                    yield finding

    def _judge(self, view: BlockView, sentence: Statement, pair: Compared) -> Finding | None:
        if pair.direction == 0 or (pair.first.unit is None) != (pair.second.unit is None):
            return None
        mixed = mixed_up(pair)
        if (
            pair.first.unit is not None
            and pair.second.unit is not None
            and not mixed
            and pair.first.unit.dimension != pair.second.unit.dimension
            and not pair.first.unit.dimension.startswith(
                pair.second.unit.dimension + "/count:"
            )  # "per run" goes for both
        ):
            return None
        # With mixed-up units (a finding of its own) the digits are compared: one of the units is wrong.
        one, two = (pair.first.value, pair.second.value) if mixed else (base_value(pair.first), base_value(pair.second))
        if one == two or (one > two) == (pair.direction > 0):
            return None
        word = sentence.text[pair.word_start : pair.word_end]
        start, end = sentence.start + pair.word_start, sentence.start + pair.word_end
        span = view.prose_span(start, end)
        opposite = _OPPOSITE.get(word)
        fixes = (
            (Fix(f"Write “{opposite}”", (Edit(span, opposite),)),)
            if opposite and editable(view.prose, start, end)
            else ()
        )
        related = tuple(
            Related(view.prose_span(sentence.start + q.start, sentence.start + q.end), "A side of the comparison.")
            for q in (pair.first, pair.second)
        )
        units = "in one unit " if mixed else ""
        message = f"The text says {word}, but {units}{_shown(pair, 0)} is {'less' if pair.direction > 0 else 'more'} than {_shown(pair, 1)}."
        return self.finding(message, span, related=related, fixes=fixes)


def _shown(pair: Compared, side: int) -> str:
    quantity = pair.second if side else pair.first
    symbol = plain_symbol(quantity)
    return f"{quantity.text}{'' if symbol in ('', '%') else ' '}{symbol}"
