"""TXT002 `note-to-self`: a TODO is still in the manuscript.

## What it flags
`\\todo{...}`, `\\missingfigure`, `\\fixme` and their kin, and TODO, FIXME, XXX or [TBD] in printed text; the open answers
of a checklist (`\\answerTODO`) as one finding.

## Why it matters
It prints, or only a package option keeps it from printing.

## When it stays silent
In comments, code and quotations, for macros that you defined to print nothing, under `\\usepackage[disable]{todonotes}`, and where the text
speaks of TODO comments.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.notes_to_self import CHECKLIST, notes_to_self
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.project.manuscript import Manuscript


class NoteToSelfCheck(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "TXT002"
    name = "note-to-self"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("A command", r"Text. \todo{cite this} Text.", r"\todo{cite this}"),
        Example.of("With options", r"\todo[inline]{more}", r"\todo[inline]{more}"),
        Example.of("In the text", "We use 12 TODO check samples. [TBD]", "TODO", "[TBD]"),
        Example.of("A checklist", "\\answerTODO{}\\answerTODO{}", "\\answerTODO"),
        Example.of("A macro that prints nothing", "\\newcommand{\\todo}[1]{}\n\nText \\todo{cite}."),
        Example.of("A switched-off package", "\\usepackage[disable]{todonotes}\n\nText \\todo{cite}."),
        Example.of("A comment", "% TODO cite\nText."),
        Example.of("Code", r"The marker \texttt{TODO} and \verb|XXX|."),
        Example.of("A paper on them", "Developers leave TODO comments and a FIXME behind."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per note."""
        notes = list(manuscript.located(notes_to_self))
        if not notes:
            return
        off = _switched_off(manuscript)
        answers = [entry.span(note.start, note.end) for _, entry, note in notes if note.package == CHECKLIST]
        if answers:
            others = tuple(Related(span, "Also open") for span in answers[1:5])
            yield self.finding(
                f"{len(answers)} answer{'' if len(answers) == 1 else 's'} of a checklist still open.",
                answers[0],
                related=others,
            )
        for _, entry, note in notes:
            if note.package == CHECKLIST:
                continue
            if note.package and note.package in off:
                continue
            content = f": {note.text[:80]}" if note.text else ""
            yield self.finding(f"A note to yourself is left{content}", entry.span(note.start, note.end))


def _switched_off(manuscript: Manuscript) -> set[str]:
    """The packages whose options keep their notes from printing."""
    off: set[str] = set()
    for entry in manuscript.entries:
        if "todonotes" not in entry.block.text and "fixme" not in entry.block.text:
            continue
        for command in entry.block.lexed.commands:
            group, option = command.braced(), command.optional()
            if command.name not in ("usepackage", "RequirePackage") or group is None or option is None:
                continue
            options = entry.block.text[option.start : option.end]
            names = [name.strip() for name in entry.block.text[group.start : group.end].split(",")]
            if "disable" in options or "final" in options:
                off.update(names)
    return off
