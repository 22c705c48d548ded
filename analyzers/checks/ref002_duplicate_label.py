"""REF002 `duplicate-label`: the same label is defined at two places.

## What it flags
The second and every later definition of a label, with the first one as the related place.

## Why it matters
LaTeX keeps one of them, so references silently point to the wrong figure, table or equation.

## When it stays silent
For a file that is included twice, for labels in branches of a conditional (only one of them is typeset), and in definitions,
comments and verbatim text.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.references import labels
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.spans import Span

_NO_CONDITIONALS = frozenset(
    ("iff", "ifthenelse", "iftoggle", "ifdefined", "ifblank", "ifstrempty", "ifdef", "ifundef")
)
_WITH_BRANCHES = frozenset(
    ("ifthenelse", "iftoggle", "ifdef", "ifundef", "ifbool", "only", "alt", "onslide", "mathpalette")
)


class DuplicateLabel(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REF002"
    name = "duplicate-label"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Two sections with one label", "\\section{A}\\label{sec:a}\n\n\\section{B}\\label{sec:a}", "sec:a"),
        Example("Across files", {"main.tex": r"\label{a}\input{two}", "two.tex": r"\label{a}"}, ("a",)),
        Example.of(
            "An option and a label", "\\begin{lstlisting}[caption=C, label=x]\nA\n\\end{lstlisting}\n\n\\label{x}", "x"
        ),
        Example("A file included twice", {"main.tex": r"\input{two}\input{two}", "two.tex": r"\label{a}"}),
        Example.of("Branches of a conditional", "\\ifdraft\\label{a}\\else\\label{a}\\fi"),
        Example.of(
            "A restated theorem", "\\begin{restatable}{theorem}{main}\\label{thm:a} X\\end{restatable}\n\n\\main*"
        ),
        Example.of("Labels that differ in a blank", r"\label{eq:a}\label{eq: a}"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per repeated definition."""
        places: dict[str, list[tuple[Span, Entry, int]]] = {}
        for _, entry, label in manuscript.located(labels):
            places.setdefault(label.key, []).append((entry.span(label.start, label.end), entry, label.start))
        for key, found in places.items():
            if (
                len(found) == 1 or not key or key == "none" or "\\" in key
            ):  # tabularray's way to say that there is no label
                continue
            first = found[0][0]
            seen = {first}
            for span, entry, offset in found[1:]:
                if span in seen or _conditional(manuscript, entry, offset):
                    continue
                seen.add(span)
                if len(seen) == 2 and _conditional(manuscript, found[0][1], found[0][2]):
                    break
                yield self.finding(
                    f"The label {key} is already defined. References to it may point to the wrong place; give one of them another name.",
                    span,
                    related=(Related(first, "First definition"),),
                )


def _conditional(manuscript: Manuscript, entry: Entry, offset: int) -> bool:
    """True when the place stands inside a conditional of its file; computed for repeated labels only."""
    document = manuscript.files.get(entry.path)
    if document is None:
        return False
    depth = 0
    for block, start in zip(document.blocks, document.starts, strict=False):
        if start > entry.start + offset:
            break
        for name, at in block.lexed.names:
            if start + at >= entry.start + offset:
                break
            if name == "fi":
                depth = max(depth - 1, 0)
            elif name.startswith("if") and name not in _NO_CONDITIONALS and not name.startswith("ifpackage"):
                depth += 1
    return depth > 0 or any(name in _WITH_BRANCHES and at < offset for name, at in entry.block.lexed.names)
