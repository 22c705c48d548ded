"""Entries that go: merging two entries of one work, and removing those that nothing cites."""

from collections.abc import Mapping, Sequence

from analyzers.citations.edits.fields import Change, change_fields, editable, whole_lines
from analyzers.citations.edits.keys import uses_rewritten
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span

# What names an entry itself must not move to another one.
_OWN = frozenset({"crossref", "xdata", "xref", "ids", "label", "shorthand", "sortkey", "entryset"})


def merge_entries(
    keep: BibEntry, drop: BibEntry, manuscripts: Sequence[Manuscript], texts: Mapping[str, str]
) -> Fix | None:
    """One entry instead of two: `drop` goes, what only it says moves to `keep`, and its key is replaced wherever it is used.

    `manuscripts` are all that read the files of both, `texts` the files by path.  None when an entry is damaged, inherits
    from the other, or is used in a way that cannot be rewritten, and while a part of a manuscript could not be read:
    a citation there would break.
    """
    if not editable(keep) or drop.problems or not all(manuscript.closed for manuscript in manuscripts):
        return None
    if not manuscripts or drop.path not in texts or keep.path not in texts or _linked(keep, drop):
        return None
    rewritten: tuple[Edit, ...] | None = ()
    if keep.key != drop.key:
        rewritten = uses_rewritten(drop.key, keep.key, manuscripts)
    if rewritten is None:
        return None
    changes = [
        Change(name, _source(drop, name))
        for name, item in drop.fields.items()
        if keep.field(name) is None and name not in _OWN and item.literal and _source(drop, name).strip()
    ]
    removed = _removed(drop, texts[drop.path])
    gone = removed.span
    others = tuple(
        edit for edit in rewritten if not (edit.span.path == gone.path and gone.start <= edit.span.start < gone.end)
    )
    edits = (*change_fields(keep, changes), removed, *others)
    uses = sum(edit.span.path != drop.path for edit in others)
    into = f" and cite {keep.key} instead ({uses} {'place' if uses == 1 else 'places'})" if uses else ""
    return Fix(f"Merge {drop.key} into {keep.key}{into}", tuple(sorted(edits, key=lambda edit: edit.span)))


def remove_entries(entries: Sequence[BibEntry], texts: Mapping[str, str]) -> Fix | None:
    """Delete entries with their lines."""
    known = [entry for entry in entries if entry.path in texts]
    if not known:
        return None
    title = (
        f"Remove the entry {known[0].key}"
        if len(known) == 1
        else f"Remove the {len(known)} entries that are never cited"
    )
    spans = sorted({_removed(entry, texts[entry.path]).span for entry in known})
    # Two entries on one line do not share their range, but ranges with line ends may meet.
    edits: list[Edit] = []
    for span in spans:
        start = max(span.start, edits[-1].span.end) if edits and edits[-1].span.path == span.path else span.start
        if start < span.end:
            edits.append(Edit(Span(span.path, start, span.end), ""))
    return Fix(title, tuple(edits))


def _removed(entry: BibEntry, text: str) -> Edit:
    return Edit(Span(entry.path, *whole_lines(text, entry.start, entry.end)), "")


def _source(entry: BibEntry, name: str) -> str:
    item = entry.field(name)
    if item is None:
        return ""
    by = item.value_start - item.raw_start
    return item.raw[by : by + item.value_end - item.value_start]


def _linked(keep: BibEntry, drop: BibEntry) -> bool:
    """Whether one of the two inherits from the other."""
    names = ("crossref", "xdata", "xref")
    return any(drop.key in keep.value(name).split(",") for name in names) or any(
        keep.key in drop.value(name).split(",") for name in names
    )
