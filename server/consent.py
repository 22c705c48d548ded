"""Whether citations of a workspace may be looked up online: the user's own switch, kept in the user's configuration folder.

It is never read from the workspace: a manuscript that somebody sent must not be able to turn the network on.
"""

import json
import os
from datetime import date
from pathlib import Path

from server.atomic import write_text_atomic
from server.kept import read_kept
from server.logs import describe, logger

_NAME = "online.json"
_VERSION = 1
_LOG = logger("consent")


def configuration_folder() -> Path:
    """The user's configuration folder of this program."""
    from platformdirs import user_config_path

    return user_config_path("counterclaim", appauthor=False)


class Consent:
    """The workspaces in which the network is on.  Read anew for every question: another editor may have turned it off."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` replaces the user's configuration folder."""
        self._folder = folder
        self._here: dict[str, bool] = {}
        """What was said in this session for documents without a folder, or could not be written."""

    def allows(self, workspace: Path | None) -> bool:
        """Whether online sources may be asked about the entries of a workspace; off until it was turned on."""
        name = _name(workspace)
        if name in self._here:
            return self._here[name]
        return name in self._read()

    def set(self, workspace: Path | None, on: bool, today: date) -> bool:
        """Turns the network on or off for a workspace; False when that holds for this session only."""
        name = _name(workspace)
        if workspace is None:
            self._here[name] = on
            return False
        kept = self._read()
        if on:
            kept[name] = today.isoformat()
        else:
            kept.pop(name, None)
        try:
            path = self._path()
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text_atomic(path, json.dumps({"version": _VERSION, "workspaces": kept}, indent=1) + "\n")
        except OSError as error:
            _LOG.warning("the switch holds until the end of this session only: %s", describe(error))
            self._here[name] = on
            return False
        self._here.pop(name, None)
        return True

    def _path(self) -> Path:
        return (self._folder or configuration_folder()) / _NAME

    def _read(self) -> dict[str, str]:
        without = "the switch for online look-ups was not read, so it is off"
        kept = read_kept(self._path(), "workspaces", _LOG, without)
        return {name: str(since) for name, since in kept.items()}


def _name(workspace: Path | None) -> str:
    return os.path.realpath(workspace) if workspace is not None else ""


def consent_text(workspace: str, sources: tuple[str, ...], email: str) -> str:
    """What turning the network on means, in full."""
    address = f" Your e-mail address {email} goes with the requests, as some of them ask for." if email else ""
    return (
        f"Look up the citations of {workspace} online?\n"
        "What leaves this machine, for each cited entry (in a bibliography of up to 300 entries without a manuscript: for each "
        "entry): its title, the names of its authors, its year, and "
        "its identifiers (DOI, arXiv id, ACL, OpenReview, PubMed, ISBN), also a DOI that the local index has for it.\n"
        f"To whom: {', '.join(sources)}. They also see your network address, as every web site does.{address}\n"
        "What does not: the text of the manuscript, citation keys, notes, abstracts, file names.\n"
        "Answers are kept in your cache folder. The switch is kept in your own configuration, for this workspace only; "
        "`counterclaim.citations.online.off` turns it off."
    )
