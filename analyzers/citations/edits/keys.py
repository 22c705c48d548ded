"""Edits of citation keys where they are cited: rewriting all uses of one key, finding the key that was meant."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from analyzers.citations.folding import fold_words
from analyzers.citations.names import parse_name
from analyzers.citations.record import split_names, year_of
from analyzers.facts.citations import citations
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.spans import Span

_WORDS = re.compile(r"[^\W\d_]{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d|(?<!\d)\d\d(?!\d)")
_LINKS = ("crossref", "xref", "xdata", "related", "entryset")
MOST_SUGGESTED = 3


def nearest_keys(key: str, bibliography: Bibliography) -> tuple[str, ...]:
    """The keys that may be meant by an undefined one: written alike, or the first author and year that it names.

    Best first, at most three.
    """
    alike = get_close_matches(key, list(bibliography.by_key), n=MOST_SUGGESTED, cutoff=0.75)
    named = [entry.key for entry in bibliography.by_key.values() if _named_by(key, entry)]
    both = [other for other in alike if other in named]
    return tuple(dict.fromkeys((*both, *(named if len(named) <= MOST_SUGGESTED else ()), *alike)))[:MOST_SUGGESTED]


def _named_by(key: str, entry: BibEntry) -> bool:
    year = year_of(entry.value("year") or entry.value("date"))
    if year is None or not any(str(year).endswith(found[0]) for found in _YEAR.finditer(key)):
        return False
    authors, _ = split_names(entry.value("author")[:300])
    families = parse_name(authors[0]).last if authors else frozenset()
    return any(word in families for part in _WORDS.findall(key) for word in fold_words(part))


def rename_key(old: str, new: str, manuscripts: Sequence[Manuscript]) -> Fix | None:
    """Write `new` for every use of `old`: citations, and fields of entries that name it.

    Where one command cites both already, `old` is taken out of its list.  None without a use, or when a macro composes
    the key so that its uses cannot be rewritten.
    """
    edits = uses_rewritten(old, new, manuscripts)
    if not edits:
        return None
    count = len(edits)
    return Fix(f"Replace {old} by {new} everywhere ({count} {'place' if count == 1 else 'places'})", edits)


def uses_rewritten(old: str, new: str, manuscripts: Sequence[Manuscript]) -> tuple[Edit, ...] | None:
    """The edits that make every use of `old` one of `new`; None when a use cannot be rewritten."""
    found: dict[Span, Edit] = {}
    for manuscript in manuscripts:
        for entry in manuscript.entries:
            edits = _in_block(old, new, entry, manuscript)
            if edits is None:
                return None
            found.update((edit.span, edit) for edit in edits)
        for other in manuscript.bibliography.entries:
            found.update((edit.span, edit) for edit in _in_fields(old, new, other))
    return tuple(found[span] for span in sorted(found))


def _in_block(old: str, new: str, entry: Entry, manuscript: Manuscript) -> list[Edit] | None:
    edits: list[Edit] = []
    text = entry.block.text
    cited = citations(entry.block, manuscript.macros)
    if not any(citation.key == old for citation in cited):
        return edits
    by_list = {(citation.command_start, citation.key): citation for citation in cited}
    for citation in cited:
        if citation.key != old:
            continue
        if text[citation.start : citation.end] != old:
            return None
        twin = by_list.get((citation.command_start, new))
        if twin is not None and "{" not in text[min(citation.end, twin.end) : max(citation.start, twin.start)]:
            edits.append(Edit(entry.span(*_with_comma(text, citation.start, citation.end)), ""))
        else:
            edits.append(Edit(entry.span(citation.start, citation.end), new))
    return edits


def _with_comma(text: str, start: int, end: int) -> tuple[int, int]:
    """A key of a list with the comma that belongs to it."""
    after = end + len(text[end:]) - len(text[end:].lstrip())
    if text.startswith(",", after):
        rest = text[after + 1 :]
        return start, after + 1 + len(rest) - len(rest.lstrip(" \t"))
    before = len(text[:start].rstrip())
    return (before - 1, end) if text.endswith(",", 0, before) else (start, end)


def _in_fields(old: str, new: str, entry: BibEntry) -> Iterator[Edit]:
    if old not in entry.source:
        return
    for name in _LINKS:
        item = entry.field(name)
        if item is None or not item.literal:
            continue
        by = item.value_start - item.raw_start
        inner = item.raw[by : by + item.value_end - item.value_start]
        for match in re.finditer(r"[^,\s]+", inner):
            if match[0] == old:
                at = item.value_start + match.start()
                yield Edit(Span(entry.path, at, at + len(old)), new)


def cited_keys(manuscripts: Iterable[Manuscript]) -> frozenset[str]:
    """Every key that is cited anywhere, as written and case-folded."""
    keys: set[str] = set()
    for manuscript in manuscripts:
        for entry in manuscript.entries:
            keys.update(citation.key for citation in citations(entry.block, manuscript.macros))
    return frozenset(keys | {key.casefold() for key in keys})
