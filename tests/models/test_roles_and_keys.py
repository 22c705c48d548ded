"""Roles from settings, keys from anywhere but settings."""

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.review.port import Role
from clients.models import keys as keys_module
from clients.models.guarded import wire_maker
from clients.models.keys import NO_KEY, Key, advice, find_key, host_of, is_local
from clients.models.roles import DEFAULTS, RoleConfig, read_roles

CLAUDE = "https://api.anthropic.com"
OPENAI = "https://api.openai.com/v1"


def test_the_defaults() -> None:
    roles, notes = read_roles({})
    assert notes == ()
    assert roles == DEFAULTS
    assert set(roles) == set(Role)
    for role in (Role.REVIEW, Role.VERIFY, Role.LITERATURE):
        assert roles[role].model == "claude-sonnet-5-5"
    assert roles[Role.APPENDIX].model == "claude-haiku-5-5"


def test_one_role_goes_to_a_local_server() -> None:
    local = {
        "provider": "openai-compatible",
        "model": "qwen",
        "base_url": "http://localhost:11434/v1/",
        "price": {"input": 0, "output": 0.5},
    }
    roles, notes = read_roles({"effort": "low", "verify": local})
    assert notes == ()
    assert roles[Role.REVIEW].effort == "low"
    verify = roles[Role.VERIFY]
    assert (verify.model, verify.base_url) == ("qwen", "http://localhost:11434/v1")
    assert verify.timeout == 600.0
    assert verify.effort == "low"  # said for all roles
    assert verify.price is not None
    assert (verify.price.tiers[0].input, verify.price.tiers[0].output) == (0, 500_000)
    assert verify.recipient.local
    assert verify.recipient.id == "openai-compatible http://localhost:11434/v1"


NOTED = [
    ({"provider": "someone"}, "must be one of"),
    ({"api_key": "sk-1"}, "keys come from the environment"),
    ({"review": {"apiKey": "sk-1"}}, "keys come from the environment"),
    ({"auth_token": "sk-1"}, "keys come from the environment"),
    ({"base_url": "file:///etc/passwd"}, "`base_url` has no usable value"),
    ({"base_url": "https://user:secret@host"}, "`base_url` has no usable value"),
    ({"base_url": "http://[::1"}, "`base_url` has no usable value"),
    ({"timeout": -1}, "`timeout` has no usable value"),
    ({"timeout": True}, "`timeout` has no usable value"),
    ({"thinking_tokens": 1.5}, "`thinking_tokens` has no usable value"),
    ({"effort": "extreme"}, "`effort` has no usable value"),
    ({"review": 3}, "`review` must be a table"),
    ({"colour": "red"}, "`colour` is unknown"),
    ({"price": {"input": 1}}, "`price` needs"),
    ({"provider": "openai-compatible", "model": "x"}, "needs `model` and `base_url`"),
]


@pytest.mark.parametrize(("data", "said"), NOTED)
def test_what_cannot_be_used_is_said_and_left_out(data: dict[str, Any], said: str) -> None:
    roles, notes = read_roles(data)
    assert any(said in note for note in notes), notes
    assert "sk-1" not in "".join(notes)
    assert "sk-1" not in repr(roles)
    assert set(roles) == set(Role)


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2),
    max_leaves=4,
)
names = st.sampled_from(
    [*Role, "provider", "model", "base_url", "effort", "timeout", "thinking_tokens", "cache_ttl", "price"]
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(names, odd | st.dictionaries(names, odd, max_size=3), max_size=4))
def test_no_settings_raise(data: dict[str, Any]) -> None:
    roles, _ = read_roles({str(key): value for key, value in data.items()})
    assert all(isinstance(roles[role], RoleConfig) for role in Role)


KEYS = [
    (CLAUDE, {"ANTHROPIC_API_KEY": "a"}, "a"),
    (CLAUDE, {"ANTHROPIC_API_KEY": " a ", "COUNTERCLAIM_ANTHROPIC_API_KEY": "b"}, "b"),
    (CLAUDE, {"ANTHROPIC_API_KEY": "  "}, None),
    (CLAUDE, {"OPENAI_API_KEY": "o", "COUNTERCLAIM_MODEL_API_KEY": "m"}, None),
    (OPENAI, {"OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a"}, "o"),
    # A key goes to the host it was issued for, and to no other.
    ("https://evil.example", {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}, None),
    ("https://api.anthropic.com.evil.example", {"ANTHROPIC_API_KEY": "a"}, None),
    ("https://evil.example/api.anthropic.com", {"ANTHROPIC_API_KEY": "a"}, None),
    ("https://lab.example/v1", {"COUNTERCLAIM_MODEL_API_KEY": "m"}, "m"),
    ("https://gate.example", {"ANTHROPIC_BASE_URL": "https://gate.example/", "ANTHROPIC_API_KEY": "a"}, "a"),
    ("http://localhost:8080", {"ANTHROPIC_API_KEY": "a"}, NO_KEY),
    ("http://127.0.0.1:1/v1", {}, NO_KEY),
    ("http://127.evil.example", {}, None),
]


@pytest.mark.parametrize(("address", "environment", "key"), KEYS)
def test_keys_and_their_hosts(address: str, environment: dict[str, str], key: str | None) -> None:
    found = find_key(address, environment)
    assert (found.reveal() if found else None) == key


def test_the_keyring_comes_after_the_environment() -> None:
    asked: list[str] = []

    def ring(host: str) -> str | None:
        asked.append(host)
        return "from-the-ring"

    assert find_key(CLAUDE, {"ANTHROPIC_API_KEY": "a"}, ring).reveal() == "a"  # type: ignore[union-attr]
    assert asked == []
    assert find_key(CLAUDE, {}, ring).reveal() == "from-the-ring"  # type: ignore[union-attr]
    assert asked == ["api.anthropic.com"]


def test_a_keyring_that_fails_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> Any:
        raise ImportError

    monkeypatch.setattr(keys_module.importlib, "import_module", missing)
    assert keys_module.keyring_secret("host") is None


def test_a_key_does_not_show_itself() -> None:
    key = Key("sk-canary")
    shown = f"{key} {key!r} {[key]} {{'k': {key}}}"
    assert "canary" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(key)
    for provider in ("anthropic", "openai-compatible"):
        made = wire_maker({"COUNTERCLAIM_MODEL_API_KEY": "sk-canary"})(RoleConfig("m", provider, "https://lab.example"))
        assert not isinstance(made, str)
        assert "canary" not in repr(vars(made))


def test_why_there_is_no_wire() -> None:
    make = wire_maker({})
    assert "ANTHROPIC_API_KEY" in str(make(RoleConfig("m")))
    assert "needs a model" in str(make(RoleConfig("", "openai-compatible", "")))
    assert "unknown" in str(make(RoleConfig("m", "someone", "http://localhost")))
    assert "COUNTERCLAIM_MODEL_API_KEY" in advice("https://lab.example", {})


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30) | st.from_regex(r"https?://[\[\]@:/a-z0-9.%-]{0,20}", fullmatch=True))
def test_any_address_is_read(address: str) -> None:
    assert isinstance(host_of(address), str)
    assert isinstance(is_local(address), bool)
    find_key(address, {})
