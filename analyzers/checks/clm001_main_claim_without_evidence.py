"""CLM001 `main-claim-without-evidence`: nothing in the text was found that supports a main claim.

## What it flags
A result that the abstract or the conclusion asserts, when no table, figure, theorem, method or measured sentence of the body
is linked to it, neither directly nor through another claim.

## Why it matters
The main claims are what readers remember and reviewers test first; each needs a place where it is shown.

## When it stays silent
When the text holds few measured results at all (reviews, position papers, books), and for claims that announce something
rather than assert a result.  It is a hint: links are found by references and shared words, so a link in other words is missed.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import FRONT, is_paper, span_of
from analyzers.finding import Finding, Severity, Tier
from analyzers.graph.build import Built, built_of
from analyzers.graph.cues import Cue
from analyzers.graph.schema import NodeType, Relation
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass

_GROUNDS = frozenset({NodeType.EVIDENCE, NodeType.THEORY, NodeType.METHODOLOGY, NodeType.IMPLEMENTATION})
_FEW = 5
_ASSERTS = Cue.FIND | Cue.STRENGTH | Cue.COMPARE
# From this likeness on a sentence of the body counts as speaking of the claim, although the graph has no edge for it.
_SPEAKS = 0.13
_SUBJECTS = "turbidity oxygen salinity nitrate phosphate temperature conductivity discharge pressure".split()
_RESULTS = "\n\n".join(
    f"We find that the {subject} error of the {place} drops by {number}.5\\% after {number + 7} days."
    for number, subject in enumerate(_SUBJECTS)
    for place in ("harbour", "weir", "estuary")
)
_BODY = "\\section{Introduction}Sensors drift.\n\n\\section{Experiments}" + _RESULTS + "\n\n"


class MainClaimWithoutEvidence(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM001"
    name = "main-claim-without-evidence"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "A result that nothing speaks of",
            "\\begin{abstract}We show that the turbidity and oxygen errors drop after days. We also show that annotator wellbeing improves significantly.\\end{abstract}\n" + _BODY,
            "We also show that annotator wellbeing improves significantly.",
        ),
        Example.of(
            "A result that the experiments show",
            "\\begin{abstract}We show that the turbidity and oxygen errors drop after days.\\end{abstract}\n" + _BODY,
        ),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per main claim without support."""
        built = built_of(manuscript)
        graph = built.graph
        if not is_paper(built) or sum(node.type is NodeType.EVIDENCE for node in graph.nodes) < _FEW:
            return
        for node in graph.main_claims:
            item = built.sources[node.id]
            wanted = _ASSERTS if item.place.kind is not SectionClass.INTRODUCTION else Cue.FIND
            if not item.draft.cue & wanted or _supported(built, node.id):
                continue
            yield self.finding(
                "No table, figure, theorem or measured result was found that speaks of this main claim. "
                "Show it in the body, refer to where it is shown, or weaken it.",
                span_of(item),
            )


def _supported(built: Built, main: str) -> bool:
    supporting = [edge.source for edge in built.graph.incoming(main) if edge.relation is Relation.SUPPORTS]
    second = [
        edge.source for node in supporting for edge in built.graph.incoming(node) if edge.relation is Relation.SUPPORTS
    ]
    if any(built.graph.by_id[node].type in _GROUNDS for node in (*supporting, *second)):
        return True
    claim = built.sources[main]
    return any(
        item.place.kind not in FRONT
        and item.weighed.type in _GROUNDS
        and built.weights.cosine(item.terms, claim.terms) >= _SPEAKS
        for item in built.items
    )
