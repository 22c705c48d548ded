"""A review as one HTML page without scripts and without anything from elsewhere."""

from collections.abc import Iterator
from html import escape

from analyzers.review.tracking import State, Tracked
from server.report.review_model import SECTIONS, ReviewReport, caveats, quote, scores_of, source_line

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}li{margin:.7rem 0}.where{color:#555;font-size:.85rem}
blockquote{margin:.3rem 0;padding-left:.8rem;border-left:3px solid #ccc;color:#444;font-size:.9rem}
.warning{border-left:4px solid #b54708;padding-left:.6rem}.information{border-left:4px solid #175cd3;padding-left:.6rem}
.hint{border-left:4px solid #98a2b3;padding-left:.6rem}.closed{opacity:.55}details{font-size:.9rem}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}.where,blockquote{color:#aaa}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_review_html(report: ReviewReport) -> str:
    """The page."""
    title = escape(report.title or report.root)
    body = "\n".join(_body(report))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>Review of {title}</title><style>{_STYLE}</style></head>\n'
        f"<body><h1>Review of {title}</h1>\n{body}\n</body></html>\n"
    )


def _body(report: ReviewReport) -> Iterator[str]:
    yield f"<p>{escape(source_line(report))}</p>"
    notes = caveats(report)
    if notes:
        yield "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"
    for kind, name, usual in SECTIONS:
        points = report.of(kind)
        if points:
            yield f"<h2>{escape(report.heading(name, usual))}</h2>"
            yield "<ol>" + "".join(_point(report, item) for item in points) + "</ol>"
    for record in report.records:
        if record.recommendation:
            yield f"<h2>{escape(report.heading('recommendation', 'Overall Recommendation'))}</h2>"
            yield f"<p>{escape(record.recommendation)}</p>"
        if report.form is not None and record.scores:
            scores = [
                f"<li>{escape(scale.title)}: <b>{escape(value)}</b> {escape(meaning)}</li>"
                for scale, value, meaning in scores_of(record, report.form)
            ]
            yield f"<h2>{escape(report.heading('score', 'Score'))}</h2><ul>{''.join(scores)}</ul>"
    tasks = report.todo()
    if tasks:
        yield f"<h2>{escape(report.heading('todo', 'To-do'))}</h2>"
        yield "<ol>" + "".join(f"<li>{escape(item.point.text)} {_where(report, item)}</li>" for item in tasks) + "</ol>"


def _point(report: ReviewReport, item: Tracked) -> str:
    closed = "" if item.state is State.OPEN else " closed"
    parts = [f'<li class="{report.severity(item)}{closed}">{escape(item.point.text)} {_where(report, item)}']
    if quote(item):
        parts.append(f"<blockquote>{escape(quote(item))}</blockquote>")
    if item.state is not State.OPEN:
        parts.append(f"<div>{escape(item.state)}{escape(f': {item.reason}') if item.reason else ''}</div>")
    if item.point.also:
        also = "".join(f"<li>{escape(other.text)}</li>" for other in item.point.also)
        parts.append(f"<details><summary>Also said ({len(item.point.also)})</summary><ul>{also}</ul></details>")
    return "".join([*parts, "</li>"])


def _where(report: ReviewReport, item: Tracked) -> str:
    where = ", ".join(report.where(item)) or ("its text is gone" if item.anchors else "whole paper")
    return f'<span class="where">({escape(where)})</span>'
