"""Lists and what announces them: promised numbers, list environments with their items, items written into a sentence."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from analyzers.facts.statements import Statement
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.environments import LIST


class Promise(NamedTuple):
    """A number of things that a sentence announces; offsets are those of the number word in the sentence."""

    number: int
    start: int
    end: int
    noun: str
    noun_end: int
    following: bool


class ListMark(NamedTuple):
    """`\\begin` (1) or `\\end` (-1) of a list environment, or an item (0); offsets in the block."""

    start: int
    end: int
    step: int


class ListFound(NamedTuple):
    """A whole list: the entry and place of its `\\begin`, and its items at the outermost level."""

    entry: Entry
    start: int
    end: int
    items: int


_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_MARKER = re.compile(r"(?<![\w(])\(?(i{1,3}|iv|vi{0,3}|ix|xi{0,2}|[a-l]|1[0-2]|[1-9])\)(?=\s|[A-Za-z])")
# A number in digits as a promise has it; the digit stands first, since a search for it runs fast.
_DIGITS = re.compile(r"[1-9](?<![\w.,/$-][1-9])\d?(?![\w.,%/-])\s")
_LETTERS = "abcdefghijkl"


@lru_cache(maxsize=8)
def _promise_pattern(words: tuple[str, ...], nouns: tuple[str, ...]) -> re.Pattern[str]:
    number = "|".join(sorted(words, key=len, reverse=True))
    noun = "|".join(sorted(nouns, key=len, reverse=True))
    return re.compile(
        rf"(?P<follow>\b(?:following|folgenden?)\s+)?(?<![\w.,/$-])(?P<n>(?:{number})(?![\w-])|(?:[2-9]|1\d|20)(?![\w.,%/-]))\s"
        rf"(?P<mid>(?:[\w-]+,?\s){{0,3}}?)(?P<noun>(?:{noun})|[^\W\d_]+s)(?![\w-])",
        re.IGNORECASE if "two" in words else 0,
    )


_FOLD = re.compile(r"\b(?P<n>two|three|four|five|six|seven)-?fold(?=\s?[.:]|\s?$)", re.IGNORECASE)
_PARTITIVE = (["of", "the"], ["of", "our"], ["of", "these"], ["einer", "der"], ["eine", "der"], ["eines", "der"])


def promises(text: str, lexicon: Mapping[str, Any]) -> list[Promise]:
    """The announced numbers of a sentence.  Only known nouns count, unless the number stands behind “following”."""
    words: Mapping[str, int] = lexicon["words"]
    lower = text.lower()
    for word in words:  # a plain loop: this runs on every sentence
        if word in lower:
            break
    else:
        if _DIGITS.search(text) is None:
            return []
    nouns = frozenset(lexicon["nouns"])
    found = []
    for match in _promise_pattern(tuple(words), tuple(lexicon["nouns"])).finditer(text):
        noun = match["noun"]
        if match["follow"] is None and noun not in nouns and noun.lower() not in nouns:
            continue
        before = text[: match.start()].split()
        last = before[-1].lower().strip("(“,") if before else ""
        # "We make these three contributions:" announces what follows, "these three results" points back.
        ahead = last == "these" and text.rstrip().endswith((":", "：")) and len(text) - match.end() < 40
        if last in lexicon["skip_before"] and match["follow"] is None and not ahead:
            continue
        if [word.lower() for word in before[-2:]] in _PARTITIVE:
            continue
        written = match["n"]
        count = int(written) if written.isdigit() else words[written.lower()]
        found.append(Promise(count, *match.span("n"), noun.lower(), match.end("noun"), match["follow"] is not None))
    if not found and "following " in lower:
        found += _bare(text, words)
    if not found and "fold" in lower and any(noun in lower or noun.removesuffix("s") in lower for noun in nouns):
        found += _folds(text, words)
    return found


_BARE = re.compile(r"\b(?:the|these)\sfollowing\s(?P<n>[a-z]+|[2-9]|1\d)\s?[.:]?\s?$", re.IGNORECASE)


def _bare(text: str, words: Mapping[str, int]) -> list[Promise]:
    """“Our main results are the following three.”"""
    match = _BARE.search(text)
    if match is None:
        return []
    written = match["n"].lower()
    count = int(written) if written.isdigit() else words.get(written)
    return [Promise(count, *match.span("n"), "things", match.end("n"), True)] if count is not None else []


def _folds(text: str, words: Mapping[str, int]) -> list[Promise]:
    """“Our contributions are three-fold:”."""
    matches = list(_FOLD.finditer(text))
    if len(matches) != 1 or matches[0]["n"].lower() not in words:
        return []
    match = matches[0]
    return [Promise(words[match["n"].lower()], *match.span("n"), "things", match.end(), False)]


def written_count(count: int, like: str, lexicon: Mapping[str, Any]) -> str:
    """`count` in the shape of `like`: digits, a word, a capitalised word."""
    words: Mapping[str, int] = lexicon["words"]
    word = next((w for w, value in words.items() if value == count), None)
    if like.isdigit() or word is None:
        return str(count)
    return word.capitalize() if like[:1].isupper() else word


def list_marks(block: Block) -> tuple[ListMark, ...]:
    """Begins, ends and items of list environments in a block, in order."""
    return block.remember("list marks", _marks)


def _marks(block: Block) -> tuple[ListMark, ...]:
    if "\\item" not in block.text and "\\end{" not in block.text and "\\begin{" not in block.text:
        return ()
    marks = [
        ListMark(environment.start, environment.end, 1 if environment.begins else -1)
        for environment in block.lexed.environments
        if environment.name in LIST
    ]
    marks += [ListMark(command.start, command.end, 0) for command in block.lexed.commands if command.name == "item"]
    return tuple(sorted(marks))


def list_from(manuscript: Manuscript, position: int, mark: ListMark) -> ListFound | None:
    """The list that begins with `mark` in the entry at `position` of the body; None when its end is not found nearby."""
    body = manuscript.body
    depth, items = 0, 0
    for _, entry in body[position : position + 80]:
        for current in list_marks(entry.block):
            if entry is body[position][1] and current.start < mark.start:
                continue
            depth += current.step
            items += current.step == 0 and depth == 1
            if depth == 0 and current.step < 0:
                return ListFound(body[position][1], mark.start, mark.end, items)
        if depth == 0:
            return None
    return None


def inline_items(text: str) -> int:
    """How many items a run of markers numbers: “(i) …, (ii) …” gives 2; 0 without a run that begins at the first marker."""
    if ")" not in text:
        return 0
    markers = [match[1] for match in _MARKER.finditer(text)]
    best = 0
    for series in (_ROMAN, tuple(_LETTERS), tuple(str(n) for n in range(1, 13))):
        expected = 0
        for marker in markers:
            if expected < len(series) and marker == series[expected]:
                expected += 1
        best = max(best, expected)
    return best if best >= 2 else 0


def ordinal_run(sentences: Sequence[Statement], ordinals: Sequence[str]) -> tuple[int, int]:
    """How far “First, … Second, …” counts, and the index of the last sentence of the run; (0, -1) without a run."""
    expected, last = 0, -1
    for index, sentence in enumerate(sentences):
        head = sentence.text[:40]
        if expected < len(ordinals) and re.match(rf"(?:(?:and|the)\s)?{ordinals[expected]}\b[,:]", head, re.IGNORECASE):
            expected, last = expected + 1, index
    return expected, last


_WORDY = re.compile(
    r"\b(?:is|are|was|were|which|that|we|it|has|have|had|can|will|may|our|they|this|when|where|while|if|because|so|then|than)\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s+(?:and|or|und|oder|as well as|sowie|&|plus)\s+", re.IGNORECASE)
_LEADING_JOIN = re.compile(r"(?:and|or|und|oder|as well as|sowie|&|plus)\s+", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d,\d{3}")


def split_top(text: str, separator: str) -> list[str]:
    """The pieces of `text` between separators outside of brackets; a comma within a number (5,000) does not separate."""
    pieces: list[str] = []
    depth = start = 0
    for index, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(depth - 1, 0)
        elif character == separator and not depth and not _THOUSANDS.match(text, max(index - 1, 0)):
            pieces.append(text[start:index])
            start = index + 1
    return [*pieces, text[start:]]


def enumeration(text: str, longest: int = 6) -> tuple[int, int] | None:
    """The smallest and the largest number of items that a list such as “A, B, C and D” may have.

    None when it is no closed list of short items: no final conjunction, long items, clauses, ranges.
    """
    text = text.strip().rstrip(".;").strip()
    separator = ";" if len(split_top(text, ";")) > 2 else ","
    pieces = [piece.strip() for piece in split_top(text, separator)]
    if any(not piece for piece in pieces):
        return None
    leading = _LEADING_JOIN.match(pieces[-1])
    final = pieces[-1][leading.end() :] if leading else pieces[-1]
    if leading is None and len(_outside(_JOIN, final)) == 0:
        return None
    items = [*pieces[:-1], final]
    if any(len(part.split()) > longest for item in items for part in _JOIN.split(item)) or any(
        map(_WORDY.search, items)
    ):
        return None
    inner = [len(_outside(_JOIN, item)) for item in items]
    slashes = sum(len(re.findall(r"\w/\w|\w\s?\+\s?\w", item)) for item in items)
    if leading is not None:
        # “A, B, and C”: what joins words within an item may be part of a name or hide one more item.
        return len(items), len(items) + sum(inner) + slashes
    low = len(items) + (1 if len(items) > 1 or inner[-1] == 1 else 0)
    return min(low, len(items) + inner[-1]), len(items) + sum(inner) + slashes


def _outside(pattern: re.Pattern[str], text: str) -> list[int]:
    """Where `pattern` matches outside of parentheses."""
    found = []
    for match in pattern.finditer(text):
        before = text[: match.start()]
        if before.count("(") <= before.count(")"):
            found.append(match.start())
    return found
