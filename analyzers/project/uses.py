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
            for source in bibliography.entries:
                if source.start <= offset < source.end:
                    return ("citation", source.key) if source.key else None
    for entry in manuscript.entries:
        if entry.path != path or not entry.start <= offset <= entry.start + len(entry.block.text):
            continue
        at = offset - entry.start
        block, macros = entry.block, manuscript.macros
        for label in labels(block, macros):
            if label.start <= at <= label.end:
                return "label", label.key
        for reference in references(block, macros):
            if reference.start <= at <= reference.end:
                return "label", reference.key
        for citation in citations(block, macros):
            if citation.start <= at <= citation.end:
                return "citation", citation.key
        for item in bibitems(block, macros):
            if item.start <= at <= item.end:
                return "citation", item.key
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
