"""The kinds of points that a review by a model makes, as the reference shows them."""

from analyzers.finding import Severity, Tier
from analyzers.rule_text import RuleText

_FROM_REVIEW = (
    "Points of a review that you asked for, at the sentences the model named.  Places that do not exist are dropped; "
    "severity follows the distance to the nearest main claim."
)
_SILENT = "Without a review, after a point was dismissed or addressed, and when the text it stood on is gone."

REVIEW_RULES = (
    RuleText(
        "REV001", "review-weakness", Severity.WARNING, Tier.REVIEWED, "a weakness that a review names.", _FROM_REVIEW,
        "It is what a critical reader may object to, before one does.", _SILENT,
    ),
    RuleText(
        "REV002", "review-question", Severity.WARNING, Tier.REVIEWED, "a question that a review asks.", _FROM_REVIEW,
        "A question that the text leaves open is asked again by the reviewers.", _SILENT,
    ),
    RuleText(
        "REV003", "review-todo", Severity.WARNING, Tier.REVIEWED, "a task that a review proposes.", _FROM_REVIEW,
        "The list of what to do next lives with the manuscript until each item is done.", _SILENT,
    ),
    RuleText(
        "REV004", "review-contradiction", Severity.WARNING, Tier.REVIEWED,
        "two passages that a model says cannot both be true.",
        "Pairs of passages that a finder proposed and a second question, which saw the two passages alone, confirmed.",
        "A manuscript that says two things loses the trust of its readers in both.", _SILENT,
    ),
)  # fmt: skip
