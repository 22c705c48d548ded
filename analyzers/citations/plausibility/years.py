"""Rules on the year of an entry."""

import re
from collections.abc import Iterator
from datetime import date

from analyzers.citations.plausibility.parts import entry_year, year_field
from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, at_value, replace_value
from analyzers.finding import Severity
from analyzers.project.bibliography import BibEntry, Bibliography

# Letters that optical character recognition (or a tired typist) puts in place of digits.
_LOOKALIKE = re.compile(r"(?=.*[IlOoSBZ|])(?=(?:.*\d){2})[0-9IlOoSBZ|]{4}")
_TO_DIGITS = str.maketrans("IlOoSBZ|", "11005821")
_DIGITS = re.compile(r"\d+")
_EARLIEST_COMMON = 1400


def _find_malformed(entry: BibEntry, _: Bibliography, today: date) -> Iterator[Spot]:
    item = entry.field("year")
    if item is None:
        return
    value = item.value.strip("{} ")
    if _LOOKALIKE.fullmatch(value):
        meant = value.translate(_TO_DIGITS)
        fixes = replace_value(entry, item, f"Write {meant}", meant)
        yield at_value(item, f"The year `{value}` holds letters in place of digits ({meant}?).", None, fixes)
        return
    if not _DIGITS.fullmatch(value):
        return
    number = int(value[:9])
    if len(value) != 4:
        yield at_value(item, f"The year `{value[:20]}` has {len(value)} digits; four are expected.")
    elif number < _EARLIEST_COMMON:
        message = f"The year {value} is before printing; check it, and add AD or BC if it is meant."
        yield at_value(item, message, Severity.INFORMATION)


def _find_future(entry: BibEntry, _: Bibliography, today: date) -> Iterator[Spot]:
    item, year = year_field(entry), entry_year(entry)
    if item is None or year is None or year <= today.year + 1:
        return
    yield at_value(item, f"The year {year} is still to come (today is {today.isoformat()}).")


MALFORMED_YEAR = Rule(
    "BIB020",
    "malformed-year",
    alone=True,
    severity=Severity.WARNING,
    summary="a year that is not written in four digits.",
    flags="A `year` made of digits that are not four, or with letters in place of digits (`20I9`).  A year "
    "before 1400 is mentioned.",
    matters="Styles print and sort the entry wrongly, and no database knows the work under that year.",
    silent="On words (`in press`, `n.d.`, `c. 350 BC`), ranges, letters behind the year (`2015a`), and on "
    "biblatex's `date`.",
    examples=(
        BibExample("A letter for a digit", "@book{a, year={20I9}}", ("20I9",)),
        BibExample("Three digits", "@book{a, year=201}", ("201",)),
        BibExample("Two digits", "@book{a, year={98}}", ("98",)),
        BibExample("Before printing", "@book{a, year={1215}}", ("1215",)),
        BibExample(
            "Words and ranges", "@book{a, year={c. 350 BC}}\n@book{b, year={in press}}\n@book{c, year={1999/2000}}"
        ),
        BibExample("Plain", "@book{a, year=2019}\n@book{b, year={2015a}}\n@book{c, date={2019-05/2019-06}}"),
    ),
    find=_find_malformed,
    fields=("year",),
)

FUTURE_YEAR = Rule(
    "BIB021",
    "future-year",
    alone=True,
    severity=Severity.WARNING,
    summary="a year that is still to come.",
    flags="A year later than next year, in `year` or biblatex's `date`.",
    matters="No such publication can exist yet: a typing slip, or an invented reference.",
    silent="On next year, which announced books and proceedings bear, and when no four-digit year begins the value.",
    examples=(
        BibExample("Far off", "@book{a, year={2091}}", ("2091",)),
        BibExample("In a date", "@book{a, date={2033-01}}", ("2033-01",)),
        BibExample("Next year", "@book{a, year={2027}}"),
        BibExample("In press", "@book{a, year={in press}}"),
    ),
    find=_find_future,
    fields=("year", "date"),
)
