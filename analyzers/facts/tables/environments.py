"""Where tables and floats begin and end, and which caption and label belongs to which table."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace

from analyzers.facts.tables.macros import Macros
from analyzers.facts.tables.masks import bracket_end, group_end, skip_blanks
from analyzers.facts.tables.model import Table
from analyzers.facts.tables.render import Renderer
from analyzers.text.environments import TABULAR

DELUXE = frozenset(("deluxetable", "deluxetable*", "splitdeluxetable", "splitdeluxetable*"))
ENVIRONMENTS = TABULAR | {"array", "tabu*", "longtable*"} | DELUXE
_FLOATS = (
    frozenset(
        (
            "table",
            "table*",
            "subtable",
            "subfigure",
            "figure",
            "figure*",
            "sidewaystable",
            "sidewaystable*",
            "wraptable",
            "wrapfigure",
            "margintable",
            "minipage",
            "SCtable",
            "longtable",
            "longtable*",
            "xltabular",
            "longtblr",
            "talltblr",
            "supertabular",
            "floatingtable",
            "tableap",
            "tabular-outer",
        )
    )
    | DELUXE
)
TABLE_FLOATS = frozenset(("table", "table*", "sidewaystable", "sidewaystable*", "wraptable", "subtable"))
_PARTS = ("tab", "tblr", "Tab")
# Every name of an environment that is read holds one of these.
_PARTS_OF_NAMES = (
    *_PARTS,
    *sorted(name for name in ENVIRONMENTS | TABLE_FLOATS if not any(part in name for part in _PARTS)),
)
_DELIMITER = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}")
_CAPTION = re.compile(
    r"\\(?:caption|captionof|tablecaption|topcaption|bottomcaption|subcaption|tabcaption)\*?(?![A-Za-z])"
)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_OPTION = re.compile(r"\b(caption|label)\s*=\s*\{([^{}]*)\}")


@dataclass(slots=True)
class Environment:
    """An environment found in the source: from `\\begin` to behind `\\end`, with its place in the nesting."""

    name: str
    start: int
    inner: int
    parent: int
    end: int = -1
    inner_end: int = -1
    captions: list[tuple[int, int]] = field(default_factory=list)
    labels: list[tuple[int, int]] = field(default_factory=list)
    tables: int = 0


def may_hold_tables(source: str) -> bool:
    """False when no table and no float for one can begin in a piece of source: a quick look, which most pieces end with."""
    return "\\begin" in source and any(part in source for part in _PARTS_OF_NAMES)


def find_environments(source: str) -> list[Environment]:
    """Tables and floats with their nesting; what is left open at the end of the source stays open."""
    found: list[Environment] = []
    stack: list[int] = []
    for match in _DELIMITER.finditer(source):
        name = match[2]
        if name not in ENVIRONMENTS and name not in _FLOATS:
            continue
        if match[1] == "begin":
            found.append(Environment(name, match.start(), match.end(), stack[-1] if stack else -1))
            stack.append(len(found) - 1)
            continue
        for depth in range(len(stack) - 1, max(-1, len(stack) - 12), -1):
            if found[stack[depth]].name == name:
                found[stack[depth]].end, found[stack[depth]].inner_end = match.end(), match.start()
                del stack[depth:]
                break
    for environment in found:
        if environment.name in ENVIRONMENTS:
            parent = environment.parent
            for _ in range(12):
                if parent < 0:
                    break
                found[parent].tables += 1
                parent = found[parent].parent
    return found


def is_wanted(environments: list[Environment], index: int, source: str) -> bool:
    """Tables inside a cell are part of that cell, unless they are grids of their own; bare arrays are formulas."""
    environment = environments[index]
    end = environment.inner_end if environment.inner_end >= 0 else len(source)
    parent = environment.parent
    while parent >= 0:
        if environments[parent].name in ENVIRONMENTS:
            return "&" in source[environment.inner : min(end, environment.inner + 4000)].replace("\\&", "")
        parent = environments[parent].parent
    if environment.name == "array":
        text = source[environment.inner : end]
        return "rule" in text or "\\hline" in text
    return True


def assign_captions(source: str, environments: list[Environment]) -> None:
    """Give each caption and label to the innermost float around it."""
    if not environments:
        return
    starts = [environment.start for environment in environments]
    for pattern, is_caption in ((_CAPTION, True), (_LABEL, False)):
        for match in pattern.finditer(source):
            index = bisect_right(starts, match.start()) - 1
            while index >= 0:
                environment = environments[index]
                end = environment.end if environment.end >= 0 else len(source)
                if environment.name in _FLOATS and environment.start <= match.start() < end:
                    break
                index = (
                    environment.parent
                    if not environment.start <= match.start() < end or environment.name not in _FLOATS
                    else -1
                )
            if index < 0:
                continue
            if not is_caption:
                environments[index].labels.append((match.start(1), match.end(1)))
                continue
            span = _caption_argument(source, match)
            if span is not None:
                environments[index].captions.append(span)


def _caption_argument(source: str, match: re.Match[str]) -> tuple[int, int] | None:
    position = match.end()
    limit = len(source)
    if match[0].startswith("\\captionof"):
        position = skip_blanks(source, position, limit)
        position = group_end(source, position, limit) or position
    position = skip_blanks(source, position, limit)
    if source[position : position + 1] == "[":
        position = skip_blanks(source, bracket_end(source, position, limit) or position, limit)
    if source[position : position + 1] != "{":
        return None
    end = group_end(source, position, limit)
    return (position + 1, end - 1) if end is not None else None


def with_caption(source: str, environments: list[Environment], index: int, table: Table, macros: Macros) -> Table:
    """Find the captions and labels of the floats around a table, the innermost first."""
    captions: list[tuple[int, int]] = []
    labels: list[tuple[int, int]] = []
    current = index
    for _ in range(12):
        if current < 0:
            break
        environment = environments[current]
        if environment.captions:
            chosen = _own(environments, current, index, len(environment.captions))
            captions.append(environment.captions[min(chosen, len(environment.captions) - 1)])
            if environment.labels:
                labels.append(environment.labels[min(chosen, len(environment.labels) - 1)])
        elif environment.labels:
            labels.append(environment.labels[0])
        current = environment.parent
    renderer = Renderer(source, macros)
    texts = [" ".join(renderer.render(*span).text.split()) for span in captions]
    keys = tuple(re.sub(r"\s+", " ", source[start:end]).strip() for start, end in labels)
    return replace(
        table,
        caption=captions[0] if captions else None,
        caption_text=texts[0] if texts else "",
        label=labels[0] if labels else None,
        label_key=keys[0] if keys else None,
        labels=keys,
        outer_caption=texts[1] if len(texts) > 1 else "",
    )


def _own(environments: list[Environment], around: int, index: int, captions: int) -> int:
    """Several captions and as many tables in one float belong together in order; else the first caption counts."""
    if captions < 2:
        return 0
    inside = [
        other
        for other in range(around + 1, len(environments))
        if environments[other].name in ENVIRONMENTS and environments[other].parent == environments[index].parent
    ]
    return inside.index(index) if len(inside) == captions and index in inside else 0


def with_options(source: str, table: Table, options: tuple[int, int], macros: Macros) -> Table:
    """The caption and the label that tabularray takes as options."""
    caption, label = table.caption, table.label
    text, key = table.caption_text, table.label_key
    for match in _OPTION.finditer(source, *options):
        if match[1] == "caption":
            caption = match.span(2)
            text = " ".join(Renderer(source, macros).render(*caption).text.split())
        else:
            label = match.span(2)
            key = match[2].strip()
    labels = table.labels if key is None or key in table.labels else (key, *table.labels)
    return replace(table, caption=caption, caption_text=text, label=label, label_key=key, labels=labels)
