"""STA008 `p-zero`: a p value is given as zero.

## What it flags
p = 0.000, p = .00, p = 0.0 and p < 0.000.

## Why it matters
No test gives a probability of zero; software prints rounded digits.  The bound is what is known: p < .001.

## When it stays silent
For p = 0 without decimals, which may be a parameter, and where another digit follows.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix

_ZERO = re.compile(
    r"(?<![A-Za-z\\])[pP](?:\$?-?\$?\s?values?)?\s*\}?\$?\s*(?P<sign>=|<|\\leq?(?![a-z])|≤)\s*\$?\s*(?P<value>0?\.0+)(?![\d.]|\s*(?:\\times|\\cdot|e))"
)


class PZero(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA008"
    name = "p-zero"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Equal to zero", "The effect is clear ($p = 0.000$).", "= 0.000"),
        Example.of("Below zero", "The effect is clear, $p<.0000$.", "<.0000"),
        Example.of("A bound", "The effect is clear ($p < .001$)."),
        Example.of("A parameter", "We set $p = 0$ here."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per value; tables are read as well."""
        if view.preamble or ".00" not in view.text:
            return
        for match in _ZERO.finditer(view.text):
            if view.block.lexed.masked(match.start()) or len(match["value"].partition(".")[2]) < 2:
                continue
            decimals = min(max(len(match["value"].partition(".")[2]), 3), 4)
            bound = "." + "0" * (decimals - 1) + "1"
            text = bound if match["value"].startswith(".") else "0" + bound
            span = view.span(match.start("sign"), match.end("value"))
            space = " " if view.text[match.start("sign") : match.end("value")].count(" ") else ""
            fix = Fix(f"Write p < {text}", (Edit(span, f"<{space}{text}"),))
            yield self.finding(
                f"A p value cannot be {match['value']}; what is known is p < {text}.", span, fixes=(fix,)
            )
