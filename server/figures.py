"""The pictures that a manuscript's figures show, read from the workspace for a review whose reader takes images."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analyzers.project.reader import ReadFailure, folder_of, joined
from analyzers.review.pictures import MOST_BYTES, MOST_BYTES_TOGETHER, MOST_IMAGES, Picture, image_of
from analyzers.review.script import LineKind, hidden_places
from analyzers.review.withholding import hidden_findings
from server.files import DiskReader

if TYPE_CHECKING:
    from analyzers.project.manuscript import Entry, Manuscript
    from analyzers.review.script import Line
    from server.review_run import Prepared

_ENDINGS = (".png", ".jpg", ".jpeg")
_FOLDER = re.compile(r"\{([^{}]*)\}")


def pictures_of(ready: "Prepared", workspace: Path) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    """Pictures with a caption in the main text, in reading order, and notes on those that are left out.

    Only PNG and JPEG files inside of the workspace are read, within the limits of `analyzers.review.pictures`.
    """
    reader = DiskReader(workspace, MOST_BYTES)
    folders = _folders(ready.manuscript)
    found: dict[str, Picture] = {}
    left_out: list[str] = []
    together = 0
    for entry, name, caption in _named(ready):
        path, data = _read(reader, [joined(folder, name) for folder in (*folders, folder_of(entry.path))])
        if path in found or not path:
            continue
        image = image_of(data) if isinstance(data, bytes) else None
        if image is None or len(found) == MOST_IMAGES or together + len(image.data) > MOST_BYTES_TOGETHER:
            left_out.append(path)
            continue
        together += len(image.data)
        found[path] = Picture(image, caption.id, caption.note)
    notes = []
    if left_out:
        listed = ", ".join(dict.fromkeys(left_out[:5]))
        notes.append(f"Images that are not shown to the model, being too large, too many or not readable: {listed}.")
    return tuple(found.values()), tuple(notes)


def _named(ready: "Prepared") -> "Iterator[tuple[Entry, str, Line]]":
    """The files that the figures of the main text name, each with its caption; not those inside of hidden text."""
    hidden = hidden_places(hidden_findings(ready.manuscript))
    captions: dict[int, list[Line]] = {}
    for line in ready.script.main:
        if line.kind is LineKind.CAPTION:
            captions.setdefault(line.entry, []).append(line)
    for index, entry in ready.manuscript.body:
        if index not in captions:
            continue
        for command in entry.block.lexed.commands:
            group = command.braced() if command.name.rstrip("*") == "includegraphics" else None
            if group is None:
                continue
            span = entry.span(group.start, group.end)
            name = entry.block.text[group.start : group.end].strip().strip('"{}')
            if name and not any(span.overlaps(other) for other in hidden.get(entry.path, ())):
                yield entry, name, min(captions[index], key=lambda line: abs(line.span.start - span.start))


def _folders(manuscript: "Manuscript") -> tuple[str, ...]:
    """The folders of `\\graphicspath`, and that of the root, which TeX looks in first."""
    own = folder_of(manuscript.root)
    found = [own]
    for entry in manuscript.entries:
        for command in entry.block.lexed.commands:
            group = command.braced() if command.name == "graphicspath" else None
            if group is not None:
                text = entry.block.text[group.start : group.end]
                found += [joined(own, folder.strip()) for folder in _FOLDER.findall(text)[:20]]
    return tuple(dict.fromkeys(found))


def _read(reader: DiskReader, bases: list[str]) -> tuple[str, bytes | ReadFailure | None]:
    """The first file that is there under one of the names; nothing when what is printed is of another format."""
    for base in dict.fromkeys(bases):
        if base.lower().endswith(_ENDINGS):
            names: tuple[str, ...] = (base,)
        elif "." in base.rsplit("/", 1)[-1] and base.lower().endswith((".pdf", ".eps", ".svg")):
            return "", None
        elif reader.holds(base + ".pdf"):
            return "", None  # TeX prefers it, so an image beside it may be an older one
        else:
            names = tuple(base + ending for ending in _ENDINGS)
        for name in names:
            data = reader.data(name)
            if isinstance(data, bytes) or data.kind not in ("missing", "outside"):
                return name, data
    return "", None
