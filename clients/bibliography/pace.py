"""How often a bibliographic service may be asked, and how long it wants to be left alone."""

import asyncio
import email.utils
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """How one service wants to be asked.  Rates in requests per second, times in seconds, sizes in bytes."""

    rate: float = 1.0
    burst: int = 1
    concurrency: int = 1
    timeout: float = 20.0
    max_bytes: int = 4 * 1024 * 1024
    retry_after_cap: float = 30.0
    cool_down: float = 60.0
    cool_down_max: float = 600.0
    backoff: float = 1.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The only time and chance this layer knows; tests replace them."""

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


class Pace:
    """A token bucket kept as the time of the next free slot."""

    def __init__(self, rate: float, burst: int) -> None:
        self._interval = 1.0 / rate
        self._burst = max(1, burst)
        self._next = 0.0

    def reserve(self, now: float) -> float:
        """Takes the next slot; returns the seconds to wait for it."""
        start = max(now, self._next - (self._burst - 1) * self._interval)
        self._next = max(now, self._next) + self._interval
        return start - now

    def slow_down(self, rate: float) -> None:
        """Adopts a lower rate (requests per second) that the service announced; never a higher one."""
        if rate > 0:
            self._interval = max(self._interval, 1.0 / rate)

    def hold(self, until: float) -> None:
        """No slot before `until`."""
        self._next = max(self._next, until + (self._burst - 1) * self._interval)


def retry_after(value: str | None, wall: float) -> float | None:
    """Seconds from a Retry-After header (a number of seconds or an HTTP date); None when absent or unreadable."""
    if value is None:
        return None
    value = value.strip()
    if re.fullmatch(r"\d{1,9}", value):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - wall)
    except (ValueError, TypeError, OverflowError):
        return None
