"""NUM009 `same-quantity-two-values`: two sentences say the same of the same thing, with two numbers.

## What it flags
Two sentences, one of them in abstract, introduction or conclusion, that share nearly all their rare words and names, and give two different values with the same
unit and the same number of decimals: "reaches 74.3% accuracy on SciQA" and "reaches 73.4% accuracy on SciQA".

## Why it matters
Restatements (abstract, results, conclusion) are updated one at a time.

## When it stays silent
When the sentences differ in a word that may name another setting, hold several such numbers, or are approximate.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.alignment_terms import alignment_words, tokens_of
from analyzers.facts.macros import Macros
from analyzers.facts.quantities.model import Kind, Quantity
from analyzers.facts.quantity_facts import NumberedSentence, Place, quantities_of
from analyzers.facts.view import macro_key
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import is_name, words_of
from analyzers.text.document import Block

_KINDS = frozenset({Kind.LEVEL, Kind.SHARE, Kind.DELTA_ABS, Kind.DELTA_REL})
_MIN_WORDS = 4
_SHARE = 0.7
_MAX_POSTING = 12
_SUMMARIES = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})


class _Stated(NamedTuple):
    """The only specific number of a sentence, and the words around it."""

    quantity: Quantity
    place: Place
    words: frozenset[str]
    settings: frozenset[str]
    names: frozenset[str]


class TwoValues(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM009"
    name = "same-quantity-two-values"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Two values of one accuracy",
            "The router reaches 74.3\\% accuracy on SciQA under a hard budget.\n\n\\section{Conclusion}\nUnder a hard budget, the router reaches 73.4\\% accuracy on SciQA.",
            "73.4",
        ),
        Example.of("The same value", "The router reaches 74.3\\% accuracy on SciQA under a hard budget.\n\n\\section{Conclusion}\nUnder a hard budget, the router reaches 74.3\\% accuracy on SciQA."),
        Example.of("Another split", "The router reaches 74.3\\% accuracy on the SciQA test set under a hard budget.\n\n\\section{Conclusion}\nUnder a hard budget, the router reaches 73.4\\% accuracy on the SciQA dev set."),
        Example.of("Another data set", "The router reaches 74.3\\% accuracy on SciQA under a hard budget.\n\n\\section{Conclusion}\nUnder a hard budget, the router reaches 73.4\\% accuracy on PubMed."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per later sentence that gives another value."""
        stated: list[tuple[Entry, _Stated, SectionClass]] = []
        by_word: dict[str, list[int]] = defaultdict(list)
        for _, entry in manuscript.body:
            kind: SectionClass | None = None
            for item in _stated_in(entry.block, manuscript.macros, manuscript.language):
                kind = kind or manuscript.section_class(entry)
                for word in item.words:
                    by_word[word].append(len(stated))
                stated.append((entry, item, kind))
        for number, (entry, item, kind) in enumerate(stated):
            rare = [by_word[word] for word in item.words if len(by_word[word]) <= _MAX_POSTING]
            earlier = {other for posting in rare for other in posting if other < number}
            for other in sorted(earlier):
                before, first, section = stated[other]
                if section is not kind and _SUMMARIES & {section, kind} and _conflict(first, item):
                    yield self._finding((before, first), (entry, item))
                    break

    def _finding(self, first: tuple[Entry, _Stated], second: tuple[Entry, _Stated]) -> Finding:
        (before, one), (entry, other) = first, second
        unit = other.quantity.unit.symbol if other.quantity.unit is not None else ""
        message = f"{other.quantity.text} {unit} here, {one.quantity.text} {unit} in another sentence with the same words. Check which is right."
        related = (Related(before.span(one.place.start, one.place.end), f"The other value: {one.quantity.text}"),)
        evidence: dict[str, EvidenceValue] = {
            "here": other.quantity.text,
            "there": one.quantity.text,
            "shared": sorted(one.words & other.words),
        }
        return self.finding(
            message.replace("  ", " "),
            entry.span(other.place.start, other.place.end),
            related=related,
            evidence=evidence,
        )


def _stated_in(block: Block, macros: Macros, language: str) -> tuple[_Stated, ...]:
    if block.dead:
        return ()
    return block.remember(
        ("two values", macro_key(block, macros), language), lambda b: tuple(_read(b, macros, language))
    )


def _read(block: Block, macros: Macros, language: str) -> Iterator[_Stated]:
    for sentence in quantities_of(block, macros, language):
        found = _only(sentence)
        if found is None:
            continue
        words = frozenset(word for word in words_of(sentence.text) if not word[0].isdigit())
        if len(words) >= _MIN_WORDS:
            settings = frozenset(token.word for token in tokens_of(sentence.text)) & alignment_words().setting_words
            yield _Stated(*found, words, settings, _names(sentence.text))


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9+]*(?:[-–/][A-Za-z0-9+]+)*")


def _names(text: str) -> frozenset[str]:
    """Names of systems, data sets and the like: capitals inside a word, or at its start within the sentence."""
    return frozenset(
        m[0].lower() for m in _WORD.finditer(text) if is_name(m[0]) or (m.start() > 0 and m[0][0].isupper())
    )


def _only(sentence: NumberedSentence) -> tuple[Quantity, Place] | None:
    """The one number with decimals of a sentence."""
    found = [
        (quantity, place) for quantity, place in zip(sentence.quantities, sentence.places, strict=True)
        if quantity.kind in _KINDS and quantity.decimals > 0
    ]  # fmt: skip
    if len(found) != 1 or any(q.kind in _KINDS and q.endpoints for q in sentence.quantities):
        return None
    quantity, place = found[0]
    if quantity.approximate or quantity.bound is not None or quantity.endpoints is not None or place.macro is not None:
        return None
    return quantity, place


def _conflict(first: _Stated, second: _Stated) -> bool:
    one, other = first.quantity, second.quantity
    if (
        one.kind is not other.kind
        or one.decimals != other.decimals
        or one.value == other.value
        or one.symbol != other.symbol
    ):
        return False
    if (one.unit.symbol if one.unit else None) != (
        other.unit.symbol if other.unit else None
    ) or first.settings != second.settings:
        return False
    shared = first.words & second.words
    return (
        first.names == second.names
        and len(shared) >= _MIN_WORDS
        and len(shared) >= _SHARE * max(len(first.words), len(second.words))
    )
