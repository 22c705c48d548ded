"""Servers on loopback that speak the Messages API and the chat completions API, for tests.  Standard library only.

    with FakeMessagesApi() as api:
        api.script.append(Behaviour(status=429, type="rate_limit_error", headers={"retry-after": "3600"}))
        ...  # a client with base_url=api.url
        assert len(api.calls) == 1

One behaviour is taken from `script` for each question; when it is empty, `answer` is asked, and without one the default
is given: JSON that fits the schema when the request has one, else an echo.  `log` holds every request with its body.
This file may be imported by its path; it needs no other file of the tests.
"""

import asyncio
import hashlib
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

VERSION = "2026-10-21"


@dataclass
class Behaviour:
    """What one request meets; the default is a good answer."""

    status: int = 200
    type: str = "api_error"
    code: str | None = None
    message: str = "as the test asked"
    headers: dict[str, str] = field(default_factory=dict)
    hang: float = 0.0  # seconds before anything is sent
    text: str | None = None
    content: list[dict[str, Any]] | None = None
    stop: str | None = None
    category: str | None = None  # of a refusal
    cut: tuple[str, int] | None = None  # ("clean" | "hard", number of deltas)
    error_after: int | None = None  # an error event inside the stream, after so many deltas
    delay: float = 0.0  # seconds between deltas
    thinking: int = 0  # tokens of thought, which are billed as output
    searches: int = 0
    usage: bool = True


@dataclass(frozen=True)
class Logged:
    """One request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    at: float
    raw: bytes


class HangupError(Exception):
    """Drops the connection without an end."""


@dataclass
class Answered:
    """What a handler gives back: a whole body, or pieces of a stream."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    stream: AsyncIterator[bytes] | None = None


class FakeServer:
    """A small HTTP/1.1 server in a thread of its own, on a free port of 127.0.0.1."""

    questions: ClassVar[tuple[str, ...]] = ()

    def __init__(self, answer: Callable[[dict[str, Any]], Any] | None = None) -> None:
        self.script: list[Behaviour] = []
        self.log: list[Logged] = []
        self.answer = answer
        self.aborted = 0  # connections that the client ended before the answer was complete
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """The base address for clients."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def calls(self) -> list[Logged]:
        """The requests that put a question, without counts and lists."""
        return [item for item in self.log if item.method == "POST" and item.path in self.questions]

    def __enter__(self) -> "FakeServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)

        async def begin() -> None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            self.port = self._server.sockets[0].getsockname()[1]
            self._ready.set()

        self._loop.run_until_complete(begin())
        self._loop.run_forever()
        for task in list(self._tasks):
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        self._loop.stop()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, HangupError, ValueError):
            pass
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        line = await reader.readline()
        if not line:
            return False
        method, path, _ = line.decode("latin-1").split(" ", 2)
        headers: dict[str, str] = {}
        while (line := await reader.readline()) not in (b"\r\n", b"\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = None
        path = path.partition("?")[0]
        self.log.append(Logged(method, path, headers, body, time.monotonic(), raw))
        watch = asyncio.ensure_future(self._gone(reader))
        reply = asyncio.ensure_future(self._write(method, path, headers, body, writer))
        done, _ = await asyncio.wait({watch, reply}, return_when=asyncio.FIRST_COMPLETED)
        if reply not in done:
            self.aborted += 1
            reply.cancel()
            return False
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        reply.result()
        return headers.get("connection", "").lower() != "close"

    async def _gone(self, reader: asyncio.StreamReader) -> None:
        while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110 - a stream has no event for its end
            await asyncio.sleep(0.01)

    async def _write(
        self, method: str, path: str, headers: dict[str, str], body: Any, writer: asyncio.StreamWriter
    ) -> None:
        answered = await self.handle(method, path, headers, body)
        heads = {"request-id": f"req_{len(self.log):06d}", **answered.headers}
        if answered.stream is None:
            content = answered.body if isinstance(answered.body, bytes) else json.dumps(answered.body).encode()
            heads = {"content-type": "application/json", **heads, "content-length": str(len(content))}
            writer.write(_head(answered.status, heads) + content)
            await writer.drain()
            return
        heads = {"content-type": "text/event-stream", **heads, "transfer-encoding": "chunked"}
        writer.write(_head(answered.status, heads))
        async for piece in answered.stream:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def handle(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answered:
        """The answer to one request."""
        raise NotImplementedError

    async def behaviour(self, body: dict[str, Any]) -> Behaviour:
        """The next behaviour of the script, or what `answer` says."""
        if self.script:
            return self.script.pop(0)
        given = self.answer(body) if self.answer is not None else None
        if isinstance(given, Awaitable):
            given = await given
        if given is None or isinstance(given, Behaviour):
            return given or Behaviour()
        return Behaviour(text=given if isinstance(given, str) else json.dumps(given))


class FakeMessagesApi(FakeServer):
    """The Messages API: messages (also streamed), counts, batches, models, and a cache of prefixes."""

    questions = ("/v1/messages",)

    def __init__(self, answer: Callable[[dict[str, Any]], Any] | None = None) -> None:
        super().__init__(answer)
        self.batches: dict[str, dict[str, Any]] = {}
        self.usages: list[dict[str, Any]] = []  # of every message that was answered
        self.models = [
            _model("claude-sonnet-5-5"),
            _model("claude-haiku-5-5"),
            _model("claude-mythos-preview", "retired"),
        ]
        self._prefixes: set[str] = set()

    async def handle(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answered:
        if not headers.get("authorization", "").startswith("Bearer "):
            return _error(401, "authentication_error", "no key")
        if method == "POST" and path == "/v1/messages":
            return await self._message(body)
        if method == "POST" and path == "/v1/messages/count_tokens":
            return Answered(body={"input_tokens": sum(tokens(text) for text, _ in pieces(body))})
        if method == "GET" and path == "/v1/models":
            return Answered(body={"data": self.models, "has_more": False, "first_id": None, "last_id": None})
        if path.startswith("/v1/messages/batches"):
            return self._batch(method, path, body)
        return _error(404, "not_found_error", path)

    async def _message(self, body: dict[str, Any]) -> Answered:
        wrong = _objection(body)
        if wrong is not None:
            return _error(400, "invalid_request_error", wrong)
        how = await self.behaviour(body)
        if how.hang:
            await asyncio.sleep(how.hang)
        if how.status != 200:
            return _error(how.status, how.type, how.message, how.code, how.headers)
        message = self.message(body, how)
        if body.get("stream"):
            return Answered(headers=how.headers, stream=_events(message, how))
        return Answered(headers=how.headers, body=message)

    def message(self, body: dict[str, Any], how: Behaviour) -> dict[str, Any]:
        """The whole message, with the usage of a cache that keeps what a breakpoint ends."""
        text = how.text if how.text is not None else default_text(body)
        content = how.content if how.content is not None else [{"type": "text", "text": text}]
        if how.thinking:
            content = [{"type": "thinking", "thinking": "Let me see.", "signature": "s"}, *content]
        written = sum(tokens(block.get("text", "")) for block in content) + how.thinking
        stop = how.stop or ("max_tokens" if written > body["max_tokens"] else "end_turn")
        usage = self._usage(body, min(written, body["max_tokens"]), how)
        self.usages.append(usage)
        message = {
            "id": f"msg_{len(self.usages):06d}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
        }
        if stop == "refusal":
            message["stop_details"] = {"type": "refusal", "category": how.category, "explanation": None}
        return message

    def _usage(self, body: dict[str, Any], written: int, how: Behaviour) -> dict[str, Any]:
        total = longest = read = long = 0
        mark = hashlib.sha256(body["model"].encode())
        ends: list[tuple[int, str]] = []
        for text, control in pieces(body):
            total += tokens(text)
            mark.update(text.encode("utf-8", "replace") + b"\x00")
            if control:
                ends.append((total, mark.hexdigest()))
                longest, long = total, longest if control.get("ttl") != "1h" else total
        for length, name in ends:
            if name in self._prefixes:
                read = length
        self._prefixes.update(name for _, name in ends)
        created = max(0, longest - read)
        hour = created if long else 0
        usage: dict[str, Any] = {
            "input_tokens": total - read - created,
            "cache_creation_input_tokens": created,
            "cache_read_input_tokens": read,
            "cache_creation": {"ephemeral_5m_input_tokens": created - hour, "ephemeral_1h_input_tokens": hour},
            "output_tokens": written,
            "output_tokens_details": {"thinking_tokens": how.thinking},
            "service_tier": "standard",
        }
        if how.searches:
            usage["server_tool_use"] = {"web_search_requests": how.searches, "web_fetch_requests": 0}
        return usage

    def _batch(self, method: str, path: str, body: Any) -> Answered:
        parts = path.split("/")[4:]
        if method == "POST" and not parts:
            name = f"msgbatch_{len(self.batches) + 1:04d}"
            self.batches[name] = {"requests": body["requests"], "polls": 0, "rows": None}
            return Answered(body=self._batch_view(name))
        if not parts or parts[0] not in self.batches:
            return _error(404, "not_found_error", "no such batch")
        batch = self.batches[parts[0]]
        if len(parts) == 2 and parts[1] == "results":
            if batch["rows"] is None:
                rows = []
                for number, item in enumerate(reversed(batch["requests"])):
                    error = {"type": "error", "error": {"type": "api_error", "message": "as planned"}}
                    failed = number == 1  # the last but one of them
                    how = self.script.pop(0) if self.script else Behaviour()
                    result = (
                        {"type": "errored", "error": error}
                        if failed
                        else {"type": "succeeded", "message": self.message(item["params"], how)}
                    )
                    rows.append({"custom_id": item["custom_id"], "result": result})
                batch["rows"] = "".join(json.dumps(row) + "\n" for row in rows).encode()
            return Answered(headers={"content-type": "application/x-jsonl"}, body=batch["rows"])
        if method == "POST" and len(parts) == 2 and parts[1] == "cancel":
            batch["polls"] = 2
        else:
            batch["polls"] += 1
        return Answered(body=self._batch_view(parts[0]))

    def _batch_view(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        ended = batch["polls"] >= 2
        count = len(batch["requests"])
        zero = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        failed = 1 if count > 1 else 0
        counts = {"succeeded": count - failed, "errored": failed} if ended else {"processing": count}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**zero, **counts},
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
            "created_at": "2026-11-29T00:00:00Z",
            "expires_at": "2026-11-30T00:00:00Z",
            "ended_at": "2026-11-29T00:01:00Z" if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
        }


class FakeChatApi(FakeServer):
    """The chat completions API of local servers.  `honours_schema` False answers in prose in spite of a schema."""

    questions = ("/v1/chat/completions",)

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Any] | None = None,
        honours_schema: bool = True,
        takes_format: bool = True,
    ) -> None:
        super().__init__(answer)
        self.honours_schema = honours_schema
        self.takes_format = takes_format

    @property
    def base(self) -> str:
        """The base address, with the version in it."""
        return f"{self.url}/v1"

    async def handle(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answered:
        if method == "GET" and path == "/v1/models":
            return Answered(body={"object": "list", "data": [{"id": "qwen-small", "object": "model"}]})
        if method != "POST" or path != "/v1/chat/completions" or not isinstance(body, dict):
            return Answered(404, body={"error": {"message": path, "type": "not_found_error", "code": 404}})
        if "response_format" in body and not self.takes_format:
            return Answered(400, body={"error": {"message": "unknown field", "type": "invalid_request_error"}})
        how = await self.behaviour(body)
        if how.hang:
            await asyncio.sleep(how.hang)
        if how.status != 200:
            error = {"message": how.message, "type": how.type, "code": how.code}
            return Answered(how.status, how.headers, {"error": error})
        if how.cut is not None:
            raise HangupError
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        text = how.text
        if text is None:
            last = body["messages"][-1]["content"]
            text = json.dumps(fill(schema)) if schema and self.honours_schema else f"You said: {last[:60]}"
        read = sum(tokens(message["content"]) for message in body["messages"])
        reply: dict[str, Any] = {
            "id": f"chatcmpl-{len(self.log)}",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": how.stop or "stop",
                }
            ],
        }
        if how.usage:
            reply["usage"] = {"prompt_tokens": read, "completion_tokens": tokens(text), "total_tokens": 0}
        return Answered(headers=how.headers, body=reply)


def tokens(text: str) -> int:
    """A token count as good as any for tests: four characters each."""
    return -(-len(text) // 4)


def pieces(body: dict[str, Any]) -> list[tuple[str, dict[str, Any] | None]]:
    """The texts of a prompt in the order in which a provider caches them, each with its breakpoint."""
    found: list[tuple[str, dict[str, Any] | None]] = [
        (json.dumps(tool, sort_keys=True), tool.get("cache_control")) for tool in body.get("tools", ())
    ]
    contents = [body.get("system", ""), *(message["content"] for message in body["messages"])]
    for content in contents:
        if isinstance(content, str):
            found.append((content, None))
        else:
            found += [(block.get("text") or json.dumps(block), block.get("cache_control")) for block in content]
    form = body.get("output_config", {}).get("format")
    if form:
        found.append((json.dumps(form), None))
    return [(text, control) for text, control in found if text]


def prompt_text(body: dict[str, Any]) -> str:
    """All the text that a request put before the model."""
    return "\n".join(text for text, _ in pieces(body))


def default_text(body: dict[str, Any]) -> str:
    """JSON for the schema of a request, else an echo."""
    form = body.get("output_config", {}).get("format")
    if form:
        return json.dumps(fill(form["schema"]))
    last = body["messages"][-1]["content"]
    said = last if isinstance(last, str) else "".join(block.get("text", "") for block in last)
    return f"You said: {said[:60]}"


def fill(schema: dict[str, Any], root: dict[str, Any] | None = None, depth: int = 0) -> Any:
    """A value that fits a schema: first of an enum, first branch, one element, fixed scalars."""
    root = root if root is not None else schema
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return fill(target, root, depth + 1) if depth < 20 else None
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return fill(schema[name][0], root, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object":
        return {name: fill(item, root, depth + 1) for name, item in schema.get("properties", {}).items()}
    if kind == "array":
        return [fill(schema["items"], root, depth + 1)] if "items" in schema and depth < 20 else []
    return {"string": "text", "integer": 3, "number": 1.5, "boolean": True}.get(str(kind))


def _objection(body: Any) -> str | None:
    """What the real API would say to a request it refuses."""
    if not isinstance(body, dict) or not isinstance(body.get("max_tokens"), int) or not body.get("messages"):
        return "max_tokens and messages are required"
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            return f"{name}: not supported"
    if body["messages"][-1]["role"] != "user" and not _paused(body["messages"][-1]):
        return "the last message must be of the user"
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        return "tool_choice: not supported"
    marked = 0
    blocks = [body.get("system", []), *(message["content"] for message in body["messages"])]
    for content in blocks:
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "text" and not block.get("text"):
                return "text content blocks must be non-empty"
            marked += "cache_control" in block
    return "at most 4 blocks with cache_control" if marked > 4 else None


def _paused(message: dict[str, Any]) -> bool:
    content = message["content"]
    return isinstance(content, list) and any(block.get("type") == "server_tool_use" for block in content)


def _error(
    status: int, kind: str, message: str, code: str | None = None, headers: dict[str, str] | None = None
) -> Answered:
    error: dict[str, Any] = {"type": kind, "message": message}
    if code is not None:
        error["details"] = {"error_code": code}
    return Answered(status, headers or {}, {"type": "error", "error": error, "request_id": "req_error"})


async def _events(message: dict[str, Any], how: Behaviour) -> AsyncIterator[bytes]:
    usage = message["usage"]
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    begun.pop("stop_details", None)
    yield _event("message_start", {"message": begun})
    yield _event("ping", {})
    sent = 0
    for index, block in enumerate(message["content"]):
        field_name = {"text": "text", "thinking": "thinking"}.get(block["type"])
        empty = {**block, field_name: ""} if field_name else block
        yield _event("content_block_start", {"index": index, "content_block": empty})
        text = block[field_name] if field_name else ""
        for start in range(0, len(text), 7):
            if how.error_after is not None and sent >= how.error_after:
                yield _event("error", {"error": {"type": how.type, "message": "busy"}})
                return
            if how.cut is not None and sent >= how.cut[1]:
                if how.cut[0] == "hard":
                    raise HangupError
                return
            if how.delay:
                await asyncio.sleep(how.delay)
            delta = {"type": f"{block['type']}_delta", field_name: text[start : start + 7]}
            yield _event("content_block_delta", {"index": index, "delta": delta})
            sent += 1
        yield _event("content_block_stop", {"index": index})
    delta = {name: message.get(name) for name in ("stop_reason", "stop_sequence", "stop_details") if name in message}
    yield _event("message_delta", {"delta": delta, "usage": usage})
    yield _event("message_stop", {})


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Status", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _model(name: str, lifecycle: str = "active") -> dict[str, Any]:
    return {
        "id": name,
        "type": "model",
        "display_name": name,
        "created_at": "2026-10-01T00:00:00Z",
        "lifecycle": lifecycle,
        "max_input_tokens": 1_000_000,
        "max_tokens": 128_000,
    }
