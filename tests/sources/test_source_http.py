"""The HTTP layer: what counts as an answer, how often it asks, when it stops asking."""

import asyncio
import email.utils
import gzip
import logging
import socket
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.bibliography.http import Endpoint, Transport, allowed, user_agent
from clients.bibliography.pace import Pace, Policy, retry_after
from clients.bibliography.reply import Reason, Reply, UnavailableError

FAST = Policy(rate=1000, timeout=0.4)
GOOD = b'{"ok": true}'


def endpoint(service, transport, times, **policy):
    options = {"rate": 1000, "timeout": 0.4, **policy}
    return Endpoint("Source", service.url, transport, policy=Policy(**options), clock=times.clock)


async def reason_of(asked) -> Reason:
    with pytest.raises(UnavailableError) as caught:
        await asked
    return caught.value.reason


async def test_an_answer(service, transport, times, say):
    service.says(say(body=GOOD))
    reply = await endpoint(service, transport, times).get("/x", {"q": "a b&c"})
    assert reply.json() == {"ok": True}
    assert service.asked[0].query == {"q": "a b&c"}
    assert service.asked[0].headers["user-agent"] == "Counterclaim/0.0"
    assert "cookie" not in service.asked[0].headers


async def test_every_failure_of_the_other_side_is_unavailable(service, transport, times, say, challenge):
    cases = [
        (say(429), Reason.RATE_LIMITED),
        (say(500), Reason.SERVER_ERROR),
        (say(503), Reason.SERVER_ERROR),
        (say(403, b"<html>Attention Required</html>", "text/html"), Reason.REFUSED),
        (say(403, b'{"name": "ChallengeRequiredError"}'), Reason.REFUSED),
        (say(401), Reason.REFUSED),
        (challenge, Reason.CHALLENGE),
        (say(200, challenge.body, "application/json"), Reason.CHALLENGE),
        (say(202), Reason.CHALLENGE),
        (say(404, b"gone"), Reason.BAD_REQUEST),
        (say(400), Reason.BAD_REQUEST),
        (say(200, GOOD, promised=500), Reason.CONNECTION),
        (say(200, GOOD, pause=5), Reason.TIMEOUT),
        (say(200, GOOD * 20, pause=0.05, drip=True), Reason.TIMEOUT),
        (say(200, b" " * 100_000, endless=True), Reason.TOO_LARGE),
        (say(200, b"{" * 6_000_000), Reason.TOO_LARGE),
        (say(200, GOOD, headers=(("Content-Encoding", "br"),)), Reason.MALFORMED),
        (say(200, GOOD, headers=(("Content-Encoding", "gzip"),)), Reason.MALFORMED),
        (say(200, gzip.compress(b" " * 200_000_000), headers=(("Content-Encoding", "gzip"),)), Reason.TOO_LARGE),
        (say(200, gzip.compress(GOOD)[:-9], headers=(("Content-Encoding", "gzip"),)), Reason.MALFORMED),
    ]
    for answer, expected in cases:
        service.says(answer)
        assert await reason_of(endpoint(service, transport, times).get("/x")) is expected, answer.status


async def test_packed_answers_are_unpacked(service, transport, times, say):
    service.says(say(200, gzip.compress(GOOD), headers=(("Content-Encoding", "gzip"),)))
    assert (await endpoint(service, transport, times).get("/x")).json() == {"ok": True}


@pytest.mark.parametrize("body", [b'{"a": ', b"", b"[" * 100_000, b"\xff\xfe", b"9" * 5000])
def test_bodies_that_are_not_json(body):
    with pytest.raises(UnavailableError) as caught:
        Reply("Source", 200, body).json()
    assert caught.value.reason is Reason.MALFORMED


@pytest.mark.parametrize(
    "body", [b"", b"<feed>", b"Rate exceeded.", b'<!DOCTYPE f [<!ENTITY a "b">]><f>&a;</f>', b"<f>\x00</f>"]
)
def test_bodies_that_are_not_xml(body):
    with pytest.raises(UnavailableError) as caught:
        Reply("Source", 200, body).xml()
    assert caught.value.reason is Reason.MALFORMED


async def test_refused_connections_and_a_cut_network(transport, times):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cut = Endpoint("Source", f"http://127.0.0.1:{port}", transport, policy=FAST, clock=times.clock)
    started = time.perf_counter()
    reasons = [await reason_of(cut.get("/x")) for _ in range(20)]
    assert reasons == [Reason.CONNECTION] * 2 + [Reason.COOLING_DOWN] * 18
    assert time.perf_counter() - started < 1.0


async def test_a_short_retry_after_is_waited_for_once(service, transport, times, say):
    service.says(say(429, headers=(("Retry-After", "7"),)), say(body=GOOD))
    assert (await endpoint(service, transport, times).get("/x")).status == 200
    assert len(service.asked) == 2
    assert times.slept[0] == 7.0


async def test_retry_after_of_an_hour_is_not_sat_out(service, transport, times, say):
    service.says(say(429, headers=(("Retry-After", "3600"),)))
    source = endpoint(service, transport, times)
    with pytest.raises(UnavailableError) as caught:
        await source.get("/x")
    assert caught.value.retry_in == 3600
    assert not times.slept
    times.now += 3590
    assert await reason_of(source.get("/x")) is Reason.COOLING_DOWN
    assert len(service.asked) == 1
    times.now += 11
    service.says(say(body=GOOD))
    assert (await source.get("/x")).status == 200


async def test_retry_after_as_a_date(service, transport, times, say):
    date = email.utils.formatdate(time.time() + 1800, usegmt=True)
    service.says(say(503, headers=(("Retry-After", date),)))
    with pytest.raises(UnavailableError) as caught:
        await endpoint(service, transport, times).get("/x")
    assert 1790 < caught.value.retry_in <= 1800


async def test_a_storm_of_429_costs_few_requests_and_cools_down_longer_each_time(service, transport, times, say):
    service.says(say(429))
    source = endpoint(service, transport, times)
    for _ in range(50):
        await reason_of(source.get("/x"))
    assert len(service.asked) == 1
    pauses = []
    for _ in range(5):
        times.now += 10_000
        with pytest.raises(UnavailableError) as caught:
            await source.get("/x")
        pauses.append(caught.value.retry_in)
    assert pauses == [120, 240, 480, 600, 600]


async def test_5xx_is_tried_again_once_with_jitter(service, transport, times, say):
    service.says(say(502), say(body=GOOD))
    assert (await endpoint(service, transport, times).get("/x")).status == 200
    assert times.slept[0] == pytest.approx(1.5)


async def test_waiting_requests_learn_of_a_cool_down(service, transport, times, say):
    service.says(say(429))
    source = endpoint(service, transport, times)
    outcomes = await asyncio.gather(*(source.get("/x") for _ in range(30)), return_exceptions=True)
    assert all(isinstance(outcome, UnavailableError) for outcome in outcomes)
    assert len(service.asked) == 1


async def test_a_bad_request_does_not_silence_the_source(service, transport, times, say):
    service.says(say(400), say(400), say(400), say(body=GOOD))
    source = endpoint(service, transport, times)
    for _ in range(3):
        assert await reason_of(source.get("/x")) is Reason.BAD_REQUEST
    assert (await source.get("/x")).status == 200


async def test_concurrency_is_limited(service, transport, times, say):
    running = most = 0

    def script(_):
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(0.02)
        running -= 1
        return say(body=GOOD)

    service.script = script
    source = endpoint(service, transport, times, concurrency=2)
    await asyncio.gather(*(source.get("/x") for _ in range(10)))
    assert most <= 2


async def test_pace_and_the_limits_that_a_service_announces(service, transport, times, say):
    limits = (("x-rate-limit-limit", "1"), ("x-rate-limit-interval", "2s"))
    service.says(say(body=GOOD, headers=limits))
    source = endpoint(service, transport, times, rate=10)
    for _ in range(4):
        await source.get("/x")
    assert times.slept == pytest.approx([0.1, 2.0, 2.0])


@settings(max_examples=50, deadline=None)
@given(st.floats(0.1, 100), st.integers(1, 10), st.lists(st.floats(0, 5), min_size=1, max_size=40))
def test_no_window_holds_more_requests_than_the_pace_allows(rate, burst, gaps):
    pace, now, starts = Pace(rate, burst), 50.0, []
    for gap in gaps:
        now += gap
        wait = pace.reserve(now)
        assert wait >= 0
        starts.append(now + wait)
    for index, start in enumerate(starts):
        for later, other in enumerate(starts[index:], index):
            assert later - index <= burst + (other - start) * rate + 1e-6


async def test_redirects(service, transport, times, say):
    service.says(say(302, headers=(("Location", "/there"),)), say(body=GOOD))
    assert (await endpoint(service, transport, times).get("/here")).status == 200
    assert [asked.path for asked in service.asked] == ["/here", "/there"]
    for target in ("http://example.org/", "ftp://example.org/", "file:///etc/hostname", "//example.org:99999/", ""):
        service.says(say(302, headers=(("Location", target),)))
        assert await reason_of(endpoint(service, transport, times).get("/here")) is Reason.REDIRECT


async def test_keys_stay_with_their_host(service, transport, times, say):
    other = f"http://localhost:{service.server.server_address[1]}/there"
    service.says(say(307, headers=(("Location", other),)), say(body=GOOD))
    source = Endpoint("S", service.url, transport, policy=FAST, headers={"x-api-key": "secret"}, clock=times.clock)
    await source.get("/here")
    assert [asked.headers.get("x-api-key") for asked in service.asked] == ["secret", None]


def test_only_https_and_this_machine():
    assert allowed("https://api.crossref.org/works")
    assert allowed("http://127.0.0.1:80/")
    assert allowed("http://[::1]/")
    assert not any(map(allowed, ("http://api.crossref.org", "ftp://x.org", "https://", "http://127.0.0.1.evil.org")))
    with pytest.raises(ValueError, match="https"):
        Endpoint("S", "http://api.crossref.org", Transport("x"))


async def test_the_log_stays_silent_about_questions(service, transport, times, say, caplog):
    caplog.set_level(logging.DEBUG)
    service.says(say(body=GOOD))
    await endpoint(service, transport, times).get("/x", {"title": "unpublished thoughts", "api_key": "secret"})
    assert "unpublished" not in caplog.text
    assert "secret" not in caplog.text


async def test_cancelling_frees_the_slot(service, transport, times, say):
    service.says(say(body=GOOD, pause=0.3), say(body=GOOD))
    source = endpoint(service, transport, times, timeout=5)
    task = asyncio.create_task(source.get("/x"))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await source.get("/x")).status == 200


def test_the_user_agent_names_the_product_and_an_address_only_when_given():
    assert user_agent("1.2") == "Counterclaim/1.2"
    assert user_agent("1.2", "a@b.org") == "Counterclaim/1.2 (mailto:a@b.org)"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("-5", None),
        ("soon", None),
        ("9" * 5000, None),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 99 Foo 1970", None),
    ],
)
def test_retry_after_values(value, expected):
    assert retry_after(value, wall=1000.0) == expected
