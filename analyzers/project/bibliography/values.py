"""Values: folding of white space, `@string` and month macros, inheritance through `crossref` and `xdata`.

Inheritance follows BibTeX for plain `crossref` (same names only) plus biblatex's default mapping, in which a part takes
`booktitle` from the `title` of its volume (P. Lehman et al., "The biblatex package", appendix on inheritance).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzers.project.bibliography.entries import BibEntry, BibField, Bibliography

MONTHS = {
    "jan": "January",
    "feb": "February",
    "mar": "March",
    "apr": "April",
    "may": "May",
    "jun": "June",
    "jul": "July",
    "aug": "August",
    "sep": "September",
    "oct": "October",
    "nov": "November",
    "dec": "December",
}

_MAX_DEPTH = 16
_PARTS_OF_VOLUMES = frozenset({"inbook", "incollection", "suppbook", "suppcollection", "inproceedings", "conference"})
_PARTS_OF_PERIODICALS = frozenset({"article", "suppperiodical", "review"})
# Fields that name the entry itself, or steer its processing, never come from a parent.
_NOT_INHERITED = frozenset(
    {
        "crossref",
        "xref",
        "xdata",
        "entryset",
        "ids",
        "label",
        "keywords",
        "options",
        "relatedtype",
        "shorthand",
        "sortkey",
    }
)
# What the title of a volume becomes in its parts; a part never takes its own title from its volume.
_VOLUME_TITLES = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
_PERIODICAL_TITLES = {"title": "journaltitle", "subtitle": "journalsubtitle"}


def fold(value: str) -> str:
    """`value` with runs of white space folded to one blank and none at the ends."""
    return " ".join(value.split())


def macro_value(name: str, strings: Mapping[str, str]) -> str | None:
    """What the macro of that lower-case name stands for; None when neither `strings` nor the months define it."""
    value = strings.get(name)
    return value if value is not None else MONTHS.get(name)


def parent_keys(entry: "BibEntry") -> tuple[tuple[str, str], ...]:
    """(kind of link, key) of the entries this one inherits from: `xdata` first, then `crossref`."""
    links = [("xdata", key.strip()) for key in entry.value("xdata").split(",") if key.strip()]
    crossref = entry.value("crossref").strip()
    if crossref:
        links.append(("crossref", crossref))
    return tuple(links)


def unresolved_parents(entry: "BibEntry", bibliography: "Bibliography") -> tuple[str, ...]:
    """Keys this entry inherits from that the bibliography does not define."""
    return tuple(key for _, key in parent_keys(entry) if bibliography.entry_folded(key) is None)


def resolved_fields(entry: "BibEntry", bibliography: "Bibliography") -> Mapping[str, "BibField"]:
    """The fields of `entry` with those it inherits, by lower-case name.

    Each keeps the place where it is written, which for an inherited field is in its parent.  Own fields win.  Cycles
    end where they close; chains end after 16 links.
    """
    if not parent_keys(entry):
        return entry.fields
    return _inherited(entry, bibliography, {(entry.path, entry.start)}, _MAX_DEPTH)


def _inherited(
    entry: "BibEntry", bibliography: "Bibliography", seen: set[tuple[str, int]], depth: int
) -> Mapping[str, "BibField"]:
    # `seen` is shared by all branches: each entry is read once, whatever the shape of the links.
    found = dict(entry.fields)
    if depth == 0:
        return found
    for link, key in parent_keys(entry):
        parent = bibliography.entry_folded(key)
        if parent is None or (parent.path, parent.start) in seen:
            continue
        seen.add((parent.path, parent.start))
        renamed = _renaming(entry.kind) if link == "crossref" else {}
        for name, item in _inherited(parent, bibliography, seen, depth - 1).items():
            if name in _NOT_INHERITED:
                continue
            found.setdefault(renamed.get(name, name), item)
            if renamed.get(name) == "journaltitle":
                found.setdefault("journal", item)
    return found


def _renaming(kind: str) -> Mapping[str, str]:
    if kind in _PARTS_OF_VOLUMES:
        return _VOLUME_TITLES
    return _PERIODICAL_TITLES if kind in _PARTS_OF_PERIODICALS else {}
