"""Building an index: whole or not at all, and going on after a kill."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clients.bibliography import index_build
from clients.bibliography.index import BibliographyIndex
from clients.bibliography.index_build import BuildProgress, build_index, import_library
from clients.bibliography.readers import UnreadableSourceError

Works = list[dict[str, object]]
Write = Callable[[str, Works], Path]


def titles(path: Path) -> list[str]:
    index = BibliographyIndex(path)
    rows = index._database.execute("SELECT title FROM work ORDER BY id").fetchall()
    index.close()
    return [row[0] for row in rows]


def test_progress_is_monotonous_and_complete(tmp_path: Path, works_file: Path) -> None:
    seen: list[BuildProgress] = []
    result = build_index([works_file], tmp_path / "a.index", seen.append)
    fractions = [step.fraction for step in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert (result.records, result.read) == (4, 4)
    assert list(tmp_path.glob("*.part*")) == []


def test_duplicates_are_kept_once(tmp_path: Path, write_works: Write, works: Works) -> None:
    poor = {key: value for key, value in works[0].items() if key not in ("doi", "url", "pages")}
    first, second = write_works("a.jsonl", [poor]), write_works("b.jsonl", works)
    result = build_index([first, second], tmp_path / "a.index")
    assert (result.read, result.records) == (5, 4)
    index = BibliographyIndex(tmp_path / "a.index")
    assert [found.doi for found in index.by_title(str(works[0]["title"]).replace("{", "").replace("}", ""))] == [
        "10.1000/river.1"
    ]
    index.close()


def many(count: int) -> Works:
    return [{"title": f"Work number {number}", "author": ["Ann Alder"], "year": "2000"} for number in range(count)]


def test_killed_build_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_works: Write, works: Works
) -> None:
    monkeypatch.setattr(index_build, "BATCH", 10)
    source, out = write_works("many.jsonl", many(95)), tmp_path / "a.index"
    build_index([write_works("old.jsonl", works)], out)
    before = titles(out)

    class KilledError(Exception):
        pass

    def kill(after: str, records: int) -> None:
        def stop(step: BuildProgress) -> None:
            if step.phase.startswith(after) and step.records >= records:
                raise KilledError

        with pytest.raises(KilledError):
            build_index([source], out, stop)

    kill("Reading", 40)
    kill("Indexing", 50)
    assert titles(out) == before
    phases: list[BuildProgress] = []
    result = build_index([source], out, phases.append)
    assert not any(step.phase.startswith("Reading") for step in phases)
    assert result.records == 95
    assert titles(out) == [f"Work number {number}" for number in range(95)]
    index = BibliographyIndex(out)
    assert all(index.by_title(f"Work number {number}") for number in range(95))
    assert index.near_title("Work number 7 again")
    index.close()


def test_changed_source_starts_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_works: Write) -> None:
    monkeypatch.setattr(index_build, "BATCH", 10)
    source, out = write_works("many.jsonl", many(30)), tmp_path / "a.index"

    def stop(step: BuildProgress) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        build_index([source], out, stop)
    write_works(source.name, many(12))
    assert build_index([source], out).records == 12


def test_damaged_half_is_thrown_away(tmp_path: Path, works_file: Path) -> None:
    (tmp_path / "a.index.part").write_bytes(b"rubbish" * 1000)
    assert build_index([works_file], tmp_path / "a.index").records == 4


def test_reader_keeps_the_old_index_while_a_new_one_takes_its_place(
    tmp_path: Path, works_file: Path, write_works: Write
) -> None:
    out = tmp_path / "a.index"
    build_index([works_file], out)
    old = BibliographyIndex(out)
    build_index([write_works("new.jsonl", many(3))], out)
    assert old.by_title("Proceedings of the Bee Conference")
    old.close()
    assert len(titles(out)) == 3


def test_library_is_added(tmp_path: Path, works_file: Path) -> None:
    out = tmp_path / "a.index"
    build_index([works_file], out)
    library = tmp_path / "mine.bib"
    library.write_text("@article{g, title={Glaciers Sing}, author={Gil Gorse}, year=2011, doi={10.1000/ice}}\n")
    assert import_library(library, out).records == 5
    assert import_library(library, out).records == 5
    index = BibliographyIndex(out)
    (found,) = index.by_title("Glaciers sing")
    assert found.source == "local index (mine.bib (imported))"
    assert index.by_title("River Networks Carry Memory of Ancient Climates")
    assert index.near_title("Glaciers Sing Loudly")
    index.close()
    assert import_library(library, tmp_path / "fresh.index").records == 1


@pytest.mark.parametrize("name", ["none.jsonl", "odd.txt", "empty"])
def test_unreadable_sources_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "odd.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableSourceError, match=name):
        build_index([tmp_path / name], tmp_path / "a.index")


def test_failed_build_leaves_the_old_index(tmp_path: Path, works_file: Path) -> None:
    out = tmp_path / "a.index"
    build_index([works_file], out)
    broken = tmp_path / "broken.xml"
    broken.write_text("<dblp><article><title>Cut")
    with pytest.raises(UnreadableSourceError):
        build_index([broken], out)
    assert len(titles(out)) == 4


def test_registrants_of_a_venue_are_learnt(tmp_path: Path, write_works: Write, works: Works) -> None:
    bees: Works = [
        {"title": f"Bee Study {number}", "author": ["A B"], "year": "2001", "venue": "Bees", "doi": f"10.5555/{number}"}
        for number in range(25)
    ] + [{"title": f"Other {n}", "author": ["A B"], "year": "2001", "venue": "Ants"} for n in range(25)]
    build_index([write_works("w.jsonl", [*bees, *works])], tmp_path / "a.index")
    index = BibliographyIndex(tmp_path / "a.index")
    assert index.by_title("Bee Study 3")[0].registrants == ("10.5555",)
    assert index.by_title("Other 3")[0].registrants == ()
    assert index.by_title("Proceedings of the Bee Conference")[0].registrants is None
    index.close()
