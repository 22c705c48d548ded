"""Gathering: the drafts of all blocks with their places and importance, in reading order."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzers.facts.view import macro_key
from analyzers.graph.cues import Cue, Lexicon
from analyzers.graph.drafts import Draft, drafts
from analyzers.graph.weigh import Place, Weighed, weighed
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import terms
from analyzers.text.document import Block
from analyzers.text.lex import lex
from analyzers.text.prose import prose

_SUMMARY_CUES = Cue.ANNOUNCE | Cue.FIND | Cue.STRENGTH | Cue.OURS
_MOST_SUMMARY = 400
_SHORTEST_ABSTRACT = 150


class Item(NamedTuple):
    """A weighed draft at its place in the manuscript; `position` is the
    index of its entry, `order` its number in reading order."""

    weighed: Weighed
    entry: Entry
    position: int
    place: Place
    order: int

    @property
    def draft(self) -> Draft:
        """What the block offers."""
        return self.weighed.draft

    @property
    def terms(self) -> frozenset[str]:
        """The terms of its text."""
        return self.weighed.draft.terms


class Gathered(NamedTuple):
    """All items, the length of the text they come from, and whether the paper has an abstract."""

    items: tuple[Item, ...]
    length: int
    abstract: bool
    title: frozenset[str]


def gather(manuscript: Manuscript, lexicon: Lexicon) -> Gathered:
    """Every draft of the body, weighed; blocks that are read twice count once."""
    places = _Places(manuscript, lexicon)
    found: list[tuple[int, Entry, Place, tuple[Draft, ...]]] = []
    seen: set[tuple[str, int]] = set()
    length = 0
    for index, entry in _read(manuscript):
        if (entry.path, entry.start) in seen:
            continue
        seen.add((entry.path, entry.start))
        length += len(entry.block.text)
        here = drafts(entry.block, manuscript.macros, lexicon)
        if entry.preamble:
            here = _within(entry.block, here)
        if here:
            found.append((index, entry, places.of(entry, here), here))
    length = min(
        length, sum(len(manuscript.files[path].text) for path in {path for path, _ in seen} if path in manuscript.files)
    )
    title = _title(manuscript)
    summary, abstract = _summary(found, title)
    items: list[Item] = []
    for index, entry, place, here in found:
        for item in _weighed(entry.block, macro_key(entry.block, manuscript.macros), here, place, summary):
            items.append(Item(item, entry, index, place, len(items)))
    return Gathered(tuple(items), length, abstract, title)


def _read(manuscript: Manuscript) -> Iterator[tuple[int, Entry]]:
    """The entries of the body, and before them those of the preamble that hold the abstract as a command's argument."""
    for index, entry in enumerate(manuscript.entries):
        if not entry.preamble:
            break
        if entry.block.remember("abstract argument", _abstract_argument) is not None:
            yield index, entry
    yield from manuscript.body


def _abstract_argument(block: Block) -> tuple[int, int] | None:
    for command in block.lexed.commands:
        if command.name.lower() == "abstract":
            group = command.braced()
            if group is not None and group.end - group.start > _SHORTEST_ABSTRACT:
                return group.start, group.end
    return None


def _within(block: Block, here: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """The drafts inside of the abstract's argument, one tuple as long as they are the same."""
    known = block.memo.get("graph abstract")
    if known is not None and known[0] is here:
        return known[1]  # type: ignore[no-any-return]
    argument = _abstract_argument(block)
    kept = tuple(
        draft
        for draft in here
        if argument and all(argument[0] <= start and end <= argument[1] for start, end in draft.ranges)
    )
    block.memo["graph abstract"] = (here, kept)
    return kept


def _weighed(
    block: Block, macros: object, here: tuple[Draft, ...], place: Place, summary: frozenset[str]
) -> tuple[Weighed, ...]:
    known = block.memo.get("graph weighed")
    if known is not None and known[0] is here and known[1] is summary and known[2] == place:
        return known[3]  # type: ignore[no-any-return]
    result = tuple(weighed(draft, place, summary) for draft in here)
    # Only the last answer is kept: an edit of the abstract changes the summary of every block.
    block.memo["graph weighed"] = (here, summary, place, result)
    return result


class _Places:
    """The place of an entry; what a section's title says is looked up once per section."""

    def __init__(self, manuscript: Manuscript, lexicon: Lexicon) -> None:
        self._manuscript = manuscript
        self._lexicon = lexicon
        self._titles: list[tuple[bool, bool, bool, bool]] = []
        for section in manuscript.sections:
            own = _flags(section.title.lower(), lexicon)
            above = self._titles[section.parent] if 0 <= section.parent < len(self._titles) else (False,) * 4
            # “Discussion” holds for its subsections; so do asides and limitations.
            self._titles.append((own[0] or above[0], own[1] or above[1], own[2] or above[2], own[3]))

    def of(self, entry: Entry, here: Sequence[Draft]) -> Place:
        """The place of one entry with these drafts."""
        if entry.preamble or (entry.section < 0 and self._lexicon.abstract.match(here[0].text.lower())):
            return Place(SectionClass.ABSTRACT)
        kind = self._manuscript.section_class(entry)
        if entry.section < 0 or kind is SectionClass.ABSTRACT:
            return Place(kind, entry.appendix)
        return Place(kind, entry.appendix, *self._titles[entry.section])


def _flags(title: str, lexicon: Lexicon) -> tuple[bool, bool, bool, bool]:
    patterns = (lexicon.checklist, lexicon.discussion, lexicon.limitations, lexicon.contributions)
    first, *others = (pattern.search(title) is not None for pattern in patterns)
    return first, others[0], others[1], others[2]


def _summary(
    found: Sequence[tuple[int, Entry, Place, tuple[Draft, ...]]], title: frozenset[str]
) -> tuple[frozenset[str], bool]:
    """The terms of what the paper says of itself: title and abstract, without one its introduction and conclusion."""
    own = [draft for _, _, place, here in found if place.kind is SectionClass.ABSTRACT for draft in here]
    abstract = bool(own)
    if not own:
        ends = (SectionClass.INTRODUCTION, SectionClass.CONCLUSION)
        own = [draft for _, _, place, here in found if place.kind in ends for draft in here]
    telling = [draft for draft in own if draft.cue & _SUMMARY_CUES] or own
    collected: set[str] = set(title)
    for draft in telling:
        collected |= draft.terms
        if len(collected) > _MOST_SUMMARY:
            break
    return _interned(frozenset(collected)), abstract


@lru_cache(maxsize=32)
def _interned(summary: frozenset[str]) -> frozenset[str]:
    """One object for equal sets, so that blocks recognise an unchanged summary at once."""
    return summary


def _title(manuscript: Manuscript) -> frozenset[str]:
    for entry in manuscript.entries:
        found = entry.block.remember("title terms", _title_terms)
        if found:
            return found
    return frozenset()


def _title_terms(block: Block) -> frozenset[str]:
    for command in block.lexed.commands:
        if command.name in ("title", "Title", "icmltitle"):
            group = command.braced()
            if group is not None and group.end > group.start:
                source = block.text[group.start : group.end]
                return frozenset(term for term in terms(prose(source, lex(source)).text) if not term.startswith("^"))
    return frozenset()


def bags(items: Iterable[Item]) -> Iterable[frozenset[str]]:
    """The terms of each item."""
    return (item.weighed.draft.terms for item in items)
