"""Words of the settings reach the checks."""

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import read_configuration
from analyzers.driver import analyse
from analyzers.facts.number_links import number_summary, tables_in
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


TABLE = r"""\begin{table}
\caption{Drag of the wings. The best value is in bold.}
\begin{tabular}{lccc}
Wing & Zork & Blip & Flonk \\
\hline
A & \textbf{1.0} & \textbf{2.0} & 3.0 \\
B & 1.5 & 2.5 & \textbf{3.5} \\
C & 1.7 & 2.7 & 3.7 \\
\end{tabular}
\end{table}
"""


def test_directions_of_metrics_come_from_the_settings() -> None:
    settings = {"dictionary": {"lower-is-better": ["Zork", "Blip", "Flonk"]}}
    configuration, notes = read_configuration(settings)
    assert not notes
    library = Library(MemoryReader({"main.tex": TABLE}))
    manuscript = assemble(library, "main.tex", words=configuration.words)
    found = [finding for finding in analyse(manuscript, configuration).findings if finding.code == "TAB001"]
    assert [manuscript.text(finding.span) for finding in found] in ([r"\textbf{3.5}"], ["3.5"])


def test_a_table_in_a_file_has_the_caption_and_label_of_its_float() -> None:
    files = {
        "main.tex": "\\documentclass{article}\\begin{document}\nTable~\\ref{tab:a} shows 74.3\\% for TideFix on SciQA.\n\n"
        "\\begin{table}\\caption{Accuracy on SciQA (\\%).}\\label{tab:a}\n\\input{rows}\n\\end{table}\n\\end{document}\n",
        "rows.tex": "\\begin{tabular}{lcc}\nMethod & SciQA & QASPER \\\\\n\\hline\nLinear & 72.3 & 50.1 \\\\\nTideFix & 74.3 & 51.6 \\\\\n\\end{tabular}\n",
    }
    manuscript = manuscript_of(files)
    (place,) = [place for place in tables_in(manuscript) if place.table.cells]
    assert place.table.labels == ("tab:a",) or "tab:a" in place.table.labels
    assert "Accuracy" in place.table.caption_text
    assert number_summary(manuscript).verified == 1
