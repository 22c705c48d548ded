"""The driver: runs the checks, applies settings and suppressions, and gives every finding its fingerprint."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2s

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import BlockCheck, BlockView, Check, ManuscriptCheck
from analyzers.configuration import Configuration
from analyzers.facts.macros import Macros
from analyzers.facts.view import macro_key, sentences_of
from analyzers.finding import Candidate, Finding, Note
from analyzers.project.manuscript import Manuscript
from analyzers.project.structure import structure
from analyzers.suppression import Suppression, apply_suppressions, suppressions, unused_note
from analyzers.text.document import Block, Document
from analyzers.text.spans import Span


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the analysis of one manuscript gives: findings in the order of the files and places, candidates by falling score."""

    manuscript: Manuscript
    findings: tuple[Finding, ...]
    candidates: tuple[Candidate, ...]
    notes: tuple[Note, ...]

    @property
    def sentences(self) -> int:
        """How many sentences the body has."""
        return sum(len(sentences_of(entry.block, self.manuscript.macros)) for _, entry in self.manuscript.body)


class Selection:
    """The checks that run under a configuration, split by kind; made once per configuration."""

    __slots__ = ("block", "configuration", "key", "manuscript")

    def __init__(self, configuration: Configuration, live: bool, candidates: bool) -> None:
        chosen = [
            check for check in ALL_CHECKS if configuration.runs(check.code, check.default) and (check.live or not live)
        ]
        self.configuration = configuration
        self.block: tuple[BlockCheck, ...] = tuple(check for check in chosen if isinstance(check, BlockCheck))
        self.manuscript: tuple[ManuscriptCheck, ...] = tuple(
            check
            for check in chosen
            if isinstance(check, ManuscriptCheck) and (candidates or check.tier != "candidate")
        )
        self.key = tuple(check.code for check in self.block)


def selection(configuration: Configuration, *, live: bool = False, candidates: bool = False) -> Selection:
    """The checks to run.  `live` leaves out those that only distract while typing."""
    return Selection(configuration, live, candidates)


def analyse(
    manuscript: Manuscript,
    configuration: Configuration | None = None,
    *,
    live: bool = False,
    candidates: bool = False,
    cancelled: Callable[[], None] = lambda: None,
) -> Analysis:
    """All findings of a manuscript.

    `cancelled` is called between pieces of work and may raise to stop.  Nothing else raises: a check that fails on odd
    input costs its own findings and leaves a note.
    """
    configuration = configuration or Configuration()
    chosen = selection(configuration, live=live, candidates=candidates)
    found: list[Finding] = []
    pairs: list[Candidate] = []
    notes: list[Note] = list(manuscript.notes)
    for entry in manuscript.entries:
        for finding in block_findings(entry.block, manuscript.macros, entry.preamble, manuscript.language, chosen):
            found.append(finding.moved(entry.path, entry.start))
    cancelled()
    for check in chosen.manuscript:
        if check.languages is not None and manuscript.language not in check.languages:
            continue
        try:
            for item in check.run(manuscript):
                if isinstance(item, Finding):
                    found.append(item)
                else:
                    pairs.append(item)
        except (RecursionError, ValueError, LookupError, ArithmeticError, TypeError, AttributeError) as error:
            # One check must never cost the others; the note names the type only, since messages may quote the manuscript.
            notes.append(Note(f"The check {check.code} could not finish ({type(error).__name__}); the others went on."))
        cancelled()
    files = {path: document.text for path, document in manuscript.files.items()} | {
        b.path: b.text for b in manuscript.bibliographies if b.text
    }
    findings, more = finished(found, files, configuration)
    notes += more
    pairs.sort(key=lambda pair: (-pair.score, pair.code, pair.places))
    return Analysis(manuscript, findings, tuple(pairs), tuple(dict.fromkeys(notes)))


def block_findings(
    block: Block, macros: Macros, preamble: bool, language: str, chosen: Selection
) -> tuple[Finding, ...]:
    """What the block checks find in one block, with spans relative to it; remembered on the block."""
    if block.dead:
        return ()
    key = ("findings", chosen.key, macro_key(block, macros), preamble, language)
    return block.remember(key, lambda b: tuple(_run_block(BlockView(b, macros, preamble, language), chosen)))


def _run_block(view: BlockView, chosen: Selection) -> Iterator[Finding]:
    for check in chosen.block:
        if check.languages is not None and view.language not in check.languages:
            continue
        try:
            yield from check.run_block(view)
        except (RecursionError, ValueError, LookupError, ArithmeticError, TypeError, AttributeError):
            continue


def quick(path: str, document: Document, manuscript: Manuscript | None, chosen: Selection) -> tuple[Finding, ...]:
    """What the blocks of one file prove alone, with macros and language of an earlier manuscript: the first answer to an edit."""
    macros = manuscript.macros if manuscript is not None else _NO_MACROS
    language = manuscript.language if manuscript is not None else "en"
    preamble = any(structure(block).begins_document for block in document.blocks)
    found: list[Finding] = []
    for block, start in zip(document.blocks, document.starts, strict=False):
        if preamble and structure(block).begins_document:
            preamble = False
        for finding in block_findings(block, macros, preamble, language, chosen):
            found.append(finding.moved(path, start))
    return finish(found, {path: document.text}, chosen.configuration)


_NO_MACROS = Macros()


def finish(found: Iterable[Finding], files: Mapping[str, str], configuration: Configuration) -> tuple[Finding, ...]:
    """Findings as they are shown: settings applied, duplicates and suppressed ones gone, in order, with fingerprints."""
    return finished(found, files, configuration)[0]


def finished(
    found: Iterable[Finding], files: Mapping[str, str], configuration: Configuration
) -> tuple[tuple[Finding, ...], tuple[Note, ...]]:
    """What `finish` gives, and notes about suppression comments that cannot be used or silence nothing."""
    unique: dict[tuple[str, Span, str], Finding] = {}
    for finding in found:
        severity = configuration.severity_of(finding.code, finding.severity)
        if not configuration.shows(severity) or configuration.excludes(finding.span.path):
            continue
        if severity is not finding.severity:
            finding = replace(finding, severity=severity)
        unique.setdefault((finding.code, finding.span, finding.message), finding)
    comments = []
    notes: list[Note] = []
    for path, text in files.items():
        here, more = _suppressions(text, path)
        comments += here
        notes += more
    kept: Iterable[Finding] = unique.values()
    if comments:
        allowed = apply_suppressions(kept, comments)
        kept = allowed.kept
        notes += (unused_note(comment) for comment in allowed.unused)
    ordered = sorted(kept, key=lambda f: (f.span.path, f.span.start, f.span.end, f.code, f.message))
    return tuple(_with_fingerprints(ordered, files)), tuple(notes)


def _suppressions(text: str, path: str) -> tuple[tuple[Suppression, ...], tuple[Note, ...]]:
    if "counterclaim:" not in text:
        return (), ()
    return suppressions(text, path, _KNOWN)


_KNOWN = frozenset(check.code for check in ALL_CHECKS) | frozenset(check.name for check in ALL_CHECKS)


def _with_fingerprints(findings: Iterable[Finding], files: Mapping[str, str]) -> Iterator[Finding]:
    """A fingerprint names code, file, the flagged text and its line, so that it survives edits elsewhere."""
    seen: Counter[str] = Counter()
    for finding in findings:
        text = files.get(finding.span.path, "")
        base = _digest(
            finding.code,
            finding.span.path,
            text[finding.span.start : finding.span.end][:400],
            _line(text, finding.span.start),
        )
        seen[base] += 1
        yield replace(finding, fingerprint=base if seen[base] == 1 else f"{base}-{seen[base]}")


@lru_cache(maxsize=20_000)
def _digest(*parts: str) -> str:
    return blake2s("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _line(text: str, offset: int) -> str:
    start = max(text.rfind("\n", max(0, offset - 300), offset) + 1, offset - 300, 0)
    end = text.find("\n", offset, offset + 300)
    return " ".join(text[start : end if end >= 0 else offset + 300].split())


def checks_by_code() -> Mapping[str, Check]:
    """Every check by its code."""
    return {check.code: check for check in ALL_CHECKS}
