"""One question, asked until there is an answer or a reason: retries, time-outs, continuation, validation and one
repair.

Every single request on the wire is opened in the ledger before it is sent and closed in it afterwards, whatever became
of it.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from analyzers.review.port import JsonValue, ModelRequest, Outcome, OutcomeKind, Source, Usage
from clients.models.answers import parsed
from clients.models.codec import canonical
from clients.models.estimate import tokens_of, upper_bound
from clients.models.wire import Message, Partial, Reply, Wire

_MAX_PAUSES = 8
# What a search adds to the input, and how often the input is read again while the provider searches.
_TOKENS_PER_SEARCH = 10_000
# The schema is said here because some servers that take the field for it let the model know nothing of it.
_REPAIR = (
    "Your last answer cannot be used:\n{problem}\n"
    "Send the whole answer again as one JSON value that satisfies this JSON schema, and nothing else:\n{schema}"
)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait: `call` for one request, `longest_wait` at most before a retry; `attempts` includes the first."""

    call: float = 300.0
    attempts: int = 4
    longest_wait: float = 30.0
    first_wait: float = 0.5

    def wait(self, attempt: int, named: float | None) -> float | None:
        """The pause after an attempt (from 0), None when none is worth it.  `named` is what the provider asks for."""
        if attempt + 1 >= self.attempts:
            return None
        if named is not None:
            return named if named <= self.longest_wait else None
        doubled = self.first_wait * float(2**attempt)
        return min(doubled * (0.75 + random.random() / 2), self.longest_wait)


@dataclass(frozen=True, slots=True)
class Planned:
    """A request that is about to be sent, with upper bounds of its tokens."""

    request: ModelRequest
    provider: str
    model: str
    input_bound: int
    output_bound: int
    long_cache: bool = False
    caches: bool = True

    @property
    def bound(self) -> Usage:
        """The bounds as usage; what is marked for the provider's cache may all be written to it."""
        segments = [*self.request.system, *(s for turn in self.request.turns for s in turn.segments)]
        cached = self.caches and any(segment.cached for segment in segments)
        return Usage(
            input_tokens=0 if cached else self.input_bound,
            cache_write_tokens=self.input_bound if cached else 0,
            output_tokens=self.output_bound,
            web_searches=self.request.web_searches,
            calls=1,
            long_cache_write_tokens=self.input_bound if cached and self.long_cache else 0,
        )


class Ledger(Protocol):
    """Who keeps the books: see `account`."""

    async def open(self, planned: Planned, count: Callable[[], Awaitable[int | None]]) -> int | str:
        """A number for the request, or why it must not be made.  `count` asks the provider for a better bound."""
        ...

    def close(self, number: int, planned: Planned, reply: Reply) -> tuple[Usage, bool, int | None]:
        """Books a reply: the usage, whether it is a bound, and its cost in micro-dollars where the price is known."""
        ...


@dataclass(slots=True)
class _Tally:
    usage: Usage
    cost: int | None
    is_bound: bool
    sources: dict[Source, None] = field(default_factory=dict)


class Asker:
    """A `Model` over one wire.  `outcome.cost_microusd` sums all requests that the question took."""

    def __init__(
        self,
        wire: Wire,
        ledger: Ledger,
        patience: Patience = Patience(),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.wire = wire
        self._ledger = ledger
        self._patience = patience
        self._sleep = sleep

    async def count(self, request: ModelRequest) -> int:
        """The provider's count where it offers one, else an upper bound."""
        counted = await self.wire.count(request)
        return upper_bound(request) if counted is None else counted

    async def ask(self, request: ModelRequest) -> Outcome:
        """The outcome of one question.  Raises only `asyncio.CancelledError`."""
        tally = _Tally(Usage(), 0, False)
        extra: list[Message] = []
        texts: list[str] = []
        pauses, repaired = 0, False
        while True:
            reply = await self._sent(request, tuple(extra), tally)
            if reply.paused and reply.continuation is not None:
                pauses += 1
                if pauses > _MAX_PAUSES:
                    detail = f"The model paused more than {_MAX_PAUSES} times."
                    return self._outcome(OutcomeKind.TRUNCATED, reply, tally, "".join(texts), detail=detail)
                extra.append(reply.continuation)
                texts.append(reply.text)
                continue
            text = "".join([*texts, reply.text])
            if reply.kind is not OutcomeKind.ANSWERED:
                return self._outcome(reply.kind, reply, tally, text)
            if request.schema is None:
                kind = OutcomeKind.ANSWERED if text.strip() else OutcomeKind.MALFORMED
                return self._outcome(kind, reply, tally, text, detail="" if text.strip() else "The answer is empty.")
            data, problem = parsed(text, request.schema)
            if problem is None:
                return self._outcome(OutcomeKind.ANSWERED, reply, tally, text, data)
            if repaired:
                detail = "The model's answer does not fit the form that was asked for, also after one correction."
                return self._outcome(OutcomeKind.MALFORMED, reply, tally, text, detail=detail)
            repaired = True
            texts = []
            # An empty turn is refused by providers.
            extra += [
                {"role": "assistant", "content": text if text.strip() else "(no answer)"},
                {"role": "user", "content": _REPAIR.format(problem=problem, schema=canonical(dict(request.schema)))},
            ]

    async def _sent(self, request: ModelRequest, extra: tuple[Message, ...], tally: _Tally) -> Reply:
        """The reply to one request, after retries."""
        attempt = 0
        while True:
            planned = self._planned(request, extra)
            number = await self._ledger.open(planned, lambda: self._counted(request, extra))
            if isinstance(number, str):
                return Reply(OutcomeKind.BUDGET, detail=number)
            reply = await self._once(number, planned, request, extra)
            usage, is_bound, cost = self._ledger.close(number, planned, reply)
            tally.usage += usage
            tally.sources |= dict.fromkeys(reply.sources)
            tally.is_bound = tally.is_bound or is_bound
            tally.cost = None if tally.cost is None or cost is None else tally.cost + cost
            pause = self._patience.wait(attempt, reply.retry_after) if reply.retryable else None
            if pause is None:
                return reply
            attempt += 1
            await self._sleep(pause)

    async def _once(self, number: int, planned: Planned, request: ModelRequest, extra: tuple[Message, ...]) -> Reply:
        partial = Partial()
        try:
            async with asyncio.timeout(self._patience.call):
                return await self.wire.send(request, extra, partial)
        except TimeoutError:
            detail = f"No complete answer within {self._patience.call:g} seconds."
            return Reply(OutcomeKind.TIMED_OUT, usage=partial.settled(), usage_is_bound=True, detail=detail)
        except asyncio.CancelledError:
            cancelled = Reply(
                OutcomeKind.UNAVAILABLE, usage=partial.settled(), usage_is_bound=True, detail="Cancelled."
            )
            self._ledger.close(number, planned, cancelled)
            raise
        except Exception as error:
            # The message of an error may quote the manuscript.
            detail = f"The adapter failed: {type(error).__name__}."
            return Reply(OutcomeKind.UNAVAILABLE, usage=partial.settled(), usage_is_bound=True, detail=detail)

    def _planned(self, request: ModelRequest, extra: tuple[Message, ...]) -> Planned:
        bound = upper_bound(request) + _added(extra)
        return Planned(
            request,
            self.wire.provider,
            self.wire.model,
            with_searches(bound, request.web_searches),
            self.wire.output_limit(request),
            self.wire.long_cache,
        )

    async def _counted(self, request: ModelRequest, extra: tuple[Message, ...]) -> int | None:
        counted = await self.wire.count(request)
        return None if counted is None else with_searches(counted + _added(extra), request.web_searches)

    def _outcome(
        self,
        kind: OutcomeKind,
        reply: Reply,
        tally: _Tally,
        text: str,
        data: JsonValue = None,
        detail: str | None = None,
    ) -> Outcome:
        return Outcome(
            kind,
            text=text,
            data=data,
            usage=tally.usage,
            model=reply.model or self.wire.model,
            cost_microusd=tally.cost,
            detail=reply.detail if detail is None else detail,
            usage_is_bound=tally.is_bound,
            retry_after=reply.retry_after,
            request_id=reply.request_id,
            sources=tuple(tally.sources),
        )


def with_searches(tokens: int, searches: int) -> int:
    """The bound of an input that is read again with each search, together with what was found before."""
    return (searches + 1) * (tokens + searches * _TOKENS_PER_SEARCH)


def _added(extra: tuple[Message, ...]) -> int:
    return sum(tokens_of(str(message.get("content", ""))) + 24 for message in extra)
