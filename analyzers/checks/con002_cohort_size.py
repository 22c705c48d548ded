"""CON002 `cohort-size`: the number of participants differs between two places.

## What it flags
“a study with 38 participants” in the abstract and “we recruited 36 participants” in the text.

## Why it matters
Every statistic of the study rests on this number.

## When it stays silent
When a sentence speaks of a pilot, a group, a condition or earlier work; when the manuscript tells of people who were excluded or
dropped out; and when it gives three or more numbers.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.settings_cohorts import Size, cohorts, loses_people
from analyzers.facts.view import prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind

_ABSTRACT = "\\begin{abstract}A survey of 38 participants finds that readers like our maps.\\end{abstract}\n\\section{User study}\n"
# Words for whoever takes part; two of them may mean the same people where both name the study.
_ANYBODY = frozenset("participants subjects volunteers respondents people persons individuals adults".split())
_SUMMARY = frozenset({SectionClass.ABSTRACT, SectionClass.INTRODUCTION, SectionClass.CONCLUSION})


class CohortSize(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON002"
    name = "cohort-size"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of("Abstract and text", f"{_ABSTRACT}We recruited 36 participants, of whom 19 saw Alpha.", "36"),
        Example.of(
            "One study, two words for its people",
            "\\begin{abstract}A user study with 18 participants backs this.\\end{abstract}\n\\section{Conclusion}\nOur user study with 16 people shows it.",
            "16",
        ),
        Example.of(
            "The study behind",
            "\\begin{abstract}In a user study with 24 subjects, this holds.\\end{abstract}\n\\section{Study}\nWe recruited 22 participants for the user study.",
            "22",
        ),
        Example.of(
            "Two studies",
            "\\begin{abstract}A user study with 18 participants backs this.\\end{abstract}\n\\section{Conclusion}\nOur online survey of 160 people shows it.",
        ),
        Example.of(
            "All of them of one profession",
            "\\begin{abstract}In a trial, 32 practising lawyers reviewed leases.\\end{abstract}\n\\section{Trial}\nThe trial had 34 participants, all of them lawyers.",
            "34",
        ),
        Example.of(
            "Most of them of one profession",
            "\\begin{abstract}In a trial, 32 practising lawyers reviewed leases.\\end{abstract}\n\\section{Trial}\nThe trial had 34 participants, most of them lawyers.",
        ),
        Example.of("The numbers agree", f"{_ABSTRACT}We recruited 38 participants, of whom 19 saw Alpha."),
        Example.of("A pilot", f"{_ABSTRACT}For a pilot we recruited 12 participants."),
        Example.of("Some were excluded", f"{_ABSTRACT}We recruited 40 participants. Two participants were excluded."),
        Example.of("A group", f"{_ABSTRACT}We assigned them to groups of 19 participants each."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """At most one finding per kind of people."""
        by_noun: dict[str, list[tuple[Entry, Size]]] = {}
        for _, entry, size in manuscript.located(cohorts):
            by_noun.setdefault(size.what, []).append((entry, size))
        by_study: dict[str, list[tuple[Entry, Size]]] = {}
        for noun, sizes in by_noun.items():
            for entry, size in sizes if noun in _ANYBODY else ():
                if size.study:
                    by_study.setdefault(size.study, []).append((entry, size))
        mixed = {
            study: sizes for study, sizes in by_study.items()
            if len({size.what for _, size in sizes}) > 1
            and all(len({other.low for _, other in by_noun[size.what]}) == 1 for _, size in sizes)
        }  # fmt: skip
        for sizes in (*by_noun.values(), *mixed.values()):
            if len({size.low for _, size in sizes}) != 2:
                continue
            if any(loses_people(entry.block, manuscript.macros) for _, entry in manuscript.body):
                return
            pair = _pair(manuscript, sizes)
            if pair is None:
                continue
            (first_entry, first), (entry, size) = pair
            span = entry.span(*prose_of(entry.block, manuscript.macros).source(size.start, size.end))
            other = first_entry.span(*prose_of(first_entry.block, manuscript.macros).source(first.start, first.end))
            yield self.finding(
                f"{size.written} {size.what} here, {first.written}{'' if first.what == size.what else f' {first.what}'} elsewhere.",
                span,
                related=(Related(other, f"{first.written} {first.what} here."),),
                evidence={"here": size.written, "there": first.written},
            )


def _pair(
    manuscript: Manuscript, sizes: list[tuple[Entry, Size]]
) -> tuple[tuple[Entry, Size], tuple[Entry, Size]] | None:
    """A summary against a sentence of the text, or two that recruit."""
    for index, (entry, size) in enumerate(sizes):
        for other_entry, other in sizes[:index]:
            if other.low == size.low:
                continue
            summaries = _summary(manuscript, entry, size) or _summary(manuscript, other_entry, other)
            if (summaries and (size.recruits or other.recruits)) or (size.recruits and other.recruits):
                return (other_entry, other), (entry, size)
    return None


def _summary(manuscript: Manuscript, entry: Entry, size: Size) -> bool:
    return size.kind is PartKind.ABSTRACT or manuscript.section_class(entry) in _SUMMARY
