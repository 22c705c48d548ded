"""Every number of the prose joined to the tables: verified, refuted, or unknown with a reason.

What an edit does not touch is kept: links stand with their block as long as the tables, the labels of its section and the
block's own text are the same.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analyzers.facts.acronyms import definitions
from analyzers.facts.alignment import (
    Aligner,
    Evidence,
    Link,
    Reason,
    Refuted,
    Sentence,
    Unknown,
    Verified,
    measured,
    unmeasured,
)
from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.quantity_facts import NumberedSentence, Place, quantities_of
from analyzers.facts.references import references
from analyzers.facts.table_facts import tables_at, tables_of
from analyzers.facts.tables.model import Cell, Table
from analyzers.facts.view import macro_key, prose_of, sentences_of
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import is_name
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.CONCLUSION})
_NO_NUMBERS = frozenset({Kind.IDENTIFIER, Kind.YEAR})
_BEFORE = 3
# Sentences of these parts belong to no paragraph.
_ALONE = (PartKind.CAPTION, PartKind.FOOTNOTE)
_OWN_MACROS = frozenset(
    "ours our method methodname name model modelname system systemname sys ourmethod ourmodel oursystem tool toolname approach algo algname papername us".split()
)


class TablePlace(NamedTuple):
    """A table at its place in the manuscript; `entry` is an index into `Manuscript.entries`."""

    entry: int
    table: Table

    def span(self, entries: Sequence[Entry], cell: Cell) -> Span:
        """The source of a cell; `entries` are those of the manuscript."""
        return entries[self.entry].span(cell.start, cell.end)


class NumberLink(NamedTuple):
    """One number of the prose and what the tables say of it."""

    entry: int
    sentence: NumberedSentence
    at: int
    link: Link

    @property
    def quantity(self) -> Quantity:
        """The number."""
        return self.sentence.quantities[self.at]

    @property
    def place(self) -> Place:
        """Where it stands, relative to its block."""
        return self.sentence.places[self.at]


@dataclass(frozen=True, slots=True)
class NumberSummary:
    """How many numbers the prose has (names, years and section numbers left out), and how many are found in tables or refuted."""

    total: int
    verified: int
    refuted: int
    unknown: int


@dataclass(frozen=True, eq=False)
class NumberLinks:
    """All links of one manuscript, in reading order.

    Holds the manuscript's entries, not the manuscript, which keeps the links: what is no cycle goes without the garbage collector.
    """

    entries: tuple[Entry, ...]
    tables: tuple[TablePlace, ...]
    aligner: Aligner
    links: tuple[NumberLink, ...]

    def span(self, link: NumberLink) -> Span:
        """Where the number of a link stands in its file."""
        place = link.place
        return self.entries[link.entry].span(place.start, place.end)

    def cell(self, link: Verified | Refuted, other: bool = False) -> tuple[Cell, Span]:
        """The cell of a link (or its second one) with its place."""
        place = self.tables[link.table]
        index = link.other if other and link.other is not None else link.cell
        cell = place.table.cells[index]
        return cell, place.span(self.entries, cell)

    def refuted(self) -> Iterator[tuple[NumberLink, Refuted]]:
        """The refuted numbers."""
        for link in self.links:
            if isinstance(link.link, Refuted):
                yield link, link.link


_KEPT = "number links"


def number_links(manuscript: Manuscript) -> NumberLinks:
    """The links of a manuscript; the same object for the same manuscript."""
    # Kept like a cached property, so that the links go with the manuscript.
    kept = manuscript.__dict__
    if _KEPT not in kept:
        kept[_KEPT] = _link(manuscript)
    found: NumberLinks = kept[_KEPT]
    return found


def number_summary(manuscript: Manuscript) -> NumberSummary:
    """The counts for reports and the lens."""
    links = [link for link in number_links(manuscript).links if link.quantity.kind not in _NO_NUMBERS]
    verified = sum(isinstance(link.link, Verified) for link in links)
    refuted = sum(isinstance(link.link, Refuted) for link in links)
    return NumberSummary(len(links), verified, refuted, len(links) - verified - refuted)


def lens_text(summary: NumberSummary) -> str:
    """ "17 of 63 numbers found in tables"; empty when there is nothing to say."""
    if not summary.total or not (summary.verified or summary.refuted):
        return ""
    text = f"{summary.verified} of {summary.total} numbers found in tables"
    return f"{text}, {summary.refuted} refuted" if summary.refuted else text


def unknown_numbers(manuscript: Manuscript) -> tuple[tuple[Span, str, Reason], ...]:
    """The numbers that no table confirms or refutes: place, text and the reason."""
    links = number_links(manuscript)
    return tuple(
        (links.span(link), link.quantity.text, link.link.reason)
        for link in links.links
        if isinstance(link.link, Unknown) and link.quantity.kind not in _NO_NUMBERS
    )


def tables_in(manuscript: Manuscript) -> tuple[TablePlace, ...]:
    """Every table of the body, in reading order."""
    return tuple(TablePlace(index, table) for index, entry in manuscript.body for table in tables_at(manuscript, entry))


def own_names(manuscript: Manuscript) -> Mapping[str, tuple[str, ...]]:
    """The names under which the authors' own method goes, for tables that call it "Ours" or by its name."""
    names: list[str] = []
    for name in _OWN_MACROS & manuscript.macros.table.keys():
        expansion = manuscript.macros.expansion(name)
        plain = re.sub(r"\\[A-Za-z]+\s*|[{}$~]", "", expansion or "").strip()
        if plain and len(plain) <= 40:
            names.append(plain)
    title = _title(manuscript)
    head, colon, _ = title.partition(":")
    if colon and 0 < len(head.split()) <= 3 and any(is_name(word) for word in head.split()):
        names.append(head.strip())
    found: dict[str, tuple[str, ...]] = dict.fromkeys(sorted(set(names)), ())
    if len(found) == 1:
        found["Ours"] = tuple(found)
    return found


def long_forms(manuscript: Manuscript) -> Mapping[str, tuple[str, ...]]:
    """What the acronyms of the manuscript stand for: a table has "WER" where the text says "word error rate"."""
    found: dict[str, tuple[str, ...]] = {}
    for _, _, definition in manuscript.located(definitions):
        long = definition.long.lower()
        if long not in found.get(definition.short, ()):
            found[definition.short] = (*found.get(definition.short, ()), long)
    return found


def _title(manuscript: Manuscript) -> str:
    for entry in manuscript.entries[:80]:
        for sentence in sentences_of(entry.block, manuscript.macros):
            if sentence.kind is PartKind.TITLE:
                return prose_of(entry.block, manuscript.macros).text[sentence.start : sentence.end]
    return ""


def _aligner(manuscript: Manuscript, tables: tuple[TablePlace, ...]) -> Aligner:
    """The aligner of these tables; kept with the first table's block while no table and no own name changes."""
    if not tables:
        return Aligner(())
    names = own_names(manuscript), long_forms(manuscript)
    memo = manuscript.entries[tables[0].entry].block.memo
    known = memo.get("aligner")
    own = tuple(place.table for place in tables)
    if known is not None and known[1] == names and len(known[0]) == len(own) and all(map(_same, known[0], own)):
        return known[2]  # type: ignore[no-any-return]
    aligner = Aligner(own, *names)
    memo["aligner"] = (own, names, aligner)
    return aligner


def _same(first: object, second: object) -> bool:
    return first is second


def _link(manuscript: Manuscript) -> NumberLinks:
    tables = tables_in(manuscript)
    aligner = _aligner(manuscript, tables)
    labels = section_labels(manuscript) if aligner.prepared.by_label else {}
    found: list[NumberLink] = []
    for index, entry in manuscript.body:
        sentences = quantities_of(entry.block, manuscript.macros, manuscript.language)
        if not sentences:
            continue
        summary = manuscript.section_class(entry) in _SUMMARIES
        links = _block_links(entry, manuscript, aligner, sentences, labels.get(entry.section, frozenset()), summary)
        found += [NumberLink(index, sentences[number], at, link) for number, at, link in links]
    return NumberLinks(manuscript.entries, tables, aligner, tuple(found))


def section_labels(manuscript: Manuscript) -> Mapping[int, frozenset[str]]:
    """The labels that each section refers to."""
    found: dict[int, set[str]] = {}
    for _, entry, use in manuscript.located(references):
        found.setdefault(entry.section, set()).add(use.key)
    return {section: frozenset(keys) for section, keys in found.items()}


def _block_links(
    entry: Entry,
    manuscript: Manuscript,
    aligner: Aligner,
    sentences: tuple[NumberedSentence, ...],
    section_labels: frozenset[str],
    summary: bool,
) -> tuple[tuple[int, int, Link], ...]:
    labels = section_labels & aligner.prepared.by_label.keys()
    key = (macro_key(entry.block, manuscript.macros), manuscript.language, labels, summary)
    known = entry.block.memo.get("number links")
    if known is not None and known[0] is aligner and known[1] == key:
        return known[2]  # type: ignore[no-any-return]
    own = frozenset(label for table in tables_of(entry.block, manuscript.macros) for label in table.labels)
    paragraph = frozenset(label for sentence in sentences for label in sentence.labels)
    asked: dict[int, Sentence] = {}

    def ask(number: int) -> Sentence:
        known = asked.get(number)
        if known is None:
            sentence = sentences[number]
            known = asked[number] = Sentence(
                sentence.text,
                sentence.quantities,
                number if sentence.statement.kind in _ALONE else -1,
                sentence.labels | own if sentence.caption else sentence.labels,
                paragraph,
                labels,
                summary,
                tuple([place.macro for place in sentence.places]),
            )
        return known

    made: list[tuple[int, int, Link]] = []
    for number, sentence in enumerate(sentences):
        found: tuple[Link, ...]
        if not measured(sentence.quantities):
            found = unmeasured(number, sentence.quantities)
        else:
            before = [] if sentence.statement.kind in _ALONE else range(max(0, number - _BEFORE), number)
            nearby = [ask(other) for other in before if sentences[other].statement.kind not in _ALONE]
            found = aligner.sentence(number, ask(number), nearby)
        made += [(number, at, link) for at, link in enumerate(found)]
    result = tuple(made)
    entry.block.memo["number links"] = (aligner, key, result)
    return result


_EVIDENCE = (
    (Evidence.REFERENCE_SENTENCE, "the sentence refers to the table"),
    (Evidence.REFERENCE_PARAGRAPH, "the paragraph refers to the table"),
    (Evidence.REFERENCE_SECTION, "the section refers to the table"),
    (Evidence.ROW, "the row is named"),
    (Evidence.COLUMN, "the column is named"),
    (Evidence.ZIPPED, "the order of the names fits"),
    (Evidence.UNIT, "unit and decimals fit"),
    (Evidence.MACRO, "both use the same macro"),
)


def evidence_words(evidence: Evidence) -> tuple[str, ...]:
    """The evidence of a link in words."""
    return tuple(words for flag, words in _EVIDENCE if evidence & flag)


def count_reasons(manuscript: Manuscript) -> Counter[Reason]:
    """How many numbers are unknown for which reason."""
    return Counter(reason for _, _, reason in unknown_numbers(manuscript))


def cell_name(table: Table, cell: Cell) -> str:
    """The words that name a cell: its row and its column."""
    parts: Iterable[str] = (*cell.row_path[-1:], *cell.column_path[-2:])
    return ", ".join(part.strip() for part in parts if part.strip()) or "this cell"
