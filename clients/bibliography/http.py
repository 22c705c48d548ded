"""One polite, bounded HTTP exchange with a bibliographic service.

Everything that is not a well-formed answer of the service itself (rate limits, server errors, time-outs, refused
connections, challenge pages, cut or oversized bodies) is `UnavailableError`: it says nothing about the work that was
asked for, and nobody may cache it.
"""

import asyncio
import ipaddress
import json
import logging
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from clients.bibliography.pace import Clock, Pace, Policy, retry_after
from clients.bibliography.reply import Expect, Reason, Reply, UnavailableError

PRODUCT = "Counterclaim"
MAX_REDIRECTS = 4
# A header may keep us away for a day at most; a broken clock on the other side must not do so for ever.
MAX_COOL_DOWN = 86_400.0
CHALLENGE_COOL_DOWN = 600.0
FAILURES_BEFORE_COOL_DOWN = 2
# A service that understands none of our requests is not the service that we know.
MISUNDERSTANDINGS_BEFORE_COOL_DOWN = 8


# These say that the service is in trouble; a request of ours that it did not understand says nothing of the kind.
_TROUBLE = frozenset(
    {
        Reason.SERVER_ERROR,
        Reason.TIMEOUT,
        Reason.CONNECTION,
        Reason.MALFORMED,
        Reason.TOO_LARGE,
        Reason.REDIRECT,
    }
)


def user_agent(version: str, address: str | None = None) -> str:
    """The product's name, and the e-mail address only when the user configured one (the polite pools ask for it)."""
    product = f"{PRODUCT}/{version}"
    return f"{product} (mailto:{address})" if address else product


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def allowed(url: str) -> bool:
    """HTTPS anywhere; plain HTTP only to this machine (the tests' servers)."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(url)))


class Transport:
    """The connections, shared by all sources of one run; close it when the run is over."""

    def __init__(self, agent: str) -> None:
        # The client's own log lines hold whole addresses: titles of an unpublished bibliography, and keys.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._headers = {"User-Agent": agent, "Accept-Encoding": "gzip"}
        self._clients: dict[bool, httpx.AsyncClient] = {}
        self.closed = False

    def client(self, url: str) -> httpx.AsyncClient:
        """The client for `url`; proxies of the environment are for remote services only."""
        local = is_loopback(url)
        if local not in self._clients:
            self._clients[local] = httpx.AsyncClient(headers=self._headers, follow_redirects=False, trust_env=not local)
        return self._clients[local]

    async def aclose(self) -> None:
        """Drops all connections; questions asked afterwards are "no connection"."""
        self.closed = True
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()


@dataclass(slots=True)
class _FailedAttemptError(Exception):
    """One failed attempt.  `wait` is set when the service named a time, `again` when a second attempt makes sense."""

    reason: Reason
    again: bool = False
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: str
    params: Mapping[str, str] | None
    headers: Mapping[str, str]
    content: bytes | None
    expect: Expect
    answers: frozenset[int]


@dataclass(slots=True)
class _State:
    """What one service has taught us in this run."""

    failures: int = 0
    misunderstandings: int = 0
    rounds: int = 0
    closed_until: float = field(default=float("-inf"))


class Endpoint:
    """One service: its address, its pace, its cool-down.

    `headers` (keys) go to the host of `base_url` only, never along a redirect to another one.
    """

    def __init__(
        self,
        source: str,
        base_url: str,
        transport: Transport,
        *,
        policy: Policy | None = None,
        headers: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> None:
        if not allowed(base_url):
            raise ValueError(f"{source} needs an https address")
        self.source = source
        self.base_url = base_url.rstrip("/")
        self.policy = policy or Policy()
        self._transport = transport
        self._headers = dict(headers or {})
        self._clock = clock or Clock()
        self._pace = Pace(self.policy.rate, self.policy.burst)
        self._slots = asyncio.Semaphore(self.policy.concurrency)
        self._state = _State()

    async def get(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        expect: Expect = "json",
        answers: frozenset[int] = frozenset(),
        accept: str | None = None,
    ) -> Reply:
        """GET `base_url + path` (already percent-encoded).

        `answers` are the statuses besides 200 that this service uses to answer.  Raises `UnavailableError`.
        """
        headers = {"Accept": accept or _ACCEPT[expect]}
        return await self._send(_Request("GET", self.base_url + path, params, headers, None, expect, answers))

    async def post_json(
        self, path: str, params: Mapping[str, str] | None, value: object, answers: frozenset[int] = frozenset()
    ) -> Reply:
        """POST a JSON value; otherwise as `get`."""
        content = json.dumps(value).encode()
        headers = {"Accept": _ACCEPT["json"], "Content-Type": "application/json"}
        return await self._send(_Request("POST", self.base_url + path, params, headers, content, "json", answers))

    async def post_form(self, path: str, form: Mapping[str, str], accept: str) -> Reply:
        """POST a form; otherwise as `get`."""
        headers = {"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"}
        content = str(httpx.QueryParams(dict(form))).encode()
        return await self._send(_Request("POST", self.base_url + path, None, headers, content, "json", frozenset()))

    def close_for(self, seconds: float) -> None:
        """Asks nothing more of this service for `seconds`."""
        until = self._clock.monotonic() + min(seconds, MAX_COOL_DOWN)
        self._state.closed_until = max(self._state.closed_until, until)

    def malformed(self) -> UnavailableError:
        """The failure to raise when a well-formed body has not the service's shape."""
        return UnavailableError(self.source, Reason.MALFORMED)

    async def _send(self, request: _Request) -> Reply:
        async with self._slots:
            for last in (False, True):
                await self._turn()
                try:
                    reply = await self._attempt(request)
                except _FailedAttemptError as failure:
                    if last or not failure.again:
                        raise self._give_up(failure) from None
                    await self._back_off(failure)
                    continue
                self._state.failures = self._state.rounds = self._state.misunderstandings = 0
                return reply
        raise AssertionError("the loop returns or raises")

    async def _turn(self) -> None:
        """Waits for a slot; refuses at once while the service cools down, also when that began during the wait."""
        self._refuse_while_closed()
        wait = self._pace.reserve(self._clock.monotonic())
        if wait > 0:
            await self._clock.sleep(wait)
            self._refuse_while_closed()

    def _refuse_while_closed(self) -> None:
        left = self._state.closed_until - self._clock.monotonic()
        if left > 0:
            raise UnavailableError(self.source, Reason.COOLING_DOWN, left)

    async def _back_off(self, failure: _FailedAttemptError) -> None:
        wait = failure.wait
        if wait is None:
            wait = self.policy.backoff * (1.0 + self._clock.chance())
        # Requests behind this one must not run into the same limit meanwhile.
        self._pace.hold(self._clock.monotonic() + wait)
        await self._clock.sleep(wait)

    def _give_up(self, failure: _FailedAttemptError) -> UnavailableError:
        state = self._state
        pause: float | None = None
        if failure.reason in (Reason.CHALLENGE, Reason.REFUSED):
            pause = CHALLENGE_COOL_DOWN
        elif failure.reason is Reason.RATE_LIMITED or failure.wait is not None:
            pause = max(failure.wait or 0.0, self._next_pause())
        elif failure.reason in _TROUBLE:
            state.failures += 1
            if state.failures >= FAILURES_BEFORE_COOL_DOWN:
                pause = self._next_pause()
        else:
            state.misunderstandings += 1
            if state.misunderstandings >= MISUNDERSTANDINGS_BEFORE_COOL_DOWN:
                state.misunderstandings = 0
                pause = self._next_pause()
        if pause is not None:
            state.failures = 0
            self.close_for(pause)
        return UnavailableError(self.source, failure.reason, pause)

    def _next_pause(self) -> float:
        """The cool-down, doubled each time the service was still in trouble after the last one."""
        self._state.rounds += 1
        return min(self.policy.cool_down * 2.0 ** min(self._state.rounds - 1, 20), self.policy.cool_down_max)

    async def _attempt(self, request: _Request) -> Reply:
        try:
            async with asyncio.timeout(self.policy.timeout):
                return await self._follow(request)
        except (TimeoutError, httpx.TimeoutException):
            raise _FailedAttemptError(Reason.TIMEOUT, again=True) from None
        except httpx.ConnectError:
            # A second attempt against a cut network only doubles the time until the user hears of it.
            raise _FailedAttemptError(Reason.CONNECTION) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise _FailedAttemptError(Reason.REDIRECT) from None
        except httpx.HTTPError:
            raise _FailedAttemptError(Reason.CONNECTION, again=True) from None

    async def _follow(self, request: _Request) -> Reply:
        url, params = request.url, request.params
        home = urlsplit(request.url)
        for _ in range(MAX_REDIRECTS + 1):
            if self._transport.closed:
                raise _FailedAttemptError(Reason.CONNECTION)
            keys = self._headers if urlsplit(url)[:2] == home[:2] else {}
            sent = self._transport.client(url).stream(
                request.method,
                url,
                params=dict(params) if params else None,
                headers={**request.headers, **keys},
                content=request.content,
                timeout=self.policy.timeout,
            )
            async with sent as response:
                self._heed(response.headers)
                if response.status_code not in (301, 302, 303, 307, 308):
                    return await self._read(request, response)
                target = str(response.url.join(response.headers.get("location", "")))
            if request.method != "GET" or not allowed(target) or (is_loopback(target) and not is_loopback(request.url)):
                raise _FailedAttemptError(Reason.REDIRECT)
            url, params = target, None
        raise _FailedAttemptError(Reason.REDIRECT)

    def _heed(self, headers: httpx.Headers) -> None:
        """Crossref announces its present limits with every answer: `x-rate-limit-limit` per `x-rate-limit-interval`."""
        limit = re.fullmatch(r"\d{1,6}", headers.get("x-rate-limit-limit", "").strip())
        interval = re.fullmatch(r"(\d{1,5})s", headers.get("x-rate-limit-interval", "").strip())
        if limit and interval and int(limit[0]) and int(interval[1]):
            self._pace.slow_down(int(limit[0]) / int(interval[1]))

    async def _read(self, request: _Request, response: httpx.Response) -> Reply:
        status = response.status_code
        if status != 200 and status not in request.answers:
            raise self._refusal(status, response.headers)
        body = await self._body(response)
        if request.expect != "text" and _is_html(response.headers.get("content-type", ""), body):
            raise _FailedAttemptError(Reason.CHALLENGE)
        reply = Reply(self.source, status, body)
        if status == 200 and not reply.parses(request.expect):
            raise _FailedAttemptError(Reason.MALFORMED)
        return reply

    def _refusal(self, status: int, headers: httpx.Headers) -> _FailedAttemptError:
        wait = retry_after(headers.get("retry-after"), self._clock.wall())
        if status == 429 and wait is None:
            # OpenAlex names the seconds until its daily budget is full again.
            reset = retry_after(headers.get("x-ratelimit-reset"), self._clock.wall())
            wait = reset if reset is not None and reset <= MAX_COOL_DOWN else None
        short = wait is not None and wait <= self.policy.retry_after_cap
        if status == 429:
            return _FailedAttemptError(Reason.RATE_LIMITED, again=short, wait=wait)
        if status >= 500:
            return _FailedAttemptError(Reason.SERVER_ERROR, again=short or wait is None, wait=wait)
        if status in (401, 403, 407, 418, 451):
            return _FailedAttemptError(Reason.REFUSED)
        if status < 300:
            return _FailedAttemptError(Reason.CHALLENGE)
        return _FailedAttemptError(Reason.BAD_REQUEST)

    async def _body(self, response: httpx.Response) -> bytes:
        """The decoded body, never more than the limit of it in memory, however well it was packed."""
        coding = response.headers.get("content-encoding", "").strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise _FailedAttemptError(Reason.MALFORMED)
        unpack = zlib.decompressobj(wbits=47) if coding not in ("", "identity") else None
        limit = self.policy.max_bytes
        body = bytearray()
        async for chunk in response.aiter_raw():
            try:
                body += unpack.decompress(chunk, limit + 1 - len(body)) if unpack else chunk
            except zlib.error:
                raise _FailedAttemptError(Reason.MALFORMED) from None
            if len(body) > limit:
                raise _FailedAttemptError(Reason.TOO_LARGE)
        if unpack is not None and not unpack.eof:
            raise _FailedAttemptError(Reason.MALFORMED)
        return bytes(body)


_ACCEPT: Mapping[Expect, str] = {
    "json": "application/json",
    "xml": "application/atom+xml, application/xml",
    "text": "text/plain, */*;q=0.5",
}


def _is_html(content_type: str, body: bytes) -> bool:
    if "html" in content_type.lower():
        return True
    start = body[:256].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html"))
