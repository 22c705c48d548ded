"""The manuscript as a model reads it: numbered sentences by section, tables as grids with cell ids, captions, theorem blocks.

Models answer with ids and never quote (invariant 9).  The text is what a reader of the PDF sees; hidden text and instructions
to reviewing programs are withheld and counted (invariant 6).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from analyzers.facts.table_facts import tables_of
from analyzers.facts.view import prose_of, sentences_of
from analyzers.finding import Finding
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import CITATION, MATH_PLACE, REFERENCE, UNKNOWN, PartKind, Prose
from analyzers.text.sentences import Sentence
from analyzers.text.spans import Span

_READABLE = {ord(CITATION): "[cite]", ord(REFERENCE): "[ref]", ord(MATH_PLACE): "[formula]", ord(UNKNOWN): "[…]"}
_MAX_ROWS = 60
_MAX_CELL = 60
_THEOREMS = frozenset(
    "theorem lemma proposition corollary definition assumption conjecture remark claim proof thm lem prop cor".split()
)
# Findings whose text a model must not read.
WITHHELD = frozenset({"SEC001", "SEC002", "SEC003", "SEC004"})


class LineKind(StrEnum):
    """What a line of the script is."""

    HEADING = "heading"
    SENTENCE = "sentence"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    ITEM = "item"
    THEOREM = "theorem"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `id` is what a model answers with (`s12`, `t3r2`, `h4`)."""

    id: str
    kind: LineKind
    text: str
    span: Span
    entry: int
    section: int


@dataclass(frozen=True, slots=True)
class Script:
    """The whole manuscript as lines; `places` also holds the single cells of tables (`t3r2c1`)."""

    title: str
    main: tuple[Line, ...]
    appendix: tuple[Line, ...]
    places: Mapping[str, Span] = field(default_factory=dict)
    withheld: tuple[Span, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """Main text and appendix."""
        return self.main + self.appendix

    def text(self, lines: Iterable[Line]) -> str:
        """Lines as they are put into a prompt."""
        return "\n".join(_shown(line) for line in lines)


def script_of(manuscript: Manuscript, findings: Iterable[Finding] = (), max_main_words: int | None = None) -> Script:
    """The script of a manuscript.

    `findings` are those of its analysis: what SEC checks flag is withheld.  `max_main_words` cuts the main text (the ten-page
    rule of the published system is about 6,000 words); what is cut off is read as appendix.
    """
    hidden: dict[str, list[Span]] = {}
    for finding in findings:
        if finding.code in WITHHELD:
            for span in (finding.span, *(related.span for related in finding.related)):
                hidden.setdefault(span.path, []).append(span)
    state = _State(manuscript, hidden)
    for index, entry in manuscript.body:
        state.block(index, entry)
    main = [line for line, appendix in state.lines if not appendix]
    rest = [line for line, appendix in state.lines if appendix]
    if max_main_words is not None:
        words, cut = 0, len(main)
        for number, line in enumerate(main):
            words += len(line.text.split())
            if words > max_main_words:
                cut = number
                break
        main, rest = main[:cut], main[cut:] + rest
    return Script(title_of(manuscript), tuple(main), tuple(rest), state.places, tuple(state.withheld))


def title_of(manuscript: Manuscript) -> str:
    """The plain title, from `\\title` in preamble or body; empty without one."""
    for entry in manuscript.entries:
        prose = (
            prose_of(entry.block, manuscript.macros)
            if any(c.name == "title" for c in entry.block.lexed.commands)
            else None
        )
        for part in prose.parts if prose else ():
            if part.kind is PartKind.TITLE and prose:
                return " ".join(prose.text[part.start : part.end].translate(_READABLE).split())
    return ""


class _State:
    """Counters and lines while the manuscript is walked; local to one call."""

    def __init__(self, manuscript: Manuscript, hidden: Mapping[str, list[Span]]) -> None:
        self.manuscript = manuscript
        self.hidden = hidden
        self.lines: list[tuple[Line, bool]] = []
        self.places: dict[str, Span] = {}
        self.withheld: list[Span] = []
        self.sentences = self.headings = self.tables = 0

    def block(self, index: int, entry: Entry) -> None:
        """Add the lines of one block."""
        appendix = entry.appendix or self.manuscript.section_class(entry) is SectionClass.APPENDIX
        theorem = any(name.rstrip("*").lower() in _THEOREMS for name in entry.around)
        prose = prose_of(entry.block, self.manuscript.macros)
        here: list[tuple[int, Line]] = []
        for sentence in sentences_of(entry.block, self.manuscript.macros):
            if sentence.kind is PartKind.TITLE:
                continue
            start, end = prose.source(sentence.start, sentence.end)
            span = entry.span(start, end)
            text = self._visible(entry, prose, sentence, span)
            if text is None:
                continue
            kind = _KINDS.get(sentence.kind, LineKind.SENTENCE)
            if theorem and kind is LineKind.SENTENCE:
                kind = LineKind.THEOREM
            here.append((start, Line("", kind, text, span, index, entry.section)))
        for _, line in sorted(here, key=lambda item: item[0]):
            self._add(line, appendix)
        for table in tables_of(entry.block, self.manuscript.macros):
            self._table(index, entry, table, appendix)

    def _add(self, line: Line, appendix: bool) -> None:
        if line.kind is LineKind.HEADING:
            self.headings += 1
            name = f"h{self.headings}"
        else:
            self.sentences += 1
            name = f"s{self.sentences}"
        self.places[name] = line.span
        self.lines.append((Line(name, line.kind, line.text, line.span, line.entry, line.section), appendix))

    def _visible(self, entry: Entry, prose: Prose, sentence: Sentence, span: Span) -> str | None:
        """The sentence without what is hidden in it; None when nothing is left."""
        text = prose.text[sentence.start : sentence.end]
        covered = [other for other in self.hidden.get(entry.path, ()) if span.overlaps(other)]
        if covered:
            self.withheld += covered
            text = _uncovered(
                prose, sentence, [(other.start - entry.start, other.end - entry.start) for other in covered]
            )
        shown = " ".join(text.translate(_READABLE).split())
        return shown if any(character.isalnum() for character in shown) else None

    def _table(self, index: int, entry: Entry, table: object, appendix: bool) -> None:
        from analyzers.facts.tables.model import Table

        if not isinstance(table, Table) or not table.cells:
            return
        self.tables += 1
        rows: dict[int, list[tuple[int, str, Span]]] = {}
        for cell in table.cells:
            span = entry.span(cell.start, cell.end)
            if any(span.overlaps(other) for other in self.hidden.get(entry.path, ())):
                continue
            rows.setdefault(cell.row, []).append(
                (cell.column, " ".join(cell.text.translate(_READABLE).split())[:_MAX_CELL], span)
            )
        for row, cells in sorted(rows.items())[:_MAX_ROWS]:
            name = f"t{self.tables}r{row + 1}"
            for column, _, span in cells:
                self.places[f"{name}c{column + 1}"] = span
            text = " | ".join(value for _, value, _ in sorted(cells))
            self.places[name] = cells[0][2]
            self.lines.append((Line(name, LineKind.ROW, text, cells[0][2], index, entry.section), appendix))


def _uncovered(prose: Prose, sentence: Sentence, hidden: list[tuple[int, int]]) -> str:
    """The characters of a sentence whose source lies outside of the hidden ranges (relative to the block)."""
    kept: list[str] = []
    for offset in range(sentence.start, sentence.end):
        start, end = prose.source(offset, offset + 1)
        if not any(a < max(end, start + 1) and start < b for a, b in hidden):
            kept.append(prose.text[offset])
    return "".join(kept)


_KINDS = {
    PartKind.HEADING: LineKind.HEADING,
    PartKind.CAPTION: LineKind.CAPTION,
    PartKind.FOOTNOTE: LineKind.FOOTNOTE,
    PartKind.ITEM: LineKind.ITEM,
}


def _shown(line: Line) -> str:
    if line.kind is LineKind.HEADING:
        return f"\n## [{line.id}] {line.text}"
    mark = "" if line.kind in (LineKind.SENTENCE, LineKind.ITEM) else f" ({line.kind})"
    return f"[{line.id}]{mark} {line.text}"
