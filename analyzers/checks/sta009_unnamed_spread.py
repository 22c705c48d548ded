"""STA009 `unnamed-spread`: numbers come with ±, and nowhere does the manuscript say what stands behind it.

## What it flags
The first ± of a manuscript whose text, captions and tables never speak of a standard deviation, standard error, confidence
interval, range or uncertainty.  A hint.

## Why it matters
The same ± 0.4 is a small difference as a standard deviation and a large one as a standard error.

## When it stays silent
With fewer than three ± between numbers, and in fields where an uncertainty is named anywhere in the text.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript
from analyzers.text.document import Block

_PLUS_MINUS = re.compile(r"\d\}?\$?\s*(?:\\pm(?![a-z])|±|\\textpm(?![a-z])|\+-)\s*\{?\$?\s*[\d.]")
_FEWEST = 3
_NAMED = re.compile(
    r"standard (?:deviation|error)|\bstd\b|\bs\.?d\.?\b|\bs\.?e\.?m?\.?\b(?=[\s,.)])|confidence|credible|uncertaint|\berrors?\b|margin|variance|sigma|percentile|quartile|interval"
    r"|Standardabweichung|Standardfehler|Unsicherheit|Konfidenz|标准差|标准误|écart[- ]type|incertitude",
    re.IGNORECASE,
)


class UnnamedSpread(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA009"
    name = "unnamed-spread"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en", "de", "zh", "fr"})
    examples = (
        Example.of("Never named", "We get $74.3 \\pm 0.4$, $75.1 \\pm 0.2$ and $71.0 \\pm 0.9$.", "3 \\pm 0"),
        Example.of(
            "Named", "We get $74.3 \\pm 0.4$, $75.1 \\pm 0.2$ and $71.0 \\pm 0.9$ (standard deviation over five runs)."
        ),
        Example.of("Once only", "We get $74.3 \\pm 0.4$ here."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """At most one finding per manuscript."""
        first, count = None, 0
        for _, entry in manuscript.body:
            places = entry.block.remember("spreads", _spreads)
            if places and first is None:
                first = entry.span(*places[0])
            count += len(places)
        if first is None or count < _FEWEST:
            return
        if not any(entry.block.remember("names spreads", _names) for _, entry in manuscript.body):
            yield self.finding(
                "The manuscript does not say whether ± is a standard deviation, a standard error or an interval.", first
            )


def _spreads(block: Block) -> tuple[tuple[int, int], ...]:
    text = block.text
    if "\\pm" not in text and "±" not in text and "+-" not in text:
        return ()
    return tuple(match.span() for match in _PLUS_MINUS.finditer(text) if not block.lexed.masked(match.start()))


def _names(block: Block) -> bool:
    return _NAMED.search(block.text) is not None
