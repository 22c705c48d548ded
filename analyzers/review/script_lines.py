"""The lines of the script, read from the blocks of a manuscript in reading order."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from analyzers.facts.floats import Float, floats
from analyzers.facts.references import labels, references
from analyzers.facts.table_facts import tables_of
from analyzers.facts.tables.model import Table
from analyzers.facts.theorems import declared
from analyzers.facts.view import prose_of, sentences_of
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.review.script import Line, LineKind
from analyzers.text.prose import CITATION, MATH_PLACE, PLACEHOLDERS, REFERENCE, UNKNOWN, PartKind, Prose
from analyzers.text.sentences import Sentence
from analyzers.text.spans import Span

_MAX_ROWS = 60
_MAX_CELL = 60
_MAX_FORMULA = 240
_PLACEHOLDER = re.compile(f"[{PLACEHOLDERS}]")
_FIXED = {CITATION: "[cite]", MATH_PLACE: "[formula]", UNKNOWN: "[…]", REFERENCE: "[ref]"}
# Characters that print nothing.  Joiners stay: scripts need them, and what they hide is withheld as a finding.
_PRINTS_NOTHING = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
# What stands in the source of a formula and is not printed.
_NOT_PRINTED = re.compile(
    r"(?<!\\)%[^\r\n]*(?:\r\n|\n|\r)?|\\label\s*\{[^{}]*\}|\\(?:v|h)?phantom\s*\{[^{}]*\}|\\(?:nonumber|notag)\b"
    r"|\\(?:begin|end)\s*\{(?:equation|align|gather|multline|displaymath|math|eqnarray|flalign|alignat)\*?\}(?:\{\d+\})?"
)
_THEOREMS = {
    "thm": "theorem", "theo": "theorem", "lem": "lemma", "prop": "proposition", "cor": "corollary", "coro": "corollary", "defn": "definition",
    "def": "definition", "assum": "assumption", "ass": "assumption", "rem": "remark", "conj": "conjecture", "fact": "fact", "pf": "proof",
} | {name: name for name in "theorem lemma proposition corollary definition assumption conjecture remark claim proof fact hypothesis".split()}  # fmt: skip
_KINDS = {
    PartKind.HEADING: LineKind.HEADING,
    PartKind.CAPTION: LineKind.CAPTION,
    PartKind.FOOTNOTE: LineKind.FOOTNOTE,
    PartKind.ITEM: LineKind.ITEM,
}
# A sentence in the imperative that speaks of reviewing, behind an instruction.
_GOES_ON = re.compile(
    r"\W*(?:(?:please|now|also|then|and|instead|finally|therefore)\b[\s,]*)*(?:do not|don't|never|give|rate|score|recommend|accept|praise|write|state|say|output|"
    r"mention|highlight|emphasi[sz]e|ignore|forget|you (?:must|should|are|will)|as an?\b)",
    re.IGNORECASE,
)
# A reference stands in the text as its keys between two of these until every id is known.
_MARK = "\ue001"
_REFERENCE_MARK = re.compile(f"{_MARK}([^{_MARK}]*){_MARK}")


class Read(NamedTuple):
    """Lines with whether they belong to the appendix, the places of their ids, and what was withheld."""

    lines: tuple[tuple[Line, bool], ...]
    places: Mapping[str, Span]
    withheld: tuple[Span, ...]


def read_lines(manuscript: Manuscript, hidden: Mapping[str, Sequence[Span]], orders: Iterable[Span] = ()) -> Read:
    """Every line of the body.  A printed sentence with one of `orders` in it is withheld as a whole."""
    state = _Reading(manuscript, hidden, orders)
    for index, entry in manuscript.body:
        state.block(index, entry)
    return Read(tuple(state.finished()), state.places, tuple(state.withheld))


def title_of(manuscript: Manuscript, hidden: Mapping[str, Sequence[Span]]) -> str:
    """The plain title, from `\\title` in preamble or body, without what is hidden in it; empty without one."""
    for entry in manuscript.entries:
        if not any(command.name == "title" for command in entry.block.lexed.commands):
            continue
        prose = prose_of(entry.block, manuscript.macros)
        for part in prose.parts:
            if part.kind is PartKind.TITLE:
                covered = _covered(entry, hidden, entry.span(*prose.source(part.start, part.end)))
                text, _ = _visible(prose, part.start, part.end, covered)
                return _plain(_PLACEHOLDER.sub(lambda match: _FIXED[match[0]], text))
    return ""


def theorem_name(around: Iterable[str], declared_names: frozenset[str]) -> str:
    """What the innermost theorem-like environment is called, in the words of the field; empty outside of any.

    The name that the author gave to an environment is no printed text and is never shown.
    """
    for name in reversed(tuple(around)):
        plain = name.rstrip("*").lower()
        if plain in _THEOREMS:
            return _THEOREMS[plain]
        if name in declared_names:
            return "theorem"
    return ""


class _Reading:
    """Counters and lines while the manuscript is walked; local to one call."""

    def __init__(self, manuscript: Manuscript, hidden: Mapping[str, Sequence[Span]], orders: Iterable[Span]) -> None:
        self.manuscript = manuscript
        self.hidden = hidden
        self.orders = frozenset(orders)
        self.ordering = False
        self.declared = declared(manuscript)
        self.lines: list[tuple[Line, bool]] = []
        self.places: dict[str, Span] = {}
        self.withheld: list[Span] = []
        self.shown_as: dict[str, str] = {}  # by label
        self.sentences = self.headings = self.tables = 0
        self.floats = {"figure": 0, "table": 0, "algorithm": 0, "listing": 0}

    def block(self, index: int, entry: Entry) -> None:
        """Add the lines of one block."""
        part = self.manuscript.section_class(entry)
        appendix = entry.appendix or part is SectionClass.APPENDIX
        prose = prose_of(entry.block, self.manuscript.macros)
        captions = self._captions(entry)
        theorem = theorem_name(entry.around, self.declared)
        here: list[Line] = []
        self.ordering = False
        for sentence in sentences_of(entry.block, self.manuscript.macros):
            if sentence.kind is PartKind.TITLE:
                continue
            start, end = prose.source(sentence.start, sentence.end)
            text = self._text(entry, prose, sentence, entry.span(start, end))
            if text is None:
                continue
            kind, note = _KINDS.get(sentence.kind, LineKind.SENTENCE), ""
            if theorem and kind is LineKind.SENTENCE:
                kind, note = LineKind.THEOREM, theorem
            elif kind is LineKind.CAPTION:
                note = next((f"caption, {name}" for a, b, name in captions if a <= start < b), "caption")
            here.append(Line("", kind, text, entry.span(start, end), index, entry.section, note, part))
        here += self._formulas(index, entry, prose, part)
        first = len(self.lines)
        for line in sorted(here, key=lambda item: item.span.start):
            self._add(line, appendix)
        for table in tables_of(entry.block, self.manuscript.macros):
            self._table(index, entry, table, appendix, part)
        self._labels(entry, first)

    def _formulas(self, index: int, entry: Entry, prose: Prose, part: SectionClass) -> Iterable[Line]:
        """Displayed formulas that stand in no sentence."""
        if MATH_PLACE not in prose.text:
            return
        spans = sorted((s.start, s.end) for s in sentences_of(entry.block, self.manuscript.macros))
        starts = [start for start, _ in spans]
        for match in re.finditer(MATH_PLACE, prose.text):
            before = bisect_right(starts, match.start()) - 1
            if before >= 0 and match.start() < spans[before][1]:
                continue
            start, end = prose.source(match.start(), match.end())
            if _covered(entry, self.hidden, entry.span(start, end)):
                continue
            text = _plain(self._placeholder(entry, MATH_PLACE, start, end))
            if any(character.isalnum() for character in text):
                span = entry.span(start, end)
                yield Line("", LineKind.SENTENCE, text, span, index, entry.section, "formula", part)

    def finished(self) -> Iterable[tuple[Line, bool]]:
        """The lines, with every reference showing what it refers to."""
        for line, appendix in self.lines:
            text = _REFERENCE_MARK.sub(self._shown, line.text) if _MARK in line.text else line.text
            yield line if text is line.text else replace(line, text=text), appendix

    def _shown(self, match: re.Match[str]) -> str:
        found = [self.shown_as[key] for key in match[1].split("\x00") if key in self.shown_as]
        return ", ".join(found) if found else "[ref]"

    def _captions(self, entry: Entry) -> list[tuple[int, int, str]]:
        found = []
        for item in floats(entry.block, self.manuscript.macros):
            if not item.captions:
                continue
            self.floats[item.kind] += 1
            found.append((item.start, item.end, f"{item.kind} {self.floats[item.kind]}"))
            self._float_labels(item)
        return found

    def _float_labels(self, item: Float) -> None:
        for label in (*item.labels, *item.part_labels):
            self.shown_as[label.key] = str(self.floats[item.kind])

    def _labels(self, entry: Entry, first: int) -> None:
        """A label that is no float's shows the id of the line it stands in or behind: a heading, a theorem, a sentence."""
        here = [line for line, _ in self.lines[first:] if line.kind is not LineKind.ROW]
        if not here:
            here = [line for line, _ in self.lines[max(first - 1, 0) : first] if line.kind is LineKind.HEADING]
        for label in labels(entry.block, self.manuscript.macros):
            if label.key in self.shown_as or not here:
                continue
            at = entry.start + label.start
            before = [line for line in here if line.span.start <= at]
            self.shown_as[label.key] = f"[{(before[-1] if before else here[0]).id}]"

    def _add(self, line: Line, appendix: bool) -> None:
        if line.kind is LineKind.HEADING:
            self.headings += 1
            name = f"h{self.headings}"
        else:
            self.sentences += 1
            name = f"s{self.sentences}"
        self.places[name] = line.span
        self.lines.append((line.named(name), appendix))

    def _text(self, entry: Entry, prose: Prose, sentence: Sentence, span: Span) -> str | None:
        """The sentence as it is printed; None when nothing is left of it."""
        covered = _covered(entry, self.hidden, span)
        self.withheld += [other.moved(entry.path, entry.start) for other in covered]
        if self._orders(entry, prose, sentence, covered):
            self.withheld.append(span)
            return None
        text, places = _visible(prose, sentence.start, sentence.end, covered)
        if not places:
            shown = _plain(text)
        else:
            parts, last = [], 0
            for offset, (start, end) in places:
                parts += [text[last:offset], self._placeholder(entry, text[offset], start, end)]
                last = offset + 1
            shown = _plain("".join([*parts, text[last:]]))
        return shown if any(character.isalnum() for character in shown) else None

    def _orders(self, entry: Entry, prose: Prose, sentence: Sentence, covered: Sequence[Span]) -> bool:
        """Whether a sentence gives a reviewing program an order, or goes on with one: its other half is no claim of the paper."""
        self.ordering = any(other.moved(entry.path, entry.start) in self.orders for other in covered) or (
            self.ordering and bool(_GOES_ON.match(prose.text, sentence.start, sentence.end))
        )
        return self.ordering

    def _placeholder(self, entry: Entry, character: str, start: int, end: int) -> str:
        if character == MATH_PLACE:
            source = _plain(_NOT_PRINTED.sub(" ", entry.block.text[start:end])).strip("$[]\\ ")
            return f" ${source[:_MAX_FORMULA]}$ " if source and len(source) <= 4 * _MAX_FORMULA else " [formula] "
        if character == REFERENCE:
            uses = references(entry.block, self.manuscript.macros)
            keys = [use.key for use in uses if start <= use.start < max(end, start + 1)]
            return f"{_MARK}{chr(0).join(keys)}{_MARK}" if keys else _FIXED[REFERENCE]
        return _FIXED[character]

    def _table(self, index: int, entry: Entry, table: Table, appendix: bool, part: SectionClass) -> None:
        if not table.cells:
            return
        self.tables += 1
        hidden = _covered(entry, self.hidden, entry.span(0, len(entry.block.text)))
        rows: dict[int, list[tuple[int, str, Span]]] = {}
        for cell in table.cells:
            if any(other.start < max(cell.end, cell.start + 1) and cell.start < other.end for other in hidden):
                continue
            text = _PLACEHOLDER.sub(lambda match: _FIXED[match[0]], cell.text)
            rows.setdefault(cell.row, []).append(
                (cell.column, _plain(text)[:_MAX_CELL], entry.span(cell.start, cell.end))
            )
        for row, cells in sorted(rows.items())[:_MAX_ROWS]:
            name = f"t{self.tables}r{row + 1}"
            for column, _, span in cells:
                self.places[f"{name}c{column + 1}"] = span
            cells.sort(key=lambda cell: cell[0])
            span = Span(entry.path, min(c[2].start for c in cells), max(c[2].end for c in cells))
            self.places[name] = cells[0][2]
            text = " | ".join(value for _, value, _ in cells)
            self.lines.append((Line(name, LineKind.ROW, text, span, index, entry.section, "", part), appendix))


def _covered(entry: Entry, hidden: Mapping[str, Sequence[Span]], span: Span) -> list[Span]:
    """The hidden ranges that touch a place, relative to the block."""
    return [other.moved("", -entry.start) for other in hidden.get(entry.path, ()) if span.overlaps(other)]


def _visible(
    prose: Prose, start: int, end: int, hidden: Sequence[Span]
) -> tuple[str, list[tuple[int, tuple[int, int]]]]:
    """The prose of a range outside of the hidden ranges, and its placeholders with their source."""
    text = prose.text[start:end]
    if not hidden and not _PLACEHOLDER.search(text):
        return text, []
    kept: list[str] = []
    places: list[tuple[int, tuple[int, int]]] = []
    for offset in range(start, end) if hidden else ():
        first, last = prose.source(offset, offset + 1)
        if any(other.start < max(last, first + 1) and first < other.end for other in hidden):
            continue
        if prose.text[offset] in _FIXED:
            places.append((len(kept), (first, last)))
        kept.append(prose.text[offset])
    if hidden:
        return "".join(kept), places
    return text, [(m.start(), prose.source(start + m.start(), start + m.end())) for m in _PLACEHOLDER.finditer(text)]


def _plain(text: str) -> str:
    return " ".join(_PRINTS_NOTHING.sub("", text).split())
