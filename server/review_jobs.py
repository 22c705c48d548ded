"""Reviews in the editor: the ledger of each folder, its points as findings, and the jobs that ask models.

Nothing is asked on a keystroke.  A job prepares the manuscript in a thread, shows what would be sent when that was not agreed to,
and asks; cancelling it ends the call that runs, and nothing else is asked.  What was answered stays in the cache of calls.
"""

import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from analyzers.finding import Finding
from analyzers.graph.build import graph_of
from analyzers.project.manuscript import Manuscript
from analyzers.review.account import Account, Progress, money
from analyzers.review.anchors import Places
from analyzers.review.consent import Recipient, described
from analyzers.review.contradiction.search import SearchOptions, check_paragraph, paragraph_requests
from analyzers.review.pictures import Picture
from analyzers.review.port import Model, ModelRequest, Role
from analyzers.review.recheck import asked_about, recheck, recheck_request
from analyzers.review.reviewers.mlr import ReviewOptions
from analyzers.review.tracking import Distance, State, Tracked, findings, graph_distance
from server.analysis import Outcome
from server.figures import pictures_of
from server.folders import Folder
from server.jobs import CancelToken, Executor, Job
from server.ledger import Ledger
from server.ledger_file import LedgerError
from server.logs import describe, logger
from server.model_consent import Decision, ModelConsent
from server.review_models import ModelSetup, model_setup, opened_model, what_would_be_sent
from server.review_run import (
    Made,
    Prepared,
    keep,
    of_contradictions,
    prepared,
    review_name,
    run_contradictions,
    run_review,
)

if TYPE_CHECKING:
    from server.session import Session

REVIEW_SECONDS = 3600.0
_PARAGRAPHS_ON_SAVE = 3
_SEND = "Send, now and later in this workspace"
_NEVER = "Never in this workspace"
_LOG = logger("reviews")


class NotAgreedError(Exception):
    """Nothing was sent; the message says why."""


@dataclass(slots=True)
class FolderReviews:
    """What is known of one folder."""

    ledger: Ledger
    on_save: bool = False
    saved: set[str] = field(default_factory=set)
    """Paths that were saved since the last analysis."""
    blocks: dict[str, frozenset[str]] = field(default_factory=dict)
    """The texts of the paragraphs of a file when it was last saved."""
    shown: tuple[Outcome, int, Mapping[str, tuple[Finding, ...]]] | None = None


class ReviewJobs:
    """The reviews of all folders of a session.  Used on the event loop only."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._executor = Executor()
        self._folders: dict[int, FolderReviews] = {}
        self.consent = ModelConsent()
        self.setup_of: Callable[[], ModelSetup] = lambda: model_setup({}, os.environ)
        """Where requests go: the user's own settings, read anew for each job."""

    # --- what the session tells

    def analysed(self, folder: Folder) -> None:
        """A folder was analysed: its points are found again in the text of now; edited paragraphs are looked at after a save."""
        state = self.state(folder)
        for root, manuscript in self._manuscripts(folder):
            if state.ledger.points(root):
                state.ledger.move(Places(manuscript), root)
        saved, state.saved = state.saved, set()
        if state.on_save:
            for path in sorted(saved):
                self._check_saved(folder, path)

    def saved(self, folder: Folder, path: str) -> None:
        """A document was saved: where its points are now is worth keeping."""
        state = self.state(folder)
        state.saved.add(path)
        if state.ledger.points():
            try:
                state.ledger.save()
            except LedgerError as error:
                _LOG.warning("%s", describe(error))

    def forget(self, folder: Folder) -> None:
        """The folder is no longer in use."""
        self._folders.pop(id(folder), None)

    # --- what others read

    def state(self, folder: Folder) -> FolderReviews:
        """What is known of a folder."""
        known = self._folders.get(id(folder))
        if known is None:
            known = self._folders[id(folder)] = FolderReviews(Ledger(folder.place, _now))
        return known

    def ledger(self, folder: Folder) -> Ledger:
        """The ledger of a folder."""
        return self.state(folder).ledger

    def findings(self, folder: Folder, path: str) -> tuple[Finding, ...]:
        """The open points in one file, at the places of the last analysis."""
        return self._found(folder).get(path, ())

    def paths(self, folder: Folder) -> frozenset[str]:
        """The files with an open point."""
        return frozenset(self._found(folder))

    def manuscript(self, folder: Folder, path: str) -> Manuscript | None:
        """The manuscript that a file belonged to at the last analysis."""
        root = folder.outcome.of(path) if folder.outcome is not None else None
        return root.analysis.manuscript if root is not None else None

    def prepared(self, manuscript: Manuscript, candidates: bool) -> Prepared:
        """A manuscript ready for a review, made here and now."""
        return prepared(manuscript, candidates=candidates)

    def pictures(self, folder: Folder, ready: Prepared) -> tuple[Picture, ...]:
        """The pictures of figures that go with a review; none unless the user's own settings allow them."""
        if not self.setup_of().roles[Role.REVIEW].images or folder.place is None:
            return ()
        return pictures_of(ready, folder.place)[0]

    def disclosed(self, ready: Prepared, requests: Iterable[ModelRequest]) -> str:
        """What would be sent, for people."""
        what = what_would_be_sent(ready.script, requests, self.setup_of())
        return described(what, money(what.cost_microusd))

    # --- the jobs

    async def review(
        self, folder: Folder, path: str, job: Job, reviewer: str, options: ReviewOptions, consent: bool | None,
        focus: Callable[[Prepared], tuple[str, ...]] | None = None,
    ) -> str:  # fmt: skip
        """A review of the document, or of the lines that `focus` names."""
        ready = await self._ready(folder, path, candidates=False)
        options = replace(options, references=ready.references, focus=focus(ready) if focus is not None else ())
        options = replace(options, pictures=await self._executor.run(lambda _: self.pictures(folder, ready)))
        requests = ready.requests(reviewer, options)
        async with self._model(folder, ready, requests, consent, f"{reviewer} {options.focus}") as model:
            made = await run_review(ready, model, reviewer, options, _now(), _watching(job))
        return self._kept(folder, made)

    async def contradictions(
        self, folder: Folder, path: str, job: Job, options: SearchOptions, consent: bool | None
    ) -> str:
        """The contradiction pass on the document."""
        ready = await self._ready(folder, path, candidates=options.candidates > 0)
        requests = ready.search_requests(options)
        async with self._model(folder, ready, requests, consent, "contradictions") as model:
            made = await run_contradictions(ready, model, options, _now(), _watching(job))
        return self._kept(folder, made)

    async def paragraph(
        self, folder: Folder, path: str, entries: tuple[int, ...], job: Job, consent: bool | None
    ) -> str:
        """The contradictions of one paragraph."""
        ready = await self._ready(folder, path, candidates=False)
        requests = paragraph_requests(ready.manuscript, ready.script, entries)
        if not requests:
            return "Nothing else speaks of the same things."
        async with self._model(folder, ready, requests, consent, f"paragraph {entries}") as model:
            found = await check_paragraph(ready.manuscript, ready.script, entries, model, None, _watching(job))
        return self._kept(folder, of_contradictions(ready, found, _now()))

    async def recheck(
        self, folder: Folder, path: str, points: Iterable[Tracked], job: Job, consent: bool | None
    ) -> str:
        """Asks of each point whether the change of its text settles it; unchanged text is not asked about."""
        ledger = self.ledger(folder)
        asked = [point for point in points if point.changed and asked_about(point) != point.rechecked]
        if not asked:
            return "No open point has changed text that was not looked at."
        ready = await self._ready(folder, path, candidates=False)
        requests = tuple(recheck_request(point, ready.script) for point in asked)
        account = Account(_watching(job), len(asked))
        settled = 0
        async with self._model(folder, ready, requests, consent, "recheck") as model:
            for point in asked:
                answer = await recheck(point, ready.script, model, account)
                if answer is not None:
                    done = answer.addressed == "yes"
                    settled += done
                    ledger.rechecked(point.point.id, done, answer.explanation, asked_about(point))
        self._session.show(folder)
        return f"{settled} of {len(asked)} points are settled. {money(account.cost_microusd)}."

    def changed(self, folder: Folder) -> None:
        """The ledger was changed by a command."""
        self._session.show(folder)

    # --- inside

    async def _ready(self, folder: Folder, path: str, candidates: bool) -> Prepared:
        await self._session.check_again(folder)
        manuscript = self.manuscript(folder, path)
        if manuscript is None:
            raise NotAgreedError("The manuscript has not been analysed yet.")

        def work(_: CancelToken) -> Prepared:
            return prepared(manuscript, candidates=candidates)

        return await self._executor.run(work)

    @asynccontextmanager
    async def _model(
        self, folder: Folder, ready: Prepared, requests: tuple[ModelRequest, ...], consent: bool | None, what: str
    ) -> AsyncIterator[Model]:
        setup = self.setup_of()
        trusted = self._session.options.trusted
        recipients = {setup.roles[request.role].recipient for request in requests}
        lacking = [
            reason for item in recipients if (reason := self.consent.reason(folder.place, item, trusted)) is not None
        ]
        if lacking and not trusted:
            raise NotAgreedError(lacking[0])
        if lacking:
            await self._agreed(folder, recipients, consent, lambda: self.disclosed(ready, requests))

        refused = self.consent.guard(folder.place, lambda: self._session.options.trusted)
        name = review_name(f"{folder.place}{ready.root}", ready.script.text(ready.script.lines), what)
        async with opened_model(setup, refused, name) as model:
            yield model

    async def _agreed(
        self, folder: Folder, recipients: set[Recipient], consent: bool | None, shown: Callable[[], str]
    ) -> None:
        """Keeps the consent that a command brings, or that is given to the question; raises `NotAgreedError` without one."""
        today = datetime.now().astimezone().date()
        if consent is None:
            declined = [r for r in recipients if self.consent.decision(folder.place, r) is Decision.DECLINED]
            if declined:
                raise NotAgreedError(self.consent.reason(folder.place, declined[0]) or "")
            answer = await self._answer(shown())
            if answer == _NEVER:
                self.consent.decline(folder.place, recipients, today)
            consent = answer == _SEND
        if not consent:
            raise NotAgreedError("Nothing was sent.")
        self.consent.give(folder.place, recipients, today)

    async def _answer(self, text: str) -> str:
        from lsprotocol import types as lsp

        actions = [lsp.MessageActionItem(title=title) for title in (_SEND, "Do not send", _NEVER)]
        request = lsp.ShowMessageRequestParams(type=lsp.MessageType.Warning, message=text, actions=actions)
        answer = await self._session.server.window_show_message_request_async(request)
        return answer.title if answer is not None else ""

    def _kept(self, folder: Folder, made: Made) -> str:
        try:
            new = keep(self.ledger(folder), made)
        except LedgerError as error:
            return str(error)
        for root, manuscript in self._manuscripts(folder):
            # The text may have changed while the model was reading.
            self.ledger(folder).move(Places(manuscript), root)
        self._session.show(folder)
        cost = money(made.account.cost_microusd)
        words = [f"{len(made.points)} points, {new} of them new, {cost}."]
        words += made.notes[:2]
        words += [f"{failure.stage}: {failure.kind}. {failure.detail}".strip() for failure in made.account.failures[:2]]
        return " ".join(words)

    def _check_saved(self, folder: Folder, path: str) -> None:
        """Looks at the paragraphs of a file that are new since its last save, when that was switched on and agreed to."""
        state = self.state(folder)
        manuscript = self.manuscript(folder, path)
        if manuscript is None:
            return
        entries = [(index, entry.block.text) for index, entry in manuscript.body if entry.path == path]
        before = state.blocks.get(path)
        state.blocks[path] = frozenset(text for _, text in entries)
        edited = [index for index, text in entries if before is not None and text not in before][:_PARAGRAPHS_ON_SAVE]
        for index in edited:

            async def work(job: Job, index: int = index) -> str:
                try:
                    return await self.paragraph(folder, path, (index,), job, consent=False)
                except NotAgreedError as error:
                    return str(error)

            self._session.jobs.start("Comparing the edited paragraph", work, REVIEW_SECONDS)

    def switch_on_save(self, folder: Folder, on: bool) -> None:
        """Whether edited paragraphs are compared with the rest after each save; off until it is switched on."""
        state = self.state(folder)
        state.on_save = on
        state.blocks.clear()
        for _, manuscript in self._manuscripts(folder):
            for _, entry in manuscript.body:
                texts = state.blocks.get(entry.path, frozenset())
                state.blocks[entry.path] = texts | {entry.block.text}

    def _found(self, folder: Folder) -> Mapping[str, tuple[Finding, ...]]:
        state = self.state(folder)
        outcome = folder.outcome
        if outcome is None or not state.ledger.points():
            return {}
        if state.shown is not None and state.shown[0] is outcome and state.shown[1] == state.ledger.version:
            return state.shown[2]
        by_path: dict[str, list[Finding]] = {}
        for root, manuscript in self._manuscripts(folder):
            points = [point for point in state.ledger.points(root) if point.state is State.OPEN]
            distance: Distance = graph_distance(graph_of(manuscript))
            for finding in findings(points, distance):
                if finding.span.path in manuscript.files:
                    by_path.setdefault(finding.span.path, []).append(finding)
        found = {path: tuple(here) for path, here in by_path.items()}
        state.shown = (outcome, state.ledger.version, found)
        return found

    def _manuscripts(self, folder: Folder) -> list[tuple[str, Manuscript]]:
        outcome = folder.outcome
        if outcome is None:
            return []
        return [(root, found.analysis.manuscript) for root, found in outcome.roots.items()]


def reviews_of(session: "Session") -> ReviewJobs:
    """The reviews of a session; the same object for every call."""
    known = _KNOWN.get(session)
    if known is None:
        known = _KNOWN[session] = ReviewJobs(session)
    return known


_KNOWN: "WeakKeyDictionary[Session, ReviewJobs]" = WeakKeyDictionary()


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _watching(job: Job) -> Callable[[Progress], None]:
    def watch(now: Progress) -> None:
        job.report(f"{now.stage}: {now.usage.all_input:,} tokens, {money(now.cost_microusd)}", int(100 * now.share))

    return watch
