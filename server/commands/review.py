"""`counterclaim review`: a whole review of a manuscript by a language model, pinned to its lines."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.model_options import (
    Allow,
    BaseUrl,
    Budget,
    DryRun,
    FormatName,
    ManuscriptPath,
    ModelName,
    NoLedger,
    Output,
    Provider,
    Quiet,
    Replay,
    Workspace,
    format_named,
)
from server.commands.review_parts import ModelOptions, run_on_manuscripts
from server.commands.terminal import USAGE, say

if TYPE_CHECKING:
    from analyzers.review.account import Progress
    from analyzers.review.pictures import Picture
    from analyzers.review.port import Model, ModelRequest
    from analyzers.review.reviewers.mlr import ReviewOptions
    from server.review_models import ModelSetup
    from server.review_run import Made, Prepared


WEB, BIBLIOGRAPHY = "web", "bibliography"
SOURCES = (WEB, BIBLIOGRAPHY)


@dataclass(frozen=True, slots=True)
class ReviewCommand:
    """The options of the command.

    `searches` above 0 asks for a report on the literature from `source`.  `index` and `online` say where bibliographic records
    come from; `base_urls` replaces addresses of services.
    """

    common: ModelOptions
    reviewer: str = "mlr"
    ensemble: int = 1
    form: str = "neurips"
    tone: str = "useful"
    language: str = "English"
    searches: int = 0
    ten_pages: bool = False
    source: str = WEB
    index: Path | None = None
    online: bool = False
    base_urls: Mapping[str, str] = field(default_factory=dict)


def run_review_command(command: ReviewCommand) -> int:
    """Reviews and prints; the exit code is that of `run_on_manuscripts`."""
    from server.review_run import run_review

    problem = _problem(command)
    if problem:
        say(problem)
        return USAGE

    planned: dict[str, ReviewOptions] = {}

    def requests(ready: "Prepared", workspace: Path, setup: "ModelSetup") -> "tuple[ModelRequest, ...]":
        # Records are looked up once: what was shown is what is sent.
        options = _options(command, ready, _records(command, ready))
        options = planned[ready.root] = replace(options, pictures=_pictures(ready, workspace, setup))
        return ready.requests(command.reviewer, options)

    async def run(ready: "Prepared", model: "Model", made: str, watch: "Callable[[Progress], None]") -> "Made":
        return await run_review(ready, model, command.reviewer, planned[ready.root], made, watch)

    what = f"{command.reviewer} {command.ensemble} {command.form} {command.tone} {command.language} {command.searches}"
    return run_on_manuscripts(command.common, what, requests, run, command.ten_pages)


def _pictures(ready: "Prepared", workspace: Path, setup: "ModelSetup") -> "tuple[Picture, ...]":
    """The pictures of figures, when the user's own settings allow them for reviews."""
    from analyzers.review.port import Role

    if not setup.roles[Role.REVIEW].images:
        return ()
    from server.figures import pictures_of

    pictures, notes = pictures_of(ready, workspace)
    for note in notes:
        say(f"{ready.root}: {note}")
    return pictures


def _records(command: ReviewCommand, ready: "Prepared") -> tuple[str, ...]:
    """Bibliographic records for the literature agent; services are not asked in a dry run."""
    if command.source != BIBLIOGRAPHY or not ready.script.main:
        return ()
    from clients.bibliography.index import IndexFileError
    from server.cli import own_version
    from server.literature import LiteratureOptions, related_literature

    online = command.online and not command.common.dry_run
    if command.online:
        tense = "is" if online else "would be"
        say(f"{ready.root}: the title {tense} sent to bibliographic services.")
    cache = command.common.data / "records.sqlite" if command.common.data is not None else None
    email = os.environ.get("COUNTERCLAIM_EMAIL", "")
    options = LiteratureOptions(command.index, online, email, own_version(), command.base_urls, cache)
    try:
        found = related_literature(ready, command.searches, options)
    except IndexFileError as error:
        say(str(error))
        return ()
    for note in found.notes:
        say(f"{ready.root}: {note}")
    return found.lines


def _options(command: ReviewCommand, ready: "Prepared", records: tuple[str, ...]) -> "ReviewOptions":
    from analyzers.review.reviewers.mlr import ReviewOptions

    return ReviewOptions(
        form=command.form,
        tone=command.tone,
        ensemble=command.ensemble,
        searches=command.searches if command.source == WEB else 0,
        records=records,
        references=ready.references,
        language=command.language,
    )


def _problem(command: ReviewCommand) -> str:
    from analyzers.review.form import form_names
    from analyzers.review.reviewers.mlr import TONES
    from analyzers.review.reviewers.registry import REVIEWERS

    for option, value, allowed in (
        ("--reviewer", command.reviewer, tuple(REVIEWERS)),
        ("--form", command.form, form_names()),
        ("--tone", command.tone, TONES),
        ("--literature-source", command.source, SOURCES),
    ):
        if value not in allowed:
            return f"{option} {value}: use one of {', '.join(allowed)}."
    if not 1 <= command.ensemble <= 16:
        return "--ensemble takes a number from 1 to 16."
    if not 0 <= command.searches <= 50:
        return "--literature takes a number of searches from 0 to 50."
    if command.source == BIBLIOGRAPHY and not command.searches:
        return "--literature-source bibliography needs --literature with the number of searches."
    if command.source != BIBLIOGRAPHY and (command.online or command.index is not None):
        return "--online and --index need --literature-source bibliography."
    return ""


def review(
    path: ManuscriptPath,
    reviewer: Annotated[str, typer.Option(help="mlr (three passes) or mlr-combined (one call).")] = "mlr",
    ensemble: Annotated[int, typer.Option(help="How many reviews; their points are united.")] = 1,
    form: Annotated[str, typer.Option(help="neurips, iclr, icml, acl-arr or journal.")] = "neurips",
    tone: Annotated[str, typer.Option(help="useful, strict or gentle.")] = "useful",
    language: Annotated[str, typer.Option(help="The language of the review.")] = "English",
    literature: Annotated[int, typer.Option(help="Searches for related work; 0 for none, as in blind tests.")] = 0,
    literature_source: Annotated[
        str, typer.Option(help="web (the provider searches) or bibliography (the local index, and --online).")
    ] = WEB,
    index: Annotated[Path | None, typer.Option(help="The local index; the default one when it exists.")] = None,
    online: Annotated[
        bool, typer.Option("--online", help="Also ask bibliographic services: the title leaves this machine.")
    ] = False,
    ten_pages: Annotated[bool, typer.Option("--ten-pages", help="Read only ten pages as main text.")] = False,
    budget: Budget = None,
    dry_run: DryRun = False,
    allow: Allow = False,
    format: FormatName = "md",  # noqa: A002
    output: Output = None,
    provider: Provider = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    replay: Replay = None,
    no_ledger: NoLedger = False,
    workspace: Workspace = None,
    quiet: Quiet = False,
) -> None:
    """Review a manuscript with a language model; sends text only after you agreed."""
    common = ModelOptions(
        path,
        workspace,
        format_named(format),
        budget,
        dry_run,
        allow,
        provider,
        model,
        base_url,
        replay,
        output,
        not no_ledger,
        quiet,
    )
    command = ReviewCommand(
        common, reviewer, ensemble, form, tone, language, literature, ten_pages, literature_source, index, online
    )
    raise typer.Exit(run_review_command(command))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)
