"""Entries that the user has checked by hand: kept in the workspace in `.counterclaim/checked.json`, signed by the user.

A mark holds for a key and the content of its entry, so an edited entry is looked up again.  Marks that somebody else
made, or that came with a manuscript, have another signature and do not count.
"""

import hashlib
import hmac
import json
import os
import secrets
from datetime import date
from pathlib import Path
from typing import Any

from server.atomic import write_text_atomic
from server.consent import configuration_folder
from server.kept import kept_path, read_kept
from server.logs import describe, logger

_NAME = "checked.json"
_SECRET = "checked.key"
_VERSION = 1
_LOG = logger("checked")


class Checked:
    """The marks of one workspace.  Without a folder they are kept in memory only."""

    def __init__(self, workspace: Path | None, configuration: Path | None = None) -> None:
        """`configuration` replaces the user's configuration folder, in which the key of the signatures stands."""
        self._path = kept_path(workspace, _NAME) if workspace is not None else None
        self._secret_folder = configuration
        self._secret: bytes | None = None
        kept = read_kept(self._path, "checked", _LOG, "checked entries were not read") if self._path is not None else {}
        self._marks: dict[str, dict[str, Any]] = {key: mark for key, mark in kept.items() if isinstance(mark, dict)}

    def holds(self, key: str, content: bytes) -> str | None:
        """The day (ISO) on which this user checked the entry with this key and content; None when it was not."""
        mark = self._marks.get(_name(key, content)) if self._marks else None
        if mark is None:
            return None
        day, signature = mark.get("date"), mark.get("signature")
        if not isinstance(day, str) or not isinstance(signature, str):
            return None
        return day if hmac.compare_digest(signature, self._sign(key, content, day)) else None

    def add(self, key: str, content: bytes, today: date) -> None:
        """Marks an entry as checked.  The file holds key, day and digests, never the content."""
        day = today.isoformat()
        self._marks[_name(key, content)] = {"key": key, "date": day, "signature": self._sign(key, content, day)}
        self._write()

    def remove(self, key: str, content: bytes) -> bool:
        """Takes a mark away; False when there was none."""
        if self._marks.pop(_name(key, content), None) is None:
            return False
        self._write()
        return True

    def _sign(self, key: str, content: bytes, day: str) -> str:
        message = json.dumps([key, content.hex(), day]).encode()
        return hmac.new(self._key(), message, hashlib.blake2s).hexdigest()

    def _key(self) -> bytes:
        if self._secret is None:
            self._secret = _secret((self._secret_folder or configuration_folder()) / _SECRET)
        return self._secret

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(exist_ok=True)
            content = {"version": _VERSION, "checked": dict(sorted(self._marks.items()))}
            write_text_atomic(self._path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        except OSError as error:
            _LOG.warning("checked entries are kept until the end of this session only: %s", describe(error))


def _name(key: str, content: bytes) -> str:
    return hashlib.blake2s(json.dumps([key, content.hex()]).encode(), digest_size=12).hexdigest()


def _secret(path: Path) -> bytes:
    """The user's key; made on first use, and for this session only when it cannot be written."""
    try:
        return bytes.fromhex(path.read_text(encoding="ascii").strip())[:64] or secrets.token_bytes(32)
    except FileNotFoundError:
        fresh = secrets.token_bytes(32)
    except (OSError, ValueError) as error:
        _LOG.warning("the key of checked entries was not read: %s", describe(error))
        return secrets.token_bytes(32)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(fresh.hex() + "\n")
    except OSError as error:
        _LOG.warning("the key of checked entries was not kept: %s", describe(error))
    return fresh
