"""Labels and references: constructs met in published manuscripts that must stay silent, and what fixes and related places say."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import Analysis, analyse
from analyzers.fixes import apply_edits


def found(code: str, files: dict[str, str] | str) -> tuple[Analysis, list[str]]:
    manuscript = manuscript_of({"main.tex": files} if isinstance(files, str) else files)
    analysis = analyse(manuscript, Configuration(select=(code,)))
    return analysis, [manuscript.text(finding.span) for finding in analysis.findings]


SILENT_LABELS = [
    "\\begin{lstlisting}[label={lst:a}, caption=X]\n\\ref{no} $\n\\end{lstlisting}\n\\ref{lst:a}",
    "\\begin{lstlisting}[label=lst:a]\nX\n\\end{lstlisting}\n\\ref{lst:a}",
    "\\begin{frame}[label=fr]\\end{frame}\\ref{fr}",
    "\\begin{tcolorbox}[title={A, b}, label={box:a}]X\\end{tcolorbox} \\ref{box:a}",
    "\\begin{mytheorem}{Title}{pyth}X\\end{mytheorem} \\ref{th:pyth}",
    "\\begin{restatable}[Main]{theorem}{main}\\label{thm:main}X\\end{restatable}\n\n\\main* \\ref{thm:main}",
    "\\newcommand{\\eqlabel}[1]{\\label{eq:#1}}\n\n\\begin{equation}x\\eqlabel{a}\\end{equation} \\eqref{eq:a}",
    "\\newcommand{\\fref}[1]{Fig.~\\ref{fig:#1}}\n\n\\label{fig:a}\\fref{a}",
    "\\newcommand{\\refs}[2]{\\ref{#1} and \\ref{#2}}\n\n\\label{a}\\label{b}\\refs{a}{b}",
    "\\label{eq: max}\\eqref{eq:\n  max}",
    "\\label{a%\n}\\ref{a}",
    "\\subfloat[Caption\\label{fig:s}]{x}\\subref{fig:s}",
    "\\begin{figure}\\captionof{table}{X\\label{t}}\\end{figure}\\cref{t}",
    "\\begin{align}a\\label{e1}\\\\b\\label{e2}\\end{align}\\crefrange{e1}{e2}",
    "\\item\\label{it:a} \\autoref{it:a} \\hyperref[it:a]{there} \\nameref{it:a} \\pageref{it:a}",
    "\\pageref{LastPage}",
    "\\newcommand{\\x}{\\ref{ghost}}",
    "\\ref{\\thelabel}",
    "\\begin{filecontents}{\\jobname-s}\n\\label{sup:a}\n\\end{filecontents}\n\\input{\\jobname-s}\\ref{sup:a}",
    "\\begin{algorithm}\\nllabel{ln:a}\\end{algorithm}\\ref{ln:a}",
    "\\inputtikz{fig:t}{Caption}\\ref{fig:t}",
]


@pytest.mark.parametrize("text", SILENT_LABELS)
def test_labels_of_every_kind_define(text: str) -> None:
    assert found("REF001", text)[1] == []


@pytest.mark.parametrize(
    "command",
    [
        "ref",
        "eqref",
        "pageref",
        "autoref",
        "nameref",
        "cref",
        "Cref",
        "vref",
        "autoref*",
        "ref*",
        "subref",
        "cpageref",
        "labelcref",
    ],
)
def test_every_command_is_followed(command: str) -> None:
    assert found("REF001", f"\\label{{a}} \\{command}{{a}} \\{command}{{ghost}}")[1] == ["ghost"]


def test_fix_keeps_the_prefix_of_a_wrapper() -> None:
    text = "\\newcommand{\\figref}[1]{Figure~\\ref{fig:#1}}\n\n\\label{fig:overview} \\figref{overveiw}"
    finding = found("REF001", text)[0].findings[0]
    assert apply_edits(text, finding.fixes[0].edits) == text.replace("overveiw", "overview")


def test_double_braces_have_a_safe_fix() -> None:
    text = r"\label{fig:x}\ref{{fig:x}}"
    finding = found("REF001", text)[0].findings[0]
    assert finding.fixes[0].safe
    assert apply_edits(text, finding.fixes[0].edits) == r"\label{fig:x}\ref{fig:x}"


def test_references_across_files_and_roots() -> None:
    files = {
        "main.tex": r"\input{a}\ref{in:b}\ref{ghost}",
        "a.tex": r"\input{b}\label{in:a}",
        "b.tex": r"\label{in:b}\ref{in:a}",
    }
    assert found("REF001", files)[1] == ["ghost"]


def test_duplicate_label_names_the_first_place() -> None:
    analysis, slices = found("REF002", {"main.tex": "\\label{a}\n\n\\input{b}", "b.tex": "\\label{a}\n\n\\label{a}"})
    assert slices == ["a", "a"]
    assert {finding.span.path for finding in analysis.findings} == {"b.tex"}
    assert all(finding.related[0].span.path == "main.tex" for finding in analysis.findings)


@pytest.mark.parametrize(
    "text",
    [
        "\\ifthenelse{\\boolean{x}}{\\label{a}}{\\label{a}}",
        "\\ifx\\a\\b \\label{a}\\fi\n\n\\label{a}",
        "\\iffalse\\label{a}\\fi\n\n\\label{a}",
        "\\newcommand{\\x}{\\label{a}}\n\n\\label{a}",
        "% \\label{a}\n\\label{a}",
        "\\begin{tblr}[label=none]{l}A\\end{tblr}\n\n\\begin{tblr}[label=none]{l}A\\end{tblr}",
    ],
)
def test_labels_that_are_no_duplicates(text: str) -> None:
    assert found("REF002", text)[1] == []


def _figures(*names: str) -> str:
    return "".join(f"\\begin{{figure}}\\caption{{X}}\\label{{{name}}}\\end{{figure}}\n\n" for name in names)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("abcd", []),
        ("bacd", ["b"]),
        ("dabc", ["d"]),
        ("bcda", ["a"]),
        ("aabbccdd", []),
        ("dcba", ["d", "c", "b"]),
    ],
)
def test_order_of_first_references(order: str, expected: list[str]) -> None:
    text = _figures("a", "b", "c", "d") + " ".join(f"\\ref{{{name}}}" for name in order)
    assert found("REF004", text)[1] == expected


def test_order_says_which_float_comes_first() -> None:
    analysis, _ = found("REF004", _figures("a", "b") + r"\ref{b} \ref{a}")
    finding = analysis.findings[0]
    assert "before a" in finding.message
    assert finding.related[0].span.start < finding.span.start


SILENT_TYPED = [
    "As Table 3 of \\cite{x} shows.",
    "\\citet{x} give it in their Table 3.",
    "See Fig. 2 in the supplementary material.",
    "Supplementary Table 4 lists them.",
    "\\begin{figure}\\caption{Adapted from Figure 3 of Smith et al.}\\end{figure}",
    "\\begin{quote}Table 3 shows it.\\end{quote}",
    "\\begin{thebibliography}{1}\\bibitem{a} X. On Table 3.\\end{thebibliography}",
    "\\cite[Theorem 3]{x}",
    "The table 3.5 m long, a section 10 cm wide, in Fig.~\\ref{f}.",
    "Proposition 2: It holds.",
    "\\hyperref[f]{Fig. 2}",
    "\\section{Table 3 and more}",
    "The figure 10\\% is large.",
    "\\verb|Table 3|",
]


@pytest.mark.parametrize("text", SILENT_TYPED)
def test_typed_numbers_that_refer_elsewhere(text: str) -> None:
    assert found("REF005", text)[1] == []


def test_a_number_that_cannot_exist_is_information_and_others_are_hints() -> None:
    analysis, slices = found("REF005", _figures("a", "b") + "Figure 1 and Fig. 9 show it.")
    assert slices == ["Figure 1", "Fig. 9"]
    assert [finding.severity.value for finding in analysis.findings] == ["hint", "information"]
    assert analysis.findings[0].fixes[0].edits[0].text == r"\ref{a}"


@pytest.mark.parametrize(
    "text",
    [
        "\\setcounter{figure}{7}\n\n",
        "\\input{gone}\n\n",
        "\\begin{center}\\captionof{figure}{X}\\end{center}\n\n",
        "\\renewcommand{\\thefigure}{S1}\n\n",
    ],
)
def test_numbers_made_in_another_way_are_never_impossible(text: str) -> None:
    analysis, _ = found("REF005", text + _figures("a") + "Figure 8 shows it.")
    assert all(finding.severity.value == "hint" for finding in analysis.findings)


def test_unreferenced_float_and_its_parts() -> None:
    text = _figures("a", "b", "c") + "\\ref{a}, \\magic{b}."
    assert found("REF003", text)[1] == ["c"]
