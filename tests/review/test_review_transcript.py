"""The transcript in the documentation is what the commands print, on the recording that it names."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from clients.models.replay import load
from server.commands.contradictions import ContradictionsCommand, run_contradictions_command
from server.commands.review import ReviewCommand, run_review_command
from server.commands.review_parts import ModelOptions

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).with_name("data")
TRANSCRIPT = ROOT / "docs" / "review-transcript.md"


@pytest.mark.parametrize("name", ["example-review", "example-contradictions"])
def test_the_transcript_is_what_is_printed(name: str, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "manuscript"
    shutil.copytree(ROOT / "examples" / "manuscript", folder)
    options = ModelOptions(folder, replay=DATA / f"{name}.jsonl", quiet=True, keep=False)
    if name == "example-review":
        code = run_review_command(ReviewCommand(options))
    else:
        code = run_contradictions_command(ContradictionsCommand(options, windows=False, candidates=0))
    assert code == 1
    shown = capsys.readouterr()
    text = TRANSCRIPT.read_text(encoding="utf-8")
    blocks = re.findall(rf"<!-- {name} -->\n````markdown\n(.*?)````", text, re.DOTALL)
    assert blocks == [shown.out]


def test_the_transcript_says_who_wrote_it() -> None:
    text = TRANSCRIPT.read_text(encoding="utf-8")
    assert "written by hand" in text
    assert "No model produced" in text
    for name in ("example-review", "example-contradictions"):
        assert f"tests/review/data/{name}.jsonl" in text
        assert all(exchange.outcome.model == "written by hand" for exchange in load(DATA / f"{name}.jsonl"))
