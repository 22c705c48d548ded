"""Cues: the expressions by which sentences show their role, per language; a language without a file has none."""

import json
import re
from dataclasses import dataclass
from enum import IntFlag, auto
from functools import lru_cache
from importlib.resources import files

LANGUAGES = frozenset({"en", "de", "zh"})


class Cue(IntFlag):
    """What the wording of one sentence shows."""

    NONE = 0
    ANNOUNCE = auto()
    FIND = auto()
    STRENGTH = auto()
    INTERPRET = auto()
    COMPARE = auto()
    LIMIT = auto()
    METHOD = auto()
    SETUP = auto()
    BACKGROUND = auto()
    SKIP = auto()
    EVIDENCE = auto()
    OURS = auto()
    SCOPE = auto()
    HEDGE = auto()
    NEGATION = auto()


_SENTENCE_CUES = tuple(cue for cue in Cue if cue.name is not None and cue is not Cue.NONE)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The compiled cues of one language; `stop` are words that say nothing when sentences are compared."""

    language: str
    patterns: tuple[tuple[Cue, re.Pattern[str]], ...]
    checklist: re.Pattern[str]
    limitations: re.Pattern[str]
    contributions: re.Pattern[str]
    discussion: re.Pattern[str]
    abstract: re.Pattern[str]
    stop: frozenset[str]

    def cues(self, text: str) -> Cue:
        """All cues of a sentence."""
        found = Cue.NONE
        text = text.lower()
        for cue, pattern in self.patterns:
            if pattern.search(text):
                found |= cue
        return found

    def count(self, cue: Cue, text: str) -> int:
        """How many expressions of one kind a sentence holds."""
        return sum(len(pattern.findall(text.lower())) for kind, pattern in self.patterns if kind is cue)


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon | None:
    """The cues of a language, None when there are none: then the graph stays empty and says why."""
    if language not in LANGUAGES:
        return None
    data = json.loads(files("analyzers.graph.data").joinpath(f"cues.{language}.json").read_text("utf-8"))
    bounded = language != "zh"
    patterns = tuple((cue, _compiled(data[str(cue.name).lower()], bounded)) for cue in _SENTENCE_CUES)
    return Lexicon(
        language,
        patterns,
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
