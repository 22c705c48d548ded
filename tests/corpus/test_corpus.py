"""Real manuscripts: no exception, every span equal to its slice, random edit scripts equal to from scratch.

The texts are third-party and stay outside the repository; the folder is named by COUNTERCLAIM_CORPUS.
"""

import csv
import os
import random
import time
from pathlib import Path

import pytest

from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.citations import citations
from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, normal_key, references
from analyzers.facts.view import prose_of, sentences_of
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.text.document import Document
from analyzers.text.prose import PieceKind
from server.files import DiskReader

CORPUS = os.environ.get("COUNTERCLAIM_CORPUS")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="COUNTERCLAIM_CORPUS does not name a folder of manuscripts"),
]


def manuscripts() -> list[tuple[str, str]]:
    if CORPUS is None:
        return [("none", "none")]
    with (Path(CORPUS) / "MANIFEST.tsv").open(encoding="utf-8") as file:
        return [(row["slug"], row["main_tex"]) for row in csv.DictReader(file, delimiter="\t")]


@pytest.mark.parametrize(("slug", "root"), manuscripts(), ids=lambda value: value)
def test_every_span_is_exact(slug: str, root: str) -> None:
    assert CORPUS is not None
    library = Library(DiskReader(Path(CORPUS) / "papers" / slug))
    manuscript = assemble(library, root)
    everything = Configuration(select=("ALL",))
    analysis = analyse(manuscript, everything, candidates=True)
    assert manuscript.entries
    assert not [note for note in analysis.notes if "could not finish" in note.message]
    for entry in manuscript.entries:
        text = manuscript.files[entry.path].text
        block = entry.block
        assert text[entry.start : entry.start + len(block.text)] == block.text
        for label in labels(block, manuscript.macros):
            assert label.key.endswith(normal_key(block.text[label.start : label.end])[-20:])
        for citation in citations(block, manuscript.macros):
            assert " ".join(block.text[citation.start : citation.end].split()) in citation.key
        for reference in references(block, manuscript.macros):
            assert normal_key(block.text[reference.start : reference.end]) in reference.key
        prose = prose_of(block, manuscript.macros)
        for index, piece in enumerate(prose.pieces):
            end = prose.pieces[index + 1].start if index + 1 < len(prose.pieces) else len(prose.text)
            assert 0 <= piece.source_start <= piece.source_end <= len(block.text)
            if piece.kind <= PieceKind.MATH:
                assert prose.text[piece.start : end] == block.text[piece.source_start : piece.source_end]
        for sentence in sentences_of(block, manuscript.macros):
            assert prose.text[sentence.start : sentence.end].strip()
    files = {path: document.text for path, document in manuscript.files.items()} | {
        b.path: b.text for b in manuscript.bibliographies if b.text
    }
    for finding in analysis.findings:
        for span in (finding.span, *(related.span for related in finding.related)):
            assert 0 <= span.start <= span.end <= len(files[span.path])
        for fix in finding.fixes:
            for edit in fix.edits:
                assert 0 <= edit.span.start <= edit.span.end <= len(files[edit.span.path])


PIECES = ["x", "\n\n", "\\begin{theorem}", "\\end{theorem}", "\\begin{figure}", "\\end{figure}", "\\begin{verbatim}", "\\iffalse ", "$", "{", "}", "%", "\\", "\\cite{zz}",
          "\\end{document}", "\\section{S}", "\\newcommand{\\zz}{", "\\verb|", "\r"]  # fmt: skip


def blocks(document: Document) -> list[tuple[object, ...]]:
    return [(block.text, block.stack, block.reach, block.lexed) for block in document.blocks]


@pytest.mark.parametrize(("slug", "root"), manuscripts(), ids=lambda value: value)
def test_edit_scripts_equal_from_scratch(slug: str, root: str) -> None:
    assert CORPUS is not None
    manuscript = assemble(Library(DiskReader(Path(CORPUS) / "papers" / slug)), root)
    rng = random.Random(slug)
    steps = 0
    for original in manuscript.files.values():
        document = original
        for _ in range(6 if original.text else 0):
            start = rng.randrange(len(document.text) + 1)
            document = document.edit(start, start + rng.choice([0, 0, 0, 1, 5, 60]), rng.choice(PIECES))
            assert blocks(document) == blocks(Document(document.text))
            steps += 1
    assert steps


@pytest.mark.parametrize(
    ("slug", "root"),
    [row for row in manuscripts() if row[0] in ("paretobandit", "lrf-neurips2024", "tb-suscept", "none", "sympy")],
    ids=lambda value: value,
)
def test_edited_projects_equal_fresh_ones(slug: str, root: str) -> None:
    assert CORPUS is not None
    reader = DiskReader(Path(CORPUS) / "papers" / slug)
    library = Library(reader)
    manuscript = assemble(library, root)
    rng = random.Random(slug + "project")
    for _ in range(8):
        path = rng.choice(sorted(path for path in manuscript.files if manuscript.files[path].text))
        document = manuscript.files[path]
        start = rng.randrange(len(document.text) + 1)
        library.open(path, document.edit(start, start + rng.choice([0, 0, 1, 30]), rng.choice(PIECES)))
        manuscript = assemble(library, root, previous=manuscript)
        fresh_library = Library(reader)
        for other in manuscript.files:
            buffer = library.buffer(other)
            if buffer is not None:
                fresh_library.open(other, Document(buffer.text))
        fresh = assemble(fresh_library, root)
        mine, theirs = analyse(manuscript), analyse(fresh)
        assert mine.findings == theirs.findings
        assert [sentences_of(e.block, manuscript.macros) for e in manuscript.entries] == [
            sentences_of(e.block, fresh.macros) for e in fresh.entries
        ]


def test_a_line_of_100_kilobytes_is_read_in_time() -> None:
    line = (
        "\\newcommand\\values[1][all]{"
        + "\\ifnum\\pdfstrcmp{#1}{all}=0 {-}0.25 \\fi" * 3000
        + "}\n\nText \\values[18].\n"
        + "word " * 25_000
    )
    started = time.perf_counter()
    document = Document(line)
    for block in document.blocks:
        prose_of(block, Macros())
        sentences_of(block, Macros())
    # A generous bound against quadratic behaviour, which would take minutes; speed itself is measured in benchmarks/.
    assert time.perf_counter() - started < 10
