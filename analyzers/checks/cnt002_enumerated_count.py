"""CNT002 `enumerated-count`: a number stands before an enumeration that has another number of items.

## What it flags
“on five datasets: A, B, C and D”, “five datasets (A, B, C, and D)”, “three metrics, namely A and B”, “the five datasets are A, B, C, and D”.

## Why it matters
Either a name is missing or the number is out of date; readers cannot tell which.

## When it stays silent
When the list is open (“such as”, “e.g.”, “…”), has clauses or long items, or when a joining “and” or a slash leaves more than
one way to count and one of them gives the number.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.checks.data import cues
from analyzers.facts.lists import Promise, enumeration, written_count
from analyzers.facts.statements import Statement, editable, statements
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix

_NUMERIC_ITEM = re.compile(
    r"(?:^|[,;(]|\band\b)\s*(?:\d[\d,.]*|one|two|three|four|five|six|ein|eine|zwei|drei|vier)\s+\w", re.IGNORECASE
)
_DIGITS = re.compile(r"[1-9](?<![\w.,/$%-][1-9])\d?(?![\w.,%/-])\s")
_RANGE = re.compile(r"\d\s?[–-]\s?\d|\bto\b|\bbis\b|\bthrough\b")
_NAME = re.compile(r"[A-Z]|\d")
_SIGNS = (":", "(", "—", "namely", "nämlich", "to wit", "viz", ", that is,", ", i.e.", "s are ", "s were ")
# "The five tasks are A, B, C, and D", with nothing but names behind the verb
_ARE = re.compile(r"\s(?:are|were)\s(?:called\s)?(?=[A-Z])")

# "Three rivals, that is, A, B, and C", with nothing but names
_THAT_IS = re.compile(r",\s(?:that is|i\.e\.),?\s(?=[A-Z])")


# "A, B, and C are the four systems that …": the list in front of its number, at the start of a sentence.
_COPULA = re.compile(
    r"\s(?:are|were|form|formed|constitute|make up|made up|serve as|served as|remain)\s(?:the|our|these|its)\s(?P<n>[\w-]+)\s(?!or\b|to\b|and\b|of\b)(?P<mid>(?:[a-z][\w-]*\s){0,2}?)(?P<noun>[a-z]+(?:s|a|i|people))\b(?!\s(?:and|or|plus)\b)"
)
_LED_IN = re.compile(
    r"(?:in|on|at|for|with|from|of|to|by|as|among|under|after|before|since|here|now|thus|hence|then|so|yet|also|but|and|both|either|neither|note|see|when|while|if|although|though|besides|together|including|excluding|except|like|unlike|\w+ly|first|second|third|next|overall|instead|moreover|furthermore|therefore|however|indeed)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?:an?|which|that|such|e\.g|i\.e|namely|or|including|as|the)\b", re.IGNORECASE)


class EnumeratedCount(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CNT002"
    name = "enumerated-count"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en", "de"})
    examples = (
        Example.of("One name too few", "We evaluate on five datasets: Alpha, Beta, Gamma and Delta.", "five"),
        Example.of(
            "In parentheses, with a serial comma", "We use 3 benchmarks (NewsQA, SQuAD, QuAC, and CoQA) here.", "3"
        ),
        Example.of("Namely", "We compare four methods, namely sorting, merging and hashing.", "four"),
        Example.of("Between dashes", "We use five sets---Alpha, Beta, Gamma, and Delta---in this work.", "five"),
        Example.of(
            "Between dashes, and more",
            "We use five sets---Alpha, Beta, Gamma, and what we took ourselves---in this work.",
        ),
        Example.of("To wit", "We compare against four rivals, to wit, Alpha, Beta, and Gamma.", "four"),
        Example.of("That is", "We compare against four rivals, that is, Alpha, Beta, and Gamma.", "four"),
        Example.of(
            "That is, explained", "We make four passes, that is, Alpha is read, Beta is sorted, and Gamma is cut."
        ),
        Example.of("Behind a verb", "The five tasks are Peg, Lid, Door, and Cable.", "five"),
        Example.of(
            "Behind a verb, and said of the things", "The two winners are Turing, Church, Post, and Kleene Fellows."
        ),
        Example.of("The list in front", "Alpha, Beta, Gamma, and Delta are the five cities that we study.", "five"),
        Example.of("The list behind a verb", "The five tools are Alpha, Beta, Gamma, and Delta.", "five"),
        Example.of("The list behind a verb agrees", "The four tools are Alpha, Beta, Gamma, and Delta."),
        Example.of("Some of them", "Two tools are Alpha, Beta, and Gamma in disguise."),
        Example.of("The list in front agrees", "Alpha, Beta, Gamma, and Delta are the four cities that we study."),
        Example.of("A lead-in in front", "In Spain, Alpha, Beta, and Gamma are the three cities that we study."),
        Example.of("Two kinds of things", "Alpha, Beta, and Gamma are the two cities and the village that we study."),
        Example.of("An aside", "Alpha, the capital, Beta, and Gamma are the three cities that we study."),
        Example.of("The numbers agree", "We evaluate on four datasets: Alpha, Beta, Gamma and Delta."),
        Example.of("A name that holds “and”", "We use three sets: Adult, Bread and Butter, and Compas."),
        Example.of("As well as", "We use three sets: Adult, Bank as well as Compas."),
        Example.of("An open list", "We use five datasets, such as Alpha, Beta and Gamma."),
        Example.of("Counted parts", "We train five models: two small, one medium and two large ones."),
        Example.of("A clause", "We make two points: sorting is slow, merging is fast, and hashing is neither."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per number that its enumeration does not have."""
        lexicon = cues("counts", view.language)
        if view.preamble or not _may_enumerate(view.text):
            return
        for sentence in statements(view.block, view.macros):
            if "," in sentence.text and (" the " in sentence.text or " our " in sentence.text):
                yield from self._in_front(view, sentence, lexicon)
            if any(sign in sentence.text for sign in _SIGNS):
                yield from self._sentence(view, sentence, lexicon)

    def _in_front(self, view: BlockView, sentence: Statement, lexicon: Any) -> Iterator[Finding]:
        """A list of names as the subject of its own number."""
        text = sentence.text
        if view.language != "en" or (match := _COPULA.search(text, 0, 200)) is None:
            return
        count = int(match["n"]) if match["n"].isdigit() else lexicon["words"].get(match["n"].lower())
        listed = text[: match.start()]
        if count is None or not 2 <= count <= 19 or re.search(lexicon["open"], text, re.IGNORECASE):
            return
        bounds = enumeration(listed, 3)
        items = [piece.strip() for piece in listed.split(",")]
        if (
            bounds is None
            or bounds[1] < 2
            or bounds[0] <= count <= bounds[1]
            or _LED_IN.match(listed)
            or any(map(_ASIDE.match, items[1:]))
            or any(mark in listed for mark in "():;–—")
            or _RANGE.search(listed)
            or _NUMERIC_ITEM.search(listed)
            or len(items) < 3
        ):
            return
        promise = Promise(count, *match.span("n"), match["noun"], match.end("noun"), False)
        yield self._finding(view, sentence, promise, bounds, lexicon)

    def _sentence(self, view: BlockView, sentence: Statement, lexicon: Any) -> Iterator[Finding]:
        for promise in _counted(sentence.text, lexicon):
            listed = _list_after(sentence.text, promise.noun_end)
            if listed is None or re.search(lexicon["open"], listed, re.IGNORECASE):
                continue
            if re.search(lexicon["open"], sentence.text[promise.noun_end : promise.noun_end + 40], re.IGNORECASE):
                continue
            bounds = enumeration(listed)
            if (
                bounds is None
                or bounds[1] < 2
                or bounds[0] <= promise.number <= bounds[1]
                or _RANGE.search(listed)
                or _NUMERIC_ITEM.search(listed)
            ):
                continue
            # Behind a verb only a slip of one counts: what is further off may be said of the things, and not be their names.
            if _ARE.match(sentence.text, promise.noun_end) and (
                not bounds[0] - 1 <= promise.number <= bounds[1] + 1
                or _ALL_OF.search(sentence.text[: promise.start]) is None
            ):
                continue
            yield self._finding(view, sentence, promise, bounds, lexicon)

    def _finding(
        self, view: BlockView, sentence: Statement, promise: Promise, bounds: tuple[int, int], lexicon: Any
    ) -> Finding:
        written = sentence.text[promise.start : promise.end]
        start, end = sentence.start + promise.start, sentence.start + promise.end
        span = view.prose_span(start, end)
        fixes: tuple[Fix, ...] = ()
        if bounds[0] == bounds[1] and editable(view.prose, start, end):
            word = written_count(bounds[0], written, lexicon)
            fixes = (Fix(f"Write “{word}”", (Edit(span, word),)),)
        listed_count = str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]} to {bounds[1]}"
        return self.finding(f"The sentence says {written} {promise.noun}; the list names {listed_count}.", span, fixes=fixes,
                            evidence={"promised": promise.number, "found": bounds[0]})  # fmt: skip


def _may_enumerate(text: str) -> bool:
    return "," in text or " and " in text or " und " in text


@lru_cache(maxsize=8)
def _counted_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    number = "|".join(sorted(words, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w.,/$%-])(?P<n>(?i:{number})(?![\w-])|(?:[2-9]|1\d)(?![\w.,%/-]))\s(?P<mid>(?:[\w-]+\s){{0,3}}?)(?P<noun>[^\W\d_]+(?:s|e|en|a|i|people|men))(?=\s*[:(,—]|\s(?:are|were|used)?\s?[:(]|\s(?:are|were)\s(?:called\s)?[A-Z])"
    )


def _counted(text: str, lexicon: Any) -> list[Promise]:
    """Every number with a plural noun behind it, known or not: the list itself is the evidence."""
    words = lexicon["words"]
    lower = text.lower()
    if not any(word in lower for word in words) and _DIGITS.search(text) is None:
        return []
    found = []
    for match in _counted_pattern(tuple(words)).finditer(text):
        before = text[: match.start()].split()
        if before and before[-1].lower().strip("(“,") in lexicon["skip_before"]:
            continue
        written = match["n"]
        count = int(written) if written.isdigit() else words[written.lower()]
        found.append(Promise(count, *match.span("n"), match["noun"].lower(), match.end("noun"), False))
    return found


_ALL_OF = re.compile(r"(?:^|\s)(?:[Tt]he|[Oo]ur|[Tt]hese)\s$")


def _only_names(listed: str) -> bool:
    """True for three short names or more, and nothing else."""
    pieces = [piece.strip(" .") for piece in re.split(r",|\band\b|\bund\b", listed) if piece.strip(" .")]
    named = all(_NAME.match(piece) and len(piece.split()) <= 3 for piece in pieces)
    return named and len(pieces) >= 3 and re.search(r"[:;?()]", listed) is None


def _list_after(text: str, position: int) -> str | None:
    """The enumeration that follows a noun: behind a colon, in parentheses (names only), or behind “namely”."""
    rest = text[position:]
    match = re.match(r"\s*(?:,\s*(?:namely|nämlich|to wit|viz\.?),?\s*:?|:)\s", rest)
    if match:
        listed = rest[match.end() :]
        return None if ":" in listed or "?" in listed else listed
    verb = _ARE.match(rest) or _THAT_IS.match(rest)
    if verb is not None:
        listed = rest[verb.end() :]
        return listed if _only_names(listed) else None
    if rest.lstrip().startswith("—"):
        listed = rest.lstrip()[1:].split("—")[0]
        return listed if _only_names(listed) else None
    if rest.lstrip().startswith("("):
        opening = rest.index("(")
        closing = rest.find(")", opening)
        inside = rest[opening + 1 : closing] if closing > 0 else ""
        if not inside or "(" in inside or ":" in inside:
            return None
        pieces = [piece for piece in re.split(r",|\band\b|\bund\b", inside) if piece.strip()]
        return inside if len(pieces) >= 2 and all(_NAME.match(piece.strip()) for piece in pieces) else None
    return None
