"""Text that a reader of the PDF cannot see: its colour is that of the page, it is transparent, tiny, a phantom or off the page.

Two steps.  `hidden_text_commands.hiding` finds, per block, the commands that may hide text and what they apply to.  `hidden_texts` works out with the
manuscript's colours what is really hidden, follows switches such as `\\color{white}` to the end of their group, and leaves out what
is drawn on a coloured ground.
"""

import re
from typing import NamedTuple
from weakref import WeakKeyDictionary

from analyzers.facts.colors import ColorFact, Palette, alike, color_facts
from analyzers.facts.hidden_text_commands import TRIGGER, Hiding, hiding
from analyzers.facts.hidden_text_ground import ground_at
from analyzers.facts.macros import Macros, macros_of
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.environments import TABULAR
from analyzers.text.lex import lex, read_group
from analyzers.text.prose import prose
from analyzers.text.spans import Span


class HiddenText(NamedTuple):
    """A stretch of text that is not visible; `how` as in `Hiding`, `detail` as written (`white`, `0.1pt`)."""

    span: Span
    how: str
    detail: str


_GROUP_TOKEN = re.compile(
    r"\\(?:(color|normalcolor|fontsize|normalsize|footnotesize|scriptsize|small|large|Large|transparent)(?![A-Za-z])|(begin|end)\s*\{|(begingroup|bgroup|endgroup|egroup)(?![A-Za-z])|[\s\S])|[{}&]|%[^\r\n]*"
)
_REACH = 20_000

# Several checks ask about the same manuscript.
_KNOWN: "WeakKeyDictionary[Manuscript, tuple[HiddenText, ...]]" = WeakKeyDictionary()


# One paragraph with more switches than this is made by a program; its first ones say enough.
_MOST = 100


def hidden_texts(manuscript: Manuscript) -> tuple[HiddenText, ...]:
    """The hidden stretches of text of the body (and of macro definitions), with at least three words, four for phantoms and shifts."""
    known = _KNOWN.get(manuscript)
    if known is None:
        known = _KNOWN[manuscript] = tuple(_hidden_texts(manuscript))
    return known


def _hidden_texts(manuscript: Manuscript) -> list[HiddenText]:
    candidates: list[tuple[Entry, Hiding, Block, int, tuple[ColorFact, ...]]] = []
    facts: list[ColorFact] = []
    page: tuple[ColorFact, ...] = ()
    for entry in manuscript.entries:
        if entry.block.dead:
            continue
        colors = color_facts(entry.block)
        facts += colors
        # A page colour holds from its place on; in the block that changes it both may be meant.
        changes = tuple(fact for fact in colors if fact.command == "pagecolor")
        pages = page + changes
        page = changes[-1:] or page
        # In the preamble (a title, a page head) only what is set in braces: a switch there is part of some definition.
        candidates += (
            (entry, item, entry.block, 0, pages)
            for item in hiding(entry.block, manuscript.macros)[:_MOST]
            if not entry.preamble or item.end >= 0
        )
        for body, start in entry.block.remember("hiding bodies", _bodies):
            candidates += (
                (entry, item, body, start, pages)
                for item in hiding(body, manuscript.macros)[:_MOST]
                if item.end >= 0 and "#" not in body.text
            )
    if not candidates:
        return []
    palette = Palette(facts)
    drawn = "beamer" in manuscript.document_class or "poster" in manuscript.document_class
    found: list[HiddenText] = []
    for entry, item, block, base, pages in candidates:
        text = manuscript.files[entry.path].text if entry.path in manuscript.files else ""
        if item.how in ("color", "opacity") and (
            drawn or not _invisible(item, block, palette, pages, entry.stack, manuscript.macros)
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
        if TRIGGER.search(macro.body) and " " in macro.body
    )


def _invisible(
    item: Hiding, block: Block, palette: Palette, pages: tuple[ColorFact, ...], stack: tuple[str, ...], macros: Macros
) -> bool:
    if item.how == "opacity":
        return True
    spec = macros.expansion(item.spec.strip()[1:]) if item.spec.strip().startswith("\\") else item.spec
    color = palette.color(spec, item.model) if spec else None
    # The ground is looked at last: revised papers colour hundreds of passages.
    if color is None or not (palette.is_page(color, pages) or "box" in block.text):
        return False
    ground = ground_at(block, item.start, stack, macros)
    if ground is None:
        return False
    if not ground:
        return palette.is_page(color, pages)
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
