"""`counterclaim related`: the places that speak of the same thing as one paragraph."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from server.commands.terminal import INCOMPLETE, OK, USAGE, say

_AT = re.compile(r"(?P<file>.+):(?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class RelatedOptions:
    """The options of the command; `line` counts from 1, `file` is relative to the workspace, as in the JSON of `check`."""

    path: Path
    file: str
    line: int
    top: int = 20
    format: str = "text"
    workspace: Path | None = None


def run_related(options: RelatedOptions) -> int:
    """Print the places most related to the paragraph that holds the line; returns the exit code."""
    from analyzers.project.assemble import assemble
    from analyzers.related.index import PassageIndex
    from analyzers.related.paragraph import paragraph_at
    from server.checking import target_of
    from server.settings import read_settings

    target = target_of(options.path, options.workspace)
    if not target.roots:
        say(target.problem or f"{options.path} holds no manuscript.")
        return USAGE
    for root in target.roots:
        settings = read_settings(target.library.reader, root)
        search = tuple(settings.beside(folder) for folder in settings.configuration.search)
        manuscript = assemble(target.library, root, search, None, settings.configuration.language)
        document = manuscript.document(options.file)
        if document is None:
            continue
        if options.line > document.lines.count:
            say(f"{options.file} has {document.lines.count} lines.")
            return USAGE
        entries = paragraph_at(manuscript, options.file, *document.lines.line_span(options.line - 1))
        places = PassageIndex.of(manuscript).related(entries, options.top)
        if options.format == "json":
            rows = []
            for place in places:
                lines = manuscript.files[place.span.path].lines
                rows.append(
                    {
                        "file": place.span.path,
                        "start": _position(lines.line_column(place.span.start), place.span.start),
                        "end": _position(lines.line_column(place.span.end), place.span.end),
                        "score": place.score,
                        "reason": place.reason,
                    }
                )
            print(json.dumps({"version": 1, "places": rows}))
        else:
            for place in places:
                line, column = manuscript.files[place.span.path].lines.line_column(place.span.start)
                text = " ".join(manuscript.text(place.span).split())
                print(
                    f"{place.span.path}:{line + 1}:{column + 1}: {place.score:.2f} ({place.reason})\n    {text[:160]}"
                )
        return OK if manuscript.complete else INCOMPLETE
    say(f"{options.file} belongs to no manuscript in {options.path}.")
    return USAGE


def _position(line_column: tuple[int, int], offset: int) -> dict[str, int]:
    return {"offset": offset, "line": line_column[0] + 1, "column": line_column[1] + 1}


def related(
    path: Annotated[Path, typer.Argument(help="A folder, a root file or a part of a document.")],
    at: Annotated[
        str, typer.Option(help="FILE:LINE, the file as in the reports of `check`; its paragraph is the question.")
    ],
    top: Annotated[int, typer.Option(help="How many places.")] = 20,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",  # noqa: A002
    workspace: Annotated[Path | None, typer.Option(help="The folder that paths are relative to.")] = None,
) -> None:
    """List the sentences, captions and cells that a paragraph has to agree with."""
    match = _AT.fullmatch(at)
    if match is None or format not in ("text", "json") or top < 1:
        say("Use --at FILE:LINE, --format text or json, and --top of at least 1.")
        raise typer.Exit(USAGE)
    raise typer.Exit(
        run_related(RelatedOptions(path, match["file"], max(int(match["line"]), 1), top, format, workspace))
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("related")(related)
