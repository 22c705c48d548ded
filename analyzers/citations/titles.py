"""Titles: are these two titles the same, the same with words changed, or different ones?

Equality is decided on a folded key; everything else on words, never on character ratios alone: `GPT-3` and `GPT-4`, `Part I`
and `Part II` are 95 % alike and different works.  A title that only begins like another is another work unless what
follows is a subtitle.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from analyzers.citations.folding import CJK, fold_words

MAX_TITLE = 1000
CHANGED_RATIO = 0.8
RELATED_RATIO = 0.6
SUBTITLE_CHARACTERS = 30
SUBTITLE_WORDS = 5

_ROMAN = {
    numeral: str(value)
    for value, numeral in enumerate(
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(), start=1
    )
}
_ORDINALS = {
    word: str(value)
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
}
_AMBIGUOUS_ROMAN = frozenset({"i", "v", "x"})
_NUMBERED = frozenset("part parts volume vol chapter book paper lecture phase type section version act".split())
_ISE = re.compile(r"(?<=.{3})is(ations?|e|ed|es|ing|ers?)$")
_YSE = re.compile(r"(?<=.{3})yse(|d|s|r|rs)$")
_OUR = re.compile(r"(?<=[a-z]{3})our(|s|al|ed|ing|s?hood|less|able|ly)$")
_DOUBLED_L = re.compile(r"(?<=[a-z]{2})ll(ing|ed|ers?|ings)$")
_RESPELT = {
    "centre": "center",
    "centred": "centered",
    "fibre": "fiber",
    "metre": "meter",
    "analogue": "analog",
    "catalogue": "catalog",
    "dialogue": "dialog",
    "dialogues": "dialogs",
    "programme": "program",
    "programmes": "programs",
    "defence": "defense",
    "defences": "defenses",
    "licence": "license",
    "grey": "gray",
    "artefact": "artifact",
    "artefacts": "artifacts",
    "judgement": "judgment",
    "ageing": "aging",
    "vs": "versus",
}
_SEPARATOR = re.compile(r":\s|[?!.]\s+|\s[-–—]\s|—|\s*\(|\s*\[")
# Words before a colon that name the kind of contribution; venues add them and authors leave them out.
_LABELS = frozenset(
    {"position", "position paper", "extended abstract", "invited talk", "invited paper", "keynote", "tutorial", "demo"}
)
_NOTATION = frozenset(
    "sqrt infinity inf log exp poly ell tilde alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda "
    "mu nu xi pi rho sigma tau phi chi psi omega".split()
)
_DIGITS = re.compile(r"\d+")


class TitleMatch(StrEnum):
    """How two titles relate."""

    SAME = "same"
    SUBTITLE = "subtitle"
    CHANGED = "changed"
    RELATED = "related"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class TitleComparison:
    """`changed` lists the differing passages as (given, found) in folded words; `ratio` is the share of equal letters."""

    match: TitleMatch
    ratio: float
    changed: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=32768)
def _respell(word: str) -> str:
    """British spellings in their American form; the same word for both is all that matters."""
    if word in _RESPELT:
        return _RESPELT[word]
    if len(word) < 6:
        return word
    # Each pattern is looked for only in words that hold its letters; few do.
    if "ll" in word:
        word = _DOUBLED_L.sub(r"l\1", word)
    if "is" in word:
        word = _ISE.sub(r"iz\1", word)
    if "yse" in word:
        word = _YSE.sub(r"yze\1", word)
    return _OUR.sub(r"or\1", word) if "our" in word else word


@lru_cache(maxsize=8192)
def title_words(title: str) -> tuple[str, ...]:
    """The folded words of a plain-text title, British spelling and roman numerals normalised."""
    words = fold_words(title[:MAX_TITLE])
    for position, word in enumerate(words):
        if word in _ROMAN:
            numbered = position > 0 and words[position - 1] in _NUMBERED
            if word not in _AMBIGUOUS_ROMAN or numbered:
                words[position] = _ROMAN[word]
        elif word.isascii():
            words[position] = _respell(word)
    return tuple(words)


def title_key(title: str) -> str:
    """The key under which equal titles meet; "" only for a title without any letter or digit."""
    return "".join(title_words(title))


def title_numbers(title: str) -> tuple[str, ...]:
    """Digits in order, roman numerals and ordinal words included: they must agree exactly whatever the rest looks like."""
    words = (_ORDINALS.get(word, word) for word in title_words(title))
    return tuple(run.lstrip("0") or "0" for run in _DIGITS.findall(" ".join(words)))


def word_count(title: str) -> int:
    """Words of a title; two CJK characters count as one word."""
    words = title_words(title)
    cjk = sum(1 for word in words if CJK.match(word))
    return len(words) - cjk + (cjk + 1) // 2


def compare_titles(given: str, found: str) -> TitleComparison:
    """Compare an entry's title with a record's, both plain text.  Never raises; an empty title matches nothing."""
    given_words, found_words = title_words(given), title_words(found)
    if not given_words or not found_words:
        return TitleComparison(TitleMatch.DIFFERENT, 0.0)
    given_key, found_key = "".join(given_words), "".join(found_words)
    if given_key == found_key:
        return TitleComparison(TitleMatch.SAME, 1.0)
    if _omits_subtitle(given, found) or _omits_subtitle(found, given):
        return TitleComparison(
            TitleMatch.SUBTITLE, 2 * min(len(given_key), len(found_key)) / (len(given_key) + len(found_key))
        )
    ratio, changed = _changes(given_words, found_words)
    if title_numbers(given) != title_numbers(found) or ratio < RELATED_RATIO:
        return TitleComparison(TitleMatch.DIFFERENT, ratio, changed)
    if ratio >= CHANGED_RATIO and all(map(_is_notation, changed)):
        return TitleComparison(TitleMatch.SAME, ratio, changed)
    match = TitleMatch.CHANGED if ratio >= CHANGED_RATIO else TitleMatch.RELATED
    return TitleComparison(match, ratio, changed)


def _is_notation(change: tuple[str, str]) -> bool:
    """Whether only mathematical notation differs, which every index writes in its own way (`O(√T)`, `O(sqrt T)`)."""
    words = " ".join(change).split()
    return all(
        word in _NOTATION or word.isdigit() or (len(word) == 1 and word.isascii() and word not in "ai")
        for word in words
    )


def same_beginning(given: str, found: str, words: int = 2) -> bool:
    """Whether the first `words` words of two titles are the same."""
    return title_words(given)[:words] == title_words(found)[:words]


def _omits_subtitle(short: str, full: str) -> bool:
    """Whether `full` is `short` and a subtitle.  A bare prefix is not enough, and a short one may begin anything."""
    if len(short) >= len(full) or (len(short) < SUBTITLE_CHARACTERS and word_count(short) < SUBTITLE_WORDS):
        return False
    key = title_key(short)
    label, colon, rest = full.partition(":")
    if colon and label.strip().lower() in _LABELS and title_key(rest) == key:
        return True
    for separator in _SEPARATOR.finditer(full[:MAX_TITLE]):
        # Keys only grow, so separators far before or behind the end of the short title need no folding.
        if abs(separator.start() - len(short)) <= 40 and title_key(full[: separator.start()]) == key:
            return True
    return False


def _changes(given: tuple[str, ...], found: tuple[str, ...]) -> tuple[float, tuple[tuple[str, str], ...]]:
    matcher = SequenceMatcher(None, given, found, autojunk=False)
    changed: list[tuple[str, str]] = []
    equal = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        left, right = given[i1:i2], found[j1:j2]
        if tag == "equal" or "".join(left) == "".join(right):
            equal += sum(map(len, left))
        else:
            changed.append((" ".join(left), " ".join(right)))
    total = sum(map(len, given)) + sum(map(len, found))
    return 2 * equal / total, tuple(changed)


def bigrams(text: str) -> list[str]:
    """CJK characters of `text` in overlapping pairs: the search terms of a script without blanks."""
    characters = CJK.findall(text)
    return [a + b for a, b in pairwise(characters)]
