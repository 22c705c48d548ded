"""Finding contradictions: one reading of the whole, windows with a ledger, candidates of the static checks; then the verifier.

The union of all views is verified, each pair once; nothing is voted on.  Everything keeps to one limit of input tokens, in the order
of what finds most for its price: reading the whole text (asked for few and sure contradictions), verifying what it found,
windows, candidates.
"""

import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from analyzers.finding import Candidate
from analyzers.project.manuscript import Manuscript
from analyzers.related.index import PassageIndex
from analyzers.review.account import Account, Watch, unwatched
from analyzers.review.contradiction.ledger import Ledger, seeds
from analyzers.review.contradiction.pairs import Pair, Pairs, of_candidates, proposed
from analyzers.review.contradiction.verifier import PER_CALL, verifications, verify
from analyzers.review.folding import folded
from analyzers.review.planning import input_tokens
from analyzers.review.points import Dropped, Point
from analyzers.review.port import Model, ModelRequest, Role, Segment, Speaker, Turn
from analyzers.review.prompting import fenced, instruction, system
from analyzers.review.schema import CONFLICTS_SCHEMA
from analyzers.review.script import Line, LineKind, Script, tokens_in

# The bound of the contradiction stage is 40,000 tokens for ten pages; providers add a frame of their own to what is planned here.
# Numbers and names: what a contradiction is usually made of.
_TELLING = re.compile(r"\d+|\b[A-Z][A-Za-z]*[A-Z]\w*")
TEN_PAGE_TOKENS = 38_500
_TIMES_THE_PAPER = 3.4
_WINDOW = 2_600
_RELATED = 10
_WHOLE_AT_MOST = 120_000
_SHARE_OF_WHOLE = 0.45
# A window asks for what is related to its paragraphs with the most numbers and names: to ask for all of them costs
# time in proportion to the product of window and paper.
_ASKED_ENTRIES = 4
_FINDER_TOKENS = 1_600


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Which views to take and how much to read.  `limit` bounds the conflicts of one answer: beyond four or five, asking for more
    finds little.  `max_input_tokens` None means 38,500, or 3.4 times the paper when that is more."""

    whole: bool = True
    windows: bool = True
    candidates: int = 24
    limit: int = 5
    max_input_tokens: int | None = None
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Contradictions:
    """What was found, what the verifier refuted or could not decide, and what it cost."""

    points: tuple[Point, ...]
    refuted: tuple[Pair, ...]
    undecided: tuple[Pair, ...]
    account: Account
    dropped: Dropped
    complete: bool
    input_tokens: int
    notes: tuple[str, ...] = ()


async def find_contradictions(
    manuscript: Manuscript,
    script: Script,
    candidates: Iterable[Candidate],
    model: Model,
    options: SearchOptions | None = None,
    watch: Watch = unwatched,
) -> Contradictions:
    """The contradictions of a manuscript.  `candidates` are those of its analysis, best first."""
    search = _Search(_Reading(manuscript, script, options or SearchOptions()), model, Account(watch))
    return await search.all(tuple(candidates))


async def check_paragraph(
    manuscript: Manuscript,
    script: Script,
    entries: Sequence[int],
    model: Model,
    options: SearchOptions | None = None,
    watch: Watch = unwatched,
) -> Contradictions:
    """The contradictions of one paragraph (indices of its entries) with what speaks of the same things: about a thousand tokens."""
    search = _Search(_Reading(manuscript, script, options or SearchOptions()), model, Account(watch, 2))
    return await search.paragraph(entries)


def windows(script: Script, size: int = _WINDOW) -> tuple[tuple[Line, ...], ...]:
    """The text in pieces of about `size` tokens, cut at headings where that leaves no piece too small."""
    found: list[list[Line]] = [[]]
    used = 0
    for line in script.lines:
        cost = tokens_in(line.text) + 3
        at_heading = line.kind is LineKind.HEADING and used > size // 2
        if found[-1] and (at_heading or used + cost > size):
            found.append([])
            used = 0
        found[-1].append(line)
        used += cost
    if len(found) > 1 and sum(tokens_in(line.text) for line in found[-1]) < size // 5:
        last = found.pop()
        found[-1] += last
    return tuple(tuple(window) for window in found if window)


def planned_requests(
    manuscript: Manuscript, script: Script, candidates: Iterable[Candidate], options: SearchOptions | None = None
) -> tuple[ModelRequest, ...]:
    """The requests of the pass before anything is asked: what finders read, and the verification of all candidates."""
    chosen = options or SearchOptions()
    reading = _Reading(manuscript, script, chosen)
    if not script.lines:
        return ()
    limit = reading.limit()
    found = [request] if (request := reading.whole(limit)) is not None else []
    used = sum(input_tokens(request) for request in found)
    ledger = Ledger(script, seeds(manuscript, script))
    parts = windows(script) if chosen.windows else ()
    for number, window in enumerate(parts):
        request = reading.window(window, ledger, number, len(parts))
        if used + input_tokens(request) + reading.reserve(limit) > limit:
            break
        used += input_tokens(request)
        found.append(request)
    for request in verifications(script, of_candidates(candidates, script, chosen.candidates), chosen.epoch):
        used += input_tokens(request)
        if used > limit:
            break
        found.append(request)
    return tuple(found)


def paragraph_requests(manuscript: Manuscript, script: Script, entries: Sequence[int]) -> tuple[ModelRequest, ...]:
    """The request about one paragraph before anything is asked; none when nothing speaks of the same things."""
    request = _Reading(manuscript, script, SearchOptions()).paragraph(entries)
    return (request,) if request is not None else ()


@dataclass(frozen=True)
class _Reading:
    """The requests of finders."""

    manuscript: Manuscript
    script: Script
    options: SearchOptions

    @cached_property
    def index(self) -> PassageIndex:
        """The index of passages."""
        return PassageIndex.of(self.manuscript)

    def limit(self) -> int:
        """The most input tokens of the pass.  An appendix does not raise it: what is beyond the limit stays unread, and is said."""
        paper = tokens_in(self.script.text(self.script.main))
        return self.options.max_input_tokens or max(TEN_PAGE_TOKENS, int(_TIMES_THE_PAPER * paper))

    def reserve(self, limit: int) -> int:
        """What is kept for verifying: what the readers find is worth nothing before."""
        return max(2_000, limit // 10)

    def whole(self, limit: int) -> ModelRequest | None:
        """The reading of the whole text; None when it is not wanted or too long."""
        if not self.options.whole:
            return None
        lines = self.script.lines
        if tokens_in(self.script.text(lines)) > _SHARE_OF_WHOLE * limit:
            lines = self.script.main  # the windows read the appendix as far as the limit goes
        text = fenced("manuscript", self.script.text(lines)) + "\n\n"
        ask = instruction("contradictions-whole", limit=str(self.options.limit))
        request = self.request((Segment(text, cached=True), Segment(ask)), "reading the whole text")
        return request if input_tokens(request) + self.reserve(limit) <= min(_WHOLE_AT_MOST, limit) else None

    def window(self, window: tuple[Line, ...], ledger: Ledger, number: int, count: int) -> ModelRequest:
        """The reading of one window, with the ledger and what elsewhere speaks of the same things."""
        own = frozenset(line.id for line in window)
        told: dict[int, int] = {}
        for line in window:
            if line.kind is not LineKind.HEADING:
                told[line.entry] = told.get(line.entry, 0) + len(_TELLING.findall(line.text))
        entries = sorted(heapq.nlargest(_ASKED_ENTRIES, told, key=lambda entry: (told[entry], -entry)))
        other = self.script.text(self.related(entries, _RELATED, own, 350)).strip()
        statements = "\n".join(part for part in (ledger.text(own), other) if part)
        text = "\n\n".join((fenced("ledger", statements), fenced("window", self.script.text(window))))
        ask = instruction("contradictions-window", limit=str(self.options.limit))
        return self.request((Segment(text + "\n\n"), Segment(ask)), f"window {number + 1} of {count}")

    def paragraph(self, entries: Sequence[int]) -> ModelRequest | None:
        """The reading of one paragraph with its related places; None when there is nothing to compare."""
        own = [line for line in self.script.lines if line.entry in entries]
        others = self.related(entries, 3 * _RELATED, frozenset(line.id for line in own), 600) if own else []
        if not others:
            return None
        text = "\n\n".join((fenced("passage", self.script.text(own)), fenced("passage", self.script.text(others))))
        return self.request(
            (Segment(text + "\n\n"), Segment(instruction("contradictions-paragraph"))), "edited paragraph", Role.VERIFY
        )

    def related(self, entries: Sequence[int], top: int, own: frozenset[str], tokens: int) -> list[Line]:
        """The lines elsewhere that speak of the same things: the best that fit, in the order of the text."""
        chosen: dict[str, Line] = {}
        for place in self.index.related(tuple(entries), top):
            name = self.script.at(place.span)
            line = self.script.line_of(name) if name is not None else None
            if line is None or line.id in own or line.id in chosen or line.kind is LineKind.HEADING:
                continue
            tokens -= tokens_in(line.text) + 4
            if tokens < 0:
                break
            chosen[line.id] = line
        return sorted(chosen.values(), key=lambda line: (line.entry, line.span.start))

    def request(self, segments: tuple[Segment, ...], purpose: str, role: Role = Role.REVIEW) -> ModelRequest:
        """A question for conflicts."""
        return ModelRequest(
            role,
            system("contradictions-system"),
            (Turn(Speaker.USER, segments),),
            CONFLICTS_SCHEMA,
            "conflicts",
            _FINDER_TOKENS,
            self.options.epoch,
            purpose=purpose,
        )


@dataclass(slots=True)
class _Search:
    reading: _Reading
    model: Model
    account: Account
    dropped: Dropped = field(default_factory=Dropped)
    notes: list[str] = field(default_factory=list)
    refuted: list[Pair] = field(default_factory=list)
    undecided: list[Pair] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    used: int = 0

    @property
    def script(self) -> Script:
        """The manuscript as lines."""
        return self.reading.script

    async def all(self, candidates: Sequence[Candidate]) -> Contradictions:
        """The whole pass."""
        options = self.reading.options
        if not self.script.lines:
            self.notes.append("The manuscript has no text that could be read; nothing was sent.")
            return self.result(False)
        limit = self.reading.limit()
        pairs = Pairs(self.script)
        known = of_candidates(candidates, self.script, options.candidates)
        parts = windows(self.script) if options.windows else ()
        whole = self.reading.whole(limit)
        self.account.total = (whole is not None) + len(parts) + -(-(len(known) + options.limit) // PER_CALL)
        if whole is not None:
            for pair in await self._propose(whole, "whole text", None):
                pairs.add(pair)
        elif options.whole:
            self.notes.append("The manuscript is too long to be read at once within the limit; it is read in windows.")
        await self._read_windows(parts, pairs, limit)
        for pair in known:
            pairs.add(pair)
        await self.verify(pairs.all(), limit)
        return self.result(not self.account.failures)

    async def paragraph(self, entries: Sequence[int]) -> Contradictions:
        """One paragraph."""
        request = self.reading.paragraph(entries)
        if request is not None:
            pairs = Pairs(self.script)
            for pair in await self._propose(request, "edited paragraph", None):
                pairs.add(pair)
            await self.verify(pairs.all(), None)
        return self.result(not self.account.failures)

    async def _read_windows(self, parts: Sequence[tuple[Line, ...]], pairs: Pairs, limit: int) -> None:
        ledger = Ledger(self.script, seeds(self.reading.manuscript, self.script) if parts else ())
        for number, window in enumerate(parts):
            request = self.reading.window(window, ledger, number, len(parts))
            if self.used + input_tokens(request) + self.reading.reserve(limit) > limit:
                left = len(parts) - number
                self.notes.append(
                    f"The limit of input tokens was reached: {left} of {len(parts)} windows were not read."
                )
                return
            if self.account.stopped:
                return
            for pair in await self._propose(request, f"window {number + 1}", ledger):
                pairs.add(pair)

    async def _propose(self, request: ModelRequest, view: str, ledger: Ledger | None) -> tuple[Pair, ...]:
        self.used += input_tokens(request)
        outcome = await self.account.ask(self.model, request)
        if not outcome.answered:
            return ()
        if ledger is not None:
            ledger.take(outcome.data, self.dropped)
        return proposed(outcome.data, self.script, view, self.dropped, self.reading.options.limit)

    async def verify(self, pairs: Sequence[Pair], limit: int | None) -> None:
        """Decides on as many pairs as the limit allows; the others stay undecided and are reported as such."""
        epoch = self.reading.options.epoch
        taken = len(pairs)
        if limit is not None:
            room, taken = limit - self.used, 0
            for number, request in enumerate(verifications(self.script, pairs, epoch)):
                room -= input_tokens(request)
                if room < 0:
                    break
                taken = min(len(pairs), PER_CALL * (number + 1))
            if taken < len(pairs):
                self.notes.append(
                    f"The limit of input tokens was reached: {len(pairs) - taken} pairs were not verified."
                )
        now = pairs[:taken]
        self.used += sum(input_tokens(request) for request in verifications(self.script, now, epoch))
        found = await verify(self.script, now, self.model, self.account, self.dropped, epoch)
        self.points += found.points
        self.refuted += found.refuted
        self.undecided += [*found.undecided, *pairs[taken:]]

    def result(self, complete: bool) -> Contradictions:
        """What there is."""
        return Contradictions(
            folded(self.points),
            tuple(self.refuted),
            tuple(self.undecided),
            self.account,
            self.dropped,
            complete,
            self.used,
            tuple(self.notes),
        )
