"""Work that outlives a message: pauses before it starts, progress while it runs, and an end to it at any time.

A command only starts a job and returns its token.  A job is an asyncio task; cancelling ends the task at once, and
tells functions that run in a thread to stop at their next `CancelToken.check()`.
"""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from uuid import uuid4

from lsprotocol import types as lsp

from server.logs import describe, logger

_LOG = logger("jobs")
_CREATE_SECONDS = 5.0
T = TypeVar("T")


class Cancelled(Exception):  # noqa: N818 - it reports no error
    """Raised inside a function that was told to stop."""


class CancelToken:
    """Tells work in a thread to stop.  Safe to share between threads."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def cancel(self) -> None:
        """Asks the work to stop at its next check."""
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._stop.is_set()

    def check(self) -> None:
        """Raises Cancelled once `cancel` was called; long functions call it every few milliseconds."""
        if self._stop.is_set():
            raise Cancelled


class Executor:
    """Runs functions in a few daemon threads of its own.

    `concurrent.futures` joins its threads at the end of the process, so one slow function would delay the exit; and the
    pool of pygls also reads the client's messages.
    """

    def __init__(self, workers: int = 1) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._workers = workers
        self._started = 0

    async def run(self, function: Callable[[CancelToken], T]) -> T:
        """The result of `function`, which gets a token to check.  Cancelling the awaiting task cancels the token."""
        loop = asyncio.get_running_loop()
        token = CancelToken()
        future: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                token.check()
                result = function(token)
            except BaseException as error:  # it belongs to whoever awaits
                _deliver(loop, _fail, future, error)
            else:
                _deliver(loop, _succeed, future, result)

        self._start_worker()
        self._tasks.put(work)
        try:
            return await future
        finally:
            token.cancel()

    def _start_worker(self) -> None:
        if self._started < self._workers:
            self._started += 1
            threading.Thread(target=self._work, name=f"work-{self._started}", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._tasks.get()()


def _deliver(loop: asyncio.AbstractEventLoop, how: Callable[..., None], *arguments: object) -> None:
    if not loop.is_closed():
        try:
            loop.call_soon_threadsafe(how, *arguments)
        except RuntimeError:  # closed between the two lines
            return


def _succeed(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


class Debouncer:
    """Starts work after a pause; a new call for the same key restarts the pause and cancels what runs for it."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def call(self, key: Hashable, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Runs `work` in `seconds`, unless called or cancelled again for `key` before it ends."""
        self.cancel(key)

        async def run() -> None:
            await asyncio.sleep(seconds)
            await work()

        task = self._tasks[key] = asyncio.get_running_loop().create_task(run())
        task.add_done_callback(lambda done: self._finished(key, done))

    def cancel(self, key: Hashable) -> None:
        """Cancels what waits or runs for `key`."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def cancel_all(self) -> None:
        """Cancels everything that waits or runs."""
        for key in list(self._tasks):
            self.cancel(key)

    async def settle(self) -> None:
        """Returns when nothing waits or runs any more."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))
            await asyncio.sleep(0)

    def _finished(self, key: Hashable, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Cancelled):
            _LOG.error("delayed work failed: %s", describe(error))


class Channel(Protocol):
    """The part of the protocol that jobs talk through."""

    def notify(self, method: str, params: Any | None = None) -> None:
        """Sends a notification."""

    def send_request_async(self, method: str, params: Any | None = None, msg_id: Any = None) -> Awaitable[Any]:
        """Sends a request; the awaitable gives the client's answer."""


class Job:
    """What a piece of work sees of its own job."""

    def __init__(self, token: str, channel: Channel) -> None:
        self.token = token
        self._channel = channel
        self._shown = False

    def report(self, message: str, percentage: int | None = None) -> None:
        """Shows how far the work is (percentage from 0 to 100), if the client shows progress."""
        self._send(lsp.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True))

    async def show(self, title: str) -> None:
        """Asks the client for a progress display and begins it; a client that does not answer gets none."""
        create = self._channel.send_request_async(
            lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, lsp.WorkDoneProgressCreateParams(token=self.token)
        )
        try:
            # shielded: an answer that comes after the job was cancelled must find its future alive
            await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(create)), _CREATE_SECONDS)
        except Exception as error:  # progress is a courtesy, the work goes on without it
            _LOG.info("the client shows no progress: %s", describe(error))
            return
        self._shown = True
        self._send(lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))

    def end(self, message: str | None) -> None:
        """Closes the progress display."""
        self._send(lsp.WorkDoneProgressEnd(message=message))
        self._shown = False

    def _send(self, value: Any) -> None:
        if self._shown:
            self._channel.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))


@dataclass
class Jobs:
    """The running jobs, by token.  `progress` says whether the client declared `window.workDoneProgress`."""

    channel: Channel
    progress: bool = False
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def start(self, title: str, work: Callable[[Job], Awaitable[str | None]], seconds: float | None = None) -> str:
        """Starts `work` and returns its token at once.

        `work` returns the closing message of the progress display.  After `seconds` it is cancelled.
        """
        job = Job(str(uuid4()), self.channel)

        async def run() -> None:
            message: str | None = "Stopped."
            try:
                if self.progress:
                    await job.show(title)
                message = await asyncio.wait_for(work(job), seconds)
            except TimeoutError:
                message = f"Stopped after {seconds:g} s." if seconds else "Timed out."
            except Cancelled:
                return
            except Exception as error:
                message = "Failed."
                _LOG.error("job %r failed: %s", title, describe(error))
            finally:
                job.end(message)

        task = self._tasks[job.token] = asyncio.get_running_loop().create_task(run())
        # not in a `finally` of the task: a task that is cancelled before its first step never enters one
        task.add_done_callback(lambda _: self._tasks.pop(job.token, None))
        return job.token

    def cancel(self, token: str | int) -> bool:
        """Ends a job at once; False if there is none with this token."""
        task = self._tasks.get(str(token))
        if task is None:
            return False
        task.cancel()
        return True

    def cancel_all(self) -> None:
        """Ends every job."""
        for token in list(self._tasks):
            self.cancel(token)

    @property
    def running(self) -> int:
        """How many jobs run."""
        return len(self._tasks)
