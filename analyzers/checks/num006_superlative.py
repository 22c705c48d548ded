"""NUM006 `superlative-refuted`: "best on all data sets" is not what every column of the table says.

## What it flags
A sentence that calls one method the best (highest, lowest), or says that it outperforms the others, on all data sets or metrics
of a table it refers to nearby, while another row beats it in some column; also "on three of four" with another count.

## Why it matters
It is the sentence that readers remember, and one cell is enough to refute it.

## When it stays silent
When the sentence is hedged ("almost", "except"), names no single row, its number of data sets is not the number of result
columns, a direction is unknown, or the better row is an upper bound or a variant of the same method.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.tab_ranks import OUTSIDE
from analyzers.facts.number_links import NumberLinks, cell_name, number_links
from analyzers.facts.number_superlatives import Superlative, superlatives
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Accuracy.}\\label{tab:r}\\begin{tabular}{lccc}\\toprule Method & \\multicolumn{3}{c}{Accuracy (\\%)} \\\\\n & News & Web & Mail \\\\\\midrule\nAlpha & 72.3 & 78.0 & 60.1 \\\\\nBeta & 74.6 & 75.6 & 61.2 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
_THIRD = _TABLE.replace("Alpha &", "Base & 70.1 & 71.0 & 50.2 \\\\\nAlpha &")
_BOLD = "\\begin{table}\\caption{Finished runs in per cent.}\\label{tab:r}\\begin{tabular}{lccc}\\toprule & Peg & Lid & Door \\\\\\midrule\nBase & 41 & 52 & 60 \\\\\nAlpha & 72 & 78 & \\bfseries 66 \\\\\nBeta & \\bfseries 74 & \\bfseries 79 & 61 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"

_ACROSS = (
    "\\begin{table}\\caption{Accuracy (\\%) by region.}\\label{tab:a}\\begin{tabular}{lcc}\\toprule & Heron & Kite \\\\\\midrule\n"
    "North & 72.3 & 74.6 \\\\\nSouth & 78.0 & 75.6 \\\\\nWest & 60.1 & 61.2 \\\\\\midrule\nMean & 70.1 & 70.5 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"
)


class SuperlativeRefuted(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM006"
    name = "superlative-refuted"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("One column says otherwise", _TABLE + "Table~\\ref{tab:r} shows that Beta reaches the best accuracy on all three data sets.", "best accuracy on all three data sets"),
        Example.of("Another count", _TABLE + "In Table~\\ref{tab:r}, Beta is best on one of three data sets.", "best on one of three data sets"),
        Example.of("Bold tells what is good", _BOLD + "As Table~\\ref{tab:r} shows, Beta comes out on top in every task.", "comes out on top in every task"),
        Example.of("Nothing tells what is good", _BOLD.replace("\\bfseries ", "") + "As Table~\\ref{tab:r} shows, Beta comes out on top in every task."),
        Example.of("The tasks in front", _TABLE + "As Table~\\ref{tab:r} shows: across all three data sets, Beta performs best.", "across all three data sets, Beta performs best"),
        Example.of("One method is beaten, and nothing is said of the others", _THIRD + "In Table~\\ref{tab:r}, Beta outperforms Base on all three data sets."),
        Example.of("The method named is not beaten everywhere", _THIRD + "In Table~\\ref{tab:r}, Beta outperforms Alpha on all three data sets.", "outperforms Alpha on all three data sets"),
        Example.of("Nobody beats it", _TABLE + "As Table~\\ref{tab:r} shows, no rival beats Beta in any of the three genres.", "no rival beats Beta in any of the three genres"),
        Example.of("Methods as columns", _ACROSS + "In Table~\\ref{tab:a}, Kite ranks first in all three regions.", "ranks first in all three regions"),
        Example.of("Methods as columns, nobody", _ACROSS + "In Table~\\ref{tab:a}, no rival beats Kite in any of the three regions.", "no rival beats Kite in any of the three regions"),
        Example.of("Methods as columns, and a pronoun", _ACROSS + "In Table~\\ref{tab:a}, Kite reaches 70.5. In each of the three regions, it is more accurate than every competitor.", "In each of the three regions, it is more accurate than every competitor"),
        Example.of("Methods as columns, and a pronoun for nothing", _ACROSS + "Table~\\ref{tab:a} has the results. In each of the three regions, it is more accurate than every competitor."),
        Example.of("Methods as columns, two of three", _ACROSS + "In Table~\\ref{tab:a}, Kite ranks first in two of the three regions."),
        Example.of("Methods as columns, another number of things", _ACROSS + "In Table~\\ref{tab:a}, Kite ranks first in all four seasons."),
        Example.of("Two of three", _TABLE + "In Table~\\ref{tab:r}, Beta is best on two of three data sets."),
        Example.of("Hedged", _TABLE + "Table~\\ref{tab:r} shows that Beta reaches the best accuracy on almost all three data sets."),
        Example.of("Other data sets", _TABLE + "Table~\\ref{tab:r} shows that Beta reaches the best accuracy on all five data sets."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per refuted superlative."""
        links = number_links(manuscript)
        for item in superlatives(manuscript, links, OUTSIDE):
            yield self._finding(manuscript, links, item)

    def _finding(self, manuscript: Manuscript, links: NumberLinks, item: Superlative) -> Finding:
        place = links.tables[item.table]
        message = (
            f"The table has {item.cell.text} ({cell_name(place.table, item.cell)}) against {item.own.text} ({cell_name(place.table, item.own)}): "
            f"best in {item.good} of {item.total} {item.lines}, not {'all' if item.stated == item.total else item.stated}."
        )
        related = (
            Related(place.span(manuscript.entries, item.cell), f"The better value, {item.cell.text}"),
            Related(place.span(manuscript.entries, item.own), f"The value of the method, {item.own.text}"),
        )
        evidence: dict[str, EvidenceValue] = {"best in": item.good, "columns": item.total, "stated": item.stated}
        return self.finding(
            message, item.spoken.span(manuscript, item.start, item.end), related=related, evidence=evidence
        )
