"""A real Emacs with Eglot, in batch: diagnostics arrive and move, a code action changes the buffer, a command answers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COMMAND = [
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from server.commands.lsp import run_lsp; sys.exit(run_lsp('test'))",
]
MAIN = (
    "\\documentclass{article}\n\\begin{document}\nGröße 𝔸 as in \\cite{tiger2020} and \\cite{lion2019}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
REFS = "@book{tiger2021, title = {Tigers}, author = {A. Author}, year = {2021}}\n@book{lion2019, title = {Lions}}\n"


def has_eglot(emacs: str) -> bool:
    check = ["-q", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return subprocess.run([emacs, *check], capture_output=True, timeout=60, check=False).returncode == 0


@pytest.mark.editor
def test_emacs(tmp_path: Path) -> None:
    emacs = os.environ.get("COUNTERCLAIM_EMACS") or shutil.which("emacs")
    if emacs is None or not has_eglot(emacs):
        if os.environ.get("COUNTERCLAIM_REQUIRE_ALL"):
            pytest.fail("there is no Emacs with Eglot")
        pytest.skip("there is no Emacs with Eglot")
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    (tmp_path / "counterclaim.toml").write_text('[checks]\nselect = ["CIT001"]\n')
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "PYTHONSAFEPATH": "1",
        "COUNTERCLAIM_PLUGIN": str(ROOT / "clients" / "editors" / "emacs" / "counterclaim.el"),
        "COUNTERCLAIM_COMMAND": json.dumps(COMMAND),
        "COUNTERCLAIM_MAIN": str(tmp_path / "main.tex"),
    }
    result = subprocess.run(
        [emacs, "-q", "--batch", "-l", str(HERE / "emacs_check.el")],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    assert "ok a code action changes the buffer" in result.stderr
