"""What an adapter is: one request in, one reply out, nothing raised.  Retries, repairs and budgets live in `asking`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from analyzers.review.port import ModelRequest, OutcomeKind, Source, Usage
from clients.models.estimate import tokens_of

Message = dict[str, Any]
"""A message in the shape of the provider, added to those of the request."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of one request on the wire.

    `usage` is None when the provider may bill the request and did not say what for.  `paused` asks for the same request
    again with `continuation` added; `retryable` says that the same request may succeed a little later.
    """

    kind: OutcomeKind
    text: str = ""
    usage: Usage | None = field(default_factory=Usage)
    usage_is_bound: bool = False
    model: str = ""
    paused: bool = False
    continuation: Message | None = None
    retryable: bool = False
    retry_after: float | None = None
    detail: str = ""
    request_id: str = ""
    sources: tuple[Source, ...] = ()


@dataclass(slots=True)
class Partial:
    """What is known of a request while its answer arrives; read when it is cut off."""

    usage: Usage | None = None
    received: str = ""
    sent: bool = True
    """False while the request certainly has not reached the provider."""

    def settled(self) -> Usage | None:
        """The usage so far: what was reported, and the output at least as long as what arrived.  None when unknown."""
        if not self.sent:
            return Usage()
        if self.usage is None:
            return None
        missing = max(0, tokens_of(self.received) - self.usage.output_tokens)
        return self.usage + Usage(output_tokens=missing)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that the provider lists; None where it does not say."""

    id: str
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    structured_output: bool | None = None
    retired: bool = False


class Wire(Protocol):
    """An adapter.  `provider`, `model` and `address` say to whom requests go; none of them holds a key."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def long_cache(self) -> bool:
        """Whether the provider is asked to keep cached prefixes for an hour, which costs more."""
        ...

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """All that is sent and decides on the answer, as JSON: the cache of calls is addressed by it."""
        ...

    def output_limit(self, request: ModelRequest) -> int:
        """The output tokens a reply can have at most."""
        ...

    async def send(self, request: ModelRequest, extra: tuple[Message, ...], partial: Partial) -> Reply:
        """Sends the request with messages added to it.  Raises only `asyncio.CancelledError`."""
        ...

    async def count(self, request: ModelRequest) -> int | None:
        """The provider's own count of input tokens, None where it offers none."""
        ...

    async def models(self) -> tuple[ModelInfo, ...] | None:
        """The models the provider lists, None when it lists none or does not answer."""
        ...

    async def close(self) -> None:
        """Ends its connections."""
        ...
