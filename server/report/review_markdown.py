"""A review as Markdown: for mail, a venue's form, or a pull request."""

from collections.abc import Iterator

from analyzers.review.points import PointKind
from analyzers.review.tracking import State, Tracked
from server.report.review_model import SECTIONS, ReviewReport, caveats, quote, scores_of, source_line


def render_review_markdown(report: ReviewReport) -> str:
    """The whole review."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: ReviewReport) -> Iterator[str]:
    yield f"# Review of {_escaped(report.title or report.root)}"
    yield ""
    yield source_line(report)
    yield from _list("Note", caveats(report))
    form = report.form
    for kind, name, usual in SECTIONS:
        points = report.of(kind)
        if not points and (kind is PointKind.CONTRADICTION) is report.whole:
            continue  # sections that nobody was asked for
        yield ""
        yield f"## {report.heading(name, usual)}"
        yield ""
        if not points:
            yield "None."
        for number, item in enumerate(points, start=1):
            yield from _point(report, item, f"{number}.")
    texts = [record.recommendation for record in report.records if record.recommendation]
    if texts:
        yield ""
        yield f"## {report.heading('recommendation', 'Overall Recommendation')}"
        yield ""
        yield from texts
    if form is not None and any(record.scores for record in report.records):
        yield ""
        yield f"## {report.heading('score', 'Score')}"
        yield ""
        for record in report.records:
            for scale, value, meaning in scores_of(record, form):
                yield f"- {scale.title}: {value}{f' ({meaning})' if meaning else ''}"
    tasks = report.todo()
    if tasks:
        yield ""
        yield f"## {report.heading('todo', 'To-do')}"
        yield ""
        for item in tasks:
            box = "x" if item.state is State.ADDRESSED else " "
            yield from _point(report, item, f"- [{box}]", short=True)


def _point(report: ReviewReport, item: Tracked, mark: str, short: bool = False) -> Iterator[str]:
    where = ", ".join(report.where(item)) or ("its text is gone" if item.anchors else "whole paper")
    effort = f", {item.point.effort}" if item.point.effort else ""
    settled = "" if item.state is State.OPEN else f" [{item.state}{f': {item.reason}' if item.reason else ''}]"
    yield f"{mark} {_escaped(item.point.text)} ({where}{effort}){settled}"
    if short:
        return
    if quote(item):
        yield f"   > {_escaped(quote(item))}"
    if len(item.point.views) > 1:
        yield f"   Found by {', '.join(item.point.views)}."
    yield from (f"   Also: {_escaped(other.text)}" for other in item.point.also)


def _list(label: str, texts: tuple[str, ...]) -> Iterator[str]:
    if texts:
        yield ""
    for text in texts:
        yield f"- {label}: {_escaped(text)}"


def _escaped(text: str) -> str:
    """One line in which nothing of a model's or an author's words is markup."""
    plain = " ".join(text.split())
    for character in "\\`*_[]<>#|":
        plain = plain.replace(character, f"\\{character}")
    return plain
