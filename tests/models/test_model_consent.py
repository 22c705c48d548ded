"""Consent: given by a person for a workspace and a recipient, kept with the user, and shown with what it is for."""

import datetime
import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.review.consent import PlannedCall, Recipient, described, disclosure
from analyzers.review.port import ModelRequest, Role, Segment, Speaker, Turn, Usage
from analyzers.review.script import Script, script_of
from clients.models.planning import planned_calls
from clients.models.prices import money, price_table
from clients.models.roles import read_roles
from server.model_consent import Decision, ModelConsent

DAY = datetime.date(2026, 11, 29)
CLAUDE = Recipient("anthropic", "https://api.anthropic.com", "claude-sonnet-5-5")
LAB = Recipient("openai-compatible", "http://lab.example/v1", "qwen")
FILES = {
    "main.tex": "\\documentclass{article}\\begin{document}\nWe gain four points.\n\n\\input{more}\n\\appendix\n"
    "\\section{Proofs}\nThe proof is long.\n\\end{document}\n",
    "more.tex": "We gain five points. Nobody knows why.\n",
}


def store(folder: Path) -> ModelConsent:
    return ModelConsent(folder / "configuration" / "consent")


def test_nothing_is_allowed_before_it_is(tmp_path: Path) -> None:
    workspace = tmp_path / "paper"
    workspace.mkdir()
    consent = store(tmp_path)
    assert consent.decision(workspace, CLAUDE, trusted=True) is Decision.NOT_ASKED
    assert "api.anthropic.com" in (consent.reason(workspace, CLAUDE, trusted=True) or "")
    assert consent.give(workspace, [CLAUDE], DAY, trusted=True)
    assert consent.reason(workspace, CLAUDE, trusted=True) is None
    # It holds for the next start, for any model there, and for nothing else.
    again = store(tmp_path)
    assert again.decision(workspace, CLAUDE, trusted=True) is Decision.ALLOWED
    assert again.decision(workspace, Recipient("anthropic", CLAUDE.address, "other"), trusted=True) is Decision.ALLOWED
    assert again.decision(workspace, LAB, trusted=True) is Decision.NOT_ASKED
    redirected = Recipient("anthropic", "https://api.anthropic.com.evil.example", CLAUDE.model)
    assert again.decision(workspace, redirected, trusted=True) is Decision.NOT_ASKED
    assert again.decision(tmp_path / "other", CLAUDE, trusted=True) is Decision.NOT_ASKED
    assert list(workspace.rglob("*")) == []


def test_an_untrusted_workspace_is_never_sent(tmp_path: Path) -> None:
    consent = store(tmp_path)
    consent.give(tmp_path / "paper", [CLAUDE], DAY, trusted=True)
    assert consent.decision(tmp_path / "paper", CLAUDE, trusted=False) is Decision.UNTRUSTED
    assert not consent.give(tmp_path / "other", [CLAUDE], DAY, trusted=False)
    assert consent.decision(tmp_path / "other", CLAUDE, trusted=True) is Decision.NOT_ASKED
    trusted = [True]
    guard = consent.guard(tmp_path / "paper", lambda: bool(trusted))
    assert guard(CLAUDE) is None
    trusted.clear()
    assert "not trusted" in (guard(CLAUDE) or "")


def test_declining_and_forgetting(tmp_path: Path) -> None:
    consent = store(tmp_path)
    paper = tmp_path / "paper"
    consent.give(paper, [CLAUDE], DAY, trusted=True)
    consent.give(paper, [LAB], DAY, trusted=True)
    consent.decline(paper, [CLAUDE], DAY)
    assert consent.decision(paper, CLAUDE, trusted=True) is Decision.DECLINED
    assert consent.decision(paper, LAB, trusted=True) is Decision.ALLOWED
    # Another editor of the same user sees it at once.
    assert store(tmp_path).decision(paper, CLAUDE, trusted=True) is Decision.DECLINED
    consent.give(paper, [CLAUDE], DAY, trusted=True)
    assert consent.decision(paper, CLAUDE, trusted=True) is Decision.ALLOWED
    consent.withdraw(paper)
    assert consent.decision(paper, CLAUDE, trusted=True) is Decision.NOT_ASKED
    assert list((tmp_path / "configuration").rglob("*.json")) == []


def test_a_file_in_the_workspace_gives_no_consent(tmp_path: Path) -> None:
    """A workspace that holds the configuration folder could bring its consent along."""
    consent = ModelConsent(tmp_path / "consent")
    assert consent.give(tmp_path, [CLAUDE], DAY, trusted=True)
    assert consent.decision(tmp_path, CLAUDE, trusted=True) is Decision.ALLOWED  # until the end of the session
    assert list(tmp_path.rglob("*.json")) == []
    assert ModelConsent(tmp_path / "consent").decision(tmp_path, CLAUDE, trusted=True) is Decision.NOT_ASKED


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_is_the_workspace_behind_it(tmp_path: Path) -> None:
    (tmp_path / "paper").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "paper")
    consent = store(tmp_path)
    consent.give(tmp_path / "link", [CLAUDE], DAY, trusted=True)
    assert consent.decision(tmp_path / "paper", CLAUDE, trusted=True) is Decision.ALLOWED


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"version": 2, "allowed": ["x"]}', b'{"version": 1, "allowed": 7}', b"\xff"]
)
def test_what_cannot_be_read_was_not_given(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    consent = store(tmp_path)
    consent.give(tmp_path / "paper", [CLAUDE], DAY, trusted=True)
    [file] = (tmp_path / "configuration").rglob("*.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["allowed"] == ["anthropic https://api.anthropic.com"]
    assert data["changed"] == "2026-11-29"
    file.write_bytes(content)
    assert consent.decision(tmp_path / "paper", CLAUDE, trusted=True) is Decision.NOT_ASKED
    assert consent.give(tmp_path / "paper", [CLAUDE], DAY, trusted=True)
    assert consent.decision(tmp_path / "paper", CLAUDE, trusted=True) is Decision.ALLOWED


def test_a_folder_that_cannot_be_written_keeps_it_for_the_session(tmp_path: Path) -> None:
    (tmp_path / "configuration").write_text("in the way", encoding="utf-8")
    consent = store(tmp_path)
    assert consent.give(tmp_path / "paper", [CLAUDE], DAY, trusted=True)
    assert consent.decision(tmp_path / "paper", CLAUDE, trusted=True) is Decision.ALLOWED
    assert consent.decision(None, LAB, trusted=True) is Decision.NOT_ASKED


def script() -> Script:
    return script_of(manuscript_of(FILES))


def request(text: str, role: Role = Role.REVIEW, **more: Any) -> ModelRequest:
    return ModelRequest(role, (Segment("You review."),), (Turn(Speaker.USER, (Segment(text, cached=True),)),), **more)


def test_what_would_be_sent_names_files_characters_tokens_cost_and_provider() -> None:
    read = script()
    roles, _ = read_roles({})
    calls = planned_calls([request(read.text(read.main), max_output_tokens=2000)], roles, price_table(), DAY)
    what = disclosure(read, calls)
    assert [(file.path, file.characters) for file in what.files] == [
        ("main.tex", len("We gain four points.")),
        ("more.tex", len("We gain five points.") + len("Nobody knows why.")),
    ]
    assert what.recipients == (CLAUDE,)
    bound = what.bound
    assert bound.output_tokens == 2000 + roles[Role.REVIEW].thinking_tokens
    assert what.cost_microusd == pytest.approx(bound.all_input * 2.5 + bound.output_tokens * 10, abs=1)
    text = described(what, money(what.cost_microusd))
    for part in (
        "Anthropic's Messages API, https://api.anthropic.com, model claude-sonnet-5-5",
        "From main.tex: 20 characters",
        "From more.tex: 37 characters",
        "In all 57 characters",
        "1 call, with at most about",
        f"at most {money(what.cost_microusd)}",
    ):
        assert part in text
    assert "gain" not in text  # it is a report of amounts


def test_only_lines_that_are_in_a_prompt_count() -> None:
    read = script()
    part = [line for line in read.main if line.text.startswith("Nobody")]
    call = PlannedCall(request(f"Is this so?\n{read.text(part)}\n"), CLAUDE, Usage(input_tokens=5), 10)
    assert [(file.path, file.characters) for file in disclosure(read, [call]).files] == [("more.tex", 17)]
    appendix = PlannedCall(request(read.text(read.appendix)), CLAUDE, Usage(input_tokens=5), 10)
    what = disclosure(read, [call, appendix, call])
    assert {file.path: file.characters for file in what.files} == {
        "main.tex": sum(len(line.text) for line in read.appendix),
        "more.tex": 17,
    }
    assert what.cost_microusd == 30


def test_an_unknown_price_an_open_connection_and_searches_are_said() -> None:
    roles, _ = read_roles({"provider": "openai-compatible", "base_url": LAB.address, "model": "qwen"})
    calls = planned_calls([request("x"), request("y", Role.LITERATURE, web_searches=3)], roles, price_table(), DAY)
    text = described(disclosure(script(), calls), money(None))
    assert "Cost: unknown, because no price is known for qwen" in text
    assert "not encrypted" in text
    assert "Up to 3 web searches" in text
    local = Recipient("openai-compatible", "http://localhost:11434/v1", "qwen")
    shown = described(disclosure(script(), [PlannedCall(request("x"), local, Usage(), 0)]), money(0))
    assert "on this computer" in shown
    assert "not encrypted" not in shown


def test_nothing_to_send() -> None:
    empty = script_of(manuscript_of({"main.tex": ""}))
    assert disclosure(empty, []).files == ()
    assert described(disclosure(empty, []), money(0)).startswith("Nothing would be sent.")


def test_withheld_places_are_counted() -> None:
    read = script()
    hidden = Script(read.title, read.main, read.appendix, read.places, (read.main[0].span, read.main[0].span))
    call = PlannedCall(request(read.text(read.main)), CLAUDE, Usage(), 0)
    assert disclosure(hidden, [call]).withheld == 1
    assert "Not sent: the hidden text of 1 place." in described(disclosure(hidden, [call]), money(0))
