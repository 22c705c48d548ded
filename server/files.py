"""Files on disk: read within one workspace only, never blocked by what is no file, decoded as authors' files are."""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analyzers.project.reader import FileText, ReadFailure

MAX_BYTES = 50 * 1024 * 1024
MAX_LISTED = 2000
_MAX_VISITED = 50_000
_TEX = (".tex", ".ltx", ".rnw")
_SKIPPED = {"node_modules", "__pycache__", "venv", "site-packages"}
_BINARY_SAMPLE = 8192
_BINARY_SHARE = 0.02
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\v\f\r\x1b")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


_OUTSIDE = ReadFailure("outside", "outside the workspace, so it was not read")


class _Stamp(NamedTuple):
    """What changes when a file changes."""

    changed: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class _Known:
    stamp: _Stamp
    content: FileText


class DiskReader:
    """The `FileReader` of one workspace folder.  A file is decoded again only after it has changed."""

    def __init__(self, workspace: Path, max_bytes: int = MAX_BYTES) -> None:
        self.workspace = workspace
        self._real = os.path.realpath(workspace)
        self._max_bytes = max_bytes
        self._known: dict[str, _Known] = {}
        self._asked: dict[str, _Stamp | None] = {}

    def read(self, path: str) -> FileText | ReadFailure:
        """The text of a file (relative path, forward slashes), or why there is none.  Never raises, never blocks."""
        try:
            return self._read(path)
        except FileNotFoundError:
            failure = ReadFailure("missing", "not found")
        except IsADirectoryError:
            failure = ReadFailure("special", "is a folder")
        except (OSError, ValueError) as error:  # ValueError: a NUL byte or a lone surrogate in the path
            reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "is no valid path"
            failure = ReadFailure("unreadable", reason[0].lower() + reason[1:])
        self._known.pop(path, None)
        return failure

    def data(self, path: str) -> bytes | ReadFailure:
        """The bytes of a file, or why there are none; nothing is kept.  Never raises, never blocks."""
        if not self.contains(path):
            return _OUTSIDE
        full = os.path.join(self._real, path)  # noqa: PTH118
        try:
            return self._problem(os.stat(full)) or self._opened(full)[0]  # noqa: PTH116
        except FileNotFoundError:
            return ReadFailure("missing", "not found")
        except (OSError, ValueError) as error:
            return ReadFailure("unreadable", type(error).__name__)

    def holds(self, path: str) -> bool:
        """Whether there is such a file in the workspace."""
        return self.contains(path) and self._stamp(path) is not None

    def changes(self) -> list[str]:
        """The paths that were read, or were missing, and are not now what they were then."""
        return [path for path, stamp in self._asked.items() if self._stamp(path) != stamp]

    def listing(self) -> Iterable[str]:
        """The TeX files of the workspace in order, without hidden folders and links to folders; at most MAX_LISTED."""
        found: list[str] = []
        for path in self._walk():
            if path.lower().endswith(_TEX):
                found.append(path)
                if len(found) >= MAX_LISTED:
                    break
        return found

    def contains(self, path: str) -> bool:
        """Whether `path` lies in the workspace once links are followed."""
        if self._linkless(path):
            return True
        real = os.path.realpath(os.path.join(self._real, path))  # noqa: PTH118 - pathlib is five times slower
        return real == self._real or real.startswith(self._real.rstrip(os.sep) + os.sep)

    def _linkless(self, path: str) -> bool:
        """Whether `path` is surely inside: it does not climb and no part of it is a link.

        The workspace is real already, so only what is below it need be looked at, which is most of the work of reading
        a small file or of finding that there is none.
        """
        if os.name != "posix" or path.startswith("/") or ".." in path:
            return False
        end = path.find("/")
        while True:
            part = path if end < 0 else path[:end]
            try:
                if stat.S_ISLNK(os.lstat(f"{self._real}/{part}").st_mode):
                    return False
            except (OSError, ValueError):
                # Nothing is there, or nothing can have that name, so nothing that could lead elsewhere.
                return True
            if end < 0:
                return True
            end = path.find("/", end + 1)

    def _stamp(self, path: str) -> _Stamp | None:
        try:
            return _stamp(os.stat(os.path.join(self._real, path)))  # noqa: PTH116, PTH118
        except (OSError, ValueError):
            return None

    def _read(self, path: str) -> FileText | ReadFailure:
        full = os.path.join(self._real, path)  # noqa: PTH118
        self._asked[path] = None
        try:
            status = os.stat(full)  # noqa: PTH116 - before opening: opening some devices has effects
        except (OSError, ValueError):
            if self.contains(path):
                raise
            return _OUTSIDE
        self._asked[path] = _stamp(status)
        if not self.contains(path):
            return _OUTSIDE
        problem = self._problem(status)
        if problem is not None:
            return problem
        known = self._known.get(path)
        if known is not None and known.stamp == _stamp(status):
            return known.content
        data, stamp = self._opened(full)
        content = decode(data) if isinstance(data, bytes) else data
        if isinstance(content, FileText):
            self._known[path] = _Known(stamp, content)
        return content

    def _opened(self, full: str) -> tuple[bytes | ReadFailure, _Stamp]:
        with open(os.open(full, _OPEN_FLAGS), "rb") as file:  # noqa: PTH123 - pathlib takes no flags
            status = os.fstat(file.fileno())
            problem = self._problem(status)
            if problem is not None:
                return problem, _stamp(status)
            data = file.read(status.st_size + 1)
            if len(data) > status.st_size:  # it has grown since
                data += file.read(self._max_bytes + 1 - len(data))
        if len(data) > self._max_bytes:
            return self._too_large(len(data)), _stamp(status)
        return data, _stamp(status)

    def _problem(self, status: os.stat_result) -> ReadFailure | None:
        if stat.S_ISDIR(status.st_mode):
            return ReadFailure("special", "is a folder")
        if not stat.S_ISREG(status.st_mode):
            return ReadFailure("special", "is a pipe or device, not a file")
        if status.st_size > self._max_bytes:
            return self._too_large(status.st_size)
        return None

    def _too_large(self, size: int) -> ReadFailure:
        limit = self._max_bytes / 2**20
        return ReadFailure("large", f"has {size / 2**20:.0f} MiB; files over {limit:g} MiB are not read")

    def _walk(self) -> Iterator[str]:
        visited = 0
        for folder, folders, files in os.walk(self._real):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
            inside = os.path.relpath(folder, self._real)
            prefix = "" if inside == os.curdir else inside.replace(os.sep, "/") + "/"
            for name in sorted(files):
                visited += 1
                yield prefix + name
            if visited > _MAX_VISITED:
                return


def _stamp(status: os.stat_result) -> _Stamp:
    return _Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def decode(data: bytes) -> FileText | ReadFailure:
    """The text of a file: UTF-8 (a BOM is removed and not counted), UTF-16 with a BOM, else Latin-1 with a remark.

    Line ends stay as they are.  Data with many control characters is no text.
    """
    if data.startswith(_UTF16):
        return FileText(data.decode("utf-16", "replace"), "The file is UTF-16; TeX expects UTF-8.")
    sample = data[:_BINARY_SAMPLE]
    if len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) * _BINARY_SHARE:
        return ReadFailure("unreadable", "is not text")
    try:
        return FileText(data.removeprefix(codecs.BOM_UTF8).decode("utf-8"))
    except UnicodeDecodeError:
        return FileText(data.decode("latin-1"), "The file is not valid UTF-8; it was read as Latin-1.")
