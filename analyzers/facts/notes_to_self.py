"""Notes the authors left for themselves: `\\todo{...}` and its kin, and TODO, FIXME, XXX or TBD in the text."""

import re
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quoted import in_quotes, is_code
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block
from analyzers.text.lex import read_arguments


class NoteToSelf(NamedTuple):
    """A note; places are relative to the block.  `package` is the package that could
    switch it off, `CHECKLIST`, or empty."""

    start: int
    end: int
    text: str
    package: str


# The open answers of a checklist (`\\answerTODO{}`), which are many.
CHECKLIST = "checklist"
_COMMANDS = {
    "todo": "todonotes", "todoin": "todonotes", "missingfigure": "todonotes", "TODO": "", "Todo": "", "fixme": "fixme", "FIXME": "", "fxnote": "fixme",
    "fxwarning": "fixme", "fxerror": "fixme", "fxfatal": "fixme", "XXX": "", "tbd": "", "TBD": "",
}  # fmt: skip
_WORD = re.compile(
    r"(?<![\w.\-/@])(?:TODO|FIXME|XXX)(?![\w\-/])(?!\s+(?:comments?|items?|lists?|tags?|markers?|labels?|annotations?|notes?)\b)|[\[(]\s*TB[DA]\s*[\])]"
)
_ARTICLE = re.compile(r"\b(?:an?|the|these|such|of|as|with|arXiv|volume|chapter|type)\s+$", re.IGNORECASE)


@block_fact
def notes_to_self(block: Block, macros: Macros) -> tuple[NoteToSelf, ...]:
    """The notes of a block that print, or that only a package option keeps from printing."""
    return tuple(_notes(block, macros))


def _notes(block: Block, macros: Macros) -> list[NoteToSelf]:
    text = block.text
    found: list[NoteToSelf] = []
    for name, at in block.lexed.names:
        if name not in _COMMANDS:
            if name.endswith("TODO") and len(name) > 4:
                found.append(NoteToSelf(at, at + 1 + len(name), name, CHECKLIST))
            continue
        macro = macros.table.get(name)
        if macro is not None and macro.arity and not re.search(r"#\d", macro.body):
            continue  # defined to print nothing
        if macro is not None and not macro.body.strip():
            continue
        groups, end = read_arguments(text, at + 1 + len(name), 0 if macro is not None and not macro.arity else 1)
        content = " ".join(text[groups[-1].start : groups[-1].end].split()) if groups else ""
        found.append(NoteToSelf(at, end, content, "" if macro is not None else _COMMANDS[name]))
    if "TODO" not in text and "FIXME" not in text and "XXX" not in text and "TB" not in text:
        return found
    prose = prose_of(block, macros)
    for match in _WORD.finditer(prose.text):
        start, end = prose.source(match.start(), match.end())
        if _ARTICLE.search(prose.text[max(match.start() - 16, 0) : match.start()]) or in_quotes(
            prose.text, match.start()
        ):
            continue
        if block.lexed.masked(start) or is_code(block, start) or any(note.start <= start < note.end for note in found):
            continue
        if (
            "TODO" not in text[start:end]
            and "FIXME" not in text[start:end]
            and "XXX" not in text[start:end]
            and "TB" not in text[start:end]
        ):
            continue
        found.append(NoteToSelf(start, end, "", ""))
    return sorted(found)
