"""REF001 `undefined-label`: a reference names a label that the manuscript does not define.

## What it flags
Each key of a referencing command (`\\ref`, `\\eqref`, `\\autoref`, `\\cref` and its lists and ranges, `\\hyperref[...]`, your own
wrappers) for which there is no `\\label`, no `label=` option, no label macro of your own and no label of an external document.
`\\ref{{key}}` is found as well: LaTeX strips one pair of braces only, so the label with the remaining pair does not exist.

## Why it matters
The reference prints as "??".

## When it stays silent
When an included file was not found, when the key may come from an external document that could not be read, and when the key
also stands in an argument of a macro or environment whose meaning is not known: it may make the label.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.label_uses import all_mentions, may_be_defined
from analyzers.facts.references import Reference, labels, references
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Entry, Manuscript

# Labels that packages define.
_OF_PACKAGES = frozenset(("LastPage", "VeryLastPage", "TotPages", "lastpage", "LastBib"))


_MACRO = re.compile(r"\\[A-Za-z@]+\s*(?:\{\})?")


class UndefinedLabel(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REF001"
    name = "undefined-label"
    tier = Tier.PROVED
    severity = Severity.ERROR
    examples = (
        Example.of("A reference without a label", r"\section{A}\label{sec:a} See \ref{sec:b}.", "sec:b"),
        Example.of("Only the bad key of a list", r"\label{a}\label{b} See \cref{a, b,ghost}.", "ghost"),
        Example.of("Both ends of a range", r"\label{a} See \crefrange{a}{ghost}.", "ghost"),
        Example.of(
            "Through a wrapper that adds a prefix",
            "\\newcommand{\\figref}[1]{Figure~\\ref{fig:#1}}\n\n\\label{fig:a} See \\figref{a} and \\figref{ghost}.",
            "ghost",
        ),
        Example.of("Double braces in a reference", r"\label{fig:x} See \ref{{fig:x}}.", "{fig:x}"),
        Example.of("Double braces that cleveref strips", r"\label{fig:x} See \cref{{fig:x}}."),
        Example.of(
            "A label from an option",
            "\\begin{lstlisting}[caption={X}, label={lst:x}]\n$\n\\end{lstlisting}\nSee \\ref{lst:x}.",
        ),
        Example.of("Blanks and line ends in keys", "\\label{eq: max value} See \\eqref{eq:\n  max value}."),
        Example.of(
            "A label macro of the user",
            "\\newcommand{\\named}[2]{\\protected@write\\@auxout{}{\\string\\newlabel{#1}{{#2}{}}}}\n\n"
            "\\begin{theorem}[\\named{main}{Main}] X\\end{theorem} See \\ref{main}.",
        ),
        Example.of("The argument of a macro that is not known", r"\magicbox{thm:x}{Text} See \ref{thm:x}."),
        Example(
            "A label of an external document",
            {"main.tex": "\\externaldocument[S-]{more}\nSee \\ref{S-a}.", "more.tex": r"\label{a}"},
        ),
        Example.of("An external document that cannot be read", "\\externaldocument[S-]{gone}\nSee \\ref{S-a}."),
        Example.of("A label built by a loop", r"\foreach \n in {1,2} {\label{fig:\n}} See \ref{fig:2}."),
        Example.of(
            "A macro that reads another document",
            "\\newcommand{\\other}[1]{\\externaldocument{#1}\\IfFileExists{#1.tex}{}{}}\n\\other{gone}\n\nSee \\ref{a}.",
        ),
        Example.of("An include that was not found", r"\input{gone} See \ref{a}."),
        Example("A root that is not known", {"main.tex": r"See \ref{a}."}, closed=False),
        Example.of("Verbatim text and comments", "\\verb|\\ref{a}| % \\ref{b}\n"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per undefined key and place."""
        if not manuscript.rooted or manuscript.open_labels or _reads_other_documents(manuscript):
            return
        defined = {
            label.key
            for entry in manuscript.entries
            if not entry.block.dead
            for label in labels(entry.block, manuscript.macros)
        }
        defined |= manuscript.external_labels
        mentioned: frozenset[str] | None = None
        built: list[re.Pattern[str]] | None = None
        by_shape: list[str] | None = None
        for _, entry, use in manuscript.located(references):
            if use.key in defined or use.key in _OF_PACKAGES or use.key.startswith(manuscript.external_prefixes):
                continue
            if use.key.startswith("{") and use.key.endswith("}") and use.key[1:-1].strip() in defined:
                yield self._double_braces(entry, use)
                continue
            mentioned = mentioned if mentioned is not None else all_mentions(manuscript)
            built = built if built is not None else [_built(key) for key in defined if "\\" in key]
            if may_be_defined(use.key, mentioned) or any(pattern.fullmatch(use.key) for pattern in built):
                continue
            by_shape = by_shape if by_shape is not None else sorted(defined)
            yield self._undefined(entry, use, by_shape)

    def _double_braces(self, entry: Entry, use: Reference) -> Finding:
        span = entry.span(use.start, use.end)
        key = use.key[1:-1].strip()
        return self.finding(
            f"\\{use.command} strips one pair of braces only, so this prints as ??. The label is called {key}.",
            span,
            fixes=(Fix("Remove the inner braces", (Edit(span, key),), safe=True),),
        )

    def _undefined(self, entry: Entry, use: Reference, defined: list[str]) -> Finding:
        span = entry.span(use.start, use.end)
        near = get_close_matches(use.key, defined, n=1, cutoff=0.75)
        written = " ".join(entry.block.text[use.start : use.end].split())
        prefix, _, suffix = use.key.partition(written) if written in use.key else ("", "", "")
        fixes: tuple[Fix, ...] = ()
        if near and near[0].startswith(prefix) and near[0].endswith(suffix):
            replacement = near[0][len(prefix) : len(near[0]) - len(suffix)]
            fixes = (Fix(f"Replace by {near[0]}", (Edit(span, replacement),)),)
        hint = f" The nearest label is {near[0]}." if near else ""
        return self.finding(f"No label is called {use.key}.{hint}", span, fixes=fixes)


def _built(key: str) -> re.Pattern[str]:
    """What a label with macros in it, such as `fig:\\n`, may be called in the end."""
    return re.compile(".+".join(re.escape(part) for part in _MACRO.split(key)))


def _reads_other_documents(manuscript: Manuscript) -> bool:
    """True when a macro of the user calls `\\externaldocument`: which documents it reads is not worked out."""
    readers = {name for name, macro in manuscript.macros.table.items() if "externaldocument" in macro.body}
    return bool(readers) and any(name in readers for entry in manuscript.entries for name, _ in entry.block.lexed.names)
