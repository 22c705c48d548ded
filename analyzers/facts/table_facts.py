"""The tables of one block, read once while neither the block nor its macros change."""

from collections.abc import Mapping
from dataclasses import replace

from analyzers.facts.macros import Macros
from analyzers.facts.tables.environments import may_hold_tables
from analyzers.facts.tables.model import Direction, Table
from analyzers.facts.tables.read import read_tables
from analyzers.facts.view import macro_key
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.words import NO_WORDS, Words
from analyzers.text.document import Block
from analyzers.text.environments import FLOAT


def tables_of(block: Block, macros: Macros, words: Words = NO_WORDS) -> tuple[Table, ...]:
    """Every table of a block; offsets are relative to it.  `words` may name directions of metrics."""
    # Each check of tables asks this of every block, so that the usual answer has to be cheap.
    may = block.memo.get("may hold tables")
    if may is None:
        may = block.memo["may hold tables"] = _may_hold_tables(block)
    if not may:
        return ()
    own = words.higher_is_better or words.lower_is_better
    key = ("tables", macro_key(block, macros), words if own else None)
    return block.remember(key, lambda b: _read(b, macros.table, _directions(words) if own else None))


def tables_at(manuscript: Manuscript, entry: Entry) -> tuple[Table, ...]:
    """The tables of an entry; one that is read from a file inside of a float has the float's caption and labels."""
    found = tables_of(entry.block, manuscript.macros, manuscript.words)
    if not found or entry.parent < 0 or not FLOAT.intersection(entry.stack):
        return found
    outer = manuscript.entries[entry.parent]
    floats = [table for table in tables_of(outer.block, manuscript.macros, manuscript.words) if table.labels]
    if len(floats) != 1 or any(table.labels or table.caption_text for table in found):
        return found
    caption, labels = floats[0].caption_text, floats[0].labels
    key = ("tables of a float", macro_key(entry.block, manuscript.macros), manuscript.words, caption, labels)
    return entry.block.remember(
        key, lambda _: tuple(replace(table, caption_text=caption, labels=labels) for table in found)
    )


def _may_hold_tables(block: Block) -> bool:
    return (
        not block.dead
        and may_hold_tables(block.text)
        and any(environment.begins for environment in block.lexed.environments)
    )


def _directions(words: Words) -> dict[str, Direction]:
    return dict.fromkeys(words.higher_is_better, Direction.HIGHER) | dict.fromkeys(
        words.lower_is_better, Direction.LOWER
    )


def _read(block: Block, table: Mapping[str, object], directions: Mapping[str, Direction] | None) -> tuple[Table, ...]:
    found = read_tables(block.text, table, directions=directions)  # type: ignore[arg-type]
    return tuple(item for item in found if item.environment != "array" and not block.lexed.masked(item.start))
