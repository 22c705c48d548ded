"""The commands end to end: real files, the real SDK, a Messages API on loopback, and every way it can go wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from server.commands import contradictions as contradictions_module
from server.commands import review as review_module
from server.commands import stats as stats_module
from server.commands.contradictions import ContradictionsCommand, run_contradictions_command
from server.commands.review import ReviewCommand, run_review_command
from server.commands.review_parts import ModelOptions, ReviewFormat
from server.commands.stats import run_stats
from server.review_models import model_setup

pytest.importorskip("anthropic")
ROOT = Path(__file__).parents[2]
Options = Callable[..., ModelOptions]


@pytest.fixture
def folder(kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERCLAIM_MODEL_API_KEY", "canary")
    place = tmp_path / "paper"
    place.mkdir()
    for name, text in kit.PAPER.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.fixture
def options(folder: Path, tmp_path: Path, messages_api: Any) -> Options:
    def make(**changes: Any) -> ModelOptions:
        usual = ModelOptions(
            folder, allow=True, base_url=messages_api.url, quiet=True, folder=tmp_path / "user", data=tmp_path / "data"
        )
        return replace(usual, **changes)

    return make


def test_a_review_from_end_to_end(options: Options, folder: Path, messages_api: Any, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options())) == 1, "a weakness of severity warning"
    shown = capsys.readouterr()
    assert "# Review of Tidal Gauges that Agree" in shown.out
    assert "1. The number of gauges differs between abstract and results. (main.tex:6, main.tex:22)" in shown.out
    assert "## Overall Recommendation\n\nSound idea, contradictory numbers." in shown.out
    assert "- Overall: 5 (borderline accept" in shown.out
    assert "- [ ] State one number of gauges. (main.tex:22, minutes)" in shown.out
    assert "Note: 3 references to lines that do not exist were dropped." in shown.out
    assert "Answers: claude-haiku-5-5, claude-sonnet-5-5." in shown.out
    assert "main.tex: " in shown.err
    assert "$0." in shown.err
    assert len(messages_api.calls) == 4
    assert [call.body["model"] for call in messages_api.calls] == ["claude-haiku-5-5"] + 3 * ["claude-sonnet-5-5"]
    used = messages_api.usages[1:]
    assert used[0]["cache_creation_input_tokens"] > 0
    assert (
        used[1]["cache_read_input_tokens"]
        == used[2]["cache_read_input_tokens"]
        == used[0]["cache_creation_input_tokens"]
    )
    ledger = json.loads((folder / ".counterclaim" / "review.json").read_text(encoding="utf-8"))
    assert len(ledger["points"]) == 5 + 1, "the last one is empty"
    record, _ = ledger["reviews"].values()
    assert record["cost_microusd"] > 0
    assert record["input_tokens"] == sum(
        sum(item[name] for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"))
        for item in messages_api.usages
    )
    assert "canary" not in json.dumps(ledger) + shown.out + shown.err


def test_a_repeated_review_costs_nothing(options: Options, messages_api: Any, capsys: Any) -> None:
    run_review_command(ReviewCommand(options(format=ReviewFormat.JSON)))
    first = json.loads(capsys.readouterr().out)
    run_review_command(ReviewCommand(options(format=ReviewFormat.JSON)))
    shown = capsys.readouterr()
    second = json.loads(shown.out)
    assert len(messages_api.calls) == 4
    assert [point["id"] for point in first["points"]] == [point["id"] for point in second["points"]]
    assert second["reviews"][0]["cost_microusd"] == 0
    assert "4 answers were there already" in shown.err
    assert first["version"] == 1
    place = first["points"][1]["places"][0]
    assert (place["file"], place["start"]["line"]) == ("main.tex", 6)


def test_html_is_closed_to_the_outside(options: Options, capsys: Any, api_with: Any, kit: Any) -> None:
    def answer(request: Any) -> Any:
        given = kit.scripted(request)
        if "recommendation" in given:
            given["recommendation"] = "<script>alert(1)</script> [x](http://evil.example)"
        return given

    run_review_command(ReviewCommand(options(format=ReviewFormat.HTML, base_url=api_with(answer).url, keep=False)))
    page = capsys.readouterr().out
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "&lt;script&gt;" in page
    run_review_command(ReviewCommand(options(base_url=api_with(answer).url, keep=False)))
    assert "\\[x\\]" not in capsys.readouterr().out.split("## Weaknesses")[0]


def test_nothing_is_sent_without_consent(options: Options, messages_api: Any, capsys: Any, tmp_path: Path) -> None:
    questions: list[str] = []

    def no(question: str) -> bool:
        questions.append(question)
        return False

    assert run_review_command(ReviewCommand(options(allow=False, confirm=no))) == 64
    shown = capsys.readouterr().err
    assert "This would be sent:" in shown
    assert "- From main.tex:" in shown
    assert "model claude-sonnet-5-5" in shown
    assert "Cost: at most $" in shown
    assert len(questions) == 1
    assert messages_api.log == []
    assert run_review_command(ReviewCommand(options(allow=False, confirm=lambda _: True))) == 1
    assert run_review_command(ReviewCommand(options(allow=False, confirm=no, base_url="http://127.0.0.1:1"))) == 64
    assert run_review_command(ReviewCommand(options(allow=False, confirm=no))) == 1, "asked once for each recipient"


def test_a_dry_run_sends_nothing(options: Options, folder: Path, messages_api: Any, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options(dry_run=True))) == 0
    assert "4 calls, with at most about" in capsys.readouterr().out
    assert messages_api.log == []
    assert not (folder / ".counterclaim").exists()


def test_the_budget_stops_before_the_call(options: Options, messages_api: Any, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options(budget=0.0001))) == 2
    shown = capsys.readouterr()
    assert messages_api.calls == []
    assert "budget" in shown.err
    assert "Raise the budget" in shown.err


FAULTS = [
    ({"status": 529, "type": "overloaded_error"}, "overloaded"),
    ({"status": 429, "type": "rate_limit_error", "headers": {"retry-after": "3600"}}, "overloaded"),
    ({"stop": "refusal", "text": "I would rather not."}, "refused"),
    ({"cut": ("clean", 2)}, ""),
    ({"cut": ("hard", 2)}, ""),
    ({"error_after": 1, "type": "overloaded_error"}, "overloaded"),
    ({"text": "Dear authors, this is prose."}, "malformed"),
    ({"text": '{"notes": 3}'}, "malformed"),
    ({"stop": "max_tokens"}, "truncated"),
]


@pytest.mark.parametrize(("fault", "word"), FAULTS)
def test_every_fault_of_the_provider_is_a_clear_outcome(
    options: Options, fake: Any, messages_api: Any, capsys: Any, fault: dict[str, Any], word: str, monkeypatch: Any
) -> None:
    from clients.models.asking import Patience
    from server import review_models

    monkeypatch.setattr(
        review_models, "model_setup", lambda *a, **k: replace(model_setup(*a, **k), patience=Patience(30, 2, 0.2, 0.01))
    )
    messages_api.script += [fake.Behaviour(**fault) for _ in range(8)]
    code = run_review_command(ReviewCommand(options(keep=False), reviewer="mlr-combined"))
    shown = capsys.readouterr()
    assert code == 2
    assert word in shown.err.lower()
    assert "not the whole review" in shown.out
    messages_api.script.clear()
    assert run_review_command(ReviewCommand(options(keep=False), reviewer="mlr-combined")) == 1, "a later run resumes"


def test_a_kill_in_pass_2_pays_only_for_what_was_in_flight(
    folder: Path, tmp_path: Path, fake: Any, kit: Any, options: Options, api_with: Any, capsys: Any
) -> None:
    def answer(request: Any) -> Any:
        if "Second pass" in request.turns[-1].segments[-1].text and not killed:
            return fake.Behaviour(hang=60)
        return kit.scripted(request)

    killed: list[bool] = []
    api = api_with(answer)
    program = (
        "import sys\nfrom pathlib import Path\nfrom server.commands.review import ReviewCommand, run_review_command\n"
        "from server.commands.review_parts import ModelOptions\n"
        "o = ModelOptions(Path(sys.argv[1]), allow=True, base_url=sys.argv[2], quiet=True, folder=Path(sys.argv[3]), data=Path(sys.argv[4]))\n"
        "run_review_command(ReviewCommand(o))\n"
    )
    arguments = [str(folder), api.url, str(tmp_path / "user"), str(tmp_path / "data")]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    deadline = time.monotonic() + 60
    while len(api.calls) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    killed.append(True)
    assert run_review_command(ReviewCommand(options(base_url=api.url))) == 1
    asked = ["".join(turn["content"][-1]["text"][:14] for turn in call.body["messages"][-1:]) for call in api.calls]
    assert len(api.calls) == 5, "appendix, pass 1, pass 2 (killed); then pass 2 and pass 3 alone"
    assert asked[2] == asked[3] == "Second pass: t"
    assert "2 answers were there already" in capsys.readouterr().err


def test_a_local_server_with_the_chat_completions_api(options: Options, fake: Any, kit: Any, capsys: Any) -> None:
    with fake.FakeChatApi(lambda body: kit.scripted(kit.as_request(body))) as api:
        time.sleep(0.02)
        common = options(provider="openai-compatible", model="qwen-small", base_url=api.base)
        assert run_review_command(ReviewCommand(common)) == 1
        assert run_contradictions_command(ContradictionsCommand(common)) == 1
        shown = capsys.readouterr()
        assert "The number of gauges differs between abstract and results. (main.tex:6, main.tex:22)" in shown.out
        assert "unknown cost" in shown.err, "nobody knows the price of a model of one's own"
        calls = len(api.calls)
        assert run_review_command(ReviewCommand(common)) == 1
        assert len(api.calls) == calls


def test_a_local_server_that_ignores_the_schema(options: Options, fake: Any, capsys: Any) -> None:
    with fake.FakeChatApi(honours_schema=False) as api:
        time.sleep(0.02)
        common = options(provider="openai-compatible", model="qwen-small", base_url=api.base)
        assert run_review_command(ReviewCommand(common, reviewer="mlr-combined")) == 2
    assert "malformed" in capsys.readouterr().err


def test_the_literature_agent_goes_on_after_a_pause(
    options: Options, fake: Any, messages_api: Any, capsys: Any
) -> None:
    page = {"type": "web_search_result", "url": "https://sea.example/1", "title": "On tides", "encrypted_content": "x"}
    search = [
        {"type": "text", "text": "Searching. "},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [page]},
    ]
    messages_api.script += [
        fake.Behaviour(text='{"items": []}'),
        fake.Behaviour(content=search, stop="pause_turn", searches=1),
        fake.Behaviour(text="The closest work is by Moon.", searches=1),
    ]
    assert run_review_command(ReviewCommand(options(budget=5.0), searches=3)) == 1
    last = json.dumps(messages_api.calls[-1].body)
    assert "The closest work is by Moon." in last
    assert "On tides (https://sea.example/1)" in last
    assert len(messages_api.calls) == 6
    assert any(tool["name"] == "web_search" for tool in messages_api.calls[1].body["tools"])


def test_contradictions_from_end_to_end(options: Options, messages_api: Any, capsys: Any) -> None:
    assert run_contradictions_command(ContradictionsCommand(options(format=ReviewFormat.JSON))) == 1
    document = json.loads(capsys.readouterr().out)
    [point] = document["points"]
    assert point["section"] == "contradiction"
    assert [place["start"]["line"] for place in point["places"]] == [6, 22]
    assert point["severity"] == "warning"
    assert document["complete"]


def test_several_papers_in_a_folder(options: Options, folder: Path, kit: Any, messages_api: Any, capsys: Any) -> None:
    (folder / "other.tex").write_text(kit.PAPER["main.tex"].replace("TideNet", "WaveNet"), encoding="utf-8")
    assert run_review_command(ReviewCommand(options(format=ReviewFormat.JSON), reviewer="mlr-combined")) == 1
    roots = [json.loads(line)["root"] for line in capsys.readouterr().out.splitlines()]
    assert roots == ["main.tex", "other.tex"]


@pytest.mark.parametrize(
    "text",
    [
        "\\documentclass{article}\\begin{document}\\end{document}",
        "\\documentclass{article}\\begin{document}% nothing\n\\end{document}",
    ],
)
def test_an_empty_paper(options: Options, folder: Path, messages_api: Any, capsys: Any, text: str) -> None:
    (folder / "main.tex").write_text(text, encoding="utf-8")
    assert run_review_command(ReviewCommand(options())) == 2
    assert run_contradictions_command(ContradictionsCommand(options())) == 2
    assert messages_api.log == []
    assert "no text that could be reviewed; nothing was sent" in capsys.readouterr().err


@pytest.mark.slow
def test_a_book_of_900_pages_is_stopped_with_an_estimate(
    options: Options, folder: Path, kit: Any, messages_api: Any, capsys: Any
) -> None:
    chapter = kit.ten_pages()["main.tex"].split("\\end{abstract}")[1].split("\\appendix")[0]
    chapters = "".join(chapter.replace("section{", f"section{{{number} ") for number in range(90))
    (folder / "main.tex").write_text(f"\\documentclass{{book}}\\begin{{document}}{chapters}\\end{{document}}", "utf-8")
    assert run_review_command(ReviewCommand(options(budget=1.0))) == 2
    shown = capsys.readouterr()
    assert messages_api.calls == []
    assert "This call may cost up to $" in shown.err


def test_a_chinese_paper(options: Options, folder: Path, messages_api: Any, capsys: Any) -> None:
    text = (
        "\\documentclass{ctexart}\\begin{document}\\section{方法}我们使用三十六个传感器。误差下降到3.1。\\end{document}"
    )
    (folder / "main.tex").write_text(text, encoding="utf-8")
    assert run_review_command(ReviewCommand(options(), language="中文", reviewer="mlr-combined")) == 0
    sent = json.dumps(messages_api.calls[0].body, ensure_ascii=False)
    assert "我们使用三十六个传感器" in sent
    assert "Write in 中文." in sent


WRONG = [
    (ReviewCommand, {"reviewer": "gpt"}, "--reviewer gpt: use one of mlr, mlr-combined."),
    (ReviewCommand, {"form": "nature"}, "--form nature"),
    (ReviewCommand, {"ensemble": 0}, "--ensemble"),
    (ReviewCommand, {"searches": 99}, "--literature"),
    (ReviewCommand, {"tone": "rude"}, "--tone rude"),
]


@pytest.mark.parametrize(("command", "changes", "words"), WRONG)
def test_wrong_usage(options: Options, capsys: Any, command: Any, changes: Any, words: str) -> None:
    assert run_review_command(command(options(), **changes)) == 64
    assert words in capsys.readouterr().err


def test_more_wrong_usage(options: Options, tmp_path: Path, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options(path=tmp_path / "nowhere"))) == 64
    assert run_review_command(ReviewCommand(options(budget=-1.0))) == 64
    assert run_contradictions_command(ContradictionsCommand(options(), tokens=5)) == 64
    assert run_stats(tmp_path / "nowhere") == 64


def test_statistics(options: Options, folder: Path, messages_api: Any, capsys: Any) -> None:
    from server.commands.review_parts import now_text
    from server.ledger import Ledger

    run_review_command(ReviewCommand(options(), reviewer="mlr-combined"))
    ledger = Ledger(folder, now_text)
    from analyzers.review.stats import Judgement

    for item, judgement in zip(ledger.points(), (Judgement.ACCEPTED, Judgement.DISMISSED), strict=False):
        ledger.judge(item.point.id, judgement)
    capsys.readouterr()
    assert run_stats(folder) == 0
    assert "50 %" in capsys.readouterr().out
    assert run_stats(folder, True) == 0
    assert json.loads(capsys.readouterr().out)["sections"]["all"]["rate"] == 0.5


def test_settings_of_the_user(tmp_path: Path) -> None:
    user = tmp_path / "user"
    user.mkdir()
    (user / "models.toml").write_text(
        'base_url = "http://127.0.0.1:9"\napi_key = "secret"\n[budget]\nreview = 0.5\nday = "much"\n[appendix]\nmodel = "small"\n',
        encoding="utf-8",
    )
    setup = model_setup({}, {}, user, tmp_path)
    assert {config.base_url for config in setup.roles.values()} == {"http://127.0.0.1:9"}
    assert setup.limits.review_microusd == 500_000
    assert any("api_key" in note and "secret" not in note for note in setup.notes)
    assert any("`day`" in note for note in setup.notes)
    over = model_setup({"model": "big"}, {}, user, tmp_path)
    assert {config.model for config in over.roles.values()} == {"big"}
    (user / "models.toml").write_text("= broken", encoding="utf-8")
    assert "defaults" in model_setup({}, {}, user, tmp_path).notes[0]


def test_the_options_of_the_command_line(folder: Path, options: Options, tmp_path: Path) -> None:
    import typer

    app = typer.Typer()
    for module in (review_module, contradictions_module, stats_module):
        module.register(app)
    runner = CliRunner()
    assert "--ensemble" in runner.invoke(app, ["review", "--help"], env={"COLUMNS": "200"}).output
    assert runner.invoke(app, ["review", str(folder), "--format", "pdf"]).exit_code == 64
    result = runner.invoke(app, ["review", str(folder), "--dry-run", "--ensemble", "2", "--form", "iclr"])
    assert result.exit_code == 0
    assert "7 calls" in result.output
    result = runner.invoke(app, ["contradictions", str(folder), "--dry-run", "--no-windows"])
    assert result.exit_code == 0
    assert "2 calls" in result.output, "the whole text, and the candidates"
    assert runner.invoke(app, ["stats", str(folder)]).exit_code == 0
