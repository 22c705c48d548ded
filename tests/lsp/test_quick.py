"""The first answer, kept from version to version, equals the driver's own after any sequence of edits."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import analyzers.driver
from analyzers.configuration import Configuration
from analyzers.driver import quick, selection
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.reader import MemoryReader
from analyzers.text.document import Document
from server.quick import QuickFindings

PIECES = st.sampled_from(
    [
        "badword ",
        "word ",
        "\n\n",
        "\\begin{document}\n",
        "\\end{document}\n",
        "\\section{A}\n",
        "\\newcommand{\\x}{badword}",
        "% ",
        "",
    ]
)
EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 60), PIECES), max_size=12)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.lists(PIECES, max_size=30), edits=EDITS, switch=st.integers(0, 12))
def test_it_equals_the_driver(rules: Any, start: list[str], edits: list[tuple[int, int, str]], switch: int) -> None:
    document = Document("".join(start))
    library = Library(MemoryReader({"a.tex": document.text}))
    manuscript = assemble(library, "a.tex")
    kept = QuickFindings()
    chosen = selection(Configuration(), live=True)
    for number, (at, length, text) in enumerate([(0, 0, ""), *edits]):
        document = document.edit(at, at + length, text)
        if number == switch:
            chosen = selection(Configuration(ignore=("TXT901",)), live=True)
        elif number % 3 == 0:
            chosen = selection(chosen.configuration, live=True)
        assert kept.of("a.tex", document, manuscript, chosen) == quick("a.tex", document, manuscript, chosen)


def test_only_changed_blocks_are_asked(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document("badword\n\n" * 500)
    manuscript = assemble(Library(MemoryReader({"a.tex": document.text})), "a.tex")
    chosen = selection(Configuration(), live=True)
    kept = QuickFindings()
    assert len(kept.of("a.tex", document, manuscript, chosen)) == 500
    asked: list[Any] = []
    right = analyzers.driver.block_findings
    monkeypatch.setattr("server.quick.block_findings", lambda block, *rest: asked.append(block) or right(block, *rest))
    document = document.edit(2000, 2000, "x")
    assert len(kept.of("a.tex", document, manuscript, chosen)) in {499, 500}
    assert len(asked) < 5
