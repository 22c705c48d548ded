"""The `Model` that reviewers get: consent, then the cache of calls, then the budget, then the adapter, then the
account.

The cache stands before the budget, because an answer that was paid for costs nothing more, and a review that ran out of
money can still be shown.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace

from analyzers.review.consent import Recipient
from analyzers.review.port import HOPELESS, ModelRequest, Outcome, OutcomeKind, Role, Usage
from clients.models import anthropic_adapter, openai_compatible
from clients.models.account import ReviewLedger
from clients.models.answers import can_validate
from clients.models.anthropic_adapter import AnthropicWire
from clients.models.asking import Asker, Patience
from clients.models.call_cache import CallCache, call_key
from clients.models.estimate import upper_bound
from clients.models.keys import advice, find_key
from clients.models.openai_compatible import ChatWire
from clients.models.roles import RoleConfig, check_model
from clients.models.wire import Wire

Consent = Callable[[Recipient], str | None]
"""Why nothing may be sent to a recipient, None when it may."""
Maker = Callable[[RoleConfig], "Wire | str"]


def wire_maker(environment: Mapping[str, str], from_keyring: Callable[[str], str | None] | None = None) -> Maker:
    """A function that makes the wire of a role, or says why there is none (no key, no model, nothing installed)."""

    def make(config: RoleConfig) -> Wire | str:
        if not config.model or not config.base_url:
            return f"The provider {config.provider} needs a model and an address. Set them in your own settings."
        if not can_validate():
            return "The packages for models are not installed. Install counterclaim with the extra `models`."
        key = find_key(config.base_url, environment, from_keyring)
        if key is None:
            return advice(config.base_url, environment)
        if config.provider == anthropic_adapter.PROVIDER:
            return AnthropicWire(
                config.model,
                key,
                config.base_url,
                config.effort,
                config.thinking_tokens,
                config.cache_ttl,
                config.timeout,
            )
        if config.provider == openai_compatible.PROVIDER:
            return ChatWire(config.model, key, config.base_url, config.effort, config.thinking_tokens, config.timeout)
        return f"The provider {config.provider} is unknown."

    return make


class GuardedModel:
    """One review's way to models.  `close` it when the review is over."""

    def __init__(
        self,
        roles: Mapping[Role, RoleConfig],
        make: Maker,
        consent: Consent,
        ledger: ReviewLedger,
        cache: CallCache | None = None,
        patience: Patience | None = None,
        concurrency: int = 4,
    ) -> None:
        self._roles = roles
        self._make = make
        self._consent = consent
        self._ledger = ledger
        self._cache = cache
        self._patience = patience or Patience()
        self._slots = asyncio.Semaphore(concurrency)
        self._askers: dict[RoleConfig, Asker] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._hopeless: dict[RoleConfig, Outcome] = {}
        self.replayed = 0
        """How many answers came from the cache."""

    @property
    def ledger(self) -> ReviewLedger:
        """The account of this review."""
        return self._ledger

    async def ask(self, request: ModelRequest) -> Outcome:
        """The outcome of a request.  Raises only `asyncio.CancelledError`."""
        config = self._roles[request.role]
        reason = self._consent(config.recipient)
        if reason is not None:
            return _unsent(config, reason)
        asker = self._asker(config)
        if isinstance(asker, str):
            return _unsent(config, asker)
        key = call_key(asker.wire.provider, asker.wire.address, asker.wire.body(request), request.epoch)
        async with AsyncExitStack() as stack:
            # Who asks the same at the same time waits for the answer of the first, and reads it from the cache.
            await stack.enter_async_context(self._locks.setdefault(key, asyncio.Lock()))
            known = self._cache.get(key) if self._cache is not None else None
            if known is not None:
                self.replayed += 1
                return known
            await stack.enter_async_context(self._slots)
            over = self._hopeless.get(config)
            if over is not None:
                return over
            outcome = await asker.ask(request)
            if outcome.kind is OutcomeKind.UNKNOWN_MODEL:
                problem = await check_model(asker.wire)
                outcome = outcome if problem is None else replace(outcome, detail=problem)
            if outcome.kind in HOPELESS and outcome.kind is not OutcomeKind.BUDGET:
                # The next call would meet the same; a smaller one may still fit a budget.
                self._hopeless[config] = replace(outcome, usage=Usage(), cost_microusd=0, usage_is_bound=False)
            if self._cache is not None:
                self._cache.put(key, outcome)
            return outcome

    async def count(self, request: ModelRequest) -> int:
        """The provider's count with consent, because counting sends the text; else an upper bound."""
        config = self._roles[request.role]
        asker = self._asker(config) if self._consent(config.recipient) is None else ""
        return upper_bound(request) if isinstance(asker, str) else await asker.count(request)

    async def close(self) -> None:
        """Ends the connections."""
        for asker in self._askers.values():
            await asker.wire.close()
        self._askers.clear()

    def _asker(self, config: RoleConfig) -> Asker | str:
        asker = self._askers.get(config)
        if asker is None:
            wire = self._make(config)
            if isinstance(wire, str):
                return wire
            asker = self._askers[config] = Asker(wire, self._ledger, replace(self._patience, call=config.timeout))
        return asker


def _unsent(config: RoleConfig, reason: str) -> Outcome:
    return Outcome(OutcomeKind.NOT_ALLOWED, model=config.model, cost_microusd=0, detail=reason)
