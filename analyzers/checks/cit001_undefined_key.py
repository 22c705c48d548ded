"""CIT001 `undefined-key`: a citation names a key that no bibliography entry defines.

## What it flags
Each key of a citing command (LaTeX, natbib, biblatex, apacite, multicites and your own wrapper macros) that is in no
bibliography file, `thebibliography` or `.bbl` of the project.  Only the key is marked, not the whole command.

## Why it matters
The reference prints as "[?]", and it is the cheapest sign of a citation that was never looked up.

## When it stays silent
When an included file or a bibliography was not found, or the manuscript names no bibliography at all: the key may be
there.  Keys that differ only in case are a finding of their own (CIT003) where BibTeX would find the entry.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.bibitems import bibitems
from analyzers.facts.citations import citations
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

_REFS = "@book{ok, title = {A}}\n@book{smith2020, title = {B}}\n"


class UndefinedKey(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT001"
    name = "undefined-key"
    tier = Tier.PROVED
    severity = Severity.ERROR
    examples = (
        Example(
            "A key without an entry", {"main.tex": r"\cite{ghost}\bibliography{refs}", "refs.bib": _REFS}, ("ghost",)
        ),
        Example(
            "Only the bad key of a list",
            {"main.tex": r"\citep[see][p.~2]{ok, ghost}\bibliography{refs}", "refs.bib": _REFS},
            ("ghost",),
        ),
        Example(
            "Through a wrapper macro",
            {
                "main.tex": "\\newcommand{\\mycite}[1]{\\citep{#1}}\n\nAs in \\mycite{ok,ghost}.\\bibliography{refs}",
                "refs.bib": _REFS,
            },
            ("ghost",),
        ),
        Example(
            "A multicite reads all its groups",
            {"main.tex": r"\parencites(see)(also)[1]{ok}[2]{ghost}\bibliography{refs}", "refs.bib": _REFS},
            ("ghost",),
        ),
        Example("A defined key", {"main.tex": r"\cite{ok}\bibliography{refs}", "refs.bib": _REFS}),
        Example(
            "Keys of thebibliography",
            {"main.tex": "\\cite{a:b/c+d.e}\n\\begin{thebibliography}{9}\\bibitem{a:b/c+d.e} X\\end{thebibliography}"},
        ),
        Example(
            "A key in verbatim text or a comment",
            {"main.tex": "\\verb|\\cite{x}| % \\cite{y}\n\\bibliography{refs}", "refs.bib": _REFS},
        ),
        Example("A bibliography that was not found", {"main.tex": r"\cite{ghost}\bibliography{missing}"}),
        Example("No bibliography named at all", {"main.tex": r"\cite{ghost}"}),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per undefined key and place."""
        typeset = {item.key for _, _, item in manuscript.located(bibitems)}
        if not manuscript.closed or not (manuscript.has_bibliography or typeset):
            return
        defined = set(manuscript.bibliography.by_key) | set(manuscript.typeset_keys) | typeset
        if not manuscript.biber:
            defined |= set(manuscript.bibliography.commented_by_key)  # BibTeX does not know the comment sign
        # BibTeX folds case when it looks an entry up; the keys of a hand-made list are compared as they are.
        folded = set(manuscript.bibliography.by_folded_key) | {key.casefold() for key in manuscript.typeset_keys}
        aliases = {alias for entry in manuscript.bibliography.entries for alias in _split(entry.value("ids"))}
        by_shape: list[str] | None = None
        for _, entry, citation in manuscript.located(citations):
            key = citation.key
            if key in defined or key in aliases or (not manuscript.biber and key.casefold() in folded):
                continue
            span = entry.span(citation.start, citation.end)
            by_shape = by_shape if by_shape is not None else sorted(defined)
            near = get_close_matches(key, by_shape, n=1, cutoff=0.75)
            fixes = (Fix(f"Replace by {near[0]}", (Edit(span, near[0]),)),) if near else ()
            hint = f" The nearest key is {near[0]}." if near else ""
            yield self.finding(f"No bibliography entry has the key {key}.{hint}", span, fixes=fixes)


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]
