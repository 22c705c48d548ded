"""The `FileReader` port: how the analysis asks for files.  Paths are relative to the workspace, with forward slashes."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol


class ReadFailure(NamedTuple):
    """Why a file could not be read: `kind` is one of missing, outside, unreadable, large, special."""

    kind: str
    message: str


class FileText(NamedTuple):
    """Decoded text of one file (no BOM, no newline translation) and a remark for the user, such as a fallback encoding."""

    text: str
    remark: str = ""


class FileReader(Protocol):
    """Implemented by `server` over the disk and the editor's buffers, and by `MemoryReader` for examples and tests."""

    def read(self, path: str) -> FileText | ReadFailure:
        """The text of a file, or why there is none.  Never raises."""
        ...

    def listing(self) -> Iterable[str]:
        """The `.tex`, `.ltx` and `.Rnw` files of the workspace, for finding roots; may be cut at a sensible number."""
        ...


class MemoryReader:
    """Files from a mapping."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def read(self, path: str) -> FileText | ReadFailure:
        """The text under `path`; paths that climb out of the workspace are refused."""
        if path.startswith(("../", "/")):
            return ReadFailure("outside", "outside the workspace")
        found = self._files.get(path)
        return FileText(found) if found is not None else ReadFailure("missing", "not found")

    def listing(self) -> Iterable[str]:
        """All files that look like TeX."""
        return [path for path in self._files if path.endswith((".tex", ".ltx"))]


def joined(folder: str, path: str) -> str:
    """`path` relative to `folder`, normalised; one that leaves the workspace starts with `../` or `/`."""
    return posixpath.normpath(posixpath.join(folder, path)) if path else folder


def folder_of(path: str) -> str:
    """The folder part of a path, the empty string for a file at the top."""
    return posixpath.dirname(path)
