"""What a manuscript takes from other files without including them: entries of bibliographies, labels of other documents."""

import posixpath
import re

from analyzers.facts.macros import Macros
from analyzers.finding import Note
from analyzers.project.bibliography import Bibliography, read_bibliography, typeset_items
from analyzers.project.reader import folder_of, joined
from analyzers.project.walk import Walk, candidates, expanded
from analyzers.text.document import Document
from analyzers.text.spans import Span

_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_INCLUDES = re.compile(r"\\(?:input|include|subfile|import)\b")


def bibliographies_of(walk: Walk, root: str, macros: Macros) -> tuple[tuple[Bibliography, ...], dict[str, Span], bool]:
    """The bibliography files, the keys of a `.bbl` that stands in for missing ones, and whether keys may be missing."""
    walk.table = macros
    found: list[Bibliography] = []
    seen: set[str] = set()
    unresolved = False
    for call, where in walk.bibliographies:
        name = expanded(walk, call.name)
        if name in seen:
            continue
        seen.add(name)
        file = name if name.endswith(".bib") else name + ".bib"
        virtual = walk.virtual.get(file)
        if virtual is not None:
            path, offset, text, _ = virtual
            read = walk.library.bibliography(f"{path}\x00{file}", text)
            if isinstance(read, Bibliography):
                found.append(_moved(read, path, offset))
            continue
        if "\\" in name or "#" in name:
            walk.notes.append(
                Note(
                    f"The bibliography {call.name} depends on macros that are not known; citation keys are not checked.",
                    where,
                )
            )
            unresolved = True
            continue
        folder = folder_of(where.path)
        bibliography = None
        for base in dict.fromkeys((walk.root_folder, folder, *walk.search)):
            candidate = walk.library.bibliography(joined(base, file))
            if isinstance(candidate, Bibliography):
                bibliography = candidate
                break
        if bibliography is None:
            walk.notes.append(Note(f"The bibliography {file} was not found; citation keys are not checked.", where))
            unresolved = True
        else:
            found.append(bibliography)
    typeset: dict[str, Span] = {}
    if unresolved or not walk.bibliographies:
        document = walk.library.document(posixpath.splitext(root)[0] + ".bbl")
        if isinstance(document, Document):
            path = posixpath.splitext(root)[0] + ".bbl"
            walk.files.setdefault(path, document)
            typeset = {item.key: Span(path, item.key_start, item.key_end) for item in typeset_items(document.text)}
            if typeset and unresolved:
                walk.notes.append(Note(f"{path} stands in for a bibliography that was not found."))
                unresolved = False
    return tuple(found), typeset, unresolved


def _moved(bibliography: Bibliography, path: str, offset: int) -> Bibliography:
    """A bibliography read out of another file, at its place there."""
    plain = read_bibliography(path, "")
    return Bibliography(
        path=path,
        text=plain.text,
        entries=tuple(entry.at(path, entry.start + offset) for entry in bibliography.entries),
        strings=bibliography.strings,
        commented=tuple(entry.at(path, entry.start + offset) for entry in bibliography.commented),
        open_macros=bibliography.open_macros,
    )


def external_labels_of(walk: Walk) -> tuple[frozenset[str], tuple[str, ...]]:
    """Labels of documents named by `\\externaldocument`, with their prefixes; prefixes of those that cannot be read."""
    labels: set[str] = set()
    unknown: list[str] = []
    for prefix, name in walk.external:
        document = next(
            (
                d
                for path in candidates(walk, expanded(walk, name), walk.root_folder, ".tex")
                if isinstance(d := walk.library.document(path), Document)
            ),
            None,
        )
        if document is None:
            unknown.append(prefix)
            continue
        labels.update(prefix + label for label in _LABEL.findall(document.text))
        # What its own includes define is not read, so any label with its prefix may exist.
        if _INCLUDES.search(document.text):
            unknown.append(prefix)
    return frozenset(labels), tuple(unknown)
