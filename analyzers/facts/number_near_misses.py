"""Numbers that no cell has, one slip of a digit away from a cell whose row and column the sentence names."""

from collections.abc import Iterator
from typing import NamedTuple

from analyzers.facts.alignment import Reason, Unknown
from analyzers.facts.alignment_terms import tokens_of
from analyzers.facts.number_links import NumberLink, NumberLinks
from analyzers.facts.number_support import slips
from analyzers.facts.quantities.model import Kind
from analyzers.facts.tables.model import Cell

_WITHOUT_CELL = (Reason.NO_CELL, Reason.SEVERAL_CELLS)


class NearMiss(NamedTuple):
    """A number and the cell it may have been copied from; `referred` when the sentence refers to the table as well."""

    link: NumberLink
    table: int
    cell: Cell
    referred: bool


def near_misses(links: NumberLinks, *, referred: bool = False) -> Iterator[NearMiss]:
    """Every such pair, in reading order.  Numbers of one or two digits are near to everything and left out.

    With `referred` only the pairs of sentences that refer to the table, which costs much less.
    """
    labels = frozenset(label for place in links.tables for label in place.table.labels)
    for link in links.links:
        if referred and labels.isdisjoint(link.sentence.labels):
            continue
        quantity = link.quantity
        if (
            isinstance(link.link, Unknown)
            and link.link.reason in _WITHOUT_CELL
            and quantity.kind is Kind.LEVEL
            and quantity.decimals > 0
            and not quantity.approximate
            and not _short(quantity.text)
        ):
            yield from (item for item in _of_link(links, link) if item.referred or not referred)


def _of_link(links: NumberLinks, link: NumberLink) -> Iterator[NearMiss]:
    hits = links.aligner.prepared.terms.find(tokens_of(link.sentence.text))
    for number, place in enumerate(links.tables):
        table = place.table
        rows = {target.place for hit in hits for target in hit.targets.get(number, ()) if target.axis == "row"}
        columns = {target.place for hit in hits for target in hit.targets.get(number, ()) if target.axis == "column"}
        if table.problem is not None or not rows or not columns:
            continue
        referred = not link.sentence.labels.isdisjoint(table.labels)
        for cell in table.numeric:
            if cell.quantity is None or cell.row not in rows or cell.column not in columns:
                continue
            if slips(link.quantity, link.quantity.text, cell.quantity.value, cell.quantity.decimals):
                yield NearMiss(link, number, cell, referred)


def _short(text: str) -> bool:
    return len(text.replace(".", "").lstrip("-−0")) < 3
