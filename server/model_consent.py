"""Whether a workspace may send its manuscript to a model: the switch, where it is kept, and what a person is shown.

The switch lies in the user's configuration folder, one file for each workspace, and never in the workspace, which may
come from a stranger.  It is given to a recipient (provider and address): another one is asked for again.
"""

import datetime
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from analyzers.review.consent import Recipient
from server.atomic import write_text_atomic
from server.logs import describe, logger

_VERSION = 1
_MAX_BYTES = 100_000
_LOG = logger("consent")


class Decision(StrEnum):
    """What is known of a workspace and a recipient."""

    ALLOWED = "allowed"
    NOT_ASKED = "not asked"
    DECLINED = "declined"
    UNTRUSTED = "untrusted"


_REASONS = {
    Decision.NOT_ASKED: "Sending to {who} was not allowed for this workspace. See what would be sent, then allow it.",
    Decision.DECLINED: "Sending to {who} is switched off for this workspace. Withdraw the consent to be asked again.",
    Decision.UNTRUSTED: "This workspace is not trusted, so nothing of it is sent anywhere.",
}


@dataclass(frozen=True, slots=True)
class _Record:
    allowed: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()


class ModelConsent:
    """The switches of all workspaces.  No method raises: what cannot be read was not given.

    Where nothing can be written a switch lasts until the program ends.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` replaces the folder in the user's configuration."""
        self._given = folder
        self._memory: dict[str, _Record] = {}

    def decision(self, workspace: Path | None, recipient: Recipient, trusted: bool = True) -> Decision:
        """What holds now; it is read anew each time, because another editor may have changed it."""
        if not trusted:
            return Decision.UNTRUSTED
        record = self._record(workspace)
        if recipient.id in record.declined:
            return Decision.DECLINED
        return Decision.ALLOWED if recipient.id in record.allowed else Decision.NOT_ASKED

    def reason(self, workspace: Path | None, recipient: Recipient, trusted: bool = True) -> str | None:
        """Why nothing may be sent, None when it may."""
        decision = self.decision(workspace, recipient, trusted)
        if decision is Decision.ALLOWED:
            return None
        return _REASONS[decision].format(who=recipient.host or recipient.address)

    def guard(self, workspace: Path | None, trusted: Callable[[], bool]) -> Callable[[Recipient], str | None]:
        """The question that a guarded model asks before each call."""
        return lambda recipient: self.reason(workspace, recipient, trusted())

    def give(
        self, workspace: Path | None, recipients: Iterable[Recipient], today: datetime.date, trusted: bool = True
    ) -> bool:
        """Switches sending on; False when the workspace is not trusted, and nothing is changed."""
        if not trusted:
            return False
        self._change(workspace, recipients, True, today)
        return True

    def decline(self, workspace: Path | None, recipients: Iterable[Recipient], today: datetime.date) -> None:
        """Switches sending off, so that it is not asked for again by itself."""
        self._change(workspace, recipients, False, today)

    def withdraw(self, workspace: Path | None) -> None:
        """Forgets all that was said about a workspace, so that it is asked again."""
        self._memory[_name(workspace)] = _Record()
        path = self._path(workspace)
        if path is None:
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            _LOG.warning("consent is forgotten until the end of this session only: %s", describe(error))
        else:
            del self._memory[_name(workspace)]

    def _change(
        self, workspace: Path | None, recipients: Iterable[Recipient], allowed: bool, today: datetime.date
    ) -> None:
        before = self._record(workspace)
        names = list(dict.fromkeys(recipient.id for recipient in recipients))
        yes = [item for item in before.allowed if item not in names] + (names if allowed else [])
        no = [item for item in before.declined if item not in names] + ([] if allowed else names)
        record = _Record(tuple(yes), tuple(no))
        path = self._path(workspace)
        # What is not on disk holds for this session; what is, is read from there.
        self._memory[_name(workspace)] = record
        if path is None or workspace is None:
            return
        content = {
            "version": _VERSION,
            "workspace": str(workspace),
            "changed": today.isoformat(),
            "allowed": list(record.allowed),
            "declined": list(record.declined),
        }
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text_atomic(path, json.dumps(content, indent=1) + "\n")
        except OSError as error:
            _LOG.warning("consent is kept until the end of this session only: %s", describe(error))
        else:
            del self._memory[_name(workspace)]

    def _folder(self) -> Path:
        if self._given is None:
            from platformdirs import user_config_path

            self._given = user_config_path("counterclaim", appauthor=False) / "consent"
        return self._given

    def _record(self, workspace: Path | None) -> _Record:
        name = _name(workspace)
        if name in self._memory:
            return self._memory[name]
        path = self._path(workspace)
        return _Record() if path is None else _read(path)

    def _path(self, workspace: Path | None) -> Path | None:
        """The file of a workspace, None where there may be none: no folder, or the configuration lies inside of it."""
        if workspace is None:
            return None
        folder = self._folder()
        if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(workspace)):
            return None
        return folder / f"{_name(workspace)}.json"


def _name(workspace: Path | None) -> str:
    """The name of a workspace's file: its place on disk, with links resolved, as a digest."""
    place = os.path.normcase(os.path.realpath(workspace)) if workspace is not None else ""
    return hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _read(path: Path) -> _Record:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return _Record()
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        _LOG.warning("a consent was not read, so it counts as not given: %s", describe(error))
        return _Record()
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        return _Record()
    return _Record(_strings(data.get("allowed")), _strings(data.get("declined")))


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
