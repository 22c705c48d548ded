"""Workspace folders and the files that are open in them: which file is called what by whom."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from pygls.uris import from_fs_path, to_fs_path

from analyzers.project.reader import FileReader, MemoryReader
from analyzers.text.document import Document
from server.analysis import FolderAnalyser, Outcome
from server.dismissed import Dismissed
from server.edits import Shift
from server.files import DiskReader
from server.number_views import ChangeWatch
from server.positions import Snapshot
from server.quick import QuickFindings

MARKERS = ("counterclaim.toml", ".git")
_ODD = re.compile(r"[^\w.-]+")


@dataclass(eq=False, slots=True)
class OpenFile:
    """A document that the client has open.

    `known` says whether the folder's outcome was made from this document; `shift` is what was edited since then, `pending`
    what was edited since the text that is being analysed.
    """

    uri: str
    path: str
    folder: "Folder"
    version: int
    document: Document
    known: bool = False
    shift: Shift = field(default_factory=Shift)
    pending: Shift = field(default_factory=Shift)
    quick: QuickFindings = field(default_factory=QuickFindings)


@dataclass(eq=False, slots=True)
class Folder:
    """One workspace folder: its open files by path, and what the last analysis found.

    `changed` are the paths that may have changed on disk since then, None for all of them.
    """

    place: Path | None
    reader: FileReader
    analyser: FolderAnalyser
    dismissed: Dismissed
    files: dict[str, OpenFile] = field(default_factory=dict)
    outcome: Outcome | None = None
    changed: set[str] | None = field(default_factory=set)
    full: bool = True
    """Whether the next analysis includes the checks that are off while typing."""
    running: bool = False
    again: bool = False
    """Whether something happened during the first analysis that asks for another one."""
    generation: int = 0
    """Counts the analyses that were started; the outcome of an earlier one is dropped."""
    published: set[str] = field(default_factory=set)
    numbers: ChangeWatch = field(default_factory=ChangeWatch)
    """Numbers of tables and macros that changed, until what depends on them has been updated."""

    @classmethod
    def on_disk(cls, place: Path) -> "Folder":
        """A folder of the file system."""
        reader = DiskReader(place)
        return cls(place, reader, FolderAnalyser(reader, reader.changes), Dismissed(place))

    @classmethod
    def in_memory(cls) -> "Folder":
        """A place for documents that were never saved."""
        reader = MemoryReader({})
        return cls(None, reader, FolderAnalyser(reader), Dismissed(None))

    # --- what `server.convert.Places` asks for

    def uri(self, path: str) -> str:
        """The client's name of a file: its own spelling for open files."""
        file = self.files.get(path)
        if file is not None:
            return file.uri
        if self.place is None:
            return f"untitled:{path}"
        return from_fs_path(str(self.place / path)) or ""

    def snapshot(self, path: str) -> Snapshot | None:
        """The text of a file: the buffer, or what the last analysis read."""
        file = self.files.get(path)
        if file is not None:
            return file.document
        return self.outcome.snapshots.get(path) if self.outcome is not None else None

    def version(self, path: str) -> int | None:
        """The version of an open file."""
        file = self.files.get(path)
        return file.version if file is not None else None

    def note_change(self, path: str | None) -> None:
        """Remembers that a file (None: any file) may have changed on disk."""
        if path is None:
            self.changed = None
        elif self.changed is not None:
            self.changed.add(path)


class Folders:
    """All workspace folders.  A file outside of them gets a folder of its own surroundings."""

    def __init__(self) -> None:
        self._given: dict[str, Folder] = {}
        self._found: dict[str, Folder] = {}
        self._memory: Folder | None = None

    def add(self, uri: str) -> None:
        """A workspace folder of the client."""
        path = to_fs_path(uri)
        if path:
            place = os.path.abspath(path)  # noqa: PTH100 - links are kept, so that addresses stay the client's
            if place not in self._given:
                self._given[place] = self._found.pop(place) if place in self._found else Folder.on_disk(Path(place))

    def remove(self, uri: str) -> Folder | None:
        """Forgets a workspace folder of the client and returns it."""
        path = to_fs_path(uri)
        return self._given.pop(os.path.abspath(path), None) if path else None  # noqa: PTH100

    def all(self) -> list[Folder]:
        """Every folder in use."""
        return [*self._given.values(), *self._found.values(), *([self._memory] if self._memory else [])]

    def locate(self, uri: str) -> tuple[Folder, str]:
        """The folder of a document and its path in it."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if not path or "\x00" in path:
            self._memory = self._memory or Folder.in_memory()
            return self._memory, _name_in_memory(uri)
        full = os.path.abspath(path)  # noqa: PTH100
        for place in sorted({**self._given, **self._found}, key=len, reverse=True):
            inside = _inside(full, place)
            if inside is not None:
                return self._given.get(place) or self._found[place], inside
        place = surroundings(full)
        folder = self._found[place] = Folder.on_disk(Path(place))
        return folder, _inside(full, place) or os.path.basename(full)  # noqa: PTH119


def _inside(full: str, place: str) -> str | None:
    prefix = place.rstrip(os.sep) + os.sep
    if os.path.normcase(full).startswith(os.path.normcase(prefix)):
        return full[len(prefix) :].replace(os.sep, "/")
    return None


def surroundings(full: str) -> str:
    """The workspace of a file that is in none: the nearest folder above it with a marker, else its own folder.

    Never the home folder or one above it, which would make a workspace of everything.
    """
    home = os.path.expanduser("~")  # noqa: PTH111
    own = os.path.dirname(full)  # noqa: PTH120
    folder = own
    while folder != home and os.path.dirname(folder) != folder and _inside(home, folder) is None:  # noqa: PTH120
        if any(os.path.exists(os.path.join(folder, marker)) for marker in MARKERS):  # noqa: PTH110, PTH118
            return folder
        folder = os.path.dirname(folder)  # noqa: PTH120
    return own


def _name_in_memory(uri: str) -> str:
    name = _ODD.sub("-", unquote(uri.partition(":")[2])).strip("-") or "document"
    return name if name.endswith((".tex", ".ltx", ".bib")) else f"{name}.tex"
