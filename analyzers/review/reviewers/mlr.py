"""MLR, the multi-layered review: an appendix agent, an optional literature agent, and three passes that build on one another.

Source: “Beyond Imitation: A Framework and Benchmark for LLM-Assisted Peer Review” (stages, what each reads and writes, the
combined mode, the ensemble).  The wording of the prompts is our own.  Every pass repeats the same system and manuscript, so that
a provider's cache holds them once; the passes are turns of one exchange.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzers.review.account import Account, Watch, unwatched
from analyzers.review.folding import folded
from analyzers.review.form import DEFAULT_FORM, Form, form_of, number
from analyzers.review.pictures import Picture, segments_of
from analyzers.review.planning import input_tokens
from analyzers.review.points import Dropped, Importance, Point, PointKind
from analyzers.review.port import Model, ModelRequest, Outcome, OutcomeKind, Role, Segment, Speaker, Turn
from analyzers.review.prompting import fenced, instruction, system
from analyzers.review.schema import SUMMARY_SCHEMA, Note, Review, read_review, review_schema
from analyzers.review.script import Line, Script, tokens_in

TONES = ("useful", "strict", "gentle")
_PASS_TOKENS = (3_000, 5_000, 6_000)
_COMBINED_TOKENS = 7_000
_APPENDIX_TOKENS = 2_500
_APPENDIX_PIECE = 24_000
_APPENDIX_PIECES = 4
# A blank of this many for a token: the upper bound of a token in plain text.
_CHARACTERS = 3
_LITERATURE_TOKENS = 2_500
_MAX_FOCUS = 400
# Without this pass the others still make sense: it has no usable answer, and would have none if it were asked again.
_GO_ON = frozenset({OutcomeKind.REFUSED, OutcomeKind.TRUNCATED, OutcomeKind.MALFORMED})


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How to review.  `searches` above 0 switches the literature agent on; `literature` is a report from elsewhere.

    `records` are lines of bibliographic records for the literature agent, which then reads those and searches nothing.
    `pictures` are shown to the passes after the manuscript.  `focus` are ids of the lines of one section that the review is about; `references` the cited works.
    """

    form: str = DEFAULT_FORM
    tone: str = "useful"
    ensemble: int = 1
    combined: bool = False
    appendix: bool = True
    searches: int = 0
    literature: str = ""
    records: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    focus: tuple[str, ...] = ()
    language: str = "English"

    @property
    def positions(self) -> bool:
        """Whether the literature agent is asked."""
        return bool(self.searches or self.records) and not self.literature


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of it.  `complete` is False when a stage that the review needs has no answer; what there is stands anyway."""

    review: Review
    reviews: tuple[Review, ...]
    account: Account
    dropped: Dropped
    complete: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a review will ask at most: calls, and tokens by the planning estimate."""

    calls: int
    input_tokens: int
    output_tokens: int


async def review_manuscript(
    script: Script, model: Model, options: ReviewOptions | None = None, watch: Watch = unwatched
) -> Reviewed:
    """One review, or the union of several.  Cancelling the task ends it at once; finished calls are in the model's cache."""
    options = options or ReviewOptions()
    run = _Run(script, model, options, Account(watch, plan(script, options).calls))
    return await run.all()


def plan(script: Script, options: ReviewOptions) -> Plan:
    """What the review will ask, from the lengths of the prompts and the bounds of the answers."""
    requests = planned_requests(script, options)
    return Plan(
        len(requests),
        sum(input_tokens(request) for request in requests),
        sum(request.max_output_tokens for request in requests),
    )


def planned_requests(script: Script, options: ReviewOptions) -> tuple[ModelRequest, ...]:
    """The requests of a review before anything is asked; blanks stand for answers that later ones will hold, at their bound."""
    if not script.main:
        return ()
    form = form_of(options.form)
    pieces = appendix_pieces(script, options)[:_APPENDIX_PIECES]
    found = [_summary_request(text) for text in pieces]
    if options.positions:
        found.append(_literature_request(script, options))
    summary = " " * (_CHARACTERS * _APPENDIX_TOKENS * len(pieces))
    report = options.literature or " " * (_CHARACTERS * _LITERATURE_TOKENS * options.positions)
    values = _values(options, summary + report)
    opening = _opening(script, options)
    for epoch in range(max(1, options.ensemble)):
        if options.combined:
            turns = [_user(*opening, Segment(instruction("combined", **values)))]
            found.append(_review_request(form, turns, epoch, f"review {epoch + 1}", _COMBINED_TOKENS))
            continue
        turns = [_user(*opening, Segment(instruction("pass1")))]
        for number_, tokens in enumerate(_PASS_TOKENS):
            found.append(_review_request(form, turns, epoch, f"review {epoch + 1}, pass {number_ + 1} of 3", tokens))
            following = instruction("pass2") if number_ == 0 else instruction("pass3", **values)
            answer = Turn(Speaker.ASSISTANT, (Segment(" " * (_CHARACTERS * tokens)),))
            turns = [*turns, answer, _user(Segment(following))]
    return tuple(found)


def _values(options: ReviewOptions, material: str) -> dict[str, str]:
    return {
        "form": described(form_of(options.form)),
        "tone": instruction(f"tone-{options.tone}"),
        "language": options.language,
        "material": material,
    }


def _opening(script: Script, options: ReviewOptions) -> tuple[Segment, ...]:
    if not options.focus:
        return (*prefix_of(script, options), *segments_of(options.pictures))
    focus = instruction("focus", ids=", ".join(options.focus[:_MAX_FOCUS])) + "\n\n"
    return (*prefix_of(script, options), *segments_of(options.pictures), Segment(focus))


def _summary_request(text: str) -> ModelRequest:
    return ModelRequest(
        Role.APPENDIX,
        system("system"),
        (_user(Segment(fenced("manuscript", text) + "\n\n"), Segment(instruction("appendix"))),),
        SUMMARY_SCHEMA,
        "summary",
        _APPENDIX_TOKENS,
        purpose="appendix",
    )


def _literature_request(script: Script, options: ReviewOptions) -> ModelRequest:
    asked = [Segment(instruction("literature"))]
    if options.records:
        listed = fenced("literature", "\n".join(options.records)) + "\n\n"
        asked = [Segment(listed), Segment(instruction("literature-records"))]
    return ModelRequest(
        Role.LITERATURE,
        system("system"),
        (_user(*prefix_of(script, options), *asked),),
        max_output_tokens=_LITERATURE_TOKENS,
        web_searches=0 if options.records else options.searches,
        purpose="literature",
    )


def _review_request(form: Form, turns: Sequence[Turn], epoch: int, purpose: str, tokens: int) -> ModelRequest:
    return ModelRequest(
        Role.REVIEW, system("system"), tuple(turns), review_schema(form), "review", tokens, epoch, purpose=purpose
    )


def prefix_of(script: Script, options: ReviewOptions) -> tuple[Segment, ...]:
    """The manuscript, word for word the same in every request of a review."""
    title = f"Title: {script.title}\n" if script.title else ""
    parts = [fenced("manuscript", title + script.text(script.main))]
    if options.references:
        parts.append(fenced("references", "\n".join(options.references)))
    return (Segment("\n\n".join(parts) + "\n\n", cached=True),)


def appendix_pieces(script: Script, options: ReviewOptions) -> tuple[str, ...]:
    """The appendix in pieces that a small model reads well."""
    if not options.appendix:
        return ()
    pieces: list[list[Line]] = []
    size = 0
    for line in script.appendix:
        cost = tokens_in(line.text) + 4
        if not pieces or size + cost > _APPENDIX_PIECE:
            pieces.append([])
            size = 0
        pieces[-1].append(line)
        size += cost
    return tuple(script.text(piece) for piece in pieces)


@dataclass(slots=True)
class _Run:
    """One review while it is made."""

    script: Script
    model: Model
    options: ReviewOptions
    account: Account
    dropped: Dropped = field(default_factory=Dropped)
    notes: list[str] = field(default_factory=list)

    async def all(self) -> Reviewed:
        if not self.script.main:
            note = "The manuscript has no text that could be reviewed; nothing was sent."
            return Reviewed(Review(), (), self.account, self.dropped, False, (note,))
        material = await self._material()
        first = await self._review(0, material)
        # The others follow the first, whose call has put the manuscript into the provider's cache.
        rest = await asyncio.gather(*(self._review(epoch, material) for epoch in range(1, self.options.ensemble)))
        given = [review for review in (first, *rest) if review is not None]
        reviews = [review for review, _ in given]
        whole = len(given) == max(1, self.options.ensemble) and all(finished for _, finished in given)
        return Reviewed(
            joined(reviews, form_of(self.options.form)),
            tuple(reviews),
            self.account,
            self.dropped,
            whole,
            tuple(self.notes),
        )

    async def _material(self) -> str:
        """The summary of the appendix and the report on the literature, each in its fence."""
        parts: list[str] = []
        pieces = appendix_pieces(self.script, self.options)
        if len(pieces) > _APPENDIX_PIECES:
            self.notes.append(f"The appendix is long: {_APPENDIX_PIECES} of {len(pieces)} parts of it were summarised.")
        summaries = await asyncio.gather(*(self._summary(text) for text in pieces[:_APPENDIX_PIECES]))
        found = [line for lines in summaries for line in lines]
        if found:
            parts.append(fenced("appendix_summary", "\n".join(found)))
        elif self.script.appendix and self.options.appendix:
            parts.append(
                "The manuscript has an appendix that could not be summarised; do not object that details are missing."
            )
        report = self.options.literature or await self._literature()
        if report:
            parts.append(fenced("literature", report))
        return "\n\n".join(parts) + "\n\n" if parts else ""

    async def _summary(self, text: str) -> list[str]:
        outcome = await self.account.ask(self.model, _summary_request(text))
        items = outcome.data.get("items") if outcome.answered and isinstance(outcome.data, dict) else None
        return [
            f"- {' '.join(str(item.get('text', '')).split())}"
            for item in (items if isinstance(items, list) else [])[:40]
            if isinstance(item, dict) and item.get("text")
        ]

    async def _literature(self) -> str:
        if not self.options.positions:
            return ""
        outcome = await self.account.ask(self.model, _literature_request(self.script, self.options))
        if not outcome.answered:
            return ""
        found = [f"- {source.title} ({source.url})" for source in outcome.sources]
        return "\n".join([outcome.text, *(["Found:", *found] if found else [])])

    # --- the passes

    async def _review(self, epoch: int, material: str) -> tuple[Review, bool] | None:
        """A review and whether every stage of it was answered; None when there is nothing at all."""
        name = f"review {epoch + 1}"
        values = _values(self.options, material)
        opening = _opening(self.script, self.options)
        if self.options.combined:
            answer = await self._ask(
                [_user(*opening, Segment(instruction("combined", **values)))], epoch, name, _COMBINED_TOKENS
            )
            return self._final(answer, name, ())
        turns = [_user(*opening, Segment(instruction("pass1")))]
        notes: list[Note] = []
        whole = True
        for number_, following in ((1, instruction("pass2")), (2, instruction("pass3", **values))):
            outcome = await self._ask(turns, epoch, f"{name}, pass {number_} of 3", _PASS_TOKENS[number_ - 1])
            if outcome.answered:
                read, dropped = read_review(outcome.data, self.script, form_of(self.options.form), name)
                self.dropped.add(dropped)
                notes += read.notes
                turns += [Turn(Speaker.ASSISTANT, (Segment(_as_notes(read.notes)),)), _user(Segment(following))]
                continue
            whole = False
            if outcome.kind not in _GO_ON:
                # A later run resumes here; going on without this pass would pay for a poorer review.
                return (self._fallback(notes, name), False) if notes else None
            turns[-1] = _user(*turns[-1].segments[:-1], Segment(following))
        last = self._final(await self._ask(turns, epoch, f"{name}, pass 3 of 3", _PASS_TOKENS[2]), name, notes)
        return (last[0], last[1] and whole) if last is not None else None

    def _final(self, outcome: Outcome, name: str, notes: Sequence[Note]) -> tuple[Review, bool] | None:
        if not outcome.answered:
            return (self._fallback(notes, name), False) if notes else None
        review, dropped = read_review(outcome.data, self.script, form_of(self.options.form), name)
        self.dropped.add(dropped)
        return review, True

    async def _ask(self, turns: Sequence[Turn], epoch: int, purpose: str, tokens: int) -> Outcome:
        form = form_of(self.options.form)
        return await self.account.ask(self.model, _review_request(form, turns, epoch, purpose, tokens))

    def _fallback(self, notes: Sequence[Note], name: str) -> Review:
        """What the close reading found, when the synthesis did not come: paid for, and not lost."""
        self.notes.append(f"The last pass of {name} has no answer; its points are the notes of the passes before it.")
        kinds = {
            "weakness": PointKind.WEAKNESS,
            "gap": PointKind.WEAKNESS,
            "strength": PointKind.STRENGTH,
            "question": PointKind.QUESTION,
        }
        points = tuple(
            Point(kinds[note.kind], note.text, note.anchors, Importance.MINOR, (name,)).identified()
            for note in notes
            if note.kind in kinds
        )
        return Review(points, notes=tuple(notes))


def joined(reviews: Sequence[Review], form: Form) -> Review:
    """The union of reviews: points folded, scores the median on the form's scale, the first recommendation leading."""
    if len(reviews) == 1:
        return Review(folded(reviews[0].points), reviews[0].recommendation, reviews[0].scores, reviews[0].notes)
    points = folded(point for review in reviews for point in review.points)
    scores: dict[str, float] = {}
    for scale in form.scales:
        given = sorted(review.scores[scale.name] for review in reviews if scale.name in review.scores)
        if given:
            scores[scale.name] = given[(len(given) - 1) // 2]  # a value of the scale, the lower one of two
    texts = dict.fromkeys(review.recommendation for review in reviews if review.recommendation)
    return Review(points, "\n\n".join(texts), scores, tuple(note for review in reviews for note in review.notes))


def described(form: Form) -> str:
    """A form in words, for the prompt."""
    lines = [f"The form is: {form.title}."]
    for scale in form.scales:
        meaning = "; ".join(f"{number(value)} {text}" for value, text in scale.meaning.items())
        lines.append(f"Score `{scale.name}` ({scale.title}{', ' + scale.about if scale.about else ''}): {meaning}.")
    if form.guidance:
        lines.append(form.guidance)
    return "\n".join(lines)


def _as_notes(notes: Sequence[Note]) -> str:
    """The answer of a pass as the next one reads it: only what was read of it, so that a repeated run asks the same."""
    content = {"notes": [{"kind": note.kind, "text": note.text, "anchors": list(note.anchors)} for note in notes]}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _user(*segments: Segment) -> Turn:
    return Turn(Speaker.USER, segments)
