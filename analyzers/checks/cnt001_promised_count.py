"""CNT001 `promised-count`: a sentence promises a number of things, and the list that follows has another number of items.

## What it flags
“We make three contributions:” before a list of four items.  Lists are list environments that follow directly, runs such as
“(i) … (ii) …” in the same sentence, and runs of sentences that begin with “First, … Second, …”.

## Why it matters
Readers count.  A promise that no longer fits its list is left over from an edit and makes the rest look unchecked.

## When it stays silent
When the number is a bound or a part (“at least three”, “two of the”), when a sentence promises two numbers, when the end of
the list is not found, and when a run of ordinals goes on in words that cannot be counted (“Finally, …”).
"""

import re
from collections.abc import Iterator
from typing import Any

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.checks.data import cues
from analyzers.facts.lists import Promise, inline_items, list_from, list_marks, ordinal_run, promises, written_count
from analyzers.facts.statements import Statement, editable, statements
from analyzers.facts.view import macro_key, prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.prose import PartKind
from analyzers.text.spans import Span

_FOUR = "\\begin{itemize}\n\\item One.\n\\item Two.\n\\begin{itemize}\\item inner\\end{itemize}\n\\item Three.\n\\item Four.\n\\end{itemize}\n"
_OPEN_END = re.compile(r"\b(?:finally|lastly|last|moreover|furthermore|additionally|also|then|next)\b", re.IGNORECASE)


class PromisedCount(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CNT001"
    name = "promised-count"
    tier = Tier.PROVED
    severity = Severity.WARNING
    languages = frozenset({"en", "de", "zh"})
    examples = (
        Example.of("Three promised, four listed", f"We make the following three contributions:\n{_FOUR}", "three"),
        Example.of("Across a blank line", f"Our work has two main goals:\n\n{_FOUR}", "two"),
        Example.of("Numbered within the sentence", "There are three reasons: (i) the cost, (ii) the time.", "three"),
        Example.of("Ordinals go on", "We use two steps. First, we sort. Second, we merge. Third, we print.", "two"),
        Example.of("Any noun behind “following”", f"We trained the following 3 rankers:\n{_FOUR}", "3"),
        Example.of(
            "One contribution of so many parts",
            "Our contribution is fourfold: (a) a rule; (b) a head; and (c) a trial.",
            "four",
        ),
        Example.of(
            "One contribution of as many parts",
            "Our contribution is threefold: (a) a rule; (b) a head; and (c) a trial.",
        ),
        Example.of("The numbers agree", f"We make four contributions:\n{_FOUR}"),
        Example.of("A bound", f"There are at least three reasons:\n{_FOUR}"),
        Example.of(
            "Another paragraph stands in between", f"We make three contributions.\n\nThe setting is new.\n\n{_FOUR}"
        ),
        Example.of(
            "The last step is called final", "We use three steps. First, we sort. Second, we merge. Finally, we print."
        ),
        Example.of("Two promises in one sentence", f"We study two tasks in three groups:\n{_FOUR}"),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per promise that its list does not keep."""
        lexicon = cues("counts", manuscript.language)
        body = manuscript.body
        for position, (_, entry) in enumerate(body):
            if lexicon.get("nouns"):
                yield from self._inline(manuscript, entry, lexicon)
            for mark in list_marks(entry.block):
                if mark.step != 1:
                    continue
                before = _before(manuscript, position, mark.start)
                if before is None:
                    continue
                owner, sentence = before
                promise = _announced(sentence.text, lexicon)
                if promise is None:
                    continue
                found = list_from(manuscript, position, mark)
                if found is None or found.items < 2 or found.items == promise.number:
                    continue
                place = Related(entry.span(mark.start, mark.end), f"This list has {found.items} items.")
                yield self._finding(manuscript, owner, sentence, promise, found.items, (place,), lexicon)

    def _inline(self, manuscript: Manuscript, entry: Entry, lexicon: Any) -> Iterator[Finding]:
        macros = manuscript.macros
        key = ("inline promises", macro_key(entry.block, macros), manuscript.language)
        for sentence, promise, count in entry.block.remember(key, lambda b: _inline(b, statements(b, macros), lexicon)):
            yield self._finding(manuscript, entry, sentence, promise, count, (), lexicon)

    def _finding(
        self,
        manuscript: Manuscript,
        entry: Entry,
        sentence: Statement,
        promise: Promise,
        count: int,
        related: tuple[Related, ...],
        lexicon: Any,
    ) -> Finding:
        prose = prose_of(entry.block, manuscript.macros)
        start, end = sentence.start + promise.start, sentence.start + promise.end
        span = entry.span(*prose.source(start, end))
        written = sentence.text[promise.start : promise.end]
        fixes: tuple[Fix, ...] = ()
        if editable(prose, start, end):
            word = written_count(count, written, lexicon)
            fixes = (Fix(f"Write “{word}”", (Edit(Span(span.path, span.start, span.end), word),)),)
        message = f"The sentence promises {written} {promise.noun}; {count} follow."
        return self.finding(
            message, span, related=related, fixes=fixes, evidence={"promised": promise.number, "found": count}
        )


def _before(manuscript: Manuscript, position: int, offset: int) -> tuple[Entry, Statement] | None:
    """The last sentence before a list: in the same block, else the last one of the block before."""
    _, entry = manuscript.body[position]
    macros = manuscript.macros
    prose = prose_of(entry.block, macros)
    earlier = [
        s
        for s in statements(entry.block, macros)
        if prose.source(s.start, s.end)[0] < offset and s.kind in (PartKind.BODY, PartKind.ABSTRACT)
    ]
    if earlier:
        return entry, earlier[-1]
    if entry.block.text[:offset].strip():
        return None
    for _, previous in reversed(manuscript.body[max(position - 2, 0) : position]):
        if not previous.block.text.strip():
            continue
        if previous.path != entry.path or list_marks(previous.block):
            return None
        found = [s for s in statements(previous.block, macros) if s.kind in (PartKind.BODY, PartKind.ABSTRACT)]
        return (previous, found[-1]) if found else None
    return None


def _announced(text: str, lexicon: Any) -> Promise | None:
    """The number of items that a sentence before a list announces, when it announces exactly one."""
    ends = text.rstrip().endswith((":", "："))
    if "classifiers" in lexicon:
        match = re.search(
            rf"(?<![第一二三四五六七八九十\d])({'|'.join(lexicon['words'])}|[2-9])\s?(?:{lexicon['classifiers']})[^，。：:]{{0,12}}[：:]$",
            text.rstrip(),
        )
        if match is None:
            return None
        count = int(match[1]) if match[1].isdigit() else lexicon["words"][match[1]]
        return Promise(count, *match.span(1), "", match.end(1), False)
    if not ends and not re.search(lexicon["following"], text) and not any(noun in text for noun in lexicon["strong"]):
        return None
    found = promises(text, lexicon)
    if len(found) != 1:
        return None
    promise = found[0]
    # “The two groups differ in the way that …:” announces something else; the noun has to stand near the colon.
    far = len(text) - promise.noun_end > 70
    return None if far and not promise.following and promise.noun not in lexicon["strong"] else promise


_RUNNING = (PartKind.BODY, PartKind.ABSTRACT, PartKind.ITEM, PartKind.FOOTNOTE)


def _inline(block: Block, sentences: tuple[Statement, ...], lexicon: Any) -> tuple[tuple[Statement, Promise, int], ...]:
    """Promises of a block that a run within its sentences does not keep, with the number found."""
    del block
    found = []
    for index, sentence in enumerate(sentences):
        if sentence.kind not in _RUNNING:
            continue
        announced = promises(sentence.text, lexicon)
        if len(announced) != 1:
            continue
        promise = announced[0]
        rest = sentence.text[promise.noun_end :]
        colon = rest.find(":")
        if 0 <= colon <= 60:
            count = inline_items(rest[colon:])
            if count and count != promise.number:
                found.append((sentence, promise, count))
                continue
        if colon < 0 and lexicon["ordinals"] and len(rest) < 60:
            following = [s for s in sentences[index + 1 : index + 14] if s.kind is sentence.kind]
            count, last = ordinal_run(following, lexicon["ordinals"])
            if count < 2 or count == promise.number or not _next_is_first(following, lexicon["ordinals"]):
                continue
            tail = " ".join(s.text[:60] for s in following[1:])
            if count < promise.number and (last < len(following) - 3 or _OPEN_END.search(tail) or len(following) > 10):
                continue
            if count > promise.number or count == len(following):
                found.append((sentence, promise, count))
    return tuple(found)


def _next_is_first(following: list[Statement], ordinals: list[str]) -> bool:
    return bool(following) and re.match(rf"{ordinals[0]}\b", following[0].text, re.IGNORECASE) is not None
