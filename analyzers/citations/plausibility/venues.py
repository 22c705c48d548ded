"""A rule on venues: nothing can have appeared at a conference, or in a journal, before its first edition."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from analyzers.citations.folding import caseless
from analyzers.citations.plaintext import plain_text
from analyzers.citations.plausibility.parts import entry_year, year_field
from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, at_value, holds_any, whole_value
from analyzers.finding import Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.text.spans import Span

# Acronym or full name -> year of the first edition, as the series itself counts; years are the earliest ones claimed by
# anybody, so that a dispute about the first edition keeps the rule silent.  Last, words that stand in every form of the
# name: few values hold any of them, and these few are searched for the names in question only.
_FIRST: tuple[tuple[str, str, int, str], ...] = (
    ("ICLR", r"international conference on learning representations", 2013, "learning representations"),
    (
        "NeurIPS",
        r"(?:advances in|conference on) neural information processing systems",
        1987,
        "neural information processing",
    ),
    ("NeurIPS", r"nips", 1987, "nips"),
    ("ICML", r"international conference on machine learning", 1980, "conference on machine learning"),
    (
        "AISTATS",
        r"(?:international conference on )?artificial intelligence and statistics",
        1985,
        "intelligence and statistics",
    ),
    (
        "UAI",
        r"(?:conference on )?uncertainty in artificial intelligence",
        1985,
        "uncertainty in artificial intelligence",
    ),
    ("COLT", r"(?:annual )?conference on (?:computational )?learning theory", 1988, "learning theory"),
    ("CoRL", r"conference on robot learning", 2017, "robot learning"),
    ("COLM", r"conference on language modeling", 2024, "language modeling"),
    ("MLSys", r"(?:conference on )?machine learning and systems", 2018, "machine learning and systems"),
    ("FAccT", r"conference on fairness,? accountability,? and transparency", 2018, "fairness"),
    (
        "CVPR",
        r"(?:computer society )?conference on computer vision and pattern recognition",
        1983,
        "computer vision and pattern recognition",
    ),
    ("ICCV", r"international conference on computer vision", 1987, "conference on computer vision"),
    ("ECCV", r"european conference on computer vision", 1990, "conference on computer vision"),
    ("BMVC", r"british machine vision conference", 1985, "machine vision conference"),
    ("WACV", r"winter conference on applications of computer vision", 1992, "applications of computer vision"),
    ("EMNLP", r"(?:conference on )?empirical methods in natural language processing", 1996, "empirical methods"),
    (
        "NAACL",
        r"north american chapter of the association for computational linguistics",
        2000,
        "north american chapter",
    ),
    ("CoNLL", r"(?:conference on )?computational natural language learning", 1997, "natural language learning"),
    ("LREC", r"international conference on language resources and evaluation", 1998, "language resources"),
    ("KDD", r"international conference on knowledge discovery (?:and|&) data mining", 1989, "knowledge discovery"),
    ("RecSys", r"conference on recommender systems", 2007, "recommender systems"),
    ("MICCAI", r"medical image computing and computer[- ]assisted intervention", 1998, "medical image computing"),
    ("TMLR", r"transactions on machine learning research", 2022, "transactions on machine learning"),
    ("JMLR", r"journal of machine learning research", 2000, "journal of machine learning"),
    ("TACL", r"transactions of the association for computational linguistics", 2013, "transactions of the association"),
)
_ACRONYMS = {acronym.lower(): (acronym, year) for acronym, _, year, _ in _FIRST} | {"nips": ("NIPS", 1987)}
_LATEST = max(year for _, _, year, _ in _FIRST)
_NAMES = tuple((mark, re.compile(name), acronym, year) for acronym, name, year, mark in _FIRST)
# The whole value is the acronym, perhaps with `Proc. of` before it and a year behind it; else it may be another series.
_ACRONYM = re.compile(r"(?:(?:in )?proc(?:eedings|\.)?(?: of(?: the)?)? )?([a-z]{3,8})(?:[ ']*\d{2,4})?", re.IGNORECASE)
_OTHER_SERIES = ("workshop", "symposium on", "asian", "pacific", "graphics", "tutorial", "applied", "colloquium")
_NAME_ONLY_BEHIND = re.compile(
    r"(?:(?:in|proceedings|proc\.|of|the|ieee|acm|cvf|ieee/cvf|annual|\d+(?:st|nd|rd|th)?|[\w-]*th)\W+)*", re.IGNORECASE
)
_VENUE_FIELDS = ("booktitle", "journal", "journaltitle")
_LONGEST_VALUE = 300


@lru_cache(maxsize=4096)
def _venue(value: str) -> tuple[str, int] | None:
    text = " ".join(plain_text(value).split()).strip(" .,")
    folded = caseless(text)
    if holds_any(folded, _OTHER_SERIES):
        return None
    acronym = _ACRONYM.fullmatch(text)
    if acronym is not None and acronym[1].lower() in _ACRONYMS:
        return _ACRONYMS[acronym[1].lower()]
    first: tuple[int, str, int] | None = None
    for mark, name, shown, year in _NAMES:
        found = name.search(folded) if mark in folded else None
        if found is not None and (first is None or found.start() < first[0]):
            first = found.start(), shown, year
    if first is None or _NAME_ONLY_BEHIND.fullmatch(text[: first[0]]) is None:
        return None
    return first[1:]


def _find_too_early(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    year, given = entry_year(entry), year_field(entry)
    if year is None or given is None or year >= _LATEST:
        return
    for name in _VENUE_FIELDS:
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
    fields=_VENUE_FIELDS,
)
