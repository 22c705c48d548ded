"""Sentences of a block's prose.

A rule-based splitter: abbreviations, initials, decimals, references (“Fig. 3”) and citations do not end a sentence.
"""

import re
from typing import NamedTuple

from analyzers.text.prose import CITATION, MATH_PLACE, REFERENCE, UNKNOWN, Part, PartKind, Prose


class Sentence(NamedTuple):
    """A sentence of the prose: its range there, and the part it belongs to."""

    start: int
    end: int
    kind: PartKind


# A run of stops is tried from its first one only; trying from each would take quadratic time on a long row of dots.
_END = re.compile(rf"(?<![.!?…])([.!?…]++[\"'”’)\]»{CITATION}]*+)(\s+)|(?<![。！？；])([。！？；]++[”’）」』]*+)")
# Looked for first: an expression that begins with a set of letters runs through the text several times as fast.
_STOP = re.compile(r"[.!?…。！？；]")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“‘\"'~—–/-])(?:e\.g|i\.e|cf|vs|viz|resp|approx|ca|al|etc|Figs?|figs?|Eqs?|eqs?|Eqns?|Secs?|secs?|Sects?|Tabs?|tabs?|Refs?|refs?|Thms?|Lem|Props?|Cors?"
    r"|Defs?|Chaps?|chaps?|Apps?|Algs?|Exs?|No|no|Nos|nos|pp|p|vol|Vol|ed|eds|Dr|Prof|Mr|Mrs|Ms|St|Jr|Sr|Inc|Ltd|Co|Corp|dept|Dept|Univ|min|max|avg|std|incl|excl|et|w\.r\.t|a\.k\.a"
    r"|i\.i\.d|s\.t|U\.S|U\.K|Ph\.D|M\.Sc|B\.Sc|bzw|z\.\s?B|d\.\s?h|u\.\s?a|vgl|Abb|Tab|Kap|Nr|Bd|Hrsg|т\.\s?д|т\.\s?п|т\.\s?е|др|рис|табл|стр|см|гл|разд|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$"
)
_INITIAL = re.compile(r"(?:^|[\s(.])[A-ZÀ-ÞА-Я]\.$")
_NEVER_LAST = re.compile(
    r"(?:e\.g|i\.e|cf|vs|viz|resp|Figs?|Eqs?|Eqns?|Secs?|Sects?|Thms?|Refs?|Dr|Prof|Mr|Mrs|Ms|w\.r\.t|z\.\s?B|d\.\s?h|vgl|Abb)\.$"
)
_STARTS = re.compile(
    rf"[\"'“‘«(\[]*[A-ZÀ-ÞА-ЯΑ-Ω0-9\u4e00-\u9fff{CITATION}{REFERENCE}{MATH_PLACE}{UNKNOWN}]|[\"'“‘«(\[]*[a-z][A-Z0-9-]"
)
_WORD = re.compile(r"\w")


def sentences(prose: Prose) -> tuple[Sentence, ...]:
    """The sentences of all parts, in the order of the prose."""
    found: list[Sentence] = []
    for part in prose.parts:
        _split(prose.text, part, found)
    return tuple(found)


def _split(text: str, part: Part, found: list[Sentence]) -> None:
    start = part.start
    while start < part.end and text[start].isspace():
        start += 1
    position = start
    while stop := _STOP.search(text, position, part.end):
        match = _END.match(text, stop.start(), part.end)
        if match is None:
            position = stop.end()
            continue
        position = match.end()
        if match[3] is not None:
            end = after = match.end()
        else:
            end, after = match.end(1), match.end()
            if _continues(text, start, match, after, part.end):
                continue
        _keep(text, start, end, part, found)
        start = after
    _keep(text, start, part.end, part, found)


def _continues(text: str, start: int, match: re.Match[str], after: int, limit: int) -> bool:
    """True when the full stop belongs to an abbreviation or the next word goes on with the sentence."""
    if not _STARTS.match(text, after, limit):
        return True
    if match[1] != ".":
        return match[1].startswith((".)", ".”")) and text[after : after + 1].islower()
    before = text[max(start, match.start(1) - 12) : match.start(1) + 1]
    if _NEVER_LAST.search(before):
        return True
    if _ABBREVIATION.search(before):
        # “et al.” and “etc.” may end a sentence: a capital and a lower-case letter after it decide, a placeholder or digit does not.
        following = text[after : after + 2]
        return not (
            before.endswith(("al.", "etc."))
            and len(following) == 2
            and following[0].isupper()
            and following[1].islower()
        )
    return bool(_INITIAL.search(before))


def _keep(text: str, start: int, end: int, part: Part, found: list[Sentence]) -> None:
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start and _WORD.search(text, start, end):
        found.append(Sentence(start, end, part.kind))
