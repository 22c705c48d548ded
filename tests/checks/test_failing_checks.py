"""A check that fails costs its own findings only, whatever it raises, and leaves one note without a word of the manuscript."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

import pytest

import analyzers.driver
from analyzers.checks.check import BlockCheck, BlockView, ManuscriptCheck
from analyzers.checks.examples import manuscript_of
from analyzers.driver import analyse
from analyzers.finding import Finding, Severity, Tier
from analyzers.project.manuscript import Manuscript

ERRORS = (
    re.error("secret"),
    InvalidOperation("secret"),
    KeyError("secret"),
    UnicodeDecodeError("utf-8", b"secret", 0, 1, "secret"),
    OverflowError("secret"),
    AssertionError("secret"),
    StopIteration("secret"),
    RuntimeError("secret"),
    RecursionError("secret"),
    FileNotFoundError("secret"),
    NotImplementedError("secret"),
    Decimal,  # not an error at all: raising it is a TypeError
)
FILES = {"main.tex": "\\begin{document}\nOne secret.\n\nTwo secrets.\n\nThree.\n\\end{document}\n"}


class _Works(BlockCheck):
    code, name, tier, severity, examples = "TXT801", "works", Tier.LINKED, Severity.INFORMATION, ()

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """Flags every "secret"."""
        for match in re.finditer("secret", view.text):
            yield self.finding("Here.", view.span(*match.span()))


def _failing(error: object) -> tuple[BlockCheck, ManuscriptCheck]:
    class Block(BlockCheck):
        code, name, tier, severity, examples = "TXT802", "block", Tier.LINKED, Severity.INFORMATION, ()

        def run_block(self, view: BlockView) -> Iterator[Finding]:
            yield self.finding("Before.", view.span(0, 1))
            raise error  # type: ignore[misc]

    class Whole(ManuscriptCheck):
        code, name, tier, severity, examples = "TXT803", "whole", Tier.LINKED, Severity.INFORMATION, ()

        def run(self, manuscript: Manuscript) -> Iterator[Finding]:
            raise error  # type: ignore[misc]

    return Block(), Whole()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: getattr(error, "__name__", type(error).__name__))
def test_the_others_go_on(error: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzers.driver, "ALL_CHECKS", (*_failing(error), _Works()))
    analysis = analyse(manuscript_of(FILES))
    assert len([finding for finding in analysis.findings if finding.code == "TXT801"]) == 2
    said = [note.message for note in analysis.notes if "could not finish" in note.message]
    assert [code for message in said for code in ("TXT802", "TXT803") if code in message] == ["TXT802", "TXT803"]
    assert not [message for message in said if "secret" in message]


def test_the_note_stands_as_long_as_the_failure_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzers.driver, "ALL_CHECKS", (*_failing(KeyError("secret")), _Works()))
    manuscript = manuscript_of(FILES)
    assert analyse(manuscript).notes == analyse(manuscript).notes
    assert analyse(manuscript).findings == analyse(manuscript).findings


def test_a_request_to_stop_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        analyse(manuscript_of(FILES), cancelled=stop)
