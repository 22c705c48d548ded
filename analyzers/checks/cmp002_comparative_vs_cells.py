"""CMP002 `comparative-vs-cells`: "higher than", but the two cells say lower.

## What it flags
A sentence that compares two rows of a table in one column ("the latency of A is higher than that of B") while the cells of that
table say the opposite.

## Why it matters
A flipped comparison is an argument for the wrong method, and the table shows it.

## When it stays silent
When the sentence is hedged, negated or compares more than two things, when the column is not the only one named, or when any
table that it may be about agrees.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_comparisons import comparatives, states_factor
from analyzers.facts.number_links import cell_name, number_links
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript

_TABLE = "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\nAlpha & 72.3 & 18.9 \\\\\nBeta & 74.6 & 12.4 \\\\\\bottomrule\\end{tabular}\\end{table}\n\n"


class ComparativeVersusCells(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CMP002"
    name = "comparative-vs-cells"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("Flipped", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is higher than that of Alpha.", "higher than"),
        Example.of("Slower", _TABLE + "Table~\\ref{tab:r} shows by its latency that Beta is slower than Alpha.", "slower than"),
        Example.of("Right", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is lower than that of Alpha."),
        Example.of("Negated", _TABLE + "In Table~\\ref{tab:r}, the latency of Beta is not higher than that of Alpha."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per refuted comparison."""
        links = number_links(manuscript)
        for item in comparatives(links):
            if states_factor(item):
                continue
            place = links.tables[item.table]
            message = (
                f"The text says “{item.word}”, but the table has {item.first.text} ({cell_name(place.table, item.first)}) "
                f"against {item.second.text} ({cell_name(place.table, item.second)}). Check the word or the cells."
            )
            related = (
                Related(place.span(manuscript, item.first), f"Compared here: {item.first.text}"),
                Related(place.span(manuscript, item.second), f"Compared here: {item.second.text}"),
            )
            evidence: dict[str, EvidenceValue] = {
                "word": item.word,
                "first": item.first.text,
                "second": item.second.text,
            }
            yield self.finding(
                message, item.spoken.span(manuscript, item.start, item.end), related=related, evidence=evidence
            )
