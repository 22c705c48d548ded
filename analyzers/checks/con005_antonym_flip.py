"""CON005 `antonym-flip`: two sentences on the same thing, one with a word, the other with its opposite.

## What it flags
Pairs of sentences that share several rare words and hold opposite words (increases and decreases, sensitive and robust, faster
and slower).  The pairs are ranked; they are candidates, not findings.

## Why it matters
Flipped directions are the commonest contradictions that no number shows.

## When it stays silent
It is never shown as a problem: `counterclaim check --candidates` lists it, and the contradiction pass reads it.
"""

from collections.abc import Iterator
from functools import lru_cache

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.con_pairs import Cue, Pair, candidates, opposed, tokens
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_OPPOSITES = (
    "increas/ris/grow/gain|decreas/declin/drop/fall/reduc/shrink",
    "higher/larger/greater/highest/largest|lower/smaller/lowest/smallest",
    "faster/quicker/fastest|slower/slowest",
    "better/best/superior|worse/worst/inferior",
    "improv/benefit/help/outperform|degrad/hurt/harm/worsen/deteriorat/underperform",
    "robust/insensitive/stable/invariant|sensitive/unstable/fragile/brittle",
    "strong/strongly/substantial/substantially|weak/weakly/negligible/marginal",
    "positive/positively|negative/negatively",
    "significant/significantly|insignificant/insignificantly/nonsignificant",
    "always|never/rarely/seldom",
    "more|fewer/less",
    "linear/linearly|quadratic/exponential/nonlinear",
    "supervised|unsupervised",
    "convex|nonconvex/non-convex",
    "deterministic|stochastic/random/randomised/randomized",
    "online|offline",
    "synchronous|asynchronous",
    "before|after",
    "upper|lower",
    "overestimat|underestimat",
    "well-calibrated/calibrated|miscalibrated/overconfident",
    "sufficient/enough|insufficient",
    "independent/independently|dependent/depend",
    "consistent/consistently|inconsistent/inconsistently",
    "succeed/solv/reliable/reliably|fail/struggl/unreliable",
    "public/publicly/open|private/proprietary/closed",
    "manual/manually|automatic/automatically",
    "global/globally|local/locally",
    "early/earlier|late/later",
    "maximis/maximiz|minimis/minimiz",
    "identical/same|different",
)
_TOP = 5
_FIRST = "The calibration error increases with the number of routing experts."
_SECOND = "With more routing experts, the calibration error decreases."


class AntonymFlip(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON005"
    name = "antonym-flip"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en"})
    examples = (
        Example.of("Increases and decreases", f"{_FIRST}\n\nThe weather was pleasant in all cities that week.\n\n{_SECOND}", _FIRST, _SECOND),
        Example.of("The same direction", f"{_FIRST}\n\nThe weather was pleasant in all cities that week.\n\nCalibration error increases as routing experts are added."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """The strongest pairs."""
        yield from candidates(self.code, opposed(manuscript, flips, "antonyms", 3, 0.3), _TOP, _reason)


def _reason(pair: Pair) -> str:
    first, _, second = pair.key.partition("|")
    return f"opposite words ({first.split('/')[0]}… and {second.split('/')[0]}…) on the same subject"


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, int]]:
    return {
        form: (line, side)
        for line in _OPPOSITES
        for side, forms in enumerate(line.split("|"))
        for form in forms.split("/")
    }


@lru_cache(maxsize=50_000)
def _side(word: str) -> tuple[str, int] | None:
    table = _table()
    found = table.get(word)
    if found is not None:
        return found
    for length in range(min(len(word), 12), 3, -1):
        found = table.get(word[:length])
        if found is not None and len(word) - length <= 4 and word[length:] in _ENDINGS:
            return found
    return None


_ENDINGS = frozenset(
    ("e", "es", "ed", "ing", "s", "ement", "ation", "ions", "ion", "ement", "ements", "ped", "ping", "en", "n", "ful")
)


def flips(text: str) -> tuple[Cue, ...]:
    """The sides that a sentence takes; a sentence with both sides of a pair takes none."""
    sides: dict[str, set[int]] = {}
    for word, _ in tokens(text):
        found = _side(word)
        if found is not None:
            sides.setdefault(found[0], set()).add(found[1])
    return tuple(Cue(key, side.pop()) for key, side in sides.items() if len(side) == 1)
