"""Finding and reading `counterclaim.toml`."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from analyzers.configuration import CONFIGURATION_NAME, Configuration, merged, read_configuration
from analyzers.finding import Note
from analyzers.project.reader import FileReader, ReadFailure
from analyzers.text.spans import Span

_LINE_OF_ERROR = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one root, the file they came from (None without one), what could not be used of it, its text."""

    configuration: Configuration
    path: str | None
    notes: tuple[Note, ...]
    text: str = ""

    def beside(self, path: str) -> str:
        """A path that stands in the settings file, relative to the workspace."""
        folder = PurePosixPath(self.path or "").parent
        return (folder / path).as_posix()


def read_settings(
    reader: FileReader,
    root: str | None,
    known_codes: Collection[str] = (),
    editor: Mapping[str, object] | None = None,
) -> Settings:
    """The settings for `root` (relative to the workspace; None for the workspace itself).

    The file beside the root is used, or that of the nearest folder above it up to the workspace.  `editor` holds the
    editor's settings, over which the file wins.  Never raises: a file that cannot be read or parsed gives a note.
    """
    base = dict(editor or {})
    for candidate in candidates(root):
        content = reader.read(candidate)
        if isinstance(content, ReadFailure):
            if content.kind == "missing":
                continue
            note = Note(f"The settings in {candidate} were not read: {content.message}.", Span(candidate, 0, 0))
            return _settings(base, known_codes, None, "", (note,))
        try:
            data = tomllib.loads(content.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            return _settings(
                base, known_codes, candidate, content.text, (_syntax_note(candidate, content.text, error),)
            )
        return _settings(merged(base, data), known_codes, candidate, content.text, ())
    return _settings(base, known_codes, None, "", ())


def candidates(root: str | None) -> tuple[str, ...]:
    """The paths at which the settings of `root` may stand, the nearest first."""
    folders = PurePosixPath(root).parents if root else (PurePosixPath(),)
    return tuple((folder / CONFIGURATION_NAME).as_posix() for folder in folders)


def _settings(
    data: Mapping[str, object], known_codes: Collection[str], path: str | None, text: str, notes: tuple[Note, ...]
) -> Settings:
    configuration, more = read_configuration(data, known_codes, path or CONFIGURATION_NAME, text)
    return Settings(configuration, path, (*notes, *more), text)


def _syntax_note(path: str, text: str, error: Exception) -> Note:
    message = (
        _LINE_OF_ERROR.sub("", str(error)).strip() if not isinstance(error, RecursionError) else "too deeply nested"
    )
    match = _LINE_OF_ERROR.search(str(error))
    lines = text.splitlines(keepends=True)
    line = int(match[1]) - 1 if match and match[1] else max(len(lines) - 1, 0)
    start = sum(len(before) for before in lines[:line])
    end = start + len(lines[line].rstrip("\r\n")) if line < len(lines) else start
    return Note(f"{path} is not valid TOML, so no setting of it is used: {message}.", Span(path, start, end))
