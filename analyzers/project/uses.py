"""Who uses a label or a citation key, and where it is defined."""

from collections.abc import Iterator

from analyzers.facts.bibitems import bibitems
from analyzers.facts.citations import citations
from analyzers.facts.references import labels, references
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span


def symbol_at(manuscript: Manuscript, path: str, offset: int) -> tuple[str, str] | None:
    """What stands at an offset: ("label", key), ("citation", key), or None for anything else."""
    for bibliography in manuscript.bibliographies:
        if bibliography.path == path:
            for item in bibliography.entries:
                if item.start <= offset < item.end:
                    return ("citation", item.key) if item.key else None
    for entry in manuscript.entries:
        if entry.path != path or not entry.start <= offset <= entry.start + len(entry.block.text):
            continue
        at = offset - entry.start
        for fact in (*labels(entry.block, manuscript.macros), *references(entry.block, manuscript.macros)):
            if fact.start <= at <= fact.end:
                return "label", fact.key
        for cited in (*citations(entry.block, manuscript.macros), *bibitems(entry.block, manuscript.macros)):
            if cited.start <= at <= cited.end:
                return "citation", cited.key
    return None


def definitions(manuscript: Manuscript, kind: str, key: str) -> Iterator[Span]:
    """Where a label or key is defined."""
    if kind == "label":
        for _, entry, label in manuscript.located(labels):
            if label.key == key:
                yield entry.span(label.start, label.end)
        return
    found = manuscript.entry_of_key(key)
    if found is not None:
        yield found.key_span
    for _, entry, item in manuscript.located(bibitems):
        if item.key == key:
            yield entry.span(item.start, item.end)


def uses(manuscript: Manuscript, kind: str, key: str) -> Iterator[Span]:
    """Where a label is referred to, or a key is cited."""
    if kind == "label":
        for _, entry, reference in manuscript.located(references):
            if reference.key == key:
                yield entry.span(reference.start, reference.end)
        return
    for _, entry, citation in manuscript.located(citations):
        if citation.key == key:
            yield entry.span(citation.start, citation.end)
