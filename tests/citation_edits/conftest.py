"""A bibliography in many ways of writing, with an entry to edit between two that must stay as they are."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from analyzers.citations.findings import entry_of
from analyzers.citations.record import Entry
from analyzers.fixes import Fix, apply_edits
from analyzers.project.bibliography import BibEntry, Bibliography, read_bibliography

BEFORE = "@book{alder2001,\n  title = {On {Rivers} \\& Lakes},\n\tnote={  spaced  },\n  year = 2001\n}\n\n"
AFTER = '\n@misc{fir2003, title={Bees}, note = "kept"}\n% a remark of the author\n@string{x = {y}}\n'

WAYS: dict[str, str] = {
    "usual": "@{kind}{{target,\n  title = {{{title}}},\n  author = {{{author}}},\n{more}  year = {{{year}}},\n}}\n",
    "no last comma": "@{kind}{{target,\n  title = {{{title}}},\n  author = {{{author}}},\n{more}  year = {{{year}}}\n}}\n",
    "aligned": (
        "@{kind}{{target,\n  title   = {{{title}}},\n  author  = {{{author}}},\n{more}  keyword = {{mine}},\n  year    = {{{year}}},\n}}\n"
    ),
    "tabs": "@{kind}{{target,\n\ttitle={{{title}}},\n\tauthor={{{author}}},\n{more}\tyear={{{year}}}\n\t}}\n",
    "quotes": '@{kind}{{target,\n  title = "{title}",\n  author = "{author}",\n{more}  year = "{year}"\n}}\n',
    "comma first": "@{kind}{{target\n  , title = {{{title}}}\n  , author = {{{author}}}\n{more}  , year = {{{year}}}\n  }}\n",
    "one line": "@{kind}{{target, title={{{title}}}, author={{{author}}}, {more}year={{{year}}}}}\n",
    "capitals": "@{kind}{{target,\n  Title = {{{title}}},\n  Author = {{{author}}},\n{more}  Year = {{{year}}},\n}}\n",
    "parentheses": "@{kind}(target,\n  title = {{{title}}},\n  author = {{{author}}},\n{more}  year = {year}\n)\n",
}
LINE_ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


@dataclass(frozen=True)
class Case:
    """A text, its entry `target`, and the file it stands in."""

    text: str
    bibliography: Bibliography
    entry: BibEntry
    read: Entry

    def after(self, fix: Fix | None) -> "Case":
        """The case after a fix; whatever it may not touch is compared."""
        assert fix is not None
        text = apply_edits(self.text, fix.edits)
        changed = make(text)
        for key in ("alder2001", "fir2003"):
            old, new = self.bibliography.entry(key), changed.bibliography.entry(key)
            assert old is not None
            assert new is not None
            assert old.source == new.source
        assert text.startswith(self.text[: self.entry.start - 1].rstrip("\r\n \t"))
        behind = self.text[self.entry.end :]
        assert text.endswith(behind)
        assert text.startswith("\ufeff") == self.text.startswith("\ufeff")
        if "\r\n" in self.text:
            assert "\n" not in text.replace("\r\n", "")
        elif "\r" in self.text:
            assert "\n" not in text
        assert not changed.entry.problems
        return changed

    def fields(self, *without: str) -> dict[str, str]:
        """The source of every field but some."""
        return {name: item.raw for name, item in self.entry.fields.items() if name not in without}


def make(text: str) -> Case:
    bibliography = read_bibliography("refs.bib", text)
    entry = bibliography.entry("target")
    assert entry is not None
    return Case(text, bibliography, entry, entry_of(entry, bibliography))


def written(way: str, line_end: str, bom: bool, **values: str) -> Case:
    given = {"kind": "article", "title": "Sleep in Bees", "author": "Elm, Emil", "year": "2001", **values}
    extra = {name: value for name, value in given.items() if name not in ("kind", "title", "author", "year")}
    more = "".join(_field(way, name, value) for name, value in extra.items())
    text = BEFORE + WAYS[way].format(more=more, **{k: v for k, v in given.items() if k not in extra}) + AFTER
    text = text.replace("\n", LINE_ENDS[line_end])
    return make(("\ufeff" if bom else "") + text)


def _field(way: str, name: str, value: str) -> str:
    if way == "one line":
        return f"{name}={{{value}}}, "
    if way == "comma first":
        return f"  , {name} = {{{value}}}\n"
    if way == "quotes":
        return f'  {name} = "{value}",\n'
    if way == "tabs":
        return f"\t{name}={{{value}}},\n"
    if way == "aligned":
        return f"  {name:<7} = {{{value}}},\n"
    if way == "capitals":
        return f"  {name.capitalize()} = {{{value}}},\n"
    return f"  {name} = {{{value}}},\n"


PARAMS = [
    pytest.param((way, end, bom), id=f"{way}-{end}{'-bom' if bom else ''}")
    for way in WAYS
    for end, bom in (("lf", False), ("crlf", True), ("cr", False))
]


@pytest.fixture(params=PARAMS)
def make_case(request: pytest.FixtureRequest) -> Callable[..., Case]:
    """Makes the case with the given fields, in one of the ways of writing."""
    way, end, bom = request.param
    return lambda **values: written(way, end, bom, **values)


@pytest.fixture
def plain_case() -> Callable[..., Case]:
    """The same in the usual way of writing."""
    return lambda **values: written("usual", "lf", False, **values)


@pytest.fixture
def case_of() -> Callable[[str], Case]:
    """A case from a text of its own that holds an entry `target`."""
    return make
