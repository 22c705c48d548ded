"""Whether a place quotes something instead of saying it: quotation marks, code, emphasis, floats and environments for quotations."""

import re

from analyzers.facts.hidden_text_ground import enclosing_commands
from analyzers.text.document import Block
from analyzers.text.lex import MaskKind

_COMMANDS = frozenset(
    "texttt verb lstinline code enquote textquote blockquote emph textit textsl textsf uline underline url path href caption footnotesize mintinline prompt"
    " todo textquotedbl say title section subsection subsubsection paragraph sout st foreignlanguage".split()
)
_CODE = frozenset(
    "texttt verb lstinline code url path href mintinline enquote textquote foreignlanguage lstinputlisting input include includegraphics".split()
)
_ENVIRONMENTS = re.compile(
    r"quot|verbatim|prompt|listing|box|example|figure|table|tabular|tikz|chat|dialog|algorithm|frame|verse|code|minted|bibliography|axis|itemize|transcript",
    re.IGNORECASE,
)
_QUOTATIONS = re.compile(
    r"quot|verbatim|prompt|listing|box|chat|dialog|verse|code|minted|bibliography|transcript", re.IGNORECASE
)
_OPEN = "“„«‹「『《‘"
_CLOSE = "”»›」』》’"


def in_quotes(text: str, at: int) -> bool:
    """True when a quotation is open at an offset of a text, or opens right before it."""
    before = text[max(at - 400, 0) : at].rsplit("\n\n", 1)[-1]
    opened = max(before.rfind(character) for character in _OPEN)
    closed = max(before.rfind(character) for character in _CLOSE)
    if opened > closed or before.rfind("``") > before.rfind("''"):
        return True
    if before.count('"') % 2 == 1:
        return True
    tail = before.rstrip()
    return tail.endswith(("`", "'", '"')) and not tail.endswith(("s'", "''"))


def is_quoting(block: Block, at: int) -> bool:
    """True when an offset of a block stands in code, emphasis, a heading, a float or an environment that may hold examples."""
    environments = _environments(block, at)
    if any(_ENVIRONMENTS.search(name) for name in environments):
        return True
    return any(name in _COMMANDS for name, _ in enclosing_commands(block.text, at))


def is_code(block: Block, at: int) -> bool:
    """True when an offset of a block stands in code, an address or an environment for quotations; emphasis and floats count as text."""
    if any(mask.start <= at < mask.end and mask.kind is MaskKind.VERBATIM for mask in block.lexed.masks):
        return True
    if any(_QUOTATIONS.search(name) for name in _environments(block, at)):
        return True
    return any(name in _CODE for name, _ in enclosing_commands(block.text, at))


def _environments(block: Block, at: int) -> list[str]:
    found = list(block.stack)
    for environment in block.lexed.environments:
        if environment.start >= at:
            break
        if environment.begins:
            found.append(environment.name)
        elif environment.name in found:
            found.remove(environment.name)
    return found
