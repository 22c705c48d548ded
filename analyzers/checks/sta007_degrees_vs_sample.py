"""STA007 `degrees-vs-sample`: the degrees of freedom of a t test do not fit the group sizes nearby.

## What it flags
t(36) after groups of 20 and 20, which give 38 (two groups) or 19 (pairs).  A candidate, since another test may be meant.

## Why it matters
It shows exclusions that the text does not mention, or a test on other data than the text says.

## When it stays silent
Unless exactly two group sizes (“n = …”) stand in the same paragraph before the test, or where both fit.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.statements import Statement, statements
from analyzers.facts.view import macro_key, prose_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_T = re.compile(r"(?<![A-Za-z])t\s?\(\s?(\d+)\s?\)\s?=")
_SIZE = re.compile(r"(?<![A-Za-z])n\s?=\s?(\d{1,5})(?![\d.])", re.IGNORECASE)


class DegreesVersusSample(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA007"
    name = "degrees-vs-sample"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    examples = (
        Example.of(
            "Two groups of twenty",
            "One group ($n=20$) saw Alpha, the other ($n=20$) Beta. They differed, $t(36)=2.43$.",
            "They differed, $t(36)=2.43$.",
        ),
        Example.of("They fit", "One group ($n=19$) saw Alpha, the other ($n=19$) Beta. They differed, $t(36)=2.43$."),
        Example.of("No sizes", "They differed, $t(36)=2.43$."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """One candidate per test: the sentences of the sizes and of the test."""
        macros = manuscript.macros
        for _, entry in manuscript.body:
            if "t(" not in entry.block.text and "t (" not in entry.block.text:
                continue
            for size, test, sizes, df in entry.block.remember(
                ("degrees", macro_key(entry.block, macros)), lambda b: _pairs(statements(b, macros))
            ):
                prose = prose_of(entry.block, macros)
                places = (
                    entry.span(*prose.source(size.start, size.end)),
                    entry.span(*prose.source(test.start, test.end)),
                )
                yield Candidate(
                    self.code,
                    0.3,
                    f"t has {df} degrees of freedom; groups of {sizes[0]} and {sizes[1]} give {sum(sizes) - 2}.",
                    places,
                )


def _pairs(found: tuple[Statement, ...]) -> tuple[tuple[Statement, Statement, tuple[int, int], int], ...]:
    made = []
    for index, sentence in enumerate(found):
        match = _T.search(sentence.text)
        if match is None:
            continue
        sizes = [
            (other, int(m[1])) for other in found[max(index - 4, 0) : index + 1] for m in _SIZE.finditer(other.text)
        ]
        if len(sizes) != 2:
            continue
        first, second = sizes[0][1], sizes[1][1]
        df = int(match[1])
        if df not in (first + second - 2, first + second - 1, first - 1, second - 1, max(first, second) - 2):
            made.append((sizes[0][0], sentence, (first, second), df))
    return tuple(made)
