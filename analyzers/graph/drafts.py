"""Drafts: what one block offers to the graph, before the rest of the manuscript is known.  Kept on the block."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from analyzers.facts.citations import citations
from analyzers.facts.floats import Float, floats
from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, references
from analyzers.facts.table_facts import tables_of
from analyzers.facts.tables.model import Table
from analyzers.facts.view import macro_key, prose_of, sentences_of
from analyzers.graph.cues import Lexicon
from analyzers.graph.identity import name_of
from analyzers.graph.schema import Form
from analyzers.related.terms import word_set
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, MATH_PLACE, PLACEHOLDERS, REFERENCE, PartKind, Prose
from analyzers.text.sentences import Sentence
from analyzers.text.words import split_words

MAX_SPAN = 600
_MAX_CAPTION = 400
_MAX_CHUNKS = 2
_READ = frozenset({PartKind.BODY, PartKind.ITEM, PartKind.ABSTRACT})
_RESULTS = frozenset(
    {
        "theorem",
        "lemma",
        "proposition",
        "corollary",
        "thm",
        "lem",
        "prop",
        "cor",
        "conjecture",
        "conj",
        "restatable",
        "thmrestate",
        "satz",
        "claim",
        "fact",
    }
)
_GROUNDS = frozenset({"definition", "defn", "defi", "assumption", "ass", "axiom"})
_ASIDES = frozenset(
    {
        "remark",
        "rem",
        "example",
        "notation",
        "question",
        "quote",
        "quotation",
        "epigraph",
        "thebibliography",
        "acknowledgments",
        "acknowledgements",
        "keywords",
    }
)
_FIGURE = re.compile(r"\d[.,]\d|\d\s?%|\d{3}|[=<>≈±]\s?[−–-]?\d|\d+/\d+|\d+ (?:out )?of \d+")
_DIGIT = re.compile(r"\d")
_NO_KEYS: frozenset[str] = frozenset()


# Never changed; but not declared as frozen, since that makes each of the fields of each sentence cost a call.
@dataclass(eq=False)
class Draft:
    """A sentence, float or theorem of one block; ranges are relative to it, each at most `MAX_SPAN` long.

    `words` counts words of the text, `place` is the number of its sentence in the paragraph, `follows` those after it.
    """

    form: Form
    ranges: tuple[tuple[int, int], ...]
    text: str
    terms: frozenset[str]
    cue: int
    references: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    cited: int = 0
    figures: int = 0
    formulas: int = 0
    words: int = 0
    place: int = 0
    follows: int = 0
    part: PartKind = PartKind.BODY
    environment: str = ""
    emphasised: bool = False

    @cached_property
    def name(self) -> str:
        """What its node is called, see `analyzers.graph.identity`."""
        return name_of(self.form.value, self.text, self.labels)

    @property
    def length(self) -> int:
        """How many code points of the source it covers."""
        return sum([end - start for start, end in self.ranges])


def drafts(block: Block, macros: Macros, lexicon: Lexicon) -> tuple[Draft, ...]:
    """Everything that a block offers, in its order."""
    return block.remember(
        ("graph drafts", macro_key(block, macros), lexicon.language), lambda b: tuple(_read(b, macros, lexicon))
    )


def _read(block: Block, macros: Macros, lexicon: Lexicon) -> Iterator[Draft]:
    if block.dead or len(block.text) < 12:
        return
    opened = [*block.stack, *(environment.name for environment in block.lexed.environments if environment.begins)]
    names = {name.rstrip("*").lower() for name in opened}
    if names & _ASIDES:
        return
    prose = prose_of(block, macros)
    spoken = sentences_of(block, macros)
    whole = floats(block, macros)
    tables = tables_of(block, macros)
    if whole or tables:
        yield from _floating(block, macros, lexicon, prose, spoken, whole, tables)
        return
    begun = next(
        (
            environment
            for environment in block.lexed.environments
            if environment.begins and environment.name.rstrip("*").lower() in _RESULTS | _GROUNDS
        ),
        None,
    )
    if begun is not None:
        theorem = _theorem(block, macros, lexicon, prose, spoken, begun.name.rstrip("*").lower())
        if theorem is not None:
            yield theorem
        return
    if names & _RESULTS or names & _GROUNDS:
        return
    body = [sentence for sentence in spoken if sentence.kind in _READ]
    if body:
        yield from _argument(block, macros, lexicon, prose, body, "proof" if "proof" in names else "")


def _argument(
    block: Block, macros: Macros, lexicon: Lexicon, prose: Prose, body: list[Sentence], environment: str
) -> Iterator[Draft]:
    """The sentences of running text."""
    source = block.text
    referring, citing = references(block, macros), citations(block, macros)
    emphasis = [command for command in ("\\textbf", "\\emph") if command in source]
    for place, sentence in enumerate(body):
        text = prose.text[sentence.start : sentence.end]
        words = len(split_words(text)) if lexicon.language != "zh" else len(text) // 2
        if words < 4:
            continue
        start, end = prose.source(sentence.start, sentence.end)
        yield Draft(
            Form.SENTENCE,
            ((start, min(end, start + MAX_SPAN)),),
            plain(text),
            _terms(text, lexicon),
            lexicon.cues(text),
            frozenset([use.key for use in referring if start <= use.start < end]) if referring else _NO_KEYS,
            cited=sum([start <= use.start < end for use in citing]) if citing else 0,
            figures=len(_FIGURE.findall(text)) if _DIGIT.search(text) is not None else 0,
            formulas=text.count(MATH_PLACE),
            words=words,
            place=place,
            follows=len(body) - place - 1,
            part=sentence.kind,
            environment=environment,
            emphasised=bool(emphasis) and any(source.find(command, start, end) >= 0 for command in emphasis),
        )


def _terms(text: str, lexicon: Lexicon) -> frozenset[str]:
    # The marked beginnings of `terms` widen a search; two sentences are compared by their words alone.
    found = word_set(text)
    return found - lexicon.stop if lexicon.stop else found


def _theorem(
    block: Block, macros: Macros, lexicon: Lexicon, prose: Prose, spoken: tuple[Sentence, ...], name: str
) -> Draft | None:
    body = [sentence for sentence in spoken if sentence.kind in _READ]
    if not body:
        return None
    ranges = _runs([prose.source(sentence.start, sentence.end) for sentence in body], MAX_SPAN)[:_MAX_CHUNKS]
    text = " ".join(prose.text[sentence.start : sentence.end] for sentence in body)
    return Draft(
        Form.THEOREM,
        tuple(ranges),
        plain(text),
        _terms(text, lexicon),
        lexicon.cues(text),
        frozenset(use.key for use in references(block, macros)),
        tuple(label.key for label in labels(block, macros)),
        formulas=text.count(MATH_PLACE),
        words=len(split_words(text)),
        environment=name,
    )


def _floating(
    block: Block, macros: Macros, lexicon: Lexicon, prose: Prose, spoken: tuple[Sentence, ...],
    whole: tuple[Float, ...], tables: tuple[Table, ...],
) -> Iterator[Draft]:  # fmt: skip
    captions = [
        (sentence, prose.source(sentence.start, sentence.end))
        for sentence in spoken
        if sentence.kind is PartKind.CAPTION
    ]
    taken: set[int] = set()
    for item in whole:
        inside = [table for table in tables if item.start <= table.start < item.end]
        taken.update(table.start for table in inside)
        own = [(sentence, place) for sentence, place in captions if item.start <= place[0] < item.end]
        yield from _float(block, macros, lexicon, prose, own, item, inside)
    for table in tables:
        if table.start not in taken:
            yield from _float(block, macros, lexicon, prose, captions, None, [table])


def _float(
    block: Block, macros: Macros, lexicon: Lexicon, prose: Prose, captions: list[tuple[Sentence, tuple[int, int]]],
    item: Float | None, inside: list[Table],
) -> Iterator[Draft]:  # fmt: skip
    text = " ".join(prose.text[sentence.start : sentence.end] for sentence, _ in captions)
    ranges = _runs([place for _, place in captions], _MAX_CAPTION)[:1]
    form = Form.TABLE if inside else Form.FIGURE
    if item is not None and item.kind in ("algorithm", "listing"):
        form = Form.ALGORITHM
    chunks, cells, emphasised, numbers = _rows(inside)
    ranges += chunks
    if not ranges:
        return
    keys = [label.key for label in (*item.labels, *item.part_labels)] if item is not None else []
    keys += [key for table in inside for key in table.labels]
    if not keys and item is None:
        keys = [label.key for label in labels(block, macros)]
    yield Draft(
        form,
        tuple(ranges),
        plain(text) or plain(" ".join(cells[:8])),
        _terms(text + " " + " ".join(cells[:60]), lexicon),
        lexicon.cues(text),
        labels=tuple(dict.fromkeys(keys)),
        figures=numbers,
        words=len(split_words(text)),
        part=PartKind.CAPTION,
        emphasised=emphasised,
    )


def _rows(tables: list[Table]) -> tuple[list[tuple[int, int]], list[str], bool, int]:
    """The rows in pieces of at most `MAX_SPAN`, those with emphasised cells first; the texts that name them; their numbers."""
    pieces: list[tuple[int, tuple[int, int]]] = []
    names: list[str] = []
    emphasised = False
    numbers = 0
    for table in tables:
        rows: dict[int, list[tuple[int, int]]] = {}
        marked: set[int] = set()
        for cell in table.cells:
            if cell.header or cell.row < table.header_rows:
                names.append(cell.text)
                continue
            if cell.column < table.label_columns:
                names.append(cell.text)
            if cell.through_macro is None and cell.end > cell.start:
                rows.setdefault(cell.row, []).append((cell.start, cell.end))
            if cell.quantity is not None:
                numbers += 1
                if cell.bold:
                    marked.add(cell.row)
        emphasised = emphasised or bool(marked)
        places = [(row, (min(a for a, _ in here), max(b for _, b in here))) for row, here in sorted(rows.items())]
        for run in _runs([place for _, place in places], MAX_SPAN):
            weight = sum(row in marked for row, (a, b) in places if run[0] <= a and b <= run[1])
            pieces.append((-weight, run))
    return [run for _, run in sorted(pieces)[:_MAX_CHUNKS]], names, emphasised, numbers


def _runs(places: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """Neighbouring ranges joined as long as they stay within `limit`."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        if found and start >= found[-1][0] and end - found[-1][0] <= limit:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, min(end, start + limit)))
    return found


def plain(text: str) -> str:
    """Prose for people: without citations, with an ellipsis for what cannot be written out, in one line."""
    if not text.isascii():  # no placeholder is
        text = text.replace(CITATION, "").replace(REFERENCE, "…")
        for character in PLACEHOLDERS:
            text = text.replace(character, "…")
    return " ".join(text.split()).replace(" .", ".").replace(" ,", ",").replace("()", "").strip()
