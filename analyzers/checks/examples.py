"""Small projects from strings: what examples, tests and the rule reference run on."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from analyzers.checks.check import Check, Example
from analyzers.citations.plausibility.rule import EXAMPLE_DAY
from analyzers.configuration import Configuration
from analyzers.finding import Candidate, Finding
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.reader import MemoryReader


def manuscript_of(
    files: Mapping[str, str], root: str | None = None, *, closed: bool = True, today: date | None = EXAMPLE_DAY
) -> Manuscript:
    """The manuscript of files given as strings.

    The root is `main.tex`, else the first TeX file.  With `closed` a file without `\\documentclass` counts as a known root,
    so that examples need no preamble.
    """
    chosen = root or (
        "main.tex" if "main.tex" in files else next((path for path in files if path.endswith(".tex")), "main.tex")
    )
    manuscript = assemble(Library(MemoryReader(files)), chosen, today=today)
    return replace(manuscript, rooted=manuscript.rooted or closed) if closed else replace(manuscript, rooted=False)


def run_example(check: Check, example: Example) -> tuple[Finding, ...]:
    """The findings of one check on one of its examples, as the driver would report them."""
    from analyzers.driver import analyse

    analysis = analyse(manuscript_of(example.files, closed=example.closed), Configuration(select=(check.code,)))
    return analysis.findings


def candidates_of(check: Check, example: Example) -> tuple[Candidate, ...]:
    """The candidates of one check on one of its examples."""
    from analyzers.driver import analyse

    return analyse(
        manuscript_of(example.files, closed=example.closed), Configuration(select=(check.code,)), candidates=True
    ).candidates


def flagged_by(code: str, text: str) -> list[str]:
    """The source slices that one check flags in a manuscript of one file, in the order of its findings."""
    from analyzers.driver import analyse

    manuscript = manuscript_of({"main.tex": text})
    return [manuscript.text(finding.span) for finding in analyse(manuscript, Configuration(select=(code,))).findings]
