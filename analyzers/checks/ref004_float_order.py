"""REF004 `float-order`: floats are first referenced in another order than they are numbered in.

## What it flags
The first reference to a figure or table that comes before the first reference to one with a smaller number, as few places as
explain the disorder.

## Why it matters
Most style guides ask for it, and readers look for Figure 1 first.

## When it stays silent
For floats that nothing refers to, and between the main text and the appendix.
"""

from bisect import bisect_left
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.floats import Float, floats
from analyzers.facts.references import references
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.spans import Span

_TWO = "\\begin{figure}\\caption{A}\\label{fig:a}\\end{figure}\n\n\\begin{figure}\\caption{B}\\label{fig:b}\\end{figure}\n\n"


class FloatOrder(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REF004"
    name = "float-order"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("The second figure first", _TWO + r"See \ref{fig:b} and \ref{fig:a}.", "fig:b"),
        Example.of("In order", _TWO + r"See \ref{fig:a} and \ref{fig:b}, then \ref{fig:a}."),
        Example.of(
            "Figures and tables count apart",
            "\\begin{table}\\caption{T}\\label{t}\\end{table}\n\n" + _TWO + r"See \ref{fig:a}, \ref{fig:b}, \ref{t}.",
        ),
        Example.of(
            "The appendix counts apart",
            "See \\ref{fig:b} and \\ref{fig:a}.\n\n" + _TWO.replace("\n\n", "\n\n\\appendix\\section{X}\n\n", 1),
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per reference that is out of order."""
        groups: dict[tuple[str, bool], list[tuple[Entry, Float]]] = {}
        owner: dict[str, tuple[str, bool, int]] = {}
        for _, entry, item in manuscript.located(floats):
            if not item.captions or not item.labels:
                continue
            group = groups.setdefault((item.kind, entry.appendix), [])
            for label in (*item.labels, *item.part_labels):
                owner.setdefault(label.key, (item.kind, entry.appendix, len(group)))
            group.append((entry, item))
        if not any(len(group) > 1 for group in groups.values()):
            return
        first: dict[tuple[str, bool, int], tuple[Span, str]] = {}
        for _, entry, use in manuscript.located(references):
            place = owner.get(use.key)
            if place is None or place in first:
                continue
            holder, item = groups[place[:2]][place[2]]
            at = entry.span(use.start, use.end)
            if holder.path == entry.path and holder.start + item.start <= at.start < holder.start + item.end:
                continue
            first[place] = (at, use.key)
        for (kind, appendix), group in groups.items():
            order = [place[2] for place in first if place[:2] == (kind, appendix)]  # dicts keep the reading order
            kept = _longest_rising(order)
            for position, number in enumerate(order):
                if position in kept:
                    continue
                later = next((other for other in order[position + 1 :] if other < number), None)
                earlier = (
                    later
                    if later is not None
                    else max((other for other in order[:position] if other > number), default=None)
                )
                if earlier is None:
                    continue
                span, _ = first[kind, appendix, number]
                holder, item = group[earlier]
                label = item.labels[0]
                relation = "before" if later is not None else "after"
                where = "earlier" if later is not None else "later"
                yield self.finding(
                    f"This {kind} is first referenced {relation} {label.key}, which stands {where} in the manuscript.",
                    span,
                    related=(Related(holder.span(label.start, label.end), f"The {kind} that stands {where}"),),
                )


def _longest_rising(order: list[int]) -> frozenset[int]:
    """Positions of a longest rising run (not necessarily connected); of equally long ones the one that ends lowest."""
    tails: list[int] = []
    at: list[int] = []
    previous: list[int] = []
    for position, number in enumerate(order):
        length = bisect_left(tails, number)
        previous.append(at[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            at.append(position)
        else:
            tails[length] = number
            at[length] = position
    kept: set[int] = set()
    position = at[-1] if at else -1
    while position >= 0:
        kept.add(position)
        position = previous[position]
    return frozenset(kept)
