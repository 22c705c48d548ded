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
from analyzers.facts.alignment import Reason, Unknown
from analyzers.facts.alignment_terms import tokens_of
from analyzers.facts.number_links import NumberLink, NumberLinks, number_links
from analyzers.facts.number_support import slips
from analyzers.facts.quantities.model import Kind
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.34 & 18.9 \\\\\nBeta & 74.67 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
_TOP = 5


class NearMiss(ManuscriptCheck):
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
        found = [
            candidate for link in links.links
            if isinstance(link.link, Unknown) and link.link.reason in (Reason.NO_CELL, Reason.SEVERAL_CELLS)
            and link.quantity.kind is Kind.LEVEL and link.quantity.decimals > 0 and not link.quantity.approximate
            and (candidate := self._near(links, link)) is not None
        ]  # fmt: skip
        found.sort(key=lambda candidate: (-candidate.score, candidate.places))
        yield from found[:_TOP]

    def _near(self, links: NumberLinks, link: NumberLink) -> Candidate | None:
        prepared = links.aligner.prepared
        hits = prepared.terms.find(tokens_of(link.sentence.text))
        best: tuple[float, Candidate] | None = None
        for number, place in enumerate(links.tables):
            table = place.table
            rows = {target.place for hit in hits for target in hit.targets.get(number, ()) if target.axis == "row"}
            columns = {
                target.place for hit in hits for target in hit.targets.get(number, ()) if target.axis == "column"
            }
            if table.problem is not None or not rows or not columns:
                continue
            referred = bool(link.sentence.labels & frozenset(table.labels))
            for cell in table.numeric:
                if cell.quantity is None or cell.row not in rows or cell.column not in columns:
                    continue
                if _short(link.quantity.text) or not slips(
                    link.quantity, link.quantity.text, cell.quantity.value, cell.quantity.decimals
                ):
                    continue
                score = 0.5 + 0.25 * referred
                if best is None or score > best[0]:
                    entry = links.entries[link.entry]
                    sentence = entry.span(link.sentence.start, link.sentence.end)
                    reason = f"{link.quantity.text} in the sentence, {cell.text} in the cell it speaks of: one slip of a digit"
                    best = (score, Candidate(self.code, score, reason, (sentence, place.span(links.entries, cell))))
        return best[1] if best is not None else None


def _short(text: str) -> bool:
    """Numbers of one or two significant digits are near to everything."""
    return len(text.replace(".", "").lstrip("-−0")) < 3
