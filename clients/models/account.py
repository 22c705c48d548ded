"""The account of calls, in one SQLite file: each request on the wire, what it used, what it cost, and what may still be
spent.

A request is booked with an upper bound before it is sent, and settled afterwards, whatever became of its answer.  One
that was never settled, because the process was killed, counts with its bound: the provider may have billed it.
Texts are not kept, neither of prompts nor of answers.
"""

import datetime
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from analyzers.review.port import Usage
from clients.models.asking import Planned
from clients.models.prices import PriceTable, money
from clients.models.store import Store
from clients.models.wire import Reply

_SCHEMA = """
CREATE TABLE IF NOT EXISTS call (
    id INTEGER PRIMARY KEY, opened REAL NOT NULL, closed REAL, day TEXT NOT NULL, review TEXT NOT NULL,
    provider TEXT NOT NULL, model TEXT NOT NULL, role TEXT NOT NULL, purpose TEXT NOT NULL, epoch INTEGER NOT NULL,
    kind TEXT, detail TEXT, request_id TEXT,
    input_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, long_cache_write_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, thinking_tokens INTEGER NOT NULL,
    web_searches INTEGER NOT NULL, calls INTEGER NOT NULL,
    is_bound INTEGER NOT NULL, charged_microusd INTEGER, cost_microusd INTEGER, prices_of TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS call_day ON call (day);
CREATE INDEX IF NOT EXISTS call_review ON call (review);
"""
_COUNTED = (
    "input_tokens",
    "cache_write_tokens",
    "long_cache_write_tokens",
    "cache_read_tokens",
    "output_tokens",
    "thinking_tokens",
    "web_searches",
    "calls",
)
# `charged` is the price of the tokens alone; a call without a known price is counted in tokens instead.
_SPENT = """
SELECT coalesce(sum(charged_microusd), 0),
    coalesce(sum(CASE WHEN charged_microusd IS NULL
        THEN input_tokens + cache_write_tokens + cache_read_tokens + output_tokens ELSE 0 END), 0)
FROM call WHERE {column} = ?
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be spent, None without a limit: micro-dollars, and tokens for models whose price is unknown."""

    review_microusd: int | None = 2_000_000
    day_microusd: int | None = 10_000_000
    review_tokens: int | None = 2_000_000
    day_tokens: int | None = 10_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls used.  `cost_microusd` is None when a price is unknown, `is_bound` says that a part is a bound."""

    usage: Usage = field(default_factory=Usage)
    cost_microusd: int | None = 0
    is_bound: bool = False
    requests: int = 0


class Account:
    """The file.  `now` gives seconds since the epoch, `today` the day that the day's budget is for."""

    def __init__(
        self,
        path: Path,
        prices: PriceTable,
        now: Callable[[], float],
        today: Callable[[], datetime.date],
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.prices = prices
        self.now = now
        self.today = today
        self._store = Store(path, _SCHEMA, "the account of calls", report)

    def book(self, review: str, planned: Planned, limits: Limits) -> int | str:
        """Books a request with its bound and gives its number; or says why it does not fit the budget."""
        day = self.today()
        bound = planned.bound
        charge = self.prices.cost(planned.model, bound, day, planned.provider)
        charge = charge if charge is not None else self.prices.tokens_cost(planned.model, bound, day, planned.provider)
        request = planned.request
        values: dict[str, object] = {
            "opened": self.now(),
            "day": day.isoformat(),
            "review": review,
            "provider": planned.provider,
            "model": planned.model,
            "role": request.role.value,
            "purpose": request.purpose,
            "epoch": request.epoch,
            "is_bound": 1,
            "charged_microusd": charge,
            "prices_of": self.prices.as_of.isoformat(),
            **{name: getattr(bound, name) for name in _COUNTED},
        }
        statement = f"INSERT INTO call ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608

        def work(connection: sqlite3.Connection) -> int | str:
            for column, value, money_limit, token_limit in (
                ("review", review, limits.review_microusd, limits.review_tokens),
                ("day", day.isoformat(), limits.day_microusd, limits.day_tokens),
            ):
                spent, tokens = connection.execute(_SPENT.format(column=column), (value,)).fetchone()
                reason = _excess(column, planned.model, bound, charge, spent, tokens, money_limit, token_limit)
                if reason is not None:
                    return reason
            return connection.execute(statement, tuple(values.values())).lastrowid or 0

        unwritten: int | str = "The account of calls cannot be written now, so the call was not made."
        return self._store.run(work, unwritten)

    def settle(self, number: int, planned: Planned, reply: Reply) -> tuple[Usage, bool, int | None]:
        """Books what became of a request: its usage, whether that is a bound, and its cost where the price is known."""
        usage = planned.bound if reply.usage is None else reply.usage
        is_bound = reply.usage is None or reply.usage_is_bound
        day = self.today()
        charge = self.prices.tokens_cost(planned.model, usage, day, planned.provider)
        cost = self.prices.cost(planned.model, usage, day, planned.provider)
        if cost is None and charge is None and not usage.all_input and not usage.output_tokens:
            charge = cost = 0  # nothing was used, whatever the price
        values: dict[str, object] = {
            "closed": self.now(),
            "kind": "paused" if reply.paused else reply.kind.value,
            "detail": reply.detail,
            "request_id": reply.request_id,
            "is_bound": int(is_bound),
            "charged_microusd": charge if cost is None else cost,
            "cost_microusd": cost,
            **{name: getattr(usage, name) for name in _COUNTED},
        }
        statement = f"UPDATE call SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?"  # noqa: S608

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, (*values.values(), number))

        self._store.run(work, None)
        return usage, is_bound, cost

    def spent(self, review: str | None = None, day: datetime.date | None = None) -> Spent:
        """What was used in a review, on a day, or at all; what is in flight counts with its bound."""
        wheres = [("review", review)] if review is not None else []
        wheres += [("day", day.isoformat())] if day is not None else []
        condition = " AND ".join(f"{column} = ?" for column, _ in wheres) or "1"
        sums = ", ".join(f"coalesce(sum({name}), 0)" for name in _COUNTED)
        known = "sum(closed IS NOT NULL AND cost_microusd IS NULL OR closed IS NULL AND charged_microusd IS NULL)"
        cost = "coalesce(sum(coalesce(cost_microusd, charged_microusd)), 0)"
        statement = f"SELECT count(*), {known}, {cost}, max(is_bound), {sums} FROM call WHERE {condition}"  # noqa: S608

        def work(connection: sqlite3.Connection) -> tuple[int, ...]:
            row = connection.execute(statement, tuple(value for _, value in wheres)).fetchone()
            return tuple(int(item or 0) for item in row)

        count, unknown, total, bound, *counts = self._store.run(work, (0,) * (4 + len(_COUNTED)), writing=False)
        usage = Usage(**dict(zip(_COUNTED, counts, strict=True)))
        return Spent(usage, None if unknown else total, bool(bound), count)

    def close(self) -> None:
        """Closes the file."""
        self._store.close()


class ReviewLedger:
    """The `Ledger` of one review.  `listen` hears of every settled request, with the review's sums so far."""

    def __init__(
        self,
        account: Account,
        review: str,
        limits: Limits = Limits(),
        listen: Callable[[Spent], None] = lambda _: None,
    ) -> None:
        self._account = account
        self._review = review
        self._limits = limits
        self._listen = listen
        self.spent = Spent()
        """What this process has spent; `Account.spent` also knows what earlier ones did."""

    async def open(self, planned: Planned, count: Callable[[], Awaitable[int | None]]) -> int | str:
        """Books with the bound that needs no one; where that is too much, with the provider's own count."""
        number = self._account.book(self._review, planned, self._limits)
        if isinstance(number, int):
            return number
        counted = await count()
        if counted is None or counted >= planned.input_bound:
            return number
        return self._account.book(self._review, replace(planned, input_bound=counted), self._limits)

    def close(self, number: int, planned: Planned, reply: Reply) -> tuple[Usage, bool, int | None]:
        """Settles a request."""
        usage, is_bound, cost = self._account.settle(number, planned, reply)
        before = self.spent
        self.spent = Spent(
            before.usage + usage,
            None if before.cost_microusd is None or cost is None else before.cost_microusd + cost,
            before.is_bound or is_bound,
            before.requests + 1,
        )
        self._listen(self.spent)
        return usage, is_bound, cost


def _excess(
    column: str,
    model: str,
    bound: Usage,
    charge: int | None,
    spent: int,
    tokens: int,
    money_limit: int | None,
    token_limit: int | None,
) -> str | None:
    """Why a request goes beyond a limit, None when it does not."""
    whose = "this review" if column == "review" else "today"
    if charge is None:
        more = bound.all_input + bound.output_tokens
        if token_limit is None or tokens + more <= token_limit:
            return None
        left = max(0, token_limit - tokens)
        return (
            f"The price of {model} is unknown, so tokens are counted. This call may use {more:,}; "
            f"of the {token_limit:,} for {whose}, {left:,} are left. Raise the limit to go on."
        )
    if money_limit is None or spent + charge <= money_limit:
        return None
    left = max(0, money_limit - spent)
    return (
        f"This call may cost up to {money(charge)}; of the {money(money_limit)} for {whose}, {money(left)} is left. "
        "Raise the budget to go on."
    )
