"""Consent, cache, budget and account around every call: nothing unasked, nothing twice, nothing unpaid."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzers.review.port import Outcome, OutcomeKind, Role, Usage
from clients.models.account import Limits
from clients.models.call_cache import CallCache, call_key
from clients.models.codec import request_digest
from clients.models.store import Store

pytest.importorskip("anthropic")
ROOT = Path(__file__).parents[2]


async def test_without_consent_nothing_is_sent(messages_api: Any, rigs: Any, kit: Any) -> None:
    asked: list[str] = []

    def refuse(recipient: Any) -> str:
        asked.append(f"{recipient.provider} {recipient.model}")
        return "Not yet."

    rig = rigs(messages_api.url, consent=refuse)
    outcome = await rig.model.ask(kit.question())
    assert (outcome.kind, outcome.detail, outcome.cost_microusd) == (OutcomeKind.NOT_ALLOWED, "Not yet.", 0)
    assert await rig.model.count(kit.question()) > 300  # counted here, not there
    assert messages_api.log == []
    assert asked == ["anthropic claude-sonnet-5-5"] * 2


async def test_consent_is_asked_before_each_call(messages_api: Any, rigs: Any, kit: Any) -> None:
    allowed = [True]
    rig = rigs(messages_api.url, consent=lambda _: None if allowed else "Switched off.")
    assert (await rig.model.ask(kit.question("One?"))).answered
    allowed.clear()
    assert (await rig.model.ask(kit.question("Two?"))).kind is OutcomeKind.NOT_ALLOWED
    assert (await rig.model.ask(kit.question("One?"))).kind is OutcomeKind.NOT_ALLOWED
    assert len(messages_api.calls) == 1


async def test_without_a_key_the_advice_names_where_keys_come_from(rigs: Any, kit: Any) -> None:
    rig = rigs("https://api.anthropic.com", environment={"OPENAI_API_KEY": "other"})
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.NOT_ALLOWED
    assert "ANTHROPIC_API_KEY" in outcome.detail
    assert "keyring" in outcome.detail


async def test_the_same_question_is_paid_once(messages_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(messages_api.url)
    first = await rig.model.ask(kit.question())
    again = await rig.model.ask(kit.question(purpose="another name"))
    assert again.replayed
    assert not first.replayed
    assert (again.data, again.usage) == (first.data, first.usage)
    assert len(messages_api.calls) == 1
    assert rig.account.spent("r1").cost_microusd == first.cost_microusd
    others = [
        kit.question(epoch=1),
        kit.question("Another?"),
        kit.question(role=Role.APPENDIX),
        kit.question(max_output_tokens=999),
        kit.question(schema=None),
    ]
    for number, other in enumerate(others, start=2):
        assert not (await rig.model.ask(other)).replayed
        assert len(messages_api.calls) == number


async def test_the_same_question_at_the_same_time_is_paid_once(
    messages_api: Any, rigs: Any, kit: Any, fake: Any
) -> None:
    rig = rigs(messages_api.url)
    messages_api.script.append(fake.Behaviour(text=kit.GOOD, hang=0.2))
    outcomes = await asyncio.gather(*(rig.model.ask(kit.question()) for _ in range(5)))
    assert sorted(outcome.replayed for outcome in outcomes) == [False, True, True, True, True]
    assert len(messages_api.calls) == 1


async def test_who_waits_for_a_cancelled_question_asks_it(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url)
    messages_api.script.append(fake.Behaviour(hang=20))
    first = asyncio.ensure_future(rig.model.ask(kit.question()))
    second = asyncio.ensure_future(rig.model.ask(kit.question()))
    while not messages_api.calls:  # noqa: ASYNC110 - filled by a thread
        await asyncio.sleep(0.01)
    first.cancel()
    assert (await second).answered
    assert len(messages_api.calls) == 2


async def test_the_review_budget_stops_before_the_call(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    messages_api.answer = lambda _: fake.Behaviour(text=kit.GOOD, thinking=400)
    rig = rigs(messages_api.url, limits=Limits(review_microusd=60_000))
    kinds = [(await rig.model.ask(kit.question(str(number)))).kind for number in range(12)]
    assert kinds[0] is OutcomeKind.ANSWERED
    assert kinds[-1] is OutcomeKind.BUDGET
    # Each call may cost 5,000 output tokens, five cents: it is made as long as that much is left.
    spent = rig.account.spent("r1").cost_microusd
    assert spent is not None
    assert spent <= 60_000
    assert len(messages_api.calls) == kinds.count(OutcomeKind.ANSWERED)
    refused = await rig.model.ask(kit.question("12"))
    assert "this review" in refused.detail
    assert refused.usage == Usage()
    # What was paid for is still there, and another review has its own budget.
    assert (await rig.model.ask(kit.question("0"))).replayed
    other = rigs(messages_api.url, limits=Limits(review_microusd=60_000), review="r2")
    assert (await other.model.ask(kit.question("of another review"))).answered


async def test_the_day_budget_is_shared_by_reviews(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    limits = Limits(day_microusd=100_000)
    messages_api.script.append(fake.Behaviour(text=kit.GOOD, thinking=4900))
    assert (await rigs(messages_api.url, limits=limits).model.ask(kit.question("a"))).answered
    outcome = await rigs(messages_api.url, limits=limits, review="r2").model.ask(kit.question("b"))
    assert outcome.kind is OutcomeKind.BUDGET
    assert "today" in outcome.detail


async def test_calls_at_once_do_not_overdraw(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    # Nothing is answered before all eight have asked, so that two are in flight while the others come.
    messages_api.answer = lambda _: fake.Behaviour(text=kit.GOOD, hang=2.0)
    rig = rigs(messages_api.url, limits=Limits(review_microusd=120_000))
    outcomes = await asyncio.gather(*(rig.model.ask(kit.question(str(number))) for number in range(8)))
    # Bounds of five cents each are booked while calls are in flight; two fit at a time.
    kinds = Counter(outcome.kind for outcome in outcomes)
    assert kinds == {OutcomeKind.ANSWERED: 2, OutcomeKind.BUDGET: 6}


async def test_a_repair_is_a_call_of_its_own_for_the_budget(messages_api: Any, rigs: Any, kit: Any, fake: Any) -> None:
    rig = rigs(messages_api.url, limits=Limits(review_microusd=55_000))
    messages_api.script.append(fake.Behaviour(text="prose", thinking=4000))
    outcome = await rig.model.ask(kit.question())
    assert outcome.kind is OutcomeKind.BUDGET
    assert len(messages_api.calls) == 1
    assert outcome.usage.output_tokens > 4000  # the first answer was paid for


async def test_the_providers_count_decides_where_the_bound_is_too_wide(messages_api: Any, rigs: Any, kit: Any) -> None:
    digits = "1 2 3 4 5 6 7 8 9 0 " * 400  # 8,000 characters: 2,000 tokens there, more than twice as many by our bound
    request = kit.question(manuscript=digits, role=Role.APPENDIX)
    wide, narrow = 0.125 * 5_000 + 0.5 * 3_000, 0.125 * 2_300 + 0.5 * 3_000
    rig = rigs(messages_api.url, limits=Limits(review_microusd=int(wide + narrow) // 2))
    assert (await rig.model.ask(request)).answered
    assert [call.path for call in messages_api.log] == ["/v1/messages/count_tokens", "/v1/messages"]


async def test_an_unknown_price_is_bounded_in_tokens(messages_api: Any, rigs: Any, kit: Any) -> None:
    rig = rigs(
        messages_api.url,
        settings={"model": "a-model-of-tomorrow", "thinking_tokens": 0},
        limits=Limits(review_microusd=0, review_tokens=6_000),
    )
    outcomes = [await rig.model.ask(kit.question(str(number))) for number in range(12)]
    assert outcomes[0].answered
    assert outcomes[0].cost_microusd is None
    assert outcomes[-1].kind is OutcomeKind.BUDGET
    assert "price of a-model-of-tomorrow is unknown" in outcomes[-1].detail
    used = rig.account.spent("r1").usage
    assert used.all_input + used.output_tokens <= 6_000


async def test_the_account_holds_every_request_and_no_text(
    messages_api: Any, rigs: Any, kit: Any, fake: Any, tmp_path: Path
) -> None:
    rig = rigs(messages_api.url)
    messages_api.script += [
        fake.Behaviour(529, "overloaded_error"),
        fake.Behaviour(text="prose"),
        fake.Behaviour(text="prose again"),
    ]
    await rig.model.ask(kit.question("the author's own words", epoch=2))
    rig.account.close()
    with sqlite3.connect(tmp_path / "account.db") as database:
        rows = database.execute("SELECT kind, role, purpose, epoch, model, closed, cost_microusd FROM call").fetchall()
        everything = "\n".join(database.iterdump())
    database.close()
    assert [row[0] for row in rows] == ["overloaded", "answered", "answered"]
    assert {row[1:5] for row in rows} == {("verify", "test", 2, "claude-sonnet-5-5")}
    assert all(row[5] is not None for row in rows)
    assert [row[6] > 0 for row in rows] == [False, True, True]
    assert "author's own words" not in everything
    assert "prose" not in everything
    assert kit.KEY not in everything
    assert rig.sums[-1].requests == 3
    assert rig.sums[-1].cost_microusd == sum(row[6] for row in rows)


CHILD = """
import asyncio, sys, time, datetime
from pathlib import Path
sys.path.insert(0, {root!r})
from clients.models.account import Account, Limits, ReviewLedger
from clients.models.call_cache import CallCache
from clients.models.guarded import GuardedModel, wire_maker
from clients.models.prices import price_table
from clients.models.roles import read_roles
from analyzers.review.port import ModelRequest, Role, Segment, Speaker, Turn

folder, url = Path(sys.argv[1]), sys.argv[2]
roles, _ = read_roles({{"base_url": url}})
account = Account(folder / "account.db", price_table(), time.time, lambda: datetime.date(2026, 11, 29))
model = GuardedModel(roles, wire_maker({{"COUNTERCLAIM_MODEL_API_KEY": "k"}}), lambda _: None,
                     ReviewLedger(account, "r1", Limits()), CallCache(folder / "calls.db", time.time))

async def main():
    for number in range(4):
        turns = (Turn(Speaker.USER, (Segment(f"Question {{number}}"),)),)
        outcome = await model.ask(ModelRequest(Role.VERIFY, (Segment("You review."),), turns))
        print(number, outcome.kind, outcome.replayed, flush=True)
    await model.close()

asyncio.run(main())
"""


def test_a_killed_run_pays_again_only_for_what_was_in_flight(messages_api: Any, fake: Any, tmp_path: Path) -> None:
    messages_api.script += [fake.Behaviour(text="one"), fake.Behaviour(text="two"), fake.Behaviour(hang=60)]
    program = tmp_path / "child.py"
    program.write_text(textwrap.dedent(CHILD).format(root=str(ROOT)), encoding="utf-8")
    command = [sys.executable, str(program), str(tmp_path), messages_api.url]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(messages_api.calls) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    child.kill()
    child.wait()
    assert len(messages_api.calls) == 3
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["True", "True", "False", "False"]
    assert len(messages_api.calls) == 5
    with sqlite3.connect(tmp_path / "account.db") as database:
        rows = database.execute("SELECT kind, is_bound FROM call ORDER BY id").fetchall()
    database.close()
    # The one that was never settled counts with its bound.
    assert rows == [("answered", 0), ("answered", 0), (None, 1), ("answered", 0), ("answered", 0)]


def answer(text: str = "yes") -> Outcome:
    return Outcome(OutcomeKind.ANSWERED, text, usage=Usage(1, 2, 3, 4, calls=1), model="m", cost_microusd=5)


def test_only_good_answers_are_kept(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "calls.db", time.time)
    for kind in OutcomeKind:
        key = call_key("p", "a", {"kind": kind.value}, 0)
        cache.put(key, replace(answer(), kind=kind))
        assert (cache.get(key) is not None) == (kind is OutcomeKind.ANSWERED)
    cache.close()
    again = CallCache(tmp_path / "calls.db", time.time)
    assert again.get(call_key("p", "a", {"kind": "answered"}, 0)) == replace(answer(), replayed=True)
    assert again.forget() == 1
    again.close()


def test_the_key_knows_provider_address_body_and_epoch() -> None:
    base = ("p", "a", {"model": "m", "x": [1, 2]}, 0)
    assert call_key(*base) == call_key("p", "a", {"x": [1, 2], "model": "m"}, 0)
    others = [("q", "a", base[2], 0), ("p", "b", base[2], 0), ("p", "a", {"model": "n"}, 0), ("p", "a", base[2], 1)]
    assert len({call_key(*base), *(call_key(*other) for other in others)}) == 5


@pytest.mark.parametrize("damage", [b"", b"not a database, and long enough to be read as one" * 40, None])
def test_a_damaged_file_is_begun_anew_and_said_to_be(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "calls.db"
    cache = CallCache(path, time.time)
    keys = [call_key("p", "a", {"n": number}, 0) for number in range(200)]
    for key in keys:
        cache.put(key, answer("long " * 500 + key))
    cache.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\x5a" * (len(content) - 4096) if damage is None else damage)
    said: list[str] = []
    again = CallCache(path, time.time, said.append)
    assert [again.get(key) for key in keys].count(None) == len(keys)
    for key in keys[:3]:
        again.put(key, answer("new"))
    assert [outcome.text for key in keys[:3] if (outcome := again.get(key))] == ["new"] * 3
    again.close()
    if damage != b"":  # an empty file is a new one
        assert len(said) == 1
        assert "damaged" in said[0]


def test_a_folder_that_cannot_be_written_keeps_answers_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    said: list[str] = []
    cache = CallCache(tmp_path / "file" / "calls.db", time.time, said.append)
    key = call_key("p", "a", {}, 0)
    cache.put(key, answer())
    assert cache.get(key) is not None
    assert len(said) == 1
    assert "memory" in said[0]
    cache.close()


def test_processes_share_one_file(tmp_path: Path) -> None:
    program = tmp_path / "writer.py"
    code = f"""
    import sys, time
    from pathlib import Path
    sys.path.insert(0, {str(ROOT)!r})
    from analyzers.review.port import Outcome, OutcomeKind
    from clients.models.call_cache import CallCache, call_key
    cache = CallCache(Path(sys.argv[1]), time.time, print)
    for number in range(60):
        cache.put(call_key(sys.argv[2], "a", {{"n": number}}, 0), Outcome(OutcomeKind.ANSWERED, str(number)))
    cache.close()
    """
    program.write_text(textwrap.dedent(code), encoding="utf-8")
    path = tmp_path / "calls.db"
    children = [
        subprocess.Popen([sys.executable, str(program), str(path), name], stdout=subprocess.PIPE, text=True)
        for name in "abc"
    ]
    assert [child.communicate(timeout=60)[0] for child in children] == [""] * 3
    cache = CallCache(path, time.time)
    kept = [cache.get(call_key(name, "a", {"n": number}, 0)) for name in "abc" for number in range(60)]
    assert [outcome.text for outcome in kept if outcome] == [str(number) for _ in "abc" for number in range(60)]
    cache.close()


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_the_files_are_the_users_own(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "x.db", "CREATE TABLE IF NOT EXISTS t (a)", "tests")
    assert store.run(lambda connection: connection.execute("SELECT count(*) FROM t").fetchone()[0], None) == 0
    assert (tmp_path / "new" / "x.db").stat().st_mode & 0o077 == 0
    store.close()


def test_a_failing_transaction_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.db", "CREATE TABLE IF NOT EXISTS t (a)", "tests")

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO t VALUES (1)")
        raise KeyError

    with pytest.raises(KeyError):
        store.run(work, None)

    def count(connection: sqlite3.Connection) -> Any:
        return connection.execute("SELECT count(*) FROM t").fetchone()[0]

    assert store.run(count, None) == 0
    store.close()


async def test_a_replayed_answer_is_what_a_recording_holds_too(
    messages_api: Any, rigs: Any, kit: Any, tmp_path: Path
) -> None:
    from clients.models.replay import RecordingModel, ReplayModel

    rig = rigs(messages_api.url)
    request = kit.question()
    recorded = await RecordingModel(rig.model, tmp_path / "run.jsonl").ask(request)
    played = await ReplayModel.from_file(tmp_path / "run.jsonl").ask(request)
    assert played == replace(recorded, replayed=True)
    assert request_digest(request) in (tmp_path / "run.jsonl").read_text(encoding="utf-8")
