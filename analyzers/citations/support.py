"""Does a text hold a passage that supports the sentence citing it?  By words and numbers only, without any model.

Only two answers exist: a passage was found, with its words, or nothing could be confirmed, with the reason.  That a work does
not support a sentence is never said: low scores of automatic checks meant a wrong citation in less than half of the cases
where this was measured.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from analyzers.citations.folding import fold_words

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[A-Z0-9“\"(])|[。！？]")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
_FEWEST_SHARED = 3
_SHARE = 0.6
_NUMBER_WEIGHT = 2.0
_LONGEST_TEXT = 200_000
_LONGEST_QUOTE = 400
_STOP = frozenset(
    "a about all also an and any are as at be because been being between both but by can could did do does each for from "
    "had has have how however i if in into is it its may might more most much no nor not of on one only or other our out over "
    "paper own same shall should show shown shows so some such than that the their them then there these they this those "
    "through thus to too two under up upon use used using very was we were what when where which while who whose will with "
    "within work works would et al e g i eg ie cf see introduce introduced propose proposed present presented approach method "
    "methods authors previous prior recent recently study studies".split()
)


class SupportKind(StrEnum):
    """What can be said; there is no third answer."""

    FOUND = "supporting passage found"
    NOT_CONFIRMED = "could not confirm"


@dataclass(frozen=True, slots=True)
class Support:
    """The answer: for a passage its words and place in the text, else why nothing was confirmed."""

    kind: SupportKind
    quote: str = ""
    start: int = 0
    end: int = 0
    reason: str = ""

    @property
    def text(self) -> str:
        """The answer in words."""
        if self.kind is SupportKind.FOUND:
            quote = self.quote if len(self.quote) <= _LONGEST_QUOTE else self.quote[: _LONGEST_QUOTE - 1].rstrip() + "…"
            return f"Supporting passage found: “{quote}”"
        return f"Could not confirm from the text at hand: {self.reason}."


def supporting_passage(sentence: str, text: str, *, abstract: bool = True) -> Support:
    """The passage of `text` (an abstract, or with `abstract` False a whole paper) that supports `sentence` best.

    A passage is one sentence or two neighbouring ones.  It counts when it holds three content words of the sentence and 60 %
    of their weight, numbers counting double, and every number of the sentence.
    """
    if not text.strip():
        return Support(SupportKind.NOT_CONFIRMED, reason="no text of the cited work is at hand")
    claim, numbers = _words(sentence), frozenset(_numbers(sentence))
    if len(claim) < _FEWEST_SHARED:
        return Support(SupportKind.NOT_CONFIRMED, reason="the sentence says too little by itself")
    best: tuple[float, int, int] | None = None
    for start, end in _passages(text[:_LONGEST_TEXT]):
        passage = text[start:end]
        score = _score(claim, numbers, passage)
        # a single sentence goes before a pair of the same score: the quote should be short
        if score is not None and (best is None or (score, start - end) > (best[0], best[1] - best[2])):
            best = (score, start, end)
    if best is None:
        return Support(
            SupportKind.NOT_CONFIRMED,
            reason="only the abstract is at hand" if abstract else "no passage says it in these words",
        )
    _, start, end = best
    return Support(SupportKind.FOUND, text[start:end].strip(), start, end)


def _score(claim: frozenset[str], numbers: frozenset[str], passage: str) -> float | None:
    """The share of the claim's weight that a passage holds, None when that is too little."""
    if numbers - set(_numbers(passage)):
        return None
    shared = claim & _words(passage)
    if len(shared) < _FEWEST_SHARED:
        return None
    extra = len(numbers) * _NUMBER_WEIGHT
    share = (len(shared) + extra) / (len(claim) + extra)
    return share if share >= _SHARE else None


def _passages(text: str) -> Iterator[tuple[int, int]]:
    previous: int | None = None
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        if text[start:end].strip():
            yield start, end
            if previous is not None:
                yield previous, end
            previous = start
        start = end


def _words(text: str) -> frozenset[str]:
    return frozenset(
        _stem(word) for word in fold_words(text) if word not in _STOP and not word.isdigit() and len(word) > 1
    )


def _numbers(text: str) -> list[str]:
    return [match[0].replace(",", "") for match in _NUMBER.finditer(text)]


def _stem(word: str) -> str:
    """English endings go, so that `improves`, `improved` and `improvement` are one word; short words stay."""
    for ending in ("ements", "ement", "ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
