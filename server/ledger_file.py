"""The file of the ledger: read, locked, merged and written so that no crash and no second editor loses anything.

Every change is a function on the content that stands on disk at that moment, applied under a lock and written atomically; what this
version does not know is carried along as it is.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from server.atomic import write_text_atomic
from server.kept import FOLDER, kept_path
from server.logs import describe, logger

NAME = "review.json"
VERSION = 1
FORMAT = "counterclaim-review"
_LOCK = "review.lock"
_OURS = "<<<<<<< "
_ENTRIES = ("reviews", "points")
_LAST = "~"
_MAX_BYTES = 50_000_000
_LOCK_SECONDS = 5.0
_LOG = logger("ledger")
Content = dict[str, Any]


class LedgerError(Exception):
    """The ledger cannot be written; the message says why, and nothing on disk has changed."""


class LedgerFile:
    """`.counterclaim/review.json` of a workspace; without a workspace it lives in memory."""

    def __init__(self, workspace: Path | None) -> None:
        self.path = kept_path(workspace, NAME) if workspace is not None else None
        self._memory: Content = empty()
        self._stamp: tuple[int, int, int] | None = None

    def read(self) -> Content:
        """The content now.  A file that is no ledger is put aside under another name, never overwritten."""
        if self.path is None:
            return self._memory
        try:
            status = self.path.stat()
        except OSError:
            return empty()
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp == self._stamp:
            return self._memory
        content = _parsed(self.path)
        if content is None:
            return empty()
        self._memory, self._stamp = content, stamp
        return content

    @property
    def altered(self) -> bool:
        """Whether the file is another one than was read last: someone else has written it."""
        if self.path is None:
            return False
        try:
            status = self.path.stat()
        except OSError:
            return self._stamp is not None
        return (status.st_mtime_ns, status.st_size, status.st_ino) != self._stamp

    def change(self, edit: Callable[[Content], None]) -> Content:
        """Applies `edit` to what stands on disk and writes the result.  Raises LedgerError."""
        if self.path is None:
            edit(self._memory)
            return self._memory
        try:
            self.path.parent.mkdir(exist_ok=True)
            with _locked(self.path.with_name(_LOCK)):
                if self.path.exists() and _parsed(self.path) is None:
                    self._put_aside()
                self._stamp = None
                content = json.loads(json.dumps(self.read()))
                edit(content)
                write_text_atomic(self.path, written(content))
                self._stamp = None
                return self.read()
        except OSError as error:
            raise LedgerError(f"{FOLDER}/{NAME} could not be written: {error.strerror or error}.") from error

    def _put_aside(self) -> None:
        assert self.path is not None
        for number in range(1, 1000):
            other = self.path.with_name(f"review.unreadable-{number}.json")
            if not other.exists():
                self.path.rename(other)
                _LOG.warning("the ledger could not be read and was put aside as %s", other.name)
                return


def empty() -> Content:
    """A ledger without points."""
    return {"format": FORMAT, "version": VERSION, "reviews": {}, "points": {}}


def written(content: Content) -> str:
    """The text of a ledger: a review or point a line, sorted by id, so that version control merges whole entries and never
    a field of one into another.  The empty entry at the end lets every other line end with a comma."""
    lines = ["{"]
    for key, value in content.items():
        if key in _ENTRIES:
            continue
        lines.append(f" {_json(key)}: {_json(value)},")
    for name in _ENTRIES:
        entries = dict(sorted((key, value) for key, value in content.get(name, {}).items() if key != _LAST))
        lines.append(f" {_json(name)}: {{")
        lines += [f"  {_json(key)}: {_json(value)}," for key, value in entries.items()]
        lines += [f"  {_json(_LAST)}: {{}}", " }," if name != _ENTRIES[-1] else " }"]
    return "\n".join([*lines, "}"]) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _parsed(path: Path) -> Content | None:
    """The content of a file, None when it is no ledger."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        text = path.read_text(encoding="utf-8")
        data = _merged(text) if text.startswith(_OURS) or f"\n{_OURS}" in text else json.loads(text)
    except (OSError, ValueError, RecursionError, AttributeError) as error:
        _LOG.warning("the ledger could not be read: %s", describe(error))
        return None
    if not isinstance(data, dict) or not all(isinstance(data.get(name, {}), dict) for name in ("points", "reviews")):
        return None
    data.setdefault("version", VERSION)
    for name in _ENTRIES:
        data.setdefault(name, {}).pop(_LAST, None)
    return data


def _merged(text: str) -> Any:
    """The union of both sides of a merge that version control could not finish; the later change of a point counts.

    Raises ValueError when a side is no ledger.
    """
    ours: list[str] = []
    theirs: list[str] = []
    sides: tuple[list[str], ...] = (ours, theirs)
    for line in text.splitlines(keepends=True):
        if line.startswith(_OURS):
            sides = (ours,)
        elif line.startswith("|||||||"):
            sides = ()  # what both came from
        elif line.startswith("=======") and sides != (ours, theirs):
            sides = (theirs,)
        elif line.startswith(">>>>>>>"):
            sides = (ours, theirs)
        else:
            for side in sides:
                side.append(line)
    one, other = (json.loads("".join(side)) for side in (ours, theirs))
    if not isinstance(one, dict) or not isinstance(other, dict):
        raise ValueError("a side is no ledger")  # noqa: TRY004 - as for any other text that is none
    joined = {**other, **one}
    for name in _ENTRIES:
        mine, yours = one.get(name, {}), other.get(name, {})
        both = {**yours, **mine}
        for key in mine.keys() & yours.keys():
            if str(yours[key].get("changed", "")) > str(mine[key].get("changed", "")):
                both[key] = yours[key]
        joined[name] = both
    return joined


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Holds the lock of a ledger; the operating system frees that of a process that dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise OSError(0, "another program holds its lock")
            time.sleep(0.01)
        try:
            yield
        finally:
            _unlock(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
