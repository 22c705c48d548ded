"""Captions: their sentences, the float they belong to, and the sentences that refer to it."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, references
from analyzers.facts.statements import Statement, statements
from analyzers.facts.view import macro_key, prose_of
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.prose import REFERENCE, PartKind

_CAPITALS = re.compile(
    r"(?<=\b(?:on|in|of)\s)[A-Z]{4,}(?:-[A-Z0-9]+)*(?![\w@-])"
    r"|(?<![\w-])[A-Z]{4,}(?:-[A-Z0-9]+)*(?=\s(?:cohort|corpus|data ?set|benchmark|collection|study|sample|trial|registry|database)\b)"
)
_WORD = re.compile(r"(?<![\w\\@])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w@])")


class Caption(NamedTuple):
    """The caption of a float: its sentences and the labels of the float."""

    entry: Entry
    sentences: tuple[Statement, ...]
    labels: tuple[str, ...]


def captions(manuscript: Manuscript) -> Iterator[Caption]:
    """Every caption of the body."""
    for _, entry in manuscript.body:
        if "caption" not in entry.block.text:
            continue
        found = tuple(s for s in statements(entry.block, manuscript.macros) if s.kind is PartKind.CAPTION)
        if found:
            yield Caption(entry, found, tuple(label.key for label in labels(entry.block, manuscript.macros)))


def referring(manuscript: Manuscript) -> Mapping[str, tuple[Entry, Statement]]:
    """The first sentence of running text that refers to each label."""
    found: dict[str, tuple[Entry, Statement]] = {}
    for _, entry in manuscript.body:
        for key, statement in _referring(entry.block, manuscript.macros):
            found.setdefault(key, (entry, statement))
    return found


def _referring(block: Block, macros: Macros) -> tuple[tuple[str, Statement], ...]:
    return block.remember(
        ("referring sentences", macro_key(block, macros)), lambda b: tuple(_read_referring(b, macros))
    )


def _read_referring(block: Block, macros: Macros) -> Iterator[tuple[str, Statement]]:
    found = references(block, macros)
    if not found:
        return
    prose = prose_of(block, macros)
    for statement in statements(block, macros):
        if statement.kind is PartKind.CAPTION or REFERENCE not in statement.text:
            continue
        start, end = prose.source(statement.start, statement.end)
        for reference in found:
            if start <= reference.start < end:
                yield reference.key, statement


def mixed_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Words with a capital inside, or a capital and digits (SQuAD, ImageNet, CIFAR-10), or in capitals behind “on”; with their place."""
    for match in _WORD.finditer(text):
        word = match[0]
        inner = any(c.isupper() for c in word[1:]) or any(c.isdigit() for c in word)
        if inner and sum(c.isalpha() for c in word) >= 3:
            yield word, match.start(), match.end()
    # Words all in capitals are acronyms more often than names; behind “on” and the like they name what was used.
    for match in _CAPITALS.finditer(text):
        yield match[0], match.start(), match.end()


def words(block: Block) -> frozenset[str]:
    """Every word of a block's source, with hyphens, in lower case: where a name occurs at all."""
    return block.remember("words of the source", _words)


def _words(block: Block) -> frozenset[str]:
    found = {word.lower() for word in re.findall(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*", block.text)}
    return frozenset(found | {part for word in found if "-" in word for part in word.split("-")})
