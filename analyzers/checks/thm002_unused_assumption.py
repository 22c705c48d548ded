"""THM002 `assumption-unreferenced`: an assumption has a label, and nothing refers to it.

## What it flags
Environments named assumption, hypothesis or condition with a label that no reference uses.  A hint.

## Why it matters
A theorem that needs the assumption should name it; a reader cannot tell which results depend on it.

## When it stays silent
Without a label, and when an included file could not be read.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.references import normal_key, references
from analyzers.facts.theorems import declared, stated
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

_ASSUMPTION = "\\begin{assumption}\\label{ass:c}\nThe loss is convex.\n\\end{assumption}\n\n"
_STEMS = ("assum", "hypothes", "condition", "annahme", "voraussetz")


class UnusedAssumption(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "THM002"
    name = "assumption-unreferenced"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("Never referred to", f"{_ASSUMPTION}The proof is short.", "The loss is convex."),
        Example.of("Referred to", f"{_ASSUMPTION}Under Assumption~\\ref{{ass:c}} the proof is short."),
        Example.of("Without a label", "\\begin{assumption}\nThe loss is convex.\n\\end{assumption}\n"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per assumption."""
        if not manuscript.closed:
            return
        names = frozenset(name for name in declared(manuscript) | {"assumption"} if name.lower().startswith(_STEMS))
        used: set[str] | None = None
        for statement in stated(manuscript, names):
            if not statement.labels:
                continue
            if used is None:
                used = {reference.key for _, _, reference in manuscript.located(references)}
            if any(normal_key(label) in used for label in statement.labels):
                continue
            text = statement.text
            start = len(text) - len(text.lstrip())
            if text[start:].startswith("\\label"):
                start += text[start:].index("}") + 1
                start += len(text[start:]) - len(text[start:].lstrip())
            span = statement.entry.span(statement.start + start, statement.start + len(text.rstrip()))
            yield self.finding(f"Nothing refers to this assumption ({statement.labels[0]}).", span)
