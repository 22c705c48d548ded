"""Characters that print nothing: zero-width spaces, direction marks, tags, and runs of variation selectors.

What scripts and emoji need is left alone: joiners in Arabic, Persian and Indic words, zero-width spaces between words of Thai, Khmer,
Lao, Burmese or Tibetan, direction marks beside right-to-left text, the sequences of emoji and flags, ideographic variants.
Source: Unicode Standard 15, sections 9.2, 16.2, 23.2-23.4 and 23.9.
"""

import re
from typing import NamedTuple

from analyzers.text.document import Block

_CLASS = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_INVISIBLE = re.compile(f"[{_CLASS}]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u18af\u1a00-\u1cff\ua840-\ua8ff\ua980-\uaaff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1a20-\u1aaf\uaa60-\uaadf]")
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122-\u21ff\u2300-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\ufe0f\u20e3\U0001f000-\U0001faff#*0-9]"
)
_NAMES = {
    "\u00ad": "soft hyphen", "\u200b": "zero width space", "\u200c": "zero width non-joiner", "\u200d": "zero width joiner", "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark", "\u2060": "word joiner", "\u2061": "function application", "\ufeff": "zero width no-break space", "\u202e": "right-to-left override",
    "\u202d": "left-to-right override", "\u3164": "Hangul filler", "\u180e": "Mongolian vowel separator",
}  # fmt: skip
_NEAR = 24


class Invisible(NamedTuple):
    """Runs of invisible characters close together on one line; `runs` are their places, `text` the characters, `decoded` what tags spell."""

    start: int
    end: int
    runs: tuple[tuple[int, int], ...]
    text: str
    decoded: str

    @property
    def soft_only(self) -> bool:
        """True when all of them are soft hyphens, which are harmless."""
        return set(self.text) == {"\u00ad"}

    @property
    def description(self) -> str:
        """The kinds of characters in words."""
        kinds = dict.fromkeys(_name(character) for character in self.text)
        return ", ".join(list(kinds)[:4])


def invisible_characters(block: Block) -> tuple[Invisible, ...]:
    """The invisible characters of a block that no script needs, grouped by place; comments and verbatim text included."""
    if block.text.isascii():
        return ()
    return block.remember("invisible characters", _find)


def _find(block: Block) -> tuple[Invisible, ...]:
    text = block.text
    runs = [run for match in _INVISIBLE.finditer(text) for run in _unneeded(text, match.start(), match.end())]
    groups: list[list[tuple[int, int]]] = []
    for run in runs:
        if groups and run[0] - groups[-1][-1][1] <= _NEAR and "\n" not in text[groups[-1][-1][1] : run[0]]:
            groups[-1].append(run)
        else:
            groups.append([run])
    found = []
    for group in groups:
        characters = "".join(text[start:end] for start, end in group)
        decoded = "".join(chr(ord(c) - 0xE0000) for c in characters if 0xE0020 <= ord(c) < 0xE007F)
        found.append(Invisible(group[0][0], group[-1][1], tuple(group), characters, decoded))
    return tuple(found)


def _unneeded(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a run that nothing around it needs."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    run = text[start:end]
    if _emoji_sequence(text, start, before, after, run):
        return []
    if all("\ufe00" <= c <= "\ufe0f" or c >= "\U000e0100" for c in run) and len(run) < 3:
        return []  # a single selector changes the look of the character before it
    if all(c in "\u200c\u200d\u034f" for c in run) and (_JOINING.match(before) or _JOINING.match(after)):
        return []
    if all(c in "\u200b\u2060\ufeff" for c in run) and (_UNSPACED.match(before) or _UNSPACED.match(after)):
        return []
    if all(
        c in "\u200c\u200d\u200e\u200f\u061c" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in run
    ) and _RIGHT_TO_LEFT.search(text):
        return []
    if start == 0 and run == "\ufeff":
        return []  # a byte order mark that survived decoding
    return [(start, end)]


def _emoji_sequence(text: str, start: int, before: str, after: str, run: str) -> bool:
    if run.strip("\ufe0f\u200d") == "":
        if before in "#*0123456789©®":
            return run == "\ufe0f"
        return (
            len(run) <= 2
            and bool(before and _EMOJI.match(before))
            and ("\u200d" not in run or bool(_EMOJI.match(after)) or "\u2640" <= after <= "\u2695")
        )
    # The flags of England, Scotland and Wales are a black flag and tags.
    return before == "\U0001f3f4" and len(run) <= 7 and all("\U000e0020" <= c <= "\U000e007f" for c in run)


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    if character in _NAMES:
        return f"{_NAMES[character]} ({code})"
    if "\U000e0000" <= character <= "\U000e007f":
        return "tag characters"
    if "\ufe00" <= character <= "\ufe0f" or character >= "\U000e0100":
        return "variation selectors"
    if "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        return f"direction control ({code})"
    return code
