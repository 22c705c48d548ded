"""Tables: LaTeX tabular environments as header-aware grids."""

from analyzers.facts.tables.environments import ENVIRONMENTS
from analyzers.facts.tables.model import Cell, CellNumber, Direction, Heading, Orientation, Role, Table
from analyzers.facts.tables.read import read_table, read_tables

__all__ = [
    "ENVIRONMENTS",
    "Cell",
    "CellNumber",
    "Direction",
    "Heading",
    "Orientation",
    "Role",
    "Table",
    "read_table",
    "read_tables",
]
