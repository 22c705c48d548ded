"""ACR001 `acronym-two-expansions`: an acronym is written out in two different ways.

## What it flags
“mixture-of-experts (MoE)” in one place and “mixture-of-estimators (MoE)” in another, in prose or through the commands of the
packages acronym, acro and glossaries.  Of each further long form the first
place is marked.

## Why it matters
Readers take one short form for one thing; the second long form is a slip, or a second thing that needs a name of its own.

## When it stays silent
When the long forms are variants of one another: plural, hyphen, case, spelling, a word added in front or behind.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.acronyms import Definition, definitions, same_long
from analyzers.facts.view import prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.spans import Span


class TwoExpansions(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "ACR001"
    name = "acronym-two-expansions"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "Two long forms", "A mixture-of-experts (MoE) layer.\n\nThe mixture of evidence (MoE) layer.", "MoE"
        ),
        Example.of(
            "A package's definition against the text",
            "\\newacronym{rag}{RAG}{retrieval-augmented generation}\nThe random access graph (RAG) is small.",
            "RAG",
        ),
        Example.of(
            "Plural, case and hyphen", "Large language models (LLMs) are big. A Large-Language Model (LLM) is one."
        ),
        Example.of(
            "A word in front",
            "The convolutional neural network (CNN) is old. A deep convolutional neural network (CNN) is new.",
        ),
        Example.of(
            "British and American spelling", "Variational auto-encoder (VAE) and variational autoencoders (VAEs)."
        ),
        Example.of("The letters do not fit", "We report exact match (EM). We sort the electron data (EM)."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per further long form of an acronym."""
        known: dict[str, list[tuple[Entry, Definition]]] = {}
        for entry in manuscript.entries:
            if entry.block.dead:
                continue
            for definition in definitions(entry.block, manuscript.macros):
                others = known.setdefault(definition.short, [])
                if any(same_long(other.long, definition.long) for _, other in others):
                    continue
                others.append((entry, definition))
                if len(others) == 1:
                    continue
                before = others[0][1].long
                place = Related(
                    span_of(manuscript, *others[0]), f"{definition.short} is written out as “{before}” here."
                )
                message = f"{definition.short} stands for “{definition.long}” here and for “{before}” before."
                yield self.finding(message, span_of(manuscript, entry, definition), related=(place,))


def span_of(manuscript: Manuscript, entry: Entry, definition: Definition) -> Span:
    """Where the short form of a definition stands in its file."""
    if definition.command:
        return entry.span(definition.start, definition.end)
    return entry.span(*prose_of(entry.block, manuscript.macros).source(definition.start, definition.end))
