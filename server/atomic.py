"""Writing files so that a reader, or the next start after a crash, sees the old content or the new, never half."""

import contextlib
import os
import secrets
import stat
from pathlib import Path


def write_atomic(path: Path, content: bytes) -> None:
    """Replaces the content of `path`, keeping its permissions; a link is followed, so that the file behind it changes.

    Raises OSError when the folder is missing or not writable, or the path is no regular file; the old content then
    stands.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    # It lies in the same folder, because a rename is atomic only within one file system.  A new file gets the
    # permissions that the user's mask leaves; what replaces a file is private until it has that file's permissions.
    temporary = target.with_name(f".{target.name[:50]}.{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def write_text_atomic(path: Path, text: str) -> None:
    """`write_atomic` in UTF-8; line ends stay as they are."""
    write_atomic(path, text.encode("utf-8"))


def _mode(target: Path) -> int | None:
    """The permissions of the file that will be replaced, None when there is none."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"{target.name} is no regular file, so it was not written")
    return stat.S_IMODE(status.st_mode)


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself last; file systems and platforms that cannot do that are left alone."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
