"""Cues: the expressions by which sentences show their role, per language; a language without a file has none."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from analyzers.text.openings import REACH, Openings
from analyzers.text.words import blanked

LANGUAGES = frozenset({"en", "de", "zh"})
_WORD = re.compile(r"\w+")
_SHORT = 4


class Cue:
    """What the wording of one sentence shows, as bits of a plain integer: they are tested a hundred thousand times per edit."""

    ANNOUNCE = 1
    FIND = 2
    STRENGTH = 4
    INTERPRET = 8
    COMPARE = 16
    LIMIT = 32
    METHOD = 64
    SETUP = 128
    BACKGROUND = 256
    SKIP = 512
    EVIDENCE = 1024
    OURS = 2048
    SCOPE = 4096
    HEDGE = 8192
    NEGATION = 16384


_SENTENCE_CUES: tuple[tuple[str, int], ...] = tuple(
    (name.lower(), value) for name, value in vars(Cue).items() if isinstance(value, int)
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The compiled cues of one language; `stop` are words that say nothing when sentences are compared."""

    language: str
    patterns: tuple[tuple[int, re.Pattern[str]], ...]
    openings: Openings | None
    checklist: re.Pattern[str]
    limitations: re.Pattern[str]
    contributions: re.Pattern[str]
    discussion: re.Pattern[str]
    abstract: re.Pattern[str]
    stop: frozenset[str]

    def cues(self, text: str) -> int:
        """All cues of a sentence."""
        found = 0
        text = text.lower()
        if self.openings is None:
            for cue, pattern in self.patterns:
                if pattern.search(text):
                    found |= cue
            return found
        # Most words begin no cue: a look at each of them costs a tenth of a search with every expression.
        opened = self.openings.known
        plain = blanked(text)
        if plain is None:
            for match in _WORD.finditer(text):
                may = opened.get(match[0])
                if may is None:
                    may = self.openings.of(match[0])
                if may & ~found:
                    found |= self._at(text, match.start(), match.end(), may & ~found)
            return found
        # Where a word stands is asked for the few only that may begin what was not found yet.
        plain = f" {plain} "
        position = 0
        for word in plain.split():
            may = opened.get(word)
            if may is None:
                may = self.openings.of(word)
            if may & ~found:
                start = plain.index(f" {word} ", position)
                position = start + len(word)
                found |= self._at(text, start, position, may & ~found)
        return found

    def _at(self, text: str, start: int, end: int, may: int) -> int:
        """The cues, among those that may, whose expressions match at a word."""
        # Four of five words that begin some cue are such as “the”; what follows them rules most of their cues out.
        if end - start <= _SHORT and end < len(text) and self.openings is not None:
            key = text[start : end + REACH]
            also = self.openings.known_further.get(key)
            may &= self.openings.further(key) if also is None else also
        found = 0
        if may:
            for cue, pattern in self.patterns:
                if may & cue and pattern.match(text, start):
                    found |= cue
        return found


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon | None:
    """The cues of a language, None when there are none: then the graph stays empty and says why."""
    if language not in LANGUAGES:
        return None
    data = json.loads(files("analyzers.graph.data").joinpath(f"cues.{language}.json").read_text("utf-8"))
    bounded = language != "zh"
    patterns = tuple((value, _compiled(data[name], bounded)) for name, value in _SENTENCE_CUES)
    return Lexicon(
        language,
        patterns,
        Openings([(value, data[name]) for name, value in _SENTENCE_CUES]) if bounded else None,
        _compiled(data["checklist"], bounded),
        _compiled(data["limitations_title"], bounded),
        _compiled(data["contributions_title"], bounded),
        _compiled(data["discussion_title"], bounded),
        _compiled(data["abstract_start"], bounded),
        frozenset(data.get("stop", ())),
    )


def _compiled(expressions: list[str], bounded: bool) -> re.Pattern[str]:
    # Text is folded by the caller: ignoring case in the expression would cost several times as much.
    inner = "|".join(expressions)
    return re.compile(rf"\b(?:{inner})(?!\w)" if bounded else f"(?:{inner})")
