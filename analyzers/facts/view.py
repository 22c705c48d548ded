"""A block as rules read it: prose and sentences under the project's macros, computed once while neither changes."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

from analyzers.facts.macros import Macros
from analyzers.text.document import Block
from analyzers.text.prose import MacroView, Prose, prose
from analyzers.text.sentences import Sentence, sentences

T = TypeVar("T")


def macro_key(block: Block, macros: Macros) -> Hashable:
    """What the block's reading depends on: the definitions of the macros that it uses.

    Facts that depend on macros are remembered under this key, so that editing a macro re-reads its uses only.
    """
    known = block.memo.get("macro key")
    if known is not None and known[0] is macros:
        return known[1]  # type: ignore[no-any-return]
    names = used_names(block)
    key = tuple((name, macros.signature(name)) for name in sorted(names & macros.table.keys())) if names else ()
    block.memo["macro key"] = (macros, key)
    return key


def facts_of(block: Block, macros: Macros) -> dict[Hashable, Any]:
    """What is known of a block under these macros; one dictionary for every table of macros that reads it in the same way."""
    known = block.reading
    if known is not None and known[0] is macros:
        return known[1]
    facts: dict[Hashable, Any] = block.memo.setdefault(("facts", macro_key(block, macros)), {})
    block.reading = (macros, facts)
    return facts


def block_fact(compute: Callable[[Block, Macros], T]) -> Callable[[Block, Macros], T]:
    """Makes a function of a block and its macros that computes once for each reading of a block.

    A paper asks for some fifty facts of each block again and again, so that asking has to cost next to nothing.
    """

    @wraps(compute)
    def fact(block: Block, macros: Macros) -> T:
        known = block.reading
        facts = known[1] if known is not None and known[0] is macros else facts_of(block, macros)
        try:
            value: T = facts[compute]
        except KeyError:
            value = facts[compute] = compute(block, macros)
        return value

    return fact


def block_fact_by_language(compute: Callable[[Block, Macros, str], T]) -> Callable[[Block, Macros, str], T]:
    """As `block_fact`, for what depends on the language of the manuscript as well."""

    @wraps(compute)
    def fact(block: Block, macros: Macros, language: str) -> T:
        known = block.reading
        facts = known[1] if known is not None and known[0] is macros else facts_of(block, macros)
        try:
            value: T = facts[compute, language]
        except KeyError:
            value = facts[compute, language] = compute(block, macros, language)
        return value

    return fact


def used_names(block: Block) -> frozenset[str]:
    """The names of all commands of a block, without stars."""
    return block.remember("names", _names)


def _names(block: Block) -> frozenset[str]:
    return frozenset(
        [name.rstrip("*") for name, _ in block.lexed.names]
        + [command.name.rstrip("*") for command in block.lexed.commands]
    )


def macro_view(macros: Macros) -> MacroView:
    """What prose needs to know of `macros`."""
    if macros.view is None:
        # The view holds the table, not `macros`, which keeps the view.
        table = macros.table
        macros.view = MacroView(
            macros.expansion,
            frozenset(macros.citing),
            frozenset(macros.referencing),
            frozenset(macros.labelling),
            lambda name: (table[name].arity, table[name].body) if name in table else None,
            macros.silent,
        )
    return macros.view


_NO_PROSE = Prose("", (), ())


@block_fact
def prose_of(block: Block, macros: Macros) -> Prose:
    """The prose of a block; what follows `\\end{document}` has none."""
    return _NO_PROSE if block.dead else prose(block.text, block.lexed, macro_view(macros))


@block_fact
def sentences_of(block: Block, macros: Macros) -> tuple[Sentence, ...]:
    """The sentences of a block's prose."""
    return sentences(prose_of(block, macros))
