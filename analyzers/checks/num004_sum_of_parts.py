"""NUM004 `sum-of-parts`: the parts of a total do not add up to it.

## What it flags
“267 papers: 120 from ACL, 80 from NeurIPS and 57 from ICML” (257), “5,000 questions, split into 4,000 training, 500 validation
and 1,500 test questions” (6,000), “64, 48 and 38 clips, which makes 160 in total” (150), “the 150 clips are split 120/15/25 into
training, validation and test sets” (160).  With “of whom”, parts that exceed the total.

## Why it matters
Total and parts stand in one sentence, so one of the numbers is wrong.

## When it stays silent
When the parts are no closed list of counts, may overlap, or are fewer than three behind a colon; with rounded or approximate
numbers as far as rounding goes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.num_parts import (
    COUNTED,
    LOOSE,
    SMALLEST,
    TRAIN_TEST,
    Partition,
    added,
    bracketed,
    is_whole,
    left,
    slashed,
    totalled,
)
from analyzers.facts.arithmetic import total
from analyzers.facts.lists import split_top
from analyzers.facts.quantities import Kind, Quantity, Unit
from analyzers.facts.statements import Statement, editable, numbers, statements
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix

_SPLIT = re.compile(
    r"(?:which\s(?:is|are|was|were|we)\s|is\s|are\s|was\s|were\s|and\s|randomly\s|further\s)*(?:split|divided|partitioned|separated|broken (?:down|up)|subdivided)(?:\srandomly)?\s(?:up\s)?(?:into|as|in)\s"
    r"|(?:consisting|composed|made up)\sof\s|comprising\s",
    re.IGNORECASE,
)
# "We split the 86,400 reviews chronologically into 60,000 …"
_SPLIT_BEFORE = re.compile(
    r"\b(?:split|divid\w+|partition\w*|separat\w+)\s(?:up\s)?(?:(?:the|our|these|all|its|a total of)\s)*$",
    re.IGNORECASE,
)
_INTO = re.compile(r"(?:\s[\w-]+){1,5}?\s(?:into|as|in)\s$")
_OF_WHICH = re.compile(r"(?:of|among|out of)\s(?:which|whom|these|them)\s", re.IGNORECASE)
_ITEM_START = re.compile(r"\s*(?:and\s|und\s|the\s|a\s|another\s|,\s?)*(?:\w+\s)?$", re.IGNORECASE)
_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty)(?:-[a-z]+)?)\s"
_JOIN = re.compile(rf"\s(?:and|und|as well as)\s(?=(?:[a-z]+\s){{0,5}}\d|{_WORD})", re.IGNORECASE)
# "48 stations; 14 of them lie in …": what the parts are parts of is said behind the first one.
_OF_THEM = re.compile(r"(?:\s[\w-]+){1,5}[;:,—]\s(?:and\s)?")
_BEHIND_FIRST = re.compile(r"\sof\s(?:them|these|those|which|whom)\s", re.IGNORECASE)
_ORDERED = r"(?:first|oldest|earliest|initial|next|last|latest|newest|most recent)\s"
_NAMELY = re.compile(r"(?:\s[\w-]+){1,5},\s(?:namely|specifically|that is|viz\.|i\.e\.),?\s", re.IGNORECASE)
# "10,000 samples, 8,000 for training and …": only numbers that go somewhere are parts.
_LISTED = re.compile(r"(?:\s[A-Za-z][\w-]*){1,6},\s(?:with\s)?$")
_GOES = re.compile(r"\s(?:\w+\s){0,2}?(?:for|to|in|into|as|used|from|assigned|allocated)\s")
_COMPLEMENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:women|females?|girls)\b.*\b(?:men|males?|boys)\b", r"\b(?:men|males?|boys)\b.*\b(?:women|females?|girls)\b",
        r"\bpositives?\b.*\bnegatives?\b", r"\btreat\w+\b.*\bcontrols?\b",
    )
)  # fmt: skip
_SHARED = re.compile(
    r"\d\s(?:(?!are|were|is|was|be)[a-z]+\s)?(?:cite[sd]?|use[sd]?|contain\w*|mention\w*|report\w*|include[sd]?|have|had|own\w*|speak|spoke|play\w*|know|knew)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"(?:^|[.,;:]\s)(?:out\s)?of\s(?:(?:the|its|our|these|all|all the|a total of)\s)?(?:total\s)?$", re.IGNORECASE
)
_BARE_START = re.compile(r"\s*(?:and\s|the\s|another\s|only\s|,\s?)*$", re.IGNORECASE)
_LONG_START = re.compile(r"[^\d:;()]{0,45}$")
_MOST_PARTS = 30


# The whole and its parts are three numbers at least.
_DIGITS = re.compile(r"\d\D*\d\D*\d")
_SPELLED = re.compile(rf"\b{_WORD}.*?\b{_WORD}", re.IGNORECASE)


class SumOfParts(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM004"
    name = "sum-of-parts"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "A list behind a colon", "They come from 267 papers: 120 from ACL, 80 from NeurIPS and 57 from ICML.", "267"
        ),
        Example.of(
            "A split",
            "It has 5{,}000 questions, split into 4{,}000 training, 500 validation and 1{,}500 test questions.",
            "5{,}000",
        ),
        Example.of("More than all", "We recruited 36 participants, of whom 19 saw Alpha and 19 saw Beta.", "36"),
        Example.of("In parentheses", "We asked 40 people (20 women, 18 men, and 1 non-binary person).", "40"),
        Example.of("Without a colon", "It has 10,000 samples, 8,000 for training and 3,000 for testing.", "10,000"),
        Example.of("Women and men", "They come from 96 speakers: 41 women and 65 men.", "96"),
        Example.of(
            "Days", "The 14 days are split into 10 days for tuning, 1 day for validation and 5 days for testing.", "14"
        ),
        Example.of(
            "The total behind its parts",
            "Three sites contributed 64, 48 and 38 clips, which makes 160 in total.",
            "160",
        ),
        Example.of(
            "Parts with names before the total",
            "We took 120 papers from ACL, 80 from NeurIPS and 57 from ICML, for a total of 267 papers.",
            "267",
        ),
        Example.of(
            "A split with slashes",
            "We split these 150 clips 120/15/25 into training, validation and test sets.",
            "150",
        ),
        Example.of(
            "The total in parentheses",
            "We took 40 grasps, 30 pushes and 20 pulls (100 demonstrations in total).",
            "100",
        ),
        Example.of(
            "A ratio behind what is split",
            "The 1,200 clips are split 800:200:300 into training, validation and test.",
            "1,200",
        ),
        Example.of("Written as a sum", "Each arm ran $40 + 30 + 20 = 100$ trials.", "100"),
        Example.of(
            "In brackets behind their names",
            "The 8,640 scans were given by three museums, namely Oslo (3,910 scans), Lyon (2,540 scans), and Kyoto (2,280 scans).",
            "8,640",
        ),
        Example.of(
            "In brackets behind their names, and right",
            "The 8,640 scans were given by three museums, namely Oslo (3,910 scans), Lyon (2,450 scans), and Kyoto (2,280 scans).",
        ),
        Example.of(
            "Other things in brackets",
            "The 100 scans were taken from three sets: Oslo (39 classes), Lyon (25 classes), and Kyoto (22 classes).",
        ),
        Example.of(
            "Years in brackets", "We took 4,000 papers from three meetings: Oslo (2019), Lyon (2020), and Kyoto (2021)."
        ),
        Example.of(
            "What is left",
            "We set aside 1,200 scans for validation and 1,440 for testing, which leaves 6,400 of the 8,640 scans for training.",
            "8,640",
        ),
        Example.of(
            "What is left of all",
            "Of the 900 clips, we keep 100 for validation and 200 for testing, leaving 700 for training.",
            "900",
        ),
        Example.of(
            "What remains",
            "Of the 900 clips, 100 are held out for validation and 200 for testing, so that 700 remain for training.",
            "900",
        ),
        Example.of(
            "Trained on the remaining ones",
            "From the 900 clips we hold out 100 for validation and 200 for testing and train on the remaining 700.",
            "900",
        ),
        Example.of(
            "Trained on too many",
            "We train on 700 of the 900 clips, validate on 100, and test on 200.",
            "900",
        ),
        Example.of("Tested elsewhere", "We train on 700 of the 900 clips and test on 300 outdoor clips."),
        Example.of("Not trained on all", "We train on 500 of the 900 clips, validate on 100, and test on 200."),
        Example.of(
            "A total behind a comma",
            "There are 640 clips for training, 120 for validation, and 144 for testing, 864 in total.",
            "864",
        ),
        Example.of(
            "A total behind a comma, and right",
            "There are 640 clips for training, 120 for validation, and 144 for testing, 904 in total.",
        ),
        Example.of(
            "What is left, and right",
            "Of the 900 clips, we keep 100 for validation and 200 for testing, leaving 600 for training.",
        ),
        Example.of("A product in front of a sum", "Each arm ran $2 \\cdot 40 + 30 = 110$ trials."),
        Example.of("A total that is right", "Three sites gave 64, 48 and 38 clips, which makes 150 in total."),
        Example.of("A product", "We ran 4 tasks, 5 seeds and 10 episodes, for a total of 200 episodes."),
        Example.of(
            "Percentages with slashes", "We split the 150 clips 80/10/10 into training, validation and test sets."
        ),
        Example.of(
            "Some spelled out",
            "We read 48 logs; 17 of them come from ships, nine from trains, 11 from cars, eight from trams and six from planes.",
            "48",
        ),
        Example.of(
            "In their order",
            "Of the 61,200 rides, the oldest 42,840 serve to fit it, the next 6,120 to tune it, and the latest 14,240 to test it.",
            "61,200",
        ),
        Example.of(
            "All parts spelled out",
            "In total, 60 talks were held: thirty in English, twelve in French, and eight in German.",
            "60",
        ),
        Example.of(
            "All parts spelled out, and right",
            "In total, 60 talks were held: forty in English, twelve in French, and eight in German.",
        ),
        Example.of(
            "Some spelled out, and fewer",
            "We read 48 logs; 14 of them come from ships, nine from trains, 11 from cars and six from planes.",
        ),
        Example.of("Two that may overlap", "We read 48 projects; 30 of them in Java and 25 in Kotlin."),
        Example.of("What may overlap", "We asked 48 people; 40 of them drive and 23 smoke."),
        Example.of("One behind and a pronoun", "We read 48 logs; 14 of them come from ships and one another."),
        Example.of("They add up", "They come from 257 papers: 120 from ACL, 80 from NeurIPS and 57 from ICML."),
        Example.of("Fewer, of whom", "We recruited 40 participants, of whom 19 saw Alpha and 19 saw Beta."),
        Example.of(
            "Examples only", "They come from 267 papers, including 120 from ACL, 80 from NeurIPS and 57 from ICML."
        ),
        Example.of(
            "A slip in the first digit",
            "We use 1,134 questions: 1,800 from exams, 900 from forums and 434 from books.",
            "1,134",
        ),
        Example.of("Other facts in parentheses", "We asked 40 people (20 women, 18 left-handed)."),
        Example.of("Thousands", "It has 5k questions: 4,012 for training, 503 for validation and 497 for testing."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per sentence."""
        if view.preamble or not any(digit in view.text for digit in "123456789"):
            return
        for sentence in statements(view.block, view.macros):
            # The whole and two parts in digits, or the parts spelled out.
            if _DIGITS.search(sentence.text) is None and _SPELLED.search(sentence.text) is None:
                continue
            read = partial(numbers, view.block, view.macros, sentence, view.language)
            found = (
                (_partition(sentence.text, read()) if _may_part(sentence.text) else None)
                or totalled(sentence.text, read)
                or slashed(sentence.text, read)
                or added(sentence.text, read)
                or bracketed(sentence.text, read)
                or left(sentence.text, read)
            )
            if found is None:
                continue
            value, low, high = total(found.parts)
            whole_low, whole_high = (
                (found.whole.value,) * 2
                if found.whole.decimals == 0 and not found.whole.approximate
                else (found.whole.lower, found.whole.upper)
            )
            # Far from the total, the numbers are no parts of it: “5,000 pairs, split into 10 folds and 3 groups”.
            far = 2 * high < whole_low or low > 2 * whole_high
            if far and not _one_digit_apart(found.whole.value, value):
                continue
            if low > whole_high or (found.exhaustive and high < whole_low):
                yield self._finding(view, sentence, found, f"{value:f}")

    def _finding(self, view: BlockView, sentence: Statement, found: Partition, value: str) -> Finding:
        start, end = sentence.start + found.whole.start, sentence.start + found.whole.end
        span = view.prose_span(start, end)
        related = tuple(
            Related(view.prose_span(sentence.start + p.start, sentence.start + p.end), "A part.") for p in found.parts
        )
        sums = " + ".join(part.text for part in found.parts)
        grouped = f"{int(value):,}" if "," in found.whole.text else value
        fixes: tuple[Fix, ...] = ()
        if editable(view.prose, start, end) and found.exhaustive:
            fixes = (Fix(f"Write {grouped}", (Edit(span, grouped),)),)
        relation = "not" if found.exhaustive else "more than"
        return self.finding(
            f"{sums} is {grouped}, {relation} {found.whole.text}.",
            span,
            related=related,
            fixes=fixes,
            evidence={"sum": value},
        )


_MAY = re.compile(
    r"\d\s[^.;:()\d]{2,60}?[;:,]\s(?:and\s)?[\w,-]+\sof\s(?:them|these|those|which|whom)\b|"
    r"\d[\d,.kKM]*\s[^.;:()\d]{2,60}?(?:[:(—]|\sin(?:to)?\s\d|,\s(?:with\s|namely\s|that is,?\s|i\.e\.,?\s|specifically,?\s)?\d|\b(?:split|divided|partitioned|separated|broken|subdivided|consisting|composed|made up|comprising|which|whom|these|them)\b)"
    r"|\b[Oo]f\s(?:(?:the|its|our|these|all|a total of)\s)?(?:total\s)?\d"
)


def _may_part(text: str) -> bool:
    """A cheap look for a number, a few words and what announces parts."""
    return _MAY.search(text) is not None


def _partition(text: str, found: Sequence[Quantity]) -> Partition | None:
    for index, whole in enumerate(found):
        unit = whole.unit if whole.unit is not None and whole.unit.dimension == "time" else None
        if not is_whole(whole, unit) or whole.value < SMALLEST:
            continue
        limit = found[index + 1].start if index + 1 < len(found) else len(text)
        between = text[whole.end : limit]
        cue = ("which", len(between)) if _of_all(text, whole, between) else _cue(between)
        if (
            cue is None
            and index + 1 < len(found)
            and _OF_THEM.fullmatch(between)
            and _BEHIND_FIRST.match(text, found[index + 1].end)
        ):
            cue = ("which", len(between))
        if cue is None and _SPLIT_BEFORE.search(text[: whole.start]) and _INTO.fullmatch(between):
            cue = ("split", len(between))
        if cue is None:
            continue
        kind, at = cue
        if unit is not None and kind not in ("split", "which"):
            continue
        if kind == "," and any(is_whole(earlier) for earlier in found[:index]):
            continue  # itself an item of a list
        start = whole.end + at
        end = text.find(")", start) if kind == "(" else len(text)
        if end < 0:
            continue
        segment = re.split(r";|\.\s", text[start:end])[0].rstrip(" .")
        said = text[max(whole.end, whole.unit_end) : limit] if unit is not None else between
        if LOOSE.search(said) or LOOSE.search(segment):
            continue
        parts = _parts(segment, [q for q in found[index + 1 :] if q.start < start + len(segment)], start, kind, unit)
        # A number that exceeds the total by itself is no part of it: a size, a name, an identifier.
        if parts is None or len(parts) < 2:
            continue
        too_large = any(part.value >= whole.value for part in parts)
        if too_large and not _one_digit_apart(whole.value, sum(part.value for part in parts)):
            continue
        joined = " and " in segment or " as well as " in segment
        trained = len(parts) >= 3 and TRAIN_TEST.search(segment) is not None
        alike = (
            len({text[part.end : part.end + 6].split(maxsplit=1)[0] for part in parts if text[part.end :].strip()}) == 1
        )
        if kind == "which" and (_SHARED.search(segment) or not _elliptic(text, parts)):
            continue  # one paper may cite both
        if kind == "," and not all(_GOES.match(text, part.end) for part in parts):
            continue
        whole_set = kind in (":", "(", "—") and len(parts) == 2 and any(p.search(segment) for p in _COMPLEMENTS)
        exhaustive = (
            kind == "split"
            or trained
            or whole_set
            or (kind in (":", "(", "—") and len(parts) >= 3 and (joined or alike))
        )
        if kind in (":", "—", "(") and not exhaustive and not (kind == "(" and joined):
            continue
        return Partition(whole, parts, exhaustive)
    return None


_SHORT = re.compile(r"\s(?:with|from|in|on|for|by|at|as|under|using|via|to)\s")


def _elliptic(text: str, parts: Sequence[Quantity]) -> bool:
    """False for “15 of them drive, 12 smoke”; where only the first part has a verb (“14 of them live in A, 9 in B”), none is two.

    Two parts are too few to tell: of 48 projects, 30 may use Java and 25 Kotlin.
    """
    if _BEHIND_FIRST.match(text, parts[0].end) is None:
        return True
    return len(parts) > 2 and all(_SHORT.match(text, part.end) for part in parts[1:])


def _one_digit_apart(whole: Decimal, total_: Decimal | int) -> bool:
    """True when the total of at least three digits differs from the sum in one digit: a slip, however far apart they are."""
    written, meant = f"{int(whole)}", f"{int(total_)}"
    return len(written) == len(meant) >= 3 and sum(a != b for a, b in zip(written, meant, strict=True)) == 1


def _of_all(text: str, whole: Quantity, between: str) -> bool:
    """True for “Of its 5,000 questions, ” before the first part."""
    return (
        _OF_ALL.search(text[: whole.start]) is not None
        and re.fullmatch(rf"(?:\s[\w-]+){{1,5}},\s(?:the\s(?:{_ORDERED})?)?", between) is not None
    )


def _cue(between: str) -> tuple[str, int] | None:
    """What announces the parts behind a total, and where they begin; `between` ends at the first part."""
    split = _SPLIT.search(between)
    if split is not None and split.start() <= 60 and ":" not in between[: split.start()]:
        # “into training and test sets of 4,000 and 1,000”: the parts begin with the first number.
        return "split", len(between)
    which = _OF_WHICH.search(between)
    if which is not None and which.start() <= 40:
        return "which", which.end()
    match = re.match(r"(?:\s[\w-]+){1,5}?\s?(:|\(|—)\s?", between)
    if match is not None:
        return (match[1], match.end()) if match.end() <= 50 else None
    named = _NAMELY.match(between)
    if named is not None and named.end() <= 60:
        return ":", named.end()
    listed = _LISTED.fullmatch(between)
    return (",", listed.end()) if listed is not None and len(between) <= 60 else None


def _parts(
    segment: str, found: Sequence[Quantity], offset: int, kind: str, unit: Unit | None
) -> tuple[Quantity, ...] | None:
    """The number of each item, None unless every item begins with a whole number and (behind a colon) says of what."""
    items: list[tuple[int, str]] = []
    position = 0
    for piece in split_top(segment, ","):
        cursor = 0
        for match in _JOIN.finditer(piece):
            items.append((position + cursor, piece[cursor : match.start()]))
            cursor = match.start() + 1
        items.append((position + cursor, piece[cursor:]))
        position += len(piece) + 1
    if len(items) > _MOST_PARTS:
        return None
    start = _LONG_START if kind == "split" else _ITEM_START if kind in ("which", ",") else _BARE_START
    parts: list[Quantity] = []
    named = 0
    for at, item in items:
        if not item.strip():
            continue
        inside = [q for q in found if offset + at <= q.start < offset + at + len(item)]
        if not inside or not start.match(item[: inside[0].start - offset - at]):
            return None
        first = inside[0]
        if (
            first.kind is Kind.IDENTIFIER
            and first.text.isdigit()
            and first.start - offset - at == len(item) - len(item.lstrip())
        ):
            first = replace(
                first, kind=Kind.COUNT
            )  # “tasks (20 easy, …”: an item begins with a number, not with a name
        if not (is_whole(first, unit) or is_whole(first)) or any(
            q.kind in COUNTED and q.unit is None and not _in_parentheses(item, q.start - offset - at)
            for q in inside[1:]
        ):
            return None
        named += bool(item[first.end - offset - at :].strip(" .)")) or bool(item[: first.start - offset - at].strip())
        parts.append(first)
    if kind != "split" and named < len(parts) - 1:
        return None
    return tuple(parts)


def _in_parentheses(text: str, at: int) -> bool:
    return text[:at].count("(") > text[:at].count(")")
