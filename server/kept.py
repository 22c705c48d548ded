"""What is kept from one session to the next, in small JSON files: those of a workspace in its folder `.counterclaim`."""

import json
import logging
from pathlib import Path
from typing import Any

from server.logs import describe

FOLDER = ".counterclaim"
_MAX_BYTES = 10_000_000


def kept_path(workspace: Path, name: str) -> Path | None:
    """The path of a file of the workspace, None where a link leads out of it: the file may be a stranger's."""
    path = workspace / FOLDER / name
    try:
        return path if path.resolve().is_relative_to(workspace.resolve()) else None
    except (OSError, RuntimeError):  # a loop of links
        return None


def read_kept(path: Path, field: str, log: logging.Logger, without: str) -> dict[str, Any]:
    """The object that a file has under `field`; empty where there is none, and `without` says in the log what that means."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return {}
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s: %s", without, describe(error))
        return {}
    found = data.get(field) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}
