"""Rules on ISBNs, ISSNs and addresses.  Check digits are those of ISO 2108 (ISBN) and ISO 3297 (ISSN)."""

import re
from collections.abc import Iterator
from datetime import date

from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, at_part, at_value
from analyzers.finding import Severity
from analyzers.project.bibliography import BibEntry, Bibliography

_SEPARATOR = re.compile(r"[,;/]|\band\b|\bor\b|\([^()]*\)")
_NUMBER = re.compile(r"(?:isbn|issn)?(?:-1[03])?[\s:]*([\dXx][\dXx\s\-\u2010-\u2015]*)", re.IGNORECASE)
_JOINERS = re.compile(r"[\s\-\u2010-\u2015]+")
_DOUBLED_SCHEME = re.compile(r"^https?:/*\s*https?:", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?|ftp)://[^\s/]+\.[^\s/]+", re.IGNORECASE)
_BROKEN_SCHEME = re.compile(r"^(?:htt?ps?|htttps?|https?)(?::/?(?=[^/])|//|;//|:///)", re.IGNORECASE)
_LONGEST_VALUE = 2000


def isbn_sound(digits: str) -> bool:
    """Whether ten or thirteen digits (the tenth may be X) carry the right check digit."""
    if len(digits) == 10:
        values = [10 if digit == "X" else int(digit) for digit in digits]
        return sum((10 - place) * value for place, value in enumerate(values)) % 11 == 0
    return sum((3 if place % 2 else 1) * int(digit) for place, digit in enumerate(digits)) % 10 == 0


def issn_sound(digits: str) -> bool:
    """Whether eight digits (the last may be X) carry the right check digit."""
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum((8 - place) * value for place, value in enumerate(values)) % 11 == 0


def _numbers(value: str) -> Iterator[tuple[str, str]]:
    """(as written, digits only) of every number in an `isbn` or `issn` field."""
    for piece in _SEPARATOR.split(value[:_LONGEST_VALUE]):
        match = _NUMBER.fullmatch(piece.strip().strip("{}."))
        if match is not None:
            written = match[1].strip()
            yield written, _JOINERS.sub("", written).upper()


def _find_isbn(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("isbn")
    if item is None:
        return
    for written, digits in _numbers(item.value):
        if re.fullmatch(r"\d{9}[\dX]|97[89]\d{10}", digits) and not isbn_sound(digits):
            yield at_part(item, written, f"ISBN {written} has a wrong check digit, so at least one digit is mistyped.")


def _find_issn(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("issn")
    if item is None:
        return
    for written, digits in _numbers(item.value):
        if re.fullmatch(r"\d{7}[\dX]", digits) and not issn_sound(digits):
            yield at_part(item, written, f"ISSN {written} has a wrong check digit, so at least one digit is mistyped.")


def _find_address(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("url")
    if item is None or len(item.value) > _LONGEST_VALUE:
        return
    address = re.sub(r"^\\(?:url|href)\s*\{(.*)\}$", r"\1", item.value).strip("{} ")
    if _DOUBLED_SCHEME.match(address):
        yield at_value(item, "The address begins twice (https:// within https://).")
    elif _BROKEN_SCHEME.match(address) and not _SCHEME.match(address):
        yield at_value(item, "The address does not begin with https:// and a host name.")


WRONG_ISBN = Rule(
    "BIB015",
    "wrong-isbn",
    alone=True,
    severity=Severity.WARNING,
    summary="an ISBN whose check digit does not fit.",
    flags="A number of 10 or 13 digits in `isbn` whose check digit is wrong.",
    matters="The book cannot be found by it; it is a typing slip, or the number was made up.",
    silent="On numbers of another length, and on text in the field.",
    examples=(
        BibExample("13 digits", "@book{a, isbn={978-0-262-03384-5}}", ("978-0-262-03384-5",)),
        BibExample("10 digits", "@book{a, isbn={0262033845}}", ("0262033845",)),
        BibExample("Sound", "@book{a, isbn={978-0-262-03384-8, 0-262-03384-4 (hbk)}}"),
        BibExample("X as check digit", "@book{a, isbn={0-8044-2957-X}}"),
        BibExample("Something else", "@book{a, isbn={not known}}"),
    ),
    find=_find_isbn,
    fields=("isbn",),
)

WRONG_ISSN = Rule(
    "BIB016",
    "wrong-issn",
    alone=True,
    severity=Severity.WARNING,
    summary="an ISSN whose check digit does not fit.",
    flags="A number of 8 digits in `issn` whose check digit is wrong.",
    matters="The journal cannot be found by it; it is a typing slip, or the number was made up.",
    silent="On numbers of another length, and on text in the field.",
    examples=(
        BibExample("Wrong", "@article{a, issn={0028-0837}}", ("0028-0837",)),
        BibExample("Sound", "@article{a, issn={0028-0836, 1476-4687}}"),
        BibExample("X as check digit", "@article{a, issn={2434-561X}}"),
    ),
    find=_find_issn,
    fields=("issn",),
)

MALFORMED_ADDRESS = Rule(
    "BIB017",
    "malformed-address",
    alone=True,
    severity=Severity.WARNING,
    summary="a `url` that cannot be followed.",
    flags="A `url` that begins twice, or whose `https://` is mistyped.",
    matters="The printed link leads nowhere.",
    silent="On addresses without any scheme (styles and readers cope), and on white space, which is often a line "
    "break.",
    examples=(
        BibExample("Begins twice", "@misc{a, url={https://https://example.net/a}}", ("https://https://example.net/a",)),
        BibExample("One slash", "@misc{a, url={http:/example.net/a}}", ("http:/example.net/a",)),
        BibExample("Sound", "@misc{a, url={https://example.net/a_b?c=d}}\n@misc{b, url={www.example.net}}"),
        BibExample("An archived address", "@misc{a, url={https://web.archive.org/web/2019/http://example.net}}"),
        BibExample("A command", r"@misc{a, url={\url{https://example.net}}}"),
    ),
    find=_find_address,
    fields=("url",),
)
