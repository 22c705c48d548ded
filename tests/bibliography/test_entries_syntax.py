"""Reading entries: exact places, values, and neighbours that survive a broken entry."""

import pytest

from analyzers.project.bibliography import BibEntry, Bibliography, read_bibliography


def read(text: str) -> Bibliography:
    return read_bibliography("refs.bib", text)


def only(text: str) -> BibEntry:
    entries = read(text).entries
    assert len(entries) == 1
    return entries[0]


VALUES = [
    ("title = {Plain}", "Plain"),
    ("title={Two   words\n   folded}", "Two words folded"),
    ('title = "Quoted with {"} inside"', 'Quoted with {"} inside'),
    ("title = {Nested {deep {er}} end}", "Nested {deep {er}} end"),
    ("title = 2019", "2019"),
    ("title = {A} # { and } # {B}", "A and B"),
    ('title = may # "~28"', "May~28"),
    ("title = venue", "Proceedings of Things"),
    ("title = VENUE # { 2020}", "Proceedings of Things 2020"),
    ("title = nothing # { 2020}", "nothing 2020"),
    (r"title = {Erd{\H o}s and Tur{\'a}n}", r"Erd{\H o}s and Tur{\'a}n"),
    ("title = {}", ""),
    ('title = ""', ""),
    ("TITLE = {Upper}", "Upper"),
    ("title\n=\n{Spread}", "Spread"),
    (r"title = {Escaped \{ brace \} counts}", r"Escaped \{ brace \} counts"),
]


@pytest.mark.parametrize(("field", "value"), VALUES)
@pytest.mark.parametrize("frame", ["@article{{key,\n  {}\n}}", "@article(key, {})", "@ARTICLE {{key, {},}}"])
def test_value(field: str, value: str, frame: str) -> None:
    text = "@string{venue = {Proceedings of Things}}\n" + frame.format(field)
    entry = only(text)
    assert (entry.kind, entry.key, entry.value("title")) == ("article", "key", value)
    assert text[entry.start : entry.end] == entry.source
    assert entry.problems == ()


def test_places_are_exact() -> None:
    text = '% intro\n@book{ k:1 ,\r\n\tTitle = {An {A}}, year = 2001, note = "q" # jan}\r\n'
    entry = only(text)
    title, year, note = (entry.field(name) for name in ("title", "year", "note"))
    assert title is not None
    assert year is not None
    assert note is not None
    assert text[entry.key_start : entry.key_end] == "k:1"
    assert text[title.name_start : title.name_end] == "Title"
    assert text[title.raw_start : title.raw_end] == "{An {A}}" == title.raw
    assert text[title.value_start : title.value_end] == "An {A}"
    assert (year.raw, year.literal) == ("2001", False)
    assert (note.raw, note.literal, note.value) == ('"q" # jan', False, "qJanuary")
    assert [(text[use.start : use.end], use.defined) for use in note.macros] == [("jan", True)]
    assert text[entry.start] == "@"
    assert text[entry.end - 1] == "}"
    assert entry.key_span.start == entry.key_start


BROKEN = [
    ("no comma after the key", "@article{bad\n  title = {B}, year = 2020}", "bad", "missing-comma"),
    ("no comma after the key, same line", "@article{bad title = {B}, year = 2020}", "bad", "missing-comma"),
    ("no comma between fields", "@article{bad, title = {B}\n  year = 2020}", "bad", "missing-comma"),
    ("unbalanced brace", "@article{bad,\n  title = {Foo {bar baz},\n  year = 2020,\n}", "bad", "unbalanced"),
    ("quote never closed", '@article{bad,\n  title = "Foo,\n  year = 2020,\n}', "bad", "unbalanced"),
    ("a brace too many", "@article{bad, title = {B}}, year = {2020}}", "bad", "early-close"),
    ("nested quotes", '@article{bad, title = "A "quoted" thing",\n  year = 2020}', "bad", "unreadable"),
    ("never closed", "@article{bad,\n  title = {B},\n  year = 2020", "bad", "not-closed"),
    ("empty key", "@article{, title = {B}, year = 2020}", "", "no-key"),
    ("no key at all", "@article{title = {B}, year = 2020}", "", "no-key"),
    ("white space in the key", "@article{bad key, title = {B}, year = 2020}", "bad key", "blank-in-key"),
    ("a field without value", "@article{bad, title = , year = 2020}", "bad", "no-value"),
    ("junk between fields", "@article{bad, title = {B}, %% what\n ?? !!,\n year = 2020}", "bad", "unreadable"),
    ("braced key", "@article{{bad}, title = {B}, year = 2020}", "", "bad-key"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "key", "kind"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_entry_is_located_and_keeps_its_neighbours(text: str, key: str, kind: str, newline: str) -> None:
    good = "@article{{{}, title = {{Good}}, year = 1999}}\n"
    whole = (good.format("before") + text + "\n" + good.format("after")).replace("\n", newline)
    found = read(whole)
    assert [entry.key for entry in found.entries] == ["before", key, "after"]
    before, bad, after = found.entries
    assert before.value("title") == after.value("title") == "Good"
    assert kind in {problem.kind for problem in bad.problems}
    assert all(bad.start <= problem.start < problem.end <= len(whole) for problem in bad.problems)
    assert bad.value("year") == "2020"
    assert found.problems
    assert before.problems == after.problems == ()


def test_unbalanced_title_costs_only_itself() -> None:
    entry = only("@article{k,\n  title = {Foo {bar baz},\n  journal = {J},\n  year = 2020,\n}")
    assert entry.value("title") == "Foo {bar baz}"
    assert (entry.value("journal"), entry.value("year")) == ("J", "2020")


def test_syntax_error_file_keeps_most_entries() -> None:
    """Fifteen entries, seven broken, one entry per line: all fifteen are kept, the broken ones located."""
    lines = [
        "@article{a1, title={A}, year=2020}",
        "@article{a2\n  title={B}, year=2020}",
        "@article{a3, title={C}, year=2020}",
        "@article{a4, title={D} year=2020}",
        "@article{a5, title={E {F}, year=2020}",
        "@article{a6, title={G}, year=2020}",
        "@article{a7, title={H}, title={I}, year=2020}",
        "@article{, title={J}, year=2020}",
        "@article{a 9, title={K}, year=2020}",
        '@article{a10, title="A "quoted" thing", year=2020}',
        "@article{a11, title={L}, year=2020",
        "@article{a12, title={M}, year=2020}",
        '@article(a13, title="N", year=2020)',
        "@oddity{a14, title={O}, year=2020}",
        "@article{a15, title={P}, year=2020}",
    ]
    found = read("\n".join(lines))
    assert len(found.entries) == 15
    assert [e.key for e in found.entries if e.problems] == ["a2", "a4", "a5", "", "a 9", "a10", "a11"]
    assert [e.value("year") for e in found.entries if not e.problems] == ["2020"] * 8
    assert [e.key for e in found.entries if e.repeated] == ["a7"]


def test_first_of_repeated_fields_counts() -> None:
    entry = only("@article{k, title = {First}, Title = {Second}}")
    assert entry.value("title") == "First"
    assert [item.value for item in entry.repeated] == ["Second"]


def test_entries_behind_percent_or_in_comment_are_kept_apart() -> None:
    text = (
        "%@article{a, title={x}}\n@article{b, title={x}}\n@comment{\n@article{c, title={x}}\n}\n"
        "@comment{@article{d, title={x}}}\n@comment{jabref-meta: x;}\n@article{e, title={x}}\n@comment{open\n@book{f,}"
    )
    found = read(text)
    assert [entry.key for entry in found.entries] == ["b", "e", "f"]
    assert [entry.key for entry in found.commented] == ["a", "c", "d"]
    assert "c" in found.commented_by_key
    assert found.problems == ()


def test_text_between_entries_is_no_entry() -> None:
    text = "Mail me@home.org or @twitter (now). @book{a, title={x}} and @misc{b, title={y}} \n @article{c}\n @java{x}\n"
    found = read(text)
    assert [entry.key for entry in found.entries] == ["a", "b", "c"]
    assert all(text[entry.start : entry.end] == entry.source for entry in found.entries)


@pytest.mark.parametrize(
    "key", ["DBLP:conf/nips/X", "muller:2020+x", "o'neil2001", "基于2020", "a.b-c_d/e", "10.1/x;y"]
)
def test_keys_of_unusual_form(key: str) -> None:
    text = f"@article{{{key},\n title={{x}}}}"
    entry = only(text)
    assert entry.key == key == text[entry.key_start : entry.key_end]
    assert entry.problems == ()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(newline: str, mark: str) -> None:
    text = mark + "@article{a,\n title={x {y},\n year=2001\n}\n\n@article{b,\n title={z}\n}\n".replace("\n", newline)
    found = read(text)
    assert [entry.key for entry in found.entries] == ["a", "b"]
    assert found.entries[0].value("year") == "2001"
    assert found.entries[1].value("title") == "z"


def test_strings() -> None:
    text = '@string{a = "one"}\n@STRING(b = a # " two")\n@preamble{"\\newcommand{x}"}\n@book{k, title = b, note = gone}'
    found = read(text)
    assert found.strings == {"a": "one", "b": "one two"}
    assert found.entries[0].value("title") == "one two"
    assert found.open_macros == {"gone"}
    later = read_bibliography("more.bib", "@book{k2, title = a}", found.strings)
    assert later.entries[0].value("title") == "one"


def test_keys_looked_up() -> None:
    found = read("@book{Knuth, title={a}}\n@book{knuth, title={b}}\n@book{Knuth, title={c}}\n@book{x, title={d}}")
    assert [entry.value("title") for entry in (found.entry("Knuth"), found.entry_folded("KNUTH")) if entry] == [
        "a",
        "a",
    ]
    assert found.entry("KNUTH") is None
    assert [[entry.value("title") for entry in group] for group in found.duplicates] == [["a", "c"]]
    assert [[entry.key for entry in group] for group in found.case_variants] == [["Knuth", "knuth"]]


def test_plain_text() -> None:
    entry = only(r"@book{k, author = {Erd{\H o}s, P{\'a}l and M\"uller}, title = {The {LaTeX} \& more}}")
    assert entry.plain("author") == "Erdős, Pál and Müller"
    assert entry.plain("title") == "The LaTeX & more"
    assert entry.plain("year") == ""
