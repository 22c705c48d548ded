"""Names of people and organisations, and author lists.

Names come in BibTeX's spellings (`Given Family`, `Family, Given`, a unit in braces).  Families are compared in all
transliterations at once; given names are compared too, since an invented given name with a real family name is the cheapest
forgery and the one that most tools pass.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum, StrEnum
from functools import lru_cache

from analyzers.citations.data import nicknames
from analyzers.citations.folding import CJK, fold, fold_words

_HOMONYM = re.compile(r"\s+\d{4}$")
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})
_PARTICLES = frozenset(
    "van von vom der den de del della dei di da das dos do du la le les el al bin ibn ben bint ter ten te zu zum zur af av "
    "st san santa mac y e i degli dello lo ’t 't".split()
)
_ORGANISATION = frozenset(
    "collaboration consortium team group inc ltd corporation corp company foundation institute university laboratory labs "
    "lab association committee organization organisation agency department ministry council commission society project "
    "openai google deepmind anthropic microsoft meta nvidia contributors developers community network center centre "
    "initiative bureau office union administration".split()
)
_DIAERESES = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ß": "ss", "ő": "oe", "ű": "ue"}
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[-\s]*){1,4}")
SIMILAR = 0.75
FUZZY_LIMIT = 60


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart.

    `families` holds every folded spelling of the whole family name, `last` those of its last word without particles,
    `given` the folded given names (initials are single letters).  An organisation has neither.  `words` are all folded
    words, of an organisation without its function words.
    """

    text: str
    families: frozenset[str]
    last: frozenset[str]
    given: tuple[str, ...]
    organisation: bool = False
    words: frozenset[str] = frozenset()


class Same(IntEnum):
    """How far two names are the same person, from not at all to surely."""

    NO = 0
    GIVEN_DIFFERS = 1
    COMPATIBLE = 2
    EQUAL = 3


class AuthorMatch(StrEnum):
    """How two author lists relate; `PARTIAL`: record authors are missing without `and others`; `VARIANT`: a group."""

    SAME = "same"
    VARIANT = "variant"
    REORDERED = "reordered"
    PARTIAL = "partial"
    DIFFERENT = "different"
    DISJOINT = "disjoint"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AuthorComparison:
    """`missing` are in the record only, `extra` in the entry only, `renamed` share a family name but not a given one."""

    match: AuthorMatch
    shared: int = 0
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def _spellings(word: str) -> frozenset[str]:
    """Folded forms of a word: accents dropped, and German and Nordic letters written out."""
    lowered = word.lower()
    plain = re.sub(r"[\s\-‐‑'’`.]", "", fold(lowered))
    if lowered.isascii():
        return frozenset((plain,))
    written = re.sub(r"[\s\-‐‑'’`.]", "", fold("".join(_DIAERESES.get(c, c) for c in lowered)))
    return frozenset((plain, written))


@lru_cache(maxsize=16384)
def parse_name(text: str) -> Name:
    """The name in plain `text`; braces around the whole mark a unit.  Never raises."""
    unit = text.startswith("{") and text.endswith("}")
    bare = _HOMONYM.sub("", text.strip("{} ").strip())
    words = fold_words(bare)
    organisation = bool(_ORGANISATION.intersection(words)) or (
        unit and (len(words) == 1 or ("," not in bare and len(words) > 4))
    )
    if organisation and "," not in bare:
        kept = frozenset(word for word in words if word not in ("the", "and", "of", "for"))
        return Name(bare, frozenset(), frozenset(), (), organisation=True, words=kept or frozenset(words))
    family, given = _family_and_given(bare)
    particles_off = family.split()
    while len(particles_off) > 1 and fold(particles_off[0]).strip(".'’") in _PARTICLES:
        particles_off.pop(0)
    last = _spellings(particles_off[-1]) if particles_off else frozenset[str]()
    spellings = _spellings(family) | _spellings(" ".join(particles_off))
    return Name(bare, spellings, last, tuple(_given_words(given)), words=frozenset(words))


def _family_and_given(bare: str) -> tuple[str, str]:
    if "," in bare:
        parts = [part.strip() for part in bare.split(",")]
        rest = [part for part in parts[1:] if fold(part).strip(".") not in _SUFFIXES]
        return _without_suffix(parts[0]), " ".join(rest)
    words = _without_suffix(bare).split()
    if not words:
        return "", ""
    if len(words) == 1:
        if CJK.match(bare) and 2 <= len(bare) <= 4:
            return bare[0], bare[1:]
        return words[0], ""
    start = len(words) - 1
    while start > 1 and fold(words[start - 1]).strip(".'’") in _PARTICLES and words[start - 1][:1].islower():
        start -= 1
    # `LeCun Y.` and `Wang J-P`: initials behind the name mean that the family name stands first.
    if _INITIALS.fullmatch(words[-1]) and len(words[-1].strip(".-")) <= 3 and words[-1].isupper() and len(words[0]) > 2:
        return " ".join(words[:-1]), words[-1]
    return " ".join(words[start:]), " ".join(words[:start])


def _without_suffix(text: str) -> str:
    words = text.split()
    while len(words) > 2 and fold(words[-1]).strip(".") in _SUFFIXES:
        words.pop()
    return " ".join(words)


def _given_words(given: str) -> Iterable[str]:
    """Given names folded; `J.K.` is two initials, `Ming-Wei` one name."""
    for word in given.replace(".", ". ").split():
        bare = re.sub(r"[^\w]", "", fold(word))
        if not bare or (bare in _PARTICLES and len(bare) > 1 and word[:1].islower()):
            continue
        if (word.isupper() and len(bare) <= 3 and "-" not in word and bare.isascii() and len(bare) > 1) or (
            "-" in word and len(bare) <= 3 and word.replace("-", "").replace(".", "").isupper()
        ):
            yield from bare
        else:
            yield bare


def _given_compatible(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two sequences of given names may be the same person's."""
    if not left or not right:
        return True
    whole_left, whole_right = "".join(left), "".join(right)
    if whole_left == whole_right or _one_given(left[0], right[0]):
        return True
    # `Mingwei` against `Ming Wei`, `M. W.` against `Mingwei`, a person known by the second name.
    if whole_left.startswith(whole_right) or whole_right.startswith(whole_left):
        return True
    full_left = [word for word in left if len(word) > 1]
    full_right = [word for word in right if len(word) > 1]
    return any(_one_given(a, b) for a in full_left for b in full_right) or any(
        len(a) > 1 and len(b) > 1 and (a.startswith(b) or b.startswith(a))
        for a in (whole_left,)
        for b in (whole_right,)
    )


def _one_given(left: str, right: str) -> bool:
    if left == right:
        return True
    if len(left) == 1 or len(right) == 1:
        return left[0] == right[0]
    if len(left) >= 3 and len(right) >= 3 and (left.startswith(right) or right.startswith(left)):
        return True
    if nicknames.related(left, right):
        return True
    if min(len(left), len(right)) >= 5 and (left in right or right in left):
        return True
    return left[0] == right[0] and SequenceMatcher(None, left, right, autojunk=False).ratio() >= SIMILAR


def compare_names(given: Name, found: Name) -> Same:
    """How far the entry's name and the record's are the same person."""
    if given.organisation or found.organisation:
        return _compare_organisations(given, found)
    same_family = bool(given.families & found.families)
    if same_family or (given.last & found.last):
        if given.given == found.given and same_family:
            return Same.EQUAL
        return Same.COMPATIBLE if _given_compatible(given.given, found.given) else Same.GIVEN_DIFFERS
    if _swapped(given, found):
        return Same.COMPATIBLE
    if _part_of_compound(given, found) and _given_compatible(given.given, found.given):
        return Same.COMPATIBLE
    return Same.NO


def _compare_organisations(given: Name, found: Name) -> Same:
    if not (given.organisation and found.organisation):
        return Same.NO
    smaller, larger = sorted((given.words, found.words), key=len)
    return Same.EQUAL if smaller and smaller <= larger else Same.NO


def _swapped(left: Name, right: Name) -> bool:
    """Family and given name exchanged, as indexes do with East Asian names."""
    if left.words == right.words and len(left.words) > 1:
        return True
    if not left.given or not right.given:
        # A CJK or mononym written as one word on one side.
        whole_left = "".join(sorted(left.families, key=len)[-1:]) + "".join(left.given)
        whole_right = "".join(sorted(right.families, key=len)[-1:]) + "".join(right.given)
        return bool(whole_left) and whole_left == whole_right
    return _may_be_family(left.given, right.families) and _may_be_family(right.given, left.families)


def _may_be_family(given: tuple[str, ...], families: frozenset[str]) -> bool:
    """Whether given names are (or, as a lone initial, abbreviate) a family name."""
    joined = "".join(given)
    return joined in families or (len(joined) == 1 and any(family.startswith(joined) for family in families))


def _part_of_compound(left: Name, right: Name) -> bool:
    """`Garcia` against `Garcia Lopez`, or `Fadaee Ali` printed with the family name in the middle."""
    left_words, right_words = set(fold_words(left.text)), set(fold_words(right.text))
    shared = {word for word in left_words & right_words if len(word) > 2}
    return any(word in form for word in shared for form in left.families) and any(
        word in form for word in shared for form in right.families
    )


def compare_authors(
    given: Sequence[str], truncated: bool, found: Sequence[str], found_complete: bool = True
) -> AuthorComparison:
    """Compare the entry's author list with a record's; `truncated`: the entry says `and others`.

    Names are paired once each, in about linear time.  A different order is no mismatch by itself (bibliographies are
    alphabetised, deposits too), one differing given name among several agreeing ones neither.
    """
    left, right = [parse_name(name) for name in given], [parse_name(name) for name in found]
    if not left or not right or not _scripts(given) & _scripts(found):
        return AuthorComparison(AuthorMatch.UNKNOWN)
    pairs = _pair(left, right)
    used = {j for j, _ in pairs.values()}
    extra = tuple(name.text for i, name in enumerate(left) if i not in pairs)
    missing = tuple(name.text for j, name in enumerate(right) if j not in used)
    renamed = tuple(
        (left[i].text, right[j].text) for i, (j, same) in sorted(pairs.items()) if same is Same.GIVEN_DIFFERS
    )
    agreeing = len(pairs) - len(renamed)
    if _group_for_people(left, right, agreeing):
        return AuthorComparison(AuthorMatch.VARIANT, agreeing)
    match = _judge(left, right, pairs, extra, missing, renamed, truncated, found_complete)
    return AuthorComparison(match, agreeing, missing, extra, renamed)


def _scripts(names: Sequence[str]) -> set[str]:
    """The scripts of a list of names; without a common one (汉字 against pinyin) nothing can be compared."""
    found: set[str] = set()
    for name in names[:200]:
        for character in name:
            if character.isalpha():
                found.add("CJK" if CJK.match(character) else unicodedata.name(character, "?").split()[0])
    return found


def _judge(
    left: list[Name],
    right: list[Name],
    pairs: dict[int, tuple[int, Same]],
    extra: tuple[str, ...],
    missing: tuple[str, ...],
    renamed: tuple[tuple[str, str], ...],
    truncated: bool,
    found_complete: bool,
) -> AuthorMatch:
    agreeing = len(pairs) - len(renamed)
    if not pairs:
        return AuthorMatch.DISJOINT
    if agreeing == 0 and len(extra) > len(renamed):
        return AuthorMatch.DISJOINT
    if extra and (found_complete or len(extra) == len(left)):
        return AuthorMatch.DIFFERENT
    if len(renamed) * 2 > len(pairs) or (len(renamed) > 1 and len(renamed) * 4 > len(pairs)):
        return AuthorMatch.DIFFERENT
    if missing and not truncated:
        return AuthorMatch.PARTIAL
    order = [pairs[i][0] for i in sorted(pairs)]
    return AuthorMatch.SAME if order == sorted(order) else AuthorMatch.REORDERED


def _group_for_people(left: list[Name], right: list[Name], agreeing: int) -> bool:
    """A group named as author on one side and its members on the other: a variant, not a contradiction."""
    left_groups, right_groups = [n for n in left if n.organisation], [n for n in right if n.organisation]
    if bool(left_groups) == bool(right_groups):
        return False
    people_beside = len(left) - len(left_groups) if left_groups else len(right) - len(right_groups)
    return agreeing >= people_beside


def _pair(left: list[Name], right: list[Name]) -> dict[int, tuple[int, Same]]:
    """Entry position -> (record position, how far the same); equal positions first, then by family name, then fuzzily."""
    by_form: defaultdict[str, list[int]] = defaultdict(list)
    for j, name in enumerate(right):
        for form in {*name.families, *name.last, "".join(name.given), *(name.words if name.organisation else ())}:
            by_form[form].append(j)
    pairs: dict[int, tuple[int, Same]] = {}
    used: set[int] = set()
    for wanted in (Same.COMPATIBLE, Same.GIVEN_DIFFERS):
        for i, name in enumerate(left):
            if i in pairs:
                continue
            forms = {*name.families, *name.last, "".join(name.given), *(name.words if name.organisation else ())}
            # The namesakes looked at per name are bounded, so that a list of one name repeated is not quadratic.
            candidates = [i] if i < len(right) else []
            candidates += [j for form in sorted(forms) for j in by_form.get(form, ())[:50]]
            best = max(
                ((compare_names(name, right[j]), j == i, -j) for j in candidates if j not in used),
                default=(Same.NO, False, 0),
            )
            if best[0] >= wanted:
                pairs[i] = (-best[2], best[0])
                used.add(-best[2])
    _pair_misspelt(left, right, pairs, used)
    return pairs


def _pair_misspelt(left: list[Name], right: list[Name], pairs: dict[int, tuple[int, Same]], used: set[int]) -> None:
    """Pair what is left where the names are a slip or a compound apart; skipped for long remainders, it is quadratic."""
    rest_left = [i for i in range(len(left)) if i not in pairs]
    rest_right = [j for j in range(len(right)) if j not in used]
    if not rest_left or not rest_right or len(rest_left) * len(rest_right) > FUZZY_LIMIT**2:
        return
    for i in rest_left:
        for j in rest_right:
            if j not in used and _misspelt(left[i], right[j]):
                pairs[i] = (j, Same.COMPATIBLE)
                used.add(j)
                break


def _misspelt(left: Name, right: Name) -> bool:
    if compare_names(left, right) >= Same.COMPATIBLE:
        return True
    if left.organisation or right.organisation or not left.given or not right.given:
        return False
    if not _given_compatible(left.given, right.given):
        return False
    return any(
        len(a) >= 4 and len(b) >= 4 and SequenceMatcher(None, a, b, autojunk=False).ratio() >= 0.8
        for a in left.families
        for b in right.families
    )
