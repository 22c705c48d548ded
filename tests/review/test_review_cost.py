"""Input tokens of a ten-page paper, counted by the server from the prompts that the real SDK sent.

The published system used 122,541 input tokens for its review agent (“Beyond Imitation”, Table 9).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.commands.contradictions import ContradictionsCommand, run_contradictions_command
from server.commands.review import ReviewCommand, run_review_command
from server.commands.review_parts import ModelOptions

pytest.importorskip("anthropic")
PUBLISHED = 122_541


@pytest.fixture
def run(kit: Any, tmp_path: Path, messages_api: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setenv("COUNTERCLAIM_MODEL_API_KEY", "canary")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(kit.ten_pages()["main.tex"], encoding="utf-8")
    common = ModelOptions(
        folder, allow=True, base_url=messages_api.url, quiet=True, folder=tmp_path / "user", data=tmp_path / "data"
    )

    def start(command: Any, **changes: Any) -> None:
        if command is ReviewCommand:
            assert run_review_command(ReviewCommand(common, **changes)) in (0, 1)
        else:
            assert run_contradictions_command(ContradictionsCommand(common, **changes)) in (0, 1)

    return start


def totals(api: Any) -> tuple[int, float]:
    """All input tokens, and the same with what was read from the cache counted at a tenth."""
    plain = cached = 0.0
    for usage in api.usages:
        read = usage["cache_read_input_tokens"]
        fresh = usage["input_tokens"] + usage["cache_creation_input_tokens"]
        plain += fresh + read
        cached += fresh + read / 10
    return int(plain), cached


def test_three_passes(run: Callable[..., Any], messages_api: Any) -> None:
    run(ReviewCommand)
    plain, cached = totals(messages_api)
    print(
        f"three passes: {plain} ({plain / PUBLISHED:.1%}), cached reads at a tenth {cached:.0f} ({cached / PUBLISHED:.1%})"
    )
    assert plain <= 0.60 * PUBLISHED
    assert cached <= 0.45 * PUBLISHED
    assert len(messages_api.calls) == 4
    written = [usage["cache_creation_input_tokens"] for usage in messages_api.usages[1:]]
    assert written[0] > 8_000
    assert written[1:] == [0, 0], "the manuscript is paid for once"


def test_combined(run: Callable[..., Any], messages_api: Any) -> None:
    run(ReviewCommand, reviewer="mlr-combined")
    plain, _ = totals(messages_api)
    print(f"combined: {plain} ({plain / PUBLISHED:.1%})")
    assert plain <= 0.35 * PUBLISHED


def test_the_contradiction_pass(run: Callable[..., Any], messages_api: Any) -> None:
    run(ContradictionsCommand)
    plain, cached = totals(messages_api)
    print(f"contradictions: {plain}, cached reads at a tenth {cached:.0f}, {len(messages_api.calls)} calls")
    assert plain <= 40_000
    assert len(messages_api.calls) > 6, "the whole text, the windows and the verifications"


def test_an_ensemble_reads_the_manuscript_from_the_cache(run: Callable[..., Any], messages_api: Any) -> None:
    run(ReviewCommand, reviewer="mlr-combined", ensemble=3)
    usages = messages_api.usages[1:]
    assert [usage["cache_read_input_tokens"] > 8_000 for usage in usages] == [False, True, True]
