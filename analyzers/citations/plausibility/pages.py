"""Rules on page ranges."""

import re
from collections.abc import Iterator
from datetime import date

from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, at_part, inner_text, replace_part
from analyzers.finding import Severity
from analyzers.project.bibliography import BibEntry, Bibliography

_RANGE = re.compile(
    r"(?<![\w.:\-–—])([A-Za-z]{0,3})(\d{1,9})\s*(?:-{1,3}|–|—|\\textendash\{?\}?)\s*([A-Za-z]{0,3})(\d{1,9})(?![\w.:\-–—])"
)
_LONGEST_VALUE = 300


def _find_reversed(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("pages")
    if item is None or len(item.value) > _LONGEST_VALUE:
        return
    text = inner_text(item)
    for match in _RANGE.finditer(text):
        letters, first, other_letters, last = match.groups()
        # 1234--45 abbreviates 1234--1245, and 043101-4 is page 4 of article 043101.
        if letters != other_letters or len(last) < len(first) or int(last) >= int(first):
            continue
        swapped = text[match.start(3) : match.end(4)] + text[match.end(2) : match.start(3)] + letters + first
        fixes = replace_part(entry, item, match.start(), match.end(), f"Swap to {swapped}", swapped)
        spot = at_part(
            item, match[0], f"The pages run backwards: the last page {last} is before the first page {first}."
        )
        yield Spot(spot.message, spot.field, spot.start, spot.end, fixes=fixes)


REVERSED_PAGES = Rule(
    "BIB036",
    "reversed-pages",
    alone=True,
    severity=Severity.WARNING,
    summary="a page range that runs backwards.",
    flags="A range in `pages` whose last page is before its first.",
    matters="One of the numbers is wrong, so the reference cannot be checked against the volume.",
    silent="On abbreviated ranges (`1234--45`), article numbers with a page count (`043101-4`), and prefixes "
    "that differ.",
    examples=(
        BibExample("Backwards", "@article{a, pages={120--110}}", ("120--110",)),
        BibExample("With a prefix", "@article{a, pages={S20-S12}}", ("S20-S12",)),
        BibExample("In a list", "@article{a, pages={1--5, 30--21}}", ("30--21",)),
        BibExample("Sound", "@article{a, pages={110--120}}\n@article{b, pages={e1001}}\n@article{c, pages={7--7}}"),
        BibExample("Abbreviated", "@article{a, pages={1234--45}}\n@article{b, pages={043101-4}}"),
        BibExample("Compound page numbers", "@article{a, pages={12:31--12:2}}\n@article{b, pages={3-1--3-40}}"),
    ),
    find=_find_reversed,
    fields=("pages",),
)
