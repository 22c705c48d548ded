"""Which files are roots: what LaTeX would be started on."""

import posixpath
import re
from collections.abc import Iterable

from analyzers.project.library import Library
from analyzers.project.reader import ReadFailure, folder_of, joined
from analyzers.project.structure import structure
from analyzers.text.document import Document

_MAGIC = re.compile(r"^[ \t]*%[ \t]*!\s*T[eE]X\s+root\s*=\s*([^\r\n]+)", re.MULTILINE)
_HEAD = 4000
_MAX_LISTED = 2000


def roots(library: Library, paths: Iterable[str] | None = None) -> tuple[str, ...]:
    """The roots among `paths` (all TeX files of the workspace when None), sorted.

    A root holds `\\documentclass`, is not a `subfiles` document and is included by no other file.
    """
    listed = sorted(set(library.reader.listing() if paths is None else paths))[:_MAX_LISTED]
    candidates: list[str] = []
    included: set[str] = set()
    for path in listed:
        document = library.document(path)
        if isinstance(document, ReadFailure):
            continue
        has_class = False
        for block in document.blocks:
            found = structure(block)
            if found.plain:
                continue
            if found.document_class is not None and found.document_class != "subfiles":
                has_class = True
            for include in found.includes:
                base = joined(folder_of(path), include.folder) if include.folder else folder_of(path)
                included.update((joined(base, include.name), joined(base, include.name + ".tex")))
        if has_class and not path.endswith((".cls", ".sty")):
            candidates.append(path)
    return tuple(path for path in candidates if path not in included)


def root_of(library: Library, path: str) -> str:
    """The root of the document that `path` belongs to; `path` itself when none is found (a lone file).

    In this order: a magic comment, `\\documentclass[main]{subfiles}`, the file's own class, a root nearby (in the same folder
    or one above, up to the top of the workspace) that includes it.
    """
    document = library.document(path)
    if not isinstance(document, Document):
        return path
    magic = _MAGIC.search(document.text[:_HEAD])
    if magic is not None:
        for name in (magic[1].strip(), magic[1].strip() + ".tex"):
            target = joined(folder_of(path), name)
            if library.exists(target):
                return target
    for block in document.blocks:
        found = structure(block)
        if found.document_class == "subfiles" and found.class_option:
            for name in (found.class_option, found.class_option + ".tex"):
                target = joined(folder_of(path), name)
                if library.exists(target):
                    return target
        elif found.document_class is not None and not path.endswith((".cls", ".sty")):
            return path
    return _including_root(library, path) or path


def _including_root(library: Library, path: str) -> str | None:
    listed = [other for other in list(library.reader.listing())[:_MAX_LISTED] if other != path]
    folder = folder_of(path)
    while True:
        here = [other for other in listed if folder_of(other) == folder]
        for root in roots(library, here):
            if path in reachable(library, root):
                return root
        if not folder:
            return None
        folder = folder_of(folder)


def reachable(library: Library, root: str) -> frozenset[str]:
    """The paths of all TeX and bibliography files that a root reads."""
    from analyzers.project.assemble import assemble

    manuscript = assemble(library, root)
    return frozenset(
        (
            *manuscript.files,
            *(bibliography.path for bibliography in manuscript.bibliographies),
            posixpath.normpath(root),
        )
    )
