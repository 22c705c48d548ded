"""What the editor shows of verdicts: the evidence behind one, the line above a bibliography, the state of the look-ups."""

from collections import Counter
from collections.abc import Iterator

from lsprotocol import types as lsp

from analyzers.citations.record import Entry
from analyzers.citations.support import supporting_passage
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.citations.wording import cited, describe, shortened
from analyzers.facts.citations import citations
from analyzers.facts.view import prose_of, sentences_of
from analyzers.project.manuscript import Entry as Place
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span
from server.analysis import BIBLIOGRAPHY_SUFFIX
from server.citation_findings import Item
from server.folders import Folder, OpenFile
from server.lookups import read_entry
from server.places import manuscript_of, past, present
from server.positions import to_range
from server.session import Session

CITATIONS_STATUS = "counterclaim.citations.status"
CITATIONS_CHECK = "counterclaim.citations.check"
_KINDS = (
    (VerdictKind.VERIFIED, "verified"),
    (VerdictKind.MISMATCH, "mismatch"),
    (VerdictKind.CONFLICT, "conflict"),
    (VerdictKind.LIKELY_FABRICATED, "without a matching record"),
    (VerdictKind.UNVERIFIABLE, "unverifiable"),
)


# --- which entry


def items_in(session: Session, file: OpenFile, start: int, end: int) -> list[tuple[Item, Span]]:
    """The entries that a range of the present text stands for, by entry or by citation, each with its present place.

    In a bibliography the place is the whole entry, in a TeX file the key of the citation.
    """
    folder = file.folder
    if folder.outcome is None or not file.known:
        return []
    first, last = past(folder, file.path, start), past(folder, file.path, end)
    found: list[tuple[Item, Span]] = []
    for item, span in _candidates(session, file):
        if span.start <= last and first <= span.end:
            now = present(folder, span)
            # an entry that is being edited has another content, and nothing is known of that
            if now is not None:
                found.append((item, now))
    return found


def _candidates(session: Session, file: OpenFile) -> Iterator[tuple[Item, Span]]:
    folder = file.folder
    items = session.verification.items(folder)
    if file.path.endswith(BIBLIOGRAPHY_SUFFIX):
        for item in items:
            if item.entry.path == file.path:
                yield item, Span(file.path, item.entry.start, item.entry.end)
        return
    manuscript = manuscript_of(folder, file.path)
    if manuscript is None or not items:
        return
    by_place = {(item.entry.path, item.entry.start): item for item in items}
    for _, entry, citation in manuscript.located(citations):
        if entry.path != file.path:
            continue
        known = manuscript.entry_of_key(citation.key)
        found = by_place.get((known.path, known.start)) if known is not None else None
        if found is not None:
            yield found, entry.span(citation.start, citation.end)


# --- the hover


def evidence_at(session: Session, file: OpenFile, offset: int) -> tuple[list[str], Span] | None:
    """What is known of the entry that is defined or cited at an offset: lines of text, and the place they belong to.

    In a bibliography only the head of an entry shows it, since hovers in its fields belong to their findings.
    """
    found = [pair for pair in items_in(session, file, offset, offset) if pair[1].start <= offset < max(pair[1].end, 1)]
    if not found:
        return None
    item, span = found[0]
    if file.path.endswith(BIBLIOGRAPHY_SUFFIX):
        head = item.entry.body.key_end
        span = Span(span.path, span.start, span.start + head)
        if not span.start <= offset <= span.end:
            return None
    lines = evidence(session, file.folder, item)
    if not file.path.endswith(BIBLIOGRAPHY_SUFFIX):
        lines += _support(session, file, item, past(file.folder, file.path, offset))
    return lines, span


def evidence(session: Session, folder: Folder, item: Item) -> list[str]:
    """The verdict on an entry with both values of what differs, who was asked, who answered, and who did not."""
    read = read_entry(item.entry, item.bibliography)
    lines = [f"{item.entry.key}: {_as_cited(read)}"]
    day = session.verification.checked_on(folder, item)
    if day is not None:
        lines.append(f"Checked by you on {day}.")
    verdict = session.verification.verdict(folder, item)
    if verdict is None:
        return [*lines, _not_looked_up(session, folder)]
    lines.append(describe(read, verdict))
    if verdict.record is not None:
        lines.append(f"Record: {cited(verdict.record)}")
        address = verdict.record.url or (f"https://doi.org/{verdict.record.doi}" if verdict.record.doi else "")
        lines += [address] if address else []
    lines += [f"{flag.capitalize()}." for flag in verdict.flags]
    lines.append(_asked(verdict))
    return lines


def _as_cited(read: Entry) -> str:
    first = (
        f" by {read.authors[0].strip('{}')}{' et al.' if len(read.authors) > 1 or read.truncated else ''}"
        if read.authors
        else ""
    )
    place = ", ".join(filter(None, (shortened(read.venue)[:80], str(read.year or ""))))
    return (
        f"“{shortened(read.title)}”{first}{f' ({place})' if place else ''}"
        if read.title
        else "an entry without a title"
    )


def _asked(verdict: Verdict) -> str:
    parts = [f"Asked: {', '.join(verdict.asked) or 'nobody'}."]
    if verdict.answered:
        parts.append(f"Answered: {', '.join(verdict.answered)}.")
    if verdict.unavailable:
        down = ", ".join(f"{name} ({reason})" for name, reason in verdict.unavailable)
        parts.append(f"Did not answer: {down}. The verdict is incomplete.")
    return " ".join(parts)


def _not_looked_up(session: Session, folder: Folder) -> str:
    if session.verification.plan_of(folder).empty:
        return (
            "Not looked up: there is no local index, and online look-ups are off. "
            "Build an index with `counterclaim index build`, or turn look-ups on with `counterclaim.citations.online.on`."
        )
    return "Not looked up yet."


def _support(session: Session, file: OpenFile, item: Item, offset: int) -> list[str]:
    """Whether the abstract that stands in the entry holds a passage which supports the citing sentence."""
    manuscript = manuscript_of(file.folder, file.path)
    abstract = item.entry.plain("abstract")
    if manuscript is None or not abstract:
        return []
    sentence = _sentence_at(manuscript, file.path, offset)
    return [supporting_passage(sentence, abstract).text] if sentence else []


def _sentence_at(manuscript: Manuscript, path: str, offset: int) -> str:
    for entry in manuscript.entries:
        if entry.path == path and entry.start <= offset < entry.start + len(entry.block.text):
            return _sentence_in(entry, manuscript, offset - entry.start)
    return ""


def _sentence_in(entry: Place, manuscript: Manuscript, offset: int) -> str:
    prose = prose_of(entry.block, manuscript.macros)
    for sentence in sentences_of(entry.block, manuscript.macros):
        start, end = prose.source(sentence.start, sentence.end)
        if start <= offset <= end:
            return prose.text[sentence.start : sentence.end]
    return ""


# --- the line above a bibliography


def summary(session: Session, folder: Folder, path: str | None = None) -> str:
    """The state of the entries of one bibliography file, or of all: “31 verified · 2 mismatch · 4 unverifiable (Crossref down)”."""
    verification = session.verification
    counts: Counter[VerdictKind] = Counter()
    down: set[str] = set()
    checked = waiting = flagged = 0
    for item in verification.items(folder):
        if path is not None and item.entry.path != path:
            continue
        verdict = verification.verdict(folder, item)
        if verdict is None:
            waiting += 1
            continue
        down.update(name for name, _ in verdict.unavailable)
        flagged += bool(verdict.flags)
        if verdict.kind is not VerdictKind.VERIFIED and verification.checked_on(folder, item) is not None:
            checked += 1
        else:
            counts[verdict.kind] += 1
    parts = [f"{counts[kind]} {text}" for kind, text in _KINDS if counts[kind]]
    parts += [f"{checked} checked by you"] if checked else []
    parts += [f"{flagged} retracted or under concern"] if flagged else []
    parts += [f"{waiting} not looked up"] if waiting else []
    line = " · ".join(parts) or "no entries"
    return f"{line} ({', '.join(sorted(down))} down, so this is incomplete)" if down else line


def lenses_for_bibliography(session: Session, file: OpenFile) -> list[lsp.CodeLens]:
    """The summary above the first entry of a bibliography; empty for any other file, and while it has no entries."""
    if not file.path.endswith(BIBLIOGRAPHY_SUFFIX) or not file.known:
        return []
    starts = [item.entry.start for item in session.verification.items(file.folder) if item.entry.path == file.path]
    now = present(file.folder, Span(file.path, min(starts), min(starts))) if starts else None
    if not starts:
        return []
    at = now.start if now is not None else 0
    nobody = session.verification.plan_of(file.folder).empty
    command = lsp.Command(
        title="Citations: nothing to look them up in"
        if nobody and _none_known(session, file)
        else summary(session, file.folder, file.path),
        command=CITATIONS_STATUS,
        arguments=[{"uri": file.uri}],
    )
    return [lsp.CodeLens(range=to_range(file.document, at, at, session.encoding), command=command)]


def _none_known(session: Session, file: OpenFile) -> bool:
    return not session.verification.state(file.folder).verdicts


def status(session: Session, folder: Folder) -> dict[str, object]:
    """The answer to the command: a message for people, and its parts for programs."""
    verification = session.verification
    plan = verification.plan_of(folder)
    state = verification.state(folder)
    allowed = verification.consent.allows(folder.place)
    complete = verification.complete(folder)
    place = str(folder.place) if folder.place is not None else "documents that were never saved"
    lines = [f"Citations of {place}", summary(session, folder)]
    lines.append(
        f"Local index: {plan.index}" if plan.index else "Local index: none. Build one with `counterclaim index build`."
    )
    if allowed and not session.options.trusted:
        lines.append("Online look-ups: off, because the workspace is not trusted.")
    else:
        lines.append(f"Online look-ups: {'on' if plan.online else 'off'} for this workspace.")
    if state.running:
        lines.append(f"Looking up: {state.done} of {state.total} entries.")
    if not complete:
        lines.append(
            "Incomplete: a source was down. It is asked again when you save, or by `counterclaim.citations.check`."
        )
    lines += verification.look_ups.notes
    return {
        "workspace": place,
        "message": "\n".join(lines),
        "complete": complete,
        "online": plan.online,
        "index": str(plan.index) if plan.index else None,
        "entries": len(verification.items(folder)),
        "running": state.running,
    }
