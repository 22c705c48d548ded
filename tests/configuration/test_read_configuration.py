"""Settings: every key is read, documented and defaulted; whatever else stands in the file is reported and ignored."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.configuration import Configuration, merged, read_configuration
from analyzers.configuration_keys import BY_NAME, KEYS, TABLES, configuration_page
from analyzers.finding import Severity

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
CODES = ("ACR001", "ACR002", "CIT001", "NUM001", "NUM002", "REF001", "REF003", "DUP001")


def read(text: str) -> tuple[Configuration, list[str]]:
    configuration, notes = read_configuration(tomllib.loads(text), CODES, text=text)
    return configuration, [note.message for note in notes]


def test_an_empty_file_gives_the_defaults() -> None:
    assert read("") == (Configuration(), [])


def test_documented_defaults_are_the_defaults() -> None:
    explicit: dict[str, object] = {}
    for key in KEYS:
        table = explicit if not key.table else explicit.setdefault(key.table, {})
        assert isinstance(table, dict)
        if key.name:
            table[key.name] = list(key.default) if isinstance(key.default, tuple) else key.default
    assert read_configuration(explicit, CODES) == (Configuration(), ())


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.dotted)
def test_every_example_is_valid_and_changes_something(key: object) -> None:
    key = BY_NAME[key.dotted]  # type: ignore[attr-defined]
    text = f"[{key.table}]\n{key.example}" if key.table else key.example
    configuration, problems = read(text)
    assert problems == []
    assert configuration != Configuration()


def test_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == configuration_page(), "run scripts/configuration-page"


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.dotted)
def test_page_documents_every_key(key: object) -> None:
    key = BY_NAME[key.dotted]  # type: ignore[attr-defined]
    assert key.documentation in configuration_page()


PROBLEMS = [
    ('langauge = "en"', "langauge", "Unknown key `langauge`. Did you mean `language`?"),
    ("[check]\nignore = []", "check", "Unknown key `check`. Did you mean `checks`?"),
    ("[checks]\nignored = []", "ignored", "Unknown key `checks.ignored`. Did you mean `checks.ignore`?"),
    ('ignore = ["REF"]', "ignore", "Unknown key `ignore`. Did you mean `checks.ignore`?"),
    ("\n\nxyzzy = 1", "xyzzy", "Unknown key `xyzzy`. Valid here: "),
    ('fail-on = "warnings"', "fail-on", "Did you mean `warning`?"),
    ("fail-on = 3", "fail-on", "`fail-on` cannot be `3`. Valid: "),
    ("cap-per-file = 0", "cap-per-file", "must be a whole number of 1 or more, not `0`"),
    ("cap-per-file = true", "cap-per-file", "must be a whole number"),
    ('cap-per-file = "9"', "cap-per-file", "must be a whole number"),
    ('[checks]\nselect = "REF"', "select", "must be a list of strings"),
    ("[checks]\nselect = [1]", "select", "must be a list of strings"),
    ('[checks]\nselect = ["NUM01"]', "select", "No check has the code `NUM01`. Did you mean `NUM001`?"),
    ('[severity]\nREF001 = "warn"', "REF001", "Did you mean `warning`?"),
    ('[severity]\nREFF = "hint"', "REFF", "Did you mean `REF`?"),
    ("severity = 3", "severity", "`severity` must be a table"),
    ("checks = 3", "checks", "`checks` is a table"),
    ('[dictionary]\naliases = { "our method" = 2 }', "aliases", "must be a string, not `2`"),
    ("baseline = 1", "baseline", "must be a path in quotes"),
]


@pytest.mark.parametrize(("text", "place", "message"), PROBLEMS)
def test_problem_is_reported_at_its_key_and_the_default_is_used(text: str, place: str, message: str) -> None:
    (note,) = read_configuration(tomllib.loads(text), CODES, "paper/counterclaim.toml", text)[1]
    assert message in note.message
    assert note.span is not None
    assert note.span.path == "paper/counterclaim.toml"
    assert text[note.span.start : note.span.end] == place
    assert read(text)[0] == Configuration()


def test_one_mistake_does_not_lose_its_neighbours() -> None:
    configuration, problems = read('[checks]\nselect = ["NUM", "NOPE9"]\nignore = 1\n[paths]\nexclude = ["old/**"]')
    assert (configuration.select, configuration.exclude) == (("NUM",), ("old/**",))
    assert len(problems) == 2


def test_without_the_file_there_is_no_place() -> None:
    (note,) = read_configuration({"langauge": "en"}, CODES)[1]
    assert note.span is None


SELECTION = [
    ("", "REF001", True, True),
    ("", "ACR002", False, False),
    ('select = ["REF"]', "REF001", True, True),
    ('select = ["REF"]', "CIT001", True, False),
    ('select = ["ALL"]', "ACR002", False, True),
    ('extend-select = ["ACR002"]', "ACR002", False, True),
    ('extend-select = ["ACR002"]', "REF001", True, True),
    ('ignore = ["REF"]', "REF001", True, False),
    ('ignore = ["REF"]', "CIT001", True, True),
    ('select = ["NUM001"]\nignore = ["NUM"]', "NUM001", True, True),
    ('select = ["NUM"]\nignore = ["NUM001"]', "NUM001", True, False),
    ('select = ["NUM"]\nignore = ["NUM"]', "NUM001", True, False),
    ('select = ["NUM"]\nignore = ["ALL"]', "NUM001", True, True),
    ('ignore = ["ALL"]', "NUM001", True, False),
]


@pytest.mark.parametrize(("lines", "code", "on_by_default", "runs"), SELECTION)
def test_selection(lines: str, code: str, on_by_default: bool, runs: bool) -> None:
    configuration, problems = read(f"[checks]\n{lines}")
    assert problems == []
    assert configuration.runs(code, on_by_default) is runs


SEVERITY = [
    ('REF001 = "hint"', "REF001", True, Severity.HINT),
    ('REF = "error"', "REF001", True, Severity.ERROR),
    ('REF = "error"\nREF001 = "hint"', "REF001", True, Severity.HINT),
    ('REF = "off"', "REF001", False, Severity.WARNING),
    ('REF = "off"\nREF001 = "hint"', "REF001", True, Severity.HINT),
    ('REF = "hint"\nREF001 = "off"', "REF001", False, Severity.WARNING),
    ('REF = "hint"', "CIT001", True, Severity.WARNING),
]


@pytest.mark.parametrize(("lines", "code", "runs", "severity"), SEVERITY)
def test_severity(lines: str, code: str, runs: bool, severity: Severity) -> None:
    configuration, problems = read(f"[severity]\n{lines}")
    assert problems == []
    assert configuration.runs(code) is runs
    if runs:
        assert configuration.severity_of(code, Severity.WARNING) is severity


def test_thresholds() -> None:
    configuration = read('fail-on = "information"\nshow-from = "warning"')[0]
    assert [configuration.fails(severity) for severity in Severity] == [True, True, True, False]
    assert [configuration.shows(severity) for severity in Severity] == [True, True, False, False]
    assert not any(read('fail-on = "never"')[0].fails(severity) for severity in Severity)


EXCLUSION = [
    ("*.bbl", "main.bbl", True),
    ("*.bbl", "a/b/main.bbl", True),
    ("*.bbl", "main.tex", False),
    ("old/**", "old/a/b.tex", True),
    ("old/*", "old/a/b.tex", False),
    ("old/", "old/a/b.tex", True),
    ("./old/*.tex", "old/b.tex", True),
    ("**/old/*.tex", "a/b/old/c.tex", True),
    ("**/old/*.tex", "old/c.tex", True),
    ("a/**/b.tex", "a/b.tex", True),
    ("a/**/b.tex", "a/x/y/b.tex", True),
    ("a/**/b.tex", "a/x/y/c.tex", False),
    ("chapter?.tex", "chapter1.tex", True),
    ("[ab].tex", "b.tex", True),
    ("[", "[", True),
    ("old", "older", False),
]


@pytest.mark.parametrize(("pattern", "path", "excluded"), EXCLUSION)
def test_exclusion(pattern: str, path: str, excluded: bool) -> None:
    assert Configuration(exclude=(pattern,)).excludes(path) is excluded


def test_a_hostile_pattern_is_not_slow() -> None:
    assert not Configuration(exclude=("**/a" * 200 + "/b",)).excludes("a/" * 400 + "c")


def test_layers_join_table_by_table() -> None:
    editor = {"language": "de", "checks": {"select": ["REF"], "ignore": ["DUP"]}}
    file = {"checks": {"select": ["NUM"]}, "cap-per-file": 5}
    assert merged(editor, file) == {
        "language": "de",
        "checks": {"select": ["NUM"], "ignore": ["DUP"]},
        "cap-per-file": 5,
    }
    assert merged() == {}


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([*CODES, "off", "hint"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*BY_NAME, *TABLES, "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
names = st.sampled_from([*(key.name for key in KEYS if key.name), *TABLES, "x"])


@given(st.dictionaries(names, anything | st.dictionaries(names, anything, max_size=4), max_size=5))
@settings(max_examples=150, deadline=None)
def test_no_mapping_raises_and_what_is_kept_is_valid(data: dict[str, object]) -> None:
    configuration, notes = read_configuration(data, CODES)
    assert all(note.message for note in notes)
    assert all(isinstance(item, str) for item in (*configuration.select, *configuration.roots, *configuration.template))
    assert configuration.cap_per_file >= 1
    assert read_configuration(data, CODES) == (configuration, notes)


@given(st.text(alphabet=st.sampled_from('[]="\n.abc # severity'), max_size=60))
@settings(max_examples=100, deadline=None)
def test_places_never_leave_the_file(text: str) -> None:
    for note in read_configuration({"severity": {"a": "b"}, "abc": 1}, CODES, text=text)[1]:
        assert note.span is None or 0 <= note.span.start <= note.span.end <= len(text)
