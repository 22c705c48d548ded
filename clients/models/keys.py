"""Access keys: where they may come from, and a type that does not show them.

A key goes only to the host it was issued for.  It comes from the environment (into which an editor passes what its own
secret storage holds) or from the system's keyring; never from a settings file.
"""

import importlib
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

KEYRING_SERVICE = "counterclaim"
# A local server needs none, but clients of these protocols send one.
NO_KEY = "none"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ISSUED = {
    "api.anthropic.com": ("COUNTERCLAIM_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
    "api.openai.com": ("COUNTERCLAIM_OPENAI_API_KEY", "OPENAI_API_KEY"),
}
# For every other server, such as one of the own laboratory.
_OTHER = ("COUNTERCLAIM_MODEL_API_KEY",)


class Key:
    """A key that neither `repr` nor a log shows.  `reveal` is for the header of a request alone."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself."""
        return self._value

    def __repr__(self) -> str:
        return "Key(…)"

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is not written anywhere")


def host_of(address: str) -> str:
    """The host of an address in lower case, empty when there is none."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def is_local(address: str) -> bool:
    """Whether an address is this computer."""
    host = host_of(address)
    return host in _LOOPBACK or (host.startswith("127.") and host.replace(".", "").isdigit())


def variables(address: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The environment variables that may hold the key for an address, the first one that is set wins."""
    host = host_of(address)
    if host in _ISSUED:
        return _ISSUED[host]
    # Who sets key and address of a gateway together means them for each other.
    given = environment.get("ANTHROPIC_BASE_URL", "")
    if given and host_of(given) == host:
        return (*_OTHER, "ANTHROPIC_API_KEY")
    return _OTHER


def find_key(
    address: str, environment: Mapping[str, str], from_keyring: Callable[[str], str | None] | None = None
) -> Key | None:
    """The key for an address, None when there is none.  A server on this computer may go without.

    `from_keyring` gives the secret that the system's keyring holds for a host.
    """
    for name in variables(address, environment):
        value = environment.get(name, "").strip()
        if value:
            return Key(value)
    stored = from_keyring(host_of(address)) if from_keyring is not None else None
    if stored and stored.strip():
        return Key(stored.strip())
    return Key(NO_KEY) if is_local(address) else None


def keyring_secret(host: str) -> str | None:
    """What the system's keyring holds for `counterclaim` and a host; None also where there is no keyring."""
    try:
        value = importlib.import_module("keyring").get_password(KEYRING_SERVICE, host)
    except Exception:  # not installed, locked, no desktop: each backend has errors of its own
        return None
    return value if isinstance(value, str) else None


def advice(address: str, environment: Mapping[str, str]) -> str:
    """What to do when there is no key."""
    names = " or ".join(variables(address, environment))
    host = host_of(address)
    return (
        f"No key for {host} was found. Set {names}, or store one in the keyring under {KEYRING_SERVICE} and {host}. "
        "Keys are never read from settings files."
    )
