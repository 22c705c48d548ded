"""The commands of the review.  Each takes one object and answers at once; what asks a model runs as a job."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from lsprotocol import types as lsp

from analyzers.related.paragraph import paragraph_at
from analyzers.review.contradiction.search import SearchOptions
from analyzers.review.form import DEFAULT_FORM, form_names
from analyzers.review.reviewers.mlr import TONES, ReviewOptions
from analyzers.review.reviewers.registry import REVIEWERS
from analyzers.review.stats import Judgement
from analyzers.review.tracking import State, Tracked, message_of
from server.arguments import file_in, given_in, text_in
from server.commands.review_parts import ReviewFormat, positions_of, rendered
from server.folders import OpenFile
from server.jobs import Job
from server.kept import FOLDER
from server.ledger_file import LedgerError
from server.places import location
from server.positions import to_offsets
from server.protocol import InvalidArgumentsError, Server
from server.report.review_model import ReviewReport
from server.review_jobs import REVIEW_SECONDS, NotAgreedError, ReviewJobs, reviews_of
from server.review_run import Prepared
from server.session import Session

DOCUMENT = "counterclaim.review.document"
SECTION = "counterclaim.review.section"
CONTRADICTIONS = "counterclaim.review.contradictions"
RECHECK = "counterclaim.review.recheck"
TODO = "counterclaim.review.todo"
EXPORT = "counterclaim.review.export"
CLEAR = "counterclaim.review.clear"
WHAT_WOULD_BE_SENT = "counterclaim.review.whatWouldBeSent"
ON_SAVE = "counterclaim.review.onSave"
WITHDRAW = "counterclaim.review.withdrawConsent"
ACCEPT = "counterclaim.review.accept"
DISMISS = "counterclaim.review.dismiss"
NEUTRAL = "counterclaim.review.neutral"
ADDRESSED = "counterclaim.review.addressed"
REOPEN = "counterclaim.review.reopen"
OTHER_SIDE = "counterclaim.review.otherSide"
SHOW_POINT = "counterclaim.review.showPoint"
_NO_DOCUMENT = {"message": "No document is open."}
_SUFFIX = {ReviewFormat.MARKDOWN: "md", ReviewFormat.JSON: "json", ReviewFormat.HTML: "html"}


def register(server: Server, session: Session) -> None:
    """Registers the commands."""
    reviews = reviews_of(session)
    _register_jobs(server, session, reviews)
    _register_views(server, session, reviews)
    _register_points(server, session, reviews)


def _register_jobs(server: Server, session: Session, reviews: ReviewJobs) -> None:
    def start(title: str, work: Callable[[Job], Awaitable[str]]) -> dict[str, Any]:
        async def guarded(job: Job) -> str:
            try:
                return await work(job)
            except (NotAgreedError, LedgerError) as error:
                server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=str(error)))
                return str(error)

        return {"token": session.jobs.start(title, guarded, REVIEW_SECONDS)}

    @server.command(DOCUMENT)
    def document(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file, options, reviewer, consent = (
            file_in(session, given),
            _options(given),
            _reviewer(given, "mlr"),
            _consent(given),
        )
        if file is None:
            return _NO_DOCUMENT
        return start(
            "Reviewing the manuscript",
            lambda job: reviews.review(file.folder, file.path, job, reviewer, options, consent),
        )

    @server.command(SECTION)
    def section(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file, options, reviewer = file_in(session, given), _options(given), _reviewer(given, "mlr-combined")
        consent = _consent(given)
        if file is None:
            return _NO_DOCUMENT
        offset = _offset(session, file, given)

        def focus(ready: Prepared) -> tuple[str, ...]:
            entries = paragraph_at(ready.manuscript, file.path, offset, offset)
            wanted = {ready.manuscript.entries[index].section for index in entries}
            return tuple(line.id for line in ready.script.lines if line.section in wanted)

        return start(
            "Reviewing the section",
            lambda job: reviews.review(file.folder, file.path, job, reviewer, options, consent, focus),
        )

    @server.command(CONTRADICTIONS)
    def contradictions(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file, consent = file_in(session, given), _consent(given)
        if file is None:
            return _NO_DOCUMENT
        if given.get("paragraph") is True:
            manuscript = reviews.manuscript(file.folder, file.path)
            if manuscript is None:
                return {"message": "The manuscript has not been analysed yet."}
            offset = _offset(session, file, given)
            entries = paragraph_at(manuscript, file.path, offset, offset)
            return start(
                "Comparing the paragraph",
                lambda job: reviews.paragraph(file.folder, file.path, entries, job, consent),
            )
        return start(
            "Looking for contradictions",
            lambda job: reviews.contradictions(file.folder, file.path, job, SearchOptions(), consent),
        )

    @server.command(RECHECK)
    def recheck(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments, "id")
        name, file, consent = text_in(given, "id"), file_in(session, given), _consent(given)
        if file is None:
            return _NO_DOCUMENT
        ledger = reviews.ledger(file.folder)
        chosen = [ledger.get(name)] if name is not None else list(ledger.points())
        points = [point for point in chosen if point is not None and point.state is State.OPEN]
        if not points:
            return {"message": "There is no open point to check."}
        return start("Re-checking", lambda job: reviews.recheck(file.folder, file.path, points, job, consent))

    @server.command(ON_SAVE)
    def on_save(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file = file_in(session, given)
        if file is None:
            return _NO_DOCUMENT
        on = given.get("on") is not False
        reviews.switch_on_save(file.folder, on)
        state = "are compared with the rest after each save" if on else "are not compared on save"
        return {"on": on, "message": f"Edited paragraphs {state}."}

    @server.command(WITHDRAW)
    def withdraw(*arguments: Any) -> dict[str, Any]:
        file = file_in(session, given_in(arguments))
        if file is None:
            return _NO_DOCUMENT
        reviews.consent.withdraw(file.folder.place)
        return {"message": "Nothing of this workspace is sent to a model any more."}


def _register_views(server: Server, session: Session, reviews: ReviewJobs) -> None:
    @server.command(WHAT_WOULD_BE_SENT)
    def what_would_be_sent(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file = file_in(session, given)
        manuscript = reviews.manuscript(file.folder, file.path) if file is not None else None
        if file is None or manuscript is None:
            return {"message": "The manuscript has not been analysed yet."}
        search = given.get("what") == "contradictions"
        ready = reviews.prepared(manuscript, candidates=search)
        if search:
            requests = ready.search_requests(SearchOptions())
        else:
            pictures = reviews.pictures(file.folder, ready)
            options = replace(_options(given), references=ready.references, pictures=pictures)
            requests = ready.requests(_reviewer(given, "mlr"), options)
        message = reviews.disclosed(ready, requests)
        prompts = [segment.text for request in requests for turn in request.turns[:1] for segment in turn.segments]
        return {"message": message, "calls": len(requests), "prompts": prompts if given.get("prompts") is True else []}

    @server.command(TODO)
    def todo(*arguments: Any) -> dict[str, Any]:
        file = file_in(session, given_in(arguments))
        if file is None:
            return _NO_DOCUMENT
        tasks = _report(reviews, file).todo()
        items = [{**_shown(session, file, item), "text": item.point.text} for item in tasks if item.state is State.OPEN]
        lines = [f"{number}. {item['text']}" for number, item in enumerate(items, start=1)]
        return {"message": "\n".join(lines) or "Nothing is to do.", "items": items}

    @server.command(EXPORT)
    def export(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments, "format")
        file = file_in(session, given)
        how = text_in(given, "format") or ReviewFormat.MARKDOWN.value
        if how not in set(ReviewFormat):
            raise InvalidArgumentsError(f"`format` must be one of {', '.join(ReviewFormat)}")
        if file is None:
            return _NO_DOCUMENT
        text = rendered(_report(reviews, file), ReviewFormat(how))
        place = file.folder.place
        if given.get("write") is not True or place is None:
            return {"text": text, "format": how}
        from server.atomic import write_text_atomic

        path = place / FOLDER / f"review-report.{_SUFFIX[ReviewFormat(how)]}"
        try:
            if not path.parent.resolve().is_relative_to(place.resolve()):
                return {"message": f"{FOLDER} leads out of the workspace, so nothing was written."}
            path.parent.mkdir(exist_ok=True)
            write_text_atomic(path, text)
        except OSError as error:
            return {"message": f"The review could not be written: {error.strerror}."}
        return {
            "text": text,
            "format": how,
            "file": f"{FOLDER}/{path.name}",
            "message": f"Written to {FOLDER}/{path.name}.",
        }

    @server.command(CLEAR)
    def clear(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file = file_in(session, given)
        if file is None:
            return _NO_DOCUMENT
        manuscript = reviews.manuscript(file.folder, file.path)
        root = manuscript.root if manuscript is not None else None
        count = reviews.ledger(file.folder).clear(root, keep_judged=given.get("all") is not True)
        reviews.changed(file.folder)
        return {"cleared": count, "message": f"{count} points were removed."}


def _register_points(server: Server, session: Session, reviews: ReviewJobs) -> None:
    def judge(arguments: tuple[Any, ...], judgement: Judgement) -> dict[str, Any]:
        given = given_in(arguments, "id")
        file, name = _point(session, given)
        done = reviews.ledger(file.folder).judge(name, judgement, text_in(given, "reason") or "")
        return _done(reviews, file, done)

    @server.command(ACCEPT)
    def accept(*arguments: Any) -> dict[str, Any]:
        return judge(arguments, Judgement.ACCEPTED)

    @server.command(DISMISS)
    def dismiss(*arguments: Any) -> dict[str, Any]:
        return judge(arguments, Judgement.DISMISSED)

    @server.command(NEUTRAL)
    def neutral(*arguments: Any) -> dict[str, Any]:
        return judge(arguments, Judgement.NEUTRAL)

    @server.command(ADDRESSED)
    def addressed(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments, "id")
        file, name = _point(session, given)
        return _done(reviews, file, reviews.ledger(file.folder).address(name, text_in(given, "reason") or ""))

    @server.command(REOPEN)
    def reopen(*arguments: Any) -> dict[str, Any]:
        file, name = _point(session, given_in(arguments, "id"))
        return _done(reviews, file, reviews.ledger(file.folder).reopen(name))

    @server.command(SHOW_POINT)
    def show_point(*arguments: Any) -> dict[str, Any]:
        file, name = _point(session, given_in(arguments, "id"))
        item = reviews.ledger(file.folder).get(name)
        if item is None:
            return {"message": "This point is gone already."}
        lines = [message_of(item)]
        lines += [f"Also: {other.text}" for other in item.point.also]
        lines += [f"Found by {', '.join(item.point.views)}."] if item.point.views else []
        lines += [f"“{anchor.original or anchor.text}”" for anchor in item.anchors]
        lines += [f"Re-check: {item.reason}"] if item.reason else []
        return {"message": "\n".join(lines), **_shown(session, file, item)}

    @server.command(OTHER_SIDE)
    def other_side(*arguments: Any) -> dict[str, Any]:
        file, name = _point(session, given_in(arguments, "id"))
        item = reviews.ledger(file.folder).get(name)
        places = _shown(session, file, item)["places"] if item is not None else []
        if len(places) < 2:
            return {"message": "This point has one place only."}
        there = places[-1]
        window = session.capabilities.window
        if window and window.show_document and window.show_document.support:
            span = there["range"]
            where = lsp.Range(lsp.Position(**span["start"]), lsp.Position(**span["end"]))
            params = lsp.ShowDocumentParams(uri=there["uri"], take_focus=True, selection=where)

            async def work(_: Job) -> None:
                await server.window_show_document_async(params)

            session.jobs.start("Showing the other side", work)
        return {"location": there}


def _done(reviews: ReviewJobs, file: OpenFile, item: Tracked | None) -> dict[str, Any]:
    if item is None:
        return {"message": "This point is gone already."}
    reviews.changed(file.folder)
    return {"state": item.state.value, "judgement": item.judgement.value}


def _shown(session: Session, file: OpenFile, item: Tracked) -> dict[str, Any]:
    places = [
        place for anchor in item.here if (place := location(file.folder, anchor.span, session.encoding)) is not None
    ]
    return {
        "id": item.point.id,
        "section": item.point.kind.value,
        "state": item.state.value,
        "judgement": item.judgement.value,
        "effort": item.point.effort,
        "places": [
            {
                "uri": place.uri,
                "range": {
                    "start": {"line": place.range.start.line, "character": place.range.start.character},
                    "end": {"line": place.range.end.line, "character": place.range.end.character},
                },
            }
            for place in places
        ],
    }


def _report(reviews: ReviewJobs, file: OpenFile) -> ReviewReport:
    from analyzers.graph.build import graph_of
    from analyzers.review.script_lines import title_of
    from analyzers.review.tracking import graph_distance, unknown_distance

    manuscript = reviews.manuscript(file.folder, file.path)
    ledger = reviews.ledger(file.folder)
    root = manuscript.root if manuscript is not None else file.path
    return ReviewReport(
        root,
        title_of(manuscript, {}) if manuscript is not None else "",
        tuple(record for record in ledger.records() if record.root == root),
        ledger.points(root),
        positions_of(manuscript) if manuscript is not None else lambda path, offset: None,
        graph_distance(graph_of(manuscript)) if manuscript is not None else unknown_distance,
    )


# --- arguments


def _point(session: Session, given: Mapping[str, Any]) -> tuple[OpenFile, str]:
    file, name = file_in(session, given), text_in(given, "id")
    if file is None or name is None:
        raise InvalidArgumentsError("`uri` of an open document and `id` of a point are needed")
    return file, name


def _offset(session: Session, file: OpenFile, given: Mapping[str, Any]) -> int:
    position = given.get("position")
    if not isinstance(position, Mapping):
        raise InvalidArgumentsError("`position` in the document is needed")
    line, character = position.get("line"), position.get("character")
    if not isinstance(line, int) or not isinstance(character, int) or line < 0 or character < 0:
        raise InvalidArgumentsError("`position` in the document is needed")
    there = lsp.Position(line, character)
    return to_offsets(file.document, lsp.Range(there, there), session.encoding)[0]


def _consent(given: Mapping[str, Any]) -> bool | None:
    value = given.get("consent")
    if value is not None and not isinstance(value, bool):
        raise InvalidArgumentsError("`consent` must be true or false")
    return value


def _reviewer(given: Mapping[str, Any], usual: str) -> str:
    name = text_in(given, "reviewer") or usual
    if name not in REVIEWERS:
        raise InvalidArgumentsError(f"`reviewer` must be one of {', '.join(REVIEWERS)}")
    return name


def _options(given: Mapping[str, Any]) -> ReviewOptions:
    form, tone = text_in(given, "form") or DEFAULT_FORM, text_in(given, "tone") or TONES[0]
    ensemble, searches = given.get("ensemble", 1), given.get("literature", 0)
    if form not in form_names() or tone not in TONES:
        raise InvalidArgumentsError(
            f"`form` must be one of {', '.join(form_names())}, `tone` one of {', '.join(TONES)}"
        )
    for value, most in ((ensemble, 16), (searches, 50)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidArgumentsError("`ensemble` and `literature` are small numbers")
    return ReviewOptions(form=form, tone=tone, ensemble=max(1, ensemble), searches=searches)
