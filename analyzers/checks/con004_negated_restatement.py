"""CON004 `negated-restatement`: one sentence says that something is not done, another that it is.

## What it flags
Pairs such as "requires no retraining of the sensors" and "we retrain all sensors": the same word with and without negation, and
other rare words in common.  The pairs are ranked; they are candidates, not findings.

## Why it matters
Such pairs stand far apart (abstract and method), where neither author nor reader compares them.

## When it stays silent
It is never shown as a problem: `counterclaim check --candidates` lists it, and the contradiction pass reads it.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.con_pairs import Cue, Pair, candidates, lemma, opposed, tokens
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript
from analyzers.related.terms import STOP

_NO = re.compile(
    r"\b(?:no|without|avoids?|avoiding|instead of|rather than|free of|lacks?|lacking|omits?|nor)\s+(?:(?:any|the|an?|additional|further|extra|explicit|costly|need\s+(?:for|of|to)|need|requir\w+)\s+)*(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:(?:do|does|did|is|are|was|were|can|could|need|will|would|has|have|had)(?:\s+not|n['’]t)|cannot|never|not)\s+(?:(?:be|been|require|need|use|to|any|the|an?|yet|necessarily|further|explicitly)\s+)*(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*)",
    re.IGNORECASE,
)
_FROZEN = re.compile(
    r"\b(?:frozen|freez\w+|kept?\s+(?:frozen|fixed)|remains?\s+(?:frozen|fixed|unchanged)|stays?\s+(?:frozen|fixed|unchanged))\b",
    re.IGNORECASE,
)
_TRAINED = re.compile(r"\b(?:fine-?tun\w+|re-?train\w+|updat\w+)\b", re.IGNORECASE)
_TUNING = lemma("fine-tune")
_TOP = 6
_FIRST = "The method requires no fine-tuning of the routing experts."
_SECOND = "During training, we fine-tune all routing experts on the target corpus."


class NegatedRestatement(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON004"
    name = "negated-restatement"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    languages = frozenset({"en"})
    examples = (
        Example.of("No fine-tuning, and fine-tuning", f"{_FIRST}\n\nThe weather was pleasant in all cities that week.\n\n{_SECOND}", _FIRST, _SECOND),
        Example.of("Both negated", f"{_FIRST}\n\nThe weather was pleasant in all cities that week.\n\nWe never fine-tune any routing experts."),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """The strongest pairs."""
        pairs = opposed(manuscript, negations, "negations", 1, 0.12)
        yield from candidates(self.code, pairs, _TOP, _reason)


def _reason(pair: Pair) -> str:
    return f"one of them negates “{pair.key}”"


def negations(text: str) -> tuple[Cue, ...]:
    """The words of a sentence, with the side 1 when they are negated and 0 when they are not; negated clauses assert nothing."""
    negated: dict[str, int] = {}
    for pattern in (_NO, _NOT):
        for match in pattern.finditer(text):
            word = match["word"]
            if len(word) > 3 and word.lower() not in STOP and word.lower() not in _WEAK:
                negated.setdefault(lemma(word), match.start())
    cues = [Cue(word, 1) for word in negated]
    if _FROZEN.search(text):
        cues.append(Cue(_TUNING, 1))
    has_negation = bool(negated)
    for word, start in tokens(text):
        if len(word) <= 3 or word in STOP or word in _WEAK:
            continue
        key = lemma(word)
        if key in negated or (has_negation and any(0 <= start - at < 60 for at in negated.values())):
            continue
        cues.append(Cue(key, 0))
    if _TRAINED.search(text) and not has_negation:
        cues.append(Cue(_TUNING, 0))
    return tuple(dict.fromkeys(cues))


_WEAK = frozenset(
    "only just also such more most less even much very other same well necessary possible clear known longer need require depend mean simply make take have been being that this these those there than then able enough different change differ show shown provide consider given used using".split()
)
