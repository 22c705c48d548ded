"""The `counterclaim` command: options only; every command imports what it needs when it runs."""

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.memory import relax

if TYPE_CHECKING:
    from analyzers.finding import Severity

app = typer.Typer(
    name="counterclaim",
    help="Argues with your LaTeX manuscript before the reviewers do.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_USAGE_ERROR = 64


def own_version() -> str:
    """The installed version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("counterclaim")
    except PackageNotFoundError:
        return "0"


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"counterclaim {own_version()}")
        raise typer.Exit


@app.callback()
def _top(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Options that stand before a command."""


@app.command()
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders, root files or parts of a document; the current folder when none is given."),
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option(help="The folder that paths in reports are relative to; nothing outside of it is read."),
    ] = None,
    format: Annotated[str, typer.Option(help="text, json, sarif or github.")] = "text",  # noqa: A002
    select: Annotated[
        list[str] | None, typer.Option(help="Only these codes or families; may be repeated or separated by commas.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Not these codes or families.")] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(help="Exit with 1 at this severity or above: error, warning, information, hint, never."),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the safe fixes.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")] = False,
    baseline: Annotated[Path | None, typer.Option(help="Leave out the findings that this file knows.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write the findings of today to this file.")] = None,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Also list pairs of places that may contradict each other.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes.")] = False,
    timeout: Annotated[float, typer.Option(help="Seconds for one document.")] = 120.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Check manuscripts and report what contradicts itself, cannot be found or hangs in the air."""
    from server.commands.check import CheckOptions, Format, run_check
    from server.commands.check import watch as run_watch

    severity, never = _severity(fail_on)
    if format not in list(Format):
        _usage(f"--format {format}: use one of {', '.join(Format)}.")
    options = CheckOptions(
        paths=tuple(paths or [Path()]),
        workspace=workspace,
        format=Format(format),
        select=_codes(select),
        ignore=_codes(ignore),
        fail_on=severity,
        never_fail=never,
        fix=fix,
        diff=diff,
        baseline=baseline,
        write_baseline=write_baseline,
        candidates=candidates,
        seconds=timeout,
        quiet=quiet,
        colour=False if os.environ.get("NO_COLOR") else None,
        version=own_version,
    )
    raise typer.Exit(run_watch(options) if watch else run_check(options))


@app.command()
def graph(
    path: Annotated[Path, typer.Argument(help="A folder, a root file or a part of a document.")] = Path(),
    format: Annotated[str, typer.Option(help="json, html, svg, graphml or dot.")] = "json",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of the screen.")
    ] = None,
    workspace: Annotated[
        Path | None, typer.Option(help="The folder that paths are relative to; nothing outside of it is read.")
    ] = None,
    refine: Annotated[
        bool, typer.Option("--refine", help="Let a language model refine it; sends text only after you agreed.")
    ] = False,
    budget: Annotated[float | None, typer.Option(help="Stop before it costs more than this many dollars.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")] = False,
    allow: Annotated[bool, typer.Option("--allow", help="Agree that text of this workspace is sent.")] = False,
    provider: Annotated[str | None, typer.Option(help="anthropic or openai-compatible.")] = None,
    model: Annotated[str | None, typer.Option(help="The model that refines.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address of the provider or of a local server.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Answer from a recording instead of a model.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Show what a manuscript claims and what stands behind it, as data or as a picture."""
    from server.commands.graph import GraphFormat, GraphOptions, run_graph

    if format not in list(GraphFormat):
        _usage(f"--format {format}: use one of {', '.join(GraphFormat)}.")
    options = GraphOptions(path, workspace, GraphFormat(format), output)
    if not refine:
        if dry_run or allow or any(value is not None for value in (budget, provider, model, base_url, replay)):
            _usage("Options about a model need --refine; without it the graph asks none.")
        raise typer.Exit(run_graph(options))
    from server.commands.graph_refine import run_refined_graph
    from server.commands.review_parts import ModelOptions

    models = ModelOptions(
        path,
        workspace,
        budget=budget,
        dry_run=dry_run,
        allow=allow,
        provider=provider,
        model=model,
        base_url=base_url,
        replay=replay,
        quiet=quiet,
    )
    raise typer.Exit(run_refined_graph(options, models))


@app.command()
def rules(
    markdown: Annotated[bool, typer.Option("--markdown", help="The whole reference page.")] = False,
) -> None:
    """List every check with its severity."""
    from server.rules import all_rules, reference_page, summary

    if markdown:
        sys.stdout.write(reference_page())
        return
    for item in all_rules():
        off = "" if getattr(item, "default", True) else " (off)"
        print(f"{item.code}  {item.name:28} {item.severity + off:17} {item.tier:9}  {summary(item)}")


@app.command()
def explain(code: Annotated[str, typer.Argument(help="A code such as CIT001, or the name of a rule.")]) -> None:
    """Say what a rule flags, why it matters and when it stays silent."""
    from difflib import get_close_matches

    from server.rules import all_rules, explained, rule_called

    found = rule_called(code)
    if found is None:
        codes, names = [rule.code for rule in all_rules()], [rule.name for rule in all_rules()]
        near = get_close_matches(code.strip().upper(), codes, 1) or get_close_matches(code.strip().lower(), names, 1)
        _usage(
            f"No rule is called {code}. " + (f"Did you mean {near[0]}?" if near else "`counterclaim rules` lists them.")
        )
        return
    print(explained(found))


@app.command()
def lsp(
    tcp: Annotated[
        int | None,
        typer.Option(help="Listen on this port of 127.0.0.1 instead of the standard streams; for debugging."),
    ] = None,
    _stdio: Annotated[bool, typer.Option("--stdio", hidden=True, help="The default; some clients name it.")] = False,
    log_level: Annotated[
        str, typer.Option(help="error, warning, info or debug; only debug logs hold text of the manuscript.")
    ] = "warning",
) -> None:
    """Start the language server; editors do this."""
    from server.commands.lsp import LEVELS, run_lsp

    if log_level not in LEVELS:
        _usage(f"--log-level {log_level}: use one of {', '.join(LEVELS)}.")
    raise typer.Exit(run_lsp(own_version(), tcp, log_level))


def _codes(given: list[str] | None) -> tuple[str, ...]:
    from analyzers.configuration import EVERYTHING, family_of
    from analyzers.driver import known_codes

    codes = tuple(part.strip().upper() for text in given or () for part in text.split(",") if part.strip())
    known = known_codes()
    families = {family_of(code) for code in known}
    for code in codes:
        if code not in known and code not in families and code != EVERYTHING:
            _usage(f"No check or family is called {code}. `counterclaim rules` lists them.")
    return codes


def _severity(given: str | None) -> "tuple[Severity | None, bool]":
    from analyzers.finding import Severity

    if given is None:
        return None, False
    if given == "never":
        return None, True
    if given not in list(Severity):
        _usage(f"--fail-on {given}: use one of {', '.join(Severity)} or never.")
    return Severity(given), False


def _usage(message: str) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(_USAGE_ERROR)


def _register() -> None:
    """Add the commands that live in modules of their own; these import what they need when they run."""
    from server.commands import bench, cite, contradictions, index, related, review, stats

    for command in (cite, related, review, contradictions, stats):
        command.register(app)
    app.add_typer(index.app)
    app.add_typer(bench.app)


_register()


def main() -> None:
    """The entry point.  Wrong usage exits with 64, as programs of this kind do, since 2 means an incomplete check."""
    relax()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Manuscripts hold any character, whatever the terminal's encoding is.
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Typer brings its own copy of click from 0.20 on; the base of its errors is found through one that it exports.
    wrong_use = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
    code: object = 0
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        code = 130
    except BrokenPipeError:
        # The reader of a pipe has gone (`counterclaim check | head`); that is no fault.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if not isinstance(error, wrong_use):
            raise
        error.show()  # type: ignore[attr-defined]
        code = _USAGE_ERROR
    sys.exit(code if isinstance(code, int) else 0)
