"""The command-line options that every command with a language model has."""

from pathlib import Path
from typing import Annotated

import typer

from server.commands.review_parts import ReviewFormat
from server.commands.terminal import USAGE, say

ManuscriptPath = Annotated[Path, typer.Argument(help="A folder, a root file or a part of a document.")]
Budget = Annotated[float | None, typer.Option(help="Stop before it costs more than this many dollars.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")]
Allow = Annotated[bool, typer.Option("--allow", help="Agree that text of this workspace is sent.")]
FormatName = Annotated[str, typer.Option(help="md, json or html.")]
Output = Annotated[Path | None, typer.Option(help="Write the report to this file.")]
Provider = Annotated[str | None, typer.Option(help="anthropic or openai-compatible.")]
ModelName = Annotated[str | None, typer.Option(help="The model for every role.")]
BaseUrl = Annotated[str | None, typer.Option(help="The address of the provider or of a local server.")]
Replay = Annotated[Path | None, typer.Option(help="Answer from a recording instead of a model.")]
NoLedger = Annotated[bool, typer.Option("--no-ledger", help="Do not keep the points in the workspace.")]
Workspace = Annotated[Path | None, typer.Option(help="The folder that paths are relative to.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


def format_named(name: str) -> ReviewFormat:
    """The format of a report; another name ends the command as wrong usage."""
    if name not in list(ReviewFormat):
        say(f"--format {name}: use one of {', '.join(ReviewFormat)}.")
        raise typer.Exit(USAGE)
    return ReviewFormat(name)
