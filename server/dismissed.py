"""Findings that the author has dismissed, kept in the workspace in `.counterclaim/dismissed.json`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from analyzers.finding import Finding
from server.atomic import write_text_atomic
from server.kept import kept_path, read_kept
from server.logs import describe, logger

_NAME = "dismissed.json"
_VERSION = 1
_LOG = logger("dismissed")


class Dismissed:
    """The dismissed findings of one workspace, by fingerprint.  Without a folder they are kept in memory only."""

    def __init__(self, workspace: Path | None) -> None:
        self._path = kept_path(workspace, _NAME) if workspace is not None else None
        kept = (
            read_kept(self._path, "dismissed", _LOG, "dismissed findings were not read")
            if self._path is not None
            else {}
        )
        self._entries: dict[str, dict[str, Any]] = {
            key: entry for key, entry in kept.items() if isinstance(entry, dict)
        }

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
