"""Text that a reader of the PDF cannot see: its colour is that of the page, it is transparent, tiny, a phantom or off the page.

Two steps.  `hiding` finds, per block, the commands that may hide text and what they apply to.  `hidden_texts` works out with the
manuscript's colours what is really hidden, follows switches such as `\\color{white}` to the end of their group, and leaves out what
is drawn on a coloured ground.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from analyzers.facts.colors import ColorFact, Palette, alike, color_facts
from analyzers.facts.hidden_text_ground import ground_at
from analyzers.facts.macros import Macros, macros_of
from analyzers.facts.view import macro_key
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.environments import TABULAR
from analyzers.text.lex import Group, lex, read_arguments, read_group
from analyzers.text.prose import prose
from analyzers.text.spans import Span


class Hiding(NamedTuple):
    """A command that may hide text.  `start` and `end` hold the text, relative to the block; `end` is -1 for a switch.

    `how` is color, opacity, size, phantom or off-page; `spec` and `model` are those of the colour, or the size as written.
    """

    how: str
    spec: str
    model: str
    start: int
    end: int


class HiddenText(NamedTuple):
    """A stretch of text that is not visible; `how` as in `Hiding`, `detail` as written (`white`, `0.1pt`)."""

    span: Span
    how: str
    detail: str


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
_TRIGGER = re.compile(
    r"color|transparent|fontsize|scalebox|resizebox|phantom|raisebox|pdfrender|[hv]s(?:pace|kip)|\\kern"
)
_NO_TEXT = re.compile(
    r"\\(?:includegraphics|input|begin\s*\{(?:tabular|tikz|array|axis|pgf|algorithm|lstlisting|overpic|picture))"
)
_GROUP_TOKEN = re.compile(
    r"\\(?:(color|normalcolor|fontsize|normalsize|footnotesize|scriptsize|small|large|Large|transparent)(?![A-Za-z])|(begin|end)\s*\{|(begingroup|bgroup|endgroup|egroup)(?![A-Za-z])|[\s\S])|[{}&]|%[^\r\n]*"
)
_BLOCK_AT = re.compile(r"\s*\{[^{}]*\}\s*(?:\[[^\[\]]*\]\s*)?\(\s*([^(),]+),\s*([^(),]+)\)")
_NO_WORDS = re.compile(r"(?:\\[A-Za-z@]+(?:\{[\d.]+[a-z]*\})*|[\s{}%])*")
_REACH = 20_000


def hiding(block: Block, macros: Macros) -> tuple[Hiding, ...]:
    """The commands of a block that may hide text."""
    return block.remember(("hiding", macro_key(block, macros)), lambda b: tuple(_hiding(b, macros)))


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
        _TRIGGER.search(body) is None
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


# Several checks ask about the same manuscript.
_KNOWN: "WeakKeyDictionary[Manuscript, tuple[HiddenText, ...]]" = WeakKeyDictionary()


def hidden_texts(manuscript: Manuscript) -> tuple[HiddenText, ...]:
    """The hidden stretches of text of the body (and of macro definitions), with at least three words, four for phantoms and shifts."""
    known = _KNOWN.get(manuscript)
    if known is None:
        known = _KNOWN[manuscript] = tuple(_hidden_texts(manuscript))
    return known


def _hidden_texts(manuscript: Manuscript) -> list[HiddenText]:
    candidates: list[tuple[Entry, Hiding, Block, int]] = []
    facts: list[ColorFact] = []
    for entry in manuscript.entries:
        if entry.block.dead:
            continue
        facts += color_facts(entry.block)
        # In the preamble (a title, a page head) only what is set in braces: a switch there is part of some definition.
        candidates += (
            (entry, item, entry.block, 0)
            for item in hiding(entry.block, manuscript.macros)
            if not entry.preamble or item.end >= 0
        )
        for body, start in entry.block.remember("hiding bodies", _bodies):
            candidates += (
                (entry, item, body, start)
                for item in hiding(body, manuscript.macros)
                if item.end >= 0 and "#" not in body.text
            )
    if not candidates:
        return []
    palette = Palette(facts)
    drawn = "beamer" in manuscript.document_class or "poster" in manuscript.document_class
    found: list[HiddenText] = []
    for entry, item, block, base in candidates:
        text = manuscript.files[entry.path].text if entry.path in manuscript.files else ""
        if item.how in ("color", "opacity") and (
            drawn or not _invisible(item, block, palette, entry, manuscript.macros)
        ):
            continue
        start = entry.start + base + item.start
        end = (
            entry.start + base + item.end
            if item.end >= 0
            else _group_end(text, start, item.how, _in_table(block, item.start))
        )
        start, end = _trimmed(text, start, end)
        span = Span(entry.path, start, end)
        if start < end and word_count(text[start:end]) >= (3 if item.how in ("color", "opacity", "size") else 4):
            found.append(HiddenText(span, item.how, item.spec))
    return _outermost(found)


def _bodies(block: Block) -> tuple[tuple[Block, int], ...]:
    """The bodies of the block's macros that may hide text of their own, as blocks, and where they start."""
    return tuple(
        (Block(macro.body, (), 0), macro.body_start)
        for macro in macros_of(block)
        if _TRIGGER.search(macro.body) and " " in macro.body
    )


def _invisible(item: Hiding, block: Block, palette: Palette, entry: Entry, macros: Macros) -> bool:
    if item.how == "opacity":
        return True
    spec = macros.expansion(item.spec.strip()[1:]) if item.spec.strip().startswith("\\") else item.spec
    color = palette.color(spec, item.model) if spec else None
    # The ground is looked at last: revised papers colour hundreds of passages.
    if color is None or not (palette.is_page(color) or "box" in block.text):
        return False
    ground = ground_at(block, item.start, entry.stack, macros)
    if ground is None:
        return False
    if not ground:
        return palette.is_page(color)
    background = palette.color(ground)
    return background is not None and alike(color, background)


def _in_table(block: Block, offset: int) -> bool:
    """True when an offset stands in a table, whose cells end the reach of a switch."""
    opened = sum(1 if e.begins else -1 for e in block.lexed.environments if e.name in TABULAR and e.start < offset)
    return opened > 0 or any(name in TABULAR for name in block.stack)


def _group_end(text: str, start: int, how: str, in_table: bool) -> int:
    """Where a switch stops: at the end of its group, cell or environment, or at the next switch of its kind."""
    depth = environments = 0
    limit = min(len(text), start + _REACH)
    for match in _GROUP_TOKEN.finditer(text, start, limit):
        token = match[0]
        if in_table and depth == 0 and token in ("&", "\\\\"):
            return match.start()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                return match.start()
        elif match[2] == "begin":
            environments += 1
            depth += 1
        elif match[2] == "end":
            environments -= 1
            depth += 1
            if environments < 0:
                return match.start()
        elif match[3]:
            depth += 1 if match[3].startswith("b") else -1
            if depth < 0:
                return match.start()
        elif match[1] and depth == 0:
            kind = "color" if "color" in match[1] else "opacity" if match[1] == "transparent" else "size"
            if kind == how:
                return match.start()
    return limit


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    selected = re.compile(r"\s*(?:\\selectfont(?![A-Za-z])\s*|\\(?:noindent|bfseries|itshape)(?![A-Za-z])\s*)*").match(
        text, start, end
    )
    start = selected.end() if selected else start
    while end > start and text[end - 1].isspace():
        end -= 1
    if text.startswith("{", start) and (group := read_group(text, start)) is not None and group.end == end - 1:
        return _trimmed(text, group.start, group.end)
    return start, end


def word_count(source: str) -> float:
    """How many words a reader would see in a piece of source; two CJK characters count as one word."""
    source = source[:4000]
    text = prose(source, lex(source)).text
    words = re.findall(r"[^\W\d_]{2,}|\b[aAI]\b", text)
    characters = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text))
    latin = sum(1 for word in words if not re.match(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", word))
    return latin + characters / 2


def _outermost(found: list[HiddenText]) -> list[HiddenText]:
    kept: list[HiddenText] = []
    for item in sorted(set(found), key=lambda text: (text.span.path, text.span.start, -text.span.end)):
        if not any(
            k.how == item.how
            and k.span.path == item.span.path
            and k.span.start <= item.span.start
            and item.span.end <= k.span.end
            for k in kept[-20:]
        ):
            kept.append(item)
    return kept
