"""Which language a manuscript is written in: from babel and class options, else from its letters and small words."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from analyzers.project.manuscript import Entry
from analyzers.text.words import split_words

_OPTIONS = (
    ("de", re.compile(r"\b(?:n?german|ngermanb|austrian)\b")),
    ("fr", re.compile(r"\b(?:french|francais|frenchb)\b")),
    ("ru", re.compile(r"\brussian\b")),
    ("es", re.compile(r"\bspanish\b")),
    ("pt", re.compile(r"\b(?:portuguese|brazil\w*)\b")),
    ("it", re.compile(r"\bitalian\b")),
)
_WORDS = {
    "en": frozenset("the and of with which that we are for".split()),
    "de": frozenset("der die und das nicht mit eine wird von ist".split()),
    "fr": frozenset("les des une est dans pour que nous sur".split()),
    "es": frozenset("los las una con para que del como".split()),
}
_COUNTED = frozenset[str]().union(*_WORDS.values())
_CJK = re.compile(r"[\u4e00-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_SAMPLE = 12_000


def guess_language(entries: Iterable[Entry], options: str) -> str:
    """A two-letter language code; `en` when nothing speaks for another one."""
    sample: list[str] = []
    length = 0
    for entry in entries:
        if entry.preamble or entry.block.dead or len(entry.block.text) < 80:
            continue
        sample.append(entry.block.text)
        length += len(entry.block.text)
        if length > _SAMPLE:
            break
    return _from_text("".join(sample)[: 2 * _SAMPLE]) or _from_options(options) or "en"


@lru_cache(maxsize=32)
def _from_text(text: str) -> str | None:
    if not text:
        return None
    if not text.isascii():
        if len(_CJK.findall(text)) > len(text) * 0.05:
            return "zh"
        if len(_CYRILLIC.findall(text)) > len(text) * 0.1:
            return "ru"
    found = Counter(filter(_COUNTED.__contains__, split_words(text)))
    counts = {code: sum(found[word] for word in words) for code, words in _WORDS.items()}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= 8 else None


def _from_options(options: str) -> str | None:
    # The last language given to babel is the main one; a paper that loads several is most often English.
    found = [(match.start(), code) for code, pattern in _OPTIONS for match in pattern.finditer(options)]
    return max(found)[1] if found else None
