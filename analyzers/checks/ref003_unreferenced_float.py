"""REF003 `unreferenced-float`: no text refers to a figure or table.

## What it flags
The label of a float with a caption that neither the text nor another caption refers to, nor to any of its parts.

## Why it matters
Journals ask that every figure and table is mentioned; a float that nothing mentions is often left over from an earlier version.

## When it stays silent
For floats without a label or caption, in projects with unresolved includes, and where a macro of unknown meaning takes the label.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.floats import floats
from analyzers.facts.label_uses import all_mentions
from analyzers.facts.references import references
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript
from analyzers.text.commands import REF_RANGE

_FIGURE = "\\begin{figure}\\caption{A}\\label{fig:a}\\end{figure}\n\n"


class UnreferencedFloat(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REF003"
    name = "unreferenced-float"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("A figure that nothing refers to", _FIGURE + "Text.", "fig:a"),
        Example.of(
            "A figure that only its own caption refers to",
            "\\begin{figure}\\caption{Fig.~\\ref{fig:a}}\\label{fig:a}\\end{figure}",
            "fig:a",
        ),
        Example.of("A figure that the text refers to", _FIGURE + r"See \autoref{fig:a}."),
        Example.of("Through a wrapper", "\\newcommand{\\fig}[1]{\\ref{fig:#1}}\n\n" + _FIGURE + r"See \fig{a}."),
        Example.of(
            "Through a part",
            "\\begin{figure}\\begin{subfigure}{1cm}\\label{fig:p}\\end{subfigure}\\caption{A}\\label{fig:a}\\end{figure}\n\n\\ref{fig:p}",
        ),
        Example.of("An include that was not found", _FIGURE + r"\input{gone}"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per float."""
        if not manuscript.rooted or manuscript.open_labels:
            return
        found = [(entry, item) for _, entry, item in manuscript.located(floats) if item.labels and item.captions]
        if not found:
            return
        used: dict[str, list[tuple[str, int]]] = {}
        for _, entry, use in manuscript.located(references):
            used.setdefault(use.key, []).append((entry.path, entry.start + use.start))
            if use.command.rstrip("*") in REF_RANGE:
                return  # what lies between the ends counts as referred to, and is not worth working out
        mentioned: frozenset[str] | None = None
        for entry, item in found:
            here = range(entry.start + item.start, entry.start + item.end)
            keys = [label.key for label in (*item.labels, *item.part_labels)]
            if any(path != entry.path or at not in here for key in keys for path, at in used.get(key, ())):
                continue
            mentioned = mentioned if mentioned is not None else all_mentions(manuscript)
            if not mentioned.isdisjoint(keys):
                continue
            label = item.labels[0]
            yield self.finding(
                f"No text refers to this {item.kind}. Mention it with \\ref{{{label.key}}}, or remove it.",
                entry.span(label.start, label.end),
            )
