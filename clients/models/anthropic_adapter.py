"""The Messages API through the provider's SDK (2.14 or later of its second major), without its retries, profiles and
traces.

The SDK takes seconds to load, so it is imported in a thread when the first request is sent.  Its convenience methods
that parse answers lose message and usage of an answer that does not fit; here the raw message is read, and validated by
`asking`.
"""

import asyncio
import importlib
import logging
import os
import threading
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzers.review.port import ModelRequest, OutcomeKind, Segment, Source, Speaker, Usage
from clients.models.failures import failure
from clients.models.keys import Key
from clients.models.wire import Message, ModelInfo, Partial, Reply

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

PROVIDER = "anthropic"
ADDRESS = "https://api.anthropic.com"
WEB_SEARCH = "web_search_20260318"
_WHO = "Anthropic"
# Above this a reply is streamed: its usage is then known from the first event on, also when it is cut off.
_STREAM_ABOVE = 2_000
_MAX_BREAKPOINTS = 4
_MAX_LISTED = 200
_CONNECT_SECONDS = 10.0
_ENVIRONMENT = threading.Lock()
# At debug level these write request bodies, and with them the manuscript.
_LOGGERS = ("anthropic", "httpx2", "httpcore2")


class AnthropicWire:
    """One model of the provider, or of any server that speaks its API at `base_url`.

    `thinking_tokens` is added to the answer's limit, because thinking counts in it.  `effort` None leaves the choice to
    the provider.  `cache_ttl` is `5m` or `1h`, None switches the provider's cache of prompts off.  `idle_seconds` is
    how long the server may be silent.
    """

    provider = PROVIDER

    def __init__(
        self,
        model: str,
        key: Key,
        base_url: str = ADDRESS,
        effort: str | None = None,
        thinking_tokens: int = 0,
        cache_ttl: str | None = "5m",
        idle_seconds: float = 300.0,
    ) -> None:
        self._model = model
        self._key = key
        self._address = base_url.rstrip("/")
        self._effort = effort
        self._thinking = thinking_tokens
        self._ttl = cache_ttl
        self._idle = idle_seconds
        self._client: AsyncAnthropic | None = None
        self._opening = asyncio.Lock()

    @property
    def model(self) -> str:
        """The model's id."""
        return self._model

    @property
    def address(self) -> str:
        """The server's address."""
        return self._address

    @property
    def long_cache(self) -> bool:
        """Whether prefixes are kept for an hour."""
        return self._ttl == "1h"

    def output_limit(self, request: ModelRequest) -> int:
        """`max_tokens`: the answer's and room for thinking."""
        return request.max_output_tokens + self._thinking

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The body of the request; the schema is still the one that was asked for, not the provider's form of it."""
        marked = iter(self._marked(request))
        system = self._blocks(request.system, marked)
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": self.output_limit(request),
            "messages": [
                {
                    "role": "user" if turn.speaker is Speaker.USER else "assistant",
                    "content": self._blocks(turn.segments, marked),
                }
                for turn in request.turns
            ],
        }
        if system:
            body["system"] = system
        config: dict[str, Any] = {}
        if self._effort is not None:
            config["effort"] = self._effort
        if request.schema is not None:
            config["format"] = {"type": "json_schema", "schema": dict(request.schema)}
        if config:
            body["output_config"] = config
        if request.web_searches:
            body["tools"] = [{"type": WEB_SEARCH, "name": "web_search", "max_uses": request.web_searches}]
        return body

    async def send(self, request: ModelRequest, extra: tuple[Message, ...], partial: Partial) -> Reply:
        """One request, streamed when the reply may be long."""
        partial.sent = False
        try:
            client = await self._open()
            arguments = self._arguments(request, extra)
        except ImportError:
            return _missing()
        except (ValueError, TypeError, AssertionError) as error:
            detail = f"The request cannot be put in the provider's form: {type(error).__name__}."
            return Reply(OutcomeKind.REJECTED, detail=detail)
        partial.sent = True
        try:
            if arguments["max_tokens"] > _STREAM_ABOVE:
                return await self._streamed(client, arguments, partial)
            message = await client.messages.create(**arguments, timeout=self._timeout())
        except Exception as error:
            return _failed(error, partial)
        partial.usage = _usage(message.usage, None)
        return _reply(message, partial, getattr(message, "_request_id", None))

    async def count(self, request: ModelRequest) -> int | None:
        """The provider's count; None when it cannot be had.  Counting is free of charge but sends the text."""
        try:
            client = await self._open()
            arguments = self._arguments(request, ())
            del arguments["max_tokens"]
            async with asyncio.timeout(min(self._idle, 30.0)):
                return (await client.messages.count_tokens(**arguments)).input_tokens
        except Exception:
            return None

    async def models(self) -> tuple[ModelInfo, ...] | None:
        """The models the provider lists for this key."""
        try:
            client = await self._open()
            found: list[ModelInfo] = []
            async with asyncio.timeout(30.0):
                async for item in client.models.list(limit=100):
                    structured = getattr(getattr(item.capabilities, "structured_outputs", None), "supported", None)
                    retired = getattr(item, "lifecycle", None) == "retired"
                    found.append(ModelInfo(item.id, item.max_input_tokens, item.max_tokens, structured, retired))
                    if len(found) == _MAX_LISTED:
                        break
        except Exception:
            return None
        return tuple(found)

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _streamed(self, client: "AsyncAnthropic", arguments: dict[str, Any], partial: Partial) -> Reply:
        received: list[str] = []
        async with client.messages.stream(**arguments, timeout=self._timeout()) as stream:
            try:
                async for event in stream:
                    if event.type == "message_start":
                        partial.usage = _usage(event.message.usage, None)
                    elif event.type == "message_delta":
                        partial.usage = _usage(event.usage, partial.usage)
                    elif event.type == "content_block_delta":
                        for name in ("text", "thinking", "partial_json"):
                            piece = getattr(event.delta, name, None)
                            if isinstance(piece, str):
                                received.append(piece)
            finally:
                # Also when the caller cancels, so that what arrived so far can be accounted for.
                partial.received = "".join(received)
            if partial.usage is None:
                return _cut(partial)
            return _reply(stream.current_message_snapshot, partial, stream.request_id)

    def _arguments(self, request: ModelRequest, extra: tuple[Message, ...]) -> dict[str, Any]:
        arguments = dict(self.body(request))
        arguments["messages"] = [*arguments["messages"], *extra]
        if request.schema is not None:
            transform = importlib.import_module("anthropic").transform_schema
            schema = transform(dict(request.schema))
            config = dict(arguments["output_config"])
            arguments["output_config"] = {**config, "format": {"type": "json_schema", "schema": schema}}
        return arguments

    def _marked(self, request: ModelRequest) -> list[bool]:
        """For each segment of the prompt whether a cached prefix ends there: the last four that ask for it."""
        segments = [*request.system, *(segment for turn in request.turns for segment in turn.segments)]
        asking = [number for number, segment in enumerate(segments) if segment.cached and segment.text.strip()]
        chosen = set(asking[-_MAX_BREAKPOINTS:]) if self._ttl is not None else set()
        return [number in chosen for number in range(len(segments))]

    def _blocks(self, segments: tuple[Segment, ...], marked: Iterator[bool]) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        for segment in segments:
            mark = next(marked)
            if segment.image is not None:
                data = b64encode(segment.image.data).decode("ascii")
                source = {"type": "base64", "media_type": segment.image.media_type, "data": data}
                blocks.append({"type": "image", "source": source})
            if not segment.text.strip():
                continue  # an empty block is refused
            block: dict[str, Any] = {"type": "text", "text": _encodable(segment.text)}
            if mark:
                block["cache_control"] = {"type": "ephemeral", "ttl": self._ttl}
            blocks.append(block)
        return blocks

    def _timeout(self) -> Any:
        timeout = importlib.import_module("httpx2").Timeout
        return timeout(self._idle, connect=_CONNECT_SECONDS)

    async def _open(self) -> "AsyncAnthropic":
        async with self._opening:
            if self._client is None:
                await asyncio.to_thread(importlib.import_module, "anthropic")
                self._client = self._connected()
            return self._client

    def _connected(self) -> "AsyncAnthropic":
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.WARNING)
        with _without_settings():
            return AsyncAnthropic(
                api_key=self._key.reveal(),
                base_url=self._address,
                max_retries=0,
                open_telemetry=False,
                # A redirect would carry the manuscript to a place that nobody agreed to.
                http_client=DefaultAsyncHttpxClient(follow_redirects=False),
            )


@contextmanager
def _without_settings() -> Iterator[None]:
    """No profile, header or key of the environment gets into a client that is made inside."""
    with _ENVIRONMENT:
        taken = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("ANTHROPIC_")}
        try:
            yield
        finally:
            os.environ.update(taken)


def _reply(message: Any, partial: Partial, given_id: str | None) -> Reply:
    return replace(_stopped(message, partial, given_id), sources=_sources(message))


def _stopped(message: Any, partial: Partial, given_id: str | None) -> Reply:
    text = "".join(block.text for block in message.content if block.type == "text")
    usage, model = partial.usage, message.model
    request_id = given_id or ""
    stop = message.stop_reason
    if stop is None:
        return _cut(partial)
    if stop in ("end_turn", "stop_sequence"):
        return Reply(OutcomeKind.ANSWERED, text, usage, model=model, request_id=request_id)
    if stop == "pause_turn":
        content = [block.to_dict(mode="json") for block in message.content]
        continuation = {"role": "assistant", "content": content} if content else None
        return Reply(
            OutcomeKind.TRUNCATED,
            text,
            usage,
            model=model,
            paused=True,
            continuation=continuation,
            detail="The model paused and gave nothing to go on with.",
            request_id=request_id,
        )
    if stop == "refusal":
        category = getattr(getattr(message, "stop_details", None), "category", None)
        named = f" (category {category})" if isinstance(category, str) else ""
        return Reply(
            OutcomeKind.REFUSED, text, usage, model=model, detail=f"The model refuses{named}.", request_id=request_id
        )
    if stop in ("max_tokens", "model_context_window_exceeded"):
        why = "limit of the answer" if stop == "max_tokens" else "size of the model's window"
        detail = f"The answer was cut off at the {why}."
        return Reply(OutcomeKind.TRUNCATED, text, usage, model=model, detail=detail, request_id=request_id)
    detail = "The model stopped for a reason that is not known here."
    return Reply(OutcomeKind.MALFORMED, text, usage, model=model, detail=detail, request_id=request_id)


def _sources(message: Any) -> tuple[Source, ...]:
    """The pages of search results; a search that failed has an error in their place."""
    found: list[Source] = []
    for block in message.content:
        results = block.content if block.type == "web_search_tool_result" else None
        for result in results if isinstance(results, list) else ():
            title, url = getattr(result, "title", None), getattr(result, "url", None)
            if isinstance(title, str) and isinstance(url, str):
                found.append(Source(title, url))
    return tuple(found)


def _cut(partial: Partial) -> Reply:
    """A stream that ended without its last event, in silence or with the connection.  What arrived is billed."""
    return Reply(
        OutcomeKind.UNAVAILABLE,
        usage=partial.settled(),
        usage_is_bound=True,
        retryable=True,
        detail="The connection ended before the answer was complete.",
    )


def _failed(error: Exception, partial: Partial) -> Reply:
    import anthropic

    httpx2 = importlib.import_module("httpx2")
    if isinstance(error, anthropic.APIStatusError):
        reply = failure(
            _WHO, error.status_code, error.type, error.error_code, error.api_message, error.response.headers
        )
        if partial.usage is None:
            return reply
        # The error came inside a stream: what arrived before it is billed.
        return Reply(
            reply.kind,
            usage=partial.settled(),
            usage_is_bound=True,
            retryable=reply.retryable,
            detail=reply.detail,
            request_id=error.request_id or "",
        )
    if isinstance(error, anthropic.APIConnectionError):
        cause = error.__cause__
        if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol)):
            return Reply(OutcomeKind.UNAVAILABLE, retryable=True, detail=f"{_WHO} cannot be reached.")
        if isinstance(error, anthropic.APITimeoutError):
            detail = "The provider was silent for too long."
            return Reply(OutcomeKind.TIMED_OUT, usage=partial.settled(), usage_is_bound=True, detail=detail)
        return _cut(partial)
    if isinstance(error, httpx2.TimeoutException):
        detail = "The provider was silent for too long."
        return Reply(OutcomeKind.TIMED_OUT, usage=partial.settled(), usage_is_bound=True, detail=detail)
    if isinstance(error, httpx2.HTTPError):
        return _cut(partial)
    detail = f"The provider's answer cannot be read: {type(error).__name__}."
    return Reply(OutcomeKind.UNAVAILABLE, usage=partial.settled(), usage_is_bound=True, detail=detail)


def _missing() -> Reply:
    detail = "The package for Anthropic is not installed. Install counterclaim with the extra `models`."
    return Reply(OutcomeKind.NOT_ALLOWED, detail=detail)


def _usage(given: Any, before: Usage | None) -> Usage:
    """The usage of a message, or of an event that changes what was reported before."""
    old = before or Usage()
    creation = getattr(given, "cache_creation", None)
    details = getattr(given, "output_tokens_details", None)
    tools = getattr(given, "server_tool_use", None)
    return Usage(
        input_tokens=_number(given, "input_tokens", old.input_tokens),
        cache_write_tokens=_number(given, "cache_creation_input_tokens", old.cache_write_tokens),
        cache_read_tokens=_number(given, "cache_read_input_tokens", old.cache_read_tokens),
        output_tokens=_number(given, "output_tokens", old.output_tokens),
        web_searches=_number(tools, "web_search_requests", old.web_searches),
        calls=1,
        thinking_tokens=_number(details, "thinking_tokens", old.thinking_tokens),
        long_cache_write_tokens=_number(creation, "ephemeral_1h_input_tokens", old.long_cache_write_tokens),
    )


def _number(owner: Any, name: str, default: int) -> int:
    value = getattr(owner, name, None)
    return value if isinstance(value, int) and value >= 0 else default


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be sent; it becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
