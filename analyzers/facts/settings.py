"""Settings of experiments: learning rate, batch size, epochs, seeds … with their value and the words that say what they hold for."""

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.significance import read_number
from analyzers.facts.statements import Statement, statements
from analyzers.facts.view import block_fact_by_language, prose_of
from analyzers.facts.vocabulary import Gate, longest_word, prose_words, source_words
from analyzers.text.document import Block
from analyzers.text.environments import TABULAR
from analyzers.text.lex import read_arguments
from analyzers.text.openings import openings
from analyzers.text.prose import PartKind

_VALUE = (
    r"(?:\d+(?:,\d{3})+(?![\d,])|\d*\.?\d+(?:\s?[×x·∗*]\s?10\s?\^?\s?\(?[-−–]?\d+\)?|[eE][-−–]?\d+|\^[-−–]?\d+)?[kK]?)"
)
_LINK = (
    r"(?:\s?\(?[A-Za-zηαβλγε_]{1,9}\)?)?\s?(?:(?:of|is|was|are|at|to|equals?|(?:(?:is|was|are|were)\s)?(?:set|fixed|kept|equal)\s(?:to|at))\s)?"
    r"(?:[A-Za-zηαβλγε]\s?(?==))?[=:]?\s?"
)
_MOST = 12  # settings in one sentence; what has more is data
_NAME = re.compile(
    r"(?<![\w\\])(?=[\w-]*(?:[A-Z][a-z]*[A-Z0-9]|[A-Z]{2}|[A-Z][a-z]+-?\d|[A-Z][a-z]{2,}))[A-Za-z][\w-]*\w"
)
_SUBJECT = re.compile(
    r"\b(?:the|our|a|an|each|all)\s(?:[a-z-]+\s){0,1}?([a-z]{4,}(?:er|or|net|network|model|module|head|classifier|agent|ranker|tagger|parser))\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "the we our all results table figure section for each adamw adam sgd accuracy training training settings in on and to with hyper-parameters hyperparameters appendix this it"
    " after following best model models optimizer gpu gpus nvidia relu cosine"
    " em f1 bleu rouge auc auroc mse mae rmse map mrr ndcg wer cer psnr ssim fid iou miou sota".split()
)


class Setting(NamedTuple):
    """One statement of a setting.  Offsets are in the source of its block; `sentence` is the range of sentence, caption or row."""

    name: str
    value: str
    number: Decimal | None
    start: int
    end: int
    sentence: tuple[int, int]
    place: str  # text, caption, table
    names: frozenset[str]
    subjects: frozenset[str]
    phases: frozenset[str]
    universal: bool
    hyper: bool  # in a table or caption of settings


class _Patterns(NamedTuple):
    before: tuple[tuple[str, re.Pattern[str]], ...]
    after: tuple[tuple[str, re.Pattern[str]], ...]
    named: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]
    rows: tuple[tuple[str, re.Pattern[str]], ...]
    begins: tuple[tuple[str, ...], ...]  # for each of `before` and `after`: how its words may begin
    stems: tuple[tuple[str, str], ...]  # each with its longest word
    skip: re.Pattern[str]
    qualifiers: re.Pattern[str]
    universal: re.Pattern[str]
    phases: re.Pattern[str]
    words: dict[str, int]


@lru_cache(maxsize=8)
def _patterns(language: str) -> _Patterns | None:
    table: Any = json.loads(files("analyzers.facts.data").joinpath("settings.json").read_text("utf-8"))
    lexicon = table.get(language)
    if lexicon is None:
        return None
    words = "|".join(lexicon["words"])
    cased = re.IGNORECASE
    return _Patterns(
        tuple((name, re.compile(rf"(?<![\w-])(?:{form}){_LINK}(?P<value>{_VALUE}{'|' + words if name == 'runs' else ''})(?![\w%]|\.\d)", cased)) for name, form in lexicon["before"].items()),
        tuple((name, re.compile(rf"(?<![\w.,$^-])(?P<value>{_VALUE}|{words})(?:\s|-)?(?<=[\s\w-])(?:{form})\b", cased)) for name, form in lexicon["after"].items()),
        tuple((name, re.compile(form), re.compile(lexicon["name_cues"][name], cased)) for name, form in lexicon["names"].items()),
        tuple((name, re.compile(rf"(?:{form})(?:\s?\([^)]*\)|\s?\S)?", cased)) for name, form in lexicon["table"].items()),
        tuple(tuple(sorted({begin.strip() for begin in openings(form.lower())})) for form in (*lexicon["before"].values(), *lexicon["after"].values())),
        tuple((longest_word(stem), stem) for stem in lexicon["stems"]),
        re.compile(lexicon["skip"], cased),
        re.compile(lexicon["qualifiers"], cased),
        re.compile(lexicon["universal"], cased),
        re.compile(lexicon["phases"], cased),
        lexicon["words"],
    )  # fmt: skip


@block_fact_by_language
def settings(block: Block, macros: Macros, language: str) -> tuple[Setting, ...]:
    """The settings that a block states in sentences, captions and two-column tables."""
    return tuple(_read(block, macros, language))


def _read(block: Block, macros: Macros, language: str) -> Iterator[Setting]:
    patterns = _patterns(language)
    if patterns is None:
        return
    # A setting needs a stem, and a stem its longest word: few of them are left to look for.
    held = _stems_gate(language).pieces(source_words(block))
    stems = [stem for word, stem in patterns.stems if word in held] if held else []
    if not stems or not _speaks(block.text, stems):
        return
    prose = prose_of(block, macros)
    spoken = _stems_gate(language).pieces(prose_words(block, macros))
    if spoken != held:
        stems = [stem for word, stem in patterns.stems if word in spoken]
    for sentence in statements(block, macros):
        if not _speaks(sentence.text, stems):
            continue
        source = prose.source(sentence.start, sentence.end)
        place = "caption" if sentence.kind is PartKind.CAPTION else "text"
        for name, value, start, end in _in_sentence(sentence, patterns):
            span = prose.source(sentence.start + start, sentence.start + end)
            yield _setting(name, value, span, source, place, sentence.text, patterns)
    if any(environment.name in TABULAR for environment in block.lexed.environments):
        caption = " ".join(s.text for s in statements(block, macros) if s.kind is PartKind.CAPTION)
        yield from _rows(block, caption, patterns)


@lru_cache(maxsize=8)
def _stems_gate(language: str) -> Gate:
    patterns = _patterns(language)
    return Gate(word for word, _ in (patterns.stems if patterns else ()))


def _speaks(text: str, stems: Iterable[str]) -> bool:
    """A cheap look for a word that any setting needs."""
    lower = text.lower()
    return any(stem in lower for stem in stems)


def _in_sentence(sentence: Statement, patterns: _Patterns) -> list[tuple[str, str, int, int]]:
    text = sentence.text
    found: list[tuple[str, str, int, int]] = []
    named_after = len(patterns.before)
    lower = text.lower()
    for number, (name, pattern) in enumerate((*patterns.before, *patterns.after)):
        if not any(begin in lower for begin in patterns.begins[number]):
            continue
        for match in pattern.finditer(text):
            if patterns.qualifiers.search(text[max(match.start() - 20, 0) : match.start()]):
                continue
            # What is varied, compared or quoted is no setting; a semicolon ends what such a word is about.
            if patterns.skip.search(text, text.rfind(";", 0, match.start()) + 1, _stop(text, match.end())):
                continue
            start, end = match.span("value")
            # "a rate of 0.1, 4,000 warm-up steps": the number before the comma belongs to the setting before.
            closed = number >= named_after and (
                _OTHER_VALUE.search(text[max(start - 40, 0) : start]) is not None
                or any(text[end_before:start] == " and " for *_, end_before in found)
            )
            if _LIST_AFTER.match(text, end) if closed else _several(text, start, end):
                continue
            found.append((name, match["value"], *match.span("value")))
    for name, pattern, cue in patterns.named:
        matches = list(pattern.finditer(text))
        if len(matches) == 1 and cue.search(text) and not patterns.skip.search(text):
            found.append((name, matches[0][0], *matches[0].span()))
    if len(found) > _MOST:
        return []
    counts: dict[str, set[str]] = {}
    for name, value, _, _ in found:
        counts.setdefault(name, set()).add(value)
    return [item for item in found if len(counts[item[0]]) == 1]


# What follows the number of another setting: "0.1, 32 sequences per batch".
_OTHER_UNIT = r"(?![\d.,]*\s?(?:[a-z-]+\s){0,2}?(?:epochs|layers|heads|seeds|(?:steps|updates|iterations)\b|per (?:mini-?)?batch)|[a-z]*\s?(?:epochs|layers))"
_LIST_AFTER = re.compile(
    rf"\s?(?:,\s?(?:and|or)?|and|or|to|–|-|/|→|\.\.\.|±|,\s)\s?[\d.]+{_OTHER_UNIT}|\s?[-–/→±]\s?\d|\s?(?:or|and|to)\s\d{_OTHER_UNIT}|\s?×\s?\d|\s?\}}"
)
_LIST_BEFORE = re.compile(r"[\d.]\s?(?:,|and|or|to|–|-|/|→|\.\.\.)\s?$|[{\[]\s?$|[-–/→]\s?$")


def _stop(text: str, position: int) -> int:
    end = text.find(";", position)
    return end if end >= 0 else len(text)


_OTHER_VALUE = re.compile(r"[a-z]\s(?:of|is|was|to|at)\s[^\s,;]{1,24},\s(?:and\s)?$")


def _several(text: str, start: int, end: int) -> bool:
    """True when a value is one of a list or range."""
    return _LIST_AFTER.match(text, end) is not None or _LIST_BEFORE.search(text[max(start - 12, 0) : start]) is not None


def _setting(
    name: str, value: str, span: tuple[int, int], sentence: tuple[int, int], place: str, text: str, patterns: _Patterns
) -> Setting:
    names = frozenset(
        match[0].lower() for match in _NAME.finditer(text, 1) if match[0].lower() not in _COMMON and match[0] != value
    )
    return Setting(
        name,
        value,
        number_of(value, patterns.words),
        *span,
        sentence,
        place,
        names,
        frozenset(match[1].lower() for match in _SUBJECT.finditer(text)),
        frozenset(re.sub(r"\W", "", match[0].lower())[:7] for match in patterns.phases.finditer(text)),
        patterns.universal.search(text) is not None,
        re.search(
            r"hyper-?parameter|settings?\b|configuration|(?:training|implementation) details|\bparameters (?:of|for|used)|values used",
            text,
            re.IGNORECASE,
        )
        is not None,
    )


def number_of(value: str, words: dict[str, int]) -> Decimal | None:
    """The number that a value stands for, None for names."""
    if value.lower() in words:
        return Decimal(words[value.lower()])
    plain = value.replace("−", "-").replace("–", "-").replace("∗", "×").replace("*", "×").replace(" ", "")
    plain = re.sub(r",(?=\d{3})", "", plain)
    factor = 1000 if plain[-1:] in "kK" else 1
    plain = re.sub(r"^10\^(-?\d+)$", r"1e\1", plain.rstrip("kK"))
    read = read_number(plain)
    return read[0] * factor if read is not None else None


_COMMENT = re.compile(r"(?<!\\)%[^\r\n]*")
_RULE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|addlinespace|cmidrule(?:\([^)]*\))?\{[^}]*\}|cline\{[^}]*\})(?:\[[^\]]*\])?"
)


def _rows(block: Block, caption: str, patterns: _Patterns) -> Iterator[Setting]:
    """Rows of a name and one value in the tables of a block."""
    text = block.text
    opened: int | None = None
    for environment in block.lexed.environments:
        if environment.name not in TABULAR:
            continue
        if environment.begins:
            wide = environment.name.rstrip("*") != environment.name or environment.name.startswith(
                ("tabularx", "tabulary", "tabu", "xltab")
            )
            opened = read_arguments(text, environment.end, 2 if wide else 1)[1]
        elif opened is not None and environment.start - opened < 20_000:
            yield from _table(text, opened, environment.start, caption, patterns)
            opened = None


def _table(text: str, start: int, end: int, caption: str, patterns: _Patterns) -> Iterator[Setting]:
    position = start
    filled: list[tuple[str, int, list[tuple[str, int]]]] = []
    for row in re.split(r"(\\\\)", text[start:end]):
        cells = _cells(row)
        if cells and row != "\\\\":
            filled.append((row, position, cells))
        position += len(row)
    if len(filled) == 2 and len(filled[0][2]) == len(filled[1][2]) >= _ACROSS:
        # Names above values: at least two of the names are known, and no name stands below.
        (_, _, names), (row, position, values) = filled
        pairs = [(_named(label, patterns), value, at) for (label, _), (value, at) in zip(names, values, strict=True)]
        known = sum(name is not None for name, _, _ in pairs)
        if known >= _ACROSS and all(_named(value, patterns) is None for value, _ in values):
            for name, value, at in pairs:
                yield from _cell(name, value, position + at, row, position, caption, patterns)
            return
    for row, position, cells in filled:
        if len(cells) == 2:
            (label, _), (value, at) = cells
            yield from _cell(_named(label, patterns), value, position + at, row, position, caption, patterns)


_ACROSS = 2


def _named(label: str, patterns: _Patterns) -> str | None:
    plain = _plain(label)
    return next((known for known, pattern in patterns.rows if pattern.fullmatch(plain)), None)


def _cell(
    name: str | None, value: str, start: int, row: str, position: int, caption: str, patterns: _Patterns
) -> Iterator[Setting]:
    """The setting `name` in a cell that begins at `start`; `position` is that of its row."""
    written = _plain(value)
    if name is None or not written:
        return
    number = number_of(written, patterns.words)
    named = next(
        (m[0] for known, pattern, _ in patterns.named if known == name and (m := pattern.fullmatch(written))), None
    )
    if number is None and named is None:
        return
    first = start + len(value) - len(value.lstrip())
    whole = (position + len(row) - len(row.lstrip()), position + len(row.rstrip()))
    made = _setting(name, written, (first, first + len(value.strip())), whole, "table", caption, patterns)
    yield made._replace(number=number)


def _cells(row: str) -> list[tuple[str, int]]:
    """The cells of a row that are not empty, with their offsets in it; rules and comments are blanked."""
    blanked = _RULE.sub(lambda m: " " * len(m[0]), _COMMENT.sub(lambda m: " " * len(m[0]), row))
    cells, position = [], 0
    for piece in re.split(r"(?<!\\)(&)", blanked):
        if piece != "&" and piece.strip():
            cells.append((piece, position))
        position += len(piece)
    return cells


def _plain(cell: str) -> str:
    """The text of a cell without commands and braces."""
    text = (
        cell.replace("\\times", "×")
        .replace("\\cdot", "·")
        .replace("\\,", "")
        .replace("{,}", ",")
        .replace("\\%", "%")
        .replace("\\#", "#")
    )
    text = re.sub(r"\\[A-Za-z]+\*?|[${}]", "", text)
    return " ".join(text.replace("~", " ").split())
