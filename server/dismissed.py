"""Findings that the author has dismissed, kept in the workspace in `.counterclaim/dismissed.json`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from analyzers.finding import Finding
from server.atomic import write_text_atomic
from server.logs import describe, logger

FOLDER = ".counterclaim"
_NAME = "dismissed.json"
_VERSION = 1
_MAX_BYTES = 10_000_000
_LOG = logger("dismissed")


class Dismissed:
    """The dismissed findings of one workspace, by fingerprint.  Without a folder they are kept in memory only."""

    def __init__(self, workspace: Path | None) -> None:
        self._path = _inside(workspace) if workspace is not None else None
        self._entries: dict[str, dict[str, Any]] = _read(self._path) if self._path is not None else {}

    def __contains__(self, finding: Finding) -> bool:
        return finding.fingerprint in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def shown(self, findings: Iterable[Finding]) -> list[Finding]:
        """`findings` without the dismissed ones."""
        if not self._entries:
            return list(findings)
        return [finding for finding in findings if finding.fingerprint not in self._entries]

    def add(self, finding: Finding, reason: str) -> None:
        """Dismisses a finding; the file holds the code and the place, never the text of the manuscript."""
        self._entries[finding.fingerprint] = {"code": finding.code, "file": finding.span.path, "reason": reason}
        self._write()

    def clear(self, path: str | None = None) -> int:
        """Forgets the dismissals of one file, or all of them; returns how many there were."""
        gone = [key for key, entry in self._entries.items() if path is None or entry.get("file") == path]
        for key in gone:
            del self._entries[key]
        if gone:
            self._write()
        return len(gone)

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(exist_ok=True)
            content = {"version": _VERSION, "dismissed": dict(sorted(self._entries.items()))}
            write_text_atomic(self._path, json.dumps(content, indent=1) + "\n")
        except OSError as error:
            _LOG.warning("dismissed findings are kept until the end of this session only: %s", describe(error))


def _inside(workspace: Path) -> Path | None:
    """The path of the file, unless a link leads out of the workspace: it may be a stranger's."""
    path = workspace / FOLDER / _NAME
    try:
        return path if path.resolve().is_relative_to(workspace.resolve()) else None
    except (OSError, RuntimeError):  # a loop of links
        return None


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return {}
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        _LOG.warning("dismissed findings were not read: %s", describe(error))
        return {}
    entries = data.get("dismissed") if isinstance(data, dict) else None
    if not isinstance(entries, dict):
        return {}
    return {key: entry for key, entry in entries.items() if isinstance(entry, dict)}
