"""Words that macros of unknown meaning may turn into labels."""

import re

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact
from analyzers.project.manuscript import Manuscript
from analyzers.text.commands import REF
from analyzers.text.document import Block

_CALL = re.compile(r"\\([A-Za-z@]+)\*?[ \t]*((?:\[[^\[\]]*\]|\{[^{}]*\})+)")
_ARGUMENT = re.compile(r"\{([^{}]*)\}")
_EQUALS = re.compile(r"label\s*=\s*\{?([^,{}\[\]]+)")
_SPACE = re.compile(r"\s+")
# Their arguments never make labels, however the document defines other macros.
_PLAIN = frozenset(
    "label emph textbf textit texttt text cite citep citet footnote section subsection mathrm mathbf".split()
)


@block_fact
def mentions(block: Block, macros: Macros) -> frozenset[str]:
    """What stands in the arguments of macros and environments of unknown meaning: any of it may be made into a label."""
    return frozenset(_mentions(block, macros))


def _mentions(block: Block, macros: Macros) -> list[str]:
    found: list[str] = []
    for match in _CALL.finditer(block.text):
        name = match[1]
        if (
            name in _PLAIN
            or name in macros.referencing
            or name in macros.citing
            or (name in REF and name not in macros.table)
        ):
            continue
        arguments = _ARGUMENT.findall(match[2])
        for argument in arguments[1:] if name == "begin" else arguments:
            if len(argument) <= 200:
                found += (_SPACE.sub(" ", part).strip() for part in argument.split(","))
        found += (part.strip() for part in _EQUALS.findall(match[2]))
    return found


def may_be_defined(key: str, mentioned: frozenset[str]) -> bool:
    """True when the key, or what follows its first colon (as box and theorem packages build keys), is in `mentioned`."""
    return key in mentioned or (":" in key and key.split(":", 1)[1] in mentioned)


def all_mentions(manuscript: Manuscript) -> frozenset[str]:
    """The mentions of every block of the manuscript."""
    return frozenset().union(
        *(mentions(entry.block, manuscript.macros) for entry in manuscript.entries if not entry.block.dead)
    )
