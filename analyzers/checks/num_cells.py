"""What the checks of numbers against table cells share: numbers that their cell refutes, both sides of a comparison, the fix."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from analyzers.facts.alignment import Refuted
from analyzers.facts.number_comparisons import Comparative
from analyzers.facts.number_links import NumberLink, NumberLinks, cell_name, evidence_words, number_links
from analyzers.facts.quantities import like, plain
from analyzers.facts.tables.model import Cell
from analyzers.finding import EvidenceValue, Related
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span


def results_table(alpha: str, beta: str) -> str:
    """The table of the examples; a row is its accuracy and its latency, as in "72.3 & 18.9"."""
    return (
        "\\begin{table}\\caption{Results.}\\label{tab:r}\\begin{tabular}{lcc}\\toprule "
        "Method & Accuracy (\\%) & Latency (ms) \\\\\\midrule\n"
        f"Alpha & {alpha} \\\\\nBeta & {beta} \\\\\\bottomrule\\end{{tabular}}\\end{{table}}\n\n"
    )


class RefutedNumber(NamedTuple):
    """A number that the one cell it names refutes.  `expected` is the cell in the decimals of the text, `where` names the cell."""

    link: NumberLink
    refuted: Refuted
    span: Span
    cell: Cell
    where: str
    expected: str
    related: tuple[Related, ...]
    evidence: dict[str, EvidenceValue]

    @property
    def slight(self) -> bool:
        """True when text and cell are less than one unit of the last decimal apart."""
        quantity = self.link.quantity
        return abs(quantity.value - self.refuted.expected) < Decimal(1).scaleb(-quantity.decimals)


def refuted_numbers(manuscript: Manuscript) -> Iterator[RefutedNumber]:
    """Every number that the one cell it names refutes, by its value or by its unit; differences of two cells are left out."""
    links = number_links(manuscript)
    for link, refuted in links.refuted():
        if refuted.other is not None:
            continue
        cell, place = links.cell(refuted)
        where = cell_name(links.tables[refuted.table].table, cell)
        expected = plain(refuted.expected, link.quantity.decimals)
        evidence: dict[str, EvidenceValue] = {
            "stated": link.quantity.text,
            "cell": cell.text,
            "expected": expected,
            "why": list(evidence_words(refuted.evidence)),
        }
        related = (Related(place, f"The cell: {cell.text} ({where})"),)
        yield RefutedNumber(link, refuted, links.span(link), cell, where, expected, related, evidence)


def put_expected(manuscript: Manuscript, span: Span, link: NumberLink, refuted: Refuted) -> tuple[Fix, ...]:
    """The fix that writes what the table says in the form of the text; none where the number stands in a macro."""
    if not link.place.editable:
        return ()
    new = like(manuscript.text(span), refuted.expected)
    return (Fix(f"Put {new}", (Edit(span, new),)),)


def compared(first: tuple[Cell, Span], second: tuple[Cell, Span]) -> tuple[Related, ...]:
    """Two cells that the text compares, as related places."""
    return tuple(Related(place, f"Compared here: {cell.text}") for cell, place in (first, second))


class ComparedCells(NamedTuple):
    """The parts of a finding on a word that compares two cells: how the text stands against the table, both cells, evidence."""

    contrast: str
    related: tuple[Related, ...]
    evidence: dict[str, EvidenceValue]


def compared_cells(manuscript: Manuscript, links: NumberLinks, item: Comparative) -> ComparedCells:
    """Both sides of a comparison that the table refutes."""
    place = links.tables[item.table]
    contrast = (
        f"The text says “{item.word}”, but the table has {item.first.text} ({cell_name(place.table, item.first)}) "
        f"against {item.second.text} ({cell_name(place.table, item.second)})."
    )
    sides = ((cell, place.span(manuscript.entries, cell)) for cell in (item.first, item.second))
    evidence: dict[str, EvidenceValue] = {"word": item.word, "first": item.first.text, "second": item.second.text}
    return ComparedCells(contrast, compared(*sides), evidence)
