"""What comes back from a bibliographic service: a complete reply, or the reason why there is none."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
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


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer of the service itself."""

    source: str
    status: int
    body: bytes

    def json(self) -> Any:
        """The parsed body; raises `UnavailableError` when it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise UnavailableError(self.source, Reason.MALFORMED) from None

    def xml(self) -> ElementTree.Element:
        """The parsed body; raises `UnavailableError` when it is not XML or declares entities."""
        if b"<!ENTITY" in self.body:
            raise UnavailableError(self.source, Reason.MALFORMED)
        try:
            # Entities are refused above and the body is bounded, which is what a hardened parser would add.
            return ElementTree.fromstring(self.body)  # noqa: S314
        except (ElementTree.ParseError, ValueError, LookupError):
            raise UnavailableError(self.source, Reason.MALFORMED) from None

    def text(self) -> str:
        return self.body.decode("utf-8", errors="replace")
