"""Restated theorems: what is compared, what counts as a difference."""

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.facts.theorems import difference

BODY = "Let $f \\colon \\mathbb{R}^d \\to \\mathbb{R}$ be convex and $\\beta$-smooth, and let $\\eta \\le 1/\\beta$. Then gradient descent satisfies $f(x_T) - f(x^*) \\le \\frac{\\|x_0 - x^*\\|^2}{2\\eta T}$."
THEOREM = f"\\begin{{theorem}}[Convergence]\\label{{thm:gd}}\n{BODY}\n\\end{{theorem}}\n\n"
FORMS = (
    "\\textbf{{Theorem~\\ref{{thm:gd}}.}} {0}\n",
    "\\noindent\\textbf{{Theorem \\ref{{thm:gd}}}} (Convergence). {0}\n",
    "\\textbf{{\\Cref{{thm:gd}}.}} {0}\n",
    "{{\\bf Theorem \\ref{{thm:gd}}.}} {0}\n",
    "\\paragraph{{Theorem~\\ref{{thm:gd}}.}} {0}\n",
    "\\begin{{theorem*}}[Restatement of Theorem~\\ref{{thm:gd}}]\n{0}\n\\end{{theorem*}}\n",
    "\\newtheorem*{{again}}{{Theorem}}\n\\begin{{again}}[Theorem~\\ref{{thm:gd}}]\n{0}\n\\end{{again}}\n",
    "\\begin{{theorem}}[\\cref{{thm:gd}}, restated]\n{0}\n\\end{{theorem}}\n",
)
CHANGED = (
    (BODY.replace("convex and ", ""), "convex and"),
    (BODY.replace(", and let $\\eta \\le 1/\\beta$", ""), "eta"),
    (BODY.replace("be convex", "be strongly convex"), "strongly"),
    (BODY.replace("gradient descent", "stochastic gradient descent"), "stochastic"),
    (BODY.replace("{2\\eta T}", "{\\eta T}"), "2"),
)
SAME = (
    BODY,
    BODY.replace("Let", "Suppose that").replace("be convex", "is convex"),
    BODY.replace("$f(x_T)", "\\[ f(x_T)").replace("T}$.", "T}. \\]"),
    BODY.replace(" and let", " let").replace("Then", "Then,"),
    BODY.replace("\\le", "\\leq"),
    BODY + " % convex was here",
    "Gradient descent on a smooth convex function converges at rate $1/T$ when the steps are short enough.",
    BODY
    + " Moreover, if $f$ is $\\alpha$-strongly convex, then the iterates converge linearly at a rate that depends on the condition number $\\beta/\\alpha$ only, for every starting point.",
)


def found(text: str) -> list[str]:
    return [
        str(f.evidence["words"])
        for f in analyse(manuscript_of({"main.tex": text}), Configuration(select=("THM001",))).findings
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("body", "words"), CHANGED)
def test_difference_is_found(form: str, body: str, words: str) -> None:
    flagged = found(
        THEOREM
        + "\\appendix\n\\section{Proofs}\nWe restate the result.\n\n"
        + form.format(body)
        + "\\begin{proof}Clear.\\end{proof}\n"
    )
    assert len(flagged) == 1
    assert words in flagged[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", SAME)
def test_same_or_rewritten(form: str, body: str) -> None:
    assert found(THEOREM + form.format(body) + "\\begin{proof}Clear.\\end{proof}\n") == []


def test_order_does_not_matter_and_both_sides_are_shown() -> None:
    text = THEOREM + FORMS[0].format(CHANGED[0][0])
    manuscript = manuscript_of({"main.tex": text})
    finding = analyse(manuscript, Configuration(select=("THM001",))).findings[0]
    assert manuscript.text(finding.related[0].span) == "convex and"
    assert manuscript.text(finding.span).startswith("Let $f")


@pytest.mark.parametrize("text", ["", "x", "\\begin{a}", "$" * 50, "\\", "a b c d e f g h i j k l"])
def test_odd_statements(text: str) -> None:
    assert difference(text, text) is None
    difference(BODY, text)
    difference(text, BODY)


def test_inline_mention_is_no_restatement() -> None:
    assert (
        found(
            THEOREM + "As \\textbf{Theorem~\\ref{thm:gd}} shows, a convex function is easy to minimise in many steps."
        )
        == []
    )
