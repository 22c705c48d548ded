"""Floats of one block: figures, tables, algorithms and listings with their labels and captions."""

from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.references import Label, labels
from analyzers.facts.view import block_fact
from analyzers.text.document import Block

_KINDS = {
    "figure": "figure", "wrapfigure": "figure", "sidewaysfigure": "figure", "SCfigure": "figure", "floatingfigure": "figure", "marginfigure": "figure",
    "figurehere": "figure", "teaserfigure": "figure", "table": "table", "wraptable": "table", "sidewaystable": "table", "SCtable": "table",
    "deluxetable": "table", "margintable": "table", "tablehere": "table", "longtable": "table", "longtblr": "table", "talltblr": "table",
    "longtabu": "table", "xltabular": "table", "supertabular": "table", "mpsupertabular": "table", "algorithm": "algorithm", "algorithm2e": "algorithm",
    "listing": "listing",
}  # fmt: skip
# Tables that are floats of their own only when a caption says so.
_NEEDS_CAPTION = frozenset(
    ("longtable", "longtblr", "talltblr", "longtabu", "xltabular", "supertabular", "mpsupertabular")
)
_CAPTIONS = frozenset(
    ("caption", "captionof", "tablecaption", "topcaption", "bottomcaption", "tabcaption", "figcaption")
)
_PARTS = ("subfigure", "subtable", "subfloat", "minipage")


class Float(NamedTuple):
    """A float; `start` and `end` hold it with its `\\begin` and `\\end`, `head_end` is behind `\\begin{...}`.

    `labels` are those of the whole float, `part_labels` those of its subfigures.  `captions` counts its numbered captions.
    """

    kind: str
    start: int
    end: int
    head_end: int
    labels: tuple[Label, ...]
    part_labels: tuple[Label, ...]
    captions: int


@block_fact
def floats(block: Block, macros: Macros) -> tuple[Float, ...]:
    """The floats that begin and end in the block; one that is left open gives nothing."""
    if not block.lexed.environments:
        return ()
    return tuple(_floats(block, macros))


def _floats(block: Block, macros: Macros) -> list[Float]:
    found: list[Float] = []
    opened: list[tuple[str, int, int]] = []
    for environment in block.lexed.environments:
        name = environment.name.rstrip("*")
        if name not in _KINDS:
            continue
        if environment.begins:
            opened.append((environment.name, environment.start, environment.end))
        elif opened and opened[-1][0] == environment.name:
            _, start, head_end = opened.pop()
            if not opened or all(other in _NEEDS_CAPTION for other, _, _ in opened):
                item = _float(block, macros, name, start, environment.end, head_end)
                if item is not None:
                    found.append(item)
    return found


def _float(block: Block, macros: Macros, name: str, start: int, end: int, head_end: int) -> Float | None:
    captions = [c.start for c in block.lexed.commands if start < c.start < end and c.name in _CAPTIONS]
    captions += [at for other, at in block.lexed.names if start < at < end and other in _CAPTIONS]
    if name in _NEEDS_CAPTION and not captions:
        return None
    inside = [label for label in labels(block, macros) if start < label.start < end]
    parts = [
        label for label in inside if label.environment.startswith(_PARTS) or _in_subfloat(block, label.start, start)
    ]
    whole = [label for label in inside if label not in parts]
    return Float(_KINDS[name], start, end, head_end, tuple(whole), tuple(parts), len(captions))


def _in_subfloat(block: Block, offset: int, start: int) -> bool:
    """True for a label in the arguments of `\\subfloat[caption\\label{x}]{...}` and its kin."""
    for command in block.lexed.commands:
        if command.name in ("subfloat", "subcaptionbox", "subcaption") and start < command.start < offset:
            end = command.end if command.name != "subfloat" else command.end + 1
            if offset < end or any(group.start <= offset <= group.end for group in command.groups):
                return True
    return any(
        name in ("subfloat", "subfigure", "subtable")
        and start < at < offset
        and block.text.count("{", at, offset) > block.text.count("}", at, offset)
        for name, at in block.lexed.names
    )
