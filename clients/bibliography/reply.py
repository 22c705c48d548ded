"""What comes back from a bibliographic service: a complete reply, or the reason why there is none."""

import json
from enum import StrEnum
from typing import Any, Literal, cast
from xml.etree import ElementTree


class Reason(StrEnum):
    """Why a source gave no answer."""

    RATE_LIMITED = "rate limited"
    SERVER_ERROR = "server error"
    TIMEOUT = "time-out"
    CONNECTION = "no connection"
    CHALLENGE = "challenge page"
    REFUSED = "refused"
    MALFORMED = "malformed answer"
    TOO_LARGE = "answer too large"
    REDIRECT = "redirect refused"
    COOLING_DOWN = "cooling down"
    BAD_REQUEST = "request not understood"


class UnavailableError(Exception):
    """The source gave no answer.  `retry_in` is in seconds from now, None when nobody knows."""

    def __init__(self, source: str, reason: Reason, retry_in: float | None = None) -> None:
        super().__init__(f"{source}: {reason.value}")
        self.source = source
        self.reason = reason
        self.retry_in = retry_in


Expect = Literal["json", "xml", "text"]


class Reply:
    """A complete answer of the service itself: its status and its body, which is parsed at most once."""

    __slots__ = ("_parsed", "body", "source", "status")

    def __init__(self, source: str, status: int, body: bytes) -> None:
        self.source = source
        self.status = status
        self.body = body
        self._parsed: Any = _UNPARSED

    def parses(self, expect: Expect) -> bool:
        """Whether the body is of the kind that was asked for."""
        try:
            if expect == "json":
                self.json()
            elif expect == "xml":
                self.xml()
        except UnavailableError:
            return False
        return True

    def json(self) -> Any:
        """The parsed body; raises `UnavailableError` when it is not JSON."""
        if self._parsed is _UNPARSED:
            try:
                self._parsed = json.loads(self.body)
            except (ValueError, RecursionError):
                raise UnavailableError(self.source, Reason.MALFORMED) from None
        return self._parsed

    def xml(self) -> ElementTree.Element:
        """The parsed body; raises `UnavailableError` when it is not XML or declares entities."""
        if self._parsed is not _UNPARSED:
            return cast("ElementTree.Element", self._parsed)
        if b"<!ENTITY" in self.body:
            raise UnavailableError(self.source, Reason.MALFORMED)
        try:
            # Entities are refused above and the body is bounded, which is what a hardened parser would add.
            root = ElementTree.fromstring(self.body)  # noqa: S314
        except (ElementTree.ParseError, ValueError, LookupError):
            raise UnavailableError(self.source, Reason.MALFORMED) from None
        self._parsed = root
        return root

    def text(self) -> str:
        return self.body.decode("utf-8", errors="replace")


_UNPARSED: Any = object()
