"""Entries made from fields are those a reader would find in their text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.project.bibliography import compose_bibliography, compose_entry, read_bibliography

NAMES = st.sampled_from(["title", "Author", "YEAR", "note", "doi", "title "])
SOUND_VALUES = st.text(st.sampled_from('ab é,=#"\n@%'), max_size=12).filter(lambda value: "@" not in value)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, SOUND_VALUES, max_size=5))
def test_composed_equals_read(fields: dict[str, str]) -> None:
    entry = compose_entry("Article", "key:1", fields, "x.bib")
    read = read_bibliography("x.bib", entry.source)
    assert read.entries == (entry,)
    assert compose_bibliography(entry).entry("key:1") == entry


def test_lone_braces_stay_in_their_field() -> None:
    entry = compose_entry("article", "k", {"author": r"Smith, A. and {\v{Z}", "title": "A } b", "year": "2020"})
    assert [entry.value(name) for name in ("author", "title", "year")] == [r"Smith, A. and {\v{Z}", "A } b", "2020"]
    assert entry.problems == ()
    year = entry.field("year")
    assert year is not None
    assert entry.source[year.value_start : year.value_end] == "2020"
