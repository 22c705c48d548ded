"""A manuscript that is no longer used goes at once, with all that was found in it: nothing in it refers to what keeps it.

An editor makes a manuscript with every edit.  What is cyclic waits for the garbage collector, which runs rarely on purpose.
"""

import gc
import weakref
from pathlib import Path

import pytest

from analyzers.driver import analyse
from analyzers.graph.build import graph_of
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from server.checking import Options, check_root
from server.files import DiskReader

EXAMPLE = Path(__file__).parents[2] / "examples" / "manuscript"


def test_a_manuscript_goes_without_the_collector(request: pytest.FixtureRequest) -> None:
    gc.collect()
    gc.disable()
    request.addfinalizer(gc.enable)
    library = Library(DiskReader(EXAMPLE))
    manuscript = assemble(library, "main.tex")
    analysis = analyse(manuscript, candidates=True)
    graph = graph_of(manuscript)
    assert analysis.findings
    assert graph.nodes
    gone = weakref.ref(manuscript)
    del library, manuscript, analysis, graph
    assert gone() is None


def test_a_check_leaves_nothing_for_the_collector(request: pytest.FixtureRequest) -> None:
    check_root(Library(DiskReader(EXAMPLE)), "main.tex", Options())  # what is read once and kept: lexicons, expressions
    gc.collect()
    gc.disable()
    request.addfinalizer(gc.enable)
    check_root(Library(DiskReader(EXAMPLE)), "main.tex", Options())
    assert gc.collect() == 0
