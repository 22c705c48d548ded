"""The manuscript as a model reads it: numbered sentences by section, tables as grids with cell ids, captions, theorem blocks.

Models answer with ids and never quote (invariant 9).  The text is what a reader of the PDF sees; hidden text and instructions
to reviewing programs are withheld and counted (invariant 6).  Keys of labels and citations are no printed text either: a reference
shows the number or the id of what it refers to.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from analyzers.facts.citations import citations
from analyzers.finding import Finding
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.spans import Span

# The ten-page rule of the published system, as words of the script.
TEN_PAGES = 6_000
# Findings whose text a model must not read.
INSTRUCTION = "SEC004"
WITHHELD = frozenset({"SEC001", "SEC002", "SEC003", INSTRUCTION})
_MAX_REFERENCES = 120
_MAX_REFERENCE = 160
_CHARACTERS_PER_TOKEN = 4
# Commands that may hide a part of a field; no title needs them.
_STYLED = re.compile(r"\\(?:text)?color|phantom|\\fontsize|\\(?:scale|resize|raise)box|\\transparent")
# Characters that print nothing.  Joiners stay in text: scripts need them, and what they hide is withheld as a finding.
_PRINTS_NOTHING = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


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
    """One line: `id` is what a model answers with (`s12`, `t3r2`, `h4`).

    `note` says more of its kind, such as “figure 2” or “lemma”; `part` is the class of its section.
    """

    id: str
    kind: LineKind
    text: str
    span: Span
    entry: int
    section: int
    note: str = ""
    part: SectionClass = SectionClass.OTHER

    def named(self, name: str) -> "Line":
        """The same line under an id."""
        return replace(self, id=name)


@dataclass(frozen=True)
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

    @cached_property
    def by_id(self) -> Mapping[str, Line]:
        """Lines by their id."""
        return {line.id: line for line in self.lines}

    @cached_property
    def _by_entry(self) -> Mapping[str, tuple[Line, ...]]:
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.span.path, []).append(line)
        return {path: tuple(sorted(lines, key=lambda line: line.span.start)) for path, lines in found.items()}

    def line_of(self, place: str) -> Line | None:
        """The line of an id; that of the row for a cell."""
        line = self.by_id.get(place)
        if line is None and place in self.places and "c" in place:
            line = self.by_id.get(place[: place.rindex("c")])
        return line

    def at(self, span: Span) -> str | None:
        """The id of the line or cell that holds the start of a place, else of one that touches it."""
        here = self._by_entry.get(span.path, ())
        low, high = 0, len(here)
        while low < high:
            middle = (low + high) // 2
            if here[middle].span.start <= span.start:
                low = middle + 1
            else:
                high = middle
        for line in reversed(here[max(low - 8, 0) : low]):
            if line.span.start <= span.start < line.span.end:
                return line.id if line.kind is not LineKind.ROW else self._cell(line, span)
            if line.kind is LineKind.ROW and (cell := self._cell(line, span)) != line.id:
                return cell
        for line in here[low : low + 4]:
            if line.span.overlaps(span):
                return line.id
        return None

    def _cell(self, row: Line, span: Span) -> str:
        for column in range(1, 100):
            place = self.places.get(f"{row.id}c{column}")
            if place is not None and place.start <= span.start < max(place.end, place.start + 1):
                return f"{row.id}c{column}"
        return row.id

    def text(self, lines: Iterable[Line]) -> str:
        """Lines as they are put into a prompt."""
        shown: list[str] = []
        part: SectionClass | None = None
        for line in lines:
            if line.part is SectionClass.ABSTRACT and part is not SectionClass.ABSTRACT:
                shown.append("\n## Abstract")
            part = line.part
            shown.append(_shown(line))
        return "\n".join(shown)


def script_of(manuscript: Manuscript, findings: Iterable[Finding] = (), max_main_words: int | None = None) -> Script:
    """The script of a manuscript.

    `findings` are those of its analysis: what SEC checks flag is withheld.  `max_main_words` cuts the main text (see
    `TEN_PAGES`); what is cut off is read as appendix.
    """
    from analyzers.review.script_lines import read_lines, title_of

    findings = tuple(findings)
    orders = [finding.span for finding in findings if finding.code == INSTRUCTION]
    read = read_lines(manuscript, hidden_places(findings), orders)
    main = [line for line, appendix in read.lines if not appendix]
    rest = [line for line, appendix in read.lines if appendix]
    if max_main_words is not None:
        words, cut = 0, len(main)
        for number, line in enumerate(main):
            words += len(line.text.split())
            if words > max_main_words:
                cut = number
                break
        main, rest = main[:cut], main[cut:] + rest
    title = title_of(manuscript, hidden_places(findings))
    return Script(title, tuple(main), tuple(rest), read.places, tuple(dict.fromkeys(read.withheld)))


def hidden_places(findings: Iterable[Finding]) -> Mapping[str, list[Span]]:
    """By file, what must not be read: the text that SEC checks flag."""
    hidden: dict[str, list[Span]] = {}
    for finding in findings:
        if finding.code in WITHHELD:
            for span in (finding.span, *(related.span for related in finding.related)):
                hidden.setdefault(span.path, []).append(span)
    return hidden


def references_of(manuscript: Manuscript, findings: Iterable[Finding] = ()) -> tuple[str, ...]:
    """The cited works, one short line each: first author, year, title.  Other fields print nothing a reviewer needs."""
    hidden = hidden_places(findings)
    found: dict[str, str] = {}
    for _, _, citation in manuscript.located(citations):
        entry = manuscript.entry_of_key(citation.key)
        if entry is None or citation.key in found or len(found) >= _MAX_REFERENCES:
            continue
        span = Span(entry.path, entry.start, entry.end)
        if any(span.overlaps(other) for other in hidden.get(entry.path, ())):
            continue
        names = entry.plain("author") or entry.plain("editor")
        first = names.split(" and ")[0].split(",")[0].strip()
        year = (entry.plain("year") or entry.plain("date"))[:4]
        title = entry.plain("title")
        line = " ".join(f"{first} ({year}). {title}".replace("{", "").replace("}", "").split())
        if title and not _STYLED.search(entry.value("title") + entry.value("author")):
            found[citation.key] = _PRINTS_NOTHING.sub("", line)[:_MAX_REFERENCE]
    return tuple(found.values())


def printed(text: str) -> str:
    """A text in one line, without the characters that print nothing."""
    return " ".join(_PRINTS_NOTHING.sub("", text).split())


def tokens_in(text: str) -> int:
    """About how many tokens a text has, at four characters each: for planning; a model's adapter counts exactly."""
    plain = len(text) if text.isascii() else sum(character.isascii() for character in text)
    return -(-plain // _CHARACTERS_PER_TOKEN) + (len(text) - plain)


def _shown(line: Line) -> str:
    if line.kind is LineKind.HEADING:
        return f"\n## [{line.id}] {line.text}"
    mark = ""
    if line.note:
        mark = f" ({line.note})"
    elif line.kind not in (LineKind.SENTENCE, LineKind.ITEM, LineKind.ROW):
        mark = f" ({line.kind})"
    return f"[{line.id}]{mark} {line.text}"
