"""ACR002 `acronym-undefined`: an acronym is used and never written out.

## What it flags
Acronyms of the running text that no sentence and no acronym package defines, in manuscripts that do write out others.  They
are candidates, not diagnostics: in real papers most such acronyms are names that every reader of the field knows.

## Why it matters
A reader from the next field stops at an acronym that is explained nowhere.

## When it stays silent
When the manuscript writes out no acronym at all (then it does not follow the custom), for acronyms that are common
knowledge or stand in parentheses behind a phrase, and for names: those that also stand in the title, in a table or in the bibliography.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.data import cues
from analyzers.facts.acronyms import Use, bare, capitals, definitions, uses
from analyzers.facts.statements import statements
from analyzers.facts.view import prose_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_MOST = 10
_TWO = "A large language model (LLM) reads. A mixture of experts (MoE) writes.\n\n"
_ALL = frozenset({PartKind.BODY, PartKind.ABSTRACT, PartKind.ITEM, PartKind.FOOTNOTE})


class UndefinedAcronym(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "ACR002"
    name = "acronym-undefined"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    live = False
    languages = frozenset({"en", "de"})
    examples = (
        Example.of("Never written out", f"{_TWO}The XRF baseline is not shown.", "The XRF baseline is not shown."),
        Example.of("Written out elsewhere", f"{_TWO}We use a QPO. A quasi-periodic oscillation (QPO) is slow."),
        Example.of("A paper that writes out none", "We use a QPO, a GRB and a BBH."),
        Example.of("Common knowledge", f"{_TWO}We use one GPU."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """One candidate per acronym: its first sentence, and where another acronym is written out."""
        macros = manuscript.macros
        defined: set[str] = set()
        model: Span | None = None
        found: dict[str, list[tuple[Entry, Use]]] = {}
        for entry in manuscript.entries:
            if entry.block.dead:
                continue
            for definition in definitions(entry.block, macros):
                defined.add(definition.short)
                if model is None and not definition.command:
                    model = _sentence(manuscript, entry, definition.start)
            if not entry.preamble:
                text = prose_of(entry.block, macros).text
                for use in uses(entry.block, macros):
                    if use.kind not in _ALL or _shouted(text, use):
                        continue
                    if text[use.start - 1 : use.start] == "(":
                        defined.add(use.short)
                    else:
                        found.setdefault(use.short, []).append((entry, use))
        if model is None:
            return
        known = set(cues("acronyms", "known")) | manuscript.words.acronyms
        names = _names(manuscript)
        count = 0
        for short, places in sorted(found.items(), key=lambda item: -len(item[1])):
            if short in defined or short in known or short in names or not 3 <= len(short) <= 6 or not short.isupper():
                continue
            count += 1
            if count > _MOST:
                return
            place = _sentence(manuscript, *_first(places))
            times = "once" if len(places) == 1 else f"{len(places)} times"
            yield Candidate(
                self.code,
                0.05,
                f"{short} is used {times} and never written out, unlike other acronyms.",
                (place, model),
            )


def _shouted(text: str, use: Use) -> bool:
    """True for a word among others in capitals."""
    before, after = text[max(use.start - 12, 0) : use.start].split(), text[use.end : use.end + 12].split()
    return any(len(word) > 1 and word.strip(".,").isupper() for word in (*before[-1:], *after[:1]))


def _first(places: list[tuple[Entry, Use]]) -> tuple[Entry, int]:
    entry, use = places[0]
    return entry, use.start


def _sentence(manuscript: Manuscript, entry: Entry, offset: int) -> Span:
    """The sentence of a block that holds a prose offset."""
    prose = prose_of(entry.block, manuscript.macros)
    for sentence in statements(entry.block, manuscript.macros):
        if sentence.start <= offset < sentence.end:
            return entry.span(*prose.source(sentence.start, sentence.end))
    return entry.span(*prose.source(offset, offset + 1))


def _names(manuscript: Manuscript) -> set[str]:
    """Words in capitals of titles, tables and bibliography titles: names rather than acronyms to be explained."""
    found: set[str] = set()
    for entry in manuscript.entries:
        if not entry.block.dead:
            found |= entry.block.remember("capitals of tables", capitals)
    for bib in manuscript.bibliography.entries:
        found |= {bare(word) for word in bib.value("title").replace("{", "").replace("}", "").split() if word.isupper()}
    return found
