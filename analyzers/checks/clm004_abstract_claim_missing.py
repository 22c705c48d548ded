"""CLM004 `abstract-claim-missing`: the abstract asserts something that the text never speaks of.

## What it flags
A result or an announcement in the abstract, when most of its telling words occur nowhere in the text.

## Why it matters
Abstracts are written last and edited most; what was cut from the paper often survives there.

## When it stays silent
When the body is short, or an included file could not be read.  It is a hint, since the body may use other words; numbers of
the abstract that the body does not have are NUM001.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import is_paper, missing_terms, quoted, sentences, span_of, terms_outside
from analyzers.finding import Finding, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass

_ABSTRACT = frozenset({SectionClass.ABSTRACT})
_FEWEST_TERMS = 5
_BODY = "\\section{Method}\n" + "\n\n".join(
    "The sensor is cleaned, and its drift is modelled as a random walk with a variance that grows every day. We estimate the variance from pairs of neighbouring sensors."
    for _ in range(15)
)
_GONE = "We demonstrate with clinicians that questionnaires predict hospital admissions reliably."


class AbstractClaimMissing(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM004"
    name = "abstract-claim-missing"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of("Cut from the body", f"\\begin{{abstract}}We model the drift of sensors. {_GONE}\\end{{abstract}}\n\n{_BODY}", _GONE),
        Example.of("Shown in the body", f"\\begin{{abstract}}We model the drift of a sensor as a random walk with a growing variance.\\end{{abstract}}\n\n{_BODY}"),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per sentence of the abstract that is not taken up."""
        built = built_of(manuscript)
        if manuscript.open_labels or not manuscript.complete or not is_paper(built):
            return
        vocabulary = terms_outside(manuscript, _ABSTRACT)
        for item in sentences(built.items):
            cue = item.draft.cue
            if (
                item.place.kind is not SectionClass.ABSTRACT
                or not cue & (Cue.FIND | Cue.ANNOUNCE)
                or cue & (Cue.SKIP | Cue.BACKGROUND)
                or len(item.terms) < _FEWEST_TERMS
            ):
                continue
            missing = missing_terms(built, item, vocabulary)
            if missing:
                yield self.finding(
                    f"The text never speaks of what this sentence asserts: {quoted(item, missing)} do not occur in it. "
                    "Take it up in the text, or take it out here.",
                    span_of(item),
                )
