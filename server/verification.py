"""Citations in the editor: which entries are looked up when, what is known of them, and the findings of their verdicts.

Look-ups wait for a pause or a save, never run on a keystroke, and are stopped by the next one.  A verdict is kept under
the content of its entry and the sources that were asked; one that a source left incomplete is asked for again.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from analyzers.citations.verdict import Verdict
from analyzers.finding import Finding
from analyzers.project.bibliography import Bibliography
from server.analysis import BIBLIOGRAPHY_SUFFIX, Outcome
from server.checked import Checked
from server.citation_findings import Item, Made, findings_of, items_of
from server.consent import Consent
from server.folders import Folder
from server.jobs import CancelToken, Debouncer, Executor, Job
from server.logs import logger
from server.lookups import Answered, LookUps, Plan, Question, content_of
from server.options import Run
from server.refresh import refresh

if TYPE_CHECKING:
    from server.session import Session

LOOKED_UP = "counterclaim/citations"
"""The notification after look-ups, for clients that want to be told of analyses too."""
IDLE_SECONDS = 1.5
"""The pause after an analysis before entries that were edited are looked up."""
RETRY_SECONDS = 60.0
"""A source that was down is not asked again before this time has passed, unless by command."""
_SHOW_EVERY = 2.0
_PROGRESS_AFTER = 1.0
_MOST_KEPT = 50_000
_LOG = logger("verification")


@dataclass(frozen=True, slots=True)
class Known:
    """A verdict and the sources it rests on."""

    verdict: Verdict
    plan: str


@dataclass(slots=True)
class State:
    """What is known of one folder."""

    checked: Checked
    verdicts: dict[bytes, Known] = field(default_factory=dict)
    version: int = 0
    """Counts changes of `verdicts`, so that findings are made anew only after one."""
    at_once: bool = True
    retry_after: float = 0.0
    running: bool = False
    done: int = 0
    total: int = 0
    waiting: list[asyncio.Event] = field(default_factory=list)
    items: tuple[Outcome, tuple[Item, ...]] | None = None
    found: tuple[Outcome, int, Mapping[str, tuple[Finding, ...]]] | None = None
    lone: dict[str, Bibliography] = field(default_factory=dict)
    made: Made = field(default_factory=dict)


class Verification:
    """The citations of all folders.  Used on the event loop only; the asking happens in a thread of its own."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.consent = Consent()
        self.look_ups = LookUps()
        self.idle = IDLE_SECONDS
        self.plan_of: Callable[[Folder], Plan] = self._plan
        self._executor = Executor()
        self._debouncer = Debouncer()
        self._states: dict[int, State] = {}

    # --- what the session tells

    def edited(self, folder: Folder) -> None:
        """A document of the folder was edited: look-ups stop, and go on after the next pause."""
        self._debouncer.cancel(id(folder))
        if self.state(folder).waiting:  # somebody waits for the end of it
            self._debouncer.call(id(folder), self.idle, lambda: self._run(folder, retry=True))

    def saved(self, folder: Folder) -> None:
        """A document was saved: what waits is looked up as soon as it has been analysed."""
        self.state(folder).at_once = True

    def analysed(self, folder: Folder) -> None:
        """The folder was analysed, so its entries are known as they are now."""
        if self._session.options.run is Run.MANUAL:
            return
        state = self.state(folder)
        pause = 0.0 if state.at_once else self.idle
        retry = state.at_once
        state.at_once = False
        if not self.plan_of(folder).empty and self._has_entries(folder):
            self._debouncer.call(id(folder), pause, lambda: self._run(folder, retry=retry))

    def forget(self, folder: Folder) -> None:
        """The folder is no longer in use."""
        self._debouncer.cancel(id(folder))
        self._states.pop(id(folder), None)

    def stop(self) -> None:
        """Ends everything that runs."""
        self._debouncer.cancel_all()

    # --- what others read

    def state(self, folder: Folder) -> State:
        """What is known of a folder."""
        state = self._states.get(id(folder))
        if state is None:
            state = self._states[id(folder)] = State(Checked(folder.place))
        return state

    def findings(self, folder: Folder, path: str) -> tuple[Finding, ...]:
        """The findings of verdicts in one file, at the places of the last analysis."""
        return self._found(folder).get(path, ())

    def paths(self, folder: Folder) -> frozenset[str]:
        """The files with findings of verdicts."""
        return frozenset(self._found(folder))

    def verdict(self, folder: Folder, item: Item) -> Verdict | None:
        """The verdict on an entry, None while it has not been looked up."""
        state = self._states.get(id(folder))
        if state is None or not state.verdicts:
            return None
        known = state.verdicts.get(content_of(item.entry, item.bibliography))
        return known.verdict if known is not None else None

    def checked_on(self, folder: Folder, item: Item) -> str | None:
        """The day on which the user checked the entry by hand."""
        return self.state(folder).checked.holds(item.entry.key, content_of(item.entry, item.bibliography))

    def items(self, folder: Folder) -> tuple[Item, ...]:
        """The entries of all bibliographies of a folder as of the last analysis, cited ones first."""
        outcome = folder.outcome
        if outcome is None:
            return ()
        state = self.state(folder)
        if state.items is None or state.items[0] is not outcome:
            found: dict[tuple[str, int], Item] = {}
            for root, each in outcome.roots.items():
                for item in items_of(root, each.analysis.manuscript, state.lone):
                    known = found.get((item.entry.path, item.entry.start))
                    if known is None or (item.cited and not known.cited):
                        found[item.entry.path, item.entry.start] = item
            cited = [item for item in found.values() if item.cited]
            state.items = (outcome, (*cited, *(item for item in found.values() if not item.cited)))
        return state.items[1]

    def complete(self, folder: Folder) -> bool:
        """False when a source was down for an entry that a present bibliography holds."""
        verdicts = (self.verdict(folder, item) for item in self.items(folder))
        return all(verdict is None or verdict.complete for verdict in verdicts)

    def online(self, folder: Folder) -> bool:
        """Whether online sources may be asked: the user turned them on, and trusts the workspace."""
        return self._session.options.trusted and self.consent.allows(folder.place)

    def _plan(self, folder: Folder) -> Plan:
        from server.commands.index import default_index

        options = self._session.options
        index = default_index()
        if options.index and options.trusted:
            index = (folder.place or Path()) / Path(options.index).expanduser()
        online = self.online(folder)
        email = os.environ.get("COUNTERCLAIM_EMAIL", "") if online else ""
        return Plan(index if index.is_file() else None, online, email, self._session.server.version or "0")

    def _has_entries(self, folder: Folder) -> bool:
        roots = folder.outcome.roots.items() if folder.outcome is not None else ()
        return any(
            outcome.analysis.manuscript.bibliographies or root.endswith(BIBLIOGRAPHY_SUFFIX) for root, outcome in roots
        )

    # --- looking up

    async def check(self, folder: Folder, job: Job | None = None) -> None:
        """Looks up what has no final verdict yet, and returns when all of it is done, also over edits in between."""
        state = self.state(folder)
        done = asyncio.Event()
        state.waiting.append(done)
        try:
            self._debouncer.call(id(folder), 0, lambda: self._run(folder, retry=True, again=True))
            while not done.is_set():
                if job is not None and state.total:
                    job.report(f"{state.done} of {state.total} entries", 100 * state.done // state.total)
                await _a_moment(done)
        except asyncio.CancelledError:
            self._debouncer.cancel(id(folder))
            raise
        finally:
            if done in state.waiting:
                state.waiting.remove(done)

    async def _run(self, folder: Folder, *, retry: bool, again: bool = False) -> None:
        """Looks up the entries that wait.  May be cancelled at any time; what has come in until then is kept."""
        state = self.state(folder)
        plan = self.plan_of(folder)
        names = {online: plan.name(online) for online in (True, False)}
        retry = retry and (again or time.monotonic() >= state.retry_after)
        questions = [] if plan.empty else [
            Question(item.entry, item.bibliography, item.cited and plan.online)
            for item in self.items(folder)
            if _waits(state, item, names[item.cited and plan.online], retry)
        ]  # fmt: skip
        state.done, state.total, state.running = 0, len(questions), bool(questions)
        loop = asyncio.get_running_loop()
        finished_event = asyncio.Event()
        if questions and self._session.jobs.progress and not state.waiting:
            loop.call_later(_PROGRESS_AFTER, self._show_progress, folder, finished_event)
        inbox = _Inbox(lambda: self._session.show(folder), state, names)

        def deliver(answers: list[Answered]) -> None:
            loop.call_soon_threadsafe(inbox.take, answers)

        try:
            if questions:
                work = partial(self._work, questions, plan, _today(), deliver)
                await self._executor.run(work)
                await asyncio.sleep(0)
        finally:
            state.running = False
            finished_event.set()
            inbox.show()
        if not self.complete(folder):
            state.retry_after = time.monotonic() + RETRY_SECONDS
        for event in state.waiting:
            event.set()
        self._tell(folder)

    def _tell(self, folder: Folder) -> None:
        """Lets the client know that what is said of citations has changed."""
        session = self._session
        if session.options.status:
            state = self.state(folder)
            told = {"complete": self.complete(folder), "entries": len(self.items(folder)), "asked": state.total}
            session.server.protocol.notify_plain(LOOKED_UP, told)
        refresh(session)

    def _work(
        self,
        questions: list[Question],
        plan: Plan,
        today: date,
        deliver: Callable[[list[Answered]], None],
        token: CancelToken,
    ) -> None:
        self.look_ups.run(questions, plan, today, deliver, token)

    def _show_progress(self, folder: Folder, done: asyncio.Event) -> None:
        """Shows a run that takes a while, and lets the user stop it."""
        if done.is_set():
            return
        state = self.state(folder)

        async def wait(job: Job) -> None:
            try:
                while not done.is_set():
                    job.report(f"{state.done} of {state.total} entries", 100 * state.done // max(1, state.total))
                    await _a_moment(done)
            except asyncio.CancelledError:
                self._debouncer.cancel(id(folder))
                raise

        self._session.jobs.start("Looking citations up", wait)

    # --- findings

    def changed(self, folder: Folder) -> None:
        """Marks of the user, or the switch, have changed: findings are made anew and shown."""
        self.state(folder).version += 1
        self._session.show(folder)
        self._tell(folder)

    def _found(self, folder: Folder) -> Mapping[str, tuple[Finding, ...]]:
        state, outcome = self._states.get(id(folder)), folder.outcome
        if state is None or outcome is None or not state.verdicts:
            return {}
        if state.found is None or state.found[0] is not outcome or state.found[1] != state.version:
            flagged = [
                (item, verdict) for item in self.items(folder) if (verdict := self._flagged(state, item)) is not None
            ]
            if len(state.made) > _MOST_KEPT:
                state.made.clear()
            state.found = (outcome, state.version, findings_of(flagged, outcome, state.made))
        return state.found[2]

    def _flagged(self, state: State, item: Item) -> Verdict | None:
        """The verdict on an entry that speaks against it, unless the user has checked the entry."""
        content = content_of(item.entry, item.bibliography)
        known = state.verdicts.get(content)
        if known is None or not (known.verdict.flagged or known.verdict.flags):
            return None
        return None if state.checked.holds(item.entry.key, content) else known.verdict


class _Inbox:
    """Takes verdicts in as they come, and shows them every few seconds."""

    def __init__(self, show: Callable[[], None], state: State, names: Mapping[bool, str]) -> None:
        self._show = show
        self._state = state
        self._names = names
        self._shown = time.monotonic()
        self._new = False

    def take(self, answers: list[Answered]) -> None:
        """Keeps verdicts."""
        state = self._state
        for answered in answers:
            state.verdicts.pop(answered.content, None)
            state.verdicts[answered.content] = Known(answered.verdict, self._names[answered.online])
        while len(state.verdicts) > _MOST_KEPT:
            del state.verdicts[next(iter(state.verdicts))]
        state.done += len(answers)
        state.version += 1
        self._new = True
        if time.monotonic() - self._shown > _SHOW_EVERY:
            self.show()

    def show(self) -> None:
        """Publishes what has come in."""
        self._shown = time.monotonic()
        if self._new:
            self._new = False
            self._show()


def _waits(state: State, item: Item, plan: str, retry: bool) -> bool:
    known = state.verdicts.get(content_of(item.entry, item.bibliography))
    # what online sources said stays known when they are turned off
    if known is None or known.plan not in (plan, plan.replace("|offline", "|online")):
        return True
    return retry and not known.verdict.complete


async def _a_moment(done: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(done.wait(), 0.25)


def _today() -> date:
    return datetime.now().astimezone().date()
