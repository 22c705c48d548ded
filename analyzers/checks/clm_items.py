"""What the checks on claims share: the sentences behind the graph, and how much of a sentence the body takes up."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from analyzers.graph.build import Built, built_of
from analyzers.graph.drafts import Draft
from analyzers.graph.gather import Item
from analyzers.graph.schema import Form
from analyzers.project.manuscript import Manuscript
from analyzers.project.sections import SectionClass
from analyzers.related.terms import terms
from analyzers.text.spans import Span

FRONT = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.RELATED, SectionClass.CONCLUSION})
_ENOUGH = 25
_AROUND = 1
_STEM = 5
_MARKS = "()[]{}“”‘’\"'.,;:!?"
# Words of academic prose that say nothing of a subject.
_GENERIC = frozenset(
    """report articl paper work study present propos introduc show demonstrat argu believ find found result herein here provid offer discuss describ novel new extensiv also further moreov address aim
    enabl facilitat allow important import insight investigat conduct perform simple simpl various several different general specific contribut approach method exact""".split()
)


def span_of(item: Item) -> Span:
    """The place of an item."""
    return item.entry.span(*item.draft.ranges[0])


def sentences(items: Iterable[Item]) -> Iterator[Item]:
    """The items that are sentences of the paper's own argument."""
    return (item for item in items if item.weighed.draft.form is Form.SENTENCE and not item.place.aside)


def unbacked(items: tuple[Item, ...], wanted: Callable[[Item], object], *, cited: bool = True) -> Iterator[Item]:
    """The wanted sentences that neither hold something to go by nor stand in their paragraph before or behind one that does:
    a number, a formula, a reference, and (with `cited`) a citation."""
    for number, item in enumerate(items):
        if item.weighed.draft.form is not Form.SENTENCE or item.place.aside or not wanted(item):
            continue
        near = items[max(number - _AROUND, 0) : number + _AROUND + 1]
        if not any(other.position == item.position and _is_backed(other.draft, cited) for other in near):
            yield item


def _is_backed(draft: Draft, cited: bool) -> bool:
    return bool(draft.figures or draft.references or draft.formulas or (cited and draft.cited))


class Vocabulary(NamedTuple):
    """Terms, and what the long ones among them begin with."""

    terms: frozenset[str]
    beginnings: frozenset[str]


NO_TERMS = Vocabulary(frozenset(), frozenset())


def terms_outside(manuscript: Manuscript, kinds: frozenset[SectionClass]) -> Vocabulary:
    """All terms of the sections of other kinds, their titles included."""
    found = set().union(
        *[item.weighed.draft.terms for item in built_of(manuscript).items if item.place.kind not in kinds]
    )
    for section in manuscript.sections:
        if section.kind not in kinds:
            found.update(section.title.lower().split())
            found.update(terms(section.title))
    return Vocabulary(frozenset(found), frozenset([term[:_STEM] for term in found if len(term) > _STEM]))


def missing_terms(built: Built, item: Item, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The terms of an item that the vocabulary lacks, rarest first, when they are more than half of it; else nothing.

    A long word counts as known with another ending.
    """
    known, beginnings = vocabulary
    telling = [term for term in item.terms if term not in _GENERIC and term.isalpha()]
    lost = [term for term in telling if term not in known and term[:_STEM] not in beginnings]
    if not telling or 2 * len(lost) <= len(telling):
        return ()
    if 2 * sum(map(built.weights.square, lost)) <= sum(map(built.weights.square, telling)):
        return ()
    return tuple(sorted(lost, key=lambda term: (-built.weights.square(term), term)))


def quoted(item: Item, stems: tuple[str, ...], most: int = 3) -> str:
    """Words of an item, as it writes them, for a message."""
    words = [word.strip(_MARKS) for word in item.draft.text.split()]
    shown = [next((word for word in words if word.lower().startswith(stem)), stem) for stem in stems]
    return ", ".join(f"“{word}”" for word in list(dict.fromkeys(shown))[:most])


def is_paper(built: Built) -> bool:
    """True when there is enough text with sections of its own for what is absent to mean something."""
    inner = 0
    for item in built.items:
        if item.place.kind not in FRONT and item.weighed.draft.form is Form.SENTENCE:
            inner += 1
            if inner >= _ENOUGH:
                return True
    return False
