"""TXT004 `chat-residue`: words or marks of a chat program are in the text.

## What it flags
“As an AI language model, I”, “Certainly! Here is”, “I hope this helps” and the like at the start of a sentence, and technical marks such as
`contentReference[oaicite` or `utm_source=chatgpt.com`.

## Why it matters
It was pasted without being read.  What else came along deserves a second look.

## When it stays silent
In quotations, code, floats and environments for dialogues and prompts, and within a sentence: papers on such programs quote them.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.leftovers import lexicon, lowered, occurrences
from analyzers.facts.quoted import in_quotes, is_code, is_quoting
from analyzers.facts.vocabulary import prose_words
from analyzers.finding import Finding, Severity, Tier
from analyzers.text.lex import MaskKind


class ChatResidue(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TXT004"
    name = "chat-residue"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "An introduction",
            "Certainly! Here is a possible introduction for your topic: Lithium is.",
            "Certainly! Here",
        ),
        Example.of(
            "A disclaimer", "It works. As an AI language model, I cannot verify it.", "As an AI language model,"
        ),
        Example.of("A mark", r"See \url{https://example.org/?utm_source=chatgpt.com}.", "utm_source=chatgpt.com"),
        Example.of("A quotation", "The model answers ``As an AI language model, I cannot do that.''"),
        Example.of("A dialogue", "\\begin{quote}Certainly! Here is the code.\\end{quote}"),
        Example.of(
            "Within a sentence", "It refuses as an AI language model, in line with its policy. It will certainly help."
        ),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per phrase."""
        yield from self._marks(view)
        prose = view.prose
        text = prose.text
        starts: set[int] | None = None
        for start, end in occurrences(lowered(text), "chat", prose_words(view.block, view.macros)):
            starts = starts if starts is not None else {sentence.start for sentence in view.sentences}
            if start not in starts and text[max(start - 2, 0) : start].rstrip()[-1:] not in (
                "",
                ".",
                "!",
                "?",
                "。",
                "！",
            ):
                continue
            span = view.prose_span(start, end)
            if view.block.lexed.masked(span.start) or in_quotes(text, start) or is_quoting(view.block, span.start):
                continue
            yield self.finding("This reads like the reply of a chat program, not like your text.", span)

    def _marks(self, view: BlockView) -> Iterator[Finding]:
        source = view.text
        for mark in lexicon()["chat_marks"]:
            at = source.find(mark)
            while at >= 0:
                in_code = any(
                    mask.start <= at < mask.end and mask.kind is MaskKind.VERBATIM for mask in view.block.lexed.masks
                )
                # Addresses stand in \url; the other marks may be quoted as code by a paper that writes about them.
                if not in_code and (mark.startswith("utm") or not is_code(view.block, at)):
                    yield self.finding("A mark of a chat program was pasted along.", view.span(at, at + len(mark)))
                at = source.find(mark, at + len(mark))
