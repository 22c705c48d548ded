"""The arguments of commands: one object, or nothing, or a bare string that stands for its main field."""

from collections.abc import Mapping
from typing import Any

from server.folders import Folder, OpenFile
from server.protocol import InvalidArgumentsError
from server.session import Session


def given_in(arguments: tuple[Any, ...], single: str = "uri") -> Mapping[str, Any]:
    """The one argument of a command; a bare string stands for the field `single`.  Raises InvalidArgumentsError."""
    if not arguments or arguments[0] is None:
        return {}
    if len(arguments) == 1 and isinstance(arguments[0], str):
        return {single: arguments[0]}
    if len(arguments) == 1 and isinstance(arguments[0], Mapping):
        return arguments[0]
    raise InvalidArgumentsError("one object, or nothing, is needed")


def text_in(given: Mapping[str, Any], name: str) -> str | None:
    """A string among the arguments, None when there is none.  Raises InvalidArgumentsError for anything else."""
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidArgumentsError(f"`{name}` must be a string")
    return value


def file_in(session: Session, given: Mapping[str, Any]) -> OpenFile | None:
    """The named document, or the only one that is open."""
    uri = text_in(given, "uri")
    if uri is not None:
        return session.file(uri)
    open_ = [file for folder in session.folders.all() for file in folder.files.values()]
    return open_[0] if len(open_) == 1 else None


def folders_in(session: Session, given: Mapping[str, Any]) -> list[Folder]:
    """The folder of the named document, or every folder with an open document."""
    file = file_in(session, given)
    if file is not None:
        return [file.folder]
    return [folder for folder in session.folders.all() if folder.files]
