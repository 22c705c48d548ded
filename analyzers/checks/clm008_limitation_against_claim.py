"""CLM008 `limitation-against-claim`: a limitation and a claim speak of the same thing in opposite ways.

## What it flags
Pairs of a negated sentence among the limitations and a claim of abstract, introduction or conclusion on the same subject that
is not negated.  They are candidates for a closer look, and never findings.

## Why it matters
“We support streaming data” and “streaming data is not supported” cannot both stand.

## When it stays silent
When both sentences are negated or neither is, or they share little.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import sentences, span_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue
from analyzers.graph.similarity import Neighbours
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass

_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})
_ALIKE = 0.25
_MOST = 20


class LimitationAgainstClaim(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM008"
    name = "limitation-against-claim"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Supported and not supported",
            "\\section{Introduction}\nOur toolkit supports streaming data of sensors.\n\n\\section{Limitations}\nStreaming data of sensors is not supported by our toolkit.",
            "Streaming data of sensors is not supported by our toolkit.",
            "Our toolkit supports streaming data of sensors.",
        ),
        Example.of(
            "Another subject",
            "\\section{Introduction}\nOur toolkit supports streaming data of sensors.\n\n\\section{Limitations}\nWe did not measure the salinity of lakes in winter.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """The strongest pairs."""
        built = built_of(manuscript)
        items = list(sentences(built.items))
        claims = [
            item
            for item in items
            if item.place.kind in _SUMMARIES
            and not item.place.limitations
            and not item.draft.cue & (Cue.NEGATION | Cue.LIMIT | Cue.BACKGROUND)
        ]
        limits = [
            item
            for item in items
            if item.draft.cue & Cue.NEGATION and (item.place.limitations or item.draft.cue & Cue.LIMIT)
        ]
        if not claims or not limits:
            return
        index = Neighbours(built.weights, [item.terms for item in claims])
        pairs = [
            (value, limit.order, number, limit)
            for limit in limits
            for number, value in index.similar(limit.terms).items()
            if value >= _ALIKE and claims[number].position != limit.position
        ]
        pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
        for value, _, number, limit in pairs[:_MOST]:
            shared = ", ".join(built.weights.shared(limit.terms, claims[number].terms))
            yield Candidate(
                self.code,
                round(min(value, 1.0), 3),
                f"a limitation and a claim speak of {shared}",
                (span_of(limit), span_of(claims[number])),
            )
