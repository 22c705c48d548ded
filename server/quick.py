"""The first answer to an edit: what blocks alone prove, kept from one version of a document to the next.

Gives what `analyzers.driver.quick` gives, in time proportional to the blocks that changed and those with findings; asking
each of some thousand blocks of a large file for what it remembers would take most of a keystroke's time.
"""

from analyzers.driver import Context, Selection, block_findings, finished
from analyzers.finding import Finding
from analyzers.project.manuscript import Manuscript
from analyzers.project.structure import structure
from analyzers.text.document import Block, Document


class QuickFindings:
    """The findings of one open file, block by block."""

    def __init__(self) -> None:
        self._blocks: tuple[Block, ...] = ()
        self._found: dict[int, tuple[Finding, ...]] = {}
        self._begin: int | None = None
        self._context: tuple[Context, Selection] | None = None

    def of(self, path: str, document: Document, manuscript: Manuscript, chosen: Selection) -> tuple[Finding, ...]:
        """What the blocks of `document` prove alone, with the macros and the language of an earlier manuscript."""
        context = Context(manuscript.macros, manuscript.language, manuscript.words)
        self._update(document.blocks, (context, chosen))
        starts = document.starts
        found = [finding.moved(path, starts[index]) for index, here in self._found.items() for finding in here]
        return finished(found, {path: document.text}, chosen)[0]

    def _update(self, blocks: tuple[Block, ...], context: tuple[Context, Selection]) -> None:
        head, tail = self._same(blocks) if _equal(self._context, context) else (0, 0)
        growth = len(blocks) - len(self._blocks)
        last = len(blocks) - tail
        same, begin = self._begin_of(blocks, head, last, growth)
        if not same:  # what is preamble has changed, and that counts for every block
            head, last = 0, len(blocks)
        found = {index: here for index, here in self._found.items() if index < head}
        for index in range(head, last):
            preamble = begin is not None and index < begin
            here = block_findings(blocks[index], context[0], preamble, context[1])
            if here:
                found[index] = here
        if same:
            found |= {index + growth: here for index, here in self._found.items() if index + growth >= last}
        self._blocks, self._found, self._begin, self._context = blocks, found, begin, context

    def _same(self, blocks: tuple[Block, ...]) -> tuple[int, int]:
        """How many blocks at the start and at the end are the very same as before."""
        known, limit = self._blocks, min(len(self._blocks), len(blocks))
        head = 0
        while head < limit and known[head] is blocks[head]:
            head += 1
        tail = 0
        while tail < limit - head and known[-1 - tail] is blocks[-1 - tail]:
            tail += 1
        return head, tail

    def _begin_of(self, blocks: tuple[Block, ...], head: int, last: int, growth: int) -> tuple[bool, int | None]:
        """Whether the document begins in the same block as before, and the index of that block now."""
        old = self._begin
        if old is not None and old < head:
            return True, old
        in_changed = any(structure(blocks[index]).begins_document for index in range(head, last))
        if not in_changed and (old is None or old + growth >= last):
            return True, None if old is None else old + growth
        return False, next((index for index, block in enumerate(blocks) if structure(block).begins_document), None)


def _equal(one: tuple[Context, Selection] | None, other: tuple[Context, Selection]) -> bool:
    if one is None or one[0] != other[0]:
        return False
    return one[1] is other[1] or (one[1].key == other[1].key and one[1].configuration == other[1].configuration)
