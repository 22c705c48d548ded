"""What the client shows: the last diagnostics sent for each file, so that nothing is sent twice or left behind."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from server.convert import wire

Send = Callable[[str, dict[str, Any]], None]


class Board:
    """The published diagnostics, by the client's name of the file."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._shown: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}

    def publish(self, uri: str, version: int | None, diagnostics: list[lsp.Diagnostic]) -> None:
        """Shows `diagnostics` for a file, of this version if it is open; sends nothing when the client has them."""
        content = [wire(diagnostic) for diagnostic in diagnostics]
        if self._shown.get(uri) == (version, content):
            return
        if not content and version is None and uri not in self._shown:
            return
        if content or version is not None:
            self._shown[uri] = (version, content)
        else:
            self._shown.pop(uri)
        self._notify(uri, version, content)

    def clear(self, uri: str) -> None:
        """Shows nothing more for a file that was closed or is gone."""
        if self._shown.pop(uri, None) is not None:
            self._notify(uri, None, [])

    def shows(self, uri: str) -> bool:
        """Whether the client was sent anything for a file that still stands."""
        return uri in self._shown

    def _notify(self, uri: str, version: int | None, content: list[dict[str, Any]]) -> None:
        params: dict[str, Any] = {"uri": uri, "diagnostics": content}
        if version is not None:
            params["version"] = version
        self._send(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
