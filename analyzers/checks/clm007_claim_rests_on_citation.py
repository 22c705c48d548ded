"""CLM007 `claim-rests-on-citation`: a claim about the paper's own work is backed by somebody else's work alone.

## What it flags
“Our method is more robust [12]” in results or conclusion: a claim of strength about the own work with a citation, when
neither it nor the sentences before and behind it hold a number or a reference to a table, figure or section.

## Why it matters
Earlier work cannot show what this work achieves; the sentence needs evidence of its own or another subject.

## When it stays silent
When the sentence is hedged or compares with the cited work, and outside of results and conclusion.
It is a hint.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import span_of, unbacked
from analyzers.finding import Finding, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue
from analyzers.graph.gather import Item
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass

_OWN = re.compile(
    r"\bour (?:\w+ ){0,2}(?:method|approach|model|system|framework|algorithm|calibration|technique|pipeline|toolkit|tool|classifier|estimator|network|procedure|solution|design|implementation)s? (?:is|are|was|were|has|have|can|does|do|achieves?|provides?|improves?|reduces?|\w+s)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(r"\b(?:may|might|could|would|possibl[ey]|perhaps|expect\w*)\b", re.IGNORECASE)
_WHERE = frozenset({SectionClass.EXPERIMENTS, SectionClass.CONCLUSION})
_FILLER = "\\section{Introduction}\nWe introduce a calibration of sensors that improves the accuracy of rivers.\n\n"
_CLAIM = "Our calibration is therefore more robust and efficient \\cite{smith}."


class ClaimRestsOnCitation(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM007"
    name = "claim-rests-on-citation"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of("Backed by another paper", f"{_FILLER}\\section{{Conclusion}}\nThe days were long and the river was cold in that year. {_CLAIM}", _CLAIM),
        Example.of("Backed by a table", f"{_FILLER}\\section{{Conclusion}}\nThe days were long in that year. Our calibration is more robust and efficient \\cite{{smith}}, see Table~\\ref{{t}}."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per claim."""
        for item in unbacked(built_of(manuscript).items, _cites, cited=False):
            yield self.finding(
                "Only a citation backs this claim about the own work. Add what shows it here, or say whose result it is.",
                span_of(item),
            )


def _cites(item: Item) -> bool:
    """True for a claim of strength on the own work with a citation, in results or conclusion."""
    draft = item.draft
    if not draft.cited or not draft.cue & Cue.STRENGTH or draft.cue & (Cue.COMPARE | Cue.BACKGROUND | Cue.LIMIT):
        return False
    return item.place.kind in _WHERE and bool(_OWN.search(draft.text)) and not _HEDGED.search(draft.text)
