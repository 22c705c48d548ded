"""NUM015 `slip-of-a-digit`: a number differs in one digit from the cell that its sentence speaks of.

## What it flags
A number with decimals that no cell has, in a sentence that refers to a table and names a row and a column of it, where the cell there has
one other digit, or two neighbouring digits in the other order.

## Why it matters
Typing errors change one digit, and nobody sees them in a proof.

## When it stays silent
When several cells may be meant, the sentence gives the number of the cell as well, another sentence gives the number too, or the
sentence speaks of a part of the data, of earlier work, or of what would be.
"""

from collections import Counter
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.num_cells import results_table
from analyzers.facts.alignment import Reason, Unknown
from analyzers.facts.number_comparisons import conditional
from analyzers.facts.number_links import NumberLinks, cell_name, number_links
from analyzers.facts.number_near_misses import NearMiss, near_misses
from analyzers.facts.quantities import like
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

_TABLE = results_table("72.34 & 18.9", "74.67 & 12.4")


class SlipOfADigit(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM015"
    name = "slip-of-a-digit"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of(
            "One digit, both rows named",
            _TABLE + "In Table~\\ref{tab:r}, Alpha loses on accuracy to Beta, which reaches 76.67.",
            "76.67",
        ),
        Example.of(
            "Two digits in the other order",
            _TABLE + "As Table~\\ref{tab:r} shows, accuracy goes from 72.34 with Alpha to 76.47 with Beta.",
            "76.47",
        ),
        Example.of(
            "The number of the cell", _TABLE + "In Table~\\ref{tab:r}, Alpha loses on accuracy to Beta, which reaches 74.67."
        ),
        Example.of(
            "The cell is given as well",
            _TABLE + "In Table~\\ref{tab:r}, Beta has 74.67 against Alpha in accuracy, and 76.67 with more data.",
        ),
        Example.of("No table is referred to", _TABLE + "Alpha loses on accuracy to Beta, which reaches 76.67."),
        Example.of(
            "It stands elsewhere too",
            _TABLE + "In Table~\\ref{tab:r}, Alpha loses on accuracy to Beta, which reaches 76.67. With more data it is 76.67.",
        ),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per number."""
        links = number_links(manuscript)
        pairs = [item for item in near_misses(links, referred=True) if _has_no_cell(item)]
        if not pairs:
            return
        written = Counter(link.quantity.value for link in links.links)
        pairs = [item for item in pairs if not _given(links, item) and not _partial(item)]
        for item in pairs:
            if _alone(item, pairs) and written[item.link.quantity.value] == 1:
                yield self._finding(manuscript, links, item)

    def _finding(self, manuscript: Manuscript, links: NumberLinks, item: NearMiss) -> Finding:
        link, cell = item.link, item.cell
        place = links.tables[item.table]
        where, span = cell_name(place.table, cell), links.span(link)
        fixes: tuple[Fix, ...] = ()
        if link.place.editable and cell.quantity is not None:
            new = like(manuscript.text(span), cell.quantity.value)
            fixes = (Fix(f"Put {new}", (Edit(span, new),)),)
        return self.finding(
            f"No cell has {link.quantity.text}; the table has {cell.text} for {where}, one digit apart. Check which is right.",
            span,
            related=(Related(place.span(links.entries, cell), f"The cell: {cell.text} ({where})"),),
            fixes=fixes,
            evidence={"stated": link.quantity.text, "cell": cell.text},
        )


def _has_no_cell(item: NearMiss) -> bool:
    return isinstance(item.link.link, Unknown) and item.link.link.reason is Reason.NO_CELL


def _alone(item: NearMiss, pairs: list[NearMiss]) -> bool:
    """True when no other cell may be meant."""
    return not any(other is not item and other.link is item.link for other in pairs)


def _partial(item: NearMiss) -> bool:
    """True when the sentence speaks of half the data, of earlier work or of what would be: not of what the table shows."""
    return conditional(item.link.sentence.text, difference=True)


def _given(links: NumberLinks, item: NearMiss) -> bool:
    """True when the sentence has the number of the cell as well, so that the other number is something else."""
    value = item.cell.quantity.value if item.cell.quantity is not None else None
    return any(link.sentence is item.link.sentence and link.quantity.value == value for link in links.links)
