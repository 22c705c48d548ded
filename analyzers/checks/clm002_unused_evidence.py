"""CLM002 `unused-evidence`: a table of results is mentioned, and no sentence draws anything from it.

## What it flags
A table with numbers outside of the appendix whose label is referred to, when no sentence that refers to it, and none of the
same paragraphs, states a finding, a number or a comparison.

## Why it matters
Evidence that no claim uses costs space and leaves its reading to the reader.

## When it stays silent
For tables that nobody refers to (REF003 reports those), tables without numbers, and in the appendix.  It is a hint.
"""

from collections import defaultdict
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.clm_items import span_of
from analyzers.finding import Finding, Severity, Tier
from analyzers.graph.build import built_of
from analyzers.graph.cues import Cue
from analyzers.graph.gather import Item
from analyzers.graph.schema import Form, NodeType
from analyzers.project.manuscript import Manuscript

_DRAWS = Cue.FIND | Cue.STRENGTH | Cue.INTERPRET | Cue.COMPARE | Cue.EVIDENCE | Cue.ANNOUNCE
_FEW_NUMBERS = 4
_TABLE = "\\begin{table}\\begin{tabular}{lrr}Method & Error & Time\\\\\\hline A & 1.2 & 3.4\\\\ B & 2.3 & 4.5\\\\ C & 3.1 & 5.2\\\\\\end{tabular}\\caption{Runs of the machine.}\\label{tab:a}\\end{table}\n\n"


class UnusedEvidence(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CLM002"
    name = "unused-evidence"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Mentioned only",
            "\\section{Experiments}\nThe runs of the machine are listed in Table~\\ref{tab:a} for the reader.\n\n"
            + _TABLE,
            "Runs of the machine.",
        ),
        Example.of(
            "A finding is drawn from it",
            "\\section{Experiments}\nTable~\\ref{tab:a} shows that machine A is faster than machine B.\n\n" + _TABLE,
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per unused table, at its caption."""
        items = built_of(manuscript).items
        mentions: dict[str, list[Item]] = defaultdict(list)
        drawing: set[int] = set()
        for item in items:
            draft = item.weighed.draft
            if draft.form is Form.SENTENCE:
                for label in draft.references:
                    mentions[label].append(item)
                if draft.cue & _DRAWS or draft.figures:
                    drawing.add(item.position)
        for item in items:
            draft = item.weighed.draft
            if (
                draft.form is not Form.TABLE
                or item.weighed.type is not NodeType.EVIDENCE
                or item.place.appendix
                or draft.figures < _FEW_NUMBERS
                or not draft.words
            ):
                continue
            said = [mention for label in draft.labels for mention in mentions.get(label, ())]
            if not said or any(mention.position in drawing for mention in said):
                continue
            # What is drawn from a table often stands in the paragraph after the one that introduces it.
            if any(
                position + step in drawing for position in {mention.position for mention in said} for step in (1, 2)
            ):
                continue
            yield self.finding(
                "The text mentions this table and draws nothing from it. Say what it shows, or leave it out.",
                span_of(item),
            )
