"""Words of the settings reach the checks."""

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import read_configuration
from analyzers.driver import analyse
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.reader import MemoryReader

TEXT = "Please replace this Paragraph of the ACME class.\n"


def test_template_phrases_of_the_project_are_found() -> None:
    configuration, notes = read_configuration({"dictionary": {"template": ["this paragraph of the ACME class"]}})
    assert not notes
    library = Library(MemoryReader({"main.tex": TEXT}))
    manuscript = assemble(library, "main.tex", words=configuration.words)
    found = [finding for finding in analyse(manuscript, configuration).findings if finding.code == "TXT001"]
    assert [manuscript.text(finding.span) for finding in found] == ["this Paragraph of the ACME class"]
    assert not [f for f in analyse(manuscript_of({"main.tex": TEXT})).findings if f.code == "TXT001"]
