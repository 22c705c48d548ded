"""CNT003 `panel-count`: a caption speaks of panels that the figure does not have.

## What it flags
“(a)–(d)” or “(d)” in the caption of a figure that has three subfigures.  A caption that explains fewer panels than there are
is only a hint.

## Why it matters
A panel was dropped, or its explanation was left behind; readers look for a picture that is not there.

## When it stays silent
When the figure has no subfigures of its own (panels inside one picture cannot be counted), or the caption names no first
panel “(a)”.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.finding import Finding, Severity, Tier
from analyzers.text.prose import PartKind

_PANEL = re.compile(r"\(([a-l])\)|(?<![\w(])([a-l])\)")
_RANGE = re.compile(r"\(?([a-l])\)?\s?(?:[-–—]|to|through|bis)\s?\(?([a-l])\)")
_ENVIRONMENTS = frozenset({"subfigure", "subfigure*", "subtable", "subcaptionblock"})
_COMMANDS = frozenset({"subfigure", "subfloat", "subcaptionbox", "subcaptionbox*", "subtable"})
_SUB = "\\begin{subfigure}{.3\\textwidth}\\includegraphics{x}\\caption{One.}\\end{subfigure}\n"


class PanelCount(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CNT003"
    name = "panel-count"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of(
            "A panel too many",
            f"\\begin{{figure}}\n{_SUB * 2}\\caption{{Speed (a), size (b), and cost (c).}}\n\\end{{figure}}\n",
            "(c)",
        ),
        Example.of(
            "A range", f"\\begin{{figure}}\n{_SUB * 3}\\caption{{(a)--(d) Four runs.}}\n\\end{{figure}}\n", "(a)--(d)"
        ),
        Example.of(
            "As many panels as named",
            f"\\begin{{figure}}\n{_SUB * 2}\\caption{{Speed (a) and size (b).}}\n\\end{{figure}}\n",
        ),
        Example.of(
            "One picture with panels inside",
            "\\begin{figure}\\includegraphics{x}\\caption{Speed (a), size (b).}\\end{figure}",
        ),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """At most one finding per figure."""
        if "sub" not in view.text or not any(
            e.name.startswith(("figure", "table")) and e.begins for e in view.block.lexed.environments
        ):
            return
        panels = _panels(view)
        if panels < 2:
            return
        prose = view.prose
        for part in prose.parts:
            if part.kind is not PartKind.CAPTION:
                continue
            text = prose.text[part.start : part.end]
            letters: dict[int, tuple[int, int]] = {}
            for match in _PANEL.finditer(text):
                letters.setdefault("abcdefghijkl".index(match[1] or match[2]), match.span())
            for match in _RANGE.finditer(text):
                first, last = "abcdefghijkl".index(match[1]), "abcdefghijkl".index(match[2])
                letters.setdefault(first, match.span())
                letters[last] = match.span()
                letters |= {middle: match.span() for middle in range(first + 1, last) if middle not in letters}
            if len(letters) < 2 or 0 not in letters or sorted(letters) != list(range(len(letters))):
                continue
            named = len(letters)
            if named == panels:
                return
            start, end = letters[named - 1]
            span = view.prose_span(part.start + start, part.start + end)
            message = (
                f"The caption explains panels up to ({'abcdefghijkl'[named - 1]}); the figure has {panels} subfigures."
            )
            yield self.finding(message, span, severity=Severity.WARNING if named > panels else Severity.HINT)
            return


def _panels(view: BlockView) -> int:
    lexed = view.block.lexed
    environments = sum(e.begins and e.name in _ENVIRONMENTS for e in lexed.environments)
    known = sum(command.name in _COMMANDS for command in lexed.commands)
    return environments or known + sum(name in _COMMANDS for name, _ in lexed.names)
