"""A rule on venues: nothing can have appeared at a conference, or in a journal, before its first edition."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from analyzers.citations.plaintext import plain_text
from analyzers.citations.plausibility.parts import entry_year, year_field
from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, at_value, whole_value
from analyzers.finding import Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.text.spans import Span

# Acronym or full name -> year of the first edition, as the series itself counts; years are the earliest ones claimed by
# anybody, so that a dispute about the first edition keeps the rule silent.
_FIRST: tuple[tuple[str, str, int], ...] = (
    ("ICLR", r"international conference on learning representations", 2013),
    ("NeurIPS", r"(?:advances in|conference on) neural information processing systems|nips", 1987),
    ("ICML", r"international conference on machine learning", 1980),
    ("AISTATS", r"(?:international conference on )?artificial intelligence and statistics", 1985),
    ("UAI", r"(?:conference on )?uncertainty in artificial intelligence", 1985),
    ("COLT", r"(?:annual )?conference on (?:computational )?learning theory", 1988),
    ("CoRL", r"conference on robot learning", 2017),
    ("COLM", r"conference on language modeling", 2024),
    ("MLSys", r"(?:conference on )?machine learning and systems", 2018),
    ("FAccT", r"conference on fairness,? accountability,? and transparency", 2018),
    ("CVPR", r"(?:computer society )?conference on computer vision and pattern recognition", 1983),
    ("ICCV", r"international conference on computer vision", 1987),
    ("ECCV", r"european conference on computer vision", 1990),
    ("BMVC", r"british machine vision conference", 1985),
    ("WACV", r"winter conference on applications of computer vision", 1992),
    ("EMNLP", r"(?:conference on )?empirical methods in natural language processing", 1996),
    ("NAACL", r"north american chapter of the association for computational linguistics", 2000),
    ("CoNLL", r"(?:conference on )?computational natural language learning", 1997),
    ("LREC", r"international conference on language resources and evaluation", 1998),
    ("KDD", r"international conference on knowledge discovery (?:and|&) data mining", 1989),
    ("RecSys", r"conference on recommender systems", 2007),
    ("MICCAI", r"medical image computing and computer[- ]assisted intervention", 1998),
    ("TMLR", r"transactions on machine learning research", 2022),
    ("JMLR", r"journal of machine learning research", 2000),
    ("TACL", r"transactions of the association for computational linguistics", 2013),
)
_ACRONYMS = {acronym.lower(): (acronym, year) for acronym, _, year in _FIRST} | {"nips": ("NIPS", 1987)}
_NAMES = re.compile("|".join(f"(?P<n{number}>{name})" for number, (_, name, _) in enumerate(_FIRST)), re.IGNORECASE)
# The whole value is the acronym, perhaps with `Proc. of` before it and a year behind it; else it may be another series.
_ACRONYM = re.compile(r"(?:(?:in )?proc(?:eedings|\.)?(?: of(?: the)?)? )?([a-z]{3,8})(?:[ ']*\d{2,4})?", re.IGNORECASE)
_OTHER_SERIES = re.compile(
    r"workshop|symposium on|asian|pacific|graphics|workshops|tutorial|applied|colloquium", re.IGNORECASE
)
_NAME_ONLY_BEHIND = re.compile(
    r"(?:(?:in|proceedings|proc\.|of|the|ieee|acm|cvf|ieee/cvf|annual|\d+(?:st|nd|rd|th)?|[\w-]*th)\W+)*", re.IGNORECASE
)
_LONGEST_VALUE = 300


@lru_cache(maxsize=4096)
def _venue(value: str) -> tuple[str, int] | None:
    text = " ".join(plain_text(value).split()).strip(" .,")
    if _OTHER_SERIES.search(text):
        return None
    acronym = _ACRONYM.fullmatch(text)
    if acronym is not None and acronym[1].lower() in _ACRONYMS:
        return _ACRONYMS[acronym[1].lower()]
    found = _NAMES.search(text)
    if found is None or found.lastgroup is None or _NAME_ONLY_BEHIND.fullmatch(text[: found.start()]) is None:
        return None
    shown, _, year = _FIRST[int(found.lastgroup[1:])]
    return shown, year


def _find_too_early(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    year, given = entry_year(entry), year_field(entry)
    if year is None or given is None:
        return
    for name in ("booktitle", "journal", "journaltitle"):
        item = entry.field(name)
        if item is None or not 3 <= len(item.value) <= _LONGEST_VALUE:
            continue
        known = _venue(item.value)
        if known is None or year >= known[1]:
            continue
        message = f"{known[0]} first took place or appeared in {known[1]}, but the entry says {year}."
        spot = at_value(item, message)
        place = Related(Span(entry.path, *whole_value(given)), f"the entry's year, {year}")
        yield Spot(spot.message, spot.field, spot.start, spot.end, also=(place,))


VENUE_TOO_EARLY = Rule(
    "BIB037",
    "venue-before-first-edition",
    alone=True,
    severity=Severity.WARNING,
    summary="a venue in a year before its first edition.",
    flags="One of some 25 well-known conferences and journals (of machine learning, vision and language) in a "
    "year before it existed.",
    matters="Year or venue belongs to another work, or the reference was made up.",
    silent="On venues it does not know, on workshops and sister conferences, and in the year of the first "
    "edition and later.",
    examples=(
        BibExample("An acronym", "@inproceedings{a, booktitle={ICLR}, year=1980}", ("ICLR",)),
        BibExample(
            "The full name",
            "@inproceedings{a, booktitle={Proceedings of the Conference on Robot Learning}, year={2011}}",
            ("Proceedings of the Conference on Robot Learning",),
        ),
        BibExample("The first edition", "@inproceedings{a, booktitle={ICLR}, year={2013}}"),
        BibExample(
            "A sister conference", "@inproceedings{a, booktitle={Asian Conference on Machine Learning}, year=1970}"
        ),
        BibExample("A longer name", "@inproceedings{a, booktitle={Western Conference on Robot Learning}, year=1990}"),
    ),
    find=_find_too_early,
)
