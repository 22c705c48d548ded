"""`counterclaim index`: build, describe and extend the local bibliography index."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.terminal import INCOMPLETE, OK, USAGE, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from clients.bibliography.index_build import BuildProgress, BuildResult

app = typer.Typer(name="index", help="The local index of published works.", no_args_is_help=True)


def default_index() -> Path:
    """Where the index stands when none is named: the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("counterclaim", appauthor=False) / "bibliography.index"


def run_build(sources: list[Path], out: Path | None = None, quiet: bool = False) -> int:
    """Build an index from `sources`; returns the exit code (0 built, 2 a source could not be read, 64 no such source)."""
    from clients.bibliography.index_build import build_index

    missing = [source for source in sources if not source.exists()]
    if missing or not sources:
        say(f"{missing[0]} does not exist." if missing else "Name at least one source with --from.")
        return USAGE
    return _guarded(lambda report: build_index(sources, out or default_index(), report), quiet)


def run_import(library: Path, index: Path | None = None, quiet: bool = False) -> int:
    """Add the records of a .bib, .xml or .jsonl file to the index (which is made when there is none)."""
    from clients.bibliography.index_build import import_library

    if not library.exists():
        say(f"{library} does not exist.")
        return USAGE
    return _guarded(lambda report: import_library(library, index or default_index(), report), quiet)


def run_info(index: Path | None = None, as_json: bool = False) -> int:
    """Print what the index holds; 2 when there is none or it cannot be read."""
    import json
    from dataclasses import asdict

    from clients.bibliography.index import BibliographyIndex, IndexFileError

    try:
        opened = BibliographyIndex(index or default_index())
        info = opened.info()
        opened.close()
    except IndexFileError as error:
        say(str(error))
        return INCOMPLETE
    if as_json:
        print(json.dumps(asdict(info), ensure_ascii=False, indent=1))
        return OK
    years = f"{info.years[0]} to {info.years[1]}" if info.years else "no years"
    print(f"{info.path}: {info.size / 1e6:.1f} MB")
    print(f"{info.records:,} records, {info.with_doi:,} with a DOI, {years}")
    print(f"{info.people:,} names, {info.venues:,} venues")
    for name, count in info.origins:
        print(f"  {count:,} from {name}")
    return OK


def _guarded(work: "Callable[[Callable[[BuildProgress], None]], BuildResult]", quiet: bool) -> int:
    from clients.bibliography.index import IndexFileError
    from clients.bibliography.readers import UnreadableSourceError
    from server.commands.bar import progress_bar

    try:
        with progress_bar(quiet) as advance:
            result = work(lambda step: advance(f"{step.phase}: {step.records:,} records", step.fraction))
    except (UnreadableSourceError, IndexFileError, OSError) as error:
        say(str(error))
        return INCOMPLETE
    print(f"{result.path}: {result.records:,} records, {result.size / 1e6:.1f} MB.")
    return OK


@app.command("build")
def build(
    sources: Annotated[
        list[Path],
        typer.Option(
            "--from",
            help="dblp.xml.gz, an ACL Anthology XML file, .bib, .jsonl (.xz, .gz), the wheel of a published conference "
            "bibliography, or a folder of such files; may be repeated.",
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="The index file; the user's data folder when not given.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Build the index anew; the old one stays in use until the new one is whole, and a killed build is continued."""
    raise typer.Exit(run_build(sources, out, quiet))


@app.command("info")
def info(
    index: Annotated[Path | None, typer.Option(help="The index file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what the index holds."""
    raise typer.Exit(run_info(index, as_json))


@app.command("import")
def import_(
    library: Annotated[Path, typer.Argument(help="A .bib, .xml or .jsonl file whose records you trust.")],
    index: Annotated[Path | None, typer.Option(help="The index file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Add a library of your own to the index."""
    raise typer.Exit(run_import(library, index, quiet))
