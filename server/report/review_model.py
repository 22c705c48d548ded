"""A review as reports show it, whether it was just made or comes from the ledger."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from analyzers.finding import Severity
from analyzers.review.form import Form, Scale, form_names, form_of, number
from analyzers.review.points import PointKind
from analyzers.review.todo import todo_list
from analyzers.review.tracking import Distance, Tracked, distance_of, severity_of, unknown_distance
from analyzers.text.spans import Span
from server.ledger import Record

LineColumn = Callable[[str, int], tuple[int, int] | None]
"""Line and column, both from 1, of an offset in a file; None for a file that is not known."""

SECTIONS = (
    (PointKind.CONTRADICTION, "contradictions", "Contradictions"),
    (PointKind.STRENGTH, "strengths", "Strengths"),
    (PointKind.WEAKNESS, "weaknesses", "Weaknesses"),
    (PointKind.QUESTION, "questions", "Questions"),
)
_QUOTE = 120


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """One or several reviews of one root.  `undecided` and `refuted` count pairs of a contradiction pass."""

    root: str
    title: str
    records: tuple[Record, ...]
    points: tuple[Tracked, ...]
    at: LineColumn
    distance: Distance = field(default=unknown_distance)
    undecided: int = 0
    refuted: int = 0
    withheld: int = 0

    @property
    def form(self) -> Form | None:
        """The form of the latest review that has one."""
        names = [record.form for record in self.records if record.form in form_names()]
        return form_of(names[-1]) if names else None

    @property
    def whole(self) -> bool:
        """Whether there is a review and not only a contradiction pass: then empty sections say so."""
        return any(record.form for record in self.records)

    @property
    def complete(self) -> bool:
        """Whether every review has all of its stages."""
        return all(record.complete for record in self.records)

    def of(self, kind: PointKind) -> tuple[Tracked, ...]:
        """The points of one section, in the order of their severity."""
        here = [item for item in self.points if item.point.kind is kind]
        return tuple(sorted(here, key=lambda item: self.severity(item).rank))

    def severity(self, item: Tracked) -> Severity:
        """The severity of a point."""
        return severity_of(item, self.hops(item))

    def hops(self, item: Tracked) -> int | None:
        """The distance of a point to the nearest main claim."""
        return distance_of(item, self.distance)

    def todo(self) -> tuple[Tracked, ...]:
        """The to-do list."""
        by_id = {item.point.id: item for item in self.points}
        hops = {item.point.anchors: self.hops(item) for item in self.points}
        tasks = todo_list([item.point for item in self.points], hops.get)
        return tuple(by_id[task.id] for task in tasks)

    def heading(self, name: str, usual: str) -> str:
        """What the form calls a section."""
        return self.form.sections.get(name, usual) if self.form is not None else usual

    def where(self, item: Tracked) -> tuple[str, ...]:
        """The places of a point as `file:line`, each once."""
        return tuple(dict.fromkeys(self.place(anchor.span) for anchor in item.here))

    def place(self, span: Span) -> str:
        """A place as `file:line`."""
        position = self.at(span.path, span.start)
        return f"{span.path}:{position[0]}" if position is not None else span.path


def scores_of(record: Record, form: Form) -> Iterable[tuple[Scale, str, str]]:
    """The scores of a review: the scale, the value and its meaning."""
    for scale in form.scales:
        value = (record.scores or {}).get(scale.name)
        if value is not None:
            yield scale, number(value), scale.meaning.get(value, "")


def quote(item: Tracked) -> str:
    """The beginning of the decisive place, for readers without the source."""
    if not item.here:
        return ""
    text = item.here[0].text
    return text if len(text) <= _QUOTE else text[: _QUOTE - 1].rstrip() + "…"


def source_line(report: ReviewReport) -> str:
    """Who made the reviews and what they cost, in one line."""
    models = sorted({model for record in report.records for model in record.models})
    tokens = sum(record.input_tokens for record in report.records), sum(r.output_tokens for r in report.records)
    costs = [record.cost_microusd for record in report.records]
    cost = "unknown cost" if None in costs else f"${sum(c for c in costs if c is not None) / 1e6:.4f}"
    by = f"Answers: {', '.join(models)}" if models else "No model answered"
    return f"{by}. {tokens[0]:,} input and {tokens[1]:,} output tokens, {cost}."


def caveats(report: ReviewReport) -> tuple[str, ...]:
    """What a reader has to know besides the points."""
    found = [note for record in report.records for note in record.notes]
    dropped = sum(record.dropped_anchors for record in report.records)
    if dropped:
        found.append(f"{_count(dropped, 'reference')} to lines that do not exist {_were(dropped)} dropped.")
    if report.undecided:
        found.append(f"{_count(report.undecided, 'pair')} of places got no verdict.")
    if report.withheld:
        found.append(f"{_count(report.withheld, 'hidden place')} {_were(report.withheld)} not sent.")
    if not report.complete:
        found.append(
            "A stage has no answer, so this is not the whole review. A repeated run asks for what is missing only."
        )
    return tuple(dict.fromkeys(found))


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
