"""The session: open documents, options, one analysis per folder, and what is shown of it.  The only mutable state.

An edit is answered twice: at once with what blocks alone prove and the project's findings moved along with the text,
and after a pause with the whole project, which is analysed in a thread on snapshots.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from analyzers.finding import Finding
from analyzers.text.document import Document
from server import options
from server.analysis import BIBLIOGRAPHY_SUFFIX, Outcome, Request, is_opaque, make_document
from server.board import Board
from server.convert import MAX_PER_FILE, Border, diagnostics
from server.edits import Shift, apply_changes, shifted
from server.folders import Folder, Folders, OpenFile
from server.jobs import CancelToken, Debouncer, Executor, Job, Jobs
from server.logs import describe, logger
from server.options import Options, Run
from server.positions import Encoding
from server.protocol import Server
from server.refresh import refresh
from server.review_jobs import reviews_of
from server.verification import Verification

ANALYSED = "counterclaim/analysed"
_PROGRESS_AFTER = 1.0
_LOG = logger("session")


def _run(folder: Folder, request: Request, token: CancelToken) -> Outcome:
    return folder.analyser.run(request, token.check)


class Session:
    """Everything that changes while the server runs.  Used on the event loop only."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.encoding = Encoding.UTF16
        self.capabilities = lsp.ClientCapabilities()
        self.options = Options()
        self.folders = Folders()
        self.jobs = Jobs(server.protocol)
        self.board = Board(server.protocol.notify_plain)
        self.verification = Verification(self)
        self.reviews = reviews_of(self)
        self._files: dict[str, OpenFile] = {}
        self._debouncer = Debouncer()
        self._executor = Executor()
        self._quick: set[str] = set()

    # --- the connection

    def start(self, params: lsp.InitializeParams) -> None:
        """Takes what the client says of itself."""
        self.encoding = Encoding(self.server.workspace.position_encoding or Encoding.UTF16)
        self.capabilities = params.capabilities
        window = params.capabilities.window
        self.jobs.progress = bool(window and window.work_done_progress)
        self.options = options.at_start(params.initialization_options)
        for folder in params.workspace_folders or ():
            self.folders.add(folder.uri)
        if not params.workspace_folders and self.server.workspace.root_uri:
            self.folders.add(self.server.workspace.root_uri)

    @property
    def takes_versions(self) -> bool:
        """Whether the client takes edits with versions (`documentChanges`).

        Neovim does without declaring it; it declares operations on files, which only exist among `documentChanges`.
        """
        workspace = self.capabilities.workspace
        edit = workspace.workspace_edit if workspace else None
        return bool(edit and (edit.document_changes or edit.resource_operations))

    def stop(self) -> None:
        """Ends everything that runs."""
        self._debouncer.cancel_all()
        self.verification.stop()
        self.jobs.cancel_all()

    # --- documents

    def file(self, uri: str) -> OpenFile | None:
        """The open document with this name."""
        return self._files.get(uri)

    def open(self, uri: str, language: str, version: int, text: str) -> None:
        """A document was opened; opened twice, it has the newer text."""
        self._forget(uri)
        folder, path = self.folders.locate(uri)
        if language == "bibtex" and not path.endswith(BIBLIOGRAPHY_SUFFIX):
            path += BIBLIOGRAPHY_SUFFIX
        # one file under two names (`%20` and a blank): the one opened last counts
        other = folder.files.get(path)
        if other is not None:
            self._forget(other.uri)
        shown_as = folder.uri(path)
        seen = folder.outcome.snapshots.get(path) if folder.outcome is not None else None
        # what was computed for the file on disk stays valid for the buffer
        same = isinstance(seen, Document) and seen.text == text and seen.is_raw == is_opaque(path, text)
        document = seen if isinstance(seen, Document) and same else make_document(path, text)
        file = self._files[uri] = OpenFile(uri, path, folder, version, document, known=same)
        folder.files[path] = file
        if shown_as != uri or not same:
            self.board.clear(shown_as)
        if same:
            folder.published.add(uri)
            self._publish(folder, path)
        self.analyse(folder, full=True)

    def change(self, uri: str, version: int, changes: Iterable[lsp.TextDocumentContentChangeEvent]) -> None:
        """A document was edited; the first answer follows when no other message waits, the second after a pause."""
        file = self._files.get(uri)
        if file is None:
            _LOG.warning("a document was changed that is not open")
            return
        document, splices = apply_changes(file.document, changes, self.encoding)
        if document.is_raw != is_opaque(file.path, document.text):
            document = make_document(file.path, document.text)
        file.document, file.version = document, version
        file.shift, file.pending = file.shift.then(splices), file.pending.then(splices)
        self.verification.edited(file.folder)
        if uri not in self._quick:
            self._quick.add(uri)
            asyncio.get_running_loop().call_soon(self._answer_at_once, uri)
        if self.options.run is Run.ON_TYPE:
            self.analyse(file.folder, pause=self.options.pause)

    def save(self, uri: str) -> None:
        """A document was saved: checks that distract while typing have their turn."""
        file = self._files.get(uri)
        if file is not None and self.options.run is not Run.MANUAL:
            self.verification.saved(file.folder)
            self.reviews.saved(file.folder, file.path)
            self.analyse(file.folder, full=True)

    def close(self, uri: str) -> None:
        """A document was closed; what stands on disk counts again."""
        file = self._forget(uri)
        if file is not None:
            file.folder.note_change(file.path)
            self.analyse(file.folder)

    def _forget(self, uri: str) -> OpenFile | None:
        file = self._files.pop(uri, None)
        if file is not None:
            file.folder.files.pop(file.path, None)
            self.board.clear(uri)
        return file

    # --- files and settings

    def disk_changed(self, uris: Iterable[str]) -> None:
        """Files changed on disk, appeared or went."""
        touched: dict[int, Folder] = {}
        for uri in uris:
            if to_fs_path(uri):
                folder, path = self.folders.locate(uri)
                folder.note_change(path)
                touched[id(folder)] = folder
        for folder in touched.values():
            self.analyse(folder, pause=self.options.pause)

    def settings_changed(self, settings: Any) -> None:
        """The client's settings are `settings` from now on."""
        changed = options.with_settings(self.options, settings)
        if changed != self.options:
            self.options = changed
            for folder in self.folders.all():
                self.analyse(folder, full=True)

    def folders_changed(self, added: Iterable[lsp.WorkspaceFolder], removed: Iterable[lsp.WorkspaceFolder]) -> None:
        """The client has other workspace folders; open documents find their place anew."""
        lost = [folder for item in removed if (folder := self.folders.remove(item.uri)) is not None]
        for item in added:
            self.folders.add(item.uri)
        for folder in lost:
            self._debouncer.cancel(id(folder))
            self.verification.forget(folder)
            self.reviews.forget(folder)
            self._clear(folder)
        for file in list(self._files.values()):
            folder, path = self.folders.locate(file.uri)
            if folder is not file.folder:
                file.folder.files.pop(file.path, None)
                self.analyse(file.folder)
                file.folder, file.path = folder, path
                folder.files[path] = file
                self.analyse(folder, full=True)

    # --- analysis

    def analyse(self, folder: Folder, *, pause: float = 0, full: bool = False) -> None:
        """Analyses a folder after a pause; what runs for it is stopped, except the first analysis of all."""
        folder.full = folder.full or full
        if folder.running and folder.outcome is None:
            folder.again = True
            return
        self._debouncer.call(id(folder), pause, lambda: self.analyse_now(folder))

    async def check_again(self, folder: Folder) -> None:
        """Reads everything from disk again and analyses it, with the checks that are off while typing."""
        self._debouncer.cancel(id(folder))
        folder.note_change(None)
        folder.full = True
        await self.analyse_now(folder)

    async def analyse_now(self, folder: Folder) -> None:
        """Analyses a folder and shows what was found.  May be cancelled at any time."""
        started = time.perf_counter()
        done = asyncio.Event()
        if folder.outcome is None and self.jobs.progress:
            asyncio.get_running_loop().call_later(_PROGRESS_AFTER, self._show_progress, folder, done)
        folder.running = True
        try:
            while True:
                folder.again = False
                files = dict(folder.files)
                request = self._request(folder)
                number = folder.generation = folder.generation + 1
                outcome = await self._executor.run(partial(_run, folder, request))
                if folder.generation != number:
                    return  # a later request has taken over, and counts edits from its own text
                self._adopt(folder, outcome, request, files)
                if not folder.again:
                    break
        finally:
            folder.running = False
            done.set()
        if self.options.status:
            milliseconds = round((time.perf_counter() - started) * 1000)
            versions = {file.uri: file.version for file in folder.files.values()}
            self.server.protocol.notify_plain(ANALYSED, {"milliseconds": milliseconds, "versions": versions})

    def _show_progress(self, folder: Folder, done: asyncio.Event) -> None:
        """Shows that the first analysis of a folder takes a while, and lets the user stop it."""
        if done.is_set():
            return

        async def wait(_: Job) -> None:
            try:
                await done.wait()
            except asyncio.CancelledError:
                self._debouncer.cancel(id(folder))
                raise

        self.jobs.start("Reading the manuscript", wait)

    def _request(self, folder: Folder) -> Request:
        for file in folder.files.values():
            file.pending = Shift()
        return Request(
            {path: file.document for path, file in folder.files.items()},
            None if folder.changed is None else frozenset(folder.changed),
            live=not folder.full,
            editor=self.options.settings,
        )

    def _adopt(self, folder: Folder, outcome: Outcome, request: Request, files: Mapping[str, OpenFile]) -> None:
        folder.outcome = outcome
        for root in outcome.roots.values():
            folder.numbers.observe(root.analysis.manuscript)
        if folder.changed is not None and request.changed is not None:
            folder.changed -= request.changed
        elif request.changed is None:
            folder.changed = set()
        folder.full = folder.full and request.live
        for path, file in folder.files.items():
            file.known = files.get(path) is file
            file.shift = file.pending
        self.reviews.analysed(folder)
        self.show(folder)
        self.verification.analysed(folder)
        refresh(self)

    # --- what is shown

    def show(self, folder: Folder) -> None:
        """Publishes what is known of every file of a folder, and nothing for files that are clean, closed or gone."""
        outcome = folder.outcome
        if outcome is None:
            return
        paths = (
            {*outcome.findings, *self.verification.paths(folder), *self.reviews.paths(folder), *folder.files}
            if folder.files
            else ()
        )
        shown = {folder.uri(path): path for path in paths}
        for uri in folder.published - shown.keys():
            self.board.clear(uri)
        folder.published = set(shown)
        for path in sorted(shown.values()):
            file = folder.files.get(path)
            if file is None or file.known:
                self._publish(folder, path)

    def findings(self, folder: Folder, path: str) -> list[Finding]:
        """What is known of a file now, in the places of its present text, without what the author has dismissed."""
        outcome = folder.outcome
        if outcome is None:
            return []
        file = folder.files.get(path)
        if file is not None and not file.known:
            return []  # what was found was found in another text
        found = (
            *outcome.findings.get(path, ()),
            *self.verification.findings(folder, path),
            *self.reviews.findings(folder, path),
        )
        shifts = {other: file.shift for other, file in folder.files.items() if file.shift}
        if not shifts:
            return folder.dismissed.shown(found)
        at_once: tuple[Finding, ...] = ()
        if file is not None and file.shift and self.options.run is Run.ON_TYPE:
            root = outcome.of(path)
            if root is not None:
                at_once = file.quick.of(path, file.document, root.analysis.manuscript, root.quick)
                fresh = frozenset(root.quick.key)
                found = tuple(finding for finding in found if finding.code not in fresh)
        moved = [there for finding in found if (there := shifted(finding, shifts)) is not None]
        return folder.dismissed.shown([*at_once, *moved])

    def border(self, folder: Folder) -> Border:
        """How places of a folder are put into the client's terms."""
        return Border(folder, self.encoding)

    def _publish(self, folder: Folder, path: str) -> None:
        found = diagnostics(self.findings(folder, path), path, self.border(folder), self._limit(folder, path))
        self.board.publish(folder.uri(path), folder.version(path), found)

    def _limit(self, folder: Folder, path: str) -> int:
        root = folder.outcome.of(path) if folder.outcome is not None else None
        return root.settings.configuration.cap_per_file if root is not None else MAX_PER_FILE

    def _answer_at_once(self, uri: str) -> None:
        self._quick.discard(uri)
        file = self._files.get(uri)
        if file is None or file.folder.outcome is None or file.folder.outcome.of(file.path) is None:
            return
        try:
            self._publish(file.folder, file.path)
        except Exception as error:
            _LOG.error("the first answer to an edit failed: %s", describe(error))

    def _clear(self, folder: Folder) -> None:
        for uri in folder.published:
            self.board.clear(uri)
        folder.published = set()
