"""ACR003 `acronym-repeated-definition`: an acronym is written out again, or defined by a package command and never used.

## What it flags
The second and later “long form (ACR)” of the body with the same long form, and `\\newacronym`, `\\newabbreviation`,
`\\DeclareAcronym` whose key and short form occur nowhere else.  Both are hints.

## Why it matters
After the first definition the short form is enough; an unused definition is left over from an edit.

## When it stays silent
One definition in the abstract, one in the main text, one in the appendix and those of captions and footnotes are custom.
Unused definitions are reported only when every included file could be read.
"""

import re
from collections.abc import Iterator

from analyzers.checks.acr001_two_expansions import span_of
from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.acronyms import Definition, definitions, same_long
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind

_CUSTOM = frozenset({PartKind.CAPTION, PartKind.FOOTNOTE})


class AcronymHousekeeping(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "ACR003"
    name = "acronym-repeated-definition"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of(
            "Written out twice", "A large language model (LLM) reads.\n\nLarge language models (LLMs) write.", "LLMs"
        ),
        Example.of("Defined and never used", "\\newacronym{llm}{LLM}{large language model}\n\nNothing here.", "LLM"),
        Example.of("Used by key", "\\newacronym{llm}{LLM}{large language model}\n\nA \\gls{llm} reads."),
        Example.of(
            "Once in the abstract, once in the text",
            "\\begin{abstract}A large language model (LLM) reads.\\end{abstract}\n\\section{A}\nA large language model (LLM) reads.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per repeated or unused definition."""
        seen: dict[tuple[str, str], tuple[Entry, Definition]] = {}
        declared: list[tuple[Entry, Definition]] = []
        for entry in manuscript.entries:
            if entry.block.dead:
                continue
            for definition in definitions(entry.block, manuscript.macros):
                if definition.command:
                    declared.append((entry, definition))
                    continue
                if definition.kind in _CUSTOM or entry.preamble:
                    continue
                first = seen.setdefault((definition.short, _zone(manuscript, entry, definition)), (entry, definition))
                if first[1] is not definition and same_long(first[1].long, definition.long):
                    place = Related(span_of(manuscript, *first), f"{definition.short} is written out here first.")
                    message = f"{definition.short} is already written out before."
                    yield self.finding(message, span_of(manuscript, entry, definition), related=(place,))
        if declared and manuscript.closed:
            yield from self._unused(manuscript, declared)

    def _unused(self, manuscript: Manuscript, declared: list[tuple[Entry, Definition]]) -> Iterator[Finding]:
        used: set[str] = set()
        for entry in manuscript.entries:
            if not entry.block.dead:
                used |= entry.block.remember("acronym keys", lambda block: frozenset(_KEYS.findall(block.text)))
        for entry, definition in declared:
            if definition.key not in used:
                message = f"The acronym {definition.short} is defined and its key {definition.key} is never used."
                yield self.finding(message, span_of(manuscript, entry, definition))


_KEYS = re.compile(r"\\(?!newac|newabb|DeclareAc|acrodef|newacro)[A-Za-z]+\*?(?:\[[^\]]*\])?\{([^{}\\,]{1,60})\}")


def _zone(manuscript: Manuscript, entry: Entry, definition: Definition) -> str:
    if definition.kind is PartKind.ABSTRACT or manuscript.section_class(entry) is SectionClass.ABSTRACT:
        return "abstract"
    return "appendix" if entry.appendix else "text"
