"""SEC002 `unreadable-text`: words that are too small to read, phantoms, or off the page.

## What it flags
Text of less than two points (`\\fontsize{0.1pt}{...}`, `\\scalebox{0.01}`, `\\resizebox{1sp}{...}`), four words or more in `\\phantom` and its
kin, and text moved further than a page away.

## Why it matters
Such text is in the source or in the PDF for every program that reads it, and for no human.  It may come from the authors or from
the venue; the finding says where it is, not whose it is.

## When it stays silent
For scaled figures, tables and drawings, for phantoms in formulas and those of a word or two, which align columns.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.hidden_text import hidden_texts
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript


class UnreadableText(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "SEC002"
    name = "unreadable-text"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "A tiny font",
            r"Seen. {\fontsize{0.1pt}{0.1pt}\selectfont Nobody can read this.} Seen.",
            "Nobody can read this.",
        ),
        Example.of("A tiny scale", r"\scalebox{0.01}{Nobody can read this.}", "Nobody can read this."),
        Example.of("A tiny width", r"\resizebox{1sp}{!}{Nobody can read this.}", "Nobody can read this."),
        Example.of("A phantom sentence", r"\phantom{Nobody can read this.}", "Nobody can read this."),
        Example.of("Below the page", r"\raisebox{-1000pt}{Nobody can read this.}", "Nobody can read this."),
        Example.of("Beside the page", r"\rlap{\hspace{-100cm}Nobody can read this.}", "Nobody can read this."),
        Example.of("A small font that can be read", r"{\fontsize{6pt}{7pt}\selectfont Everybody can read this.}"),
        Example.of("A phantom that aligns", r"\phantom{minus} 3 and $\phantom{\text{this is aligned in math}} x$"),
        Example.of(
            "A small drawing", r"\scalebox{0.1}{\begin{tikzpicture}\node{A drawing with many words};\end{tikzpicture}}"
        ),
        Example.of(
            "A scaled table", r"\resizebox{\textwidth}{!}{\begin{tabular}{l}Everybody can read this.\end{tabular}}"
        ),
        Example.of("A shift within the page", r"\hspace{-2cm}Everybody can read this. \vspace{-10pt}"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per stretch of text."""
        for text in hidden_texts(manuscript):
            if text.how == "size":
                message = f"This text is too small to read ({text.detail}): readers do not see it, programs that read the PDF do."
            elif text.how == "phantom":
                message = f"\\{text.detail} prints nothing, yet it holds a whole phrase."
            elif text.how == "off-page":
                message = f"This text stands off the page ({text.detail}): readers do not see it, programs that read the PDF do."
            else:
                continue
            yield self.finding(message, text.span, evidence={"how": text.how, "value": text.detail})
