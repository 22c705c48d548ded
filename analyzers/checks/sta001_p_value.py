"""STA001 `p-vs-statistic`: a p value does not follow from the test statistic beside it.

## What it flags
t(df), F(df1, df2), z, χ²(df) and r(df) followed by a p value that no statistic within its rounding gives; computed as by
statcheck (Nuijten et al. 2016), with intervals instead of single numbers.

## Why it matters
A slip in either number may change what the paper concludes; reviewers and automatic screening recompute it.

## When it stays silent
When the one-sided p value fits, when the text speaks of a correction, a permutation test, a bootstrap, a Welch or
a Greenhouse-Geisser or other adjusted test, when degrees of freedom are no whole numbers, and where p is said to be approximate.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.significance import Reported, agrees, p_interval, reported, written_p
from analyzers.facts.statements import Statement, editable, statements
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix

_ADJUSTED = re.compile(
    r"adjust|correct(?:ed|ion)|bonferroni|holm|benjamini|fdr|tukey|welch|permut|bootstrap|greenhouse|huynh|sphericity|satterthwaite|kenward|mixed|multilevel|robust|bayes|simulat|exact test|fisher",
    re.IGNORECASE,
)
_ONE_SIDED = re.compile(r"one[-\s](?:sided|tailed)|directional|einseitig|单侧", re.IGNORECASE)


class PVersusStatistic(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA001"
    name = "p-vs-statistic"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("A t test", "The difference was significant, $t(36)=2.43$, $p=.004$.", ".004"),
        Example.of("An F test with a bound", "There was an effect, $F(2, 57) = 2.10$, $p < .05$.", ".05"),
        Example.of("Chi-squared", "They differ, $\\chi^2(1, N=100) = 3.2$, $p = .011$.", ".011"),
        Example.of("Degrees of freedom apart", "They differ ($t = 2.43$, $\\mathit{df} = 36$, $p = .004$).", ".004"),
        Example.of("Degrees of freedom as an index", "They differ, $F_{2,57} = 2.10$, $p = .012$.", ".012"),
        Example.of("In words", "They differ ($\\chi^2 = 3.2$ with 1 degree of freedom, $p = .011$).", ".011"),
        Example.of("Apart, and right", "They differ ($t = 2.43$, $df = 36$, $p = .020$)."),
        Example.of("An index that is a point in time", "At the start, $t_1 = 2.43$ and $p = .004$."),
        Example.of("An index of another kind", "The run stops at $t_{36} = 2.43$, $p = .004$."),
        Example.of("A probability of its own", "At $t_{20} = 3.1$, the test error differs and $p = 0.5$."),
        Example.of("Degrees of freedom below", "They were faster, $F_{1,30}=5.21$, $P=0.003$.", "0.003"),
        Example.of("Degrees of freedom below t", "They were faster, $t_{36}=2.43$, $p=.004$.", ".004"),
        Example.of("Degrees of freedom below chi-squared", "They differ ($\\chi^2_{1}=3.2$; $p = .011$).", ".011"),
        Example.of("Degrees of freedom below, and all is well", "They were faster, $F_{1,30}=5.21$, $P=0.030$."),
        Example.of("A semicolon before p", "There was an effect, $F(1, 30)=5.21$; $p=0.003$.", "0.003"),
        Example.of("A force below F", "We set $F_{1,30}=5.21$ and draw with a probability of $p=0.003$."),
        Example.of("A step below t", "At $t_{36}=2.43$ the particle has a probability of $p=.004$ to leave."),
        Example.of("Within rounding", "The difference was significant, $t(36)=2.43$, $p=.020$."),
        Example.of("One-sided fits", "It rose, $t(36)=2.43$, $p=.010$."),
        Example.of("A corrected value", "After Bonferroni correction, $t(36)=2.43$, $p=.060$."),
        Example.of("Welch's degrees of freedom", "It rose, $t(31.4)=2.43$, $p=.004$."),
        Example.of("A tiny value", "It rose, $z = 5.4$, $p = 7\\times10^{-8}$."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per p value."""
        if view.preamble or "=" not in view.text or ("p" not in view.text and "P" not in view.text):
            return
        found = statements(view.block, view.macros)
        for index, sentence in enumerate(found):
            tests = list(reported(sentence.text))
            if not tests:
                continue
            context = sentence.text + (found[index - 1].text if index else "")
            if _ADJUSTED.search(context):
                continue
            one_sided = _ONE_SIDED.search(context) is not None
            for test in tests:
                finding = self._judge(view, sentence, test, one_sided)
                if finding is not None:
                    yield finding

    def _judge(self, view: BlockView, sentence: Statement, test: Reported, one_sided: bool) -> Finding | None:
        if test.p.relation == "~" or any(d != int(d) for d in test.df):
            return None
        low, high = p_interval(test, 1 if one_sided else 2)
        if agrees(test.p, low, high):
            return None
        if test.name in ("t", "r", "z") and agrees(test.p, *p_interval(test, 1)):
            return None
        middle = (low + high) / 2
        computed = written_p(middle, test.p.decimals)
        below = middle < 10.0 ** -min(max(test.p.decimals, 2), 4)
        statistic = sentence.text[test.start : test.end]
        sign = "<" if below else "="
        message = (
            f"p {test.p.relation} {sentence.text[test.p.start : test.p.end]} does not follow from {statistic}, which gives p {sign} {computed}"
            f"{' (one-sided)' if one_sided else ''}."
        )
        start, end = sentence.start + test.p.start, sentence.start + test.p.end
        span = view.prose_span(start, end)
        fixes: tuple[Fix, ...] = ()
        if test.p.relation == "=" and not below and editable(view.prose, start, end):
            text = computed.lstrip("0") if sentence.text[test.p.start] == "." else computed
            fixes = (Fix(f"Write p = {text}", (Edit(span, text),)),)
        return self.finding(message, span, fixes=fixes, evidence={"p low": low, "p high": high})
