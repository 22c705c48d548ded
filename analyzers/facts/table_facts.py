"""The tables of one block, read once while neither the block nor its macros change."""

from collections.abc import Mapping

from analyzers.facts.macros import Macros
from analyzers.facts.tables.model import Table
from analyzers.facts.tables.read import read_tables
from analyzers.facts.view import macro_key
from analyzers.text.document import Block


def tables_of(block: Block, macros: Macros) -> tuple[Table, ...]:
    """Every table of a block; offsets are relative to it."""
    if block.dead or not block.remember("may hold tables", _may_hold_tables):
        return ()
    return block.remember(("tables", macro_key(block, macros)), lambda b: _read(b, macros.table))


def _may_hold_tables(block: Block) -> bool:
    return any(environment.begins for environment in block.lexed.environments)


def _read(block: Block, table: Mapping[str, object]) -> tuple[Table, ...]:
    found = read_tables(block.text, table)  # type: ignore[arg-type]
    return tuple(item for item in found if item.environment != "array" and not block.lexed.masked(item.start))
