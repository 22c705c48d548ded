"""CLM003 `promised-contribution`: a listed contribution is never taken up after the introduction.

## What it flags
An item of the introduction's list of contributions, when most of its telling words occur nowhere in the body.

## Why it matters
A promise that the paper does not keep is the easiest objection a reviewer can make.

## When it stays silent
When the body is short, or an included file could not be read.  It is a hint, since the body may use other words.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import FRONT, NO_TERMS, is_paper, missing_terms, quoted, span_of, terms_outside
from analyzers.finding import Finding, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue, lexicon
from analyzers.graph.gather import Item
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind

_FEWEST_TERMS = 4
_NEAR = 2
_BODY = "\\section{Method}\n" + "\n\n".join(
    "The sensor is cleaned, and its drift is modelled as a random walk with a variance that grows every day. We estimate the variance from pairs of neighbouring sensors."
    for _ in range(15)
)
_LIST = "\\section{{Introduction}}\nOur contributions are as follows.\n\\begin{{itemize}}\n\\item We model the drift of a sensor as a random walk.\n\\item {}\n\\end{{itemize}}\n\n"
_STUDY = "We interview fourteen hydrologists about trust and workflow."


class PromisedContribution(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM003"
    name = "promised-contribution"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of("A study that never comes", _LIST.format(_STUDY) + _BODY, _STUDY),
        Example.of(
            "Taken up", _LIST.format("We estimate the variance of the drift from neighbouring sensors.") + _BODY
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per contribution that is not taken up."""
        built = built_of(manuscript)
        if manuscript.open_labels or not manuscript.complete or not is_paper(built):
            return
        promised = [
            item for item in _contributions(built.items, manuscript.language) if len(item.terms) >= _FEWEST_TERMS
        ]
        vocabulary = terms_outside(manuscript, FRONT) if promised else NO_TERMS
        for item in promised:
            missing = missing_terms(built, item, vocabulary)
            if missing:
                yield self.finding(
                    f"The body never takes up this contribution: {quoted(item, missing)} occur only before it. "
                    "Add the part, or take the promise back.",
                    span_of(item),
                )


def _contributions(items: tuple[Item, ...], language: str) -> Iterator[Item]:
    words = lexicon(language)
    if words is None:
        return
    announced = -10
    for item in items:
        if item.place.kind is not SectionClass.INTRODUCTION:
            continue
        if item.draft.part is not PartKind.ITEM:
            # Text between two lists ends the first one.
            announced = item.position if words.contributions.search(item.draft.text.lower()) else -10
        elif item.position - announced <= _NEAR:
            announced = item.position
            # Further sentences of an item explain it; what it promises is said of the work itself.
            if item.draft.cue & (Cue.OURS | Cue.ANNOUNCE):
                yield item
