"""The Messages API through the real SDK against a server on loopback: every outcome typed, every token accounted."""

import asyncio
import logging
import os
import socket
import subprocess
import sys
import time
from typing import Any

import pytest

from analyzers.review.port import OutcomeKind, Role, Segment, Source, Speaker, Turn
from clients.models.anthropic_adapter import AnthropicWire
from clients.models.asking import Patience
from clients.models.keys import Key
from clients.models.roles import check_model

pytest.importorskip("anthropic")


async def test_a_structured_answer(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script.append(fake.Behaviour(text=kit.GOOD, thinking=50))
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.ANSWERED
    assert outcome.data == {"points": [{"text": "s1 and s2 cannot both be true", "weight": 4}]}
    assert outcome.model == "claude-sonnet-5-5"
    [call] = messages_api.calls
    body = call.body
    assert body["model"] == "claude-sonnet-5-5"
    assert body["stream"] is True
    assert body["max_tokens"] == 1000 + rig.roles[Role.VERIFY].thinking_tokens
    assert body["output_config"]["effort"] == "medium"
    sent = body["output_config"]["format"]
    assert sent["type"] == "json_schema"
    # The API does not enforce ranges; they stand in the description, and our own validation holds them.
    weight = sent["schema"]["properties"]["points"]["items"]["properties"]["weight"]
    assert "minimum" not in weight
    assert "minimum: 1" in weight["description"]
    assert [("cache_control" in block) for block in body["system"]] == [False, True]
    assert call.headers["authorization"] == f"Bearer {kit.KEY}"
    assert "temperature" not in body
    usage = messages_api.usages[-1]
    assert outcome.usage.all_input == sum(
        usage[name] for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    assert outcome.usage.cache_write_tokens > 0
    assert outcome.usage.output_tokens == usage["output_tokens"]
    assert outcome.usage.thinking_tokens == 50
    # 2.50 dollars a million for what is written to the cache, 2 for the rest, 10 for the output.
    micro = 2.5 * usage["cache_creation_input_tokens"] + 2 * usage["input_tokens"] + 10 * usage["output_tokens"]
    assert outcome.cost_microusd == pytest.approx(micro, abs=1)


async def test_the_second_question_reads_the_cached_prefix(messages_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(messages_api.url)
    first = await rig.model.ask(kit.question("One?"))
    second = await rig.model.ask(kit.question("Two?"))
    assert first.usage.cache_read_tokens == 0
    assert second.usage.cache_read_tokens == first.usage.cache_write_tokens
    assert second.usage.cache_write_tokens == 0
    assert second.cost_microusd < first.cost_microusd


async def test_short_answers_are_not_streamed(messages_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(messages_api.url, settings={"thinking_tokens": 0})
    outcome = await rig.model.ask(kit.question(schema=None))
    assert outcome.text == "You said: Is it so?"
    assert "stream" not in messages_api.calls[0].body
    assert outcome.request_id.startswith("req_")


async def test_more_breakpoints_than_the_provider_takes_and_empty_segments(
    messages_api: Any, rigs: Any, kit: Any
) -> None:
    rig = rigs(messages_api.url)
    turns = (
        Turn(Speaker.USER, tuple(Segment(f"part {number}", cached=True) for number in range(6))),
        Turn(Speaker.ASSISTANT, (Segment("yes"),)),
        Turn(Speaker.USER, (Segment(""), Segment("half of a pair: \ud800", cached=False), Segment(" ", cached=True))),
    )
    request = kit.question(schema=None)
    outcome = await rig.model.ask(type(request)(Role.REVIEW, request.system, turns))
    assert outcome.answered, outcome.detail
    blocks = messages_api.calls[0].body["messages"][0]["content"]
    assert [("cache_control" in block) for block in blocks] == [False, False, True, True, True, True]


CASES = [
    # status, type, code, headers, kind, requests
    (400, "invalid_request_error", None, {}, OutcomeKind.REJECTED, 1),
    (401, "authentication_error", None, {}, OutcomeKind.KEY_REFUSED, 1),
    (402, "billing_error", None, {}, OutcomeKind.SPEND_LIMIT, 1),
    (402, "api_error", "linked_organization_spend_limit_reached", {}, OutcomeKind.SPEND_LIMIT, 1),
    (403, "permission_error", None, {}, OutcomeKind.KEY_REFUSED, 1),
    (404, "not_found_error", None, {}, OutcomeKind.UNKNOWN_MODEL, 1),
    (408, "timeout_error", None, {}, OutcomeKind.UNAVAILABLE, 4),
    (409, "conflict_error", None, {}, OutcomeKind.UNAVAILABLE, 4),
    (413, "request_too_large", None, {}, OutcomeKind.TOO_LARGE, 1),
    (429, "rate_limit_error", None, {}, OutcomeKind.OVERLOADED, 4),
    (429, "rate_limit_error", None, {"retry-after": "3600"}, OutcomeKind.OVERLOADED, 1),
    (429, "rate_limit_error", None, {"retry-after": "4294967"}, OutcomeKind.OVERLOADED, 1),
    (429, "rate_limit_error", None, {"x-should-retry": "false"}, OutcomeKind.OVERLOADED, 1),
    (429, "rate_limit_error", "enforced_spend_limit_reached", {}, OutcomeKind.SPEND_LIMIT, 1),
    (429, "rate_limit_error", "contract_spend_limit_reached", {}, OutcomeKind.SPEND_LIMIT, 1),
    (500, "api_error", None, {}, OutcomeKind.UNAVAILABLE, 4),
    (503, "api_error", None, {}, OutcomeKind.UNAVAILABLE, 4),
    (504, "timeout_error", None, {}, OutcomeKind.UNAVAILABLE, 4),
    (529, "overloaded_error", None, {}, OutcomeKind.OVERLOADED, 4),
    (307, "api_error", None, {"location": "http://192.0.2.1/v1/messages"}, OutcomeKind.UNAVAILABLE, 1),
]


@pytest.mark.parametrize(("status", "error_type", "code", "headers", "kind", "requests"), CASES)
async def test_errors_are_typed_outcomes(
    status: int,
    error_type: str,
    code: str | None,
    headers: dict[str, str],
    kind: OutcomeKind,
    requests: int,
    messages_api: Any,
    rigs: Any,
    kit: Any,
    fake: Any,
) -> None:
    rig = rigs(messages_api.url)
    how = fake.Behaviour(status, error_type, code, "the words of the manuscript", headers)
    messages_api.script += [how] * 6
    started = time.monotonic()
    outcome = await rig.model.ask(kit.question())
    assert time.monotonic() - started < 20
    assert outcome.kind is kind, outcome.detail
    assert len(messages_api.calls) == requests
    assert outcome.usage.calls == requests
    assert outcome.usage.all_input == 0
    assert outcome.cost_microusd == 0
    assert str(status) in outcome.detail
    assert "manuscript" not in outcome.detail
    if "retry-after" in headers:
        assert outcome.retry_after == float(headers["retry-after"])
    assert rig.account.spent("r1").requests == requests


async def test_what_is_over_soon_is_waited_for(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    wait = {"retry-after-ms": "300"}
    messages_api.script += [
        fake.Behaviour(429, "rate_limit_error", headers=wait),
        fake.Behaviour(529, "overloaded_error"),
    ]
    outcome = await rig.model.ask(kit.question())
    assert outcome.answered
    times = [call.at for call in messages_api.calls]
    assert len(times) == 3
    assert 0.29 < times[1] - times[0] < 5


async def test_an_unknown_model_is_answered_with_the_providers_list(
    messages_api: Any, rigs: Any, kit: Any, fake: Any
) -> None:
    rig = rigs(messages_api.url, settings={"model": "claude-sonnet-9"})
    messages_api.script.append(fake.Behaviour(404, "not_found_error"))
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.UNKNOWN_MODEL
    assert "claude-haiku-5-5, claude-sonnet-5-5" in outcome.detail


async def test_a_spent_account_is_not_asked_again(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script.append(fake.Behaviour(429, "rate_limit_error", "enforced_spend_limit_reached"))
    assert (await rig.model.ask(kit.question("One?"))).kind is OutcomeKind.SPEND_LIMIT
    again = await rig.model.ask(kit.question("Two?"))
    assert again.kind is OutcomeKind.SPEND_LIMIT
    assert again.usage.calls == 0
    assert len(messages_api.calls) == 1


@pytest.mark.parametrize("thinking", [0, 4000], ids=["whole", "streamed"])
async def test_refusals_and_truncated_answers_are_paid(
    thinking: int, messages_api: Any, rigs: Any, kit: Any, fake: Any
) -> None:
    rig = rigs(messages_api.url, settings={"thinking_tokens": thinking})
    messages_api.script.append(fake.Behaviour(text="I will not.", stop="refusal", category="frontier_llm"))
    refused = await rig.model.ask(kit.question("One?"))
    assert refused.kind is OutcomeKind.REFUSED
    assert "frontier_llm" in refused.detail
    messages_api.script.append(fake.Behaviour(text=kit.GOOD[:20], stop="max_tokens"))
    cut = await rig.model.ask(kit.question("Two?"))
    assert cut.kind is OutcomeKind.TRUNCATED
    messages_api.script.append(fake.Behaviour(text=kit.GOOD[:20], stop="model_context_window_exceeded"))
    full = await rig.model.ask(kit.question("Three?"))
    assert full.kind is OutcomeKind.TRUNCATED
    for outcome in (refused, cut, full):
        assert outcome.usage.output_tokens > 0
        assert outcome.cost_microusd > 0
        assert not outcome.usage_is_bound
    assert rig.account.spent("r1").cost_microusd == sum(o.cost_microusd for o in (refused, cut, full))
    assert len(messages_api.calls) == 3  # a refusal is no reason to ask again


BAD = [
    "There are two problems with this paper.",
    '{"points": [{"text": "no weight"}]}',
    '{"points": [{"text": "too much", "weight": 9}]}',
    '{"points": 3}',
    "[]",
    '{"points": [{"text": "x", "weight": NaN}]}',
    " ",
]


@pytest.mark.parametrize("bad", BAD)
async def test_one_repair_and_then_a_typed_failure(bad: str, messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script += [fake.Behaviour(text=bad), fake.Behaviour(text=kit.GOOD)]
    repaired = await rig.model.ask(kit.question("One?"))
    assert repaired.answered
    assert repaired.data["points"][0]["weight"] == 4
    assert repaired.usage.calls == 2
    roles = [message["role"] for message in messages_api.calls[1].body["messages"]]
    assert roles == ["user", "assistant", "user"]
    # What is wrong and what is wanted, for servers that ignored the schema.
    assert '"required":["text","weight"]' in messages_api.calls[1].body["messages"][-1]["content"]

    messages_api.script += [fake.Behaviour(text=bad)] * 2
    failed = await rig.model.ask(kit.question("Two?"))
    assert failed.kind is OutcomeKind.MALFORMED
    assert failed.data is None
    assert failed.usage.calls == 2
    assert failed.cost_microusd > 0
    assert len(messages_api.calls) == 4
    # Nothing unusable is kept: the same question goes out again.
    assert (await rig.model.ask(kit.question("Two?"))).answered
    assert len(messages_api.calls) == 5


async def test_an_answer_in_a_fence_needs_no_repair(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script.append(fake.Behaviour(text=f"Here it is:\n```json\n{kit.GOOD}\n```\nDone."))
    assert (await rig.model.ask(kit.question())).answered
    assert len(messages_api.calls) == 1


async def test_a_paused_turn_is_continued(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    page = {
        "type": "web_search_result",
        "title": "On drift",
        "url": "https://example.org/drift",
        "encrypted_content": "x",
        "page_age": None,
    }
    search = [
        {"type": "text", "text": "I search. "},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "drift"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [page, page]},
    ]
    messages_api.script += [
        fake.Behaviour(content=search, stop="pause_turn", searches=1),
        fake.Behaviour(text="Nothing was found.", searches=1),
    ]
    outcome = await rig.model.ask(kit.question(role=Role.LITERATURE, schema=None, web_searches=2))
    assert outcome.answered, outcome.detail
    assert outcome.text == "I search. Nothing was found."
    first, second = messages_api.calls
    tool = first.body["tools"][0]
    assert (tool["type"], tool["max_uses"]) == ("web_search_20260318", 2)
    assert second.body["messages"][-1]["role"] == "assistant"
    assert [block["type"] for block in second.body["messages"][-1]["content"]] == [block["type"] for block in search]
    assert outcome.sources == (Source("On drift", "https://example.org/drift"),)
    assert outcome.usage.web_searches == 2
    # The price of a search is unknown, so the cost is; the tokens count for the budget all the same.
    assert outcome.cost_microusd is None
    assert rig.account.spent("r1").cost_microusd is None


async def test_pauses_have_an_end(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    block = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    messages_api.answer = lambda _: fake.Behaviour(content=[block], stop="pause_turn")
    outcome = await rig.model.ask(kit.question(role=Role.LITERATURE, schema=None, web_searches=1))
    assert outcome.kind is OutcomeKind.TRUNCATED
    assert len(messages_api.calls) == 9


@pytest.mark.parametrize("cut", [("clean", 3), ("hard", 3), ("clean", 0), ("hard", 0)])
async def test_a_stream_that_is_cut_is_no_answer(
    cut: tuple[str, int], messages_api: Any, rigs: Any, kit: Any, fake: Any
) -> None:
    rig = rigs(messages_api.url, patience=Patience(attempts=1))
    messages_api.script.append(fake.Behaviour(text=kit.GOOD, cut=cut))
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert outcome.usage_is_bound
    # The input was reported with the first event, and the output is at least what arrived.
    assert outcome.usage.all_input > 300
    assert outcome.usage.output_tokens >= cut[1] * 7 // 3
    assert outcome.cost_microusd > 0
    assert (await rig.model.ask(kit.question())).answered  # nothing of it was kept


async def test_a_cut_stream_is_tried_again_and_both_are_paid(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script += [fake.Behaviour(text=kit.GOOD, cut=("hard", 4)), fake.Behaviour(text=kit.GOOD)]
    outcome = await rig.model.ask(kit.question())
    assert outcome.answered
    assert outcome.usage.calls == 2
    assert outcome.usage_is_bound
    assert outcome.usage.all_input == sum(
        usage[name]
        for usage in messages_api.usages
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )


async def test_an_error_inside_a_stream(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url, patience=Patience(attempts=1))
    messages_api.script.append(fake.Behaviour(type="overloaded_error", text=kit.GOOD, error_after=2))
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.OVERLOADED
    assert outcome.usage.all_input > 300
    assert outcome.usage_is_bound


@pytest.mark.parametrize("thinking", [0, 4000], ids=["whole", "streamed"])
async def test_time_is_limited_by_us(thinking: int, messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url, settings={"timeout": 1, "thinking_tokens": thinking})
    await rig.model.count(kit.question())  # loads the SDK, so that the time is that of the call
    messages_api.script.append(fake.Behaviour(hang=30))
    started = time.monotonic()
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.TIMED_OUT
    assert time.monotonic() - started < 4
    # Nobody knows what it cost: it counts with its bound.
    assert outcome.usage_is_bound
    assert outcome.usage.output_tokens == 1000 + thinking
    assert len(messages_api.calls) == 1


async def test_cancelling_is_immediate_and_accounted(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    await rig.model.count(kit.question())
    messages_api.script.append(fake.Behaviour(text="word " * 400, delay=0.05))
    task = asyncio.ensure_future(rig.model.ask(kit.question()))
    while not messages_api.calls:  # noqa: ASYNC110 - filled by a thread
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.4)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 0.5
    spent = rig.account.spent("r1")
    assert spent.requests == 1
    assert spent.usage.all_input > 300
    assert 0 < spent.usage.output_tokens < 1000  # what arrived, not the bound
    assert spent.is_bound
    await asyncio.sleep(0.3)
    assert messages_api.aborted == 1
    assert len(messages_api.calls) == 1
    assert (await rig.model.ask(kit.question())).answered


async def test_a_server_that_is_not_there(rigs: Any, kit: Any) -> None:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    rig = rigs(f"http://127.0.0.1:{port}")
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert outcome.usage.all_input == 0
    assert outcome.cost_microusd == 0
    assert not outcome.usage_is_bound


async def test_an_answer_that_is_no_message(
    messages_api: Any, rigs: Any, kit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = messages_api.handle

    async def page(method: str, path: str, headers: dict[str, str], body: Any) -> Any:
        answered = await original(method, path, headers, body)
        answered.body, answered.stream = b"<html>It works!</html>", None
        answered.headers["content-type"] = "text/html"
        return answered

    monkeypatch.setattr(messages_api, "handle", page)
    for thinking in (0, 4000):
        rig = rigs(messages_api.url, settings={"thinking_tokens": thinking}, review=f"r{thinking}")
        outcome = await rig.model.ask(kit.question())
        assert outcome.kind is OutcomeKind.UNAVAILABLE
        assert outcome.usage_is_bound


async def test_tokens_are_counted_by_the_provider(messages_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(messages_api.url)
    request = kit.question()
    counted = await rig.model.count(request)
    outcome = await rig.model.ask(request)
    assert counted == outcome.usage.all_input
    [count] = [call for call in messages_api.log if call.path.endswith("count_tokens")]
    assert "max_tokens" not in count.body


async def test_models_are_listed_by_the_provider(messages_api: Any) -> None:
    for model, said in (
        ("claude-sonnet-5-5", None),
        ("claude-sonnet-9", "not listed"),
        ("claude-mythos-preview", "retired"),
    ):
        wire = AnthropicWire(model, Key("k"), messages_api.url)
        problem = await check_model(wire)
        await wire.close()
        assert (problem is None) == (said is None)
        assert said is None or said in problem
    assert [call.path for call in messages_api.log] == ["/v1/models"] * 3


async def test_nothing_of_the_environment_gets_in(
    messages_api: Any, rigs: Any, kit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://192.0.2.1")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "someone")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-strange: yes")
    before = {name: value for name, value in os.environ.items() if name.startswith("ANTHROPIC_")}
    rig = rigs(messages_api.url)
    assert (await rig.model.ask(kit.question())).answered
    headers = messages_api.calls[0].headers
    assert headers["authorization"] == f"Bearer {kit.KEY}"
    assert "x-strange" not in headers
    assert "traceparent" not in headers
    assert {name: value for name, value in os.environ.items() if name.startswith("ANTHROPIC_")} == before


async def test_neither_key_nor_manuscript_reaches_a_log(
    messages_api: Any, rigs: Any, kit: Any, fake: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rig = rigs(messages_api.url)
    secret = "the manuscript's canary sentence"
    messages_api.script += [
        fake.Behaviour(400, "invalid_request_error", message=f"cannot read {secret}"),
        fake.Behaviour(text=f"prose with {secret}"),
        fake.Behaviour(text=kit.GOOD),
        fake.Behaviour(529, "overloaded_error"),
        fake.Behaviour(text=kit.GOOD, cut=("hard", 1)),
    ]
    outcomes = [await rig.model.ask(kit.question(f"{number}: {secret}", manuscript=secret)) for number in range(4)]
    assert [outcome.answered for outcome in outcomes].count(True) >= 2
    assert messages_api.calls
    assert secret not in caplog.text
    assert kit.KEY not in caplog.text
    assert kit.KEY not in "".join(repr(outcome) for outcome in outcomes)
    assert secret not in "".join(outcome.detail for outcome in outcomes)


def test_the_sdk_is_not_loaded_before_it_is_used() -> None:
    code = (
        "import sys, clients.models.guarded, clients.models.anthropic_adapter, server.model_consent;"
        "print([name for name in ('anthropic', 'httpx2', 'jsonschema', 'keyring', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


async def test_the_client_has_no_retries_traces_or_redirects_of_its_own(
    messages_api: Any, rigs: Any, kit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import anthropic

    made: list[dict[str, Any]] = []

    def client(**arguments: Any) -> Any:
        made.append(arguments)
        return original(**arguments)

    original = anthropic.AsyncAnthropic
    monkeypatch.setattr(anthropic, "AsyncAnthropic", client)
    rig = rigs(messages_api.url)
    assert (await rig.model.ask(kit.question())).answered
    assert (await rig.model.ask(kit.question("Two?"))).answered
    [arguments] = made
    assert (arguments["max_retries"], arguments["open_telemetry"]) == (0, False)
    assert arguments["http_client"].follow_redirects is False
    assert arguments["base_url"] == messages_api.url


async def test_many_calls_at_once_keep_to_their_number(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    running, most = [0], [0]

    async def answer(_: dict[str, Any]) -> Any:
        running[0] += 1
        most[0] = max(most[0], running[0])
        await asyncio.sleep(0.02)
        running[0] -= 1
        return fake.Behaviour(text=kit.GOOD)

    messages_api.answer = answer
    outcomes = await asyncio.gather(*(rig.model.ask(kit.question(str(number))) for number in range(40)))
    assert all(outcome.answered for outcome in outcomes)
    assert len(messages_api.calls) == 40
    assert 1 < most[0] <= 4
    assert rig.account.spent("r1").cost_microusd == sum(outcome.cost_microusd for outcome in outcomes)
