"""Anchors: places that are found again after edits, by the hash of their sentence, then by likeness within their section.

A sentence that still stands somewhere keeps its anchors, wherever it moved; where it stands twice, the neighbours and the old
place decide.  A rewritten sentence is taken for the old one when it is alike enough in the same section (more so without a
known neighbour); otherwise the anchor's text is gone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from hashlib import blake2s
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.table_facts import tables_of
from analyzers.facts.view import block_fact, prose_of, sentences_of
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, MATH_PLACE, REFERENCE, UNKNOWN
from analyzers.text.spans import Span

_ALIKE_BESIDE_NEIGHBOUR = 0.5
_ALIKE = 0.7
_COMPARED = 6
_LONGEST = 600
_READABLE = {ord(CITATION): "[cite]", ord(REFERENCE): "[ref]", ord(MATH_PLACE): "[formula]", ord(UNKNOWN): "[…]"}


class Unit(StrEnum):
    """What an anchor is pinned to."""

    SENTENCE = "sentence"
    CELL = "cell"


class Draft(NamedTuple):
    """A place of one block; `key` is the text that its hash is of, `row` tells cells of one table row and column apart."""

    start: int
    end: int
    unit: Unit
    text: str
    hash: str
    row: str


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence or cell of the manuscript with its neighbours' hashes."""

    span: Span
    unit: Unit
    text: str
    hash: str
    section: str
    before: str
    after: str
    row: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a point is pinned.

    `original` is the text that the point was made about, `text` what stands there now.  `gone` anchors keep their last place.
    """

    span: Span
    unit: Unit
    text: str
    hash: str
    section: str
    before: str
    after: str
    row: str = ""
    original: str = ""
    gone: bool = False

    @property
    def changed(self) -> bool:
        """Whether the text is another one than the point was made about, or gone."""
        return self.gone or (bool(self.original) and self.text != self.original)


class Places:
    """Every sentence and cell of a manuscript, by hash, by section and by place.  Made anew for each version; blocks remember."""

    def __init__(self, manuscript: Manuscript) -> None:
        self._by_hash: dict[str, list[Place]] = {}
        self._by_section: dict[str, list[Place]] = {}
        self._by_path: dict[str, list[Place]] = {}
        for place in _places(manuscript):
            self._by_hash.setdefault(place.hash, []).append(place)
            self._by_section.setdefault(place.section, []).append(place)
            self._by_path.setdefault(place.span.path, []).append(place)

    def anchor(self, span: Span) -> Anchor | None:
        """An anchor at the narrowest place that holds the start of a range."""
        here = [
            p
            for p in self._by_path.get(span.path, ())
            if p.span.start <= span.start < max(p.span.end, p.span.start + 1)
        ]
        if not here:
            here = [place for place in self._by_path.get(span.path, ()) if place.span.overlaps(span)]
        if not here:
            return None
        place = min(here, key=lambda place: place.span.end - place.span.start)
        return _anchored(place, place.text)

    def again(self, anchor: Anchor) -> Anchor:
        """The anchor in this version of the manuscript; `gone` when its text is."""
        same = [place for place in self._by_hash.get(anchor.hash, ()) if place.unit is anchor.unit]
        if same:
            return _anchored(max(same, key=lambda place: _nearness(place, anchor)), anchor.original)
        # What is gone comes back only as it was: likeness is asked once, not at every edit.
        found = None if anchor.gone else self._alike(anchor)
        return _anchored(found, anchor.original) if found is not None else replace(anchor, gone=True)

    def _alike(self, anchor: Anchor) -> Place | None:
        here = [place for place in self._by_section.get(anchor.section, ()) if place.unit is anchor.unit]
        if anchor.unit is Unit.CELL:
            cells = [place for place in here if place.row == anchor.row]
            return max(cells, key=lambda place: _nearness(place, anchor), default=None)
        words = Counter(anchor.text.split())
        ranked = sorted(here, key=lambda place: _common(words, Counter(place.text.split())), reverse=True)
        best: tuple[float, Place] | None = None
        for place in ranked[:_COMPARED]:
            beside = _neighbours(place, anchor)
            likeness = SequenceMatcher(None, anchor.text.split(), place.text.split(), autojunk=False).ratio()
            if likeness < (_ALIKE_BESIDE_NEIGHBOUR if beside else _ALIKE):
                continue
            score = likeness + 0.1 * beside
            if best is None or score > best[0]:
                best = (score, place)
        return best[1] if best is not None else None


def settled(anchor: Anchor) -> Anchor:
    """The anchor with the text of now as the text its point is about."""
    return replace(anchor, original=anchor.text)


def hash_of(text: str) -> str:
    """The hash of a sentence: white space and case of letters do not count."""
    return blake2s(" ".join(text.split()).casefold().encode("utf-8", "replace"), digest_size=8).hexdigest()


def _anchored(place: Place, original: str) -> Anchor:
    return Anchor(
        place.span, place.unit, place.text, place.hash, place.section, place.before, place.after, place.row, original
    )


def _neighbours(place: Place, anchor: Anchor) -> int:
    before = bool(anchor.before) and place.before == anchor.before
    after = bool(anchor.after) and place.after == anchor.after
    return before + after


def _nearness(place: Place, anchor: Anchor) -> tuple[int, bool, bool, int]:
    return (
        _neighbours(place, anchor),
        place.section == anchor.section,
        place.span.path == anchor.span.path,
        -abs(place.span.start - anchor.span.start),
    )


def _common(first: Counter[str], second: Counter[str]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def _places(manuscript: Manuscript) -> Iterator[Place]:
    """Every place; the neighbours are those of the same section."""
    found: list[tuple[Span, Draft, str]] = []
    for _, entry in manuscript.body:
        section = _section(manuscript, entry)
        for draft in _drafts(entry.block, manuscript.macros):
            found.append((entry.span(draft.start, draft.end), draft, section))  # noqa: PERF401
    for number, (span, draft, section) in enumerate(found):
        before = _beside(found, number, -1) if draft.unit is Unit.SENTENCE else ""
        after = _beside(found, number, 1) if draft.unit is Unit.SENTENCE else ""
        yield Place(span, draft.unit, draft.text, draft.hash, section, before, after, draft.row)


def _beside(found: list[tuple[Span, Draft, str]], number: int, step: int) -> str:
    at = number + step
    return found[at][1].hash if 0 <= at < len(found) else ""


def _section(manuscript: Manuscript, entry: Entry) -> str:
    if manuscript.section_class(entry) is SectionClass.ABSTRACT:
        return "abstract"
    return manuscript.sections[entry.section].title if entry.section >= 0 else ""


@block_fact
def _drafts(block: Block, macros: Macros) -> tuple[Draft, ...]:
    return tuple(_read(block, macros))


def _read(block: Block, macros: Macros) -> Iterable[Draft]:
    prose = prose_of(block, macros)
    for sentence in sentences_of(block, macros):
        text = " ".join(prose.text[sentence.start : sentence.end].translate(_READABLE).split())[:_LONGEST]
        if any(character.isalnum() for character in text):
            start, end = prose.source(sentence.start, sentence.end)
            yield Draft(start, end, Unit.SENTENCE, text, hash_of(text), "")
    for number, table in enumerate(tables_of(block, macros)):
        heads: dict[int, str] = {}
        for cell in table.cells:
            text = " ".join(cell.text.translate(_READABLE).split())[:100]
            head = heads.setdefault(cell.row, text)
            if cell.end > cell.start:
                row = f"{number}|{head}|{cell.column}"
                yield Draft(cell.start, cell.end, Unit.CELL, text, hash_of(f"{row}|{text}"), row)
