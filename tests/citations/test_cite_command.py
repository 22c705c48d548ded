"""`counterclaim cite`, `index` and `bench` as programs use them."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from server.commands.bench import run_hallmark
from server.commands.cite import CiteOptions, Format, run_cite
from server.commands.index import run_build, run_import, run_info

TODAY = date(2026, 6, 15)
KNOWN = (
    "@article{known, title={River Networks Carry Memory of Ancient Climates}, author={Ann Alder and Ben Birch}, "
    "journal={Journal of River Ecology}, year=2019, doi={10.1000/river.1}}\n"
)
BIB = (
    "% comment\n"
    "@article{good, title={River networks carry memory of ancient climates}, author={Alder, A. and Birch, B.},\n"
    "  journal={J. River Ecol.}, year=2019}\n"
    "@article{wrong, title={River networks carry memory of ancient climates}, author={Alder, A. and Birch, B.},\n"
    "  journal={J. River Ecol.}, year=2009}\n"
    "@article{new, title={Glaciers sing in the night of winter}, author={Gil Gorse}, journal={Ice}, year=2041}\n"
    "@article{good, title={A damaged\n"
    '@article{odd, title={Odd}, author={Al Oe}, journal={Ice}, year=2001, doi={<10.1000/"x">}}\n'
)


@pytest.fixture
def index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    library = tmp_path / "library" / "known.bib"
    library.parent.mkdir()
    library.write_text(KNOWN)
    assert run_build([library], tmp_path / "known.index") == 0
    capsys.readouterr()
    return tmp_path / "known.index"


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "paper" / "refs.bib"
    path.parent.mkdir()
    path.write_text(BIB)
    return path


def run(path: Path, index: Path | None, form: Format = Format.JSON) -> int:
    return run_cite(CiteOptions(path, TODAY, index, format=form, quiet=True))


def test_json_contract(bib: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(bib, index) == 1
    document = json.loads(capsys.readouterr().out)
    assert document.keys() == {"version", "complete", "entries"}
    assert (document["version"], document["complete"]) == (1, True)
    entries = {(entry["key"], entry["line"]): entry for entry in document["entries"]}
    for entry in entries.values():
        assert entry.keys() == {
            "key", "file", "line", "verdict", "reasons", "fields", "flags", "sources", "lint", "cross",
        }  # fmt: skip
        assert entry["sources"].keys() == {"asked", "answered", "unavailable"}
        assert entry["file"] == "refs.bib"
    good, wrong, new = entries["good", 2], entries["wrong", 4], entries["new", 6]
    assert good["verdict"] == "verified"
    assert good["sources"]["asked"] == good["sources"]["answered"] == ["local index"]
    assert any("BIB002" in entry["cross"] for entry in document["entries"] if entry["key"] == "good")
    assert wrong["verdict"] == "mismatch"
    assert wrong["fields"] == [{"name": "year", "given": "2009", "found": "2019"}]
    assert (new["verdict"], new["lint"]) == ("unverifiable", ["BIB021"])
    assert "OFFLINE" in new["reasons"]
    assert entries["odd", 8]["verdict"] == "unverifiable"


def test_verdict_of_an_entry_is_the_same_alone(
    bib: Path, index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(bib, index)
    together = {entry["key"]: entry for entry in json.loads(capsys.readouterr().out)["entries"]}
    alone = tmp_path / "alone.bib"
    alone.write_text("".join(BIB.splitlines(keepends=True)[3:5]))
    run(alone, index)
    (entry,) = json.loads(capsys.readouterr().out)["entries"]
    for name in ("verdict", "reasons", "fields", "lint"):
        assert entry[name] == together["wrong"][name]


def test_text_and_sarif(bib: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(bib, index, Format.TEXT) == 1
    text = capsys.readouterr().out
    assert "refs.bib:4: wrong: Differs from the record" in text
    assert "year: given 2009; found 2019" in text
    assert text.splitlines()[-1].startswith("1 verified · 1 mismatch · ")
    assert run(bib, index, Format.SARIF) == 1
    log = json.loads(capsys.readouterr().out)
    (result,) = log["runs"][0]["results"]
    assert result["ruleId"] == "BIB052"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5


def test_manuscript_with_its_bibliography(bib: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = bib.with_name("main.tex")
    main.write_text(
        "\\documentclass{article}\n\\begin{document}\nA \\cite{wrong}.\n\\bibliography{refs}\n\\end{document}\n"
    )
    assert run(main, index) == 1
    document = json.loads(capsys.readouterr().out)
    assert {entry["key"] for entry in document["entries"]} >= {"good", "wrong", "new"}
    options = CiteOptions(bib.parent, TODAY, index, format=Format.JSON, cited_only=True, quiet=True)
    # A differing year alone is information, which fails only a strict run.
    assert run_cite(options) == 0
    document = json.loads(capsys.readouterr().out)
    assert [entry["key"] for entry in document["entries"]] == ["wrong"]
    assert document["entries"][0]["file"] == "refs.bib"
    assert run_cite(replace(options, strict=True)) == 1


def test_missing_bibliography_is_incomplete(tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = tmp_path / "main.tex"
    main.write_text("\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{none}\\end{document}\n")
    assert run(main, index) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["complete"] is False
    assert "none" in captured.err


@pytest.mark.parametrize("case", ["missing", "no index"])
def test_wrong_usage(case: str, bib: Path, tmp_path: Path) -> None:
    path = tmp_path / "gone.bib" if case == "missing" else bib
    assert run(path, tmp_path / "gone.index") == 64


def test_latin_1_crlf_and_lone_return(tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.bib"
    path.write_bytes("@misc{a, title={Über Eis}}\r\n\r@misc{b, title={Gün}}\r\n".encode("latin-1"))
    run(path, index)
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert [(entry["key"], entry["line"]) for entry in entries] == [("a", 1), ("b", 3)]


def test_crowded_entries_keep_their_neighbours(tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crowd = " and ".join(f"Family{number}, Given" for number in range(3000))
    path = tmp_path / "big.bib"
    path.write_text(
        f"@article{{crowd, title={{A Crowd}}, author={{{crowd}}}, year=2001, abstract={{{'long ' * 40_000}}}}}\n"
        + KNOWN
    )
    assert run(path, index) in (0, 1)
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert [(entry["key"], entry["verdict"]) for entry in entries] == [
        ("crowd", "unverifiable"),
        ("known", "verified"),
    ]


def test_index_commands(tmp_path: Path, index: Path, bib: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_info(index, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["records"] == 1
    assert run_info(index) == 0
    assert "1 records" in capsys.readouterr().out
    assert run_import(bib, index) == 0
    assert "records" in capsys.readouterr().out
    assert run_info(tmp_path / "gone.index") == 2
    assert run_build([tmp_path / "gone.bib"], index) == 64
    (tmp_path / "bad.xml").write_text("<html/>")
    assert run_build([tmp_path / "bad.xml"], index) == 2
    assert "neither a dblp dump" in capsys.readouterr().err


def test_hallmark_command(tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {
            "bibtex_key": "a",
            "bibtex_type": "article",
            "fields": {
                "title": "River networks carry memory of ancient climates",
                "author": "Ann Alder and Ben Birch",
                "journal": "Journal of River Ecology",
                "year": year,
            },
            "label": label,
            "hallucination_type": kind,
        }
        for year, label, kind in (("2019", "VALID", None), ("2009", "HALLUCINATED", "wrong_year"))
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    details = tmp_path / "details.jsonl"
    assert run_hallmark(data, TODAY, index, as_json=True, details=details, quiet=True) == 0
    result = {row["type"]: row for row in json.loads(capsys.readouterr().out)["types"]}
    assert result["wrong_year"]["flagged"]["hits"] == 1
    assert result["VALID"]["flagged"]["hits"] == 0
    assert result["VALID"]["verified"]["value"] == 1.0
    assert [json.loads(line)["verdict"] for line in details.read_text().splitlines()] == ["verified", "mismatch"]
    assert run_hallmark(data, TODAY, index, quiet=True) == 0
    assert "100.0 %" in capsys.readouterr().out
    assert run_hallmark(tmp_path / "gone.jsonl", TODAY, index) == 64
