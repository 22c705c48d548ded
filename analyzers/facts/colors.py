"""Colours: what the manuscript defines, and xcolor expressions as red, green and blue.

The expressions are those of the xcolor manual (section 2.3): `name`, `-name`, mixes `a!60!b!20!c`, and specifications of the models rgb, RGB,
HTML, gray, Gray, cmyk, cmy, hsb and wave-free named colours.  What cannot be read is None.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from analyzers.text.document import Block
from analyzers.text.lex import read_arguments

Rgb = tuple[float, float, float]

NAMED: Mapping[str, Rgb] = {
    "white": (1, 1, 1), "black": (0, 0, 0), "red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "cyan": (0, 1, 1), "magenta": (1, 0, 1),
    "yellow": (1, 1, 0), "gray": (0.5, 0.5, 0.5), "darkgray": (0.25, 0.25, 0.25), "lightgray": (0.75, 0.75, 0.75), "brown": (0.75, 0.5, 0.25),
    "lime": (0.75, 1, 0), "olive": (0.5, 0.5, 0), "orange": (1, 0.5, 0), "pink": (1, 0.75, 0.75), "purple": (0.75, 0, 0.25), "teal": (0, 0.5, 0.5),
    "violet": (0.5, 0, 0.5), "White": (1, 1, 1), "Black": (0, 0, 0), "Snow": (1, 0.98, 0.98), "Ivory": (1, 1, 0.94), "GhostWhite": (0.97, 0.97, 1),
    "WhiteSmoke": (0.96, 0.96, 0.96), "FloralWhite": (1, 0.98, 0.94), "MintCream": (0.96, 1, 0.98), "Azure": (0.94, 1, 1), "Gray": (0.5, 0.5, 0.5),
    "Red": (1, 0, 0), "Blue": (0, 0, 1), "Green": (0, 0.5, 0), "Navy": (0, 0, 0.5), "DarkBlue": (0, 0, 0.55),
}  # fmt: skip
_DEFINES = frozenset(
    (
        "definecolor",
        "providecolor",
        "xdefinecolor",
        "preparecolor",
        "DefineNamedColor",
        "colorlet",
        "pagecolor",
        "nopagecolor",
    )
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)")


class ColorFact(NamedTuple):
    """A definition (`command` is `definecolor` or `colorlet`) or a page colour; `model` is empty for an expression."""

    command: str
    name: str
    model: str
    spec: str


def color_facts(block: Block) -> tuple[ColorFact, ...]:
    """The colours that a block defines, and its `\\pagecolor`s."""
    if "color" not in block.text:
        return ()
    return block.remember("color facts", _color_facts)


def _color_facts(block: Block) -> tuple[ColorFact, ...]:
    text = block.text
    found: list[tuple[int, ColorFact]] = []
    places = [(command.name, command.start) for command in block.lexed.commands if command.name in _DEFINES]
    places += [(name, at) for name, at in block.lexed.names if name in _DEFINES]
    for name, at in places:
        if name == "nopagecolor":
            found.append((at, ColorFact("pagecolor", "", "", "white")))
            continue
        wanted = 1 if name == "pagecolor" else 2 if name == "colorlet" else 4 if name == "DefineNamedColor" else 3
        groups, _ = read_arguments(text, at + 1 + len(name), wanted)
        braced = [text[group.start : group.end].strip() for group in groups if group.opening == "{"]
        model = next((text[group.start : group.end].strip() for group in groups if group.opening == "["), "")
        if len(braced) < wanted:
            continue
        if name == "pagecolor":
            found.append((at, ColorFact("pagecolor", "", model, braced[0])))
        elif name == "colorlet":
            found.append((at, ColorFact("colorlet", braced[0], "", braced[1])))
        else:
            found.append((at, ColorFact("definecolor", *braced[-3:])))
    return tuple(fact for _, fact in sorted(found, key=lambda item: item[0]))


class Palette:
    """The colours of a manuscript by name; None for one that cannot be read."""

    __slots__ = ("colors",)

    def __init__(self, facts: list[ColorFact]) -> None:
        self.colors: dict[str, Rgb | None] = dict(NAMED)
        for fact in facts:
            if fact.command != "pagecolor":
                self.colors[fact.name] = self.color(fact.spec, fact.model)

    def is_page(self, color: Rgb, pages: Sequence[ColorFact]) -> bool:
        """True when text of this colour cannot be told from a page of any of these colours (white when there is none)."""
        grounds = [self.color(page.spec, page.model) for page in pages] or [(1.0, 1.0, 1.0)]
        return all(ground is not None and alike(color, ground) for ground in grounds)

    def color(self, spec: str, model: str = "") -> Rgb | None:
        """The colour of a specification in `model`, or of an expression when the model is empty or `named`."""
        spec = spec.strip().strip("{}").strip()
        if not model or model == "named":
            return self._mix(spec)
        return _in_model(spec, model.strip())

    def _mix(self, expression: str) -> Rgb | None:
        expression = re.sub(r"\s+", "", expression)
        if expression in self.colors:
            return self.colors[expression]
        if len(expression) > 200:
            return None
        negative = expression.startswith("-")
        parts = expression.lstrip("-").split("!")
        current = self.colors.get(parts[0])
        if current is None:
            return None
        for index in range(1, len(parts), 2):
            share = _NUMBER.fullmatch(parts[index])
            if share is None:
                return None if parts[index] else current
            name = parts[index + 1] if index + 1 < len(parts) and parts[index + 1] else "white"
            other = self.colors.get(name)
            if other is None:
                return None
            weight = min(max(float(share[0]) / 100, 0.0), 1.0)
            current = _blend(current, other, weight)
        return _blend((1, 1, 1), current, 0.0) if not negative else (1 - current[0], 1 - current[1], 1 - current[2])


def _blend(first: Rgb, second: Rgb, weight: float) -> Rgb:
    return (
        first[0] * weight + second[0] * (1 - weight),
        first[1] * weight + second[1] * (1 - weight),
        first[2] * weight + second[2] * (1 - weight),
    )


def _in_model(spec: str, model: str) -> Rgb | None:
    if model == "HTML":
        digits = spec.lstrip("#")
        if not re.fullmatch(r"[0-9A-Fa-f]{6}", digits):
            return None
        return (int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:], 16) / 255)
    values = [float(value) for value in _NUMBER.findall(spec)]
    if model == "gray" and len(values) == 1:
        return (values[0], values[0], values[0])
    if model == "Gray" and len(values) == 1:
        return (values[0] / 15, values[0] / 15, values[0] / 15)
    if model == "rgb" and len(values) == 3:
        return (values[0], values[1], values[2])
    if model == "RGB" and len(values) == 3:
        return (values[0] / 255, values[1] / 255, values[2] / 255)
    if model == "cmy" and len(values) == 3:
        return (1 - values[0], 1 - values[1], 1 - values[2])
    if model == "cmyk" and len(values) == 4:
        cyan, magenta, yellow, key = values
        return (1 - min(1, cyan + key), 1 - min(1, magenta + key), 1 - min(1, yellow + key))
    if model in ("hsb", "HSB") and len(values) == 3:
        scale = 240 if model == "HSB" else 1
        return _from_hsb(values[0] / scale, values[1] / scale, values[2] / scale)
    return None


def _from_hsb(hue: float, saturation: float, brightness: float) -> Rgb:
    sector = int(hue * 6) % 6
    rest = hue * 6 - int(hue * 6)
    low, falling, rising = (
        brightness * (1 - saturation),
        brightness * (1 - saturation * rest),
        brightness * (1 - saturation * (1 - rest)),
    )
    return (
        (brightness, rising, low),
        (falling, brightness, low),
        (low, brightness, rising),
        (low, falling, brightness),
        (rising, low, brightness),
        (brightness, low, falling),
    )[sector]


def alike(first: Rgb, second: Rgb) -> bool:
    """True when no reader can tell text of one colour from a background of the other."""
    return max(abs(one - other) for one, other in zip(first, second, strict=True)) <= 0.06
