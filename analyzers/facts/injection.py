"""Phrases that instruct a program which reviews the paper, wherever they stand in the source.

Only the wording is found here, with what decides how to take it: whether it is an order, whether it is quoted or code, and whether it
stands in printed text, a comment, metadata or the description of a figure.  The phrases are data (`data/instructions.json`).
"""

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from analyzers.facts.hidden_text_characters import invisible_characters
from analyzers.facts.hidden_text_ground import enclosing_commands
from analyzers.facts.quoted import in_quotes, is_quoting
from analyzers.facts.vocabulary import Gate, longest_word, source_words
from analyzers.text.document import Block
from analyzers.text.lex import MaskKind


class Instruction(NamedTuple):
    """A phrase; places are relative to the block or text it was found in.

    `place` is text, comment, metadata, alternative or code.  `order` is True for the beginning of a sentence in the imperative (or an
    address), `quoted` for what stands in quotation marks, code, emphasis, a float or an environment for quotations.  `split` is True
    when invisible characters stand in it.
    """

    start: int
    end: int
    family: str
    place: str
    order: bool
    quoted: bool
    split: bool = False


class Pattern(NamedTuple):
    """A pattern with the words of which one of each list must occur before it is worth trying."""

    family: str
    needs: tuple[tuple[str, ...], ...]
    expression: re.Pattern[str]


_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|[^A-Za-z])")
_BLANKS = str.maketrans(dict.fromkeys("{}~%\r\n\t\\", " "))
_ORDER = re.compile(
    r"(?:^|[.!?;…。！？；]['\"”’)\]]*\s*|(?:^|[\s(])(?:please|kindly|now,?|therefore,?|thus,?|also,?|instead,?|and|to)\s+|\byou (?:must|should|need to|have to|will|are \w+ to)\s+|请|務必|부디\s*"
    r"|[-–—•*>]\s*|(?:reviewers?|referees?|models?|assistants?|llms?|ai|gpt|note|important|attention|instructions?|system)\s*:\s*)$",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"[\s,，、;；.]*(?:(?:and|then|also|und|dann|et|y|e|и|并|并且|そして)\s+)?(?:please\s+|请)?", re.IGNORECASE
)
_RUBRIC = re.compile(
    r"(?:scores?|ratings?|evaluations?|assessments?|feedback|grades?|recommendations?)(?:\s+only)?$", re.IGNORECASE
)
_REVIEWING = re.compile(r"review|referee|paper|submission|manuscript|article|accept|instruction", re.IGNORECASE)
_BARE = re.compile(r"(?:and|to)\s+$", re.IGNORECASE)
_METADATA = frozenset(
    (
        "hypersetup",
        "pdfinfo",
        "pdfkeywords",
        "pdfsubject",
        "pdftitle",
        "pdfauthor",
        "keywords",
        "Keywords",
        "hypersetup*",
        "DocumentMetadata",
    )
)
_KEY = re.compile(
    r"(?:^|[,\s\[{/(])(alt|actualtext|pdfkeywords|pdfsubject|pdftitle|pdfauthor|pdfcreator|subject|keywords|altdescr|tooltip)\s*[=(]\s*\{?[^\[\]{}]{0,2000}$",
    re.IGNORECASE,
)
_ALTERNATIVE = frozenset(
    (
        "Description",
        "BeginAccSupp",
        "pdftooltip",
        "pdfcomment",
        "pdfannot",
        "pdfmarkupcomment",
        "alttext",
        "Alt",
        "tagpdfsetup",
        "imagedescription",
    )
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[tuple[str, ...], tuple[Pattern, ...]], ...]:
    """The patterns of the lexicon, those with the same first words together; the lexicon gives the rarest words first."""
    groups: dict[tuple[str, ...], list[Pattern]] = {}
    for family, items in _lexicon()["families"].items():
        for item in items:
            needs = tuple(tuple(words) for words in item["needs"])
            groups.setdefault(needs[0], []).append(Pattern(family, needs[1:], _compiled(item["pattern"])))
    return tuple((words, tuple(found)) for words, found in groups.items())


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)


@lru_cache(maxsize=1)
def _latin_patterns() -> tuple[tuple[tuple[str, ...], tuple[Pattern, ...]], ...]:
    """As `_patterns`, for texts of pure ASCII."""
    return tuple(
        (ascii_words, found)
        for words, found in _patterns()
        if (ascii_words := tuple(word for word in words if word.isascii()))
    )


@lru_cache(maxsize=1)
def _gate() -> tuple[Gate, dict[tuple[str, ...], frozenset[str]]]:
    """A gate for the first words of all patterns, and for each list of them the longest words of its phrases."""
    lists = [words for groups in (_patterns(), _latin_patterns()) for words, _ in groups]
    longest = {words: frozenset(longest_word(word) for word in words) for words in lists}
    return Gate(word for words in longest.values() for word in words), longest


def _worth_trying(text: str, words: frozenset[str] | None = None) -> list[Pattern]:
    """The patterns whose words occur in the text; most texts have none, and finding that out has to be cheap.

    `words` are all words of the text in lower case where they are known, or of a longer text that holds it.
    """
    gate, longest = _gate()
    present = None if words is None else gate.pieces(words)
    if present is not None and not present:
        return []
    lowered = text.lower().replace("\n", " ").replace("~", " ")
    chosen: list[Pattern] = []
    for first, group in _latin_patterns() if lowered.isascii() else _patterns():
        if present is not None and present.isdisjoint(longest[first]):
            continue
        for word in first:  # plain loops: this runs on every block, and generators would double its time
            if word in lowered:
                chosen += [
                    pattern
                    for pattern in group
                    if all(any(word in lowered for word in words) for words in pattern.needs)
                ]
                break
    return chosen


@lru_cache(maxsize=1)
def topics() -> tuple[str, ...]:
    """Words of papers that write about such instructions."""
    return tuple(_lexicon()["topic"])


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(files("analyzers.facts").joinpath("data/instructions.json").read_text("utf-8"))
    return loaded


def matches(text: str, chosen: list[Pattern] | None = None) -> list[tuple[int, int, str]]:
    """Start, end and family of every phrase in plain text."""
    chosen = _worth_trying(text) if chosen is None else chosen
    return sorted(
        (match.start(), match.end(), pattern.family)
        for pattern in chosen
        for match in pattern.expression.finditer(text)
    )


def instructions(block: Block) -> tuple[Instruction, ...]:
    """The phrases of one block, in whatever place they stand."""
    return block.remember("instructions", _instructions)


def _instructions(block: Block) -> tuple[Instruction, ...]:
    if block.dead:
        return ()
    text = block.text
    hidden = invisible_characters(block)
    plain, positions = (text, None) if not hidden else _without(text, [run for item in hidden for run in item.runs])
    chosen = _worth_trying(plain, None if hidden else source_words(block))
    found: list[Instruction] = []
    found_end = 0
    if chosen:
        flat = _flat(plain)
        for start, end, family in matches(flat, chosen):
            at = start if positions is None else positions[start]
            stop = end if positions is None else positions[end - 1] + 1
            split = positions is not None and stop - at > end - start
            before = flat[max(start - 60, 0) : start].rstrip()
            order = family in ("address", "canary") or _is_order(before + " " if before else "")
            place, quoted = _place(block, at)
            order = order or (place == "comment" and _opens_comment(text, at))
            if not order and found and found[-1].order and _ALSO.fullmatch(flat, min(found_end, start), start):
                order = True
            if order and family == "verdict" and place in ("text", "comment") and _RUBRIC.search(plain, start, end):
                # “Give a high score if the answer is right” is a rubric unless reviewing is spoken of.
                order = _REVIEWING.search(flat, max(start - 120, 0), end + 120) is not None
            found_end = end
            found.append(Instruction(at, stop, family, place, order, quoted or in_quotes(plain, start), split))
    for item in hidden:
        # Tag characters spell text that no one sees: whatever it asks for is an order.
        found += (
            Instruction(item.start, item.end, family, "text", True, False, True)
            for _, _, family in matches(item.decoded)[:1]
        )
    return tuple(found)


def _flat(text: str) -> str:
    """The text with commands, braces, comment signs and line ends blanked, at the same length."""
    return _COMMAND.sub(lambda match: " " * len(match[0]), text).translate(_BLANKS)


def _is_order(before: str) -> bool:
    match = _ORDER.search(before)
    if match is None:
        return False
    # “to give …” and “and give …” go on with a sentence that may be anything; only an order before it makes them one.
    return _BARE.search(before) is None or bool(re.search(r"\b(?:please|must|should|you)\b", before, re.IGNORECASE))


def _opens_comment(text: str, at: int) -> bool:
    """True for the first words of a comment; a comment line goes on with the one before unless that ends a sentence."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if line[line.find("%") :].strip("% \t#*-") or "%" not in line:
        return False
    above = text[: text.rfind("\n", 0, at) + 1].rstrip()
    above = above[above.rfind("\n") + 1 :].strip()
    return bool(line[: line.find("%")].strip()) or not above.startswith("%") or above[-1:] in "%.!?:;。！？"


def _without(text: str, runs: list[tuple[int, int]]) -> tuple[str, list[int]]:
    """The text without some ranges, and for each of its characters where it stood."""
    pieces: list[str] = []
    positions: list[int] = []
    last = 0
    for start, end in [*runs, (len(text), len(text))]:
        pieces.append(text[last:start])
        positions += range(last, start)
        last = end
    return "".join(pieces), positions


def _place(block: Block, at: int) -> tuple[str, bool]:
    """Where an offset of a block stands, and whether that is a place for quotations."""
    for mask in block.lexed.masks:
        if mask.start <= at < mask.end:
            if mask.kind is MaskKind.COMMENT or mask.kind is MaskKind.FALSE:
                return "comment", False
            if mask.kind is MaskKind.VERBATIM:
                commented = block.text.startswith("\\end{comment}", mask.end)
                if re.search(r"\.xmpdata\}", block.text[max(mask.start - 80, 0) : mask.start + 80]):
                    return "metadata", False  # what pdfx writes into the PDF
                return ("comment", False) if commented else ("code", True)
    if _KEY.search(block.text, max(at - 2100, 0), at):
        key = _KEY.search(block.text, max(at - 2100, 0), at)
        alternative = key is not None and key[1].lower() in ("alt", "actualtext", "altdescr", "tooltip")
        return ("alternative" if alternative else "metadata"), False
    names = {name for name, _ in enclosing_commands(block.text, at)}
    if names & _METADATA:
        return "metadata", False
    if names & _ALTERNATIVE:
        return "alternative", False
    return "text", is_quoting(block, at)


@lru_cache(maxsize=20_000)
def instructions_in_entry(text: str) -> tuple[Instruction, ...]:
    """The phrases in the text of one bibliography entry; the caller knows the field.  Kept for entries that do not change."""
    chosen = _worth_trying(text)
    if not chosen:
        return ()
    flat = _flat(text)
    found = []
    for start, end, family in matches(flat, chosen):
        before = flat[max(start - 60, 0) : start]
        order = family in ("address", "canary") or _is_order(
            re.sub(r"[=\"\s]+$", "; ", before) if re.search(r"=[\s\"]*$", before) else before.rstrip() + " "
        )
        found.append(
            Instruction(
                start,
                end,
                family,
                "bibliography",
                order,
                in_quotes(re.sub(r'=\s*"', "=  ", text[max(start - 400, 0) : start]), 400),
            )
        )
    return tuple(found)
