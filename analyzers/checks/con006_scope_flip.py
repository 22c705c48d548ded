"""CON006 `scope-flip`: all of something in one sentence, only some of it in another.

## What it flags
Pairs of sentences that share several rare words and quantify the same noun differently: all experts and some experts, every layer
and only the last layer.  The pairs are ranked; they are candidates, not findings.

## Why it matters
A claim for all cases and a report of some of them cannot both stand as they are.

## When it stays silent
It is never shown as a problem: `counterclaim check --candidates` lists it, and the contradiction pass reads it.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.con_pairs import Cue, Pair, candidates, lemma, opposed
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_SCOPE = re.compile(
    r"\b(?:(?P<all>all|every|each|both|any|the (?:entire|whole|full)|always)|(?P<some>some|only|most|few|several|a (?:subset|fraction|part|single|random subset) of|half of|one of|none of|no|the (?:first|last|top|final)))\s+(?:of\s+)?(?:the\s+|our\s+|these\s+)?(?:[A-Za-z-]+\s+){0,1}?(?P<noun>[A-Za-z]+(?:-[A-Za-z]+)*)",
    re.IGNORECASE,
)
_TOP = 3
_FIRST = "During calibration, all routing experts are updated with the drift penalty."
_SECOND = "The drift penalty updates only some routing experts during calibration."


class ScopeFlip(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON006"
    name = "scope-flip"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en"})
    examples = (
        Example.of("All and some", f"{_FIRST}\n\nThe weather was pleasant in many cities that week.\n\n{_SECOND}", _FIRST, _SECOND),
        Example.of("All twice", f"{_FIRST}\n\nThe weather was pleasant in many cities that week.\n\nThe drift penalty updates all routing experts during calibration."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """The strongest pairs."""
        yield from candidates(self.code, opposed(manuscript, scopes, "scopes", 3, 0.3), _TOP, _reason)


def _reason(pair: Pair) -> str:
    return f"all and some of “{pair.key}”"


def scopes(text: str) -> tuple[Cue, ...]:
    """The nouns of a sentence that are quantified, with the side 1 for all and 0 for some."""
    sides: dict[str, set[int]] = {}
    for match in _SCOPE.finditer(text):
        if len(match["noun"]) > 3:
            sides.setdefault(lemma(match["noun"]), set()).add(1 if match["all"] else 0)
            following = re.match(r"\s+([A-Za-z]{4,}(?:-[A-Za-z]+)*)", text[match.end() :])
            if following is not None:
                sides.setdefault(lemma(following[1]), set()).add(1 if match["all"] else 0)
    return tuple(Cue(key, side.pop()) for key, side in sides.items() if len(side) == 1)
