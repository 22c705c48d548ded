"""Verified numbers of the text as links from tables to sentences."""

from analyzers.facts.alignment_model import Verified
from analyzers.facts.number_links import number_links
from analyzers.graph.link import CellLink
from analyzers.project.manuscript import Manuscript

_MAX_NAME = 40


def cell_links(manuscript: Manuscript) -> tuple[CellLink, ...]:
    """One link for each number of the prose that was found in a cell, in reading order."""
    links = number_links(manuscript)
    found = []
    for link in links.links:
        if isinstance(link.link, Verified):
            place = links.tables[link.link.table]
            cell = place.table.cells[link.link.cell]
            names = [path[-1][:_MAX_NAME] for path in (cell.row_path, cell.column_path) if path]
            where = f" ({', '.join(names)})" if names else ""
            found.append(
                CellLink(link.entry, link.place.start, place.entry, f"{link.quantity.text} stands in the table{where}")
            )
    return tuple(found)
