"""What a place is printed on: the page, a coloured box, or a drawing whose ground is not known."""

import re

from analyzers.facts.macros import Macros
from analyzers.text.document import Block
from analyzers.text.environments import DRAWING, TABULAR
from analyzers.text.lex import read_arguments

# Their ground is drawn, so text of any colour may be legible on it.
_DRAWN = DRAWING | frozenset(
    "overpic tcolorbox mdframed shaded shaded* snugshade snugshade* beamercolorbox frame titlepage picture tikzfigure colorblock notebox boxedminipage psfrags"
    " block exampleblock alertblock scope pgfonlayer framed leftbar tabu overlayarea".split()
)
_TABLE_COLOR = re.compile(r"\\(?:cellcolor|rowcolors?|columncolor|arraycolor|SetRow|SetCell|SetColumn)\b|\bbg\s*=")
_BOXES = re.compile(
    r"box|node|cell|tag|badge|label|todo|hl|highlight|banner|header|chip|pill|tikz|shade|adjust|shipout|background|cover|wallpaper|titling",
    re.IGNORECASE,
)
_FILLS = re.compile(r"box|fill|tikz|node|rule|cell", re.IGNORECASE)
_PLAIN_BOXES = frozenset(
    "mbox fbox hbox makebox framebox parbox raisebox scalebox resizebox vbox rotatebox adjustbox label hlabel".split()
)
_OPENING = re.compile(r"\\([A-Za-z@]+)\*?\s*(?:\[[^\[\]]*\]\s*|\{[^{}]*\}\s*|\([^()]*\)\s*)*$")
_DEEPEST = 40
_BRACE = re.compile(r"\\[\s\S]|[{}]|%[^\r\n]*")


def enclosing_commands(text: str, offset: int) -> list[tuple[str, int]]:
    """The commands in whose arguments an offset stands, outermost first, with where they start; a bare group has an empty name."""
    stack: list[int] = []
    for match in _BRACE.finditer(text, 0, offset):
        if match[0] == "{":
            stack.append(match.start())
        elif match[0] == "}" and stack:
            stack.pop()
    found: list[tuple[str, int]] = []
    # Nobody nests boxes this deep; what is left open without end must not cost quadratic time.
    for at in stack[-_DEEPEST:]:
        opening = _OPENING.search(text, max(at - 300, 0), at)
        found.append((opening[1], opening.start()) if opening else ("", at))
    return found


def _colors_cells(block: Block, macros: Macros) -> bool:
    """True when a macro used in the block colours cells or rows."""
    return any(name in macros.table and _TABLE_COLOR.search(macros.table[name].body) for name, _ in block.lexed.names)


def ground_at(block: Block, offset: int, outer: tuple[str, ...], macros: Macros) -> str | None:
    """The colour expression of the box around an offset, an empty string for the page, None when the ground is not known."""
    text = block.text
    environments = [*outer, *block.stack]
    opened = {}
    for environment in block.lexed.environments:
        if environment.start >= offset:
            break
        if environment.begins:
            environments.append(environment.name)
            opened[environment.name] = environment.start
        elif environment.name in environments:
            del environments[len(environments) - 1 - environments[::-1].index(environment.name)]
    if any(name in _DRAWN or _BOXES.search(name) for name in environments if name not in TABULAR):
        return None
    if any(name in TABULAR for name in environments) and (_TABLE_COLOR.search(text) or _colors_cells(block, macros)):
        return None
    ground = ""
    for name, at in enclosing_commands(text, offset):
        if name in ("colorbox", "fcolorbox"):
            groups, _ = read_arguments(text, at + 1 + len(name), 3 if name == "fcolorbox" else 2)
            braced = [group for group in groups if group.opening == "{"]
            if len(braced) < 2 or any(group.opening == "[" for group in groups):
                return None
            ground = text[braced[-2].start : braced[-2].end]
        elif name in ("textcolor", "color") or not name or name in _PLAIN_BOXES:
            continue
        elif name in macros.table:
            if _FILLS.search(macros.table[name].body):
                return None
        elif _BOXES.search(name):
            return None
    return ground
