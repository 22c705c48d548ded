"""Reading files: nothing outside of the workspace, nothing that blocks, every encoding of authors' files."""

import os
from pathlib import Path

import pytest

from analyzers.project.reader import FileText, ReadFailure
from server.files import DiskReader, decode


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    (folder / "sections").mkdir(parents=True)
    (folder / "main.tex").write_bytes(b"one\r\ntwo\rthree\f\n")
    (folder / "sections" / "intro.tex").write_text("Introduction é 𝔸", encoding="utf-8")
    (tmp_path / "secret.tex").write_text("secret")
    return folder


def kind(result: FileText | ReadFailure) -> str:
    assert isinstance(result, ReadFailure)
    assert result.message
    return result.kind


@pytest.mark.parametrize(
    ("data", "text", "remarked"),
    [
        (b"", "", False),
        ("é𝔸".encode(), "é𝔸", False),
        (b"\xef\xbb\xbfBOM", "BOM", False),
        (b"caf\xe9", "café", True),
        (b"a\r\nb\rc", "a\r\nb\rc", False),
        ("é".encode("utf-16"), "é", True),
        (b"x" * 500 + b"\x00y", "x" * 500 + "\x00y", False),
    ],
)
def test_authors_encodings(data: bytes, text: str, remarked: bool) -> None:
    result = decode(data)
    assert isinstance(result, FileText)
    assert result.text == text
    assert bool(result.remark) == remarked


def test_binary_data_is_no_text() -> None:
    assert kind(decode(bytes(range(256)) * 40)) == "unreadable"


def test_files_are_read_as_they_are(paper: Path) -> None:
    reader = DiskReader(paper)
    assert reader.read("main.tex") == FileText("one\r\ntwo\rthree\f\n")
    assert reader.read("sections/intro.tex") == FileText("Introduction é 𝔸")
    assert list(reader.listing()) == ["main.tex", "sections/intro.tex"]


@pytest.mark.parametrize("path", ["../secret.tex", "sections/../../secret.tex", "link.tex", "folder/secret.tex"])
def test_nothing_outside_of_the_workspace_is_read(paper: Path, path: str) -> None:
    (paper / "link.tex").symlink_to("../secret.tex")
    (paper / "folder").symlink_to("..")
    assert kind(DiskReader(paper).read(path)) == "outside"


def test_an_absolute_path_is_outside(paper: Path) -> None:
    assert kind(DiskReader(paper).read(str(paper.parent / "secret.tex"))) == "outside"
    assert kind(DiskReader(paper).read("/etc/passwd")) == "outside"


def test_a_link_within_the_workspace_is_followed(paper: Path) -> None:
    (paper / "alias.tex").symlink_to("sections/intro.tex")
    assert DiskReader(paper).read("alias.tex") == FileText("Introduction é 𝔸")


@pytest.mark.parametrize("path", ["gone.tex", "main.tex/x", "a\x00b", "\ud800.tex", "x" * 5000])
def test_paths_that_are_no_files(paper: Path, path: str) -> None:
    reader = DiskReader(paper)
    assert kind(reader.read(path)) in {"missing", "unreadable"}
    assert isinstance(reader.data(path), ReadFailure)
    assert not reader.holds(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_devices_and_folders_do_not_block(paper: Path) -> None:
    os.mkfifo(paper / "pipe.tex")
    reader = DiskReader(paper)
    assert kind(reader.read("pipe.tex")) == "special"
    assert kind(reader.read("sections")) == "special"
    assert kind(DiskReader(Path("/dev")).read("zero")) == "special"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(paper: Path) -> None:
    (paper / "main.tex").chmod(0)
    assert kind(DiskReader(paper).read("main.tex")) == "unreadable"


def test_a_large_file_is_refused(paper: Path) -> None:
    with (paper / "large.tex").open("wb") as file:
        file.truncate(51 * 2**20)
    result = DiskReader(paper).read("large.tex")
    assert kind(result) == "large"
    assert "50 MiB" in str(result)


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(paper: Path) -> None:
    reader = DiskReader(paper)
    first = reader.read("main.tex")
    assert reader.read("main.tex") is first
    (paper / "main.tex").write_text("changed and longer than before")
    assert reader.read("main.tex") == FileText("changed and longer than before")
    (paper / "main.tex").unlink()
    assert kind(reader.read("main.tex")) == "missing"


def test_hidden_and_linked_folders_are_not_listed(paper: Path) -> None:
    for name in (".git", "node_modules"):
        (paper / name).mkdir()
        (paper / name / "x.tex").write_text("x")
    (paper / "loop").symlink_to(".")
    (paper / "notes.txt").write_text("x")
    assert list(DiskReader(paper).listing()) == ["main.tex", "sections/intro.tex"]


def test_changes_on_disk_are_noticed_also_of_missing_files(paper: Path) -> None:
    reader = DiskReader(paper)
    for path in ("main.tex", "gone.tex", "sections/intro.tex"):
        reader.read(path)
    assert reader.changes() == []
    (paper / "main.tex").write_text("changed and longer than it was before")
    (paper / "gone.tex").write_text("here")
    (paper / "sections" / "intro.tex").unlink()
    assert sorted(reader.changes()) == ["gone.tex", "main.tex", "sections/intro.tex"]
    for path in reader.changes():
        reader.read(path)
    assert reader.changes() == []
