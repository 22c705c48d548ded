"""What the checks on claims share: the sentences behind the graph, and how much of a sentence the body takes up."""

from collections.abc import Iterable, Iterator

from analyzers.graph.build import Built, built_of
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
    return (item for item in items if item.draft.form is Form.SENTENCE and not item.place.aside)


def with_neighbours(items: tuple[Item, ...], *, cited: bool = True) -> Iterator[tuple[Item, bool]]:
    """Every sentence, and whether it or the sentence before or behind it in its paragraph holds something to go by:
    a number, a formula, a reference, and (with `cited`) a citation."""
    backed = [
        bool(item.draft.figures or item.draft.references or item.draft.formulas or (cited and item.draft.cited))
        for item in items
    ]
    for number, item in enumerate(items):
        if item.draft.form is not Form.SENTENCE or item.place.aside:
            continue
        near = range(max(number - _AROUND, 0), min(number + _AROUND + 1, len(items)))
        yield item, any(backed[other] and items[other].position == item.position for other in near)


def terms_outside(manuscript: Manuscript, kinds: frozenset[SectionClass]) -> frozenset[str]:
    """All terms of the sections of other kinds, their titles included."""
    found: set[str] = set()
    for item in built_of(manuscript).items:
        if item.place.kind not in kinds:
            found |= item.terms
    for section in manuscript.sections:
        if section.kind not in kinds:
            found.update(section.title.lower().split())
            found.update(terms(section.title))
    return frozenset(found)


def missing_terms(built: Built, item: Item, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """The terms of an item that the vocabulary lacks, rarest first, when they are more than half of it; else nothing.

    A long word counts as known with another ending.
    """
    beginnings = {term[:_STEM] for term in vocabulary if len(term) > _STEM}
    telling = [term for term in item.terms if term not in _GENERIC and term.isalpha()]
    lost = [term for term in telling if term not in vocabulary and term[:_STEM] not in beginnings]
    weight = sum(map(built.weights.square, telling))
    if not telling or 2 * len(lost) <= len(telling) or 2 * sum(map(built.weights.square, lost)) <= weight:
        return ()
    return tuple(sorted(lost, key=lambda term: (-built.weights.square(term), term)))


def quoted(item: Item, stems: tuple[str, ...], most: int = 3) -> str:
    """Words of an item, as it writes them, for a message."""
    words = [word.strip(_MARKS) for word in item.draft.text.split()]
    shown = [next((word for word in words if word.lower().startswith(stem)), stem) for stem in stems]
    return ", ".join(f"“{word}”" for word in list(dict.fromkeys(shown))[:most])


def is_paper(built: Built) -> bool:
    """True when there is enough text with sections of its own for what is absent to mean something."""
    inner = sum(item.place.kind not in FRONT and item.draft.form is Form.SENTENCE for item in built.items)
    return inner >= _ENOUGH
