"""Which provider and model serves which role, from the user's settings.

Names of models are never taken for granted: `check_model` asks the provider for its list where it has one.
A workspace must not choose the address (the caller passes the user's settings only), and no settings file holds a key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from analyzers.review.consent import Recipient
from analyzers.review.port import Role
from clients.models import anthropic_adapter, openai_compatible
from clients.models.prices import Price, flat
from clients.models.wire import Wire

PROVIDERS = (anthropic_adapter.PROVIDER, openai_compatible.PROVIDER)
EFFORTS = ("low", "medium", "high", "xhigh", "max")
_SONNET, _HAIKU = "claude-sonnet-5-5", "claude-haiku-5-5"
_SECRET = ("key", "token", "secret", "password")
_MAX_SECONDS = 3_600.0
_MAX_TOKENS = 128_000


@dataclass(frozen=True, slots=True)
class RoleConfig:
    """One role: `timeout` in seconds for one request, `thinking_tokens` added to an answer's limit.

    `images` allows that pictures of figures are sent.  `effort` None leaves it to the provider.  `price` is the user's own, for a model that the price file does not know.
    """

    model: str
    provider: str = anthropic_adapter.PROVIDER
    base_url: str = anthropic_adapter.ADDRESS
    effort: str | None = None
    timeout: float = 300.0
    thinking_tokens: int = 4_000
    cache_ttl: str | None = "5m"
    price: Price | None = None
    images: bool = False

    @property
    def recipient(self) -> Recipient:
        """To whom the requests of this role go."""
        return Recipient(self.provider, self.base_url, self.model)


DEFAULTS: Mapping[Role, RoleConfig] = {
    Role.APPENDIX: RoleConfig(_HAIKU, effort="low", thinking_tokens=2_000),
    Role.LITERATURE: RoleConfig(_SONNET, effort="medium", thinking_tokens=6_000),
    Role.REVIEW: RoleConfig(_SONNET, effort="high", timeout=600.0, thinking_tokens=12_000),
    Role.VERIFY: RoleConfig(_SONNET, effort="medium", thinking_tokens=4_000),
    Role.GRAPH: RoleConfig(_HAIKU, effort="low", thinking_tokens=2_000),
    Role.JUDGE: RoleConfig(_SONNET, effort="high", thinking_tokens=8_000),
}


def read_roles(data: Mapping[str, Any]) -> tuple[Mapping[Role, RoleConfig], tuple[str, ...]]:
    """The roles in force, and what could not be used of the settings, in words for people.

    `data` holds `provider`, `model`, `base_url`, `effort`, `timeout` (seconds), `thinking_tokens`, `cache_ttl`, `images`, and
    `price = {input = 2.0, output = 10.0}` (dollars per million tokens) for all roles, and tables named after roles,
    such as `review`, with the same names for one role.
    """
    notes: list[str] = []
    shared = {name: value for name, value in data.items() if name not in set(Role)}
    roles: dict[Role, RoleConfig] = {}
    for role in Role:
        own = data.get(role.value)
        if own is not None and not isinstance(own, Mapping):
            notes.append(f"The models setting `{role.value}` must be a table.")
        given = {**shared, **(own if isinstance(own, Mapping) else {})}
        roles[role] = _role(role, given, notes)
    return roles, tuple(dict.fromkeys(notes))


async def check_model(wire: Wire) -> str | None:
    """What is wrong with a wire's model by the provider's own list; None when it is listed, or there is no list."""
    listed = await wire.models()
    if listed is None:
        return None
    active = sorted(info.id for info in listed if not info.retired)
    if wire.model in active or f"{wire.model}:latest" in active:
        return None
    if any(info.id == wire.model for info in listed):
        return f"The model {wire.model} is retired. Listed are: {', '.join(active[:12]) or 'none'}."
    return f"The model {wire.model} is not listed at {wire.address}. Listed are: {', '.join(active[:12]) or 'none'}."


def _role(role: Role, given: Mapping[str, Any], notes: list[str]) -> RoleConfig:
    config = DEFAULTS[role]
    provider = given.get("provider", config.provider)
    if provider not in PROVIDERS:
        notes.append(f"The models setting `provider` must be one of {', '.join(PROVIDERS)}.")
        provider = config.provider
    if provider != config.provider:
        # What is a default for one provider means nothing to another; a local model may need ten minutes.
        config = RoleConfig("", provider, "", None, 600.0, config.thinking_tokens, None)
    changes: dict[str, Any] = {}
    price: Mapping[str, Any] | None = None
    for name, value in given.items():
        if any(word in name.lower().split("_") for word in _SECRET) or name.lower().endswith("apikey"):
            notes.append(
                f"The models setting `{name}` is not read: keys come from the environment or the keyring only."
            )
        elif name == "provider":
            continue
        elif name == "price" and isinstance(value, Mapping):
            price = value
        elif name in _READERS:
            read = _READERS[name](value)
            if read is None:
                notes.append(f"The models setting `{name}` has no usable value.")
            else:
                changes[name] = read
        else:
            notes.append(f"The models setting `{name}` is unknown.")
    if changes.get("cache_ttl") == "off":
        changes["cache_ttl"] = None
    config = replace(config, **changes)
    if config.provider == openai_compatible.PROVIDER and not (config.model and config.base_url):
        notes.append(f"The provider {config.provider} needs `model` and `base_url` for the role {role.value}.")
    if price is not None:
        own = _price(config.model, price)
        if own is None:
            notes.append("The models setting `price` needs `input` and `output`, in dollars per million tokens.")
        config = replace(config, price=own)
    return config


def _name(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _address(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        usable = usable and parts.port != 0
    except ValueError:
        return None
    return value.rstrip("/") if usable else None


def _effort(value: Any) -> str | None:
    return value if value in EFFORTS else None


def _seconds(value: Any) -> float | None:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= _MAX_SECONDS
    return float(value) if usable else None


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS else None


def _ttl(value: Any) -> str | None:
    return value if value in ("5m", "1h", "off") else None


def _switch(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _price(model: str, value: Mapping[str, Any]) -> Price | None:
    amounts = [value.get("input"), value.get("output")]
    whole = [
        round(amount * 1_000_000)
        for amount in amounts
        if isinstance(amount, int | float) and not isinstance(amount, bool) and 0 <= amount <= 100_000
    ]
    return flat(model, whole[0], whole[1]) if len(whole) == 2 else None


_READERS = {
    "model": _name,
    "base_url": _address,
    "effort": _effort,
    "timeout": _seconds,
    "thinking_tokens": _tokens,
    "cache_ttl": _ttl,
    "images": _switch,
}
