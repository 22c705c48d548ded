r"""Every form of citing and of defining keys, each with a defined key (silent) and with an undefined one (found at the key itself)."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse

KEYS = ("good", "other", "o'neil2001", "a:b/c+d.e", "x_y-z", "王2020", "müller", "k.1", "Smith:2020/1")
REFS = "".join(f"@book{{{key}, title = {{T {index}}}}}\n" for index, key in enumerate(KEYS))

# `KEY` stands for the key under test.
FORMS = [
    r"\cite{KEY}",
    r"\cite[p.~3]{KEY}",
    r"\cite{good,KEY,other}",
    "\\cite{good,%\n  KEY}",
    "\\cite{good, % a comment with , commas\n  KEY, other}",
    "\\cite{\n  KEY\n}",
    r"\citep[see][chap.~2]{KEY}",
    r"\citep[see~\cite{good}]{KEY}",
    r"\citet*{KEY}",
    r"\citeauthor*{KEY}",
    r"\Citeauthor{KEY}",
    r"\citeyearpar{KEY}",
    r"\citealp{KEY}",
    r"\nocite{KEY}",
    r"\textcite{KEY}",
    r"\parencite*{KEY}",
    r"\autocite[1][2]{KEY}",
    r"\footcite{KEY}",
    r"\footfullcite{KEY}",
    r"\fullcite{KEY}",
    r"\supercite{KEY}",
    r"\smartcite{KEY}",
    r"\citetitle*{KEY}",
    r"\parencites(see)(also)[1]{good}[2]{KEY}",
    r"\parencites(a)(b)[1]{KEY}[2]{other}",
    r"\cites{good}{KEY}{other}",
    r"\textcites[see e.g.][]{good}{KEY}",
    "\\autocites\n  [1]{good}\n  [2]{KEY}",
    r"\citep<see>{KEY}",
    r"\cite<e.g.,>[p.~2]{KEY}",
    r"\citeA{KEY}",
    r"\citeNP<see>{KEY}",
    r"\fullciteA{KEY}",
    r"\mycite{KEY}",
    r"\mycite[note]{KEY}",
    r"\seecite{page}{KEY}",
    r"\onlinecite{KEY}",
    r"\begin{figure}\caption[short]{As in \cite{KEY}.}\end{figure}",
    r"\footnote{As in \cite{KEY}.}",
    r"\section{On \texorpdfstring{\cite{KEY}}{x}}",
    r"\begin{tabular}{l}\cite{KEY}\\\end{tabular}",
    r"$x = 1~\text{\cite{KEY}}$",
    r"\emph{\textbf{\cite{KEY}}}",
]
MACROS = "\\newcommand{\\mycite}[2][]{\\citep[#1]{#2}}\n\\newcommand{\\seecite}[2]{(p.~#1 of \\citet{#2})}\n\n"

# None of these is a citation.
MASKED = [
    r"\verb|\cite{ghost}|",
    r"\verb*+\cite{ghost}+",
    "\\begin{verbatim}\n\\cite{ghost}\n\\end{verbatim}",
    "\\begin{lstlisting}[language=TeX]\n\\cite{ghost} $\n\\end{lstlisting}",
    "\\begin{minted}{tex}\n\\cite{ghost}\n\\end{minted}",
    r"\lstinline!\cite{ghost}!",
    "% \\cite{ghost}\n",
    "text 50\\% and \\cite{good} % \\cite{ghost}\n",
    "\\iffalse\n\\cite{ghost}\n\\fi\n",
    "\\iffalse \\ifx\\a\\b \\cite{ghost}\\fi \\cite{ghost}\\fi\n",
    "\\begin{comment}\n\\cite{ghost}\n\\end{comment}",
    "\\newcommand{\\later}{\\cite{ghost}}",
    r"\nocite{*}",
    r"\citestyle{ghost}",
    r"\cite{}",
    r"\cite{\thekey}",
    "\\newcommand{\\c}[1]{\\cite{#1:2020}}",
    "\\end{document}\n\\cite{ghost}",
]


def undefined(files: dict[str, str]) -> list[str]:
    manuscript = manuscript_of(files)
    analysis = analyse(manuscript, Configuration(select=("CIT001",)))
    return [manuscript.text(finding.span) for finding in analysis.findings]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_with_defined_keys_is_silent(form: str) -> None:
    for key in KEYS:
        body = f"{MACROS}As {form.replace('KEY', key)} shows.\n\\bibliography{{refs}}"
        assert undefined({"main.tex": body, "refs.bib": REFS}) == [], key


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ghost", ["ghost", "o'ghost2001", "a:b/c+d.f", "李2021", "good2", "ghost.1"])
def test_every_form_with_an_undefined_key_marks_the_key_alone(form: str, ghost: str) -> None:
    body = f"{MACROS}As {form.replace('KEY', ghost)} shows.\n\\bibliography{{refs}}"
    assert undefined({"main.tex": body, "refs.bib": REFS}) == [ghost]


@pytest.mark.parametrize("text", MASKED)
def test_what_is_no_citation_is_silent(text: str) -> None:
    assert (
        undefined(
            {"main.tex": f"\\begin{{document}}\nA \\cite{{good}}. {text}\n\n\\bibliography{{refs}}", "refs.bib": REFS}
        )
        == []
    )


DEFINITIONS = [
    "\\begin{thebibliography}{99}\n\\bibitem{KEY} Someone.\n\\end{thebibliography}",
    "\\begin{thebibliography}{99}\n\\bibitem[Some(2020)]{KEY} Someone.\n\\end{thebibliography}",
    "\\begin{thebibliography}{99}\n\\bibitem[{Some \\& One (2020)}]%\n{KEY}\nSomeone.\n\\end{thebibliography}",
    "\\begin{thebibliography}{99}\n\\bibitem{first} A.\n\n\\bibitem{KEY} B.\n\\end{thebibliography}",
]


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("key", KEYS)
def test_inline_bibliographies_define_their_keys(definition: str, key: str) -> None:
    body = f"\\cite{{{key}}} and \\cite{{ghost}}.\n\n{definition.replace('KEY', key)}"
    assert undefined({"main.tex": body}) == ["ghost"]


def test_keys_of_an_inline_bibliography_are_compared_with_their_case() -> None:
    body = "\\cite{Jones}.\n\n\\begin{thebibliography}{9}\\bibitem{jones} A.\\end{thebibliography}"
    assert undefined({"main.tex": body}) == ["Jones"]


def test_a_bbl_file_stands_in_for_a_missing_bibliography() -> None:
    bbl = "\\begin{thebibliography}{1}\n\\bibitem{good} A.\n\\end{thebibliography}"
    assert undefined({"main.tex": r"\cite{good,ghost}\bibliography{gone}", "main.bbl": bbl}) == ["ghost"]


def test_several_bibliographies_and_the_biblatex_way() -> None:
    files = {
        "main.tex": "\\usepackage{biblatex}\n\\addbibresource{a.bib}\\addbibresource{b.bib}\n\n\\cite{good,late,GOOD,alias,ghost}",
        "a.bib": "@book{good, title = {A}}",
        "b.bib": "@book{late, title = {B}, ids = {alias, alias2}}",
    }
    assert undefined(files) == ["GOOD", "ghost"]


def test_bibtex_finds_keys_in_another_case() -> None:
    assert undefined({"main.tex": r"\cite{GOOD}\bibliography{refs}", "refs.bib": REFS}) == []


def test_bibliography_inside_filecontents() -> None:
    body = "\\begin{filecontents}{refs.bib}\n@book{good, title = {A}}\n\\end{filecontents}\n\n\\cite{good,ghost}\\bibliography{refs}"
    assert undefined({"main.tex": body}) == ["ghost"]


def test_bibtex_reads_entries_behind_a_comment_sign() -> None:
    refs = "% @book{old, title = {A}}\n@book{good, title = {B}}\n"
    assert undefined({"main.tex": r"\cite{old,good,ghost}\bibliography{refs}", "refs.bib": refs}) == ["ghost"]
    assert undefined(
        {"main.tex": "\\usepackage{biblatex}\\addbibresource{refs.bib}\n\n\\cite{old,good}", "refs.bib": refs}
    ) == ["old"]


def test_no_bibliography_means_no_finding() -> None:
    assert undefined({"main.tex": r"\cite{ghost}"}) == []
    assert undefined({"main.tex": r"\cite{ghost}\bibliography{refs,gone}", "refs.bib": REFS}) == []
    assert undefined({"main.tex": r"\cite{ghost}\input{gone}\bibliography{refs}", "refs.bib": REFS}) == []


def test_one_broken_entry_does_not_undefine_its_neighbours() -> None:
    refs = "@book{good, title = {A}}\n@book{broken, title = {never closed\n\n@book{other, title = {B}}\n"
    assert undefined({"main.tex": r"\cite{good,other}\bibliography{refs}", "refs.bib": refs}) == []


def test_the_fix_replaces_the_key_by_the_nearest() -> None:
    manuscript = manuscript_of({"main.tex": r"\cite{o'neil2010}\bibliography{refs}", "refs.bib": REFS})
    finding = analyse(manuscript, Configuration(select=("CIT001",))).findings[0]
    assert [(edit.text, manuscript.text(edit.span)) for edit in finding.fixes[0].edits] == [
        ("o'neil2001", "o'neil2010")
    ]
