"""The way from a command to a model: the user's settings, the account, the cache.

Which provider and address is used comes from the user's own configuration (`models.toml` in the user's configuration folder), never
from a workspace: a manuscript that somebody sent must not choose where it goes.
"""

import datetime
import time
import tomllib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzers.review.consent import Disclosure, PlannedCall, Recipient, SentFile, disclosure
from analyzers.review.port import Model, ModelRequest, Role
from analyzers.review.script import Script
from server.consent import configuration_folder
from server.logs import describe, logger

if TYPE_CHECKING:
    # The wires bring HTTP libraries with them, which a server that is never asked for a review does not need.
    from clients.models.account import Limits
    from clients.models.asking import Patience
    from clients.models.prices import PriceTable
    from clients.models.roles import RoleConfig

_SETTINGS = "models.toml"
_LOG = logger("models")


@dataclass(frozen=True, slots=True)
class ModelSetup:
    """The roles, limits and prices in force, where cache and account lie, and what could not be used of the settings."""

    roles: Mapping[Role, "RoleConfig"]
    prices: "PriceTable"
    limits: "Limits"
    data: Path
    notes: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    patience: "Patience | None" = None

    def limited(self, microusd: int | None) -> "ModelSetup":
        """The same with another limit for one review; None keeps the limit of the settings."""
        return self if microusd is None else replace(self, limits=replace(self.limits, review_microusd=microusd))


def model_setup(
    given: Mapping[str, Any], environment: Mapping[str, str], folder: Path | None = None, data: Path | None = None
) -> ModelSetup:
    """The setup of the user's file, with `given` (the options of a command) over it.  Never raises."""
    from platformdirs import user_cache_path

    from clients.models.planning import with_own_prices
    from clients.models.prices import price_table
    from clients.models.roles import read_roles

    read, notes = _settings((folder or configuration_folder()) / _SETTINGS)
    budget = read.pop("budget", None)
    merged: dict[str, Any] = {**read, **{name: value for name, value in given.items() if value is not None}}
    if given.get("model") is not None:
        # An option on the command line speaks for every role.
        for role in Role:
            merged.pop(role.value, None)
    roles, more = read_roles(merged)
    limits, extra = _limits(budget)
    place = data or user_cache_path("counterclaim", appauthor=False) / "models"
    return ModelSetup(roles, with_own_prices(price_table(), roles), limits, place, (*notes, *more, *extra), environment)


def what_would_be_sent(script: Script, requests: Iterable[ModelRequest], setup: ModelSetup) -> Disclosure:
    """What the requests send to whom, and their most cost."""
    from clients.models.planning import planned_calls

    calls: tuple[PlannedCall, ...] = planned_calls(requests, setup.roles, setup.prices, _today())
    return disclosure(script, calls)


def counted_disclosure(
    characters: Mapping[str, int], requests: Iterable[ModelRequest], withheld: int, setup: ModelSetup
) -> Disclosure:
    """The same for requests that do not hold lines of a script: `characters` says how much of each file is in them."""
    from clients.models.planning import planned_calls

    calls = planned_calls(requests, setup.roles, setup.prices, _today())
    return Disclosure(tuple(SentFile(path, count) for path, count in sorted(characters.items())), calls, withheld)


@asynccontextmanager
async def opened_model(
    setup: ModelSetup, consent: Callable[[Recipient], str | None], review: str
) -> AsyncIterator[Model]:
    """The model of one review; `review` names it in the account, so that a run that is repeated keeps to one budget."""
    from clients.models.account import Account, ReviewLedger
    from clients.models.call_cache import CallCache
    from clients.models.guarded import GuardedModel, wire_maker
    from clients.models.keys import keyring_secret

    setup.data.mkdir(parents=True, exist_ok=True)
    account = Account(setup.data / "account.sqlite", setup.prices, time.time, _today, _LOG.warning)
    cache = CallCache(setup.data / "answers.sqlite", time.time, _LOG.warning)
    model = GuardedModel(
        setup.roles,
        wire_maker(setup.environment, keyring_secret),
        consent,
        ReviewLedger(account, review, setup.limits),
        cache,
        setup.patience,
    )
    try:
        yield model
    finally:
        await model.close()
        cache.close()
        account.close()


def _today() -> datetime.date:
    return datetime.datetime.now().astimezone().date()


def _settings(path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    try:
        if not path.is_file():
            return {}, ()
        return tomllib.loads(path.read_text(encoding="utf-8")), ()
    except (OSError, ValueError, RecursionError) as error:
        return {}, (f"{path.name} was not read ({describe(error)}); the defaults are used.",)


def _limits(given: object) -> "tuple[Limits, tuple[str, ...]]":
    """`[budget]` with `review` and `day` in dollars."""
    from clients.models.account import Limits

    limits = Limits()
    if given is None:
        return limits, ()
    if not isinstance(given, Mapping):
        return limits, ("The models setting `budget` must be a table.",)
    notes = []
    for name, attribute in (("review", "review_microusd"), ("day", "day_microusd")):
        value = given.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100_000:
            notes.append(f"The budget `{name}` must be an amount in dollars.")
        else:
            limits = replace(limits, **{attribute: round(value * 1_000_000)})
    return limits, tuple(notes)
