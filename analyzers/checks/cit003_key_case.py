"""CIT003 `key-case`: a citation key differs from the entry's key only in upper and lower case.

## What it flags
`\\cite{FFTLIB}` where the bibliography has `@misc{fftlib, ...}` and BibTeX is used.

## Why it matters
BibTeX finds the entry, biber does not; and two spellings of one key in one document make BibTeX stop with an error.

## When it stays silent
Under biblatex with biber, where the key is undefined (CIT001), and in projects with unresolved includes or bibliographies.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.bibitems import bibitems
from analyzers.facts.citations import citations
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

_REFS = "@misc{fftlib, title = {A}}\n@misc{Other, title = {B}}\n"


class KeyCase(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT003"
    name = "key-case"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example("Another case", {"main.tex": r"\cite{FFTLIB}\bibliography{refs}", "refs.bib": _REFS}, ("FFTLIB",)),
        Example("In a list", {"main.tex": r"\cite{fftlib,other}\bibliography{refs}", "refs.bib": _REFS}, ("other",)),
        Example("The same case", {"main.tex": r"\cite{fftlib,Other}\bibliography{refs}", "refs.bib": _REFS}),
        Example(
            "Under biber the key is undefined",
            {"main.tex": "\\usepackage{biblatex}\\addbibresource{refs.bib}\n\\cite{FFTLIB}", "refs.bib": _REFS},
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per key and place."""
        if not manuscript.closed or manuscript.biber or not manuscript.bibliography.entries:
            return
        exact = manuscript.bibliography.by_key
        typeset: set[str] | None = None
        for _, entry, citation in manuscript.located(citations):
            key = citation.key
            if key in exact:
                continue
            found = manuscript.bibliography.entry_folded(key)
            if found is None:
                continue
            typeset = typeset if typeset is not None else {item.key for _, _, item in manuscript.located(bibitems)}
            if key in typeset:
                continue
            span = entry.span(citation.start, citation.end)
            yield self.finding(
                f"The entry is called {found.key}, not {key}. BibTeX finds it all the same, biber would not.",
                span,
                related=(Related(found.key_span, "The entry"),),
                fixes=(Fix(f"Write {found.key}", (Edit(span, found.key),), safe=True),),
            )
