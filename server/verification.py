"""Citations in the editor: which entries are looked up when, what is known of them, and the findings of their verdicts.

Look-ups wait for a pause or a save, never run on a keystroke, and are stopped by the next one.  A verdict is kept under
the content of its entry and the sources that were asked; one that a source left incomplete is asked for again.
"""

import asyncio
import contextlib
import os
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzers.citations.edits.keys import cited_keys
from analyzers.citations.findings import VERDICT_RULES, verdict_findings
from analyzers.citations.verdict import Verdict
from analyzers.driver import Selection, finished
from analyzers.facts.citations import citations
from analyzers.finding import Finding, Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography, EntryBody, read_bibliography, update
from analyzers.project.manuscript import Manuscript
from server.analysis import BIBLIOGRAPHY_SUFFIX, Outcome, RootOutcome
from server.checked import Checked
from server.consent import Consent
from server.folders import Folder
from server.jobs import CancelToken, Debouncer, Executor, Job
from server.logs import describe, logger
from server.lookups import Answered, LookUps, Plan, Question, content_of, read_entry
from server.options import Run

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
# A larger bibliography without a manuscript is somebody's library, and services are not asked about all of it.
_FEW_ENTRIES = 300
_LOG = logger("verification")


@dataclass(frozen=True, slots=True)
class Known:
    """A verdict and the sources it rests on."""

    verdict: Verdict
    plan: str


class Item(NamedTuple):
    """An entry of a folder; `cited` whether a manuscript cites it, or it stands in a small bibliography by itself."""

    entry: BibEntry
    bibliography: Bibliography
    cited: bool
    root: str


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
    made: dict[int, tuple[EntryBody, Verdict, tuple[Finding, ...]]] = field(default_factory=dict)
    """The findings of entries, counted from their start, by the identity of their bodies."""


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
        self._courtesies: set[asyncio.Task[None]] = set()

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
                for item in _items(root, each.analysis.manuscript, state.lone):
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
        workspace = session.capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            task = asyncio.get_running_loop().create_task(_refresh(session))
            self._courtesies.add(task)
            task.add_done_callback(self._courtesies.discard)

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
            state.found = (outcome, state.version, self._make_findings(folder, state, outcome))
        return state.found[2]

    def _make_findings(self, folder: Folder, state: State, outcome: Outcome) -> dict[str, tuple[Finding, ...]]:
        by_root: dict[str, list[Item]] = {}
        for item in self.items(folder):
            by_root.setdefault(item.root, []).append(item)
        found: dict[tuple[str, str, int, int, str], Finding] = {}
        for root, items in by_root.items():
            here = outcome.roots[root]
            flagged = [pair for item in items if (pair := self._flagged(state, item)) is not None]
            if not flagged:
                continue
            kept = _as_set(self._of_entries(state, flagged), here, outcome)
            entries = [item.entry for item, _ in flagged]
            for finding in (*kept, *_as_set(_at_citations(kept, entries, outcome), here, outcome)):
                place = finding.span
                found[finding.code, place.path, place.start, place.end, finding.message] = finding
        by_path: dict[str, list[Finding]] = {}
        for finding in found.values():
            by_path.setdefault(finding.span.path, []).append(finding)
        return {path: tuple(here) for path, here in by_path.items()}

    def _of_entries(self, state: State, flagged: list[tuple[Item, Verdict]]) -> Iterator[Finding]:
        """The findings at the entries; those of an entry that has not changed are only moved to where it is now."""
        made: dict[int, tuple[EntryBody, Verdict, tuple[Finding, ...]]] = {}
        for item, verdict in flagged:
            body = item.entry.body
            known = state.made.get(id(body))
            if known is None or known[0] is not body or known[1] is not verdict:
                read = read_entry(item.entry, item.bibliography)
                known = (body, verdict, tuple(verdict_findings(item.entry.at("", 0), read, verdict)))
            made[id(body)] = known
            yield from (finding.moved(item.entry.path, item.entry.start) for finding in known[2])
        state.made = {**state.made, **made} if len(state.made) < _MOST_KEPT else made

    def _flagged(self, state: State, item: Item) -> tuple[Item, Verdict] | None:
        content = content_of(item.entry, item.bibliography)
        known = state.verdicts.get(content)
        if known is None or not (known.verdict.flagged or known.verdict.flags):
            return None
        return None if state.checked.holds(item.entry.key, content) else (item, known.verdict)


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


def _items(root: str, manuscript: Manuscript, lone: dict[str, Bibliography]) -> Iterator[Item]:
    if root.endswith(BIBLIOGRAPHY_SUFFIX) and root in manuscript.files:
        # a bibliography without a manuscript around it
        text = manuscript.files[root].text
        known = lone.get(root)
        bibliography = lone[root] = update(known, text) if known is not None else read_bibliography(root, text)
        few = len(bibliography.entries) <= _FEW_ENTRIES
        for entry in bibliography.entries:
            yield Item(entry, bibliography, few, root)
        return
    whole = manuscript.bibliography
    keys = cited_keys((manuscript,)) if whole.entries else frozenset()
    for entry in whole.entries:
        cited = entry.key in keys or (not manuscript.biber and entry.key.casefold() in keys)
        yield Item(entry, whole, cited, root)


def _at_citations(kept: tuple[Finding, ...], entries: list[BibEntry], outcome: Outcome) -> Iterator[Finding]:
    """What is wrong with an entry, at the places that cite it.

    A finding allowed at the entry is not repeated there.  Mere information (venue, year) is shown at the first place only.
    """
    places = sorted((entry.path, entry.start) for entry in entries)
    by_entry: dict[tuple[str, int], list[Finding]] = {}
    for finding in kept:
        index = bisect_right(places, (finding.span.path, finding.span.start)) - 1
        by_entry.setdefault(places[index], []).append(finding)
    for outcome_of_root in outcome.roots.values():
        manuscript = outcome_of_root.analysis.manuscript
        told: set[tuple[str, int]] = set()
        for _, entry, citation in manuscript.located(citations):
            cited = manuscript.entry_of_key(citation.key) if citation.printed else None
            if cited is None:
                continue
            place = (cited.path, cited.start)
            for finding in by_entry.get(place, ()):
                if finding.severity.rank > Severity.WARNING.rank and place in told:
                    continue
                yield replace(
                    finding,
                    message=f"{cited.key}: {finding.message}",
                    span=entry.span(citation.start, citation.end),
                    related=(Related(cited.key_span, "the cited entry"),),
                    fingerprint="",
                )
            told.add(place)


def _as_set(findings: Iterator[Finding], root: RootOutcome, outcome: Outcome) -> tuple[Finding, ...]:
    """Findings as the settings and the comments of the files want them, with fingerprints."""
    chosen: Selection = root.quick
    run = {rule.code for rule in VERDICT_RULES if chosen.configuration.runs(rule.code)}
    wanted = [finding for finding in findings if finding.code in run]
    snapshots = outcome.snapshots
    files = {path: snapshots[path].text for path in {finding.span.path for finding in wanted} if path in snapshots}
    return finished(wanted, files, chosen)[0]


async def _a_moment(done: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(done.wait(), 0.25)


async def _refresh(session: "Session") -> None:
    try:
        await session.server.workspace_code_lens_refresh_async(None)
    except Exception as error:  # a courtesy: lenses are asked for again anyway
        _LOG.info("the client does not refresh lenses: %s", describe(error))


def _today() -> date:
    return datetime.now().astimezone().date()
