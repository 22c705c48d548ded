"""The driver: runs the checks, applies settings and suppressions, and gives every finding its fingerprint."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2s
from typing import NamedTuple

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import BlockCheck, BlockView, ManuscriptCheck
from analyzers.citations.findings import VERDICT_RULES
from analyzers.configuration import Configuration
from analyzers.facts.macros import Macros
from analyzers.facts.view import macro_key, sentences_of
from analyzers.finding import Candidate, Finding, Note
from analyzers.project.manuscript import Manuscript
from analyzers.project.structure import in_abstract, structure
from analyzers.project.words import NO_WORDS, Words
from analyzers.review.rules import REVIEW_RULES
from analyzers.suppression import Suppression, apply_suppressions, suppressions, unused_note
from analyzers.text.document import Block, Document


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

    __slots__ = ("block", "configuration", "key", "manuscript", "ran")

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
        self.ran = frozenset(name for check in chosen for name in (check.code, check.name))


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
    failed: dict[str, str] = {}
    context = Context(manuscript.macros, manuscript.language, manuscript.words)
    for index, entry in enumerate(manuscript.entries):
        here = block_outcome(entry.block, context, entry.preamble, chosen)
        found.extend(finding.moved(entry.path, entry.start) for finding in here.findings)
        for code, error in here.failed:
            failed.setdefault(code, error)
        if not index % 100:
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
        except Exception as error:  # whatever it is, one check must never cost the others
            failed.setdefault(check.code, type(error).__name__)
        cancelled()
    files = {path: document.text for path, document in manuscript.files.items()} | {
        b.path: b.text for b in manuscript.bibliographies if b.text
    }
    findings, more = finished(found, files, chosen)
    notes = (*manuscript.notes, *(_failure_note(code, error) for code, error in failed.items()), *more)
    pairs.sort(key=lambda pair: (-pair.score, pair.code, pair.places))
    return Analysis(manuscript, findings, tuple(pairs), tuple(dict.fromkeys(notes)))


def _failure_note(code: str, error: str) -> Note:
    """Names the type of the error only, since messages may quote the manuscript."""
    return Note(f"The check {code} could not finish ({error}); the others went on.")


class Context(NamedTuple):
    """What block checks know of the manuscript around their block."""

    macros: Macros
    language: str
    words: Words


class BlockOutcome(NamedTuple):
    """What the block checks find in one block, with spans relative to it, and the checks that failed with their errors' types."""

    findings: tuple[Finding, ...]
    failed: tuple[tuple[str, str], ...]


_NOTHING = BlockOutcome((), ())


def block_findings(block: Block, context: Context, preamble: bool, chosen: Selection) -> tuple[Finding, ...]:
    """What the block checks find in one block, with spans relative to it."""
    return block_outcome(block, context, preamble, chosen).findings


def block_outcome(block: Block, context: Context, preamble: bool, chosen: Selection) -> BlockOutcome:
    """What the block checks make of one block; remembered on the block."""
    if block.dead:
        return _NOTHING
    preamble = preamble and not in_abstract(block)
    macros, language, words = context
    key = ("findings", chosen.key, macro_key(block, macros), preamble, language, words)
    return block.remember(key, lambda b: _run_block(BlockView(b, macros, preamble, language, words), chosen))


def _run_block(view: BlockView, chosen: Selection) -> BlockOutcome:
    found: list[Finding] = []
    failed: list[tuple[str, str]] = []
    for check in chosen.block:
        if check.languages is not None and view.language not in check.languages:
            continue
        try:
            found.extend(check.run_block(view))
        except Exception as error:  # whatever it is, one check must never cost the others
            failed.append((check.code, type(error).__name__))
    return BlockOutcome(tuple(found), tuple(failed)) if found or failed else _NOTHING


def quick(path: str, document: Document, manuscript: Manuscript | None, chosen: Selection) -> tuple[Finding, ...]:
    """What the blocks of one file prove alone, with macros and language of an earlier manuscript: the first answer to an edit."""
    context = _NO_CONTEXT
    if manuscript is not None:
        context = Context(manuscript.macros, manuscript.language, manuscript.words)
    preamble = any(structure(block).begins_document for block in document.blocks)
    found: list[Finding] = []
    for block, start in zip(document.blocks, document.starts, strict=False):
        if preamble and structure(block).begins_document:
            preamble = False
        here = block_findings(block, context, preamble, chosen)
        found.extend(finding.moved(path, start) for finding in here)
    return finished(found, {path: document.text}, chosen)[0]


_NO_CONTEXT = Context(Macros(), "en", NO_WORDS)


def finished(
    found: Iterable[Finding], files: Mapping[str, str], chosen: Selection
) -> tuple[tuple[Finding, ...], tuple[Note, ...]]:
    """Findings as they are shown, and notes about suppression comments that cannot be used or silence nothing.

    Duplicates and allowed findings go, settings are applied, the rest is put in order and gets fingerprints.
    """
    comments: list[Suppression] = []
    notes: list[Note] = []
    for path, text in files.items():
        here, more = _suppressions(text, path)
        comments += here
        notes += more
    unique: Iterable[Finding] = {(finding.code, finding.span, finding.message): finding for finding in found}.values()
    if comments:
        allowed = apply_suppressions(unique, comments, chosen.ran)
        unique = allowed.kept
        notes += (unused_note(comment) for comment in allowed.unused)
    kept = [shown for finding in unique if (shown := _as_set(finding, chosen.configuration)) is not None]
    kept.sort(key=lambda f: (f.span.path, f.span.start, f.span.end, f.code, f.message))
    return tuple(_with_fingerprints(kept, files)), tuple(notes)


def _as_set(finding: Finding, configuration: Configuration) -> Finding | None:
    """The finding with the severity of the settings; None when they do not show it."""
    severity = configuration.severity_of(finding.code, finding.severity)
    if not configuration.shows(severity) or configuration.excludes(finding.span.path):
        return None
    return finding if severity is finding.severity else replace(finding, severity=severity)


def _suppressions(text: str, path: str) -> tuple[tuple[Suppression, ...], tuple[Note, ...]]:
    if "counterclaim:" not in text:
        return (), ()
    return suppressions(text, path, _KNOWN)


_KNOWN = (
    frozenset(check.code for check in ALL_CHECKS)
    | frozenset(check.name for check in ALL_CHECKS)
    | frozenset(rule.code for rule in (*VERDICT_RULES, *REVIEW_RULES))
    | frozenset(rule.name for rule in (*VERDICT_RULES, *REVIEW_RULES))
)


def _with_fingerprints(findings: Iterable[Finding], files: Mapping[str, str]) -> Iterator[Finding]:
    """A fingerprint names code, file and the flagged text, so that it survives edits around it, even on the same line.

    A line of LaTeX is often a whole paragraph, hence it takes part only where the flagged text says nothing by itself.
    """
    seen: Counter[str] = Counter()
    for finding in findings:
        text = files.get(finding.span.path, "")
        flagged = " ".join(text[finding.span.start : min(finding.span.end, finding.span.start + 400)].split())
        around = _line(text, finding.span.start) if len(flagged) < 3 else ""
        base = _digest(finding.code, finding.span.path, flagged, around)
        seen[base] += 1
        yield replace(finding, fingerprint=base if seen[base] == 1 else f"{base}-{seen[base]}")


@lru_cache(maxsize=20_000)
def _digest(*parts: str) -> str:
    return blake2s("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _line(text: str, offset: int) -> str:
    start = max(text.rfind("\n", max(0, offset - 300), offset) + 1, offset - 300, 0)
    end = text.find("\n", offset, offset + 300)
    return " ".join(text[start : end if end >= 0 else offset + 300].split())


def known_codes() -> frozenset[str]:
    """The codes of all checks, verdicts on bibliography entries and points of a review: what settings and comments may name."""
    texts = (*VERDICT_RULES, *REVIEW_RULES)
    return frozenset(check.code for check in ALL_CHECKS) | frozenset(rule.code for rule in texts)
