"""`counterclaim stats`: how many points of the reviews of a workspace were taken up."""

import json
from pathlib import Path
from typing import Annotated

import typer

from server.commands.terminal import OK, USAGE, say


def run_stats(path: Path, as_json: bool = False) -> int:
    """Prints the comment acceptance rate by section of the review."""
    from server.checking import workspace_of
    from server.commands.review_parts import now_text
    from server.ledger import Ledger

    if not path.exists():
        say(f"{path} does not exist.")
        return USAGE
    rates = Ledger(workspace_of(path, None), now_text).statistics()
    if as_json:
        rows = {
            name: {
                "accepted": row.accepted,
                "dismissed": row.dismissed,
                "neutral": row.neutral,
                "unjudged": row.unjudged,
                "rate": row.rate,
            }
            for name, row in rates.items()
        }
        print(json.dumps({"version": 1, "sections": rows}, indent=1))
        return OK
    print(f"{'section':15} {'accepted':>8} {'dismissed':>9} {'neutral':>7} {'unjudged':>8}  rate")
    for name, row in rates.items():
        rate = "–" if row.rate is None else f"{100 * row.rate:.0f} %"
        print(f"{name:15} {row.accepted:8} {row.dismissed:9} {row.neutral:7} {row.unjudged:8}  {rate}")
    return OK


def stats(
    path: Annotated[Path, typer.Argument(help="A workspace or a file in it.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show how many of the reviewers' points you accepted: accepted / (accepted + dismissed)."""
    raise typer.Exit(run_stats(path, as_json))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stats")(stats)
