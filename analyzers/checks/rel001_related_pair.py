"""REL001 `related-pair`: two places that speak of the same thing, and so have to agree.

## What it flags
The most strongly related pairs of sentences, captions and table cells of the whole manuscript, ranked.  They share rare
words, names or numbers; the first pairs are spread over the paper.

## Why it matters
Contradictions stand in places that speak of the same thing.  The list is what a reader, or a model, should compare first.

## When it stays silent
It is never shown as a problem: `counterclaim check --candidates` lists it, and the contradiction pass reads it.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript
from analyzers.related.index import PassageIndex
from analyzers.related.pairs import related_pairs

_TOP = 400
_FIRST = "The gating router freezes all expert parameters during budget calibration."
_SECOND = "During budget calibration, the gating router updates all expert parameters."


class RelatedPairs(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REL001"
    name = "related-pair"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    examples = (
        Example.of(
            "Two sentences on the same thing",
            f"{_FIRST}\n\nSomething else stands here in between, about weather.\n\n{_SECOND}",
            _FIRST,
            _SECOND,
        ),
        Example.of(
            "Nothing in common",
            "The sky looked quite blue yesterday morning.\n\nProtein folding needs careful temperature control.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """Candidates by falling strength; the strongest has the score 1."""
        for pair in related_pairs(PassageIndex.of(manuscript), _TOP):
            yield Candidate(self.code, pair.score, pair.reason, (pair.first, pair.second))
