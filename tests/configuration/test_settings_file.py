"""Finding and reading the settings file."""

import pytest

from analyzers.finding import Severity
from analyzers.project.reader import FileText, MemoryReader, ReadFailure
from server.settings import candidates, read_settings


def test_the_file_beside_the_root_wins() -> None:
    reader = MemoryReader({"counterclaim.toml": 'language = "de"', "a/counterclaim.toml": 'fail-on = "error"'})
    settings = read_settings(reader, "a/main.tex")
    assert settings.path == "a/counterclaim.toml"
    assert settings.configuration.language is None
    assert settings.configuration.fail_on is Severity.ERROR
    assert read_settings(reader, "b/c/main.tex").configuration.language == "de"
    assert read_settings(reader, None).path == "counterclaim.toml"


def test_candidates_stay_in_the_workspace() -> None:
    assert candidates("a/b/main.tex") == ("a/b/counterclaim.toml", "a/counterclaim.toml", "counterclaim.toml")
    assert candidates("main.tex") == candidates(None) == ("counterclaim.toml",)


def test_without_a_file_the_editor_speaks() -> None:
    settings = read_settings(MemoryReader({}), "main.tex", editor={"language": "zh"})
    assert (settings.path, settings.configuration.language, settings.notes) == (None, "zh", ())


def test_the_file_wins_over_the_editor() -> None:
    reader = MemoryReader({"counterclaim.toml": '[checks]\nselect = ["NUM"]'})
    editor = {"checks": {"select": ["REF"], "ignore": ["DUP"]}}
    configuration = read_settings(reader, "main.tex", editor=editor).configuration
    assert (configuration.select, configuration.ignore) == (("NUM",), ("DUP",))


BROKEN = ["language = ", "x = 1\nlanguage = en\n", "[checks\n", 'a = "\n', "x = " + "[" * 5000, "\x00"]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_broken_file_gives_one_note_and_the_defaults(text: str, line_end: str) -> None:
    text = text.replace("\n", line_end)
    settings = read_settings(MemoryReader({"counterclaim.toml": text}), "main.tex", editor={"language": "de"})
    (note,) = settings.notes
    assert "not valid TOML" in note.message
    assert note.span is not None
    assert 0 <= note.span.start <= note.span.end <= len(text)
    assert settings.configuration.language == "de"


def test_the_note_points_to_the_line() -> None:
    text = "cap-per-file = 3\r\nlanguage = en\r\n"
    (note,) = read_settings(MemoryReader({"counterclaim.toml": text}), None).notes
    assert note.span is not None
    assert text[note.span.start : note.span.end] == "language = en"


def test_an_unreadable_file_gives_a_note() -> None:
    class Refusing(MemoryReader):
        def read(self, path: str) -> FileText | ReadFailure:
            return ReadFailure("unreadable", "permission denied")

    settings = read_settings(Refusing({}), "a/main.tex")
    assert [note.message for note in settings.notes] == [
        "The settings in a/counterclaim.toml were not read: permission denied."
    ]


def test_paths_are_relative_to_the_file() -> None:
    reader = MemoryReader({"paper/counterclaim.toml": 'baseline = "known.json"'})
    settings = read_settings(reader, "paper/main.tex")
    assert settings.beside(settings.configuration.baseline or "") == "paper/known.json"
