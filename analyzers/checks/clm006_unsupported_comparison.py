"""CLM006 `unsupported-comparison`: the body says that something is better, and neither number, reference nor citation stands by.

## What it flags
“Outperforms”, “superior to”, “surpasses” and “state of the art” about the paper's own work in a sentence of the body, when
neither it nor the sentences before and behind it hold a number, a formula, a reference or a citation.

## Why it matters
A comparison needs the thing compared with and the measure; a reviewer will ask for both.

## When it stays silent
In abstract, introduction, related work and conclusion, which summarise; in hypotheses and questions.  It is a hint.
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

_BETTER = re.compile(
    r"\b(?:(?:out|over)perform(?:s|ed)|surpass(?:es|ed)|(?:is|are|was|were) (?:clearly |far |significantly |vastly )?superior(?: to)?|beats?|achieves? state[- ]of[- ]the[- ]art)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:whether|if|hypothes\w+|would|could|should|may|might|can|goal|aim|expect\w*|to outperform)\b|\?$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\b(?:factor|twice|half|double|triple|times|fold|order of magnitude|figure|table|percent)\b", re.IGNORECASE
)
_BODY = frozenset({SectionClass.EXPERIMENTS, SectionClass.METHOD})


class UnsupportedComparison(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM006"
    name = "unsupported-comparison"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Nothing to compare with",
            "\\section{Experiments}\nOur method outperforms the earlier calibration of the sensors.",
            "Our method outperforms the earlier calibration of the sensors.",
        ),
        Example.of("A number", "\\section{Experiments}\nOur method outperforms the earlier calibration by 3.5\\%."),
        Example.of("A table", "\\section{Experiments}\nOur method outperforms the others (Table~\\ref{t}).\n\n\\begin{table}\\caption{Errors.}\\label{t}\\end{table}"),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per sentence."""
        for item in unbacked(built_of(manuscript).items, _compares):
            yield self.finding(
                "Better by how much, and than what exactly? No number, reference or citation stands near this comparison.",
                span_of(item),
            )


def _compares(item: Item) -> bool:
    """True when a sentence of the body says that the own work is better, without a measure."""
    if item.place.kind not in _BODY or not item.draft.cue & Cue.OURS:
        return False
    text = item.draft.text
    return bool(_BETTER.search(text)) and not _OPEN.search(text) and not _MEASURED.search(text)
