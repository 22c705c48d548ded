"""A block as rules read it: prose and sentences under the project's macros, computed once while neither changes."""

from collections.abc import Hashable

from analyzers.facts.macros import Macros
from analyzers.text.document import Block
from analyzers.text.prose import MacroView, Prose, prose
from analyzers.text.sentences import Sentence, sentences


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


def prose_of(block: Block, macros: Macros) -> Prose:
    """The prose of a block; what follows `\\end{document}` has none."""
    if block.dead:
        return _NO_PROSE
    return block.remember(("prose", macro_key(block, macros)), lambda b: prose(b.text, b.lexed, macro_view(macros)))


def sentences_of(block: Block, macros: Macros) -> tuple[Sentence, ...]:
    """The sentences of a block's prose."""
    return block.remember(("sentences", macro_key(block, macros)), lambda b: sentences(prose_of(b, macros)))
