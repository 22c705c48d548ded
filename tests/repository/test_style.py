"""The tools that hold style and types are content with the whole repository."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = [
    ["ruff", "check", "--no-cache", "--output-format", "concise", "."],
    ["ruff", "format", "--no-cache", "--check", "."],
    ["mypy"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_tool_is_content(command: list[str], tmp_path: Path) -> None:
    arguments = ["--cache-dir", str(tmp_path)] if command[0] == "mypy" else []
    done = subprocess.run(
        [sys.executable, "-m", *command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
