"""Refusals by status, type and code: always typed, never with the provider's words in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.review.port import OutcomeKind
from clients.models.asking import Patience
from clients.models.failures import failure, retry_after

DATE = "Sun, 29 Nov 2026 12:00:00 GMT"

WAITS = [
    ({}, None),
    ({"retry-after": "12"}, 12.0),
    ({"retry-after": "0"}, 0.0),
    ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
    ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
    ({"retry-after": "-5"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "inf"}, None),
    ({"retry-after": "Sun, 29 Nov 2026 12:01:30 GMT", "date": DATE}, 90.0),
    ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT", "date": DATE}, 0.0),
    ({"retry-after": "Sun, 29 Nov 2026 12:01:30 GMT"}, None),
    ({"retry-after": "later"}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), WAITS)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


WORDS = [
    (400, "invalid_request_error", None, "prompt is too long: 9 > 8", OutcomeKind.TOO_LARGE),
    (400, "invalid_request_error", None, "Your credit balance is too low", OutcomeKind.SPEND_LIMIT),
    (400, "invalid_request_error", None, "temperature: not supported", OutcomeKind.REJECTED),
    (400, None, None, None, OutcomeKind.REJECTED),
    (200, "overloaded_error", None, None, OutcomeKind.OVERLOADED),
    (200, "something_new", None, None, OutcomeKind.UNAVAILABLE),
    (418, None, None, None, OutcomeKind.REJECTED),
    (599, None, None, None, OutcomeKind.UNAVAILABLE),
    (429, "rate_limit_error", "ramp_limit_exceeded", None, OutcomeKind.OVERLOADED),
    (302, "api_error", None, None, OutcomeKind.UNAVAILABLE),
]


@pytest.mark.parametrize(("status", "error_type", "code", "message", "kind"), WORDS)
def test_what_decides(
    status: int, error_type: str | None, code: str | None, message: str | None, kind: OutcomeKind
) -> None:
    reply = failure("Someone", status, error_type, code, message)
    assert reply.kind is kind
    assert reply.detail.endswith(")")


@settings(max_examples=150, deadline=None)
@given(
    st.integers(100, 599),
    st.none() | st.text(max_size=80),
    st.none() | st.text(max_size=80),
    st.none() | st.text(min_size=1),
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "x-should-retry", "date"]), st.text(max_size=20)),
)
def test_any_refusal_is_typed_and_silent(
    status: int, error_type: str | None, code: str | None, message: str | None, headers: dict[str, str]
) -> None:
    reply = failure("Someone", status, error_type, code, f"canary {message}", headers)
    assert reply.kind is not OutcomeKind.ANSWERED
    assert "canary" not in reply.detail
    assert reply.detail.isascii()
    assert len(reply.detail) < 200


def test_patience() -> None:
    patience = Patience(attempts=3, longest_wait=10, first_wait=1)
    assert patience.wait(0, 3600) is None
    assert patience.wait(0, 10) == 10
    assert patience.wait(2, 0) is None
    first, second = patience.wait(0, None), patience.wait(1, None)
    assert first is not None
    assert second is not None
    assert 0.75 <= first <= 1.25
    assert 1.5 <= second <= 2.5
    assert (Patience(attempts=99, longest_wait=10).wait(40, None) or 0) <= 10
