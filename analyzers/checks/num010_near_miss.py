"""NUM010 `near-miss-cell`: a number that no cell has, one slip of a digit away from a cell that the sentence speaks of.

## What it flags
A number whose sentence points at a cell by its row and its column (and a reference to the table), where the cell differs by one digit
or two neighbouring digits in the wrong order.  A candidate, not a finding: on real papers most such pairs are chance.

## Why it matters
Typing errors change one digit.

## When it stays silent
It is never shown as a problem: `counterclaim check --candidates` lists it, and the contradiction pass reads it.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_links import NumberLinks, number_links
from analyzers.facts.number_near_misses import NearMiss, near_misses
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.34 & 18.9 \\\\\nBeta & 74.67 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
_TOP = 5


class NearMissCell(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM010"
    name = "near-miss-cell"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    examples = (
        Example.of(
            "One digit, two rows named",
            _TABLE + "In Table~\\ref{tab:r}, Alpha loses on accuracy, where Beta has 76.67 and 1.2 more.",
            "In Table~\\ref{tab:r}, Alpha loses on accuracy, where Beta has 76.67 and 1.2 more.",
            "74.67",
        ),
        Example.of("The number of the cell", _TABLE + "In Table~\\ref{tab:r}, Alpha loses on accuracy, where Beta has 74.67."),
        Example.of("No row is named", _TABLE + "In Table~\\ref{tab:r}, the accuracy is 76.67."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """The best pairs of sentence and cell."""
        links = number_links(manuscript)
        best: dict[int, Candidate] = {}
        for item in near_misses(links):
            candidate = self._candidate(links, item)
            known = best.get(id(item.link))
            if known is None or candidate.score > known.score:
                best[id(item.link)] = candidate
        yield from sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.places))[:_TOP]

    def _candidate(self, links: NumberLinks, item: NearMiss) -> Candidate:
        link, cell = item.link, item.cell
        sentence = links.entries[link.entry].span(link.sentence.start, link.sentence.end)
        reason = f"{link.quantity.text} in the sentence, {cell.text} in the cell it speaks of: one slip of a digit"
        place = links.tables[item.table].span(links.entries, cell)
        return Candidate(self.code, 0.5 + 0.25 * item.referred, reason, (sentence, place))
