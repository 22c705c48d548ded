"""A real Neovim, without a screen: diagnostics arrive and move while typing, a code action changes the buffer."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLUGIN = ROOT / "clients" / "editors" / "neovim"
COMMAND = [
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from server.commands.lsp import run_lsp; sys.exit(run_lsp('test'))",
]
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\section{Start}\n"
    "Größe 𝔸 as in \\cite{tiger2020} and \\cite{lion2019}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
REFS = "@book{tiger2021, title = {Tigers}, author = {A. Author}, year = {2021}}\n@book{lion2019, title = {Lions}}\n"


def neovim() -> str | None:
    """The path of a Neovim 0.11 or newer: the variable COUNTERCLAIM_NVIM, the environment's own, the one on PATH."""
    beside = shutil.which("nvim", path=str(Path(sys.executable).parent))
    for candidate in (os.environ.get("COUNTERCLAIM_NVIM"), beside, shutil.which("nvim")):
        if candidate:
            answer = subprocess.run([candidate, "--version"], capture_output=True, text=True, timeout=30, check=False)
            match = re.match(r"NVIM v(\d+)\.(\d+)", answer.stdout)
            if match and (int(match[1]), int(match[2])) >= (0, 11):
                return candidate
    return None


@pytest.mark.editor
def test_neovim(tmp_path: Path) -> None:
    editor = neovim()
    if editor is None:
        if os.environ.get("COUNTERCLAIM_REQUIRE_ALL") and sys.platform == "linux":
            pytest.fail("Neovim 0.11 or newer is needed here")
        pytest.skip("there is no Neovim 0.11 or newer")
    paper = tmp_path / "paper"
    paper.mkdir()
    (paper / "main.tex").write_text(MAIN, encoding="utf-8")
    (paper / "refs.bib").write_text(REFS, encoding="utf-8")
    (paper / "counterclaim.toml").write_text('[checks]\nselect = ["CIT001"]\n')
    plugin = tmp_path / "plugin"
    shutil.copytree(PLUGIN, plugin)  # tags of the help file are written into it
    homes = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**os.environ, **homes, "NVIM_LOG_FILE": str(tmp_path / "nvim.log"), "PYTHONSAFEPATH": "1"}
    arguments = ["--clean", "-n", "-i", "NONE", "--headless", "-l", str(HERE / "neovim_check.lua")]
    result = subprocess.run(
        [editor, *arguments, str(plugin), json.dumps(COMMAND), str(paper / "main.tex")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    assert "a code action changes the buffer" in result.stdout
    assert (paper / "main.tex").read_text(encoding="utf-8") == MAIN
