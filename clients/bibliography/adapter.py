"""What all online sources share: the port's shape, the translation of failures, and the bundling of look-ups."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import ClassVar

from analyzers.citations.record import Entry, Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery, Unavailable
from clients.bibliography.reply import Reason, UnavailableError


class Adapter(ABC):
    """An online bibliographic source (the port is `analyzers.citations.source.BibliographicSource`).

    A concrete adapter says which schemes it knows and maps the service's shapes to records.  Whatever the other side
    does, `look_up` and `search` return an outcome; a body of unknown shape is `Unavailable`, never "not found".
    """

    name: ClassVar[str]
    online: ClassVar[bool] = True
    schemes: ClassVar[frozenset[Scheme]] = frozenset()
    authority_for: ClassVar[frozenset[Scheme]] = frozenset()
    # Whether its records say that a work was retracted or withdrawn; such answers are asked for again sooner.
    tells_retraction: ClassVar[bool] = False

    def covers(self, entry: Entry) -> bool:
        """False unless the adapter knows that absence of such an entry means something."""
        return False

    async def look_up(self, identifier: Identifier) -> Outcome:
        if identifier.scheme not in self.schemes or not identifier.value:
            return NotAsked(f"{self.name} has no {identifier.scheme.value} look-up")
        return await guarded(self._look_up(identifier))

    async def search(self, query: TitleQuery) -> Outcome:
        if not query.title.strip():
            return NotAsked("no title")
        return await guarded(self._search(query))

    def _outcome(self, records: Collection[Record], given: int) -> Outcome:
        """What a search found; items of which none can be read are no "not found"."""
        if records:
            return Found(tuple(records))
        if given:
            raise UnavailableError(self.name, Reason.MALFORMED)
        return NotFound()

    @abstractmethod
    async def _look_up(self, identifier: Identifier) -> Outcome: ...

    async def _search(self, query: TitleQuery) -> Outcome:
        return NotAsked(f"{self.name} has no search")


# What a mapping raises when a body is not of the shape that it expects.
_SHAPE_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, RecursionError)


async def guarded(question: Awaitable[Outcome]) -> Outcome:
    """The outcome of `question`; failures of the other side become `Unavailable`."""
    try:
        return await question
    except UnavailableError as failure:
        return unavailable(failure)
    except _SHAPE_ERRORS:
        # A body of a shape that the mapping did not foresee says nothing about the work.
        return Unavailable(Reason.MALFORMED.value)


def unavailable(failure: UnavailableError) -> Unavailable:
    """The port's value for a failure, with the time left when it is known."""
    if failure.retry_in is None:
        return Unavailable(failure.reason.value)
    seconds = max(1, round(failure.retry_in))
    wait = f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"
    return Unavailable(f"{failure.reason.value}, next try in {wait}")


AskMany = Callable[[tuple[str, ...]], Awaitable[Mapping[str, Outcome]]]


class Bundler:
    """Collects identifiers that are asked for at about the same time and asks for them in one request.

    While one request is under way or waits for its turn, further identifiers gather for the next.
    """

    def __init__(self, ask: AskMany, size: int) -> None:
        self._ask = ask
        self._size = size
        self._waiting: dict[str, tuple[asyncio.Future[Outcome], int]] = {}
        self._worker: asyncio.Task[None] | None = None
        self._interested = 0

    async def outcome(self, value: str) -> Outcome:
        """The outcome for one identifier; cancelling it leaves the others' alone."""
        future, waiters = self._waiting.get(value, (None, 0))
        if future is None:
            future = asyncio.get_running_loop().create_future()
        self._waiting[value] = (future, waiters + 1)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        self._interested += 1
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self._leave(value, future)
            # The last one to leave takes the request along that nobody waits for any more.
            if self._interested == 1 and not future.done():
                self._worker.cancel()
            raise
        finally:
            self._interested -= 1

    def _leave(self, value: str, future: "asyncio.Future[Outcome]") -> None:
        waiting, waiters = self._waiting.get(value, (None, 0))
        if waiting is not future:
            return
        if waiters > 1:
            self._waiting[value] = (future, waiters - 1)
        else:
            del self._waiting[value]

    async def _work(self) -> None:
        # One turn of the loop lets all callers of the same moment join the first request.
        await asyncio.sleep(0)
        while self._waiting:
            taken = {value: self._waiting.pop(value)[0] for value in list(self._waiting)[: self._size]}
            try:
                outcomes = await self._answers(tuple(taken))
            except asyncio.CancelledError:
                for future in taken.values():
                    future.cancel()
                raise
            for value, future in taken.items():
                if not future.done():
                    future.set_result(outcomes.get(value, Unavailable(Reason.MALFORMED.value)))

    async def _answers(self, values: tuple[str, ...]) -> Mapping[str, Outcome]:
        try:
            return await self._ask(values)
        except UnavailableError as failure:
            if failure.reason is not Reason.BAD_REQUEST or len(values) == 1:
                return dict.fromkeys(values, unavailable(failure))
        except _SHAPE_ERRORS:
            return dict.fromkeys(values, Unavailable(Reason.MALFORMED.value))
        # One odd identifier must not cost its neighbours their answers.
        outcomes: dict[str, Outcome] = {}
        for value in values:
            outcomes.update(await self._answers((value,)))
        return outcomes
