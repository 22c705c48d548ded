"""The entries of a folder, and the findings of their verdicts: at the entries and where they are cited."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from analyzers.citations.edits.keys import cited_keys
from analyzers.citations.findings import VERDICT_RULES, verdict_findings
from analyzers.citations.verdict import Verdict
from analyzers.driver import Selection, finished
from analyzers.facts.citations import citations
from analyzers.finding import Finding, Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography, EntryBody, read_bibliography, update
from analyzers.project.manuscript import Manuscript
from server.analysis import BIBLIOGRAPHY_SUFFIX, Outcome, RootOutcome
from server.lookups import read_entry

Made = dict[int, tuple[EntryBody, Verdict, tuple[Finding, ...]]]
"""The findings of entries, counted from their start, by the identity of their bodies."""
# A larger bibliography without a manuscript is somebody's library, and services are not asked about all of it.
_FEW_ENTRIES = 300


class Item(NamedTuple):
    """An entry of a folder; `cited` whether a manuscript cites it, or it stands in a small bibliography by itself."""

    entry: BibEntry
    bibliography: Bibliography
    cited: bool
    root: str


def items_of(root: str, manuscript: Manuscript, lone: dict[str, Bibliography]) -> Iterator[Item]:
    """The entries that a root reads; `lone` keeps bibliographies that are roots themselves, to read only what changes."""
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


def findings_of(
    flagged: Sequence[tuple[Item, Verdict]], outcome: Outcome, made: Made
) -> dict[str, tuple[Finding, ...]]:
    """The findings of verdicts by file, as the settings and comments of the project want them.

    `made` holds what was made for entries before and takes up what is made now.
    """
    by_root: dict[str, list[tuple[Item, Verdict]]] = {}
    for pair in flagged:
        by_root.setdefault(pair[0].root, []).append(pair)
    found: dict[tuple[str, str, int, int, str], Finding] = {}
    for root, pairs in by_root.items():
        here = outcome.roots[root]
        kept = _as_set(_at_entries(pairs, made), here, outcome)
        entries = [item.entry for item, _ in pairs]
        for finding in (*kept, *_as_set(_at_citations(kept, entries, outcome), here, outcome)):
            place = finding.span
            found[finding.code, place.path, place.start, place.end, finding.message] = finding
    by_path: dict[str, list[Finding]] = {}
    for finding in found.values():
        by_path.setdefault(finding.span.path, []).append(finding)
    return {path: tuple(here) for path, here in by_path.items()}


def _at_entries(pairs: Sequence[tuple[Item, Verdict]], made: Made) -> Iterator[Finding]:
    """The findings at the entries; those of an entry that has not changed are only moved to where it is now."""
    for item, verdict in pairs:
        body = item.entry.body
        known = made.get(id(body))
        if known is None or known[0] is not body or known[1] is not verdict:
            read = read_entry(item.entry, item.bibliography)
            known = made[id(body)] = (body, verdict, tuple(verdict_findings(item.entry.at("", 0), read, verdict)))
        yield from (finding.moved(item.entry.path, item.entry.start) for finding in known[2])


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


def _as_set(findings: Iterable[Finding], root: RootOutcome, outcome: Outcome) -> tuple[Finding, ...]:
    """Findings as the settings and the comments of the files want them, with fingerprints."""
    chosen: Selection = root.quick
    run = {rule.code for rule in VERDICT_RULES if chosen.configuration.runs(rule.code)}
    wanted = [finding for finding in findings if finding.code in run]
    snapshots = outcome.snapshots
    files = {path: snapshots[path].text for path in {finding.span.path for finding in wanted} if path in snapshots}
    return finished(wanted, files, chosen)[0]
