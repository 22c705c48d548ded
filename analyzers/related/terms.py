"""Terms of a passage: folded and stemmed words, names, numbers with their units, and labels it refers to."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

_WORD = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿА-я][A-Za-zÀ-ÖØ-öø-ÿА-я0-9+]*(?:[-–'’/][A-Za-z0-9À-ÖØ-öø-ÿА-я+]+)*|\d+(?:[.,]\d+)*|[\u4e00-\u9fff]+|[α-ωΑ-Ω]"
)
_CJK = re.compile(r"[\u4e00-\u9fff]")
_SUFFIXES = (
    ("ational", "ate"), ("izations", "ize"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("iveness", "ive"), ("ations", "ate"), ("ation", "ate"),
    ("ements", "e"), ("ement", "e"), ("ments", ""), ("ment", ""), ("ities", ""), ("ity", ""), ("ness", ""), ("ingly", ""), ("edly", ""), ("ings", ""), ("ing", ""),
    ("ied", "y"), ("ies", "y"), ("ed", ""), ("ers", "er"), ("ors", "or"), ("ally", "al"), ("ly", ""), ("sses", "ss"), ("es", ""), ("s", ""),
)  # fmt: skip
STOP = frozenset(
    """a an the and or but nor so yet of to in on at by for from with without into onto over under between among within across through during before after above below up down out off
    about against as is are was were be been being am do does did doing done have has had having can could may might must shall should will would this that these those it its they
    them their theirs we us our ours you your i he she his her him who whom whose which what when where why how all any both each few more most other some such no not only own same
    than then too very also however thus therefore hence moreover furthermore although though because since while whereas if else whether there here once further again just even still
    well e.g i.e et al etc fig figure figures table tables section sections sec eq equation appendix see show shows shown showed use used using uses one two three first second our
    per via due given based respectively let following follows""".split()
)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A light English stem: inflection and the commonest derivations, so that “calibrated” meets “calibration”."""
    if len(word) < 5 or not word.isascii():
        return word
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + replacement
            break
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word


def terms(text: str) -> list[str]:
    """The terms of prose: words and, behind them, the beginnings of long words, marked with `^`.

    The beginnings let relatives meet that no stemmer joins, such as “discretise” and “discrete”.
    """
    words = words_of(text)
    return words + ["^" + word[:5] for word in words if len(word) >= 6 and word.isalpha()]


def kind_weight(term: str) -> float:
    """How much a term of this kind counts beside a word: beginnings of words and bare numbers less (measured, see benchmarks)."""
    return 0.6 if term[0] == "^" else 0.4 if term[0].isdigit() else 1.0


def words_of(text: str) -> list[str]:
    """The words, names and numbers of prose, in order.

    Names (capitals inside a word, digits with letters, all capitals) come as they are, folded and marked, besides their parts;
    Chinese is cut into pairs of characters.
    """
    return list(_each(text))


def word_set(text: str) -> frozenset[str]:
    """What `words_of` finds, each once."""
    return frozenset(_each(text))


def _each(text: str) -> Iterable[str]:
    # No term reaches over a blank, and a paper says most of its words again and again: splitting at blanks and knowing the
    # pieces costs half of a search through the text.
    return chain.from_iterable(map(_PIECES.__getitem__, text.split()))


class _Pieces(dict[str, tuple[str, ...]]):
    """The terms of what stands between two blanks, kept for the pieces met of late: a plain dictionary is asked without a call."""

    _MOST = 60_000
    _LONGEST = 40

    def __missing__(self, piece: str) -> tuple[str, ...]:
        words = _WORD.findall(piece)
        found = _of_word(words[0]) if len(words) == 1 else tuple([term for word in words for term in _of_word(word)])
        # A sentence of Chinese is one piece, which is not met again.
        if len(piece) <= self._LONGEST:
            if len(self) >= self._MOST:
                self.clear()
            self[piece] = found
        return found


_PIECES = _Pieces()


@lru_cache(maxsize=40_000)
def _of_word(word: str) -> tuple[str, ...]:
    """The terms of one word; none for words that say nothing."""
    if _CJK.match(word):
        return tuple(word[i : i + 2] for i in range(len(word) - 1)) if len(word) > 1 else (word,)
    low = word.lower()
    if low in STOP or (len(low) == 1 and low.isascii() and not low.isdigit()):
        return ()
    if word[0].isdigit():
        return (low.replace(",", ""),)
    if "-" in word or "–" in word or "/" in word:
        parts = [stem(part) for part in re.split(r"[-–/]", low) if len(part) > 1 and part not in STOP]
        return (*parts, "=" + low.replace("–", "-")) if is_name(word) else tuple(parts)
    return (stem(low.removesuffix("'s").removesuffix("’s")),)


def is_name(word: str) -> bool:
    """True for words that look like names of systems, data sets or methods: `ResNet-50`, `BERT`, `mBART`, `GPT`."""
    return any(character.isupper() for character in word[1:]) or (
        any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    )
