"""Venues: are two venue strings names of the same place of publication?

Known venues are recognised by their aliases anywhere in the string and compared as sets, since joint conferences and
tracks carry several.  Unknown ones are compared by their telling words, abbreviations included.  A venue may stay undecided.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from analyzers.citations.data.venue_names import GENERIC, VENUES
from analyzers.citations.folding import fold_words

MAX_WORDS = 80
_JOURNAL = frozenset(
    "journal j transactions trans letters lett magazine annals review reviews quarterly bulletin".split()
)


class VenueMatch(StrEnum):
    """How two venues relate; `PREPRINT`: the entry names a preprint server, the record a publication; `PUBLISHED`: reverse;
    `VERSION`: conference on one side, journal on the other, which may be two versions of one work."""

    SAME = "same"
    PREPRINT = "preprint"
    PUBLISHED = "published"
    VERSION = "version"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class _Tables:
    phrases: dict[tuple[str, ...], str]
    whole: frozenset[tuple[str, ...]]
    kinds: dict[str, str]
    longest: int


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    phrases: dict[tuple[str, ...], str] = {}
    kinds: dict[str, str] = {}
    for line in VENUES.strip().splitlines():
        head, _, aliases = line.partition(": ")
        family, kind = head.split()
        kinds[family] = kind
        for alias in aliases.split("; "):
            phrases.setdefault(tuple(alias.split()), family)
    whole = {phrase for phrase, family in phrases.items() if family in _ONLY_WHOLE}
    for family, kind in kinds.items():
        # Acronyms that are also words or initials of something else (`sdm`, `micro`) count when they stand alone.
        if kind == "conf" and (family,) not in phrases:
            phrases[family,] = family
            whole.add((family,))
    return _Tables(phrases, frozenset(whole), kinds, max(map(len, phrases)))


# Whole-string journals whose names are ordinary words, or parts of the names of conferences.
_ONLY_WHOLE = frozenset(
    "procieee mlj aij cl nature science cell entropy neunet patrec neuralcomp preprint findings fat".split()
)


@lru_cache(maxsize=8192)
def venue_words(venue: str) -> tuple[str, ...]:
    """Folded words of a venue without numbers."""
    return tuple(word for word in fold_words(venue)[:MAX_WORDS] if not word[0].isdigit() or word in ("3dv", "3d"))


@lru_cache(maxsize=8192)
def venue_families(venue: str) -> frozenset[str]:
    """The known venues named in `venue`; a series or publisher only when the string names nothing else."""
    tables = _tables()
    words = venue_words(venue)
    found: set[str] = set()
    unknown = position = 0
    while position < len(words):
        for length in range(min(tables.longest, len(words) - position), 0, -1):
            phrase = words[position : position + length]
            family = tables.phrases.get(phrase)
            if family is not None and (phrase not in tables.whole or _is_whole(words, length)):
                found.add(family)
                position += length
                break
        else:
            unknown += words[position] not in GENERIC
            position += 1
    telling = {family for family in found if tables.kinds[family] != "series"}
    if telling or unknown:
        return frozenset(telling)
    return frozenset(found)


def _is_whole(words: tuple[str, ...], length: int) -> bool:
    rest = len(words) - length
    return rest == 0 or len([word for word in words if word not in GENERIC]) <= length


def venue_kind(venue: str) -> str:
    """ "conf", "journal", "preprint", "series", or "" when no known venue is named; several kinds: the most telling one."""
    kinds = {_tables().kinds[family] for family in venue_families(venue)}
    return next((kind for kind in ("conf", "journal", "preprint", "series") if kind in kinds), "")


def compare_venues(given: str, found: str) -> VenueMatch:
    """Compare an entry's venue with a record's; UNKNOWN when either is empty or nothing can be said."""
    if not given or not found:
        return VenueMatch.UNKNOWN
    left, right = venue_families(given), venue_families(found)
    if left & right:
        return VenueMatch.SAME
    left_kind, right_kind = venue_kind(given), venue_kind(found)
    if left_kind == "series" or right_kind == "series":
        return VenueMatch.UNKNOWN
    if left_kind == "preprint" or right_kind == "preprint":
        if left_kind == right_kind:
            return VenueMatch.SAME
        return VenueMatch.PREPRINT if left_kind == "preprint" else VenueMatch.PUBLISHED
    if left and right:
        both = {left_kind, right_kind}
        return VenueMatch.VERSION if both == {"conf", "journal"} else VenueMatch.DIFFERENT
    return _compare_words(given, found, bool(right))


def _compare_words(given: str, found: str, found_known: bool) -> VenueMatch:
    left, right = _telling(given), _telling(found)
    if not left or not right:
        return VenueMatch.UNKNOWN
    if left == right or _initials(given) & set(right) or _initials(found) & set(left):
        return VenueMatch.SAME
    all_left, all_right = venue_words(given), venue_words(found)
    shared_left = sum(1 for word in left if any(_abbreviates(word, other) for other in all_right))
    shared_right = sum(1 for word in right if any(_abbreviates(word, other) for other in all_left))
    if shared_left == len(left) or shared_right == len(right):
        if sounds_like_journal(given) != sounds_like_journal(found):
            return VenueMatch.VERSION
        # `Machine Learning` inside `Quantum Machine Learning`: a known venue would have been recognised by its own name.
        return VenueMatch.DIFFERENT if found_known and shared_left < len(left) <= 6 else VenueMatch.SAME
    if found_known and len(left) <= 6:
        return VenueMatch.DIFFERENT
    if max(shared_left, shared_right) * 2 >= min(len(left), len(right)):
        return VenueMatch.UNKNOWN
    if sounds_like_journal(given) != sounds_like_journal(found):
        return VenueMatch.VERSION
    return VenueMatch.DIFFERENT


def sounds_like_journal(venue: str) -> bool:
    """Whether an unknown venue calls itself a journal."""
    return not _JOURNAL.isdisjoint(venue_words(venue))


def _telling(venue: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in venue_words(venue) if word not in GENERIC))[:25]


def _initials(venue: str) -> set[str]:
    """Acronyms that the words of `venue` may form."""
    words = [word for word in venue_words(venue) if word not in ("of", "the", "on", "in", "and", "for", "proceedings")]
    telling = [word for word in words if word not in GENERIC]
    return {"".join(word[0] for word in chosen) for chosen in (words, telling) if 2 < len(chosen) < 9}


def _abbreviates(left: str, right: str) -> bool:
    """Whether one word is the other or a dotted abbreviation of it (`mach` for `machine`, `anal` for `analysis`)."""
    if left == right:
        return True
    short, full = sorted((left, right), key=len)
    return len(short) >= 3 and full.startswith(short[:-1] if len(short) > 6 else short)
