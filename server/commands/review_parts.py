"""What `review` and `contradictions` share: finding manuscripts, consent, the model, progress, the account, the report."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.commands.terminal import FINDINGS, INCOMPLETE, OK, USAGE, say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from analyzers.project.manuscript import Manuscript
    from analyzers.review.account import Progress
    from analyzers.review.port import Model, ModelRequest
    from server.checking import Target
    from server.model_consent import ModelConsent
    from server.report.review_model import ReviewReport
    from server.review_models import ModelSetup
    from server.review_run import Made, Prepared


class ReviewFormat(StrEnum):
    """How a review is written."""

    MARKDOWN = "md"
    JSON = "json"
    HTML = "html"


def asked(question: str) -> bool:
    """The answer of the person at the terminal; without one it is no."""
    if not sys.stdin.isatty():
        return False
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options that both commands have.

    `allow` is the user's consent given on the command line, `replay` a recording that answers instead of a model; `folder` and `data`
    replace the user's configuration and cache folders.
    """

    path: Path
    workspace: Path | None = None
    format: ReviewFormat = ReviewFormat.MARKDOWN
    budget: float | None = None
    dry_run: bool = False
    allow: bool = False
    provider: str | None = None
    model: str | None = None
    base_url: str | None = None
    replay: Path | None = None
    output: Path | None = None
    keep: bool = True
    quiet: bool = False
    folder: Path | None = None
    data: Path | None = None
    confirm: Callable[[str], bool] = asked


Run = Callable[["Prepared", "Model", str, Callable[["Progress"], None]], Any]
Requests = Callable[["Prepared", Path, "ModelSetup"], "tuple[ModelRequest, ...]"]


def run_on_manuscripts(
    options: ModelOptions, what: str, requests: Requests, run: Run, ten_pages: bool = False, candidates: bool = False
) -> int:
    """Runs something on every root of a path: 0 nothing grave, 1 points of severity warning, 2 incomplete, 64 wrong usage."""
    import asyncio

    from server.checking import target_of

    problem = problem_of(options)
    if problem:
        say(problem)
        return USAGE
    target = target_of(options.path, options.workspace)
    if not target.roots:
        say(target.problem or f"{options.path} holds no LaTeX file with a document class.")
        return USAGE
    setup = setup_of(options)
    prepared = [ready for root in target.roots if (ready := _prepared(target, root, ten_pages, candidates)) is not None]
    if len(prepared) < len(target.roots) and not prepared:
        return INCOMPLETE
    planned = {ready.root: requests(ready, target.workspace, setup) for ready in prepared}
    if options.dry_run:
        for ready in prepared:
            print(_disclosed(ready, planned[ready.root], setup))
        return OK
    consent = consent_of(options)
    every = [request for requests in planned.values() for request in requests]

    def shown() -> str:
        return "\n".join(_disclosed(ready, planned[ready.root], setup) for ready in prepared)

    if options.replay is None and not consented(options, target.workspace, every, shown, setup, consent):
        return USAGE
    try:
        codes = asyncio.run(_all(options, what, target, prepared, setup, consent, run))
    except KeyboardInterrupt:
        say("Stopped. What was answered is kept; a repeated run asks for the rest only.")
        return 130
    if len(prepared) < len(target.roots) or INCOMPLETE in codes:
        return INCOMPLETE
    return FINDINGS if FINDINGS in codes else OK


async def _all(
    options: ModelOptions,
    what: str,
    target: "Target",
    prepared: Sequence["Prepared"],
    setup: "ModelSetup",
    consent: "ModelConsent",
    run: Run,
) -> list[int]:
    """One manuscript after the other: an interrupted batch goes on where it was, since answers are kept."""
    from analyzers.finding import Severity
    from analyzers.review.account import bound, money
    from analyzers.review.tracking import findings
    from server.commands.bar import progress_bar
    from server.ledger import Ledger
    from server.ledger_file import LedgerError
    from server.review_run import keep

    codes: list[int] = []
    reports: list[str] = []
    with progress_bar(options.quiet) as advance:
        for ready in prepared:

            def watch(now: "Progress", ready: "Prepared" = ready) -> None:
                advance(
                    f"{ready.root}: {now.stage} ({now.usage.all_input:,} tokens, {money(now.cost_microusd)})", now.share
                )

            text = ready.script.text(ready.script.lines)
            async with model_of(options, what, target.workspace, ready.root, text, setup, consent) as model:
                made: Made = await run(ready, model, now_text(), watch)
            if options.keep:
                try:
                    keep(Ledger(target.workspace, now_text), made)
                except LedgerError as error:
                    say(f"{error} The report below is all there is.")
            report = report_of(ready, made)
            reports.append(rendered(report, options.format))
            _tell(ready, made)
            usage = made.account.usage
            spared = f" {made.account.replayed} answers were there already." if made.account.replayed else ""
            say(
                f"{ready.root}: {bound(usage.all_input, usage.output_tokens)}, {money(made.account.cost_microusd)}.{spared}"
            )
            grave = any(finding.severity is Severity.WARNING for finding in findings(made.points, ready.distance))
            codes.append(INCOMPLETE if not made.record.complete else FINDINGS if grave else OK)
    text = "".join(reports)
    if options.output is not None:
        from server.atomic import write_text_atomic

        write_text_atomic(options.output, text)
    else:
        sys.stdout.write(text)
    return codes


def _tell(ready: "Prepared", made: "Made") -> None:
    for note in made.notes:
        say(f"{ready.root}: {note}")
    for failure in made.account.failures[:5]:
        say(f"{ready.root}: {failure.stage}: {failure.kind}{f' ({failure.detail})' if failure.detail else ''}.")


def report_of(ready: "Prepared", made: "Made") -> "ReviewReport":
    """The report on one run."""
    from server.report.review_model import ReviewReport

    return ReviewReport(
        ready.root,
        ready.script.title,
        (made.record,),
        made.points,
        positions_of(ready.manuscript),
        ready.distance,
        made.undecided,
        made.refuted,
        len(ready.script.withheld),
    )


def positions_of(manuscript: "Manuscript") -> Callable[[str, int], tuple[int, int] | None]:
    """Line and column, from 1, of an offset."""

    def at(path: str, offset: int) -> tuple[int, int] | None:
        document = manuscript.files.get(path)
        if document is None:
            return None
        line, column = document.lines.line_column(min(offset, len(document.text)))
        return line + 1, column + 1

    return at


def rendered(report: "ReviewReport", how: ReviewFormat) -> str:
    """The report in a format."""
    from server.report.review_html import render_review_html
    from server.report.review_json import render_review_json
    from server.report.review_markdown import render_review_markdown

    if how is ReviewFormat.JSON:
        return render_review_json(report)
    return render_review_html(report) if how is ReviewFormat.HTML else render_review_markdown(report)


def now_text() -> str:
    """The time in ISO format, with its zone."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def setup_of(options: ModelOptions) -> "ModelSetup":
    """The user's models with the options of the command over them; what could not be used of the settings is said."""
    from server.review_models import model_setup

    given = {"provider": options.provider, "model": options.model, "base_url": options.base_url}
    setup = model_setup(given, os.environ, options.folder, options.data)
    for note in setup.notes:
        say(note)
    return setup.limited(None if options.budget is None else round(options.budget * 1_000_000))


def _prepared(target: "Target", root: str, ten_pages: bool, candidates: bool) -> "Prepared | None":
    from analyzers.project.assemble import assemble
    from analyzers.project.reader import ReadFailure
    from server.review_run import prepared
    from server.settings import read_settings

    read = target.library.document(root)
    if isinstance(read, ReadFailure):
        say(f"{root} could not be read: {read.message}.")
        return None
    settings = read_settings(target.library.reader, root)
    configuration = settings.configuration
    search = tuple(settings.beside(folder) for folder in configuration.search)
    manuscript = assemble(target.library, root, search, None, configuration.language, configuration.words)
    return prepared(manuscript, ten_pages, candidates)


def _disclosed(ready: "Prepared", requests: Iterable["ModelRequest"], setup: "ModelSetup") -> str:
    from analyzers.review.account import money
    from analyzers.review.consent import described
    from server.review_models import what_would_be_sent

    disclosure = what_would_be_sent(ready.script, requests, setup)
    return f"{ready.root}\n{described(disclosure, money(disclosure.cost_microusd))}"


def consent_of(options: ModelOptions) -> "ModelConsent":
    """The switches of the user; one object for a whole run, because what cannot be written holds for that object alone."""
    from server.model_consent import ModelConsent

    return ModelConsent(options.folder / "consent" if options.folder is not None else None)


def consented(
    options: ModelOptions,
    workspace: Path,
    requests: Iterable["ModelRequest"],
    shown: Callable[[], str],
    setup: "ModelSetup",
    consent: "ModelConsent",
) -> bool:
    """Whether the requests may be sent: consent is kept, was given as an option, or is given now that all is `shown`."""
    recipients = {setup.roles[request.role].recipient for request in requests}
    if all(consent.reason(workspace, recipient) is None for recipient in recipients):
        return True
    say(shown())
    if not options.allow and not options.confirm("Send this, now and in later reviews of this workspace? [y/N] "):
        say("Nothing was sent. Use --allow to agree, or --dry-run to look only.")
        return False
    consent.give(workspace, recipients, datetime.now().astimezone().date())
    return True


def problem_of(options: ModelOptions) -> str:
    """What is wrong with the options; empty when nothing is."""
    if options.budget is not None and not 0 <= options.budget <= 100_000:
        return "--budget takes an amount in dollars."
    if options.replay is None:
        return ""
    from clients.models.replay import RecordingError, load

    try:
        load(options.replay)
    except RecordingError as error:
        return str(error)
    except (OSError, ValueError) as error:
        return f"--replay {options.replay} could not be read ({type(error).__name__})."
    return ""


@asynccontextmanager
async def _replayed(path: Path) -> "AsyncIterator[Model]":
    from clients.models.replay import ReplayModel

    yield ReplayModel.from_file(path)


def model_of(
    options: ModelOptions,
    what: str,
    workspace: Path,
    root: str,
    text: str,
    setup: "ModelSetup",
    consent: "ModelConsent",
) -> "AbstractAsyncContextManager[Model]":
    """The recording, or the guarded model of one manuscript; `what` and `text` name the work in the account."""
    from server.review_models import opened_model
    from server.review_run import review_name

    if options.replay is not None:
        return _replayed(options.replay)
    # The same work on the same text has the same name: a run that is repeated after a crash keeps to one budget.
    name = review_name(str(workspace.absolute()) + root, text, what)
    return opened_model(setup, consent.guard(workspace, lambda: True), name)
