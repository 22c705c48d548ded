"""Fixes: edits that a finding offers, and applying them to text."""

from collections.abc import Iterable
from dataclasses import dataclass

from analyzers.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` by `text`; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """All edits of a fix are applied together or not at all.  `safe` fixes may be applied without asking."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False

    def moved(self, path: str, by: int) -> "Fix":
        """The fix with its edits moved to another frame of reference."""
        return Fix(self.title, tuple(Edit(edit.span.moved(path, by), edit.text) for edit in self.edits), self.safe)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` after `edits`, which must all concern it.  Raises ValueError when two edits overlap or leave the text."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < position or edit.span.end < edit.span.start or edit.span.end > len(text):
            raise ValueError("edits overlap or lie outside the text")
        pieces += (text[position : edit.span.start], edit.text)
        position = edit.span.end
    return "".join([*pieces, text[position:]])
