"""CIT004 `uncited-entries`: entries of a bibliography file that the manuscript never cites.

## What it flags
One summary per bibliography file, at its first entry that is not cited, with the number and the first keys.

## Why it matters
Nothing prints wrong, yet entries that were pasted in and never used are the ones nobody checked.

## When it stays silent
With `\\nocite{*}`, in projects with unresolved includes, and for entries that others inherit from or name as related.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.citations import citations
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.bibliography import BibEntry
from analyzers.project.manuscript import Manuscript

_REFS = "@book{a, title = {A}}\n@book{b, title = {B}}\n@inproceedings{c, crossref = {d}, title = {C}}\n@proceedings{d, title = {D}}\n"
_INHERITS = ("crossref", "xdata", "xref", "related", "entryset")
_LISTED = 200


class UncitedEntries(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT004"
    name = "uncited-entries"
    tier = Tier.PROVED
    severity = Severity.HINT
    live = False
    examples = (
        Example(
            "An entry that nothing cites", {"main.tex": r"\cite{a,c}\bibliography{refs}", "refs.bib": _REFS}, ("b",)
        ),
        Example(
            "All cited, one through inheritance", {"main.tex": r"\cite{a,b,C}\bibliography{refs}", "refs.bib": _REFS}
        ),
        Example("Everything asked for", {"main.tex": r"\nocite{*}\bibliography{refs}", "refs.bib": _REFS}),
        Example(
            "An include that was not found", {"main.tex": r"\cite{a}\input{gone}\bibliography{refs}", "refs.bib": _REFS}
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per bibliography file."""
        if not manuscript.closed or not manuscript.bibliographies or _everything(manuscript):
            return
        used = {
            citation.key.casefold()
            for entry in manuscript.entries
            for citation in citations(entry.block, manuscript.macros)
        }
        if not used:
            return
        for entry in manuscript.bibliography.entries:
            used.update(name.casefold() for name in _related(entry))
        for bibliography in manuscript.bibliographies:
            unused = [
                entry
                for entry in bibliography.entries
                if entry.key
                and entry.key.casefold() not in used
                and not any(alias.casefold() in used for alias in _names(entry.value("ids")))
            ]
            if not unused:
                continue
            keys = [entry.key for entry in unused]
            listed = ", ".join(keys[:5]) + (" …" if len(keys) > 5 else "")
            yield self.finding(
                f"{len(keys)} of {len(bibliography.entries)} entries are never cited: {listed}",
                unused[0].key_span,
                evidence={"unused": len(keys), "entries": len(bibliography.entries), "keys": keys[:_LISTED]},
            )


def _everything(manuscript: Manuscript) -> bool:
    """True with `\\nocite{*}`."""
    return any(
        command.name == "nocite"
        and any(entry.block.text[group.start : group.end].strip() == "*" for group in command.groups)
        for entry in manuscript.entries
        if "nocite" in entry.block.text
        for command in entry.block.lexed.commands
    )


def _related(entry: BibEntry) -> Iterator[str]:
    for name in _INHERITS:
        value = entry.value(name)
        if value:
            yield from _names(value)


def _names(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]
