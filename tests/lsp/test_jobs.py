"""Jobs: progress only where the client shows it, an end at once, nothing left behind."""

import asyncio
import threading
import time
from typing import Any

import pytest

from server.jobs import Cancelled, CancelToken, Debouncer, Executor, Job, Jobs


class Channel:
    """Collects what jobs send; answers the progress request after `delay` seconds, or never."""

    def __init__(self, delay: float | None = 0, error: Exception | None = None) -> None:
        self.sent: list[Any] = []
        self.delay = delay
        self.error = error

    def notify(self, method: str, params: Any = None) -> None:
        self.sent.append(type(params.value).__name__.removeprefix("WorkDoneProgress"))

    async def send_request_async(self, method: str, params: Any = None, msg_id: Any = None) -> None:
        self.sent.append("Create")
        await asyncio.sleep(60 if self.delay is None else self.delay)
        if self.error:
            raise self.error


async def finished(jobs: Jobs) -> None:
    async with asyncio.timeout(5):
        while jobs.running:  # noqa: ASYNC110 - jobs have no event of their own
            await asyncio.sleep(0.001)


async def test_a_job_shows_progress_and_leaves_nothing() -> None:
    channel = Channel()
    jobs = Jobs(channel, progress=True)

    async def work(job: Job) -> str:
        job.report("half", 50)
        return "Done."

    token = jobs.start("Check", work)
    assert channel.sent == []
    await finished(jobs)
    assert channel.sent == ["Create", "Begin", "Report", "End"]
    assert not jobs.cancel(token)


async def test_a_client_without_progress_is_never_asked() -> None:
    channel = Channel()
    jobs = Jobs(channel, progress=False)
    done = asyncio.Event()

    async def work(job: Job) -> None:
        job.report("half", 50)
        done.set()

    jobs.start("Check", work)
    await finished(jobs)
    assert done.is_set()
    assert channel.sent == []


async def test_a_client_that_refuses_progress_still_gets_the_work() -> None:
    channel = Channel(error=RuntimeError("no"))
    jobs = Jobs(channel, progress=True)
    done = asyncio.Event()

    async def work(job: Job) -> None:
        done.set()

    jobs.start("Check", work)
    await finished(jobs)
    assert done.is_set()
    assert channel.sent == ["Create"]


@pytest.mark.parametrize("pause", [None, 0, 0.02], ids=["before its first step", "while it asks", "at work"])
async def test_cancelling_ends_a_job_at_once(pause: float | None) -> None:
    channel = Channel(delay=0.005)
    jobs = Jobs(channel, progress=True)
    ended = asyncio.Event()

    async def work(job: Job) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    token = jobs.start("Review", work)
    if pause is not None:
        await asyncio.sleep(pause)
    before = time.perf_counter()
    assert jobs.cancel(token)
    await finished(jobs)
    assert time.perf_counter() - before < 0.5
    assert ended.is_set() == (pause == 0.02)
    assert channel.sent.count("Begin") == channel.sent.count("End")
    await asyncio.sleep(0.01)  # the late answer to the progress request finds its future alive


async def test_a_job_ends_when_its_time_is_over() -> None:
    channel = Channel()
    jobs = Jobs(channel, progress=True)

    async def work(job: Job) -> None:
        await asyncio.sleep(60)

    jobs.start("Review", work, seconds=0.02)
    await finished(jobs)
    assert channel.sent[-1] == "End"


async def test_a_job_that_fails_is_logged_by_type(caplog: pytest.LogCaptureFixture) -> None:
    jobs = Jobs(Channel(), progress=True)

    async def work(job: Job) -> None:
        raise ValueError("zebrafinch")

    jobs.start("Review", work)
    await finished(jobs)
    assert "ValueError" in caplog.text
    assert "zebrafinch" not in caplog.text


async def test_the_loop_stays_free_while_a_thread_works() -> None:
    executor = Executor()
    release = threading.Event()
    running = asyncio.ensure_future(executor.run(lambda token: release.wait(5)))
    before = time.perf_counter()
    await asyncio.sleep(0)
    assert time.perf_counter() - before < 0.5
    release.set()
    assert await running is True


async def test_cancelling_stops_the_function_in_the_thread() -> None:
    executor = Executor()
    started, stopped = threading.Event(), threading.Event()

    def work(token: CancelToken) -> None:
        started.set()
        try:
            while True:
                token.check()
                time.sleep(0.001)
        except Cancelled:
            stopped.set()
            raise

    task = asyncio.ensure_future(executor.run(work))
    assert await asyncio.to_thread(started.wait, 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(stopped.wait, 2)
    assert await executor.run(lambda token: token.cancelled) is False


async def test_a_waiting_function_that_was_cancelled_never_runs() -> None:
    executor = Executor()
    release = threading.Event()
    first = asyncio.ensure_future(executor.run(lambda token: release.wait(5)))
    ran: list[int] = []
    second = asyncio.ensure_future(executor.run(lambda token: ran.append(1)))
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.sleep(0)
    release.set()
    await first
    await executor.run(lambda token: None)
    assert ran == []


async def test_an_error_in_the_thread_reaches_who_awaits() -> None:
    def work(token: CancelToken) -> None:
        raise LookupError("x")

    with pytest.raises(LookupError):
        await Executor().run(work)


async def test_a_pause_is_restarted_and_only_the_last_call_runs() -> None:
    debouncer = Debouncer()
    ran: list[int] = []

    def call(number: int, seconds: float) -> None:
        async def work() -> None:
            ran.append(number)

        debouncer.call("key", seconds, work)

    for number in range(20):
        call(number, 0.01)
        await asyncio.sleep(0)
    call(99, 0.01)
    await debouncer.settle()
    assert ran == [99]
    assert debouncer._tasks == {}


async def test_keys_do_not_disturb_each_other() -> None:
    debouncer = Debouncer()
    ran: list[str] = []

    def work(name: str) -> Any:
        async def run() -> None:
            ran.append(name)

        return run

    debouncer.call("a", 0.005, work("a"))
    debouncer.call("b", 0.005, work("b"))
    debouncer.call("c", 0.005, work("c"))
    debouncer.cancel("b")
    await debouncer.settle()
    assert sorted(ran) == ["a", "c"]


async def test_a_new_call_stops_the_work_of_the_old_one() -> None:
    debouncer = Debouncer()
    stopped = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.set()
            raise

    async def quick() -> None:
        return

    debouncer.call("key", 0, slow)
    await asyncio.sleep(0.01)
    debouncer.call("key", 0, quick)
    await debouncer.settle()
    assert stopped.is_set()
