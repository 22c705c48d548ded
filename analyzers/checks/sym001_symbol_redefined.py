"""SYM001 `symbol-redefined`: the running text gives one symbol two meanings.

## What it flags
“let λ denote the drift penalty” and later “λ denotes the learning rate”.  A candidate pair of sentences: books and long papers
reuse letters on purpose.

## Why it matters
A reader who remembers the first meaning misreads every later formula.

## When it stays silent
In theorems, proofs, examples and algorithms, whose symbols are their own; when the two meanings share a word; and when neither
place says “denotes” or the like.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.symbols import SymbolMeaning, symbol_meanings, words_of
from analyzers.facts.view import prose_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.spans import Span

_MOST = 20


class SymbolRedefined(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "SYM001"
    name = "symbol-redefined"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Two meanings",
            "Let $x$ be given and let $\\lambda$ denote the drift penalty.\n\nWe optimise it, where $\\lambda$ denotes the learning rate.",
            "We optimise it, where $\\lambda$ denotes the learning rate.",
        ),
        Example.of(
            "With “being”",
            "Here we write $a = b + \\beta c$, where $\\beta$ is the gain of the residual.\n\nIts bonus is adapted, with $\\beta$ being the temperature of the entropy.",
            "Its bonus is adapted, with $\\beta$ being the temperature of the entropy.",
        ),
        Example.of(
            "The symbol behind",
            "Let $\\beta$ denote the gain of the residual.\n\nThe inverse temperature is denoted by $\\beta$.",
            "The inverse temperature is denoted by $\\beta$.",
        ),
        Example.of(
            "Being",
            "Let $\\tau$ denote the drift penalty.\n\nOld runs count less, by a weight $2^{-a/\\tau}$, with $\\tau$ being the half-life.",
            "Old runs count less, by a weight $2^{-a/\\tau}$, with $\\tau$ being the half-life.",
        ),
        Example.of(
            "Where a symbol lies, and whose it is",
            "Here $\\rho\\in(0,1]$ stands for the keep ratio.\n\nThe average is smooth, and its momentum $\\rho$ is close to one.",
            "The average is smooth, and its momentum $\\rho$ is close to one.",
        ),
        Example.of(
            "Whose value is compared",
            "Here $\\rho$ stands for the keep ratio.\n\nWe drop the tokens whose score is below $\\rho$ here.",
        ),
        Example.of(
            "Where another symbol lies",
            "Here $\\sigma\\in\\rho$ stands for the keep ratio.\n\nThe average is smooth, and its momentum $\\rho$ is close to one.",
        ),
        Example.of(
            "Another alphabet",
            "Let $T$ denote the drift penalty.\n\nHere $\\mathbb{T}$ denotes the learning rate.",
        ),
        Example.of(
            "One meaning twice",
            "Let $\\lambda$ denote the drift penalty.\n\nHere $\\lambda$ denotes the penalty of the drift.",
        ),
        Example.of(
            "Another font is another symbol",
            "Let $T$ denote the transaction.\n\nHere $\\mathbb{T}$ denotes the set of byte arrays.",
        ),
        Example.of(
            "A theorem's own symbol",
            "Let $\\lambda$ denote the drift penalty.\n\n\\begin{theorem}Let $\\lambda$ denote the largest eigenvalue.\\end{theorem}",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """One candidate per symbol and new meaning."""
        known: dict[str, list[tuple[Entry, SymbolMeaning]]] = {}
        made: list[Candidate] = []
        for _, entry, meaning in manuscript.located(symbol_meanings):
            earlier = known.setdefault(meaning.symbol, [])
            if any(words_of(other.meaning) & words_of(meaning.meaning) for _, other in earlier):
                continue
            earlier.append((entry, meaning))
            if len(earlier) == 1:
                continue
            first_entry, first = earlier[0]
            near = first_entry.section == entry.section
            if not (first.explicit or meaning.explicit):
                continue
            score = 0.25 + 0.25 * (first.explicit and meaning.explicit) + 0.1 * near
            reason = f"{meaning.symbol} is “{first.meaning}” and “{meaning.meaning}”"
            places = (_sentence(manuscript, first_entry, first), _sentence(manuscript, entry, meaning))
            made.append(Candidate(self.code, round(score, 2), reason, places))
        yield from sorted(made, key=lambda candidate: -candidate.score)[:_MOST]


def _sentence(manuscript: Manuscript, entry: Entry, meaning: SymbolMeaning) -> Span:
    return entry.span(*prose_of(entry.block, manuscript.macros).source(*meaning.sentence))
