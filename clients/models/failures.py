"""Refusals of a provider by status, type and code, as replies.

Types go before statuses, because an error inside a stream has status 200.  The wording of a message decides only where
old servers give nothing else, and is never passed on: it may quote the manuscript.
"""

import contextlib
import email.utils
from collections.abc import Mapping

from analyzers.review.port import OutcomeKind, Usage
from clients.models.wire import Reply

_SPENT = frozenset(
    {
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
        "billing_error",
    }
)
_LARGE = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length"}
)
_BY_TYPE = {
    "overloaded_error": (OutcomeKind.OVERLOADED, True),
    "rate_limit_error": (OutcomeKind.OVERLOADED, True),
    "rate_limit_exceeded": (OutcomeKind.OVERLOADED, True),
    "authentication_error": (OutcomeKind.KEY_REFUSED, False),
    "permission_error": (OutcomeKind.KEY_REFUSED, False),
    "invalid_api_key": (OutcomeKind.KEY_REFUSED, False),
    "not_found_error": (OutcomeKind.UNKNOWN_MODEL, False),
    "model_not_found": (OutcomeKind.UNKNOWN_MODEL, False),
    "timeout_error": (OutcomeKind.UNAVAILABLE, True),
    "api_error": (OutcomeKind.UNAVAILABLE, True),
}
_BY_STATUS = {
    401: (OutcomeKind.KEY_REFUSED, False),
    402: (OutcomeKind.SPEND_LIMIT, False),
    403: (OutcomeKind.KEY_REFUSED, False),
    404: (OutcomeKind.UNKNOWN_MODEL, False),
    408: (OutcomeKind.UNAVAILABLE, True),
    409: (OutcomeKind.UNAVAILABLE, True),
    413: (OutcomeKind.TOO_LARGE, False),
    429: (OutcomeKind.OVERLOADED, True),
    529: (OutcomeKind.OVERLOADED, True),
}
_SENTENCES = {
    OutcomeKind.OVERLOADED: "{who} is busy or limits our rate.",
    OutcomeKind.SPEND_LIMIT: "The account at {who} has no money left, or has reached its spend limit.",
    OutcomeKind.KEY_REFUSED: "{who} does not accept the key for this.",
    OutcomeKind.UNKNOWN_MODEL: "{who} knows no such model or address.",
    OutcomeKind.TOO_LARGE: "The request is too large for the model.",
    OutcomeKind.REJECTED: "{who} does not take the request in this form.",
    OutcomeKind.UNAVAILABLE: "{who} has a fault.",
}
_MAX_WORD = 60


def failure(
    who: str,
    status: int,
    error_type: str | None = None,
    code: str | None = None,
    message: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """The reply for an answer that is an error.  Such answers are not billed.

    `who` is the provider for people.
    """
    heads = headers or {}
    kind, retryable = _kind(status, error_type, code, message)
    if heads.get("x-should-retry") == "false" or kind is OutcomeKind.SPEND_LIMIT:
        retryable = False
    word = _word(code) or _word(error_type)
    named = f" ({status}{', ' + word if word else ''})"
    return Reply(
        kind,
        usage=Usage(calls=1),
        retryable=retryable,
        retry_after=retry_after(heads),
        detail=_SENTENCES[kind].format(who=who) + named,
        request_id=heads.get("request-id") or heads.get("x-request-id") or "",
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that `retry-after-ms` or `retry-after` name, None without a usable one.

    A date is read against the server's own `date`, so that no clock of ours has to be right.
    """
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        with contextlib.suppress(ValueError):
            seconds = float(value) * factor
            # The comparison also drops "nan".
            if 0 <= seconds < float("inf"):
                return seconds
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            until, now = (email.utils.parsedate_to_datetime(text) for text in (value, headers.get("date", "")))
            return max(0.0, (until - now).total_seconds())
    return None


def _kind(status: int, error_type: str | None, code: str | None, message: str | None) -> tuple[OutcomeKind, bool]:
    words = {error_type, code}
    if 300 <= status < 400:
        # Never followed: it would carry the manuscript to a place that nobody agreed to.
        return OutcomeKind.UNAVAILABLE, False
    if words & _SPENT:
        return OutcomeKind.SPEND_LIMIT, False
    if words & _LARGE:
        return OutcomeKind.TOO_LARGE, False
    for word in (code, error_type):
        if word in _BY_TYPE:
            return _BY_TYPE[word]
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return OutcomeKind.UNAVAILABLE, True
    said = (message or "").lower()
    if "credit balance" in said:
        return OutcomeKind.SPEND_LIMIT, False
    if "too long" in said or "context length" in said or "context size" in said:
        return OutcomeKind.TOO_LARGE, False
    return (OutcomeKind.REJECTED, False) if 400 <= status < 500 else (OutcomeKind.UNAVAILABLE, False)


def _word(value: str | None) -> str:
    """A type or code when it looks like one; anything else might be a sentence with the author's words in it."""
    if value and len(value) <= _MAX_WORD and value.replace("_", "").replace("-", "").isalnum() and value.isascii():
        return value
    return ""
