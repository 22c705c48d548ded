"""Passages: the sentences, captions and table cells of a manuscript as bags of terms, kept per block."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, references
from analyzers.facts.table_facts import tables_of
from analyzers.facts.view import block_fact, prose_of, sentences_of
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import terms
from analyzers.text.document import Block
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_MAX_ROWS = 200
_MAX_PLACE = 800


class PassageKind(IntEnum):
    """What a passage is."""

    SENTENCE = 0
    CAPTION = 1
    HEADING = 2
    ROW = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """A passage of one block; offsets are relative to it.

    For a table row, `start` and `end` are those of the cell that stands for it, and `cells` holds all of them with their terms:
    a place is never wider than one cell.
    """

    kind: PassageKind
    start: int
    end: int
    counts: Mapping[str, float]
    length: int
    text: str
    references: frozenset[str]
    cells: tuple[tuple[int, int, frozenset[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage at its place in the manuscript; `entry` and `section` are indices."""

    draft: Draft
    entry: int
    section: int
    path: str
    offset: int
    section_class: SectionClass

    @property
    def span(self) -> Span:
        """Where it stands in its file."""
        return Span(self.path, self.offset + self.draft.start, self.offset + self.draft.end)


@block_fact
def drafts(block: Block, macros: Macros) -> tuple[Draft, ...]:
    """The passages of one block."""
    return tuple(_drafts(block, macros))


def _drafts(block: Block, macros: Macros) -> list[Draft]:
    found: list[Draft] = []
    prose = prose_of(block, macros)
    uses = references(block, macros)
    for sentence in sentences_of(block, macros):
        start, end = prose.source(sentence.start, sentence.end)
        text = prose.text[sentence.start : sentence.end]
        words = terms(text)
        if not words or end - start > _MAX_PLACE:
            continue
        kind = (
            PassageKind.HEADING if sentence.kind in (PartKind.HEADING, PartKind.TITLE)
            else PassageKind.CAPTION if sentence.kind is PartKind.CAPTION
            else PassageKind.SENTENCE
        )  # fmt: skip
        keys = frozenset(use.key for use in uses if start <= use.start < end)
        found.append(Draft(kind, start, end, Counter(words), _length(words), text, keys))
    for table in tables_of(block, macros):
        found += _rows(table, frozenset(label.key for label in labels(block, macros)))
    return found


def _rows(table: "object", keys: frozenset[str]) -> list[Draft]:
    from analyzers.facts.tables.model import Table

    assert isinstance(table, Table)
    rows: dict[int, list[tuple[int, int, str]]] = {}
    for cell in table.cells:
        if cell.text.strip():
            rows.setdefault(cell.row, []).append((cell.start, cell.end, cell.text))
    header: Counter[str] = Counter()
    for row in range(table.header_rows):
        for _, _, text in rows.get(row, ()):
            header.update(terms(text))
    found: list[Draft] = []
    for row, cells in sorted(rows.items()):
        if row < table.header_rows or len(found) >= _MAX_ROWS:
            continue
        words = Counter(term for _, _, text in cells for term in terms(text))
        if not words:
            continue
        length = _length(words.elements())
        counts: dict[str, float] = dict.fromkeys(header, 0.5)
        counts.update({term: count + counts.get(term, 0.0) for term, count in words.items()})
        start, end, _ = cells[0]
        marked = tuple((a, b, frozenset(terms(text))) for a, b, text in cells if b - a <= _MAX_PLACE)
        text = " | ".join(text for _, _, text in cells)
        found.append(Draft(PassageKind.ROW, start, min(end, start + _MAX_PLACE), counts, length, text, keys, marked))
    return found


def _length(words: Iterable[str]) -> int:
    return sum(1 for word in words if word[0] != "^")


def passages(manuscript: Manuscript) -> tuple[Passage, ...]:
    """All passages of a manuscript, in reading order."""
    found: list[Passage] = []
    for index, entry in manuscript.body:
        here = drafts(entry.block, manuscript.macros)
        if here:
            kind = manuscript.section_class(entry)
            found += (Passage(draft, index, entry.section, entry.path, entry.start, kind) for draft in here)
    return tuple(found)
