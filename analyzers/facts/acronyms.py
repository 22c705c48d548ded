"""Acronyms: where they are written out, and where they are used.

A long form counts only when its letters fit, so that “(EM)” behind an unrelated phrase is no definition.  The alignment follows
Schwartz and Hearst (2003), made stricter: most letters have to begin words.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.statements import statements
from analyzers.facts.view import block_fact
from analyzers.text.document import Block
from analyzers.text.environments import TABULAR
from analyzers.text.lex import Command
from analyzers.text.prose import PartKind


class Definition(NamedTuple):
    """An acronym with its long form.  Prose offsets of the short form, or source offsets when a `command` defines it."""

    short: str
    long: str
    start: int
    end: int
    command: bool
    kind: PartKind
    key: str = ""  # of a command that defines it


class Use(NamedTuple):
    """An acronym in the prose, outside of its definitions."""

    short: str
    start: int
    end: int
    kind: PartKind


_SHORT = r"[A-Z][A-Za-z0-9]*(?:[-/&][A-Za-z0-9]+)*"
_DEFINES = re.compile(rf"\(\s?[“\"']?({_SHORT})[”\"']?\s?(?:[;,][^()]{{0,60}})?\)")
_REVERSED = re.compile(rf"(?<![\w-])({_SHORT})\s\(([A-Za-z][A-Za-z ,'’-]{{5,80}})\)")
_USE = re.compile(r"(?<![\w@./\\-])[A-Z][A-Za-z]*[A-Z][A-Za-z]*s?(?![\w@])")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_STOP = frozenset("the a an of for and in on to with by at from as or der die das des und von für im".split())
_COMMANDS = frozenset({"newacronym", "newabbreviation", "acro", "acrodef", "newacro", "DeclareAcronym"})
_FIELD = re.compile(r"(?<![\w-])(short|long)\s*=\s*(?:\{([^{}]*)\}|([^,{}\r\n]+))")


def is_acronym(short: str) -> bool:
    """True for LLM, MoE, GPU4, LLMs; false for ordinary words, single letters, sizes such as 7B."""
    capitals = sum(letter.isupper() for letter in short)
    return 2 <= len(short) <= 10 and capitals >= 2 and capitals * 2 >= sum(c.isalpha() for c in short.rstrip("s"))


def bare(short: str) -> str:
    """The acronym without the s of its plural."""
    return short[:-1] if len(short) > 2 and short.endswith("s") and short[-2].isupper() else short


def long_form(short: str, words_before: str) -> str | None:
    """The end of `words_before` that `short` stands for, or None when the letters do not fit."""
    letters = [c.lower() for c in bare(short) if c.isalnum()]
    words = list(re.finditer(r"[^\s“”\"()]+", words_before))[-(2 * len(letters) + 4) :]
    if not words:
        return None
    # A phrase whose every letter begins a word goes before a shorter one with letters from inside of words.
    for inside in (0, len(letters) // 2):
        for first in range(len(words) - 1, max(len(words) - len(letters) - 5, -1), -1):
            candidate = words_before[words[first].start() :].strip(" “”\"'")
            if candidate[:1].lower() == letters[0] and fits(letters, candidate, inside):
                return candidate
    return None


def fits(letters: list[str], candidate: str, inside: int | None = None) -> bool:
    """True when the letters occur in order, the first begins the phrase, and no word of weight is left out.

    At most `inside` letters (half of them, if not given) may stand inside of words.
    """
    parts = [(m.start(), m[0].lower()) for m in _WORDS.finditer(candidate)]
    if not parts or len(parts) > 2 * len(letters) + 2 or parts[0][1][0] != letters[0]:
        return False
    return _align(letters, 0, [word for _, word in parts], 0, len(letters) // 2 if inside is None else inside)


def _align(letters: list[str], at: int, words: list[str], word: int, inside: int) -> bool:
    """Whether letters from `at` can be taken from words from `word` on, `inside` more of them from inside of words."""
    if at == len(letters):
        return not [w for w in words[word:] if w not in _STOP]
    if word == len(words):
        return False
    current = words[word]
    if current in _STOP and _align(letters, at, words, word + 1, inside):
        return True
    if current[0] != letters[at]:
        return False
    # The letter that begins the word, then as many letters from inside of it as may help.
    taken, position = 1, 1
    while True:
        if _align(letters, at + taken, words, word + 1, inside - taken + 1):
            return True
        if at + taken >= len(letters) or taken > min(inside, 3):
            return False
        position = current.find(letters[at + taken], position) + 1
        if not position:
            return False
        taken += 1


@block_fact
def definitions(block: Block, macros: Macros) -> tuple[Definition, ...]:
    """The acronyms that a block defines, in prose or by the commands of acronym packages."""
    return tuple(_definitions(block, macros))


def _definitions(block: Block, macros: Macros) -> Iterable[Definition]:
    for command in block.lexed.commands:
        if command.name in _COMMANDS:
            yield from _declared(block, command)
    if "(" not in block.text:
        return
    for sentence in statements(block, macros):
        text = sentence.text
        if "(" not in text:
            continue
        for match in _DEFINES.finditer(text):
            if is_acronym(match[1]):
                found = long_form(match[1], text[: match.start()].rstrip())
                if found is not None:
                    start = sentence.start + match.start(1)
                    yield Definition(bare(match[1]), found, start, start + len(match[1]), False, sentence.kind)
        for match in _REVERSED.finditer(text):
            if is_acronym(match[1]):
                phrase = re.split(r"[,;]", match[2])[0].strip()
                if phrase and " " in phrase and fits([c.lower() for c in bare(match[1]) if c.isalnum()], phrase):
                    start = sentence.start + match.start(1)
                    yield Definition(bare(match[1]), phrase, start, start + len(match[1]), False, sentence.kind)


def _declared(block: Block, command: Command) -> Iterable[Definition]:
    groups = [group for group in command.groups if group.opening == "{"]
    text = block.text
    if len(groups) < 2:
        return
    key = text[groups[0].start : groups[0].end].strip()
    if command.name == "DeclareAcronym":
        fields = {m[1]: (m[2] or m[3] or "").strip() for m in _FIELD.finditer(text, groups[1].start, groups[1].end)}
        short, long = fields.get("short", key), fields.get("long", "")
        place = groups[0]
    elif command.name.startswith("newa") and len(groups) >= 3:
        short, long = text[groups[1].start : groups[1].end].strip(), text[groups[2].start : groups[2].end].strip()
        place = groups[1]
    else:
        optional = command.optional()
        short, long = (
            text[optional.start : optional.end].strip() if optional else key,
            text[groups[-1].start : groups[-1].end].strip(),
        )
        place = groups[0]
    long = re.sub(r"[{}$\\]", "", long)
    if is_acronym(short) and long:
        yield Definition(bare(short), " ".join(long.split()), place.start, place.end, True, PartKind.BODY, key)


@block_fact
def uses(block: Block, macros: Macros) -> tuple[Use, ...]:
    """Every acronym of a block's sentences, defined there or not."""
    return tuple(_uses(block, macros))


def _uses(block: Block, macros: Macros) -> Iterable[Use]:
    for sentence in statements(block, macros):
        for match in _USE.finditer(sentence.text):
            if is_acronym(match[0]):
                start = sentence.start + match.start()
                yield Use(bare(match[0]), start, start + len(match[0]), sentence.kind)


def normal_long(long: str) -> tuple[str, ...]:
    """A long form as far as two may be compared: words without case, hyphens, plural and small words."""
    words = [word.lower() for word in _WORDS.findall(long)]
    return tuple(_singular(word) for word in words if word not in _STOP)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def same_long(first: str, second: str) -> bool:
    """True when two long forms are variants of one: plural, hyphen, spelling, a word in front or behind, derived endings."""
    one, two = normal_long(first), normal_long(second)
    if one == two or "".join(one) == "".join(two):
        return True
    short, long = sorted((one, two), key=len)
    if short and (_all_alike(long[: len(short)], short) or _all_alike(long[-len(short) :], short)):
        return True
    # The same words in another order.  One extra word inside, as in “mean absolute (percentage) error”, is another thing.
    return len(one) == len(two) and _all_alike(tuple(sorted(one)), tuple(sorted(two)))


def _all_alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return all(_alike(a, b) for a, b in zip(first, second, strict=True))


def _alike(first: str, second: str) -> bool:
    """Two spellings or forms of one word: they share their beginning, as model and modelling do, or differ by a letter or two."""
    if first == second:
        return True
    shared = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        shared += 1
    shorter = min(len(first), len(second))
    if shared >= max(4, shorter - 3):
        return True
    return (
        shorter >= 5
        and abs(len(first) - len(second)) <= 1
        and sum(a != b for a, b in zip(first, second, strict=False)) <= 2
    )


def capitals(block: Block) -> frozenset[str]:
    """Words in capitals of the titles and tables of a block."""
    text = block.text
    ranges = [
        (group.start, group.end)
        for command in block.lexed.commands
        if command.name in ("title", "section", "subsection") and (group := command.braced()) is not None
    ]
    opened = [e for e in block.lexed.environments if e.name in TABULAR]
    if opened:
        ranges.append((opened[0].start, opened[-1].end))
    return frozenset(bare(match[0]) for start, end in ranges for match in _USE.finditer(text, start, end))
