"""`counterclaim check` as a program: exit codes, formats, fixes, baselines, bad input.  It is started as users start it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).parent / "counterclaim"
CLEAN = (
    "\\documentclass{article}\n\\begin{document}\n\\section{One}\\label{one}\nText, see \\ref{one}.\n\\end{document}\n"
)
FAULTY = "\\documentclass{article}\n\\begin{document}\nSee \\ref{nowhere} and 𝔸 \\cite{ghst}.\n\\bibliography{refs}\n\\end{document}\n"
REFS = "@book{ghost, title={A}, author={B, C}, year={2020}, publisher={D}}\n"


def run(
    *arguments: object, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)],
        capture_output=True, text=True, encoding="utf-8", timeout=60, cwd=cwd, env={**os.environ, **(environment or {})}, check=False,
    )  # fmt: skip


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(FAULTY, encoding="utf-8", newline="")
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8", newline="")
    return tmp_path


def test_exit_codes(tmp_path: Path, paper: Path) -> None:
    clean = tmp_path / "clean"
    clean.mkdir()
    (clean / "main.tex").write_text(CLEAN)
    assert run("check", clean).returncode == 0
    assert run("check", paper / "main.tex").returncode == 1
    assert run("check", paper / "main.tex", "--fail-on", "never").returncode == 0
    assert run("check", tmp_path / "absent").returncode == 64
    assert run("check", "--no-such-option").returncode == 64
    assert run("check", clean, "--select", "NOPE001").returncode == 64
    assert run("check", clean, "--format", "xml").returncode == 64
    assert run("nonsense").returncode == 64


def test_json_follows_the_contract(paper: Path) -> None:
    done = run("check", paper / "main.tex", "--workspace", paper, "--format", "json", "--candidates")
    report = json.loads(done.stdout)
    assert report["version"] == 1
    assert report["root"] == "main.tex"
    assert report["complete"] is True
    assert {"findings", "candidates", "notes", "summary"} <= report.keys()
    finding = next(item for item in report["findings"] if item["code"] == "CIT001")
    start, end = finding["start"], finding["end"]
    assert finding["file"] == "main.tex"
    assert FAULTY[start["offset"] : end["offset"]] == "ghst"
    # Columns count code points from 1, so the letter outside of the basic plane counts once.
    assert (start["line"], start["column"]) == (3, FAULTY.splitlines()[2].index("ghst") + 1)
    assert finding["tier"] == "proved"
    assert finding["severity"] == "error"
    edit = finding["fixes"][0]["edits"][0]
    assert edit["text"] == "ghost" if "text" in edit else "ghost" in edit.values()
    assert report["summary"]["files"] == 2
    assert set(report["summary"]["numbers"]) == {"total", "verified", "refuted", "unknown"}


def test_text_shows_line_range_and_how_to_silence(paper: Path) -> None:
    output = run("check", paper / "main.tex", environment={"NO_COLOR": "1"}).stdout
    assert "main.tex:3:" in output
    assert "^^^^" in output
    assert "% counterclaim: allow CIT001 -- reason" in output
    assert "\x1b[" not in output


def test_sarif_and_github(paper: Path) -> None:
    sarif = json.loads(run("check", paper / "main.tex", "--format", "sarif").stdout)
    assert sarif["version"] == "2.1.0"
    assert {result["ruleId"] for result in sarif["runs"][0]["results"]} >= {"CIT001", "REF001"}
    assert "::error " in run("check", paper / "main.tex", "--format", "github").stdout


def test_several_roots_give_json_lines(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.tex").write_text(CLEAN)
    lines = run("check", tmp_path, "--format", "json").stdout.splitlines()
    assert [json.loads(line)["root"] for line in lines] == ["a.tex", "b.tex"]


def test_baseline_leaves_what_is_new(paper: Path) -> None:
    baseline = paper / "baseline.json"
    assert run("check", paper / "main.tex", "--write-baseline", baseline).returncode == 0
    assert run("check", paper / "main.tex", "--baseline", baseline).returncode == 0
    (paper / "main.tex").write_text(FAULTY.replace("See ", "See \\cite{brandnew} "), encoding="utf-8", newline="")
    done = run("check", paper / "main.tex", "--baseline", baseline, "--format", "json")
    assert done.returncode == 1
    keys = [item["message"] for item in json.loads(done.stdout)["findings"] if item["severity"] == "error"]
    assert len(keys) == 1
    assert "brandnew" in keys[0]


def test_fix_keeps_every_other_byte(tmp_path: Path) -> None:
    # Zero-width characters have a safe fix; line ends, tabs and the byte order mark must survive it.
    source = b"\xef\xbb\xbf" + CLEAN.replace("Text,", "Te\u200bxt,\t").replace("\n", "\r\n").encode()
    path = tmp_path / "main.tex"
    path.write_bytes(source)
    shown = run("check", path, "--diff", "--select", "SEC003")
    assert "-" in shown.stdout
    assert path.read_bytes() == source
    run("check", path, "--fix", "--select", "SEC003")
    assert path.read_bytes() == source.replace("\u200b".encode(), b"")


BAD_FILES = {
    "binary": bytes(range(256)) * 200,
    "nul": b"\\documentclass{article}\x00\\begin{document}A \\ref{x}\x00\\end{document}",
    "latin-1": "\\documentclass{article}\\begin{document}Caf\u00e9 \\ref{x}\\end{document}".encode("latin-1"),
    "empty": b"",
    "itself": b"\\documentclass{article}\\begin{document}A\\input{itself}\\ref{x}\\end{document}",
    "outside": b"\\documentclass{article}\\begin{document}\\input{../../../etc/passwd}B\\end{document}",
    "missing": b"\\documentclass{article}\\begin{document}\\input{nothing/here}B \\ref{x}\\end{document}",
    "unclosed": b"\\documentclass{article}\\begin{document}\\begin{verbatim} $ { \\cite{a",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_cost_a_message_and_nothing_else(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.tex"
    path.write_bytes(BAD_FILES[name])
    done = run("check", path, "--format", "json", "--workspace", tmp_path)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    if name in ("binary", "outside", "missing"):
        assert report["complete"] is False
        assert report["notes"]


def test_a_pipe_or_device_as_include_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tex")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{pipe}\\input{/dev/zero}After \\cite{x}.\\end{document}"
    )
    started = time.monotonic()
    done = run("check", tmp_path / "main.tex", "--format", "json")
    assert time.monotonic() - started < 30
    messages = [note["message"] for note in json.loads(done.stdout)["notes"]]
    assert any("pipe" in message for message in messages)


def test_a_file_over_50_mb_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big.tex").open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{big}After \\ref{x}.\\end{document}"
    )
    done = run("check", tmp_path / "main.tex", "--format", "json")
    report = json.loads(done.stdout)
    assert report["complete"] is False
    assert any("big" in note["message"] for note in report["notes"])


def test_rules_and_explain_say_the_same(tmp_path: Path) -> None:
    rules = run("rules").stdout
    assert "CIT001  undefined-key" in rules
    assert run("explain", "CIT001").stdout == run("explain", "undefined-key").stdout
    done = run("explain", "CIT01")
    assert done.returncode == 64
    assert "CIT001" in done.stderr


def test_watch_checks_again_after_a_change(paper: Path) -> None:
    process = subprocess.Popen(
        [str(PROGRAM), "check", str(paper / "main.tex"), "--watch", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(1.5)
        (paper / "main.tex").write_text(CLEAN)
        time.sleep(2.5)
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=20)
    assert "CIT001" in out
    assert "no findings" in out
