"""Requests that are not sent yet, with what they may cost: for the question whether they may be."""

import datetime
from collections.abc import Iterable, Mapping

from analyzers.review.consent import PlannedCall
from analyzers.review.port import ModelRequest, Role
from clients.models import anthropic_adapter
from clients.models.asking import Planned, with_searches
from clients.models.estimate import upper_bound
from clients.models.prices import PriceTable
from clients.models.roles import RoleConfig


def planned_calls(
    requests: Iterable[ModelRequest], roles: Mapping[Role, RoleConfig], prices: PriceTable, today: datetime.date
) -> tuple[PlannedCall, ...]:
    """The calls with upper bounds.  A retry after an unusable answer comes on top, and is bounded by the budget."""
    table = with_own_prices(prices, roles)
    calls: list[PlannedCall] = []
    for request in requests:
        config = roles[request.role]
        thinking = request.max_output_tokens + config.thinking_tokens
        tokens = with_searches(upper_bound(request), request.web_searches)
        caches = config.provider == anthropic_adapter.PROVIDER and config.cache_ttl is not None
        bound = Planned(
            request, config.provider, config.model, tokens, thinking, config.cache_ttl == "1h", caches
        ).bound
        cost = table.cost(config.model, bound, today, config.provider)
        calls.append(PlannedCall(request, config.recipient, bound, cost))
    return tuple(calls)


def with_own_prices(prices: PriceTable, roles: Mapping[Role, RoleConfig]) -> PriceTable:
    """The price table with those prices over it that the user has set for models of their own."""
    return prices.with_prices(
        {config.price.model: config.price for config in roles.values() if config.price is not None}.values()
    )
