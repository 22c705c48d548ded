"""What must not be read by a model, whatever the settings say: the checks for hidden text run here on their own.

A settings file or a suppression comment may silence them for the author; a manuscript must not be able to switch off what protects
whoever reviews it.
"""

from collections.abc import Iterator

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import BlockCheck, BlockView, ManuscriptCheck
from analyzers.finding import Finding
from analyzers.project.manuscript import Manuscript
from analyzers.review.script import WITHHELD


def hidden_findings(manuscript: Manuscript) -> tuple[Finding, ...]:
    """The findings of the checks for hidden text and for instructions.  A check that fails raises: nothing may be sent then."""
    return tuple(_findings(manuscript))


def _findings(manuscript: Manuscript) -> Iterator[Finding]:
    for check in ALL_CHECKS:
        if check.code not in WITHHELD:
            continue
        if isinstance(check, ManuscriptCheck):
            yield from (item for item in check.run(manuscript) if isinstance(item, Finding))
        elif isinstance(check, BlockCheck):
            for entry in manuscript.entries:
                if not entry.block.dead:
                    view = BlockView(
                        entry.block, manuscript.macros, entry.preamble, manuscript.language, manuscript.words
                    )
                    yield from (item.moved(entry.path, entry.start) for item in check.run_block(view))
