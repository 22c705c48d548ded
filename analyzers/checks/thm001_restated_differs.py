"""THM001 `restated-theorem-differs`: a theorem is stated again and has lost or gained a condition.

## What it flags
A restatement, linked by its label (`\\textbf{Theorem~\\ref{thm:x}.} …`, `\\begin{theorem}[Restatement of Theorem~\\ref{thm:x}]`),
that equals the first statement apart from words or symbols that are missing or added.

## Why it matters
A hypothesis that only one of the two statements has means that the proof and the claim are about different theorems.

## When it stays silent
When the second statement is worded anew, when either is called informal, and when whole sentences are added.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.references import normal_key
from analyzers.facts.theorems import Statement, declared, difference, restated, stated
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript
from analyzers.text.spans import Span

_THEOREM = "\\begin{theorem}\\label{thm:x}\nLet $f$ be convex and $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{T}$.\n\\end{theorem}\n"
_AGAIN = "\\textbf{Theorem~\\ref{thm:x}.} Let $f$ be $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{T}$.\n"
_TITLED = "\\begin{theorem*}[Restatement of Theorem~\\ref{thm:x}]\nLet $f$ be convex and $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{T}$.\n\\end{theorem*}\n"


class RestatedDiffers(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "THM001"
    name = "restated-theorem-differs"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("A condition is lost", f"{_THEOREM}\n{_AGAIN}", "Let $f$ be $L$-Lipschitz."),
        Example.of(
            "A condition is lost, and the head says restated",
            f"{_THEOREM}\n{_AGAIN.replace('}.}', '}, restated.}')}",
            "Let $f$ be $L$-Lipschitz.",
        ),
        Example.of(
            "A condition is added in an environment",
            _THEOREM + "\n" + _TITLED.replace("convex", "smooth, convex"),
            "Let $f$ be smooth, convex and $L$-Lipschitz.",
        ),
        Example.of(
            "An environment of its own",
            "\\newtheorem*{again}{Theorem~\\ref{thm:x}}\n"
            + _THEOREM
            + "\n\\begin{again}\nLet $f$ be $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{T}$.\n\\end{again}\n",
            "Let $f$ be $L$-Lipschitz.",
        ),
        Example.of(
            "A head that says that it comes again",
            f"{_THEOREM}\n\\paragraph{{\\Cref{{thm:x}}, once more.}}\n\\emph{{Let $f$ be $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{{T}}$.}}\n",
            "Let $f$ be $L$-Lipschitz.",
        ),
        Example.of(
            "Recalled in a sentence",
            f"{_THEOREM}\nRecall Theorem~\\ref{{thm:x}}: \\emph{{Let $f$ be $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{{T}}$.}}\n",
            "Let $f$ be $L$-Lipschitz.",
        ),
        Example.of(
            "Recalled in a sentence, and the same",
            f"{_THEOREM}\nRecall Theorem~\\ref{{thm:x}}: \\emph{{Let $f$ be convex and $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{{T}}$.}}\n",
        ),
        Example.of(
            "A head that goes beyond",
            f"{_THEOREM}\n\\paragraph{{\\Cref{{thm:x}}, without convexity.}}\n\\emph{{Let $f$ be $L$-Lipschitz. Then the regret after $T$ rounds is at most $2L\\sqrt{{T}}$.}}\n",
        ),
        Example.of("The same words", f"{_THEOREM}\n{_TITLED}"),
        Example.of(
            "Worded anew",
            f"{_THEOREM}\n\\textbf{{Theorem~\\ref{{thm:x}}.}} For every Lipschitz and convex $f$ we can bound the regret by $2L\\sqrt{{T}}$ in $T$ rounds.\n",
        ),
        Example.of(
            "Other breaks and fonts",
            _THEOREM + "\n" + _TITLED.replace("at most $2L", "at most \\[ 2L").replace("{T}$.", "{T}. \\]"),
        ),
        Example.of("An informal version", _THEOREM.replace("}\\label", "}[informal]\\label") + "\n" + _AGAIN),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per restatement that differs."""
        statements = list(stated(manuscript, declared(manuscript)))
        by_label = {normal_key(label): statement for statement in statements for label in statement.labels}
        if not by_label:
            return
        for again in restated(manuscript, statements):
            original = by_label.get(normal_key(again.key))
            if original is None or (original.start, original.entry) == (again.statement.start, again.statement.entry):
                continue
            if "informal" in (original.title + again.statement.title + again.statement.text[:80]).lower():
                continue
            found = difference(original.text, again.statement.text)
            if found is None:
                continue
            start, end = _around(again.statement.text, found.at, found.until)
            entry = again.statement.entry
            span = entry.span(again.statement.start + start, again.statement.start + end)
            first = Related(_place(original, found.words if found.missing else ""), "The first statement.")
            what = "leaves out" if found.missing else "adds"
            yield self.finding(
                f"The restatement {what} “{found.words}”.", span, related=(first,), evidence={"words": found.words}
            )


def _around(text: str, at: int, until: int) -> tuple[int, int]:
    """The sentence of a statement that holds a range."""
    starts = [
        match.end()
        for match in re.finditer(r"[.;]\s+(?=[A-Z\\$])|^\s*(?:\\(?:emph|textit)\{\s*)?", text)
        if match.end() <= at
    ]
    start = max(starts, default=at)
    stop = re.compile(r"[.;](?=\s|$)").search(text, until)
    return start, stop.end() if stop else len(text.rstrip())


def _place(statement: Statement, words: str) -> Span:
    """Where words stand in a statement; the whole statement when they are none or cannot be found as they are."""
    at = statement.text.find(words) if words else -1
    if at < 0:
        start = len(statement.text) - len(statement.text.lstrip())
        return statement.entry.span(statement.start + start, statement.start + max(len(statement.text.rstrip()), start))
    return statement.entry.span(statement.start + at, statement.start + at + len(words))
