"""What calls cost, in whole micro-dollars, from a dated price file.  An unknown model costs None, never 0.

Everything is rounded up, so that a sum of bounds stays a bound.
"""

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from analyzers.review.port import Usage

_MILLION = 1_000_000
_DATED = re.compile(r"-20\d{6}$")


@dataclass(frozen=True, slots=True)
class Tier:
    """Prices in micro-dollars per million tokens, for requests of up to `max_input_tokens` (None: of any length)."""

    input: int
    output: int
    write_5m: int
    write_1h: int
    read: int
    max_input_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of one model from a day on (None: as far back as is known)."""

    model: str
    tiers: tuple[Tier, ...]
    effective_from: datetime.date | None = None
    source: str = ""
    provider: str | None = None  # None: whoever serves the model

    def tier(self, input_tokens: int) -> Tier:
        """The tier of a request: the whole request is billed by it."""
        for tier in self.tiers:
            if tier.max_input_tokens is None or input_tokens <= tier.max_input_tokens:
                return tier
        return self.tiers[-1]


def flat(model: str, input_price: int, output_price: int) -> Price:
    """A price without tiers and without a cache, such as a user may give for a server of their own (0 is free)."""
    return Price(model, (Tier(input_price, output_price, input_price, input_price, input_price),), source="settings")


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The price file, and what the user's settings say over it."""

    as_of: datetime.date
    prices: tuple[Price, ...]
    batch_percent: int = 100
    microusd_per_web_search: int | None = None

    def price(self, model: str, on: datetime.date, provider: str | None = None) -> Price | None:
        """The price of a model on a day, None when it is not known.  A date at the end of a model's id makes no
        difference.

        The prices of a provider say nothing about what others take for the same model; `provider` None asks for any.
        """
        known: Price | None = None
        for name in (model, _DATED.sub("", model)):
            for price in self.prices:
                started = price.effective_from is None or price.effective_from <= on
                its = provider is None or price.provider in (None, provider)
                if price.model == name and its and started and (known is None or _later(price, known)):
                    known = price
            if known is not None:
                return known
        return None

    def tokens_cost(
        self, model: str, usage: Usage, on: datetime.date, provider: str | None = None, batch: bool = False
    ) -> int | None:
        """What the tokens of one call cost, in micro-dollars; searches are left out.  None for an unknown model."""
        price = self.price(model, on, provider)
        if price is None:
            return None
        tier = price.tier(usage.all_input)
        long = min(usage.long_cache_write_tokens, usage.cache_write_tokens)
        total = (
            usage.input_tokens * tier.input
            + (usage.cache_write_tokens - long) * tier.write_5m
            + long * tier.write_1h
            + usage.cache_read_tokens * tier.read
            + usage.output_tokens * tier.output
        )
        percent = self.batch_percent if batch else 100
        return -(-total * percent // (100 * _MILLION))

    def cost(
        self, model: str, usage: Usage, on: datetime.date, provider: str | None = None, batch: bool = False
    ) -> int | None:
        """What one call costs, in micro-dollars; None when the model or the price of its searches is unknown."""
        tokens = self.tokens_cost(model, usage, on, provider, batch)
        if tokens is None or not usage.web_searches:
            return tokens
        if self.microusd_per_web_search is None:
            return None
        return tokens + usage.web_searches * self.microusd_per_web_search

    def with_prices(self, prices: Iterable[Price]) -> "PriceTable":
        """The table with prices that go over those of the file."""
        given = tuple(prices)
        names = {price.model for price in given}
        rest = tuple(price for price in self.prices if price.model not in names)
        return PriceTable(self.as_of, (*given, *rest), self.batch_percent, self.microusd_per_web_search)


@cache
def price_table() -> PriceTable:
    """The table of the price file that comes with the program."""
    return read_table(json.loads(files(__package__).joinpath("prices.json").read_text(encoding="utf-8")))


def read_table(data: Mapping[str, Any]) -> PriceTable:
    """A table from the content of a price file.  Raises KeyError, TypeError or ValueError for what is none."""
    if data["version"] != 1:
        raise ValueError("unknown version of a price file")
    return PriceTable(
        datetime.date.fromisoformat(data["as_of"]),
        tuple(_price(item) for item in data["models"]),
        int(data["batch_percent"]),
        data["microusd_per_web_search"],
    )


def money(microusd: int | None) -> str:
    """An amount for people: `$0.0042`, `$1.37`, or `unknown`."""
    if microusd is None:
        return "unknown"
    places = 2 if microusd >= 100_000 or microusd == 0 else 4
    return f"${microusd / _MILLION:,.{places}f}" if microusd >= 50 or microusd == 0 else "below $0.0001"


def _price(item: Mapping[str, Any]) -> Price:
    day = item["effective_from"]
    return Price(
        item["model"],
        tuple(Tier(**tier) for tier in item["tiers"]),
        None if day is None else datetime.date.fromisoformat(day),
        item["source"],
        item["provider"],
    )


def _later(price: Price, other: Price) -> bool:
    if price.effective_from is None:
        return False
    return other.effective_from is None or price.effective_from > other.effective_from
