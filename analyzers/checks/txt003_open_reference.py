"""TXT003 `open-reference`: “??”, “[CITATION]” or “citation needed” stands where a reference belongs.

## What it flags
Two question marks that stand alone, and bracketed words such as [CITATION], [REF], [cite], (citation needed) and [?].

## Why it matters
It prints as it is: nobody fills it in later.

## When it stays silent
For questions (“really??”), in code, math, tables and quotations, and where the text speaks of Wikipedia's tags.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.quoted import in_quotes, is_code
from analyzers.finding import Finding, Severity, Tier
from analyzers.text.prose import PieceKind

_OPEN = re.compile(
    r"(?<![\w?!'’”\)\]])\?\?(?![?!\w])"
    r"|[\[(]\s*(?:[Cc]itations?(?: needed)?|CITATIONS?(?: NEEDED)?|CITE|[Cc]ite(?: this)?|REFS?|REFERENCE|refs?\?|[Rr]eference needed|Quelle(?: fehlt)?\?*|\?)\s*\??[\])]"
)
_ABOUT = re.compile(r"^\s*(?:tags?|templates?|labels?|spans?|markers?|tokens?|annotations?|problem|dataset)\b")


class OpenReference(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TXT003"
    name = "open-reference"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Question marks", "As Table ?? shows, it holds (see Fig.~??).", "??", "??"),
        Example.of("A bracketed word", "This is well known [CITATION].", "[CITATION]"),
        Example.of("Wanted", "This is well known (citation needed).", "(citation needed)"),
        Example.of("A question", "Is that so?? Yes."),
        Example.of("Code", r"The operator \texttt{a ?? b} and \verb|??|, also $x = ??$."),
        Example.of("Wikipedia's tag", "We study [citation needed] tags and ``[citation needed]'' marks."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per place."""
        source = view.text
        if "??" not in source and not any(
            word in source for word in ("[", "(citation", "(CIT", "(REF", "(cite", "(Cit", "(ref")
        ):
            return
        prose = view.prose
        for match in _OPEN.finditer(prose.text):
            if (
                prose.kind_at(match.start()) is not PieceKind.TEXT
                or prose.kind_at(match.end() - 1) is not PieceKind.TEXT
            ):
                continue
            span = view.prose_span(match.start(), match.end())
            if (
                in_quotes(prose.text, match.start())
                or is_code(view.block, span.start)
                or _ABOUT.match(prose.text[match.end() : match.end() + 20])
            ):
                continue
            yield self.finding("A reference is missing here.", span)
