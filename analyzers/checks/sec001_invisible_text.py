"""SEC001 `invisible-text`: words that cannot be seen because of their colour or opacity.

## What it flags
Three words or more in the colour of their background (white, any mix such as `white!99!black`, colours of `\\definecolor` and
`\\colorlet`, a page colour), through `\\textcolor`, `\\color` up to the end of its group, or a macro of yours; text of opacity 0 and
in the invisible rendering mode.

## Why it matters
Such text is in the PDF for every program that reads it, and for no human.  It has been used to instruct reviewing models, by
authors and by venues alike; the finding says where it is, not whose it is.

## When it stays silent
On coloured boxes and cells, in drawings, on title pages and slides, for fewer words (they are used for alignment), for colours that
cannot be worked out, and after `\\end{document}`.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.hidden_text import hidden_texts
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript


class InvisibleText(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "SEC001"
    name = "invisible-text"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("White text", r"Seen. \textcolor{white}{This cannot be seen.} Seen.", "This cannot be seen."),
        Example.of(
            "A switch up to the end of its group",
            "Seen. {\\color{white}Not seen at\n\nall.} Seen.",
            "Not seen at\n\nall.",
        ),
        Example.of("A mix", r"\textcolor{white!99!black}{This cannot be seen.}", "This cannot be seen."),
        Example.of(
            "A defined colour",
            "\\definecolor{paper}{HTML}{FEFEFE}\n\n\\textcolor{paper}{This cannot be seen.}",
            "This cannot be seen.",
        ),
        Example.of("A model in brackets", r"{\color[rgb]{1,1,1} This cannot be seen.}", "This cannot be seen."),
        Example.of(
            "The colour of the page",
            "\\pagecolor{black}\n\nA \\textcolor{black}{This cannot be seen.}",
            "This cannot be seen.",
        ),
        Example.of(
            "The colour of its box", r"\colorbox{red}{\textcolor{red}{This cannot be seen.}}", "This cannot be seen."
        ),
        Example.of("Transparent text", r"\texttransparent{0}{This cannot be seen.}", "This cannot be seen."),
        Example.of(
            "A transparent node",
            r"\begin{tikzpicture}\node[opacity=0] at (0,0) {This cannot be seen.};\end{tikzpicture}",
            "This cannot be seen.",
        ),
        Example.of(
            "A macro of the user",
            "\\newcommand{\\hide}[1]{{\\color{white}#1}}\n\n\\hide{This cannot be seen.}",
            "This cannot be seen.",
        ),
        Example.of("White on a dark box", r"\colorbox{black}{\color{white}This can be seen.}"),
        Example.of(
            "A table with coloured rows",
            "\\begin{tabular}{l}\\rowcolor{blue}\\textcolor{white}{This can be seen.}\\\\\\end{tabular}",
        ),
        Example.of(
            "A drawing", r"\begin{tikzpicture}\node[fill=black]{\textcolor{white}{This can be seen.}};\end{tikzpicture}"
        ),
        Example.of(
            "A colour that stands out", r"\textcolor{red}{This can be seen.} \textcolor{gray}{This as well, surely.}"
        ),
        Example.of("A digit for alignment", r"\textcolor{white}{0}12"),
        Example.of("White text on a dark page", "\\pagecolor{black}\n\n{\\color{white}This can be seen.}"),
        Example.of(
            "After the end of the document",
            "\\begin{document}A\\end{document}\n\n\\textcolor{white}{This is not even printed.}",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per stretch of text."""
        for text in hidden_texts(manuscript):
            if text.how == "color":
                message = f"Text in the colour {text.detail} has the colour of its background: readers do not see it, programs that read the PDF do."
            elif text.how == "opacity":
                message = "This text is transparent: readers do not see it, programs that read the PDF do."
            else:
                continue
            yield self.finding(message, text.span, evidence={"how": text.how, "value": text.detail})
