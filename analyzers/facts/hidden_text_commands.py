"""Commands of one block that may hide text, and what they apply to."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact
from analyzers.text.document import Block
from analyzers.text.lex import Group, read_arguments, read_group


class Hiding(NamedTuple):
    """A command that may hide text.  `start` and `end` hold the text, relative to the block; `end` is -1 for a switch.

    `how` is color, opacity, size, phantom or off-page; `spec` and `model` are those of the colour, or the size as written.
    """

    how: str
    spec: str
    model: str
    start: int
    end: int


_UNITS = {
    "pt": 1.0, "bp": 1.004, "mm": 2.845, "cm": 28.45, "in": 72.27, "pc": 12.0, "dd": 1.07, "cc": 12.84, "sp": 1 / 65536, "ex": 4.3, "em": 10.0, "px": 1.0,
    "\\textwidth": 350.0, "\\linewidth": 350.0, "\\columnwidth": 240.0, "\\paperwidth": 600.0, "\\textheight": 600.0, "\\paperheight": 800.0,
}  # fmt: skip
_LENGTH = re.compile(
    r"\s*([-+]?)\s*(\d+(?:[.,]\d*)?|[.,]\d+)?\s*(?:true\s*)?(pt|bp|mm|cm|in|pc|dd|cc|sp|ex|em|px|\\[A-Za-z]+)?"
)
_OPACITY = re.compile(
    r"(?<![A-Za-z])(?<!fill )(?<!draw )(?<!stroke )(?:text )?opacity\s*=\s*\{?0*(?:0|\.0+|0\.0*)\}?(?=\s*[,\]])"
)
_SMALLEST = 2.0  # points; what is smaller cannot be read on paper, and on screen only by magnifying it
_OFF_PAGE = 700.0  # points: farther than any page is wide or high from its text
_SCALE = 0.15  # a tenth of the usual sizes is about one point
_SHIFTS = frozenset(
    ("hspace", "hspace*", "vspace", "vspace*", "hskip", "vskip", "kern", "moveleft", "moveright", "lower", "raise")
)
_NAMES = _SHIFTS | frozenset(
    "color textcolor fontsize transparent texttransparent phantom hphantom vphantom scalebox resizebox resizebox* raisebox put textpdfrender pdfrender".split()
)
TRIGGER = re.compile(
    r"color|transparent|fontsize|scalebox|resizebox|phantom|raisebox|pdfrender|[hv]s(?:pace|kip)|\\kern"
)
_NO_TEXT = re.compile(
    r"\\(?:includegraphics|input|begin\s*\{(?:tabular|tikz|array|axis|pgf|algorithm|lstlisting|overpic|picture))"
)
_BLOCK_AT = re.compile(r"\s*\{[^{}]*\}\s*(?:\[[^\[\]]*\]\s*)?\(\s*([^(),]+),\s*([^(),]+)\)")
_NO_WORDS = re.compile(r"(?:\\[A-Za-z@]+(?:\{[\d.]+[a-z]*\})*|[\s{}%])*")


@block_fact
def hiding(block: Block, macros: Macros) -> tuple[Hiding, ...]:
    """The commands of a block that may hide text."""
    return tuple(_hiding(block, macros))


def _hiding(block: Block, macros: Macros) -> list[Hiding]:
    text = block.text
    lexed = block.lexed
    found: list[Hiding] = []
    places = [(command.name, command.start) for command in lexed.commands if command.name in _NAMES]
    for name, at in lexed.names:
        if name in _NAMES:
            places.append((name, at))
        elif name in macros.table:
            found += _by_macro(text, macros, name, at)
    for name, at in places:
        found += _by_command(text, name, at + 1 + len(name), lexed.math)
    if "textblock*" in text:
        for environment in lexed.environments:
            match = (
                _BLOCK_AT.match(text, environment.end)
                if environment.name == "textblock*" and environment.begins
                else None
            )
            if match and any(abs(points(match[group]) or 0) >= _OFF_PAGE + 200 for group in (1, 2)):
                found.append(Hiding("off-page", f"{match[1]}, {match[2]}", "", match.end(), -1))
    if "opacity" in text:
        for match in _OPACITY.finditer(text):
            closing = text.find("]", match.end(), match.end() + 300)
            opening = text.find("{", closing, closing + 120) if closing >= 0 else -1
            group = read_group(text, opening) if opening >= 0 and ";" not in text[closing:opening] else None
            if (
                group is not None
                and not lexed.masked(match.start())
                and not text[: match.start()].rstrip("[ ").endswith("tikzpicture}")
            ):
                found.append(Hiding("opacity", "0", "", group.start, group.end))
    return found


def _by_command(text: str, name: str, position: int, math: tuple[tuple[int, int], ...]) -> Iterator[Hiding]:
    if name in ("color", "fontsize", "transparent"):
        groups, end = read_arguments(text, position, 2 if name == "fontsize" else 1)
        braced = [group for group in groups if group.opening == "{"]
        if braced:
            yield from _style(name, text, groups, braced[0], end, -1)
    elif name in ("textcolor", "texttransparent"):
        groups, _ = read_arguments(text, position, 2)
        braced = [group for group in groups if group.opening == "{"]
        if len(braced) == 2:
            yield from _style(name, text, groups, braced[0], braced[1].start, braced[1].end)
    elif name.endswith("phantom"):
        group = read_group(text, position)
        if group is not None and not any(start <= group.start < end for start, end in math):
            yield Hiding("phantom", name, "", group.start, group.end)
    elif name in ("textpdfrender", "pdfrender"):
        groups, end = read_arguments(text, position, 2 if name == "textpdfrender" else 1)
        if groups and re.search(r"Invisible|TextRenderingMode\s*=\s*3", text[groups[0].start : groups[0].end]):
            yield Hiding(
                "opacity",
                "invisible",
                "",
                groups[-1].start if len(groups) > 1 else end,
                groups[-1].end if len(groups) > 1 else -1,
            )
    elif name.startswith(("scalebox", "resizebox")):
        yield from _scaled(text, name, position)
    elif name == "raisebox":
        groups, _ = read_arguments(text, position, 2)
        braced = [group for group in groups if group.opening == "{"]
        if len(braced) == 2 and abs(points(text[braced[0].start : braced[0].end]) or 0) >= _OFF_PAGE:
            yield Hiding("off-page", text[braced[0].start : braced[0].end], "", braced[1].start, braced[1].end)
    elif name == "put":
        match = re.compile(r"\s*\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)").match(text, position)
        group = read_group(text, match.end()) if match else None
        if match and group and max(abs(_number(match[1])), abs(_number(match[2]))) >= 2000:
            yield Hiding("off-page", match[0].strip(), "", group.start, group.end)
    else:
        group = read_group(text, position) if name.startswith(("hspace", "vspace")) else None
        written = text[group.start : group.end] if group else text[position : position + 30]
        if abs(points(written) or 0) >= _OFF_PAGE:
            length = _LENGTH.match(written)
            end = group.end + 1 if group else position + (length.end() if length else 0)
            yield Hiding("off-page", (length[0] if length else written).strip(), "", end, -1)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _style(name: str, text: str, groups: tuple[Group, ...], first: Group, start: int, end: int) -> Iterator[Hiding]:
    value = text[first.start : first.end]
    if "color" in name:
        model = next((text[group.start : group.end] for group in groups if group.opening == "["), "")
        yield Hiding("color", value, model, start, end)
    elif name == "fontsize":
        size = points(value)
        if size is not None and 0 <= size < _SMALLEST:
            yield Hiding("size", value.strip(), "", start, end)
    elif re.fullmatch(r"\s*0*\.?0*[0-4]?\d?\s*", value) and _number(value.strip() or "1") < 0.05:
        yield Hiding("opacity", value.strip(), "", start, end)


def _scaled(text: str, name: str, position: int) -> Iterator[Hiding]:
    groups, _ = read_arguments(text, position, 2 if name == "scalebox" else 3)
    braced = [group for group in groups if group.opening == "{"]
    if len(braced) < (2 if name == "scalebox" else 3):
        return
    content = braced[-1]
    sizes = [text[group.start : group.end].strip() for group in braced[:-1]]
    if name == "scalebox":
        tiny = bool(re.fullmatch(r"\d*\.?\d+", sizes[0])) and float(sizes[0]) < _SCALE
    else:
        tiny = any((size := points(written)) is not None and 0 <= size < _SMALLEST for written in sizes)
        width, letters = points(sizes[0]), content.end - content.start
        # A letter of two points is about 0.8 points wide.
        tiny = tiny or (width is not None and letters > 8 and width / letters < 0.5)
    if tiny and not _NO_TEXT.search(text, content.start, content.end):
        yield Hiding("size", " × ".join(sizes), "", content.start, content.end)


def points(written: str) -> float | None:
    """A length in points; factors of page lengths are estimated, other registers and `!` (keep the ratio) are None."""
    match = _LENGTH.match(written)
    if match is None or not (match[2] or match[3]):
        return None
    unit = 1.0 if match[3] is None else _UNITS.get(match[3])
    if unit is None:
        return None
    value = _number((match[2] or "1").replace(",", "."))
    return -value * unit if match[1] == "-" else value * unit


@lru_cache(maxsize=2000)
def _hides(body: str) -> tuple[Hiding, ...]:
    """What a macro's body does to its argument, or to what follows."""
    if (
        TRIGGER.search(body) is None
        or len(body) > 2000
        or re.search(r"box\b|tikz|node|fill|cell|rule|tcb", body.replace("makebox", ""))
    ):
        return ()
    found: list[Hiding] = []
    for match in re.finditer(r"\\([A-Za-z]+)\*?", body):
        if match[1] in _NAMES and match[1] not in _SHIFTS:
            found += _by_command(body, match[1], match.end(), ())
    return tuple(found)


def _by_macro(text: str, macros: Macros, name: str, at: int) -> Iterator[Hiding]:
    macro = macros.table[name]
    for item in _hides(macro.body):
        if not macro.arity:
            # A switch in a body without arguments goes on behind the macro; text inside of the body is found at the definition.
            if item.end < 0 and _NO_WORDS.fullmatch(macro.body, item.start):
                yield item._replace(start=at + 1 + len(name), end=-1)
            continue
        inside = macro.body[item.start : item.end if item.end >= 0 else len(macro.body)]
        groups, _ = read_arguments(text, at + 1 + len(name), macro.arity)
        braced = [group for group in groups if group.opening == "{"]
        offset = 1 if macro.default is not None else 0
        for match in re.finditer(r"#(\d)", inside):
            index = int(match[1]) - 1 - offset
            if 0 <= index < len(braced):
                yield item._replace(start=braced[index].start, end=braced[index].end)
