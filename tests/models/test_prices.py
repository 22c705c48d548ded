"""Prices: dated, by tiers, whole micro-dollars, and never 0 for what is unknown."""

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.review.port import Usage
from clients.models.prices import Price, PriceTable, Tier, flat, money, price_table, read_table

DAY = datetime.date(2026, 11, 29)
MILLION = 1_000_000

COSTS = [
    ("claude-sonnet-5-5", Usage(input_tokens=MILLION), 2_000_000),
    ("claude-sonnet-5-5", Usage(output_tokens=MILLION), 10_000_000),
    ("claude-sonnet-5-5", Usage(cache_write_tokens=MILLION), 2_500_000),
    ("claude-sonnet-5-5", Usage(cache_write_tokens=MILLION, long_cache_write_tokens=MILLION), 4_000_000),
    ("claude-sonnet-5-5", Usage(cache_read_tokens=MILLION), 100_000),
    ("claude-opus-5-5", Usage(input_tokens=1000, output_tokens=1000), 24_000),
    # The whole request is billed by the tier of its length, cached input included.
    ("claude-haiku-5-5", Usage(input_tokens=100_000, output_tokens=1000), 10_500),
    ("claude-haiku-5-5", Usage(input_tokens=60_000, cache_read_tokens=40_001, output_tokens=1000), 34_501),
    # Rounded up: a single token is not free.
    ("claude-haiku-5-5", Usage(input_tokens=1), 1),
    ("claude-sonnet-5-5-20261001", Usage(input_tokens=1000), 2_000),
    ("claude-sonnet-5-5", Usage(), 0),
    ("a-model-of-tomorrow", Usage(input_tokens=1), None),
    ("a-model-of-tomorrow", Usage(), None),
    ("claude-sonnet-5-5", Usage(input_tokens=10, web_searches=1), None),
]


@pytest.mark.parametrize(("model", "usage", "cost"), COSTS)
def test_costs(model: str, usage: Usage, cost: int | None) -> None:
    assert price_table().cost(model, usage, DAY, "anthropic") == cost


def test_the_published_paper() -> None:
    # 189 thousand tokens in and 3.9 thousand out a paper: 42 cents, and half of it in a batch.
    usage = Usage(input_tokens=189_000, output_tokens=3_900)
    assert price_table().cost("claude-sonnet-5-5", usage, DAY) == 417_000
    assert price_table().cost("claude-sonnet-5-5", usage, DAY, batch=True) == 208_500


def test_a_price_holds_from_its_day_on_and_for_its_provider() -> None:
    old = Price("m", (Tier(1, 1, 1, 1, 1),), None)
    new = Price("m", (Tier(2, 2, 2, 2, 2),), datetime.date(2026, 6, 1), provider="anthropic")
    table = PriceTable(DAY, (new, old))
    assert table.price("m", datetime.date(2026, 5, 31)) is old
    assert table.price("m", datetime.date(2026, 6, 1)) is new
    assert table.price("m", DAY, "openai-compatible") is old
    assert price_table().price("claude-sonnet-5-5", datetime.date(2026, 10, 6)) is None
    assert price_table().price("claude-sonnet-5-5", DAY, "openai-compatible") is None


def test_a_users_price_goes_over_the_file() -> None:
    table = price_table().with_prices([flat("claude-sonnet-5-5", 0, 0), flat("mine", 5 * MILLION, MILLION)])
    assert table.cost("claude-sonnet-5-5", Usage(input_tokens=99, output_tokens=99), DAY, "anthropic") == 0
    assert table.cost("mine", Usage(cache_read_tokens=2, output_tokens=1), DAY, "openai-compatible") == 11


def test_the_file_is_dated_and_says_where_prices_are_from() -> None:
    table = price_table()
    assert table.as_of == DAY
    assert all(price.source and price.provider and price.tiers[-1].max_input_tokens is None for price in table.prices)
    with pytest.raises(ValueError, match="version"):
        read_table({"version": 2})


counts = st.integers(0, 5_000_000)
usages = st.builds(Usage, counts, counts, counts, counts)


@settings(max_examples=100, deadline=None)
@given(usages, usages, st.sampled_from([price.model for price in price_table().prices]))
def test_a_larger_usage_never_costs_less_and_sums_are_bounded(one: Usage, two: Usage, model: str) -> None:
    table = price_table()
    costs = [table.tokens_cost(model, usage, DAY) for usage in (one, two, one + two)]
    assert None not in costs
    first, second, both = (cost or 0 for cost in costs)
    assert both >= max(first, second)
    halved = table.tokens_cost(model, one, DAY, batch=True) or 0
    assert halved * 2 - 1 <= first <= halved * 2


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "unknown"),
        (0, "$0.00"),
        (1, "below $0.0001"),
        (4200, "$0.0042"),
        (417_000, "$0.42"),
        (1_234_567_890, "$1,234.57"),
    ],
)
def test_money_is_written_for_people(amount: int | None, text: str) -> None:
    assert money(amount) == text
