"""`counterclaim contradictions`: places of a manuscript that cannot both be true, found and verified by a language model."""

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
    from server.review_run import Made, Prepared


@dataclass(frozen=True, slots=True)
class ContradictionsCommand:
    """The options of the command."""

    common: ModelOptions
    whole: bool = True
    windows: bool = True
    candidates: int = 24
    tokens: int | None = None


def run_contradictions_command(command: ContradictionsCommand) -> int:
    """Searches and prints; the exit code is that of `run_on_manuscripts`."""
    from analyzers.review.contradiction.search import SearchOptions
    from server.review_run import run_contradictions

    if not 0 <= command.candidates <= 1_000 or (command.tokens is not None and command.tokens < 1_000):
        say("--candidates takes a number up to 1000, --tokens at least 1000.")
        return USAGE
    options = SearchOptions(command.whole, command.windows, command.candidates, max_input_tokens=command.tokens)

    async def run(ready: "Prepared", model: "Model", made: str, watch: "Callable[[Progress], None]") -> "Made":
        return await run_contradictions(ready, model, options, made, watch)

    return run_on_manuscripts(
        command.common,
        f"contradictions {options}",
        lambda ready, _workspace, _setup: ready.search_requests(options),
        run,
        candidates=command.candidates > 0,
    )


def contradictions(
    path: ManuscriptPath,
    no_whole: Annotated[bool, typer.Option("--no-whole", help="Do not read the whole text at once.")] = False,
    no_windows: Annotated[bool, typer.Option("--no-windows", help="Do not read section by section.")] = False,
    candidates: Annotated[int, typer.Option(help="How many pairs of the checks to verify.")] = 24,
    tokens: Annotated[int | None, typer.Option(help="The most input tokens; 38,500, or 3.4 times the paper.")] = None,
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
    """Find places that cannot both be true; sends text to a language model only after you agreed."""
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
        run_contradictions_command(ContradictionsCommand(common, not no_whole, not no_windows, candidates, tokens))
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("contradictions")(contradictions)
