"""`counterclaim graph`: the claim/evidence graph of manuscripts as data or as a picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from analyzers.driver import known_codes
from analyzers.finding import Finding
from analyzers.graph.build import build
from analyzers.graph.network import graphml
from analyzers.graph.schema import Graph
from analyzers.project.assemble import assemble
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import ReadFailure
from server.atomic import write_text_atomic
from server.checking import Options, Target, check_root, target_of
from server.commands.terminal import INCOMPLETE, OK, USAGE, out, say
from server.report.graph_dot import render_dot
from server.report.graph_html import render_html
from server.report.graph_json import render_graph_json
from server.report.graph_model import GraphReport
from server.report.graph_svg import render_svg
from server.report.model import SourceFile
from server.settings import read_settings


class GraphFormat(StrEnum):
    """How a graph is written."""

    JSON = "json"
    HTML = "html"
    SVG = "svg"
    GRAPHML = "graphml"
    DOT = "dot"


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """The options of the command; `output` None means the standard output."""

    path: Path
    workspace: Path | None = None
    format: GraphFormat = GraphFormat.JSON
    output: Path | None = None
    contradictions: bool = True


_RENDERERS: dict[GraphFormat, Callable[[GraphReport], str]] = {
    GraphFormat.JSON: lambda report: render_graph_json(report) + "\n",
    GraphFormat.HTML: render_html,
    GraphFormat.SVG: render_svg,
    GraphFormat.GRAPHML: lambda report: graphml(report.graph),
    GraphFormat.DOT: render_dot,
}


def run_graph(options: GraphOptions) -> int:
    """Write the graph of every root of a path: 0, or 2 when something could not be read, 64 when the path is no manuscript.

    Several roots make JSON Lines; the other formats hold one graph, so with them the path has to name one root.
    """
    target = target_of(options.path, options.workspace)
    code = problem_of(options, target)
    if code is not None:
        return code
    reports = [graph_report(target, root, contradictions=options.contradictions) for root in target.roots]
    return written(options, [report for report in reports if report is not None], OK if all(reports) else INCOMPLETE)


def problem_of(options: GraphOptions, target: Target) -> int | None:
    """The exit code when a path names nothing that a graph can be written of, and the reason is said; else None."""
    if target.problem:
        say(target.problem)
        return USAGE if not options.path.exists() else INCOMPLETE
    if len(target.roots) > 1 and options.format is not GraphFormat.JSON:
        say(f"{options.path} holds several manuscripts ({', '.join(target.roots[:5])}); name one of them.")
        return USAGE
    return None


def written(options: GraphOptions, reports: Sequence[GraphReport], code: int) -> int:
    """Write graphs where the options say, their notes on the error stream; `code`, or 2 when a file cannot be written."""
    for report in reports:
        for note in report.graph.notes:
            say(f"{report.graph.root}: {note}")
    if not reports:
        return code
    text = "".join(_RENDERERS[options.format](report) for report in reports)
    if options.output is None:
        out(text)
        return code
    try:
        write_text_atomic(options.output, text)
    except OSError as error:
        say(f"{options.output} was not written: {error.strerror or error}.")
        return INCOMPLETE
    return code


def graph_report(target: Target, root: str, *, contradictions: bool = True) -> GraphReport | None:
    """The graph of one root with the texts of its files, None when the root could not be read."""
    read = manuscript_at(target, root, contradictions=contradictions)
    return None if read is None else report_of(build(*read), read[0])


def report_of(graph: Graph, manuscript: Manuscript) -> GraphReport:
    """A graph with the texts of the manuscript's files."""
    files = {path: SourceFile(document.text, document.lines) for path, document in manuscript.files.items()}
    return GraphReport(graph, files)


def manuscript_at(
    target: Target, root: str, *, contradictions: bool = True
) -> tuple[Manuscript, tuple[Finding, ...]] | None:
    """The manuscript of one root with the findings that may contradict, None when the root could not be read."""
    if isinstance(target.library.document(root), ReadFailure):
        say(f"{root} could not be read.")
        return None
    if contradictions:
        _, _, analysis = check_root(target.library, root, Options())
        if analysis is not None:
            return analysis.manuscript, tuple(analysis.findings)
    settings = read_settings(target.library.reader, root, known_codes(), {})
    configuration = settings.configuration
    search = tuple(settings.beside(folder) for folder in configuration.search)
    return assemble(target.library, root, search, None, configuration.language), ()
