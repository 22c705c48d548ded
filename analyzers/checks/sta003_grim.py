"""STA003 `impossible-mean`: no whole numbers have this mean.

## What it flags
A mean of ratings on a scale of whole numbers that no sum of n whole numbers gives (the GRIM test): 3.49 with n = 19, where
66/19 is 3.47 and 67/19 is 3.53.

## Why it matters
Either the mean or the sample size is not what it says; often answers are missing for some participants.

## When it stays silent
Without a sign that the values are whole numbers (Likert, rating, k-point scale) nearby, when scores are averages of several items
or trials, when n is too large for the digits given, and when no sample size stands beside the mean.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.estimates import Sample, samples
from analyzers.facts.granularity import nearest_means, possible_sums
from analyzers.facts.statements import Statement, statements
from analyzers.finding import Finding, Related, Severity, Tier

WHOLE = re.compile(
    r"Likert|-point\b|\bpoint scale|\bscales? (?:of|from|ranging from|between|running from) (?:0|1|one|zero)\b|\bfrom (?:0|1) (?:\([^()]{1,40}\) )?to \d{1,2} stars|\bstars\b|\brat(?:ed|ings?)\b|\bitem with (?:\w+|\d+) (?:steps|levels|points|options|categories)\b|\b(?:four|five|six|seven|nine|ten|\d{1,2})-(?:step|level) (?:scale|item)\b|number of (?:items|errors|answers|words)|Punkte-?[Ss]kala|stufige|量表",
    re.IGNORECASE,
)
SEVERAL = re.compile(
    r"(?<!single )(?<!single-)(?<!one )(?<!one-)\bitems?\b|composite|subscale|questionnaire|averaged (?:over|across)|\b(?:over|across) (?:the |all )?(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:questions|statements|ratings|tasks|clips|measures|dimensions|aspects)\b|average of (?:the|all|two|three|four|five|\d(?!\.\d))|\btrials\b|(?<!controlled )(?<!randomised )(?<!randomized )(?<!clinical )(?<!field )\btrial\b(?! (?:had|with|of|involved|enrolled|included)\b)|\bsum scores?\b|\bindex (?:score|of)\b|\ban? \w+ index\b|normali[sz]ed|standardi[sz]ed",
    re.IGNORECASE,
)
MEAN = re.compile(r"\bmeans?\b|average|\bM\s?=|rating|score|Mittelwert|Durchschnitt|平均", re.IGNORECASE)
# Everybody gave all ratings, so that one sample size holds for each mean of a sentence.
_WITHIN = re.compile(
    r"\bwithin[- ](?:subjects?|participants?)|\brepeated[- ]measures|counter-?balanc|\bin (?:a )?(?:random(?:i[sz]ed)?|alternating|balanced) order\b"
    r"|\b(?:each|every|all)\s(?:of them\s)?(?:[a-z]+\s){0,2}?(?:rated|saw|watched|tried|used|tested|judged|heard)\s(?:both|all)\b",
    re.IGNORECASE,
)
# What stands with every sample size: "n = 19", or that each of 19 gave one rating.
_SIZES = ("n=", "n =", "N=", "N =", "single", " one ", "overall", "final", "once")
_SCALE = "Participants rated helpfulness on a 5-point Likert scale. "


class ImpossibleMean(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "STA003"
    name = "impossible-mean"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("An impossible mean", f"{_SCALE}The mean rating was 3.49 for Alpha ($n=19$).", "3.49"),
        Example.of("Only one of two", f"{_SCALE}The mean rating was 4.21 ($n=19$), against 3.49 ($n=19$).", "3.49"),
        Example.of(
            "One size for both, since all gave both ratings",
            f"Each participant rated both. {_SCALE}The mean rating was 3.49 for Alpha and 4.21 for Beta ($n=19$).",
            "3.49",
        ),
        Example.of(
            "The size in front",
            "Participants ($n=19$) rated helpfulness on a 5-point Likert scale, with a mean of 3.49 for Alpha.",
            "3.49",
        ),
        Example.of(
            "A single item",
            "Trust was a single item with seven steps: Alpha scored $M = 3.49$ ($n=19$).",
            "3.49",
        ),
        Example.of(
            "One rating by each of them",
            "Each of the 16 lawyers gave a single rating from 1 (useless) to 7 (vital); the mean rating was 5.47.",
            "5.47",
        ),
        Example.of(
            "An average of so much",
            "On a 7-point scale, the participants ($n = 16$) gave an average of 5.47.",
            "5.47",
        ),
        Example.of(
            "An average of items",
            "On a 7-point scale, the participants ($n = 16$) gave an average of 4 items; the mean was 5.47.",
        ),
        Example.of(
            "On average",
            "All 16 lawyers gave a single rating from 1 to 7, on average 5.47.",
            "5.47",
        ),
        Example.of(
            "A possible mean of one rating by each",
            "Each of the 16 lawyers gave a single rating from 1 (useless) to 7 (vital); the mean rating was 5.44.",
        ),
        Example.of(
            "Several ratings by each",
            "Each of the 16 lawyers rated twelve leases from 1 (useless) to 7 (vital); the mean rating was 5.47.",
        ),
        Example.of(
            "One size, maybe of both groups together",
            f"{_SCALE}The mean rating was 3.49 for Alpha and 4.21 for Beta ($n=19$).",
        ),
        Example.of(
            "A scale from one to four",
            "Fluency was judged on a scale from 1 to 4. The mean was 2.97 for Alpha ($n=14$).",
            "2.97",
        ),
        Example.of(
            "Behind the sample sizes",
            f"{_SCALE}On average, those with it ($n=12$) answered 3.92 and those without ($n=12$) 3.46.",
            "3.46",
        ),
        Example.of(
            "Behind the sample sizes, and possible",
            f"{_SCALE}On average, those with it ($n=12$) answered 3.92 and those without ($n=12$) 3.42.",
        ),
        Example.of("A possible mean", f"{_SCALE}The mean rating was 3.47 for Alpha ($n=19$)."),
        Example.of("No scale of whole numbers", "The mean height was 3.49 for Alpha ($n=19$)."),
        Example.of("Scores of several items", f"{_SCALE}The mean rating over ten items was 3.49 ($n=19$)."),
        Example.of("More participants than digits can tell", f"{_SCALE}The mean rating was 3.49 ($n=219$)."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per mean."""
        for sentence, sample in rated_samples(view):
            if sample.n >= 10 ** sample.mean[3] or len(possible_sums(sample)) > 0:
                continue
            below, above = nearest_means(sample)
            span = view.prose_span(sentence.start + sample.start, sentence.start + sample.end)
            size = view.prose_span(sentence.start + sample.n_span[0], sentence.start + sample.n_span[1])
            message = (
                f"{sample.n} whole numbers cannot have a mean of {sample.mean[0]}; the nearest are {below} and {above}."
            )
            yield self.finding(message, span, related=(Related(size, "The sample size."),), evidence={"n": sample.n})


def rated_samples(view: BlockView) -> Iterator[tuple[Statement, Sample]]:
    """Means with sample sizes in sentences on ratings in whole numbers; the sign may stand up to three sentences before."""
    if view.preamble or not any(cue in view.text for cue in _SIZES):
        return
    found = statements(view.block, view.macros)
    for index, sentence in enumerate(found):
        if (
            "=" not in sentence.text and "mean" not in sentence.text and "average" not in sentence.text
        ) or not MEAN.search(sentence.text):
            continue
        context = " ".join(other.text for other in found[max(index - 3, 0) : index + 1])
        if WHOLE.search(context) and not SEVERAL.search(context):
            for sample in samples(sentence.text, _WITHIN.search(context) is not None):
                yield sentence, sample
