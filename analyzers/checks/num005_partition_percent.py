"""NUM005 `partition-percent`: shares of one whole add up to more than 100%, or do not leave what is called the rest.

## What it flags
“Of the 150 faults, 42% are broken wires, 35% are loose screws and 28% are worn seals” (105%), and
“… and the remaining 20% …” where the others leave another share.

## Why it matters
One of the shares is wrong, or the categories overlap and the text should say so.

## When it stays silent
When answers or categories may overlap, with “respectively”, with fewer than three shares unless one is the rest, and for
shares that add up to less than 100% without a rest.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.quantities import Kind, Quantity
from analyzers.facts.statements import numbers, statements
from analyzers.finding import Finding, Related, Severity, Tier

_OF_THE = re.compile(
    r"(?:^|[,;:(—]\s|\b(?:that|and|where)\s)(?:of|among|out of)\s(?:the|all|these|those|our)\b|breakdown|\bbr(?:eak|oken?) down\b|distribut|divided?s?\b|\bf(?:all|alls|ell) into\b|split|partition|categor|made up of|consist|compris"
    r"|\b(?:causes|types|kinds|modes|classes) of (?:the |our )?(?:[\w-]+ )?(?:errors?|failures?|mistakes?|faults?|bugs|defects)\b|\b(?:error|failure|fault) (?:types|modes|causes|classes) (?:are|were)\b",
    re.IGNORECASE,
)
# Things that are put into classes; people may well be of two of them.
_OF_THINGS = re.compile(
    r"(?:%|percent)\sof\s(?:the|all|these|our)\s(?:[\w-]+\s){0,2}(?:errors|failures|mistakes|cases|examples|questions|instances|samples|papers|articles|documents|sentences|responses|issues|bugs|faults|items|pairs|requests|queries)\b",
    re.IGNORECASE,
)
# "We looked at 100 wrong answers: 47% …"
_COUNTED = re.compile(
    r"\b\d[\d,]*\s(?:[\w-]+\s){0,2}?(?:errors|failures|mistakes|cases|examples|questions|instances|samples|papers|articles|documents|sentences|responses|answers|issues|bugs|faults|items|pairs|requests|queries|outputs|predictions|reviews|alarms|clips|images|tickets|incidents|accidents|positives|negatives)\s?(?:[,:(—]|that\b|which\b|we\b)",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:the\s)?(?:rest|remaining|remainder|others|other(?=\s\d[\d.]*\s?(?:%|percent)))\b", re.IGNORECASE
)
_OVERLAP = re.compile(
    r"overlap|respectively|multiple|more than one|at least|both|also|either|not (?:mutually )?exclusive|could (?:select|choose)|compared|than\b|versus|vs\.|increase|from\b.*\bto\b|accuracy|precision|recall|confidence|\bwhile\b|improv|up to|each\b",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"\s?(?:of (?:them|which|these|the \w+)\s)?(?:are|were|is|was|come|came|comes|fall|fell|belong|belonged|stem|stemmed|result|resulted|had been|concern|concerned|involve|involved|had|have|has|lack|lacked|contain|contained|show|showed|miss|missed|require|required|need|needed|use|used|got|received)\b|\s?(?:due to|from)\b",
    re.IGNORECASE,
)
# "Slips account for 50% of all failures, jams for 35%", "we attribute 50% of the failures to slips, 35% to jams"
_SHARED_OUT = re.compile(r"\baccount(?:s|ed|ing)? for\b|\b(?:attribut|ascrib|assign|trac|put)\w*\b", re.IGNORECASE)
_BEFORE_SHARE = re.compile(r"\b(?:for|in)\s(?:only\s|about\s|another\s)?$")
_BEHIND_SHARE = re.compile(r"\s?(?:of (?:all |the |these |our |them |failures |errors |cases )+)?to\s")
# "A accounts for 46%, B for 31%, and C for the other 23%", "A makes up 46%, B 31%"
_MAKES_UP = re.compile(
    r"\b(?:(?P<for>account(?:s|ed|ing)?\sfor)|mak(?:e|es|ing)\sup|made\sup|constitut(?:e|es|ed|ing)|contribut(?:e|es|ed|ing)|represent(?:s|ed|ing)?)\s(?:the\s(?:other|remaining)\s)?$",
    re.IGNORECASE,
)
_FOR = re.compile(r"\bfor\s(?:the\s(?:other|remaining)\s)?$", re.IGNORECASE)
_HUNDRED = Decimal(100)
_MOST = Decimal(130)


class PartitionPercent(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM005"
    name = "partition-percent"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "More than all",
            "Of the 150 faults, 42\\% are broken wires, 35\\% are loose screws and 28\\% are worn seals.",
            "28\\%",
        ),
        Example.of(
            "Each in parentheses",
            "Failed runs divide into slips (50\\%), jams (35\\%) and timeouts (25\\%).",
            "25\\%",
        ),
        Example.of(
            "What accounts for it",
            "Slips account for 50\\% of all failures, jams for 35\\% and timeouts for 25\\%.",
            "25\\%",
        ),
        Example.of(
            "What it is attributed to",
            "We attribute 50\\% of the failures to slips, 35\\% to jams and 25\\% to timeouts.",
            "25\\%",
        ),
        Example.of(
            "What accounts for it, all of it",
            "Slips account for 50\\% of all failures, jams for 25\\% and timeouts for 25\\%.",
        ),
        Example.of(
            "The rest is another number",
            "42\\% of the errors are lexical, 35\\% are syntactic, and the remaining 33\\% are unclear.",
            "33\\%",
        ),
        Example.of(
            "A rest that is far too large",
            "42\\% of the errors are lexical, 35\\% are syntactic, and the remaining 83\\% are unclear.",
            "83\\%",
        ),
        Example.of(
            "What is accounted for",
            "Valves account for 46\\% of the faults, wires for 31\\%, and screws for the other 33\\%.",
            "33\\%",
        ),
        Example.of(
            "What is accounted for, and all",
            "Valves account for 46\\% of the faults, wires for 31\\%, and screws for the other 23\\%.",
        ),
        Example.of(
            "All",
            "Of the 150 faults, 42\\% are broken wires, 35\\% are loose screws and 23\\% are worn seals.",
        ),
        Example.of("Rounding", "Of the 3 errors, 33.4\\% are lexical, 33.4\\% are syntactic and 33.3\\% are unclear."),
        Example.of("Answers overlap", "Of the 40 users, 80\\% were happy, 60\\% were fast and 30\\% were both."),
        Example.of("No partition", "We reach 80\\% on Alpha, 60\\% on Beta and 70\\% on Gamma."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per sentence, at its last share."""
        if view.preamble or view.text.count("\\%") + view.text.count("percent") < 2:
            return
        for sentence in statements(view.block, view.macros):
            text = sentence.text
            if text.count("%") + text.count("percent") < 2 or _OVERLAP.search(text):
                continue
            rest = _REST.search(text)
            if rest is None and not _OF_THE.search(text) and not _OF_THINGS.search(text) and not _COUNTED.search(text):
                continue
            found = numbers(view.block, view.macros, sentence, view.language)
            shares = [
                q
                for q in found
                if q.percent and q.kind in (Kind.LEVEL, Kind.SHARE) and q.bound is None and not q.approximate
            ]
            if len(shares) != sum(q.percent for q in found) or not _listed(text, shares):
                continue
            low, high, value = sum(q.lower for q in shares), sum(q.upper for q in shares), sum(q.value for q in shares)
            named = rest is not None and any(
                0 <= q.start - rest.end() <= 14 or 0 <= rest.start() - q.end <= 4 for q in shares
            )
            if low > _MOST and not named:
                continue  # far beyond the whole, the classes overlap; what remains after the others cannot
            if low > _HUNDRED and (len(shares) >= 3 or named):
                pass
            elif not (named and high < _HUNDRED and len(shares) >= 2):
                continue
            last = shares[-1]
            span = view.prose_span(sentence.start + last.start, sentence.start + max(last.end, last.unit_end))
            related = tuple(
                Related(
                    view.prose_span(sentence.start + q.start, sentence.start + max(q.end, q.unit_end)), "Another share."
                )
                for q in shares[:-1]
            )
            yield self.finding(
                f"{' + '.join(q.text for q in shares)} is {value}%, not 100%.",
                span,
                related=related,
                evidence={"sum": float(value)},
            )


def _made_up(text: str, shares: list[Quantity]) -> bool:
    """True when a verb such as “account for” stands before the first share, and the same, or what is left of it, before the others."""
    verb = _MAKES_UP.search(text[: shares[0].start])
    if verb is None:
        return False
    for share in shares[1:]:
        before = text[: share.start]
        if _MAKES_UP.search(before) is None and (_FOR.search(before) is None if verb["for"] else _FOR.search(before)):
            return False
    return True


def _listed(text: str, shares: list[Quantity]) -> bool:
    """True when all shares are said in one way: each before a verb of belonging, or each alone in parentheses."""
    if all(text[q.start - 1 : q.start] == "(" and text[max(q.end, q.unit_end) :].startswith(")") for q in shares):
        return True
    if _SHARED_OUT.search(text):
        if all(_BEFORE_SHARE.search(text, max(q.start - 20, 0), q.start) for q in shares):
            return True
        if all(_BEHIND_SHARE.match(text, max(q.end, q.unit_end)) for q in shares):
            return True
    if _made_up(text, shares):
        return True
    plain = sum(
        _COPULA.match(text[max(q.end, q.unit_end) :]) is not None
        or _REST.search(text[max(q.start - 20, 0) : q.start]) is not None
        for q in shares
    )
    # “42% are lexical, 35% syntactic”: the verb may be left out after the first one.
    return (
        plain >= 1
        and plain >= len(shares) - 2
        and _COPULA.match(text[max(shares[0].end, shares[0].unit_end) :]) is not None
    )
