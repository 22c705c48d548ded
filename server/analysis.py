"""One workspace folder as the analysis sees it: its library, its roots, what was found.  Lives in the working thread.

The event loop hands over snapshots and gets an `Outcome` back; nothing that changes is shared between the two.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from analyzers.driver import Analysis, Selection, analyse, known_codes, quick, selection
from analyzers.finding import Finding, Note, Severity, Tier
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import FileReader, FileText
from analyzers.project.roots import root_of
from analyzers.text.document import Document
from analyzers.text.lines import LineIndex
from analyzers.text.spans import Span
from server.baseline import Baseline, BaselineError, compare, parse
from server.positions import Snapshot
from server.settings import Settings, read_settings

BIBLIOGRAPHY_SUFFIX = ".bib"
MAX_CODE_POINTS = 20_000_000
NOTE_CODE = "NOTE"
"""The code of what is shown for a note with a place, such as an include that was not found."""


class Text:
    """A file that is no TeX document; its line index is made when it is first asked for."""

    __slots__ = ("_lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: LineIndex | None = None

    @property
    def lines(self) -> LineIndex:
        """The line index."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines


@dataclass(frozen=True, slots=True)
class Request:
    """What the analysis is to look at.

    `documents` are the open buffers by path, `changed` the files that may have changed on disk since the last outcome
    (None: all), `live` leaves out checks that only distract while typing, `editor` are the editor's settings.
    """

    documents: Mapping[str, Document]
    changed: frozenset[str] | None = frozenset()
    live: bool = False
    editor: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RootOutcome:
    """What was found in the manuscript of one root."""

    analysis: Analysis
    settings: Settings
    quick: Selection
    """The checks for the first answer to an edit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in one workspace folder, notes with a place included.  `snapshots` are the texts of the places."""

    roots: Mapping[str, RootOutcome]
    root_by_path: Mapping[str, str]
    snapshots: Mapping[str, Snapshot]
    findings: Mapping[str, tuple[Finding, ...]]
    notes: tuple[Note, ...]

    def of(self, path: str) -> RootOutcome | None:
        """The outcome of the root that an open file belongs to."""
        root = self.root_by_path.get(path)
        return self.roots.get(root) if root is not None else None


def is_opaque(path: str, text: str) -> bool:
    """Whether a document is not cut into blocks of TeX: a bibliography, or a text that is too large to be checked."""
    return path.endswith(BIBLIOGRAPHY_SUFFIX) or len(text) > MAX_CODE_POINTS


def make_document(path: str, text: str) -> Document:
    """The document of an open buffer."""
    return Document.raw(text) if is_opaque(path, text) else Document(text)


class FolderAnalyser:
    """The analysis of one workspace folder.  Used by one thread at a time."""

    def __init__(self, reader: FileReader, disk_changes: Callable[[], Iterable[str]] = tuple) -> None:
        """`disk_changes` gives the paths that changed on disk since they were read: not every client watches files."""
        self._library = Library(reader)
        self._disk_changes = disk_changes
        self._open: set[str] = set()
        self._roots: dict[str, str] = {}
        self._manuscripts: dict[str, Manuscript] = {}
        self._texts: dict[str, Text] = {}
        self._codes = known_codes()

    def run(self, request: Request, cancelled: Callable[[], None]) -> Outcome:
        """The findings for all roots of the open files.  `cancelled` may raise between pieces of work."""
        self._take(request)
        roots: dict[str, RootOutcome] = {}
        for path in request.documents:
            self._analyse(path, request, roots, cancelled)
        for root in self._manuscripts.keys() - roots.keys():
            del self._manuscripts[root]
        return self._outcome(roots, request)

    def _take(self, request: Request) -> None:
        for path in self._open - request.documents.keys():
            self._library.close(path)
        for path, document in request.documents.items():
            self._library.open(path, document)
        if request.changed is None:
            self._library.changed_all()
        changed = {*(request.changed or ()), *self._disk_changes()} - request.documents.keys()
        for path in changed:
            self._library.changed(path)
        if changed or request.changed is None or self._open != request.documents.keys():
            self._roots.clear()
        self._open = set(request.documents)

    def _analyse(
        self, path: str, request: Request, roots: dict[str, RootOutcome], cancelled: Callable[[], None]
    ) -> None:
        known = next((root for root, outcome in roots.items() if _holds(outcome.analysis.manuscript, path)), None)
        root = known or self._roots.get(path) or self._root_of(path, request)
        cancelled()
        if root not in roots:
            roots[root] = self._analyse_root(root, request, cancelled)
        if path != root and known is None and not _holds(roots[root].analysis.manuscript, path):
            # the root included this file once and does no longer
            root = self._root_of(path, request)
            if root not in roots:
                roots[root] = self._analyse_root(root, request, cancelled)
        self._roots[path] = root

    def _root_of(self, path: str, request: Request) -> str:
        settings = read_settings(self._library.reader, path, self._codes, request.editor)
        for root in settings.configuration.roots:
            beside = settings.beside(root)
            if _holds(assemble(self._library, beside), path):
                return beside
        return root_of(self._library, path)

    def _analyse_root(self, root: str, request: Request, cancelled: Callable[[], None]) -> RootOutcome:
        settings = read_settings(self._library.reader, root, self._codes, request.editor)
        configuration = settings.configuration
        search = tuple(settings.beside(folder) for folder in configuration.search)
        manuscript = assemble(
            self._library,
            root,
            search,
            self._manuscripts.get(root),
            configuration.language,
            configuration.words,
            datetime.now().astimezone().date(),
        )
        self._manuscripts[root] = manuscript
        cancelled()
        analysis = analyse(manuscript, configuration, live=request.live, cancelled=cancelled)
        live = selection(configuration, live=True)
        if not request.live and live.key != selection(configuration).key:
            # the first answer to the next edit must find every block but one known, also for its own choice of checks
            for path in request.documents.keys() & manuscript.files.keys():
                quick(path, request.documents[path], manuscript, live)
                cancelled()
        baseline, problem = self._baseline(settings)
        if baseline is not None:
            analysis = replace(analysis, findings=compare(analysis.findings, baseline).new)
        if problem is not None:
            settings = replace(settings, notes=(*settings.notes, problem))
        return RootOutcome(analysis, settings, live)

    def _baseline(self, settings: Settings) -> tuple[Baseline | None, Note | None]:
        name = settings.configuration.baseline
        if not name:
            return None, None
        path = settings.beside(name)
        content = self._library.reader.read(path)
        if not isinstance(content, FileText):
            return None, Note(f"The baseline {path} was not read: {content.message}.")
        try:
            return parse(content.text), None
        except BaselineError as error:
            return None, Note(f"The baseline {path} is not used: {error}.")

    def _outcome(self, roots: dict[str, RootOutcome], request: Request) -> Outcome:
        snapshots: dict[str, Snapshot] = {}
        found: dict[str, dict[tuple[object, ...], Finding]] = {}
        notes: dict[Note, None] = {}
        for outcome in roots.values():
            manuscript = outcome.analysis.manuscript
            for bibliography in manuscript.bibliographies:
                snapshots[bibliography.path] = self._text(bibliography.path, bibliography.text)
            snapshots.update(manuscript.files)
            for finding in outcome.analysis.findings:
                # a file that several roots include has the same finding once for each
                key = (finding.code, finding.span.start, finding.span.end, finding.message)
                found.setdefault(finding.span.path, {})[key] = finding
            notes.update(dict.fromkeys((*outcome.analysis.notes, *outcome.settings.notes)))
        snapshots.update(request.documents)
        for path in {note.span.path for note in notes if note.span is not None} - snapshots.keys():
            content = self._library.reader.read(path)
            if isinstance(content, FileText):
                snapshots[path] = self._text(path, content.text)
        for path, document in request.documents.items():
            if len(document.text) > MAX_CODE_POINTS:
                large = f"{path} is larger than {MAX_CODE_POINTS // 10**6} million characters and is not checked."
                notes[Note(large, Span(path, 0, 0))] = None
        for note in notes:
            if note.span is not None and note.span.path in snapshots:
                shown = Finding(NOTE_CODE, note.message, note.span, Tier.PROVED, Severity.INFORMATION)
                found.setdefault(note.span.path, {})[(note,)] = shown
        findings = {path: tuple(here.values()) for path, here in found.items()}
        return Outcome(roots, dict(self._roots), snapshots, findings, tuple(notes))

    def _text(self, path: str, text: str) -> Text:
        known = self._texts.get(path)
        if known is None or known.text is not text:
            known = self._texts[path] = Text(text)
        return known


def _holds(manuscript: Manuscript, path: str) -> bool:
    return path in manuscript.files or any(bibliography.path == path for bibliography in manuscript.bibliographies)
