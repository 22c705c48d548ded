"""`counterclaim review`: a whole review of a manuscript by a language model, pinned to its lines."""

from collections.abc import Callable
from dataclasses import dataclass
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
    from analyzers.review.port import Model
    from analyzers.review.reviewers.mlr import ReviewOptions
    from server.review_run import Made, Prepared


@dataclass(frozen=True, slots=True)
class ReviewCommand:
    """The options of the command."""

    common: ModelOptions
    reviewer: str = "mlr"
    ensemble: int = 1
    form: str = "neurips"
    tone: str = "useful"
    language: str = "English"
    searches: int = 0
    ten_pages: bool = False


def run_review_command(command: ReviewCommand) -> int:
    """Reviews and prints; the exit code is that of `run_on_manuscripts`."""
    from server.review_run import run_review

    problem = _problem(command)
    if problem:
        say(problem)
        return USAGE

    async def run(ready: "Prepared", model: "Model", made: str, watch: "Callable[[Progress], None]") -> "Made":
        return await run_review(ready, model, command.reviewer, _options(command, ready), made, watch)

    what = f"{command.reviewer} {command.ensemble} {command.form} {command.tone} {command.language} {command.searches}"
    return run_on_manuscripts(
        command.common,
        what,
        lambda ready: ready.requests(command.reviewer, _options(command, ready)),
        run,
        command.ten_pages,
    )


def _options(command: ReviewCommand, ready: "Prepared") -> "ReviewOptions":
    from analyzers.review.reviewers.mlr import ReviewOptions

    return ReviewOptions(
        form=command.form,
        tone=command.tone,
        ensemble=command.ensemble,
        searches=command.searches,
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
    ):
        if value not in allowed:
            return f"{option} {value}: use one of {', '.join(allowed)}."
    if not 1 <= command.ensemble <= 16:
        return "--ensemble takes a number from 1 to 16."
    if not 0 <= command.searches <= 50:
        return "--literature takes a number of searches from 0 to 50."
    return ""


def review(
    path: ManuscriptPath,
    reviewer: Annotated[str, typer.Option(help="mlr (three passes) or mlr-combined (one call).")] = "mlr",
    ensemble: Annotated[int, typer.Option(help="How many reviews; their points are united.")] = 1,
    form: Annotated[str, typer.Option(help="neurips, iclr, icml, acl-arr or journal.")] = "neurips",
    tone: Annotated[str, typer.Option(help="useful, strict or gentle.")] = "useful",
    language: Annotated[str, typer.Option(help="The language of the review.")] = "English",
    literature: Annotated[int, typer.Option(help="Web searches for related work; 0 for none, as in blind tests.")] = 0,
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
    raise typer.Exit(
        run_review_command(ReviewCommand(common, reviewer, ensemble, form, tone, language, literature, ten_pages))
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)
