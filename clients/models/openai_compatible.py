"""Servers that speak `/v1/chat/completions`: Ollama, vLLM, llama.cpp and others.

Nothing is taken for granted: the schema is sent in `response_format` and said in the prompt, a server that refuses the
field is asked again without it, and the answer is validated by `asking` in any case.
"""

import json
import logging
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import httpx

from analyzers.review.port import ModelRequest, OutcomeKind, Segment, Speaker, Usage
from clients.models.answers import without_thoughts
from clients.models.failures import failure
from clients.models.keys import NO_KEY, Key, host_of
from clients.models.wire import Message, ModelInfo, Partial, Reply

PROVIDER = "openai-compatible"
_CONNECT_SECONDS = 10.0
_MAX_LISTED = 200
_MAX_BYTES = 20_000_000
_OFFICIAL = "api.openai.com"
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.PoolTimeout)
_SCHEMA = "\n\nAnswer with one JSON value and nothing else. It must satisfy this JSON schema:\n{schema}"


class ChatWire:
    """One model of one server.  `base_url` ends before `/chat/completions`, as in `http://localhost:11434/v1`."""

    provider = PROVIDER

    def __init__(
        self,
        model: str,
        key: Key,
        base_url: str,
        effort: str | None = None,
        thinking_tokens: int = 0,
        idle_seconds: float = 600.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._model = model
        self._key = key
        self._address = base_url.rstrip("/")
        self._effort = effort
        self._thinking = thinking_tokens
        self._idle = idle_seconds
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._takes_format = True
        self._who = host_of(self._address) or "The server"

    @property
    def model(self) -> str:
        """The model's name at the server."""
        return self._model

    @property
    def address(self) -> str:
        """The server's address."""
        return self._address

    @property
    def long_cache(self) -> bool:
        """These servers cache as they like, at no price."""
        return False

    def output_limit(self, request: ModelRequest) -> int:
        """The answer's limit and room for thinking."""
        return request.max_output_tokens + self._thinking

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The body of the request."""
        messages: list[Message] = []
        system = "\n\n".join(segment.text for segment in request.system if segment.text.strip())
        if system:
            messages.append({"role": "system", "content": system})
        for turn in request.turns:
            role = "user" if turn.speaker is Speaker.USER else "assistant"
            messages.append({"role": role, "content": _parts(turn.segments)})
        limit = "max_completion_tokens" if host_of(self._address) == _OFFICIAL else "max_tokens"
        body: dict[str, Any] = {"model": self._model, limit: self.output_limit(request), "messages": messages}
        if request.schema is not None:
            schema = dict(request.schema)
            said = _SCHEMA.format(schema=json.dumps(schema, ensure_ascii=False))
            last = messages[-1]["content"]
            messages[-1]["content"] = last + said if isinstance(last, str) else [*last, {"type": "text", "text": said}]
            form = {"name": request.schema_name, "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        if self._effort is not None:
            body["reasoning_effort"] = self._effort
        return body

    async def send(self, request: ModelRequest, extra: tuple[Message, ...], partial: Partial) -> Reply:
        """One request; a second one without `response_format` when the server does not know that field."""
        if request.web_searches:
            detail = f"{self._who} offers no web search here."
            return Reply(OutcomeKind.REJECTED, detail=detail)
        body = dict(self.body(request))
        body["messages"] = [*body["messages"], *extra]
        if not self._takes_format:
            body.pop("response_format", None)
        reply = await self._posted(body, partial)
        if reply.kind is OutcomeKind.REJECTED and "response_format" in body:
            del body["response_format"]
            again = await self._posted(body, partial)
            if again.kind is not OutcomeKind.REJECTED:
                self._takes_format = False
                return again
        return reply

    async def count(self, request: ModelRequest) -> int | None:
        """These servers have no common way to count."""
        return None

    async def models(self) -> tuple[ModelInfo, ...] | None:
        """The models the server lists."""
        try:
            answer = await self._open().get(f"{self._address}/models")
            items = answer.json()["data"] if answer.status_code == 200 else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError, RecursionError):
            return None
        if not isinstance(items, list):
            return None
        names = [item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), str)]
        return tuple(ModelInfo(name) for name in names[:_MAX_LISTED])

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    def _open(self) -> httpx.AsyncClient:
        if self._client is None:
            for name in ("httpx", "httpcore"):
                logging.getLogger(name).setLevel(logging.WARNING)
            secret = self._key.reveal()
            headers = {} if secret == NO_KEY else {"Authorization": f"Bearer {secret}"}
            timeout = httpx.Timeout(self._idle, connect=_CONNECT_SECONDS)
            self._client = httpx.AsyncClient(headers=headers, timeout=timeout, transport=self._transport)
        return self._client

    async def _posted(self, body: dict[str, Any], partial: Partial) -> Reply:
        try:
            # A manuscript may hold half of a surrogate pair; the escaped form carries it, and servers replace it.
            content = json.dumps(body).encode("ascii")
            headers = {"Content-Type": "application/json"}
            async with self._open().stream(
                "POST", f"{self._address}/chat/completions", content=content, headers=headers
            ) as answer:
                raw = bytearray()
                async for piece in answer.aiter_bytes():
                    raw += piece
                    if len(raw) > _MAX_BYTES:
                        return self._unreadable(partial)
        except _UNSENT:
            return Reply(OutcomeKind.UNAVAILABLE, retryable=True, detail=f"{self._who} cannot be reached.")
        except httpx.TimeoutException:
            detail = f"{self._who} was silent for too long."
            return Reply(OutcomeKind.TIMED_OUT, usage=partial.settled(), usage_is_bound=True, detail=detail)
        except httpx.HTTPError:
            detail = "The connection ended before the answer was complete."
            return Reply(
                OutcomeKind.UNAVAILABLE,
                usage=partial.settled(),
                usage_is_bound=True,
                retryable=True,
                detail=detail,
            )
        try:
            data = json.loads(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            data = None
        if answer.status_code != 200:
            error = data.get("error") if isinstance(data, dict) else None
            about = error if isinstance(error, dict) else {}
            message = about.get("message") if about else error
            return failure(
                self._who,
                answer.status_code,
                _text(about.get("type")),
                _text(about.get("code")),
                _text(message),
                answer.headers,
            )
        reply = _reply(data) if isinstance(data, dict) else None
        return reply if reply is not None else self._unreadable(partial)

    def _unreadable(self, partial: Partial) -> Reply:
        detail = f"The answer of {self._who} cannot be read."
        return Reply(OutcomeKind.UNAVAILABLE, usage=partial.settled(), usage_is_bound=True, detail=detail)


def _reply(data: dict[str, Any]) -> Reply | None:
    """The reply of a chat completion, None when it is none."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return None
    text = without_thoughts(_content(message.get("content")))
    usage = _usage(data.get("usage"))
    model, name = _text(data.get("model")) or "", _text(data.get("id")) or ""
    stop = choice.get("finish_reason")
    if stop == "content_filter" or isinstance(message.get("refusal"), str):
        return Reply(
            OutcomeKind.REFUSED, text, usage, usage is None, model, detail="The model refuses.", request_id=name
        )
    if stop == "length":
        detail = "The answer was cut off at the limit of the answer."
        return Reply(OutcomeKind.TRUNCATED, text, usage, usage is None, model, detail=detail, request_id=name)
    # Some servers leave the reason out; then the answer itself has to show whether it is whole.
    return Reply(OutcomeKind.ANSWERED, text, usage, usage is None, model, request_id=name)


def _content(value: Any) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    return "".join(_text(part.get("text")) or "" for part in parts if isinstance(part, dict))


def _usage(value: Any) -> Usage | None:
    """The usage, None when the server does not report it.  What it read from its own cache counts as cheap input."""
    if not isinstance(value, dict) or _whole(value.get("prompt_tokens")) is None:
        return None
    details = value.get("prompt_tokens_details")
    thought = value.get("completion_tokens_details")
    total = _whole(value.get("prompt_tokens")) or 0
    cached = min(total, _whole(details.get("cached_tokens")) or 0) if isinstance(details, dict) else 0
    return Usage(
        input_tokens=total - cached,
        cache_read_tokens=cached,
        output_tokens=_whole(value.get("completion_tokens")) or 0,
        calls=1,
        thinking_tokens=(_whole(thought.get("reasoning_tokens")) or 0) if isinstance(thought, dict) else 0,
    )


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _parts(segments: tuple[Segment, ...]) -> str | list[dict[str, Any]]:
    """One text as long as there is no image, because not every server takes parts."""
    if all(segment.image is None for segment in segments):
        return "".join(segment.text for segment in segments)
    parts: list[dict[str, Any]] = []
    for segment in segments:
        if segment.image is not None:
            address = f"data:{segment.image.media_type};base64,{b64encode(segment.image.data).decode('ascii')}"
            parts.append({"type": "image_url", "image_url": {"url": address}})
        if segment.text:
            parts.append({"type": "text", "text": segment.text})
    return parts
