"""TXT001 `template-text`: text of a template is still in the manuscript.

## What it flags
“Lorem ipsum”, “Your title here”, the sample authors, keywords, conference names and instructions of common journal and conference templates,
in printed text, titles and captions.

## Why it matters
It prints.  Reviewers see it at once.

## When it stays silent
In comments, code and quotations.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.leftovers import lexicon, lowered, occurrences
from analyzers.facts.quoted import in_quotes, is_code
from analyzers.facts.vocabulary import prose_words
from analyzers.finding import Finding, Severity, Tier
from analyzers.text.prose import PartKind


class TemplateText(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TXT001"
    name = "template-text"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Filler", r"\section{A} Lorem ipsum dolor sit amet.", "Lorem ipsum", "dolor sit amet"),
        Example.of("A sample title", r"\title{Your Paper Title}", "Your Paper Title"),
        Example.of("A bare title", r"\title{Title}", "Title"),
        Example.of(
            "Instructions",
            "The abstract should briefly summarize the contents of the paper in 150--250 words.",
            "The abstract should briefly summarize the contents of the paper",
        ),
        Example.of("A comment", "% Your title here\nText."),
        Example.of("A quotation", "The page showed ``Your title here'' to everyone."),
        Example.of("A title that begins like one", r"\title{Title Generation with Models}"),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per phrase."""
        text = view.prose.text
        seen: list[int] = []
        lower = lowered(text)
        words = prose_words(view.block, view.macros)
        for start, end in (*occurrences(lower, "template", words), *_own(lower, view.words.template)):
            span = view.prose_span(start, end)
            if view.block.lexed.masked(span.start) or in_quotes(text, start) or is_code(view.block, span.start):
                continue
            seen.append(start)
            yield self.finding("This is text of a template; replace or remove it.", span)
        for part in view.prose.parts:
            if part.kind is not PartKind.TITLE or any(part.start <= start < part.end for start in seen):
                continue
            if text[part.start : part.end].strip().lower() in lexicon()["title_only"]:
                yield self.finding("The title is that of a template.", view.prose_span(part.start, part.end))


def _own(text: str, phrases: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where the phrases of the project's settings stand."""
    for phrase in phrases:
        wanted = lowered(phrase)
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            yield at, at + len(wanted)
            at = text.find(wanted, at + 1)
