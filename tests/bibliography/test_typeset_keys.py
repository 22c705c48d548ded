r"""Keys of `thebibliography` and of `.bbl` files."""

import pytest

from analyzers.project.bibliography import typeset_items

CASES = [
    (r"\bibitem{a} A. \bibitem{b} B.", ["a", "b"]),
    (r"\bibitem[Smith(2020)]{smith20} x", ["smith20"]),
    ("\\bibitem[{Smith et~al.(2020)Smith, Lee, and\n  [x] Wu}]{s} x", ["s"]),
    ("\\bibitem[\\protect\\citeauthoryear{A}{B}{2020}]%\n        {c:d/e'f} x", ["c:d/e'f"]),
    ("% \\bibitem{no}\n\\bibitem{yes}", ["yes"]),
    ("\\bibitem  {two\n words}", ["two words"]),
    (r"\bibitemdeclare{article}{k}\bibitem[A]{k}\BibitemOpen", ["k"]),
    (r"\harvarditem[A]{A and B}{2020}{h1}", ["h1"]),
    (r"\harvarditem{A}{2020}{h2}", ["h2"]),
    (r"\bibitem{} \bibitem[open \bibitem{after}", ["after"]),
    (r"\newcommand{\entry}[3]{} \entry{not}{ours}{}", []),
    ("% $ biblatex auxiliary file $\n\\entry{key1}{article}{}\n  \\name{author}{1}{}{}\n\\endentry", ["key1"]),
    ("plain text without anything", []),
]


@pytest.mark.parametrize(("text", "keys"), CASES)
def test_keys(text: str, keys: list[str]) -> None:
    items = typeset_items(text)
    assert [item.key for item in items] == keys
    assert [" ".join(text[item.key_start : item.key_end].split()) for item in items] == keys


def test_kind_of_a_biblatex_entry() -> None:
    assert typeset_items("\\datalist[entry]{nty}\n\\entry{k}{inproceedings}{}")[0].kind == "inproceedings"
