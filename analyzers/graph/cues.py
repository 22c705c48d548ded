"""Cues: the expressions by which sentences show their role, per language; a language without a file has none."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from analyzers.text.openings import Openings

LANGUAGES = frozenset({"en", "de", "zh"})
_WORD = re.compile(r"\w+")


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
        patterns = self.patterns
        for match in _WORD.finditer(text):
            word = match[0]
            may = opened.get(word)
            if may is None:
                may = self.openings.of(word)
            may &= ~found
            if may:
                start = match.start()
                for cue, pattern in patterns:
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
