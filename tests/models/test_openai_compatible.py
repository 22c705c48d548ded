"""Servers with the chat completions API: whatever they make of the schema, the answer is valid or the failure typed."""

import asyncio
import json
import logging
import time
from typing import Any

import httpx
import pytest

from analyzers.review.port import OutcomeKind, Role
from clients.models.answers import parsed, without_thoughts
from clients.models.keys import NO_KEY, Key
from clients.models.openai_compatible import ChatWire
from clients.models.roles import check_model
from clients.models.wire import Partial


def settings(**more: Any) -> dict[str, Any]:
    return {"provider": "openai-compatible", "model": "qwen-small", "thinking_tokens": 0, **more}


async def test_a_server_that_honours_the_schema(chat_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(chat_api.base, settings=settings(effort="low"))
    assert rig.notes == ()
    outcome = await rig.model.ask(kit.question())
    assert outcome.answered, outcome.detail
    assert outcome.data == {"points": [{"text": "text", "weight": 3}]}
    body = chat_api.calls[0].body
    form = body["response_format"]["json_schema"]
    assert form["schema"] == kit.SCHEMA
    assert form["name"] == "answer"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    # The schema is said as well, for servers that accept the field and ignore it.
    assert json.dumps(kit.SCHEMA) in body["messages"][-1]["content"]
    assert body["max_tokens"] == 1000
    assert body["reasoning_effort"] == "low"
    assert chat_api.calls[0].headers["authorization"] == f"Bearer {kit.KEY}"
    assert outcome.usage.input_tokens > 300
    assert outcome.cost_microusd is None  # no price is known
    assert rig.account.spent("r1").cost_microusd is None


async def test_a_server_that_ignores_it(fake: Any, rigs: Any, kit: Any) -> None:
    with fake.FakeChatApi(honours_schema=False) as api:
        rig = rigs(api.base, settings=settings())
        outcome = await rig.model.ask(kit.question())
        assert outcome.kind is OutcomeKind.MALFORMED
        assert outcome.usage.calls == 2
        api.script += [fake.Behaviour(text="Well,"), fake.Behaviour(text=f"<think>{{hm}}</think>\n{kit.GOOD}")]
        repaired = await rig.model.ask(kit.question("Two?"))
        assert repaired.answered
        assert repaired.data["points"][0]["weight"] == 4
        assert [message["role"] for message in api.calls[-1].body["messages"]] == [
            "system",
            "user",
            "assistant",
            "user",
        ]


async def test_a_server_that_refuses_the_field(fake: Any, rigs: Any, kit: Any) -> None:
    with fake.FakeChatApi(takes_format=False, answer=lambda _: kit.GOOD) as api:
        rig = rigs(api.base, settings=settings())
        assert (await rig.model.ask(kit.question())).answered
        assert ["response_format" in call.body for call in api.calls] == [True, False]
        assert (await rig.model.ask(kit.question("Two?"))).answered
        assert len(api.calls) == 3  # it is remembered


async def test_a_user_may_say_that_a_model_is_free(chat_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(chat_api.base, settings=settings(price={"input": 0, "output": 0}))
    outcome = await rig.model.ask(kit.question())
    assert outcome.cost_microusd == 0
    assert rig.account.spent("r1").cost_microusd == 0


CASES = [
    (401, "invalid_request_error", "invalid_api_key", OutcomeKind.KEY_REFUSED, 1),
    (404, "not_found_error", "model_not_found", OutcomeKind.UNKNOWN_MODEL, 1),
    (400, "invalid_request_error", "context_length_exceeded", OutcomeKind.TOO_LARGE, 1),
    (400, "exceed_context_size_error", None, OutcomeKind.TOO_LARGE, 1),
    (429, "requests", "rate_limit_exceeded", OutcomeKind.OVERLOADED, 4),
    (429, "insufficient_quota", "insufficient_quota", OutcomeKind.SPEND_LIMIT, 1),
    (503, "server_error", None, OutcomeKind.UNAVAILABLE, 4),
]


@pytest.mark.parametrize(("status", "error_type", "code", "kind", "requests"), CASES)
async def test_errors_are_typed(
    status: int,
    error_type: str,
    code: str | None,
    kind: OutcomeKind,
    requests: int,
    chat_api: Any,
    rigs: Any,
    kit: Any,
    fake: Any,
) -> None:
    rig = rigs(chat_api.base, settings=settings())
    chat_api.script += [fake.Behaviour(status, error_type, code, "words of the manuscript")] * 6
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is kind, outcome.detail
    assert len(chat_api.calls) == requests
    assert "manuscript" not in outcome.detail


async def test_truncated_refused_cut_and_silent(chat_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    from clients.models.asking import Patience

    rig = rigs(chat_api.base, settings=settings(timeout=1), patience=Patience(attempts=1))
    expected = {
        OutcomeKind.TRUNCATED: fake.Behaviour(text=kit.GOOD[:20], stop="length"),
        OutcomeKind.REFUSED: fake.Behaviour(text="", stop="content_filter"),
        OutcomeKind.UNAVAILABLE: fake.Behaviour(cut=("hard", 0)),
        OutcomeKind.TIMED_OUT: fake.Behaviour(hang=20),
    }
    for kind, how in expected.items():
        chat_api.script.append(how)
        outcome = await rig.model.ask(kit.question(kind.value))
        assert outcome.kind is kind, outcome.detail
        assert outcome.usage.all_input > 300
        assert outcome.usage_is_bound == (kind in (OutcomeKind.UNAVAILABLE, OutcomeKind.TIMED_OUT))


async def test_a_server_without_usage_is_accounted_by_the_bound(chat_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(chat_api.base, settings=settings())
    chat_api.script.append(fake.Behaviour(text=kit.GOOD, usage=False))
    outcome = await rig.model.ask(kit.question())
    assert outcome.answered
    assert outcome.usage_is_bound
    assert outcome.usage.all_input > 300


async def test_cancelling_ends_the_connection(chat_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(chat_api.base, settings=settings())
    chat_api.script.append(fake.Behaviour(hang=20))
    task = asyncio.ensure_future(rig.model.ask(kit.question()))
    while not chat_api.calls:  # noqa: ASYNC110 - filled by a thread
        await asyncio.sleep(0.01)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 0.5
    await asyncio.sleep(0.2)
    assert chat_api.aborted == 1
    assert rig.account.spent("r1").is_bound


async def test_models_are_listed_by_the_server(chat_api: Any) -> None:
    wire = ChatWire("qwen-small", Key(NO_KEY), chat_api.base)
    assert await check_model(wire) is None
    assert "authorization" not in chat_api.log[0].headers
    await wire.close()
    other = ChatWire("llama", Key(NO_KEY), chat_api.base)
    assert "qwen-small" in (await check_model(other) or "")
    await other.close()
    nowhere = ChatWire("llama", Key(NO_KEY), "http://127.0.0.1:9/v1")
    assert await check_model(nowhere) is None
    await nowhere.close()


ODD_BODIES = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b'{"choices": []}',
    b'{"choices": [null]}',
    b'{"choices": [{"message": null}]}',
    b'{"choices": [{"message": {"content": 7}}], "usage": {"prompt_tokens": "many"}}',
    b"<html>",
    b"[" * 5000,
    b"\xff\xfe",
    b'{"error": "no"}',
]


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("body", ODD_BODIES)
async def test_no_answer_raises(status: int, body: bytes, kit: Any) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=body))
    wire = ChatWire("m", Key(NO_KEY), "http://127.0.0.1:1/v1", transport=transport)
    reply = await wire.send(kit.question(), (), Partial())
    await wire.close()
    assert not (reply.kind is OutcomeKind.ANSWERED and reply.text)
    assert status == 200 or reply.kind is not OutcomeKind.ANSWERED


async def test_redirects_are_not_followed(kit: Any) -> None:
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.host)
        return httpx.Response(307, headers={"location": "http://elsewhere.invalid/v1"})

    wire = ChatWire("m", Key("k"), "http://here.invalid/v1", transport=httpx.MockTransport(handler))
    reply = await wire.send(kit.question(), (), Partial())
    await wire.close()
    assert reply.kind is OutcomeKind.UNAVAILABLE
    assert set(seen) == {"here.invalid"}


async def test_web_searches_are_not_pretended(chat_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(chat_api.base, settings=settings())
    outcome = await rig.model.ask(kit.question(role=Role.LITERATURE, web_searches=2))
    assert outcome.kind is OutcomeKind.REJECTED
    assert chat_api.calls == []


async def test_nothing_secret_reaches_a_log(
    chat_api: Any, rigs: Any, kit: Any, fake: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rig = rigs(chat_api.base, settings=settings())
    secret = "the manuscript's canary sentence"
    chat_api.script += [fake.Behaviour(400, message=secret), fake.Behaviour(text=secret), fake.Behaviour(text=secret)]
    for number in range(2):
        assert secret not in (await rig.model.ask(kit.question(f"{number} {secret}"))).detail
    assert secret not in caplog.text
    assert kit.KEY not in caplog.text


JSON_IN_TEXT = [
    ('{"a": 1}', {"a": 1}),
    ('```json\n{"a": 1}\n```', {"a": 1}),
    ('Sure!\n```\n{"a": 1}\n```\nAnything else?', {"a": 1}),
    ('The answer is {"a": 1}.', {"a": 1}),
    ('{"a": 1', None),
    ("nothing", None),
    ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', None),
    ("{" * 3000 + "}" * 3000, None),
]


@pytest.mark.parametrize(("text", "value"), JSON_IN_TEXT)
def test_json_is_found_in_what_surrounds_it(text: str, value: Any) -> None:
    found, problem = parsed(text, {"type": "object"})
    assert found == value
    assert (problem is None) == (value is not None)


def test_thoughts_are_taken_off_only_at_the_front() -> None:
    assert without_thoughts("<think>a\nb</think>\n\n{}") == "{}"
    assert without_thoughts("{} <think>a</think>") == "{} <think>a</think>"
    assert without_thoughts("<think>never ends") == "<think>never ends"


def test_what_is_wrong_is_said_by_place() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n", "m"]}
    _, problem = parsed('{"n": "x"}', schema)
    assert problem is not None
    assert "$.n" in problem
    assert "'m' is a required property" in problem
