"""STA005 `significance-word-vs-p`: the text says significant, the p value beside it says otherwise, or the reverse.

## What it flags
“significantly higher, p = .212” and “no significant difference (p < .001)” in one clause.

## Why it matters
The sentence states the opposite of its own test.

## When it stays silent
With another level than .05 in view (a hint for p up to .10), with hedged words (marginally, a trend), when the word speaks of
a threshold, and for corrected tests.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.significance import PValue, p_values
from analyzers.facts.statements import statements
from analyzers.finding import Finding, Related, Severity, Tier

_WORD = re.compile(
    r"\b(?P<non>non-?|in)?significan(?:t|tly|ce)\b"
    r"|\breject(?:s|ed|ing)?\s(?:the\s|this\s|that\s|our\s)?(?:null[-\s]hypothes[ie]s|H_?0\b)"
    r"|\b(?:null[-\s]hypothesis|H_?0)\s(?:is|was|can\sbe|could\sbe)\s(?:also\s|thus\s|therefore\s)?rejected\b",
    re.IGNORECASE,
)
_NO_TEST = re.compile(r":\s?$|\bH_?0\b|\bthat\b")  # "the null hypothesis H0: p = 0.5" says what p is under it
_CUES = ("ignifican", "reject")
_NEGATED = re.compile(
    r"\b(?:not?|never|neither|nor|without|fail\w*|lack\w*|hardly|cannot|unable|none)\b|n't\b|n’t\b", re.IGNORECASE
)
_HEDGED = re.compile(
    r"marginal|trend|approach|border|nearly|almost|tend|close to|would|if\b|when\b|whether|threshold|cut-?off|\balpha\s?(?:=|of|level)|α|considered|defined|level|criteri|correct(?:ed|ion)|adjust|bonferroni",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";|\b(?:but|whereas|while|although|though|however)\b", re.IGNORECASE)
_LEVEL = Decimal("0.05")
_WEAK = Decimal("0.10")
_STRONG = Decimal("0.01")


class SignificanceWord(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA005"
    name = "significance-word-vs-p"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of("Significant with a large p", "Agreement was significantly higher, $t(36)=1.27$, $p=.212$.", ".212"),
        Example.of("Not significant with a small p", "There was no significant difference ($p < .001$).", ".001"),
        Example.of("A null hypothesis", "We reject the null hypothesis (Fisher's exact test, $p=.58$).", ".58"),
        Example.of("A null hypothesis that stays", "We cannot reject the null hypothesis ($p=.58$)."),
        Example.of(
            "A null hypothesis on p", "We reject the null hypothesis that $p = 0.5$, and $H_0: p = 0.6$ as well."
        ),
        Example.of("A null hypothesis that falls", "The null hypothesis is rejected ($p=.004$)."),
        Example.of(
            "They agree",
            "Agreement was significantly higher, $p=.012$, and did not differ significantly later, $p=.4$.",
        ),
        Example.of("Two clauses", "The first effect was significant, but the second was not ($p = .3$)."),
        Example.of("A level", "We call results significant at a level of $p = .10$."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per p value."""
        if view.preamble or not any(cue in view.text for cue in _CUES):
            return
        for sentence in statements(view.block, view.macros):
            if not any(cue in sentence.text for cue in _CUES):
                continue
            values = list(p_values(sentence.text))
            if not values or _HEDGED.search(sentence.text):
                continue
            words = list(_WORD.finditer(sentence.text))
            for index, word in enumerate(words):
                end = words[index + 1].start() if index + 1 < len(words) else len(sentence.text)
                p = next((value for value in values if word.end() <= value.start < min(end, word.end() + 110)), None)
                if p is None or _CLAUSE.search(sentence.text[word.end() : p.start]):
                    continue
                before = _CLAUSE.split(sentence.text[: word.start()])[-1][-45:]
                between = sentence.text[word.end() : p.start]
                negated = word["non"] is not None or _NEGATED.search(before) is not None
                if not negated and _NEGATED.search(between):
                    continue
                if "ect" in word[0] and (_NO_TEST.search(between) or not any(mark in between for mark in "(,")):
                    continue
                severity = _severity(p, negated)
                if severity is None:
                    continue
                said = "not significant" if negated else "significant"
                if "ect" in word[0]:
                    said = f"that the null hypothesis is {'not ' if negated else ''}rejected"
                span = view.prose_span(sentence.start + p.start, sentence.start + p.end)
                place = view.prose_span(sentence.start + word.start(), sentence.start + word.end())
                message = f"The text says {said}; p {p.relation} {sentence.text[p.start : p.end]} says otherwise at the level of .05."
                yield self.finding(message, span, related=(Related(place, "The word."),), severity=severity)


def _severity(p: PValue, negated: bool) -> Severity | None:
    if not negated:
        above = p.relation in ("=", ">") and p.value > _LEVEL
        if p.relation == ">" and p.value >= _LEVEL:
            above = True
        return None if not above else Severity.WARNING if p.value > _WEAK or p.relation == ">" else Severity.HINT
    below = p.relation in ("=", "<") and p.value < _LEVEL
    return None if not below else Severity.WARNING if p.value <= _STRONG else Severity.HINT
